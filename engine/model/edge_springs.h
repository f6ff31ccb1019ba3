#pragma once
// Structural springs on the edges of the tet mesh (seed paper 000, section 4.1): d = x_j - x_i.
#include "engine/mesh/mesh.h"
#include "engine/model/force_model.h"
#include "engine/model/row_ownership.h"

#include <memory>

namespace wobble {

class EdgeSprings final : public ForceModel {
public:
    EdgeSprings(const TetMesh& rest, double stiffness, std::shared_ptr<Workers>);

    double energy(const VecX& q) const override;
    void add_force(const VecX& q, VecX& f) const override;
    void add_stiffness(const VecX& q, EdgeTangent& K) const override;
    void add_linear_stiffness(EdgeTangent& K) const override;
    void add_product(const VecX& q, const VecX& u, double s, VecX& f) const override;
    void add_rate(const VecX& q, const VecX& u, double s, VecX& f) const override;

    void set_stiffness(double k) { k_ = k; }
    int count() const { return static_cast<int>(edges_.size()); }

private:
    template <class PerSpring>
    void scatter(const VecX& q, VecX& f, PerSpring&&) const;

    double k_;  // N/m
    std::vector<Edge> edges_;
    std::vector<double> rest_;  // l0, padded by four
    std::shared_ptr<Workers> workers_;
    std::vector<OwnedRange> parts_;
};

}  // namespace wobble
