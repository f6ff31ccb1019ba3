// The plots as files: CSV that reads back, numbered names, pictures of the right part.
#include "app/plots/plot_export.h"
#include "app/plots/plot_pages.h"
#include "engine/core/file.h"
#include "engine/study/output/svg.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include <unistd.h>

namespace wobble {
namespace {

namespace fs = std::filesystem;

using Lines = std::vector<std::vector<std::string>>;
Lines parse(const std::string& csv) {
    Lines lines(1, {""});
    bool quotes = false;
    for (std::size_t i = 0; i < csv.size(); ++i) {
        const char c = csv[i];
        if (c == '"' && quotes && i + 1 < csv.size() && csv[i + 1] == '"') lines.back().back() += csv[++i];
        else if (c == '"') quotes = !quotes;
        else if (c == ',' && !quotes) lines.back().emplace_back();
        else if (c == '\n' && !quotes) lines.push_back({""});
        else lines.back().back() += c;
    }
    lines.pop_back();  // after the last line end
    return lines;
}

double number(const std::string& text) {
    double v = NAN;
    std::from_chars(text.data(), text.data() + text.size(), v);
    return v;
}

void oscillate(RunHistory& history, int run, int steps, double amplitude) {
    for (int i = 0; i <= steps; ++i) {
        EnergySample s{};
        s.t = 0.001 * i;
        s.h = 0.001;
        s.wall_seconds = 1e-4 * (1 + i % 3);
        s.energies.kinetic = amplitude * std::pow(std::sin(0.1 * i), 2);
        s.energies.elastic = amplitude * std::pow(std::cos(0.1 * i), 2);
        s.energies.initial_total = amplitude;
        s.energies.max_kinetic = amplitude;
        s.newton_iterations = i % 4;
        history.add(run, s);
    }
}

TEST(PlotCsv, ReadsBackAsItWas) {
    PlotsState plots;
    plots.history.describe(0, "verlet, \"mine\"", 0.001);
    oscillate(plots.history, 0, 500, 2);
    const Lines lines = parse(plot_csv(plot_table(plots)));
    ASSERT_EQ(lines.size(), 502u);
    EXPECT_EQ(lines[0], (std::vector<std::string>{"run", "t [s]", "steps", "kinetic [J]", "elastic [J]", "gravity [J]", "total [J]"}))
        << "without what has always been zero";
    const SampleTrack& track = plots.history.runs()[0].steps;
    for (std::size_t i = 0; i < track.size(); ++i) {
        const auto& cells = lines[i + 1];
        ASSERT_EQ(cells.size(), 7u);
        EXPECT_EQ(cells[0], "verlet, \"mine\" 1 ms");
        EXPECT_EQ(number(cells[1]), track.time(i));
        EXPECT_EQ(cells[2], "1");
        EXPECT_EQ(number(cells[3]), track.value(int(Channel::kinetic), i));
        EXPECT_EQ(number(cells[6]), track.value(int(Channel::total), i));
    }
    plots.page = PlotPage::timing;
    const Lines timing = parse(plot_csv(plot_table(plots)));
    EXPECT_EQ(timing[0][3], "clock [s]");
    EXPECT_EQ(timing[1][3], "") << "no step led to the first state";
    EXPECT_EQ(number(timing[2][3]), 2e-4);
}

TEST(PlotCsv, SeveralRunsAndTheDriftInPercent) {
    PlotsState plots;
    plots.page = PlotPage::drift;
    plots.history.set_runs(2);
    oscillate(plots.history, 0, 10, 2);
    oscillate(plots.history, 1, 20, 4);
    const Lines lines = parse(plot_csv(plot_table(plots)));
    ASSERT_EQ(lines.size(), 1u + 11 + 21);
    EXPECT_EQ(lines[0][3], "energy error [%]");
    EXPECT_EQ(number(lines.back()[3]), 25 * plots.history.runs()[1].steps.value(int(Channel::error), 20));
    plots.page = PlotPage::difference;
    EXPECT_EQ(parse(plot_csv(plot_table(plots))).size(), 1u) << "no differences yet";
    plots.history.add_difference(1, 0.5, 0.125);
    EXPECT_EQ(parse(plot_csv(plot_table(plots)))[1][3], "0.125");
}

TEST(PlotCsv, RowsOfManyStepsTellLowestAndHighest) {
    PlotsState plots;
    plots.history = RunHistory(256);
    oscillate(plots.history, 0, 5000, 2);
    const Lines lines = parse(plot_csv(plot_table(plots)));
    EXPECT_LE(lines.size(), 257u);
    EXPECT_EQ(lines[0][4], "kinetic [J] lowest");
    EXPECT_EQ(lines[0][5], "kinetic [J] highest");
    double steps = 0, highest = 0;
    for (std::size_t i = 1; i < lines.size(); ++i) steps += number(lines[i][2]), highest = std::max(highest, number(lines[i][5]));
    EXPECT_EQ(steps, 5001);
    EXPECT_NEAR(highest, 2, 0.01);
}

class PlotFiles : public ::testing::Test {
protected:
    void SetUp() override { fs::create_directories(folder); }
    void TearDown() override { fs::remove_all(folder); }
    // Frames until a file has been written or refused.
    void write(PlotExporter& exporter, PlotsState& plots) {
        exporter.frame(
            plots, [&] { return window; }, 2);
        while (plots.exporting) {
            std::this_thread::yield();
            exporter.frame(
                plots, [&] { return window; }, 2);
        }
    }
    fs::path folder = fs::temp_directory_path() / ("wobble-plots-" + std::to_string(getpid()));
    Image window{400, 300};
};

TEST_F(PlotFiles, AreNumberedAndNeverOverwritten) {
    PlotsState plots;
    oscillate(plots.history, 0, 100, 2);
    PlotExporter exporter;
    exporter.set_folder(folder);
    for (const char* name : {"wobble-energy.csv", "wobble-energy-2.csv"}) {
        plots.export_csv = true;
        write(exporter, plots);
        EXPECT_NE(plots.message.find((folder / name).string()), std::string::npos) << plots.message;
        const auto text = read_file(folder / name, 1 << 20);
        ASSERT_TRUE(text);
        EXPECT_EQ(parse(text.value()).size(), 102u);
    }
    plots.shown = {0, 0.1};
    plots.export_svg = true;
    write(exporter, plots);
    const auto svg = read_file(folder / "wobble-energy.svg", 1 << 22);
    ASSERT_TRUE(svg);
    EXPECT_NE(svg.value().find("kinetic"), std::string::npos);
}

TEST_F(PlotFiles, APictureIsThePartOfTheWindow) {
    PlotsState plots;
    plots.rect = {50, 100, 100, 40};  // screen coordinates, of two pixels each
    for (int y = 0; y < window.height; ++y)
        for (int x = 0; x < window.width; ++x) window.row(y)[3 * x] = std::uint8_t(x / 2), window.row(y)[3 * x + 1] = std::uint8_t(y / 2);
    PlotExporter exporter;
    exporter.set_folder(folder);
    plots.export_png = true;
    write(exporter, plots);
    const auto image = read_png(folder / "wobble-energy.png");
    ASSERT_TRUE(image) << image.message();
    EXPECT_EQ(image.value().width, 200);
    EXPECT_EQ(image.value().height, 80);
    EXPECT_EQ(image.value().pixel(0, 0)[0], 50);
    EXPECT_EQ(image.value().pixel(0, 0)[1], 100);
    EXPECT_EQ(image.value().pixel(199, 79)[0], 149);
}

TEST_F(PlotFiles, AFolderThatCannotBeIsASentence) {
    std::ofstream(folder / "file").put('x');
    PlotsState plots;
    oscillate(plots.history, 0, 10, 2);
    PlotExporter exporter;
    exporter.set_folder(folder / "file" / "inside");
    plots.export_csv = true;
    write(exporter, plots);
    EXPECT_NE(plots.message.find("Cannot create"), std::string::npos) << plots.message;
}

TEST(PlotPicture, ShowsTheChosenPart) {
    PlotsState plots;
    oscillate(plots.history, 0, 1000, 2);
    const Plot plot = plot_picture(plots, {0.2, 0.4}, 500);
    ASSERT_FALSE(plot.series.empty());
    for (const Series& series : plot.series)
        for (const auto& [t, v] : series.points) {
            EXPECT_GE(t, 0.2);
            EXPECT_LE(t, 0.4);
        }
    EXPECT_EQ(plot.y.label, "energy [J]");
    EXPECT_NE(to_svg(plot).find("</svg>"), std::string::npos);
    EXPECT_FALSE(plot.y.low || plot.y.high) << "all values";
    PageView& view = page_view(plots);
    view.values.select(3, -1);
    const Plot zoomed = plot_picture(plots, {0.2, 0.4}, 500);
    EXPECT_EQ(zoomed.y.low, -1);
    EXPECT_EQ(zoomed.y.high, 3);
    view.logarithmic = true;  // which has no place for -1
    EXPECT_FALSE(plot_picture(plots, {0.2, 0.4}, 500).y.low);
}

}  // namespace
}  // namespace wobble
