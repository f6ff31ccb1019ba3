#pragma once
// Which directions each particle may move in (Hauth 2004, section 4.2). Every particle has a projector P_i on its allowed
// directions: I for a free one, 0 for a held one, I - n n^T for sliding on a plane with normal n, d d^T for sliding on a line.
// Forbidden directions have no acceleration: they keep the velocity the state gives them during a step, so a pin moves along a
// straight line within each step and is animated by setting its velocity between steps.
#include "engine/core/types.h"
#include "engine/linalg/block_matrix.h"

#include <cstdint>
#include <vector>

namespace wobble {

struct Constraint {
    int particle;
    Mat3 allowed;  // P_i, symmetric, P_i P_i = P_i
    static Constraint held(int i) { return {i, Mat3::Zero()}; }
    static Constraint on_plane(int i, const Vec3& normal) {
        return {i, Mat3::Identity() - normal.normalized() * normal.normalized().transpose()};
    }
    static Constraint on_line(int i, const Vec3& direction) { return {i, direction.normalized() * direction.normalized().transpose()}; }
};

class Constraints {
public:
    explicit Constraints(int particles) : held_(particles, 0), index_(particles, -1) {}
    Constraints(int particles, const std::vector<Constraint>&);  // of two on one particle the stricter wins, equals are intersected

    // What touches in the present step, besides; replaces the last such list. Particles with a constraint of their own keep that alone.
    void set_contacts(const std::vector<Constraint>&);

    int particles() const { return static_cast<int>(held_.size()); }
    bool pinned(int particle) const { return index_[particle] >= 0 && index_[particle] < own_; }  // by more than a contact
    int degrees_of_freedom() const;                                  // sum of the ranks of P_i, without contacts
    const std::vector<std::uint8_t>& held() const { return held_; }  // per particle: 1 if it cannot move at all
    const std::vector<Constraint>& all() const { return constraints_; }
    bool any_sliding() const { return sliding_; }
    bool any_contact() const { return static_cast<int>(constraints_.size()) > own_; }
    const Constraint* of(int particle) const { return index_[particle] < 0 ? nullptr : &constraints_[index_[particle]]; }

    void project(VecX& x) const;                   // x = P x
    void project(Workers&, BlockMatrix& A) const;  // A = P A P
    // A = P A P + s (I - P), s > 0 of the size of A's diagonal: the forbidden directions decoupled, for a direct solver.
    void eliminate(Workers&, BlockMatrix& A) const;

private:
    template <class Shift>
    void project_matrix(Workers&, BlockMatrix& A, Shift&&) const;

    std::vector<std::uint8_t> held_;
    std::vector<int> index_;               // into constraints_, -1: free
    std::vector<Constraint> constraints_;  // own_ of its own, then contacts
    int own_ = 0;
    bool sliding_ = false, own_sliding_ = false;
};

}  // namespace wobble
