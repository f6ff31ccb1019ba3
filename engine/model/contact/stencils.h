#pragma once
// A contact as a step sees it: four particles, weights and a direction that stay what they were when the step began.
//     g = n . sum w_a x_a,   z = d - g                    the gap, and how far it is below the thickness d
//     U = k z^3 / (6 d)                      0 < z <= d
//         k (d^2 / 6 + d (z - d) / 2 + (z - d)^2 / 2)     beyond, twice continuously differentiable
#include "engine/core/types.h"

#include <array>
#include <vector>

namespace wobble {

struct Contact {
    std::array<int, 4> particle;
    std::array<double, 4> weight;  // sum 0; of the first side positive, of the other negative
    Vec3 n;                        // unit, from the other side to the first
    double k;                      // N/m
    double d;                      // m
    int first, second;             // vertex and triangle, or two edges
    bool edges;

    template <class Vector>
    Vec3 combine(const Vector& x) const {  // sum w_a x_a
        Vec3 sum = Vec3::Zero();
        for (int a = 0; a < 4; ++a) sum += weight[a] * x.template segment<3>(3 * static_cast<Eigen::Index>(particle[a]));
        return sum;
    }
    double depth(const VecX& q) const { return d - n.dot(combine(q)); }  // z
};

// U and its derivatives by z.
struct ContactLaw {
    static double energy(double k, double d, double z) {
        return z <= 0 ? 0 : z <= d ? k * z * z * z / (6 * d) : k * (d * d / 6 + (z - d) * d / 2 + (z - d) * (z - d) / 2);
    }
    static double force(double k, double d, double z) { return z <= 0 ? 0 : z <= d ? k * z * z / (2 * d) : k * (z - d / 2); }
    static double stiffness(double k, double d, double z) { return z <= 0 ? 0 : z <= d ? k * z / d : k; }
    static double third(double k, double d, double z) { return z <= 0 || z > d ? 0 : k / d; }
};

}  // namespace wobble
