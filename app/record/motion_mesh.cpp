#include "app/record/motion_mesh.h"

#include <span>

namespace wobble {

std::vector<Vec3f> MotionMesh::drawn_rest(const Snapshot& shot) {
    if (!shot.scene || shot.scene->body.surface.vertices.size() != shot.positions.size()) return shot.positions;
    return drawn_at_rest(*shot.scene);
}

MotionMesh::MotionMesh(const Snapshot& first)
    : scene_(first.scene && first.scene->body.surface.vertices.size() == first.positions.size() ? first.scene : nullptr),
      surface_(first.surface),
      drawn_rest_(drawn_rest(first)) {
    const int count = scene_ ? scene_->scene.count() : 1;
    for (int b = 0; b < count && count > 1; ++b) groups_.push_back({scene_->scene.body_name(b), scene_->range(b).triangles});
    file_ = scene_ && count == 1 ? scene_->file_of(0) : nullptr;
    rest_ = file_ ? in_file_coordinates(*file_, drawn_rest_, drawn_rest_) : drawn_rest_;
}

const std::vector<Triangle>& MotionMesh::triangles() const { return file_ ? file_->triangles : surface_->triangles; }

std::vector<Vec3f> MotionMesh::positions(const Snapshot& shot) const {
    return file_ ? in_file_coordinates(*file_, drawn_rest_, shot.positions) : shot.positions;
}

std::vector<float> MotionMesh::values(const Snapshot& shot) const {
    if (shot.field == Field::none || shot.values.size() != shot.positions.size()) return {};
    if (!file_) return shot.values;
    std::vector<float> out;
    out.reserve(file_->follows.size());
    for (const int v : file_->follows) out.push_back(shot.values[static_cast<std::size_t>(v)]);
    return out;
}

std::vector<MotionMesh::Part> MotionMesh::parts() const {
    std::vector<Part> out;
    const int count = scene_ ? scene_->scene.count() : 1;
    for (int b = 0; b < count; ++b) {
        const IndexRange vertices = scene_ ? scene_->range(b).vertices : IndexRange{0, static_cast<int>(drawn_rest_.size())};
        const IndexRange triangles = scene_ ? scene_->range(b).triangles : IndexRange{0, static_cast<int>(surface_->triangles.size())};
        const FileVertices* file = scene_ ? scene_->file_of(b) : nullptr;
        Part part{count > 1 ? scene_->scene.body_name(b) : "body", {}, vertices, file, file ? file->to_scene : Affine{}, {}};
        if (file) {
            part.triangles = file->triangles;
        } else {
            for (int t = triangles.begin; t < triangles.end; ++t) {
                part.triangles.push_back(surface_->triangles[static_cast<std::size_t>(t)]);
                for (int& v : part.triangles.back()) v -= vertices.begin;
            }
        }
        if (part.triangles.size() == static_cast<std::size_t>(triangles.size())) part.look = triangles;
        out.push_back(std::move(part));
    }
    return out;
}

std::vector<Vec3f> MotionMesh::positions(const Part& part, const Snapshot& shot) const {
    const auto begin = static_cast<std::size_t>(part.drawn.begin), size = static_cast<std::size_t>(part.drawn.size());
    const auto now = std::span(shot.positions).subspan(begin, size), rest = std::span(drawn_rest_).subspan(begin, size);
    if (part.file) return in_file_coordinates(*part.file, rest, now);
    return {now.begin(), now.end()};
}

const SurfaceLook* MotionMesh::look() const {
    return scene_ && scene_->look && surface_ && scene_->look->fits(surface_->triangles.size()) ? scene_->look.get() : nullptr;
}

}  // namespace wobble
