#include "engine/core/folder.h"

#include "engine/core/spelling.h"

namespace wobble {

namespace fs = std::filesystem;

Result<void> make_folder(const fs::path& folder) {
    if (folder.empty()) return Error{"The name of the folder to write to is empty; name one."};
    std::error_code failure;
    const fs::file_status status = fs::status(folder, failure);
    if (fs::is_directory(status)) return {};
    const std::string name = in_quotes(folder.string());
    if (fs::exists(status)) return Error{name + " is a file, not a folder; name a folder to write to, or move the file away."};
    failure.clear();
    fs::create_directories(folder, failure);
    if (failure) return Error{"Cannot make the folder " + name + " (" + failure.message() + "); choose another place."};
    return {};
}

Result<void> write_files(const fs::path& folder, const std::vector<FileToWrite>& files) {
    std::error_code ignored;
    const bool was_there = fs::exists(folder, ignored);
    if (auto made = make_folder(folder); !made) return made;
    std::vector<std::string> complete;
    const auto give_up = [&](const std::string& why) {
        if (complete.empty() && !was_there) fs::remove(folder, ignored);  // only if empty
        return Error{complete.empty() ? why : why + " Already complete in " + in_quotes(folder.string()) + ": " + join(complete) + "."};
    };
    const auto write_all = [&]() -> Result<void> {
        std::vector<OutputFile> open;
        for (const FileToWrite& file : files) {
            auto created = OutputFile::create(folder / file.name);
            if (!created) return created.error();
            open.push_back(std::move(created).value());
        }
        for (std::size_t i = 0; i < files.size(); ++i) {
            files[i].write(open[i]);
            if (open[i].failed()) return open[i].commit();  // tells why
        }
        for (std::size_t i = 0; i < files.size(); ++i) {
            if (auto written = open[i].commit(); !written) return written;
            complete.push_back(files[i].name);
        }
        return {};
    };
    if (auto written = write_all(); !written) return give_up(written.message());
    return {};
}

}  // namespace wobble
