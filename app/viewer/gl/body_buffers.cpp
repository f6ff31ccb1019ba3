#include "app/viewer/gl/body_buffers.h"

#include "app/viewer/normals.h"

#include <algorithm>

namespace wobble {

namespace {

enum Attribute : GLuint { position = 0, normal = 1, pinned = 2, value = 3 };  // as in shaders/body.vert

template <class T>
void fill(const GlBuffer& buffer, const std::vector<T>& values) {  // a new store each time: the card may still read the old one
    const auto bytes = static_cast<GLsizeiptr>(values.size() * sizeof(T));
    glBindBuffer(GL_ARRAY_BUFFER, buffer.id());
    glBufferData(GL_ARRAY_BUFFER, bytes, values.data(), GL_STREAM_DRAW);
}

}  // namespace

BodyBuffers::BodyBuffers()
    : array_(make_vertex_array()),
      positions_(make_buffer()),
      normals_(make_buffer()),
      pinned_(make_buffer()),
      values_(make_buffer()),
      triangles_(make_buffer()) {
    static_assert(sizeof(Vec3f) == 3 * sizeof(float));
    glBindVertexArray(array_.id());
    const auto attribute = [](Attribute index, const GlBuffer& buffer, GLint count, GLenum type) {
        glBindBuffer(GL_ARRAY_BUFFER, buffer.id());
        glVertexAttribPointer(index, count, type, type == GL_UNSIGNED_BYTE, 0, nullptr);  // bytes are shares of 255
        glEnableVertexAttribArray(index);
    };
    attribute(position, positions_, 3, GL_FLOAT);
    attribute(normal, normals_, 3, GL_FLOAT);
    attribute(pinned, pinned_, 1, GL_UNSIGNED_BYTE);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, triangles_.id());
    glBindVertexArray(0);
}

void BodyBuffers::load(const SurfaceTopology& surface) {
    glBindVertexArray(array_.id());
    glBindBuffer(GL_ARRAY_BUFFER, pinned_.id());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(surface.tint.size()), surface.tint.data(), GL_STATIC_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(surface.triangles.size() * sizeof(Triangle)), surface.triangles.data(),
                 GL_STATIC_DRAW);
    index_count_ = static_cast<GLsizei>(3 * surface.triangles.size());
    glBindVertexArray(0);
}

void BodyBuffers::update(const std::shared_ptr<const Snapshot>& shared) {
    const Snapshot& snapshot = *shared;
    if (shared.use_count() > 0 && shared == snapshot_) return;
    snapshot_ = shared.use_count() > 0 ? shared : nullptr;
    if (!snapshot.surface || snapshot.positions.empty()) {
        surface_.reset();
        index_count_ = 0;
        return;
    }
    if (surface_ != snapshot.surface) load(*snapshot.surface);
    surface_ = snapshot.surface;
    vertex_normals(snapshot.positions, surface_->triangles, normals_scratch_);
    fill(positions_, snapshot.positions);
    fill(normals_, normals_scratch_);
    field_ = snapshot.values.size() == snapshot.positions.size() ? snapshot.field : Field::none;
    glBindVertexArray(array_.id());
    if (field_ != Field::none) {
        fill(values_, snapshot.values);
        glVertexAttribPointer(value, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
        glEnableVertexAttribArray(value);
    } else {
        glDisableVertexAttribArray(value);
    }
    glBindVertexArray(0);

    Vec3f low = snapshot.positions.front(), high = low;
    for (const Vec3f& x : snapshot.positions) {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
    }
    centre_ = 0.5f * (low + high);
    radius_ = std::max(1e-6f, 0.5f * (high - low).norm());
}

void BodyBuffers::draw() const {
    if (index_count_ == 0) return;
    glBindVertexArray(array_.id());
    glDrawElements(GL_TRIANGLES, index_count_, GL_UNSIGNED_INT, nullptr);
    glBindVertexArray(0);
}

}  // namespace wobble
