// X.pc2 and X.obj; see motion_writer.h.
#include "app/record/motion_formats.h"
#include "app/record/unique_path.h"

#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>

namespace wobble {

namespace fs = std::filesystem;

namespace {

static_assert(std::endian::native == std::endian::little && sizeof(Vec3f) == 12, "samples are written as they lie in memory");

constexpr std::size_t head_bytes = 32, count_at = 28;

class Pc2Writer : public MotionWriter {
public:
    Pc2Writer(ReservedPair names, int file) : MotionWriter(names.file), mesh_(names.companion), file_(file) {}
    ~Pc2Writer() override {
        ::close(file_);
        if (frames_ > 0) return;
        std::error_code ignored;
        fs::remove(path_, ignored);
        fs::remove(mesh_, ignored);
    }

private:
    Result<void> begin(const Snapshot&) override {
        points_ = mesh().rest().size();
        auto written_mesh = write_whole(mesh_, obj_text(mesh(), mesh().rest(), "the body at rest, for " + path_.filename().string()));
        if (!written_mesh) return written_mesh.error();
        std::string head("POINTCACHE2\0", 12);
        const auto put = [&](auto value) { head.append(reinterpret_cast<const char*>(&value), sizeof value); };
        put(std::int32_t{1}), put(static_cast<std::int32_t>(points_)), put(0.0f), put(1.0f), put(std::int32_t{0});
        if (auto written = put_at(0, head.data(), head.size()); !written) return written;
        bytes_ = written_mesh.value() + head_bytes;
        return {};
    }

    Result<void> write(const Snapshot& shot) override {
        const std::size_t sample = points_ * sizeof(Vec3f);
        const std::size_t at = head_bytes + static_cast<std::size_t>(frames_) * sample;
        const std::vector<Vec3f> points = mesh().positions(shot);
        auto written = put_at(at, points.data(), sample);
        // The count grows with every sample: whatever happens to us, the file tells the truth.
        const std::int32_t count = frames_ + 1;
        if (written) written = put_at(count_at, &count, sizeof count);
        if (written) bytes_ += sample;
        else if (::ftruncate(file_, static_cast<off_t>(at)) != 0)
            return Error{written.message() + " The file ends in the middle of a frame."};
        return written;
    }

    Result<void> put_at(std::size_t at, const void* data, std::size_t size) {
        const char* from = static_cast<const char*>(data);
        while (size > 0) {
            const ssize_t put = ::pwrite(file_, from, size, static_cast<off_t>(at));
            if (put < 0 && errno == EINTR) continue;
            if (put <= 0)
                return Error{"Cannot write " + path_.string() + ": " + std::strerror(put < 0 ? errno : ENOSPC) +
                                 "; make room or choose another place.",
                             "out"};
            from += put, at += static_cast<std::size_t>(put), size -= static_cast<std::size_t>(put);
        }
        return {};
    }

    fs::path mesh_;
    int file_;
    std::size_t points_ = 0;
};

}  // namespace

Result<std::unique_ptr<MotionWriter>> open_pc2(const fs::path& out) {
    auto names = reserve_file_and_file(out, ".obj");
    if (!names) return names.error();
    const int file = ::open(names.value().file.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) return Error{"Cannot write " + names.value().file.string() + ": " + std::strerror(errno) + "."};
    return std::unique_ptr<MotionWriter>(std::make_unique<Pc2Writer>(names.value(), file));
}

}  // namespace wobble
