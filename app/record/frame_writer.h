#pragma once
// Where the pictures of a film go: an MP4, GIF or WebP file through ffmpeg, or a folder of frame_000000.png.
#include "app/record/ffmpeg.h"
#include "app/record/image.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

namespace wobble {

class FrameWriter {
public:
    // `out` ending in .mp4 (sides must be even), .gif or .webp is a film, everything else a folder. Never overwrites: path() is the name
    // really taken. `give_up`: when asked to stop, an ffmpeg that keeps us waiting is ended.
    static Result<FrameWriter> open(const std::filesystem::path& out, int width, int height, int fps, const std::string& ffmpeg = "ffmpeg",
                                    std::stop_token give_up = {});
    FrameWriter(FrameWriter&&) noexcept;
    FrameWriter& operator=(FrameWriter&&) = delete;
    ~FrameWriter();  // without a picture: nothing is left of it

    Result<void> add(const Image&);
    Result<void> finish();  // once, after the last picture; what a failed ffmpeg left is removed
    int frames() const { return frames_; }
    std::uint64_t bytes() const;  // on disk so far
    const std::filesystem::path& path() const { return path_; }

private:
    FrameWriter(std::filesystem::path path, bool ours, std::optional<Ffmpeg> film)
        : path_(std::move(path)), ours_(ours), film_(std::move(film)) {}
    void remove_broken() const;

    std::filesystem::path path_;
    bool ours_;  // made by us, not an empty folder that was there; false in a moved-from one
    std::optional<Ffmpeg> film_;
    int frames_ = 0;
    std::uint64_t pictures_ = 0;  // bytes
};

}  // namespace wobble
