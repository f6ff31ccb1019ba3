#include "engine/core/file.h"

#include "engine/core/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace wobble {

Result<std::string> read_file(const std::filesystem::path& file, std::size_t limit) {
    const std::string name = file.string();
    // O_NONBLOCK: opening a fifo without a writer must not wait for one.
    const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) {
        if (errno == ENOENT) return Error{text("There is no file ", name, "; check the name and the folder.")};
        return Error{text("Cannot open ", name, " (", std::strerror(errno), "); check its permissions.")};
    }
    struct Closer {
        int descriptor;
        ~Closer() { close(descriptor); }
    } closer{descriptor};

    struct stat status {};
    if (fstat(descriptor, &status) != 0) return Error{text("Cannot examine ", name, " (", std::strerror(errno), ").")};
    if (S_ISDIR(status.st_mode)) return Error{text(name, " is a folder; name a file inside it.")};
    if (!S_ISREG(status.st_mode)) return Error{text(name, " is not a regular file; name a file on disk.")};
    const double mega = 1 << 20;
    if (static_cast<std::size_t>(status.st_size) > limit)
        return Error{text(name, " has ", static_cast<long>(static_cast<double>(status.st_size) / mega), " MB, more than the limit of ",
                          static_cast<long>(static_cast<double>(limit) / mega), " MB; give a smaller one.")};

    std::string content(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t have = 0;
    while (have < content.size()) {
        const ssize_t got = read(descriptor, content.data() + have, content.size() - have);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return Error{text("Cannot read ", name, " (", std::strerror(errno), "); check the disk.")};
        if (got == 0) break;  // it shrank meanwhile
        have += static_cast<std::size_t>(got);
    }
    content.resize(have);
    if (content.empty()) return Error{text(name, " is empty; give a file with content.")};
    return content;
}

}  // namespace wobble
