// Tables and plots as text: what is written can be read, and says what it should.
#include "engine/study/output/axis_map.h"
#include "engine/study/output/svg.h"
#include "engine/study/output/table_text.h"
#include "tests/study/csv.h"
#include "tests/study/xml.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wobble {
namespace {

TEST(TableText, NumbersReadBackExactly) {
    Table table{"t", {"name", "x", "n"}, {}};
    const double values[] = {0.1, 1.0 / 3, 1e-300, -2.5e17, 5e-324};
    for (const double x : values) table.rows.push_back({"a", x, 7L});
    const support::Csv csv = support::read_csv(to_csv(table));
    ASSERT_EQ(csv.columns, table.columns);
    for (std::size_t i = 0; i < std::size(values); ++i) EXPECT_EQ(std::strtod(csv.rows[i].at("x").c_str(), nullptr), values[i]);
    EXPECT_NE(to_csv(table).find("0.1,7"), std::string::npos) << "no digits that say nothing";
    EXPECT_EQ(csv_line({std::string("a,\"b\""), NAN}), "\"a,\"\"b\"\"\",nan\n");
}

TEST(TableText, ColumnsAreAligned) {
    const std::string text = to_columns({"t", {"id", "value"}, {{"long name", 1.5}, {"x", 22222.0}}});
    std::istringstream lines(text);
    std::vector<std::string> seen;
    for (std::string line; std::getline(lines, line);) seen.push_back(line);
    ASSERT_EQ(seen.size(), 3u);
    for (const std::string& line : seen) EXPECT_EQ(line.size(), seen[0].size()) << text;  // numbers end below each other
    EXPECT_TRUE(seen[0].starts_with("id ") && seen[0].ends_with(" value"));
    EXPECT_TRUE(seen[1].ends_with(" 1.5"));
}

TEST(AxisMap, LogarithmicTicksAndPlaces) {
    const AxisMap axis({"", Scale::logarithmic, {}, {}}, {1e-6, 1e-2, NAN, 0.0, -1.0});
    EXPECT_NEAR(axis.low(), 1e-6, 1e-12);
    EXPECT_NEAR(axis.high(), 1e-2, 1e-8);
    EXPECT_NEAR(axis.at(1e-4), 0.5, 1e-9);
    EXPECT_NEAR(axis.value_at(0.25), 1e-5, 1e-14);
    EXPECT_FALSE(axis.shows(0));
    EXPECT_FALSE(axis.shows(-1));
    EXPECT_FALSE(axis.shows(INFINITY));
    int named = 0;
    for (const Tick& t : axis.ticks(5)) {
        EXPECT_GE(axis.at(t.value), -1e-9);
        EXPECT_LE(axis.at(t.value), 1 + 1e-9);
        if (t.label.empty()) continue;
        ++named;
        EXPECT_NEAR(std::stod(t.label), t.value, 1e-9 * t.value);
    }
    EXPECT_GE(named, 3);
    const AxisMap none({"", Scale::logarithmic, {}, {}}, {});  // nothing to show is no reason to fail
    EXPECT_LT(none.low(), none.high());
    const AxisMap same({"", Scale::linear, {}, {}}, {3, 3});
    EXPECT_LT(same.low(), 3);
    EXPECT_GT(same.high(), 3);
}

TEST(Svg, IsWellFormedAndNamesItsSeries) {
    Plot plot{"p", "Errors & <orders>", {"work", Scale::logarithmic, {}, {}}, {"error \"e\"", Scale::logarithmic, {}, 10.0}, {}, {}};
    for (int s = 0; s < 25; ++s)
        plot.series.push_back(
            {"method-" + std::to_string(s), {{1, 1}, {10, 0.1}, {100, NAN}, {1000, 1e300}, {1e4, 0}, {1e5, 1e-5}}, s, true});
    const std::string svg = to_svg(plot);
    const support::Xml xml = support::parse_xml(svg);
    ASSERT_EQ(xml.error, "") << svg;
    EXPECT_EQ(xml.root, "svg");
    for (const Series& s : plot.series) EXPECT_TRUE(xml.has_text(s.label)) << s.label;
    EXPECT_TRUE(xml.has_text("Errors & <orders>"));
    EXPECT_TRUE(xml.has_text("error \"e\""));
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
    EXPECT_NE(support::parse_xml(svg.substr(0, svg.size() / 2)).error, "") << "half a file is not well-formed";
}

TEST(Svg, FailedRunsBreakTheLineAndStandAtTheEdge) {
    const Plot plot{"p",
                    "P",
                    {"h", Scale::logarithmic, {}, {}},
                    {"error", Scale::logarithmic, {}, {}},
                    {{"m", {{1, 1}, {2, 0.5}, {4, INFINITY}, {8, 0.1}, {16, 0.05}}, 0, true}},
                    {}};
    const std::string svg = to_svg(plot);
    ASSERT_EQ(support::parse_xml(svg).error, "");
    EXPECT_EQ(svg.find("inf"), std::string::npos);
    const auto count = [](const std::string& text, const std::string& part) {
        int n = 0;
        for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
        return n;
    };
    EXPECT_EQ(count(svg, "class=\"failed\""), 1);
    const auto path = svg.find("stroke-linejoin=\"round\" d=\"");
    const std::string d = svg.substr(path + 27, svg.find('"', path + 27) - path - 27);
    EXPECT_EQ(std::count(d.begin(), d.end(), 'M'), 2) << d;
    EXPECT_EQ(std::count(d.begin(), d.end(), 'L'), 2) << d;
}

TEST(Svg, RegionFillsTheRightCells) {
    RegionMap map{"bounded", 4, 2, -2, 2, -1, 1, {0.5, 0.5, 2, NAN, 2, 2, 2, 0.5}, 1};
    const std::string svg = to_svg({"r", "Region", {"Re", Scale::linear, {}, {}}, {"Im", Scale::linear, {}, {}}, {}, map});
    ASSERT_EQ(support::parse_xml(svg).error, "");
    const auto path = svg.find("stroke-width=\"0.4\" d=\"");
    ASSERT_NE(path, std::string::npos);
    const std::string d = svg.substr(path + 22, svg.find('"', path + 22) - path - 22);
    EXPECT_EQ(std::count(d.begin(), d.end(), 'M'), 2) << d;  // two joined cells below, one above
    double x = 0, y = 0, w = 0, h = 0;
    ASSERT_EQ(std::sscanf(d.c_str(), "M%lf %lfh%lfv%lf", &x, &y, &w, &h), 4);
    EXPECT_NEAR(w, 2 * h, 0.05) << "two square cells";
}

}  // namespace
}  // namespace wobble
