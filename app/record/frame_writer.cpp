#include "app/record/frame_writer.h"

#include "app/record/unique_path.h"

#include <cstdio>
#include <system_error>
#include <utility>

namespace wobble {

namespace fs = std::filesystem;

Result<FrameWriter> FrameWriter::open(const fs::path& out, int width, int height, int fps, const std::string& ffmpeg,
                                      std::stop_token give_up) {
    if (out.empty()) return Error{"There is no name to record to; give one ending in .mp4, .gif or .webp, or a folder.", "out"};
    const std::string ending = out.extension().string();
    if (ending != ".mp4" && ending != ".gif" && ending != ".webp") {
        std::error_code ignored;
        const bool was_there = fs::is_directory(out, ignored);
        auto folder = reserve_folder(out);
        if (!folder) return folder.error();
        const bool taken_over = was_there && fs::equivalent(out, folder.value(), ignored);
        return FrameWriter(std::move(folder).value(), !taken_over, std::nullopt);
    }
    if (ending == ".mp4" && (width % 2 != 0 || height % 2 != 0))
        return Error{"A film of " + std::to_string(width) + "x" + std::to_string(height) +
                         " pixels cannot be made: both sides of an MP4 must be even; choose for example " +
                         std::to_string(width + width % 2) + "x" + std::to_string(height + height % 2) + ".",
                     "size"};
    auto file = reserve_file(out);
    if (!file) return file.error();
    auto film = Ffmpeg::start(file.value(), width, height, fps, ffmpeg, std::move(give_up));
    if (!film) {
        std::error_code ignored;
        fs::remove(file.value(), ignored);
        return film.error();
    }
    return FrameWriter(std::move(file).value(), true, std::move(film).value());
}

FrameWriter::FrameWriter(FrameWriter&& other) noexcept
    : path_(std::move(other.path_)),
      ours_(std::exchange(other.ours_, false)),
      film_(std::move(other.film_)),
      frames_(other.frames_),
      pictures_(other.pictures_) {}

FrameWriter::~FrameWriter() {
    if (!ours_ || frames_ > 0) return;
    film_.reset();  // ffmpeg has ended before its file goes
    std::error_code ignored;
    fs::remove(path_, ignored);  // a file, or a folder if it is empty
}

Result<void> FrameWriter::add(const Image& image) {
    if (film_) {
        auto added = film_->add(image);
        if (!added) return remove_broken(), added;
    } else {
        char name[32];
        std::snprintf(name, sizeof name, "frame_%06d.png", frames_);
        std::error_code ignored;
        if (auto written = write_png(image, path_ / name); !written) return fs::remove(path_ / name, ignored), written;
        pictures_ += fs::file_size(path_ / name, ignored);
    }
    ++frames_;
    return {};
}

std::uint64_t FrameWriter::bytes() const {
    if (!film_) return pictures_;
    std::error_code failure;
    const auto size = fs::file_size(path_, failure);
    return failure ? 0 : size;
}

Result<void> FrameWriter::finish() {
    if (!film_) return {};
    auto finished = film_->finish();
    if (!finished) remove_broken();
    return finished;
}

void FrameWriter::remove_broken() const {
    std::error_code failure;
    if (fs::is_regular_file(path_, failure)) fs::remove(path_, failure);  // without its end no player can open it
}

}  // namespace wobble
