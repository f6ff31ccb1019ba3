#pragma once
// Writing several files into one folder: all of them, or a sentence that says what happened and what is there.
#include "engine/core/file.h"

#include <functional>
#include <string>
#include <vector>

namespace wobble {

struct FileToWrite {
    std::string name;  // inside the folder
    std::function<void(OutputFile&)> write;
};

// Makes the folder if it is missing (its parent must exist or be makeable). Refuses with a sentence that names it.
Result<void> make_folder(const std::filesystem::path&);

// Every file is opened before the first is written. After a failure nothing new is left, except files that were already complete;
// the sentence names those.
Result<void> write_files(const std::filesystem::path& folder, const std::vector<FileToWrite>&);

}  // namespace wobble
