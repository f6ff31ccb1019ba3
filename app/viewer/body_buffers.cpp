#include "app/viewer/body_buffers.h"

#include "app/viewer/normals.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

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

namespace {

// For every vertex the largest share within its patch of held vertices, or within the one beside it; else 1.
std::vector<float> largest_of_patch(const SurfaceTopology& surface, const std::vector<float>& share) {
    std::vector<int> patch(share.size());  // another vertex of the same patch; the first one names itself
    std::iota(patch.begin(), patch.end(), 0);
    const auto first_of = [&](int i) {
        while (patch[i] != i) i = patch[i] = patch[patch[i]];
        return i;
    };
    const auto held = [&](int i) { return i < std::ssize(surface.pinned) && surface.pinned[i]; };
    for (const Triangle& t : surface.triangles)
        for (int k = 0; k < 3; ++k)
            if (held(t[k]) && held(t[(k + 1) % 3])) patch[first_of(t[k])] = first_of(t[(k + 1) % 3]);
    std::vector<float> most(share.size(), 0.0f), result(share.size(), 1.0f);
    for (int i = 0; i < std::ssize(share); ++i) most[first_of(i)] = std::max(most[first_of(i)], share[i]);
    for (const Triangle& t : surface.triangles)
        for (int k = 0; k < 3; ++k)
            for (const int beside : {t[(k + 1) % 3], t[(k + 2) % 3]})
                if (held(t[k])) result[beside] = result[t[k]] = most[first_of(t[k])];
    return result;
}

}  // namespace

std::vector<std::uint8_t> held_tint(const SurfaceTopology& surface, const std::vector<Vec3f>& positions) {
    std::vector<float> share(surface.pinned.begin(), surface.pinned.end());
    share.resize(positions.size());
    double edges = 0;
    for (const auto& [a, b, c] : surface.triangles) edges += static_cast<double>((positions[a] - positions[b]).norm());
    const double edge = edges / std::max<double>(1, static_cast<double>(surface.triangles.size()));
    const double reach = 0.02 * surface.rest_box.diagonal();
    // Each round is a step of diffusion over about one edge; on a coarse surface there is nothing to blur.
    const int rounds = edge > 0 ? static_cast<int>(std::min(60.0, 2 * reach * reach / (edge * edge))) : 0;
    std::vector<float> sum(share.size()), count(share.size());
    for (int round = 0; round < rounds; ++round) {
        sum = share;
        std::fill(count.begin(), count.end(), 1.0f);
        for (const Triangle& t : surface.triangles)
            for (int k = 0; k < 3; ++k) sum[t[k]] += share[t[(k + 1) % 3]], ++count[t[k]];
        for (std::size_t i = 0; i < share.size(); ++i) share[i] = sum[i] / count[i];
    }
    const std::vector<float> most = largest_of_patch(surface, share);
    std::vector<std::uint8_t> tint(share.size());
    for (std::size_t i = 0; i < share.size(); ++i) {
        const float relative = most[i] > 0 ? share[i] / most[i] : 0.0f;
        tint[i] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(rounds > 0 ? 2 * relative - 1 : relative, 0.0f, 1.0f)));
    }
    return tint;
}

void BodyBuffers::load(const SurfaceTopology& surface, const std::vector<Vec3f>& positions) {
    const std::vector<std::uint8_t> held = held_tint(surface, positions);
    glBindVertexArray(array_.id());
    glBindBuffer(GL_ARRAY_BUFFER, pinned_.id());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(held.size()), held.data(), GL_STATIC_DRAW);
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
    if (surface_ != snapshot.surface) load(*snapshot.surface, snapshot.positions);
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
