#include "app/viewer/gl/surface_buffers.h"

#include <algorithm>

namespace wobble {

namespace {

constexpr double largest = 1e30;  // single precision and squares of it must still be numbers

void fill(GLenum target, const GlBuffer& buffer, const void* data, std::size_t bytes) {
    glBindBuffer(target, buffer.id());
    glBufferData(target, static_cast<GLsizeiptr>(bytes), data, GL_STATIC_DRAW);
}

}  // namespace

SurfaceBuffers::SurfaceBuffers()
    : array_(make_vertex_array()),
      positions_(make_buffer()),
      triangles_(make_buffer()),
      marks_(make_buffer()),
      mark_texture_(make_texture()) {
    glBindVertexArray(array_.id());
    glBindBuffer(GL_ARRAY_BUFFER, positions_.id());
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, triangles_.id());
    glBindVertexArray(0);
}

void SurfaceBuffers::update(const TriMesh& mesh, const std::vector<std::uint8_t>& marked_faces) {
    std::vector<Vec3f> positions;
    positions.reserve(mesh.vertices.size());
    std::vector<std::uint8_t> good(mesh.vertices.size());
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        good[i] = mesh.vertices[i].allFinite() && mesh.vertices[i].cwiseAbs().maxCoeff() < largest;
        positions.push_back(good[i] ? Vec3f(mesh.vertices[i].cast<float>()) : Vec3f(Vec3f::Zero()));
    }
    std::vector<Triangle> triangles;
    std::vector<std::uint8_t> marks;
    Vec3f low = Vec3f::Constant(1e30f), high = -low;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Triangle& corners = mesh.triangles[t];
        const auto usable = [&](int i) { return i >= 0 && static_cast<std::size_t>(i) < good.size() && good[static_cast<std::size_t>(i)]; };
        if (!std::all_of(corners.begin(), corners.end(), usable)) continue;
        triangles.push_back(corners);
        marks.push_back(t < marked_faces.size() ? marked_faces[t] : 0);
        for (const int i : corners) {
            low = low.cwiseMin(positions[static_cast<std::size_t>(i)]);
            high = high.cwiseMax(positions[static_cast<std::size_t>(i)]);
        }
    }
    index_count_ = static_cast<GLsizei>(3 * triangles.size());
    if (triangles.empty()) low = high = Vec3f::Zero();
    centre_ = 0.5f * (low + high);
    radius_ = std::max(1e-6f, 0.5f * (high - low).norm());
    lowest_ = low.y();

    glBindVertexArray(array_.id());
    fill(GL_ARRAY_BUFFER, positions_, positions.data(), positions.size() * sizeof(Vec3f));
    fill(GL_ELEMENT_ARRAY_BUFFER, triangles_, triangles.data(), triangles.size() * sizeof(Triangle));
    glBindVertexArray(0);
    marks.push_back(0);  // never empty
    fill(GL_TEXTURE_BUFFER, marks_, marks.data(), marks.size());
    glBindTexture(GL_TEXTURE_BUFFER, mark_texture_.id());
    glTexBuffer(GL_TEXTURE_BUFFER, GL_R8UI, marks_.id());
}

void SurfaceBuffers::draw() const {
    if (index_count_ == 0) return;
    glBindVertexArray(array_.id());
    glDrawElements(GL_TRIANGLES, index_count_, GL_UNSIGNED_INT, nullptr);
    glBindVertexArray(0);
}

void SurfaceBuffers::use_marks(int texture_unit) const {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(texture_unit));
    glBindTexture(GL_TEXTURE_BUFFER, mark_texture_.id());
}

}  // namespace wobble
