#pragma once
// For tests of recordings: a folder of one's own, a body that moves, and the files of a recording read back.
#include "app/record/record_format.h"
#include "app/runs/simulation_group.h"
#include "tests/support/small_scene.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <regex>
#include <sstream>
#include <thread>

namespace wobble::support {

namespace fs = std::filesystem;

class RecordTest : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("wobble-record-" + std::to_string(getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override {
        fs::remove_all(folder_);
        EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child process was left behind";
    }
    fs::path script(const std::string& text) const {  // something that is not ffmpeg
        const fs::path file = folder_ / "pretender";
        std::ofstream(file) << "#!/bin/sh\n" << text << "\n";
        fs::permissions(file, fs::perms::owner_all);
        return file;
    }
    int files_in(const fs::path& folder) const {
        return static_cast<int>(std::distance(fs::directory_iterator(folder), fs::directory_iterator{}));
    }
    fs::path folder_;
};

// While it lives no file may grow beyond so many bytes, which fails like a full disk.
class SmallFiles {
public:
    explicit SmallFiles(rlim_t bytes) {
        getrlimit(RLIMIT_FSIZE, &before_);
        signal(SIGXFSZ, SIG_IGN);
        const rlimit small{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
    }
    ~SmallFiles() {
        setrlimit(RLIMIT_FSIZE, &before_);
        signal(SIGXFSZ, SIG_DFL);
    }
    SmallFiles(const SmallFiles&) = delete;
    SmallFiles& operator=(const SmallFiles&) = delete;

private:
    rlimit before_{};
};

inline std::string content(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

// False when it does not come true within a minute, which only ever ends a broken test.
inline bool wait_until(const std::function<bool()>& condition) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > give_up) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
}

inline int frames_in(const fs::path& film) {
    const std::string command = "ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 '" + film.string() + "'";
    std::FILE* pipe = popen(command.c_str(), "r");
    int count = -1;
    if (!pipe) return count;
    if (std::fscanf(pipe, "%d", &count) != 1) count = -1;
    pclose(pipe);
    return count;
}

struct Pvd {
    std::vector<double> times;
    std::vector<fs::path> files;
};
inline Pvd read_pvd(const fs::path& file) {
    static const std::regex line("<DataSet timestep=\"([^\"]*)\" part=\"0\" file=\"([^\"]*)\"/>");
    const std::string text = content(file);
    Pvd pvd;
    for (std::sregex_iterator it(text.begin(), text.end(), line), end; it != end; ++it) {
        pvd.times.push_back(std::stod((*it)[1]));
        pvd.files.push_back(file.parent_path() / (*it)[2].str());
    }
    return pvd;
}

struct Pc2 {
    std::string magic;
    std::int32_t version = 0, points = 0, samples = 0;
    float start = -1, rate = -1;
    std::vector<float> data;  // sample by sample, x y z of every point
};
inline Pc2 read_pc2(const fs::path& file) {
    const std::string bytes = content(file);
    Pc2 cache;
    if (bytes.size() < 32) return cache;
    cache.magic = bytes.substr(0, 12);
    std::memcpy(&cache.version, &bytes[12], 4), std::memcpy(&cache.points, &bytes[16], 4), std::memcpy(&cache.start, &bytes[20], 4);
    std::memcpy(&cache.rate, &bytes[24], 4), std::memcpy(&cache.samples, &bytes[28], 4);
    cache.data.resize((bytes.size() - 32) / 4);
    if (!cache.data.empty()) std::memcpy(cache.data.data(), &bytes[32], 4 * cache.data.size());
    return cache;
}

}  // namespace wobble::support
