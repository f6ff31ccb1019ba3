#pragma once
// The plots as files: CSV of all samples of the open page, SVG and PNG of what is shown. Written in the background under numbered names.
#include "app/plots/plots_state.h"
#include "app/record/image.h"
#include "engine/core/result.h"
#include "engine/study/study.h"

#include <filesystem>
#include <functional>
#include <future>
#include <string>
#include <vector>

namespace wobble {

struct PlotTable {                     // copied from the history, to be written by another thread
    std::vector<std::string> columns;  // of the values, with units
    struct Part {
        std::string run;
        std::vector<double> t;
        std::vector<std::uint32_t> steps;  // a row stands for
        std::vector<std::vector<double>> values;
        std::vector<std::vector<float>> low, high;  // of merged rows; empty if every row is one step
    };
    std::vector<Part> parts;
};
PlotTable plot_table(const PlotsState&);  // of the open page: what its legend shows
std::string plot_csv(const PlotTable&);   // one line per row; numbers that read back as they were, empty where there is none
Plot plot_picture(const PlotsState&, const TimeRange& shown, int columns);  // for SVG

class PlotExporter {
public:
    ~PlotExporter();  // waits for a file being written

    // Once per frame, after everything is drawn; the picture of the whole window is asked for only when it is needed.
    void frame(PlotsState&, const std::function<Image()>& window_picture, float pixels_per_unit);
    void set_folder(std::filesystem::path folder) { folder_ = std::move(folder); }

private:
    void start(PlotsState&, std::function<Result<std::filesystem::path>()> job);

    std::filesystem::path folder_;
    std::future<Result<std::filesystem::path>> under_way_;
    int picture_in_ = 0;  // frames: menus and tooltips have to close first
};

}  // namespace wobble
