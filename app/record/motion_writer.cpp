#include "app/record/motion_formats.h"

#include <cstdio>

namespace wobble {

Result<std::unique_ptr<MotionWriter>> MotionWriter::open(const RecordTarget& target, int fps) {
    if (target.out.empty()) return Error{"There is no name to record to; give one.", "out"};
    switch (target.format) {
        case RecordFormat::pc2:
            return open_pc2(target.out);
        case RecordFormat::ply:
            return open_ply_sequence(target.out);
        case RecordFormat::obj:
            return open_obj_sequence(target.out);
        case RecordFormat::vtu:
            return open_vtu(target.out);
        case RecordFormat::usda:
            return open_usda(target.out, fps);
        case RecordFormat::glb:
            return open_glb(target.out, fps);
        case RecordFormat::gif:
        case RecordFormat::webp:
        case RecordFormat::mp4:
        case RecordFormat::png:
            break;
    }
    return Error{"A film is not a motion of a mesh; choose pc2, ply, obj, vtu, usda or glb."};
}

Result<void> MotionWriter::add(const Snapshot& shot) {
    if (!shot.surface || shot.positions.empty()) return Error{"There is no body whose motion could be written."};
    if (!began_) {
        mesh_.emplace(shot);
        if (auto begun = begin(shot); !begun) return begun;
        began_ = true;
        surface_ = shot.surface;
    }
    // Pins that come and go make a new topology of the same mesh.
    const bool same = shot.surface == surface_ || shot.surface->triangles == surface_->triangles;
    if (!same || shot.positions.size() != shot.surface->pinned.size())
        return Error{"Another body was loaded, and a motion is that of one mesh; it ends here."};
    if (auto written = write(shot); !written) return written;
    ++frames_;
    return {};
}

Result<void> MotionWriter::finish() {
    if (ended_ || !began_) return {};
    ended_ = true;
    return end();
}

std::vector<float> body_numbers(const Snapshot& shot, bool particles) {
    std::vector<float> numbers;
    if (!shot.scene || shot.scene->scene.count() < 2) return numbers;
    for (int b = 0; b < shot.scene->scene.count(); ++b) {
        const BodyRange range = shot.scene->range(b);
        numbers.insert(numbers.end(), static_cast<std::size_t>((particles ? range.particles : range.vertices).size()),
                       static_cast<float>(b));
    }
    return numbers;
}

std::string frame_name(int number, const char* suffix) {
    char name[40];
    std::snprintf(name, sizeof name, "frame_%06d%s", number, suffix);
    return name;
}

Result<std::uint64_t> write_whole(const std::filesystem::path& path, std::string_view content) {
    auto file = OutputFile::create(path);
    if (!file) return file.error();
    file.value().write(content);
    if (auto done = file.value().commit(); !done) return done.error();
    return static_cast<std::uint64_t>(content.size());
}

}  // namespace wobble
