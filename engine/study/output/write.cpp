#include "engine/study/output/write.h"

#include "engine/core/folder.h"
#include "engine/study/output/svg.h"
#include "engine/study/output/table_text.h"

namespace wobble {

Result<std::vector<std::string>> write_study(const StudyResult& result, const std::filesystem::path& folder) {
    std::vector<FileToWrite> files;
    std::vector<std::string> names;
    for (const Table& table : result.tables)
        files.push_back({table.name + ".csv", [&table](OutputFile& file) { file.write(to_csv(table)); }});
    for (const Plot& plot : result.plots) files.push_back({plot.name + ".svg", [&plot](OutputFile& file) { file.write(to_svg(plot)); }});
    for (const FileToWrite& file : files) names.push_back(file.name);
    if (auto written = write_files(folder, files); !written) return written.error();
    return names;
}

}  // namespace wobble
