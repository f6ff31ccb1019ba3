#include "app/plots/plot_export.h"

#include "app/plots/plot_pages.h"
#include "app/record/unique_path.h"
#include "engine/core/file.h"
#include "engine/study/output/svg.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

namespace wobble {

namespace fs = std::filesystem;

namespace {

std::string file_name(const PlotsState& plots, const char* suffix) {
    static constexpr const char* names[] = {"energy", "drift", "work", "timing", "difference"};
    static_assert(std::size(names) == static_cast<std::size_t>(PlotPage::count));
    return std::string("wobble-") + names[static_cast<std::size_t>(plots.page)] + suffix;
}

Result<fs::path> write_text(const fs::path& wanted, const std::string& content) {
    auto path = reserve_file(wanted);
    if (!path) return path.error();
    const auto written = [&]() -> Result<void> {
        auto file = OutputFile::create(path.value());
        if (!file) return file.error();
        file.value().write(content);
        return file.value().commit();
    }();
    if (written) return path;
    std::error_code ignored;
    fs::remove(path.value(), ignored);  // the reserved name
    return written.error();
}

Result<fs::path> write_picture(const fs::path& wanted, const Image& image) {
    auto path = reserve_file(wanted);
    if (!path) return path.error();
    const auto written = write_png(image, path.value());
    if (written) return path;
    std::error_code ignored;
    fs::remove(path.value(), ignored);
    return written.error();
}

Image cut_out(const Image& whole, const PlotRect& rect, float pixels_per_unit) {
    const auto pixel = [&](float v, int most) { return std::clamp(static_cast<int>(std::lround(v * pixels_per_unit)), 0, most); };
    const int x0 = pixel(rect.x, whole.width), x1 = pixel(rect.x + rect.width, whole.width);
    const int y0 = pixel(rect.y, whole.height), y1 = pixel(rect.y + rect.height, whole.height);
    Image part(std::max(0, x1 - x0), std::max(0, y1 - y0));
    for (int y = 0; y < part.height; ++y) std::copy_n(whole.pixel(x0, y0 + y), 3 * static_cast<std::size_t>(part.width), part.row(y));
    return part;
}

template <class Number>
void put(std::string& out, Number value) {  // as few digits as read back to the same number
    if (!std::isfinite(value)) return;
    char text[32];
    out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

}  // namespace

PlotTable plot_table(const PlotsState& plots) {
    const PlotPageInfo& info = page_info(plots.page);
    PlotTable table;
    std::vector<const PlotQuantity*> quantities;
    for (int q = 0; q < static_cast<int>(info.quantities.size()); ++q)
        if (has_quantity(plots, q)) {
            quantities.push_back(&info.quantities[static_cast<std::size_t>(q)]);
            table.columns.push_back(std::string(quantities.back()->name) + (*info.unit ? std::string(" [") + info.unit + "]" : ""));
        }
    const auto add = [&](const RunHistory::Run& run, const std::string& name) {
        const SampleTrack& track = track_of(run, plots.page);
        if (track.empty()) return;
        PlotTable::Part part{name, track.times(), track.counts(), {}, {}, {}};
        const bool merged = std::ranges::any_of(part.steps, [](std::uint32_t n) { return n > 1; });
        const double factor = factor_of(run, plots.page);
        const auto scaled = [&](auto values) {
            if (factor != 1)
                for (auto& v : values) v = static_cast<std::decay_t<decltype(v)>>(factor * v);
            return values;
        };
        for (const PlotQuantity* quantity : quantities) {
            const int channel = channel_of(plots.page, *quantity);
            part.values.push_back(scaled(track.values(channel)));
            if (merged) part.low.push_back(scaled(track.lows(channel))), part.high.push_back(scaled(track.highs(channel)));
        }
        table.parts.push_back(std::move(part));
    };
    int number = 0;
    if (plots.earlier_runs && !comparing(plots))
        for (const RunHistory::Run& run : plots.history.earlier()) add(run, "earlier " + std::to_string(++number) + ": " + run.label());
    for (const RunHistory::Run& run : plots.history.runs())
        if (plots.page != PlotPage::difference || &run != &plots.history.runs().front()) add(run, run.label());
    return table;
}

std::string plot_csv(const PlotTable& table) {
    const bool merged = std::ranges::any_of(table.parts, [](const PlotTable::Part& part) { return !part.low.empty(); });
    std::string out = "run,t [s],steps";
    for (const std::string& column : table.columns) {
        out += "," + quoted(column);
        if (merged) out += "," + quoted(column + " lowest") + "," + quoted(column + " highest");
    }
    out += "\n";
    for (const PlotTable::Part& part : table.parts) {
        const std::string run = quoted(part.run);
        for (std::size_t i = 0; i < part.t.size(); ++i) {
            out += run + ",";
            put(out, part.t[i]);
            out += "," + std::to_string(part.steps[i]);
            for (std::size_t c = 0; c < part.values.size(); ++c) {
                out += ",";
                put(out, part.values[c][i]);
                if (!merged) continue;
                out += ",";
                if (part.low.empty()) put(out, part.values[c][i]);
                else put(out, part.low[c][i]);
                out += ",";
                if (part.high.empty()) put(out, part.values[c][i]);
                else put(out, part.high[c][i]);
            }
            out += "\n";
        }
    }
    return out;
}

Plot plot_picture(const PlotsState& plots, const TimeRange& shown, int columns) {
    const PlotPageInfo& info = page_info(plots.page);
    const bool logarithmic = page_view(plots).logarithmic;
    Plot plot{};
    plot.name = file_name(plots, "");
    plot.title = info.name;
    for (const RunHistory::Run& run : plots.history.runs())
        plot.title += (&run == &plots.history.runs().front() ? ": " : ", ") + run.label();
    plot.x = {"t [s]", Scale::linear, shown.low, shown.high};
    plot.y.label = std::string(info.title) + (*info.unit ? std::string(" [") + info.unit + "]" : "");
    plot.y.scale = logarithmic ? Scale::logarithmic : Scale::linear;
    if (const auto chosen = page_view(plots).values.chosen(logarithmic)) plot.y.low = chosen->low, plot.y.high = chosen->high;
    std::vector<TrackColumn> seen;
    for (const PlotLine& line : page_lines(plots)) {
        line.track->columns(line.channel, shown.low, std::min(shown.high, plots.paused ? plots.paused_at : shown.high),
                            shown.length() / std::max(1, columns), seen);
        Series series{line.label, {}, static_cast<int>(plot.series.size()), false};
        for (const TrackColumn& column : seen) {
            if (column.t < shown.low || column.t > shown.high) continue;
            const auto put = [&](double v) {
                series.points.emplace_back(column.t, logarithmic ? std::abs(line.factor * v) : line.factor * v);
            };
            if (line.mean || column.single || column.low == column.high) put(line.mean ? column.mean : column.high);
            else if (logarithmic && column.low < 0) put(std::max(-column.low, column.high));
            else put(column.low), put(column.high);
        }
        plot.series.push_back(std::move(series));
    }
    return plot;
}

PlotExporter::~PlotExporter() {
    if (under_way_.valid()) under_way_.wait();
}

void PlotExporter::start(PlotsState& plots, std::function<Result<fs::path>()> job) {
    plots.message.clear();
    under_way_ = std::async(std::launch::async, std::move(job));
}

void PlotExporter::frame(PlotsState& plots, const std::function<Image()>& window_picture, float pixels_per_unit) {
    if (under_way_.valid()) {
        if (under_way_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;  // wishes wait for their turn
        const Result<fs::path> written = under_way_.get();
        std::error_code failure;
        const fs::path full = written ? fs::absolute(written.value(), failure) : fs::path();
        plots.message = written ? "Saved as " + (failure ? written.value() : full).string() : written.message();
    }
    if (std::exchange(plots.export_png, false)) picture_in_ = 3;
    if (std::exchange(plots.export_csv, false)) {
        auto table = std::make_shared<const PlotTable>(plot_table(plots));
        start(plots, [table, path = folder_ / file_name(plots, ".csv")] { return write_text(path, plot_csv(*table)); });
    } else if (std::exchange(plots.export_svg, false)) {
        auto plot = std::make_shared<const Plot>(plot_picture(plots, plots.shown, 1200));
        start(plots, [plot, path = folder_ / file_name(plots, ".svg")] { return write_text(path, to_svg(*plot)); });
    } else if (picture_in_ > 0 && --picture_in_ == 0) {
        auto image = std::make_shared<const Image>(cut_out(window_picture(), plots.rect, pixels_per_unit));
        if (image->width < 1 || image->height < 1) plots.message = "The plots are not to be seen: show the panels with Tab first.";
        else start(plots, [image, path = folder_ / file_name(plots, ".png")] { return write_picture(path, *image); });
    }
    plots.exporting = under_way_.valid() || picture_in_ > 0;
}

}  // namespace wobble
