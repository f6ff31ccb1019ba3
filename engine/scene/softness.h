#pragma once
// How soft a body is as one sees it: f, the frequency of its slowest wobble in Hz, at rest, held as its pins hold it, without motions that
// deform nothing. Of a solid; stiffness and frequency belong together by
//     f = f0 sqrt( (k / k0) (rho0 / rho) ),   k Young's modulus, or the stiffness of all springs together, rho density,
// so that one measurement does for all values of them. Damping as a share zeta of the critical one at f:
//     beta = 2 zeta / (2 pi f).
// The parameters wobble and damping_ratio are wishes: once a body is there they are turned into its young, or stiffness and edge_stiffness,
// and the scene's damping, and are 0 again.
#include "engine/scene/loaded_scene.h"

#include <memory>
#include <optional>

namespace wobble {

// Measured: a factorisation and some solves. 0: a sheet, or a body without such a frequency.
double slowest_wobble(const LoadedScene&, const RunSettings&, int body);

double damping_of(double ratio, double hertz);  // beta, s
double damping_ratio(double beta, double hertz);

// young, or stiffness and edge_stiffness, times `factor`; refuses what leaves their ranges.
Result<void> scale_stiffness(Parameters&, ElasticModel::Kind, double factor);

// A measurement, for all stiffnesses and densities of the body it was made on.
class MeasuredWobble {
public:
    MeasuredWobble() = default;
    MeasuredWobble(std::shared_ptr<const LoadedScene>, const RunSettings&, int body);                         // measures
    std::optional<double> of(const std::shared_ptr<const LoadedScene>&, const RunSettings&, int body) const;  // Hz; none: measure again

private:
    std::shared_ptr<const LoadedScene> scene_;
    int body_ = 0;
    ElasticModel::Kind kind_ = {};
    BodySettings settings_;
    double hertz_ = 0;
};

// Carries out the wishes of one body, or of all (body -1) at loading; `measured`, if any, saves measurements.
Result<void> fulfil_wishes(const LoadedScene&, RunSettings&, int body, std::optional<double> measured = std::nullopt);

// The body made of something else, as stiff as to wobble at the same frequency.
Result<void> change_model(const LoadedScene&, RunSettings&, int body, ElasticModel::Kind);

}  // namespace wobble
