#include "app/record/unique_path.h"

#include <fcntl.h>
#include <sys/stat.h>
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
    return {"Cannot create " + path.string() + ": " + reason + "; choose another place.", "out"};
}

// 0: taken by us; else why not, EEXIST if it exists.
int take_file(const fs::path& path) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return file >= 0 ? close(file), 0 : errno;
}

Error all_taken(const fs::path& wanted) {
    return {"All names from " + wanted.string() + " to " + numbered(wanted, last_number).string() + " are taken; choose another.", "out"};
}

}  // namespace

Result<fs::path> reserve_file(const fs::path& wanted) {
    std::error_code failure;
    if (wanted.has_parent_path()) fs::create_directories(wanted.parent_path(), failure);
    if (failure) return cannot_create(wanted.parent_path(), failure.message());
    for (int number = 1; number <= last_number; ++number) {
        const fs::path path = numbered(wanted, number);
        const int reason = take_file(path);
        if (reason == 0) return path;
        if (reason != EEXIST) return cannot_create(path, std::strerror(reason));
    }
    return all_taken(wanted);
}

namespace {

template <class Take>
Result<ReservedPair> reserve_pair(const fs::path& wanted, const std::string& suffix, Take&& take_companion) {
    std::error_code failure;
    if (wanted.has_parent_path()) fs::create_directories(wanted.parent_path(), failure);
    if (failure) return cannot_create(wanted.parent_path(), failure.message());
    for (int number = 1; number <= last_number; ++number) {
        const fs::path path = numbered(wanted, number), companion = fs::path(path).replace_extension(suffix);
        int reason = take_file(path);
        if (reason == EEXIST) continue;
        if (reason != 0) return cannot_create(path, std::strerror(reason));
        reason = take_companion(companion);
        if (reason == 0) return ReservedPair{path, companion};
        fs::remove(path, failure);
        if (reason != EEXIST) return cannot_create(companion, std::strerror(reason));
    }
    return all_taken(wanted);
}

}  // namespace

Result<ReservedPair> reserve_file_and_file(const fs::path& wanted, const std::string& companion_suffix) {
    return reserve_pair(wanted, companion_suffix, take_file);
}

Result<ReservedPair> reserve_file_and_folder(const fs::path& wanted) {
    return reserve_pair(wanted, "", [](const fs::path& folder) { return mkdir(folder.c_str(), 0777) == 0 ? 0 : errno; });
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
