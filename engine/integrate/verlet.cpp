#include "engine/integrate/verlet.h"

namespace wobble {

// force_ excludes f_ext, which may change between steps.
StepReport Verlet::step(const MechanicalSystem& system, const State& in, double h, State& out) {
    StepReport report;
    const VecX &W = system.inverse_mass(), &f_ext = system.external_force();
    const int n = 3 * system.particles();
    if (!known_) {
        force_.resize(n);
        predicted_.resize(n);
        system.force(in.q, in.v, force_);
        system.constraints().project(force_);
        ++report.force_evaluations;
        force_ -= f_ext;
    }

    system.workers().ranges(n, [&](int begin, int end) {
#pragma GCC ivdep  // so many vectors that the compiler would not ask whether they overlap, and take one number at a time
        for (int k = begin; k < end; ++k) {
            const double v_half = in.v[k] + h / 2 * W[k] * (force_[k] + f_ext[k]);
            out.q[k] = in.q[k] + h * v_half;
            out.v[k] = v_half;
            predicted_[k] = 2 * v_half - in.v[k];
        }
    });
    if (system.energy_comes_with_force()) report.elastic_energy = system.force_and_energy(out.q, predicted_, force_);
    else system.force(out.q, predicted_, force_);
    system.constraints().project(force_);
    ++report.force_evaluations;
    system.workers().ranges(n, [&](int begin, int end) {
#pragma GCC ivdep
        for (int k = begin; k < end; ++k) {
            out.v[k] += h / 2 * W[k] * force_[k];
            force_[k] -= f_ext[k];
        }
    });
    out.t = in.t + h;
    known_ = !system.damped();
    return report;
}

}  // namespace wobble
