#include "app/viewer/gl/tet_buffers.h"

#include <algorithm>

namespace wobble {

namespace {

enum Attribute : GLuint { position = 0, rest = 1, value = 2 };  // as in shaders/tets.vert

void fill(const GlBuffer& buffer, const void* data, std::size_t bytes, GLenum usage) {
    glBindBuffer(GL_ARRAY_BUFFER, buffer.id());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(bytes), data, usage);
}

}  // namespace

TetBuffers::TetBuffers()
    : array_(make_vertex_array()), positions_(make_buffer()), rest_(make_buffer()), values_(make_buffer()), tets_(make_buffer()) {
    glBindVertexArray(array_.id());
    glBindBuffer(GL_ARRAY_BUFFER, positions_.id());
    glVertexAttribPointer(position, 3, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(position);
    glBindBuffer(GL_ARRAY_BUFFER, rest_.id());
    glVertexAttribPointer(rest, 3, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(rest);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, tets_.id());
    glBindVertexArray(0);
}

void TetBuffers::load(const BodyMesh& body) {
    const Box box = bounding_box(body.tets.vertices);
    const Vec3 extent = box.size().cwiseMax(1e-300);
    std::vector<Vec3f> shares;  // where particles are at rest, 0 to 1 in each direction
    shares.reserve(body.tets.vertices.size());
    for (const Vec3& x : body.tets.vertices) shares.push_back((x - box.low).cwiseQuotient(extent).cast<float>());
    glBindVertexArray(array_.id());
    fill(rest_, shares.data(), shares.size() * sizeof(Vec3f), GL_STATIC_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(body.tets.tets.size() * sizeof(Tet)), body.tets.tets.data(),
                 GL_STATIC_DRAW);
    glBindVertexArray(0);
}

void TetBuffers::update(const std::shared_ptr<const Snapshot>& shared) {
    const Snapshot& snapshot = *shared;
    index_count_ = 0;
    if (!snapshot.scene || snapshot.particle_positions.size() != snapshot.scene->body.tets.vertices.size()) return;
    if (scene_ != snapshot.scene) load(snapshot.scene->body);
    scene_ = snapshot.scene;
    fill(positions_, snapshot.particle_positions.data(), snapshot.particle_positions.size() * sizeof(Vec3f), GL_STREAM_DRAW);
    field_ = snapshot.particle_values.size() == snapshot.particle_positions.size() ? snapshot.field : Field::none;
    glBindVertexArray(array_.id());
    if (field_ != Field::none) {
        fill(values_, snapshot.particle_values.data(), snapshot.particle_values.size() * sizeof(float), GL_STREAM_DRAW);
        glVertexAttribPointer(value, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
        glEnableVertexAttribArray(value);
    } else {
        glDisableVertexAttribArray(value);
    }
    glBindVertexArray(0);
    index_count_ = static_cast<GLsizei>(4 * scene_->body.tets.tets.size());
}

void TetBuffers::draw() const {
    glBindVertexArray(array_.id());
    glDrawElements(GL_LINES_ADJACENCY, index_count_, GL_UNSIGNED_INT, nullptr);
    glBindVertexArray(0);
}

}  // namespace wobble
