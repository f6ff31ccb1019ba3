#include "app/viewer/gl/obstacle_buffers.h"

#include "engine/scene/obstacles.h"
#include "engine/view/obstacle_surface.h"

#include <algorithm>

namespace wobble {

namespace {

constexpr float cos_crease = 0.819f;  // of 35 degrees

void fill(const GlBuffer& buffer, const std::vector<Vec3f>& values) {
    glBindBuffer(GL_ARRAY_BUFFER, buffer.id());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(values.size() * sizeof(Vec3f)), values.data(), GL_STREAM_DRAW);
}

bool same_shape(const Obstacle& a, const Obstacle& b) {
    return a.kind == b.kind && a.radius == b.radius && a.length == b.length && a.size == b.size && a.mesh == b.mesh &&
           a.visible == b.visible && a.colour == b.colour && a.name == b.name;
}

}  // namespace

CreasedSurface creased(const TriMesh& mesh) {
    std::vector<std::vector<int>> faces_at(mesh.vertices.size());
    std::vector<Vec3f> areas;  // normals, twice the area long
    for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
        const auto& [a, b, c] = mesh.triangles[f];
        areas.push_back((mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]).cast<float>());
        for (const int v : mesh.triangles[f]) faces_at[static_cast<std::size_t>(v)].push_back(static_cast<int>(f));
    }
    CreasedSurface out;
    for (std::size_t f = 0; f < mesh.triangles.size(); ++f)
        for (const int v : mesh.triangles[f]) {
            const Vec3f own = areas[f].stableNormalized();
            Vec3f sum = Vec3f::Zero();
            for (const int other : faces_at[static_cast<std::size_t>(v)]) {
                const Vec3f& area = areas[static_cast<std::size_t>(other)];
                if (area.dot(own) >= cos_crease * area.norm()) sum += area;
            }
            out.corners.push_back(mesh.vertices[static_cast<std::size_t>(v)].cast<float>());
            out.normals.push_back(sum.norm() > 0 ? Vec3f(sum.stableNormalized()) : own);
        }
    return out;
}

ObstacleBuffers::ObstacleBuffers() : array_(make_vertex_array()), positions_(make_buffer()), normals_(make_buffer()) {
    glBindVertexArray(array_.id());
    for (const auto& [index, buffer] : {std::pair<GLuint, const GlBuffer*>{0, &positions_}, {1, &normals_}}) {
        glBindBuffer(GL_ARRAY_BUFFER, buffer->id());
        glVertexAttribPointer(index, 3, GL_FLOAT, GL_FALSE, 0, nullptr);
        glEnableVertexAttribArray(index);
    }
    glBindVertexArray(0);
}

void ObstacleBuffers::update(const Snapshot& snapshot) {
    const std::vector<Obstacle>& shapes = snapshot.settings.obstacles;
    const std::size_t count = std::min(shapes.size(), snapshot.obstacle_poses.size());
    const int floor = floor_of(snapshot.settings);  // a tilted one is a slope and drawn
    const bool same = floor == floor_ && std::equal(shapes.begin(), shapes.begin() + static_cast<std::ptrdiff_t>(count), shapes_.begin(),
                                                    shapes_.end(), same_shape);
    if (same && std::equal(poses_.begin(), poses_.end(), snapshot.obstacle_poses.begin())) return;
    if (!same) {
        shapes_.assign(shapes.begin(), shapes.begin() + static_cast<std::ptrdiff_t>(count));
        surfaces_.clear();
        floor_ = floor;
        for (std::size_t i = 0; i < count; ++i)
            surfaces_.push_back(shapes_[i].visible && static_cast<int>(i) != floor ? creased(obstacle_surface(shapes_[i]))
                                                                                   : CreasedSurface{});
    }
    poses_.assign(snapshot.obstacle_poses.begin(), snapshot.obstacle_poses.begin() + static_cast<std::ptrdiff_t>(count));
    std::vector<Vec3f> positions, normals;
    parts_.clear();
    Vec3f low = Vec3f::Constant(1e30f), high = -low;
    for (std::size_t i = 0; i < count; ++i) {
        const Eigen::Matrix3f turn = poses_[i].turn.toRotationMatrix().cast<float>();
        const Vec3f at = poses_[i].position.cast<float>();
        const bool bounded = shapes_[i].kind != Obstacle::Kind::plane;
        const auto first = static_cast<GLint>(positions.size());
        for (const Vec3f& X : surfaces_[i].corners) {
            positions.emplace_back(turn * X + at);
            if (bounded) low = low.cwiseMin(positions.back()), high = high.cwiseMax(positions.back());
        }
        for (const Vec3f& n : surfaces_[i].normals) normals.emplace_back(turn * n);
        const auto corners = static_cast<GLsizei>(surfaces_[i].corners.size());
        if (corners > 0) parts_.push_back({first, corners, shapes_[i].colour.cast<float>(), bounded});
    }
    const bool any = (low.array() <= high.array()).all();
    centre_ = any ? Vec3f(0.5f * (low + high)) : Vec3f(Vec3f::Zero());
    radius_ = any ? 0.5f * (high - low).norm() : 0;
    glBindVertexArray(array_.id());
    fill(positions_, positions);
    fill(normals_, normals);
    glBindVertexArray(0);
}

void ObstacleBuffers::draw(const Part& part) const {
    glBindVertexArray(array_.id());
    glDrawArrays(GL_TRIANGLES, part.first, part.count);
    glBindVertexArray(0);
}

void ObstacleBuffers::draw() const {
    for (const Part& part : parts_) draw(part);
}

}  // namespace wobble
