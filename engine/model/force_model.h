#pragma once
// An elastic force as the negative gradient of an energy, with its tangent. One pair of files per force.
// Immutable but for its stiffness value; one caller at a time (the loops inside are shared over the workers).
#include "engine/core/types.h"
#include "engine/model/edge_tangent.h"

namespace wobble {

class ForceModel {
public:
    virtual ~ForceModel() = default;
    virtual double energy(const VecX& q) const = 0;                                       // U(q), J
    virtual void add_force(const VecX& q, VecX& f) const = 0;                             // f -= dU/dq
    virtual void add_stiffness(const VecX& q, EdgeTangent& K) const = 0;                  // K += d2U/dq2
    // K += a constant matrix of blocks c I that bounds the tangent from above at every q: seed paper 002, eq. (50).
    virtual void add_linear_stiffness(EdgeTangent& K) const = 0;
    virtual void add_product(const VecX& q, const VecX& u, double s, VecX& f) const = 0;  // f += s K(q) u, without the matrix
    virtual void add_rate(const VecX& q, const VecX& u, double s, VecX& f) const = 0;     // f += s (dK(q)/dq [u]) u
};

}  // namespace wobble
