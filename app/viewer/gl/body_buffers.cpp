#include "app/viewer/gl/body_buffers.h"

#include "app/viewer/gl/picture_texture.h"
#include "app/viewer/normals.h"
#include "engine/scene/loaded_scene.h"

#include <algorithm>
#include <cstdint>

namespace wobble {

namespace {

enum Attribute : GLuint { position = 0, normal = 1, pinned = 2, value = 3, colour = 4, picture = 5 };  // as in shaders/body.vert

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
      colours_(make_buffer()),
      uv_(make_buffer()),
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

void BodyBuffers::load(const Snapshot& snapshot) {
    const SurfaceTopology& surface = *snapshot.surface;
    auto look = snapshot.scene ? snapshot.scene->look : nullptr;
    if (look && !look->fits(surface.triangles.size())) look = nullptr;
    if (look_ != look) {  // other pins of the same body keep it
        look_ = std::move(look);
        split_.reset(), pictures_.clear();
        if (look_) split_ = split(surface.triangles, *look_);
        for (std::size_t i = 0; look_ && i < look_->images.size(); ++i) pictures_.push_back(picture_texture(look_->images[i]));
        if (look_) pictures_.push_back(white_texture());
    }
    const std::vector<Triangle>& triangles = split_ ? split_->triangles : surface.triangles;
    glBindVertexArray(array_.id());
    fill_vertices(pinned_, surface.tint);
    if (split_) {
        fill(colours_, split_->colours);
        glVertexAttribPointer(colour, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
        fill(uv_, split_->uv);
        glVertexAttribPointer(picture, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    }
    for (const Attribute index : {colour, picture}) (split_ ? glEnableVertexAttribArray : glDisableVertexAttribArray)(index);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(triangles.size() * sizeof(Triangle)), triangles.data(), GL_STATIC_DRAW);
    index_count_ = static_cast<GLsizei>(3 * triangles.size());
    glBindVertexArray(0);
}

// Values per vertex of the surface, to each vertex that is drawn.
template <class T>
void BodyBuffers::fill_vertices(const GlBuffer& buffer, const std::vector<T>& of_surface) {
    if (!split_) return fill(buffer, of_surface);
    std::vector<T> drawn;
    drawn.reserve(split_->source.size());
    for (const int v : split_->source) drawn.push_back(of_surface[static_cast<std::size_t>(v)]);
    fill(buffer, drawn);
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
    if (surface_ != snapshot.surface) load(snapshot);
    surface_ = snapshot.surface;
    vertex_normals(snapshot.positions, surface_->triangles, normals_scratch_);
    fill_vertices(positions_, snapshot.positions);
    fill_vertices(normals_, normals_scratch_);
    field_ = snapshot.values.size() == snapshot.positions.size() ? snapshot.field : Field::none;
    glBindVertexArray(array_.id());
    if (field_ != Field::none) {
        fill_vertices(values_, snapshot.values);
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

void BodyBuffers::draw_with_pictures() const {
    if (!split_) return draw();
    glBindVertexArray(array_.id());
    glActiveTexture(GL_TEXTURE3);
    for (const SplitSurface::Run& run : split_->runs) {
        const std::size_t number = run.image < 0 ? pictures_.size() - 1 : static_cast<std::size_t>(run.image);
        glBindTexture(GL_TEXTURE_2D, pictures_[number].id());
        glDrawElements(GL_TRIANGLES, 3 * run.count, GL_UNSIGNED_INT,
                       reinterpret_cast<void*>(static_cast<std::uintptr_t>(run.begin) * sizeof(Triangle)));
    }
    glBindVertexArray(0);
}

}  // namespace wobble
