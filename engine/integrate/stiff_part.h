#pragma once
// The constant stiff part K_s of a body's stiffness, and the factored matrix of a step that treats it implicitly,
//     A = M + d h D_s + k h^2 K_s,     D_s = alpha M + (beta + tau) K_s.
// K_s is the tangent at rest, exact for small motion but wrong for turned parts of the body: it gives implicit midpoint's result for a
// fraction of its cost in small motion, and the energy guard sees when the motion is not small. Measured on a beam of 1 m with v-imex
// against fine Verlet, position error of the wobble by h omega_max:
//     moves (rms)        1.5      4.4        8.7        30         100
//     13 mm              0.4 %    0.4 %      0.5 %      2.6 %      12 %        (implicit midpoint: 0.4 .. 8.6 %)
//     0.27 m             0.5 %    explodes   explodes   explodes   explodes
// The factor is kept until the step, the material or the system changes.
#include "engine/integrate/report.h"
#include "engine/linalg/block_matrix.h"
#include "engine/linalg/cholesky.h"
#include "engine/model/mechanical_system.h"

#include <memory>

namespace wobble {

class StiffPart {
public:
    StiffPart(double d, double k) : d_(d), k_(k) {}

    // Makes A ready for steps of h; false, with status and message in the report, if it cannot be factored.
    bool prepare(const MechanicalSystem&, double h, StepReport&);
    void forget() { ready_ = false; }

    const BlockMatrix& K() const { return *K_; }     // K_s
    void solve(VecX& x) { cholesky_->solve(x, x); }  // x = A^-1 x in the allowed directions; x must have no part in the others

private:
    double d_, k_;
    bool ready_ = false;
    double h_ = 0;
    std::vector<Material> materials_;
    std::shared_ptr<const BlockPattern> pattern_;
    std::unique_ptr<BlockMatrix> K_, A_;
    std::unique_ptr<SparseCholesky> cholesky_;
};

}  // namespace wobble
