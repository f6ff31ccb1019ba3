#include "engine/core/file.h"

#include "engine/core/spelling.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace wobble {

namespace fs = std::filesystem;

Result<void> check_readable(const fs::path& file, std::size_t max_bytes) {
    const std::string name = in_quotes(file.string());
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (status.type() == fs::file_type::not_found) return Error{"There is no file " + name + "; check the name and the folder."};
    if (error) return Error{"Cannot look at " + name + " (" + error.message() + ")."};
    if (fs::is_directory(status)) return Error{name + " is a folder; name a file in it."};
    if (!fs::is_regular_file(status))
        return Error{name + " is not an ordinary file but a pipe or device; save its content to a file first."};
    const std::uintmax_t size = fs::file_size(file, error);
    if (error) return Error{"Cannot look at " + name + " (" + error.message() + ")."};
    if (size == 0) return Error{name + " is empty; there is nothing to load."};
    if (size > max_bytes)
        return Error{name + " has " + std::to_string(size / 1'000'000) + " MB, more than the " + std::to_string(max_bytes / 1'000'000) +
                     " MB accepted here; make it smaller."};
    return {};
}

Result<std::string> read_file(const fs::path& file, std::size_t max_bytes) {
    if (auto readable = check_readable(file, max_bytes); !readable) return readable.error();
    const auto failure = [&] { return Error{"Cannot read " + in_quotes(file.string()) + " (" + std::strerror(errno) + ")."}; };
    // Non-blocking, in case a pipe took the file's place since it was checked.
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return failure();
    std::string text;
    char buffer[65536];
    while (text.size() <= max_bytes) {
        const ssize_t n = ::read(descriptor, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            const Error error = failure();
            ::close(descriptor);
            return error;
        }
        if (n == 0) break;
        text.append(buffer, static_cast<std::size_t>(n));
    }
    ::close(descriptor);
    if (text.size() > max_bytes) return Error{in_quotes(file.string()) + " grew while it was read; try again."};
    return text;
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
        descriptor = ::open(file.target_.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe nobody reads must not hang us
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
