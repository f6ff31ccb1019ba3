#include "app/record/numbered.h"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

namespace wobble {

namespace fs = std::filesystem;

namespace {

constexpr int last_number = 9999;

fs::path numbered(const fs::path& wanted, int number) {
    if (number == 1) return wanted;
    return wanted.parent_path() / (wanted.stem().string() + "-" + std::to_string(number) + wanted.extension().string());
}

Error cannot_create(const fs::path& path, const std::string& reason) {
    return {"Cannot create " + path.string() + ": " + reason + "; choose another place with --out."};
}

Error all_taken(const fs::path& wanted) {
    return {"All names from " + wanted.string() + " to " + numbered(wanted, last_number).string() +
            " are taken; choose another with --out."};
}

}  // namespace

Result<fs::path> reserve_file(const fs::path& wanted) {
    std::error_code failure;
    if (wanted.has_parent_path()) fs::create_directories(wanted.parent_path(), failure);
    if (failure) return cannot_create(wanted.parent_path(), failure.message());
    for (int number = 1; number <= last_number; ++number) {
        const fs::path path = numbered(wanted, number);
        const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0) return close(file), path;
        if (errno != EEXIST) return cannot_create(path, std::strerror(errno));
    }
    return all_taken(wanted);
}

Result<fs::path> reserve_folder(const fs::path& wanted_or_slash) {
    const fs::path wanted = wanted_or_slash.has_filename() ? wanted_or_slash : wanted_or_slash.parent_path();  // "frames/"
    std::error_code failure;
    if (fs::exists(wanted, failure) && !fs::is_directory(wanted, failure))
        return cannot_create(wanted, "a file of that name exists and is not a folder (a film's name ends in .mp4)");
    if (wanted.has_parent_path()) fs::create_directories(wanted.parent_path(), failure);
    if (failure) return cannot_create(wanted.parent_path(), failure.message());
    for (int number = 1; number <= last_number; ++number) {
        const fs::path path = numbered(wanted, number);
        if (fs::create_directory(path, failure)) return path;
        if (failure && failure != std::errc::file_exists) return cannot_create(path, failure.message());
        if (!fs::is_directory(path, failure)) continue;
        const bool empty = fs::is_empty(path, failure);
        if (failure) return cannot_create(path, failure.message());
        if (empty) return path;
    }
    return all_taken(wanted);
}

}  // namespace wobble
