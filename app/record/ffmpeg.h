#pragma once
// The program ffmpeg as a child that turns raw pictures into a film: MP4, or an animated GIF or WebP, as the file's ending says.
// Whatever it does (missing, dying, disk full, hanging) comes back as a sentence; it is always waited for.
#include "app/record/image.h"
#include "engine/core/result.h"

#include <sys/types.h>
#include <filesystem>
#include <stop_token>
#include <string>

namespace wobble {

class Ffmpeg {
public:
    // Width and height must be even for an MP4 (yuv420p halves them). `file` is overwritten.
    // `give_up`: when asked to stop, a child that keeps us waiting is killed at once instead of after minutes.
    static Result<Ffmpeg> start(const std::filesystem::path& file, int width, int height, int fps, const std::string& program = "ffmpeg",
                                std::stop_token give_up = {});
    Ffmpeg(Ffmpeg&&) noexcept;
    Ffmpeg& operator=(Ffmpeg&&) = delete;
    ~Ffmpeg();  // ends the film and waits, ignoring failures

    Result<void> add(const Image&);  // blocks while ffmpeg is busy
    Result<void> finish();           // no more pictures: waits until the file is complete

private:
    Ffmpeg(pid_t child, int to_child, int log, std::filesystem::path file, std::stop_token give_up);
    Error failure(const std::string& what);  // with the last thing ffmpeg said
    int wait();                              // its exit status; kills it when it does not end

    pid_t child_;   // 0: already waited for
    int to_child_;  // its standard input, a socket: a dead reader is an error code, not a signal; -1 when closed
    int log_;       // a file in memory with what it says
    int status_ = 0;
    std::filesystem::path file_;
    std::stop_token give_up_;
};

}  // namespace wobble
