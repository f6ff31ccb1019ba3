#pragma once
// What a test saves and records goes into a folder of its own, which is gone afterwards.
#include <unistd.h>

#include <filesystem>
#include <string>

namespace wobble {

class OwnFolder {
public:
    explicit OwnFolder(const char* name)
        : before_(std::filesystem::current_path()),
          folder_(std::filesystem::temp_directory_path() / (std::string("wobble-") + name + "-" + std::to_string(getpid()))) {
        std::filesystem::create_directories(folder_);
        std::filesystem::current_path(folder_);
    }
    ~OwnFolder() {
        std::error_code ignored;
        std::filesystem::current_path(before_, ignored);
        std::filesystem::remove_all(folder_, ignored);
    }
    OwnFolder(const OwnFolder&) = delete;
    OwnFolder& operator=(const OwnFolder&) = delete;

    const std::filesystem::path& path() const { return folder_; }

private:
    std::filesystem::path before_, folder_;
};

}  // namespace wobble
