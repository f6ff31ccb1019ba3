#include "engine/view/field.h"

#include "engine/model/forces/polar.h"
#include "engine/model/forces/stiff_regions.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

namespace wobble {

namespace {

Mat3 edges(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3) {
    Mat3 e;
    e << x1 - x0, x2 - x0, x3 - x0;
    return e;
}

double green_strain(const Mat3& F) { return (0.5 * (F.transpose() * F - Mat3::Identity())).norm(); }

double mises(const Mat3& stress) { return std::sqrt(1.5) * (stress - stress.trace() / 3 * Mat3::Identity()).norm(); }

double stress(const Mat3& F, const Material& m, ElasticModel::Kind kind) {
    const double mu = m.young / (2 * (1 + m.poisson)), lambda = m.young * m.poisson / ((1 + m.poisson) * (1 - 2 * m.poisson));
    const Mat3 RF = rotation_of(F).transpose() * F, S = 0.5 * (RF + RF.transpose());
    if (kind == ElasticModel::Kind::corotational) {
        const Mat3 e = S - Mat3::Identity();
        return mises(2 * mu * e + lambda * e.trace() * Mat3::Identity());
    }
    Mat3 C;  // cof S
    C << S.col(1).cross(S.col(2)), S.col(2).cross(S.col(0)), S.col(0).cross(S.col(1));
    const double a = 4 * mu / 3 * (1 - 1 / (S.squaredNorm() + 1)), b = (lambda + 5 * mu / 6) * (S.determinant() - 1) - mu;
    return mises(a * S + b * C);
}

}  // namespace

std::span<const FieldInfo> fields() {
    static constexpr FieldInfo list[] = {
        {Field::none, "none", "Plain", "", "The body in its own colour."},
        {Field::speed, "speed", "Speed", "m/s", "How fast each part moves."},
        {Field::strain, "strain", "Strain", "",
         "How far each part is from its rest shape: the norm of Green's strain, 0 for rigid motion."},
        {Field::stress, "stress", "Stress", "Pa", "Von Mises stress; co-rotational and neo-Hookean bodies have one, springs do not."},
    };
    return list;
}

FieldProbe::FieldProbe(const BodyMesh& body, std::vector<BodyPart> parts)
    : body_(body), parts_(std::move(parts)), value_(body.tets.vertices.size()), weight_(value_.size()) {
    const auto& x = body.tets.vertices;
    for (const auto& [range, model] : parts_) {
        const RegionBox box(x, bounding_box(std::span(x).subspan(static_cast<std::size_t>(range.particles.begin),
                                                                 static_cast<std::size_t>(range.particles.size()))));
        for (int k = range.tets.begin; k < range.tets.end; ++k) {
            const Tet& t = body.tets.tets[k];
            elements_.push_back({edges(x[t[0]], x[t[1]], x[t[2]], x[t[3]]).inverse(), volume(body.tets, t), box.factor(model.regions, t)});
        }
    }
}

// The volume-weighted mean of value(F, factor) of the tets around each particle.
template <class Value>
void FieldProbe::average_of_tets(const VecX& q, IndexRange tets, Value&& value) {
    for (int k = tets.begin; k < tets.end; ++k) {
        const Tet& t = body_.tets.tets[k];
        const Mat3 F = edges(particle(q, t[0]), particle(q, t[1]), particle(q, t[2]), particle(q, t[3])) * elements_[k].inverse_edges;
        const double here = value(F, elements_[k].factor);
        for (const int i : t) value_[i] += elements_[k].volume * here, weight_[i] += elements_[k].volume;
    }
}

void FieldProbe::strain_of_links(const VecX& q, IndexRange links) {
    const auto& rest = body_.tets.vertices;
    for (int k = links.begin; k < links.end; ++k) {
        const Link& link = body_.links[k];
        if (link.kind == LinkKind::bending) continue;
        const double l0 = (rest[link.j] - rest[link.i]).norm(), l = (particle(q, link.j) - particle(q, link.i)).norm();
        const double e = std::abs(l / l0 - 1);
        value_[link.i] = std::max(value_[link.i], e);
        value_[link.j] = std::max(value_[link.j], e);
    }
}

void FieldProbe::measure(Field field, const State& state, const std::vector<Material>& materials, std::vector<float>& out) {
    out.clear();
    if (field == Field::none) return;
    std::fill(value_.begin(), value_.end(), 0.0);
    std::fill(weight_.begin(), weight_.end(), 0.0);
    if (field == Field::speed)
        for (std::size_t i = 0; i < value_.size(); ++i) value_[i] = particle(state.v, static_cast<int>(i)).norm();
    else
        for (std::size_t b = 0; b < parts_.size(); ++b) {
            const auto& [range, model] = parts_[b];
            if (field == Field::strain && range.sheet()) strain_of_links(state.q, range.links);
            else if (field == Field::strain) average_of_tets(state.q, range.tets, [](const Mat3& F, double) { return green_strain(F); });
            else if (model.continuum())
                average_of_tets(state.q, range.tets,
                                [&](const Mat3& F, double factor) { return factor * stress(F, materials[b], model.kind); });
        }
    for (std::size_t i = 0; i < value_.size(); ++i)
        if (weight_[i] > 0) value_[i] /= weight_[i];

    const Embedding& e = body_.embedding;
    out.resize(e.particle.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        double sum = 0;
        for (int k = 0; k < 4; ++k) sum += e.weight[i][k] * value_[e.particle[i][k]];
        out[i] = static_cast<float>(std::max(0.0, sum));
    }
}

}  // namespace wobble
