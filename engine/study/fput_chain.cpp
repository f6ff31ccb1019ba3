#include "engine/study/fput_chain.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

double along(const AxialBond& b, const VecX& x) {
    double s = 0;
    for (int a = 0; a < b.count; ++a) s += b.weight[a] * x[3 * b.particle[a]];
    return s;
}

// f_a += c w_a
void spread(const AxialBond& b, double c, VecX& f) {
    for (int a = 0; a < b.count; ++a) f[3 * b.particle[a]] += c * b.weight[a];
}

// s = sum_a w_a x_a of the coordinates given, closed by the fixed end, particle 0.
AxialBond bond(std::vector<std::pair<int, double>> coordinates, double k2, double k4) {
    AxialBond b{0, {}, {}, k2, k4};
    double sum = 0;
    for (const auto& [k, w] : coordinates) b.particle[b.count] = k + 1, b.weight[b.count++] = w, sum += w;
    if (sum != 0) b.particle[b.count] = 0, b.weight[b.count++] = -sum;
    return b;
}

}  // namespace

void AxialBonds::pairs(std::vector<Edge>& pairs) const {
    for (const AxialBond& b : bonds_)
        for (int a = 0; a < b.count; ++a)
            for (int c = a + 1; c < b.count; ++c)
                pairs.push_back({std::min(b.particle[a], b.particle[c]), std::max(b.particle[a], b.particle[c])});
}

double AxialBonds::energy(const VecX& q) const {
    double sum = 0;
    for (const AxialBond& b : bonds_) {
        const double s2 = along(b, q) * along(b, q);
        sum += b.k2 / 2 * s2 + b.k4 / 4 * s2 * s2;
    }
    return sum;
}

void AxialBonds::add_force(const VecX& q, VecX& f) const {
    for (const AxialBond& b : bonds_) {
        const double s = along(b, q);
        spread(b, -(b.k2 + b.k4 * s * s) * s, f);
    }
}

void AxialBonds::add_product(const VecX& q, const VecX& u, double scale, VecX& f) const {
    for (const AxialBond& b : bonds_) {
        const double s = along(b, q);
        spread(b, scale * (b.k2 + 3 * b.k4 * s * s) * along(b, u), f);
    }
}

void AxialBonds::add_rate(const VecX& q, const VecX& u, double scale, VecX& f) const {
    for (const AxialBond& b : bonds_) spread(b, scale * 6 * b.k4 * along(b, q) * along(b, u) * along(b, u), f);
}

template <class Add>
void AxialBonds::each_pair(Add&& add) const {
    std::size_t pair = 0;
    for (const AxialBond& b : bonds_)
        for (int a = 0; a < b.count; ++a)
            for (int c = a + 1; c < b.count; ++c) add(b, b.weight[a] * b.weight[c], edge_[pair++]);
}

void AxialBonds::add_stiffness(const VecX& q, EdgeTangent& K) const {
    each_pair([&](const AxialBond& b, double w, int edge) {
        const double s = along(b, q);
        K.at(edge)[0] += w * (b.k2 + 3 * b.k4 * s * s);
    });
}

void AxialBonds::add_linear_stiffness(EdgeTangent& K) const {
    each_pair([&](const AxialBond& b, double w, int edge) {
        for (int x : {0, 3, 5}) K.at(edge)[x] += w * (b.k2 + 3 * b.k4);
    });
}

FputChain fput_chain(int m, double omega) {
    FputChain chain;
    chain.m = m;
    chain.omega = omega;
    const auto x0 = [](int i) { return i - 1; };  // i = 1 .. m
    const auto x1 = [m](int i) { return m + i - 1; };
    std::vector<AxialBond> bonds;
    for (int i = 1; i <= m; ++i) bonds.push_back(bond({{x0(i), 1}}, 1, 0));
    for (int i = 1; i <= m; ++i) bonds.push_back(bond({{x1(i), 1}}, omega * omega, 0));
    bonds.push_back(bond({{x0(1), 1}, {x1(1), -1}}, 0, 1));
    for (int i = 1; i < m; ++i) bonds.push_back(bond({{x0(i + 1), 1}, {x1(i + 1), -1}, {x0(i), -1}, {x1(i), -1}}, 0, 1));
    bonds.push_back(bond({{x0(m), 1}, {x1(m), 1}}, 0, 1));

    SystemParts parts;
    const int particles = 2 * m + 1;
    parts.rest.assign(particles, Vec3::Zero());
    parts.share = VecX::Ones(particles);
    parts.mass_given = true;
    parts.forces.push_back(std::make_unique<AxialBonds>(std::move(bonds)));
    chain.system = std::make_unique<MechanicalSystem>(std::move(parts), Constraints(particles, {Constraint::held(0)}),
                                                      Material{.gravity = 0}, std::make_shared<Workers>(1));
    chain.start.q.setZero(3 * particles);
    chain.start.v.setZero(3 * particles);
    chain.start.q[3 * (x0(1) + 1)] = chain.start.v[3 * (x0(1) + 1)] = chain.start.v[3 * (x1(1) + 1)] = 1;
    chain.start.q[3 * (x1(1) + 1)] = 1 / omega;
    return chain;
}

double FputChain::energy(const State& s) const { return system->kinetic_energy(s.v) + system->elastic_energy(s.q); }

double FputChain::largest_difference(const State& a, const State& b) const {
    return std::max((a.q - b.q).lpNorm<Eigen::Infinity>(), (a.v - b.v).lpNorm<Eigen::Infinity>());
}

}  // namespace wobble
