// Films and frames: exact counts, names that never overwrite, and failures of disk and ffmpeg as sentences.
#include "app/record/film.h"
#include "app/record/frame_writer.h"
#include "app/record/image.h"
#include "app/record/unique_path.h"
#include "tests/app/record_support.h"
#include "tests/app/wobbling_torus.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace wobble {
namespace {

namespace fs = std::filesystem;

class Film : public support::RecordTest {
protected:
    FilmOptions small(const std::string& name, double seconds = 1) const {
        FilmOptions options;
        options.width = 160;
        options.height = 120;
        options.fps = 12;
        options.seconds = seconds;
        options.out = folder_ / name;
        return options;
    }
};

Result<Snapshot> torus_at(double t) { return wobbling_torus(t, 48, 24); }

int frames_in(const fs::path& film) {
    const std::string command = "ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 '" + film.string() + "'";
    std::FILE* pipe = popen(command.c_str(), "r");
    int count = -1;
    if (!pipe) return count;
    if (std::fscanf(pipe, "%d", &count) != 1) count = -1;
    pclose(pipe);
    return count;
}

TEST_F(Film, OneSecondHasExactlyFpsFrames) {
    std::vector<double> times;
    const auto source = [&](double t) { return times.push_back(t), torus_at(t); };
    const auto report = record_film(source, small("film.mp4"));
    ASSERT_TRUE(report) << report.message();
    EXPECT_EQ(report.value().frames, 12);
    EXPECT_EQ(frames_in(report.value().path), 12);
    ASSERT_EQ(times.size(), 12u);
    for (int k = 0; k < 12; ++k) EXPECT_EQ(times[k], k / 12.0);  // no drift by adding
}

TEST_F(Film, FramesAreNumberedPicturesThatMove) {
    const auto report = record_film(torus_at, small("frames", 0.5));
    ASSERT_TRUE(report) << report.message();
    EXPECT_EQ(report.value().frames, 6);
    EXPECT_EQ(std::distance(fs::directory_iterator(report.value().path), fs::directory_iterator{}), 6);
    const auto first = read_png(report.value().path / "frame_000000.png"), later = read_png(report.value().path / "frame_000003.png");
    ASSERT_TRUE(first) << first.message();
    ASSERT_TRUE(later) << later.message();
    EXPECT_EQ(first.value().width, 160);
    EXPECT_EQ(first.value().height, 120);
    EXPECT_NE(first.value().rgb, later.value().rgb);
}

TEST_F(Film, NothingIsOverwritten) {
    std::ofstream(folder_ / "film.mp4") << "precious";
    fs::create_directories(folder_ / "frames");
    std::ofstream(folder_ / "frames" / "frame_000000.png") << "precious";
    const auto film = record_film(torus_at, small("film.mp4", 0.25)), frames = record_film(torus_at, small("frames/", 0.25));
    ASSERT_TRUE(film) << film.message();
    ASSERT_TRUE(frames) << frames.message();
    EXPECT_EQ(film.value().path, folder_ / "film-2.mp4");
    EXPECT_EQ(frames.value().path, folder_ / "frames-2");
    EXPECT_EQ(fs::file_size(folder_ / "film.mp4"), 8u);
    EXPECT_EQ(fs::file_size(folder_ / "frames" / "frame_000000.png"), 8u);
}

TEST_F(Film, WhatCannotBeIsSaid) {
    FilmOptions odd = small("film.mp4"), tiny = small("film.mp4"), endless = small("film.mp4"), slow = small("film.mp4");
    odd.width = 161;
    tiny.height = 2;
    endless.seconds = std::numeric_limits<double>::infinity();
    slow.fps = 0;
    for (const auto& [options, word] : {std::pair{odd, "even"}, {tiny, "160x2"}, {endless, "at most"}, {slow, "1 to"}}) {
        const auto report = record_film(torus_at, options);
        ASSERT_FALSE(report);
        EXPECT_NE(report.message().find(word), std::string::npos) << report.message();
    }
    EXPECT_TRUE(fs::is_empty(folder_));
    EXPECT_STREQ(record_film(torus_at, endless).error().value, "seconds");
    EXPECT_STREQ(record_film(torus_at, slow).error().value, "fps");
    EXPECT_STREQ(record_film(torus_at, odd).error().value, "size");
}

TEST_F(Film, AMissingFfmpegIsSaid) {
    FilmOptions options = small("film.mp4");
    options.ffmpeg = "no-such-ffmpeg";
    const auto report = record_film(torus_at, options);
    ASSERT_FALSE(report);
    EXPECT_NE(report.message().find("no-such-ffmpeg was not found"), std::string::npos) << report.message();
    EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Film, ADyingFfmpegIsSaidWithItsLastWords) {
    FilmOptions options = small("film.mp4", 5);
    options.ffmpeg = script("head -c 100000 > /dev/null; echo out of luck >&2; exit 3");
    const auto report = record_film(torus_at, options);
    ASSERT_FALSE(report);  // and no SIGPIPE
    EXPECT_NE(report.message().find("out of luck"), std::string::npos) << report.message();
    options.ffmpeg = script("kill -9 $$");
    const auto killed = record_film(torus_at, options);
    ASSERT_FALSE(killed);
}

TEST_F(Film, AFullDiskIsSaid) {
    const Image image(64, 48);
    const auto png = write_png(image, "/dev/full");
    ASSERT_FALSE(png);
    EXPECT_NE(png.message().find("No space left"), std::string::npos) << png.message();
    auto film = Ffmpeg::start("/dev/full", 64, 48, 10);
    ASSERT_TRUE(film) << film.message();
    Result<void> done;
    for (int i = 0; i < 20 && done; ++i) done = film.value().add(image);
    if (done) done = film.value().finish();
    ASSERT_FALSE(done);
    EXPECT_NE(done.message().find("/dev/full"), std::string::npos) << done.message();
}

TEST_F(Film, AnUnusablePlaceIsSaid) {
    for (const char* place : {"/proc/film.mp4", "/proc/frames", "/dev/null/film.mp4", "/dev/full"}) {
        FilmOptions options = small("x");
        options.out = place;
        const auto report = record_film(torus_at, options);
        ASSERT_FALSE(report) << place;
        EXPECT_STREQ(report.error().value, "out") << report.message();
    }
}

TEST_F(Film, WhatWasFilmedBeforeAFailureIsKept) {
    const auto source = [](double t) -> Result<Snapshot> {
        if (t > 0.4) return Error{"verlet at h = 20 ms diverged at t = 0.41 s; try 10 ms."};
        return torus_at(t);
    };
    const auto report = record_film(source, small("film.mp4"));
    ASSERT_FALSE(report);
    EXPECT_NE(report.message().find("diverged at t = 0.41 s"), std::string::npos) << report.message();
    EXPECT_NE(report.message().find((folder_ / "film.mp4").string()), std::string::npos) << report.message();
    EXPECT_EQ(frames_in(folder_ / "film.mp4"), 5);  // 0, 1/12, ... 4/12
}

TEST_F(Film, CancellingKeepsWhatIsThere) {
    const auto report = record_film(torus_at, small("film.mp4"), [](std::string_view, double fraction) { return fraction < 0.3; });
    ASSERT_TRUE(report) << report.message();
    EXPECT_TRUE(report.value().cancelled);
    EXPECT_EQ(frames_in(report.value().path), report.value().frames);
    EXPECT_LT(report.value().frames, 12);
}

TEST_F(Film, PngComesBackAsItWas) {
    Image image(31, 17);
    for (std::size_t i = 0; i < image.rgb.size(); ++i) image.rgb[i] = std::uint8_t(i * 7 + i / 31);
    ASSERT_TRUE(write_png(image, folder_ / "x.png"));
    const auto back = read_png(folder_ / "x.png");
    ASSERT_TRUE(back) << back.message();
    EXPECT_EQ(back.value().rgb, image.rgb);
    std::ofstream(folder_ / "bad.png") << "not a picture";
    EXPECT_FALSE(read_png(folder_ / "bad.png"));
}

}  // namespace
}  // namespace wobble
