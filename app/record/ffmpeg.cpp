#include "app/record/ffmpeg.h"

#include "engine/core/child_process.h"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <thread>
#include <utility>
#include <vector>

extern char** environ;  // POSIX names it so

namespace wobble {

namespace {

constexpr int patience_seconds = 120;  // for one picture or for the end of the file

pid_t spawn(const std::vector<std::string>& words, int input, int log, int& reason) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, 0);
    posix_spawn_file_actions_adddup2(&actions, log, 1);
    posix_spawn_file_actions_adddup2(&actions, log, 2);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // Ctrl-C ends us, not it: it completes the file at the end of its input
    pid_t child = 0;
    reason = posix_spawnp(&child, words[0].c_str(), &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return reason == 0 ? child : 0;
}

std::string tail(int log) {
    std::array<char, 400> text{};
    const off_t size = lseek(log, 0, SEEK_END);
    const off_t from = size > static_cast<off_t>(text.size()) ? size - static_cast<off_t>(text.size()) : 0;
    const ssize_t count = size > 0 ? pread(log, text.data(), text.size(), from) : 0;
    std::string said(text.data(), static_cast<std::size_t>(count > 0 ? count : 0));
    for (char& c : said)
        if (c == '\n' || c == '\r') c = ' ';
    while (!said.empty() && said.back() == ' ') said.pop_back();
    return said;
}

// Whether the boxes of an MP4 file (32 bits of size, four letters; size 1: 64 bits follow) fill it to its end, with the index among them.
bool complete_mp4(const std::filesystem::path& path) {
    std::error_code failure;
    const std::uint64_t size = std::filesystem::file_size(path, failure);
    std::ifstream file(path, std::ios::binary);
    bool index = false;
    std::uint64_t at = 0;
    while (!failure && at < size) {
        std::array<unsigned char, 16> head{};
        file.seekg(static_cast<std::streamoff>(at));
        if (!file.read(reinterpret_cast<char*>(head.data()), size - at < 16 ? 8 : 16)) return false;
        const auto big_endian = [&](std::size_t from, std::size_t count) {
            std::uint64_t value = 0;
            for (std::size_t i = 0; i < count; ++i) value = value << 8 | head[from + i];
            return value;
        };
        const std::uint64_t length = big_endian(0, 4) == 1 ? big_endian(8, 8) : big_endian(0, 4);
        if (length < 8 || length > size - at) return false;
        index = index || std::memcmp(&head[4], "moov", 4) == 0;
        at += length;
    }
    return !failure && index;
}

std::string last_bytes(const std::filesystem::path& path, std::size_t count, bool from_start) {
    std::ifstream file(path, std::ios::binary);
    if (!from_start) file.seekg(-static_cast<std::streamoff>(count), std::ios::end);
    std::string bytes(count, '\0');
    return file.read(bytes.data(), static_cast<std::streamsize>(count)) ? bytes : "";
}

bool complete_gif(const std::filesystem::path& path) {
    return last_bytes(path, 4, true) == "GIF8" && last_bytes(path, 1, false) == ";";  // its end is marked
}

bool complete_webp(const std::filesystem::path& path) {  // RIFF, the size of what follows, WEBP
    const std::string head = last_bytes(path, 12, true);
    std::error_code failure;
    const std::uint64_t size = std::filesystem::file_size(path, failure);
    if (failure || head.size() != 12 || head.substr(0, 4) != "RIFF" || head.substr(8) != "WEBP") return false;
    std::uint64_t said = 0;
    for (std::size_t k = 0; k < 4; ++k) said |= static_cast<std::uint64_t>(static_cast<unsigned char>(head[4 + k])) << (8 * k);
    return said + 8 == size;
}

// What ffmpeg is told for a file of this ending, what it must be able to do for it, and how a whole file is known.
struct Kind {
    const char* ending;
    const char* encoder;  // null: not asked for, every ffmpeg of Debian has it
    std::vector<const char*> arguments;
    bool (*complete)(const std::filesystem::path&);
};

const Kind& kind_of(const std::filesystem::path& file) {
    static const Kind kinds[] = {
        {".mp4",
         nullptr,
         {"-c:v",        "libx264",   "-preset",          "medium", "-crf",
          "18",          "-pix_fmt",  "yuv420p",          "-vf",    "scale=out_color_matrix=bt709:out_range=tv",
          "-colorspace", "bt709",     "-color_primaries", "bt709",  "-color_trc",
          "bt709",       "-movflags", "+faststart",       "-f",     "mp4"},
         complete_mp4},
        // A palette for each picture: one for all would keep the whole film in memory until its end.
        {".gif",
         "gif",
         {"-filter_complex", "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=sierra2_4a", "-loop", "0", "-f",
          "gif"},
         complete_gif},
        {".webp", "libwebp_anim", {"-c:v", "libwebp_anim", "-quality", "85", "-loop", "0", "-f", "webp"}, complete_webp},
    };
    for (const Kind& kind : kinds)
        if (file.extension() == kind.ending) return kind;
    return kinds[0];
}

// An ffmpeg may be built without it.
Result<void> check_encoder(const Kind& kind, const std::string& program, const std::filesystem::path& file) {
    if (!kind.encoder) return {};
    ChildLimits limits;
    limits.timeout_seconds = 20, limits.output_bytes = 1 << 20;
    auto child = ChildProcess::start(program, {"-hide_banner", "-encoders"}, limits);
    if (!child) return {};  // said better by what comes next
    const ChildOutcome outcome = child.value().finish();
    if (outcome.fine() && outcome.output.find(std::string(" ") + kind.encoder + " ") != std::string::npos) return {};
    return Error{"The program " + program + " cannot write " + file.filename().string() + ", it has no encoder " + kind.encoder +
                 "; record an .mp4 instead."};
}

std::string how_it_ended(int status) {
    if (WIFSIGNALED(status)) return "ffmpeg was killed by signal " + std::to_string(WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ? "ffmpeg ended early" : "ffmpeg ended with code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

Ffmpeg::Ffmpeg(pid_t child, int to_child, int log, std::filesystem::path file, std::stop_token give_up)
    : child_(child), to_child_(to_child), log_(log), file_(std::move(file)), give_up_(std::move(give_up)) {}

Ffmpeg::Ffmpeg(Ffmpeg&& other) noexcept
    : child_(std::exchange(other.child_, 0)),
      to_child_(std::exchange(other.to_child_, -1)),
      log_(std::exchange(other.log_, -1)),
      status_(other.status_),
      file_(std::move(other.file_)),
      give_up_(std::move(other.give_up_)) {}

Ffmpeg::~Ffmpeg() {
    wait();
    if (log_ >= 0) close(log_);
}

Result<Ffmpeg> Ffmpeg::start(const std::filesystem::path& file, int width, int height, int fps, const std::string& program,
                             std::stop_token give_up) {
    if (auto able = check_encoder(kind_of(file), program, file); !able) return able.error();
    int ends[2];
    const int log = memfd_create("ffmpeg-messages", MFD_CLOEXEC);
    if (log < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        const std::string reason = std::strerror(errno);
        if (log >= 0) close(log);
        return Error{"Cannot open a connection to " + program + ": " + reason + "."};
    }
    const timeval patience{0, 200'000};  // between checks for cancellation
    setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    const std::string size = std::to_string(width) + "x" + std::to_string(height);
    // An absolute path with the protocol in front: no name can be taken for an option or a network address.
    const std::string to = "file:" + std::filesystem::absolute(file).string();
    int reason = 0;
    std::vector<std::string> words{program, "-hide_banner", "-loglevel",         "error", "-y",
                                   "-f",    "rawvideo",     "-pixel_format",     "rgb24", "-video_size",
                                   size,    "-framerate",   std::to_string(fps), "-i",    "pipe:0"};
    for (const char* word : kind_of(file).arguments) words.push_back(word);
    words.push_back(to);
    const pid_t child = spawn(words, ends[1], log, reason);
    close(ends[1]);
    if (child == 0) {
        close(ends[0]);
        close(log);
        if (reason == ENOENT)
            return Error{"The program " + program + " was not found, so " + file.string() +
                         " cannot be made; install the package ffmpeg, or record a folder of PNG pictures instead."};
        return Error{"Cannot start " + program + ": " + std::strerror(reason) + "."};
    }
    return Ffmpeg(child, ends[0], log, file, std::move(give_up));
}

int Ffmpeg::wait() {
    if (to_child_ >= 0) close(std::exchange(to_child_, -1));
    if (child_ == 0) return status_;
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(patience_seconds);
    while (true) {
        const pid_t ended = waitpid(child_, &status_, WNOHANG);
        if (ended == child_ || (ended < 0 && errno != EINTR)) break;
        if (std::chrono::steady_clock::now() > give_up || give_up_.stop_requested()) kill(child_, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    child_ = 0;
    return status_;
}

Error Ffmpeg::failure(const std::string& what) {
    wait();
    const std::string said = tail(log_);
    return {"Cannot write " + file_.string() + ": " + what + (said.empty() ? "" : ", saying \"" + said + "\"") +
            "; check the free space, or record to a folder of PNG pictures."};
}

Result<void> Ffmpeg::add(const Image& image) {
    if (to_child_ < 0) return failure("ffmpeg has already ended");
    const std::uint8_t* data = image.rgb.data();
    std::size_t left = image.rgb.size();
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(patience_seconds);
    while (left > 0) {
        const ssize_t sent = send(to_child_, data, left, MSG_NOSIGNAL);
        if (sent > 0) {
            data += sent;
            left -= static_cast<std::size_t>(sent);
        } else if (errno == EAGAIN) {
            if (std::chrono::steady_clock::now() < give_up && !give_up_.stop_requested()) continue;
            kill(child_, SIGKILL);
            return failure("ffmpeg does not take pictures any more");
        } else if (errno != EINTR) return failure(how_it_ended(wait()));
    }
    return {};
}

Result<void> Ffmpeg::finish() {
    const int status = wait();
    const bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!good) return failure(how_it_ended(status));
    if (kind_of(file_).complete(file_)) return {};  // where the disk is full ffmpeg complains and ends with code 0
    return failure("ffmpeg left it without its end");
}

}  // namespace wobble
