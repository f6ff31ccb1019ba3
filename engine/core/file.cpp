#include "engine/core/file.h"

#include "engine/core/spelling.h"
#include "engine/core/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace wobble {

namespace fs = std::filesystem;

namespace {

struct Opened {
    int descriptor;
    std::size_t size;
};

// Judges what was opened, not what had the name a moment ago.
Result<Opened> open_ordinary(const fs::path& file, std::size_t max_bytes) {
    const std::string name = in_quotes(file.string());
    // O_NONBLOCK: opening a pipe without a writer must not wait for one.
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) {
        if (errno == ENOENT) return Error{text("There is no file ", name, "; check the name and the folder.")};
        return Error{text("Cannot open ", name, " (", std::strerror(errno), "); check its permissions.")};
    }
    const auto refuse = [&](const std::string& sentence) { return ::close(descriptor), Error{sentence}; };
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) return refuse(text("Cannot examine ", name, " (", std::strerror(errno), ")."));
    if (S_ISDIR(status.st_mode)) return refuse(text(name, " is a folder; name a file inside it."));
    if (!S_ISREG(status.st_mode)) return refuse(text(name, " is not a regular file but a pipe or device; name a file on disk."));
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size == 0) return refuse(text(name, " is empty; give a file with content."));
    if (size > max_bytes)
        return refuse(
            text(name, " has ", size / 1'000'000, " MB, more than the limit of ", max_bytes / 1'000'000, " MB; give a smaller one."));
    return Opened{descriptor, size};
}

}  // namespace

Result<void> check_readable(const fs::path& file, std::size_t max_bytes) {
    const auto opened = open_ordinary(file, max_bytes);
    if (!opened) return opened.error();
    ::close(opened.value().descriptor);
    return {};
}

Result<std::string> read_file(const fs::path& file, std::size_t max_bytes) {
    const auto opened = open_ordinary(file, max_bytes);
    if (!opened) return opened.error();
    struct Closer {
        int descriptor;
        ~Closer() { ::close(descriptor); }
    } closer{opened.value().descriptor};

    std::string content(opened.value().size, '\0');
    std::size_t have = 0;
    while (have < content.size()) {
        const ssize_t got = ::read(closer.descriptor, content.data() + have, content.size() - have);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return Error{text("Cannot read ", in_quotes(file.string()), " (", std::strerror(errno), "); check the disk.")};
        if (got == 0) break;  // it shrank meanwhile
        have += static_cast<std::size_t>(got);
    }
    content.resize(have);
    return content;
}

Result<OutputFile> OutputFile::create(const fs::path& wanted) {
    const auto refuse = [&](const std::string& why) { return Error{"Cannot write " + in_quotes(wanted.string()) + " (" + why + ")."}; };
    OutputFile file;
    std::error_code error;
    const fs::file_status status = fs::status(wanted, error);
    if (wanted.empty()) return Error{"A file name to write to is empty; name a file."};
    if (fs::is_directory(status)) return Error{in_quotes(wanted.string()) + " is a folder; name a file to write."};
    // A link is followed: what it points to is replaced, not the link.
    file.target_ = fs::exists(status) ? fs::canonical(wanted, error) : wanted;
    if (error && fs::exists(status)) return refuse(error.message());
    int descriptor = -1;
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        descriptor = ::open(file.target_.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);  // opening a pipe without a reader must not block
    } else {
        file.temporary_ = file.target_;
        file.temporary_ += ".part" + std::to_string(::getpid());
        descriptor = ::open(file.temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    }
    if (descriptor < 0) {
        const std::string why = std::strerror(errno);
        file.temporary_.clear();
        return refuse(why);
    }
    if (file.temporary_.empty()) ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    file.stream_ = ::fdopen(descriptor, "w");
    if (!file.stream_) {
        ::close(descriptor);
        return refuse("out of memory");
    }
    return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : stream_(std::exchange(other.stream_, nullptr)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      failed_(other.failed_),
      error_(other.error_) {}

OutputFile::~OutputFile() {
    if (stream_) std::fclose(stream_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view text) {
    if (failed_ || !stream_) return;
    if (std::fwrite(text.data(), 1, text.size(), stream_) != text.size()) failed_ = true, error_ = errno;
}

bool OutputFile::lacks_room() const { return failed_ && (error_ == ENOSPC || error_ == EDQUOT || error_ == EFBIG); }

Result<void> OutputFile::commit() {
    if (stream_ && std::fclose(std::exchange(stream_, nullptr)) != 0 && !failed_) failed_ = true, error_ = errno;
    if (!failed_ && !temporary_.empty() && std::rename(temporary_.c_str(), target_.c_str()) != 0) failed_ = true, error_ = errno;
    if (failed_)
        return Error{"Writing " + in_quotes(target_.string()) + " failed (" + std::strerror(error_) +
                     "); make room or choose another place."};
    temporary_.clear();
    return {};
}

}  // namespace wobble
