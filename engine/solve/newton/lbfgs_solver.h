#pragma once
// Directions p = -H G of limited-memory BFGS (Nocedal 1980), started from the inverse of a constant matrix J instead of a multiple of the
// identity, as Liu, Bouaziz, Kavan 2017 do for elastic bodies ("Quasi-Newton methods for real-time simulation of hyperelastic
// materials"; there J is the matrix of projective dynamics, here the linear Jacobian of linear_jacobian_solver.h).
// From the last m iterates of one minimisation come the pairs
//     s = q_k+1 - q_k,     y = G_k+1 - G_k,     rho = 1 / s.y,
// and H is J^-1 after the m updates
//     H <- (I - rho s y^T) H (I - rho y s^T) + rho s s^T,                                          (BFGS: then H y = s)
// which is never formed; the two loops apply it to G with one solve with J:
//     r = G;   newest to oldest pair:  a_i = rho_i s_i.r,  r -= a_i y_i;      J p = -r;      oldest to newest:  p -= (a_i + rho_i y_i.p)
//     s_i.
// G is the true gradient at each iterate, so y knows of everything J does not: turned springs, and how damping changes with q.
// H stays positive definite because a pair without positive curvature, s.y <= 1e-8 |s| |y|, is left out: every direction descends.
// One thread does it: 4 m passes over vectors in the cache cost less than waking helpers 4 m times, and little beside forces and solve.
// Nothing is allocated after the first minimisation.
#include "engine/solve/linear/direction_solver.h"

#include <vector>

namespace wobble {

class LbfgsSolver final : public DirectionSolver {
public:
    static constexpr int usual_memory = 8;  // m
    explicit LbfgsSolver(DirectionSolver& J, int memory = usual_memory) : J_(&J), memory_(memory) {}

    void begin() { pairs_ = 0, has_last_ = false; }  // another function is minimised from now on
    LinearReport direction(const VecX& q, const VecX& G, double error, VecX& p) override;
    int pairs() const { return pairs_; }

private:
    struct Pair {
        VecX s, y;
        double rho = 0, a = 0;
    };
    int slot(int age) const { return (newest_ + memory_ + 1 - age) % (memory_ + 1); }
    Pair& pair(int age) { return ring_[static_cast<std::size_t>(slot(age))]; }  // 0: the newest; -1: unused, for the next
    void make_room(Eigen::Index n);
    void learn(const VecX& q, const VecX& G);

    DirectionSolver* J_;
    int memory_, pairs_ = 0, newest_ = 0;
    bool has_last_ = false;
    std::vector<Pair> ring_;  // m + 1
    VecX q_, G_, r_;          // q_, G_: the last iterate
};

}  // namespace wobble
