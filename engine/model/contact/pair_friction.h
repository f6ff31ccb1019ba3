#pragma once
// Coulomb's friction between surfaces, after a step and in velocities only. Each contact takes the impulse
//     p = -min(mu lambda h - what it has taken, m_eff |v_t|) v_t / |v_t|
// of the tangential velocity v_t = sum J_a v_a, lambda the mean normal force of the step. Jacobi sweeps with mass splitting: a particle's
// mass is divided among its contacts (Tonge, Benevolenski, Voroshilov 2012), m_eff^-1 = sum_a (N_a / m_a) |J_a^T t|^2, which never gains
// energy and does not depend on the order.
// A point x of one side meets the other as if fixed to a triangle of it, x = sum b_i x_i + g n:
//     its velocity there is sum (b_i I - g (grad b_i) n^T) v_i,
// so that both impulses act at the same point: momentum and angular momentum stay the same.
// Contacts nearer than a tenth of their thickness that still close lose that velocity in the same way, along the normal.
#include "engine/model/contact/contact_values.h"
#include "engine/model/contact/stencils.h"
#include "engine/model/state.h"
#include "engine/model/step_books.h"

namespace wobble {

class PairFriction {
public:
    // `fixed`: per particle, 1 if contact may not change its velocity.
    void apply(const ContactSurface&, const ContactValues&, const std::vector<Contact>&, const std::vector<std::uint8_t>& fixed,
               const State& before, State& after, StepBooks&);

private:
    struct Row {
        std::array<int, 5> particle;   // two of the first side, three of the other; -1: none
        std::array<Mat3, 5> jacobian;  // J_a
        Vec3 n;
        double normal_impulse;  // mu lambda h, N s
        bool stop;              // along the normal, too
        Vec3 taken;             // impulse so far
    };
    bool make_row(const ContactSurface&, const ContactValues&, const Contact&, const State& before, const State& after, Row&) const;

    std::vector<Row> rows_;
    std::vector<int> contacts_of_;  // per particle
    std::vector<int> touched_;
    VecX change_;
};

}  // namespace wobble
