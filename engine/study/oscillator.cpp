#include "engine/study/oscillator.h"

#include "engine/model/forces/spring_net.h"

#include <cassert>

namespace wobble {

OscillatorBank::OscillatorBank(const Oscillators& o) {
    const int n = static_cast<int>(o.stiffness.size());
    assert(n > 0 && o.q.size() == o.stiffness.size() && o.v.size() == o.stiffness.size());
    SpringNet net;
    net.rest.assign(n + 1, Vec3(0, o.centre, 0));
    net.mass.assign(n + 1, o.mass);
    for (int i = 0; i < n; ++i) net.springs.push_back({0, i + 1, o.stiffness[i], 0.0});
    Material material;
    material.gravity = o.gravity;
    material.mass_damping = o.alpha;
    system_ = std::make_unique<MechanicalSystem>(net, Constraints(n + 1, {Constraint::held(0)}), material, std::make_shared<Workers>(1));
    start_.q.setZero(3 * (n + 1));
    start_.v.setZero(3 * (n + 1));
    start_.q[1] = o.centre;
    for (int i = 0; i < n; ++i) {
        start_.q[3 * (i + 1) + 1] = o.q[i];
        start_.v[3 * (i + 1) + 1] = o.v[i];
    }
}

Oscillators dahlquist(const std::vector<std::complex<double>>& lambdas) {
    Oscillators o;
    o.alpha = -2 * lambdas.front().real();
    for (const auto& lambda : lambdas) {
        assert(lambda.real() == lambdas.front().real());
        o.stiffness.push_back(std::norm(lambda));
        o.q.push_back(1);
        o.v.push_back(lambda.real());
    }
    return o;
}

std::complex<double> amplitude(double q, double v, std::complex<double> lambda) {
    return {q, (lambda.real() * q - v) / lambda.imag()};  // v = Re lambda Re a - Im lambda Im a
}

}  // namespace wobble
