#include "engine/integrate/methods.h"

#include "engine/integrate/adams_bashforth.h"
#include "engine/integrate/bdf.h"
#include "engine/integrate/exponential/exponential_euler.h"
#include "engine/integrate/exponential/exponential_rosenbrock.h"
#include "engine/integrate/exponential/gautschi.h"
#include "engine/integrate/imex.h"
#include "engine/integrate/implicit_euler.h"
#include "engine/integrate/implicit_midpoint.h"
#include "engine/integrate/runge_kutta.h"
#include "engine/integrate/symplectic_euler.h"
#include "engine/integrate/tr_bdf2.h"
#include "engine/integrate/variational_imex.h"
#include "engine/integrate/verlet.h"
#include "engine/solve/phi/make_phi.h"
#include "engine/solve/phi/phi_leapfrog.h"

#include <limits>

namespace wobble {

namespace {

using Options = IntegratorOptions;
using Made = std::unique_ptr<Integrator>;

template <const Tableau& tableau>
Made runge_kutta(const Options&) {
    return std::make_unique<RungeKutta>(tableau);
}
template <int k>
Made adams(const Options&) {
    return std::make_unique<AdamsBashforth>(k);
}
template <int k>
Made bdf(const Options& options) {
    return std::make_unique<Bdf>(k, options);
}
template <class Implicit>
Made implicit(const Options& options) {
    return std::make_unique<Implicit>(options);
}
template <const ExponentialScheme& scheme>
Made rosenbrock(const Options& options) {
    return std::make_unique<ExponentialRosenbrock>(scheme, options, make_phi(options.solver.phi));
}
template <const ExponentialScheme& scheme>
Made by_leapfrog(const Options& options) {
    return std::make_unique<ExponentialRosenbrock>(scheme, options, std::make_unique<LeapfrogPhi>(make_phi(options.solver.phi)));
}
template <class Exponential>
Made exponential(const Options& options) {
    return std::make_unique<Exponential>(options, make_phi(options.solver.phi));
}

constexpr Family explicit_ = Family::explicit_classical, implicit_ = Family::implicit_classical, exponential_ = Family::exponential;
constexpr double any = std::numeric_limits<double>::infinity(), never = any;

// Cost classes. A Newton iteration is a factorisation or a CG solve; a Krylov basis is some tens of products, or a factorisation and a
// few solves, as the evaluator chooses; a polynomial is some tens of products with one vector.
constexpr const char *one_force = "1 force", *two_forces = "2 forces", *three_forces = "3 forces", *four_forces = "4 forces",
                     *six_forces = "6 forces", *one_newton = "1 Newton solve", *two_newtons = "2 Newton solves",
                     *one_linear = "1 linear solve", *factored_once = "1 solve, factored once", *one_basis = "1 Krylov basis",
                     *two_bases = "2 Krylov bases", *one_polynomial = "1 polynomial of K";

constexpr Method table[] = {
    {{"verlet", "Stoermer-Verlet", explicit_, 2, 0, 1, 2, 2, never, one_force,
      "Cheap and conserves energy; the step is limited to 2 / omega_max, so stiffness and stiffness damping make it slow.",
      "Hauth 2004; Hairer, Lubich, Wanner, Geometric Numerical Integration"},
     [](const Options&) -> Made { return std::make_unique<Verlet>(); }},
    {{"symplectic-euler", "Symplectic Euler", explicit_, 1, 0, 1, 2, 2, never, one_force,
      "What games use: as stable as Verlet and bounded in energy, but only first order; Verlet costs the same.",
      "Hauth 2004; Hairer, Lubich, Wanner, Geometric Numerical Integration, I.1.2"},
     [](const Options&) -> Made { return std::make_unique<SymplecticEuler>(); }},
    {{"euler", "Explicit Euler", explicit_, 1, 1, 1, 0.00318, 2, never, one_force,
      "For comparison: gains energy at every step size, so undamped motion explodes sooner or later.",
      "Hauth 2004; Hairer, Norsett, Wanner I, II.1"},
     runge_kutta<tableaus::euler>},
    {{"midpoint", "Explicit midpoint", explicit_, 2, 1, 1, 0.233, 2, never, two_forces,
      "Second order with two evaluations; gains energy slowly, the more the larger the step.",
      "Hauth 2004; Hairer, Norsett, Wanner I, II.1"},
     runge_kutta<tableaus::midpoint>},
    {{"rk4", "Runge-Kutta 4", explicit_, 4, 3, 1, 2.828, 2.785, never, four_forces,
      "Fourth order with four evaluations: ground truth with tiny steps, wasteful on stiff bodies.",
      "Hauth 2004; Hairer, Norsett, Wanner I, II.1"},
     runge_kutta<tableaus::rk4>},
    {{"rk23", "Bogacki-Shampine 3(2)", explicit_, 3, 2, 1, 1.732, 2.512, never, three_forces,
      "Third order with an error estimate, three evaluations: for step control at moderate accuracy.", "Bogacki, Shampine 1989"},
     runge_kutta<tableaus::bogacki_shampine>},
    {{"rk45", "Dormand-Prince 5(4)", explicit_, 5, 4, 1, 0.997, 3.306, never, six_forces,
      "Fifth order with an error estimate, six evaluations: for step control at high accuracy on soft bodies.", "Dormand, Prince 1980"},
     runge_kutta<tableaus::dormand_prince>},
    {{"adams2", "Adams-Bashforth 2", explicit_, 2, 0, 1, 0.181, 1, never, one_force,
      "Second order for one evaluation; gains energy slowly, the more the larger the step.",
      "Hauth 2004; Hairer, Norsett, Wanner I, III.1"},
     adams<2>},
    {{"adams4", "Adams-Bashforth 4", explicit_, 4, 0, 1, 0.43, 0.3, never, one_force,
      "Fourth order for one evaluation, but small steps; starts with Runge-Kutta after every change.",
      "Hauth 2004; Hairer, Norsett, Wanner I, III.1"},
     adams<4>},
    {{"implicit-euler", "Implicit Euler", implicit_, 1, 0, 1, any, any, 0, one_newton,
      "Stays calm at any step and stiffness, by damping: the visible wobble dies within a few periods unless the step is tiny.",
      "Hauth 2004, BDF-1 with Newton"},
     implicit<ImplicitEuler>},
    {{"linear-implicit-euler", "Linearly implicit Euler", implicit_, 1, 0, 1, any, any, 0, one_linear,
      "One linear solve per step: half the cost of implicit Euler and the same damping, less safe in violent motion.",
      "Hauth 2004; Baraff, Witkin 1998"},
     implicit<LinearImplicitEuler>},
    {{"implicit-midpoint", "Implicit midpoint", implicit_, 2, 2, 1, any, any, 0, one_newton,
      "Keeps the energy of a wobble at any stiffness; stiff vibration stays too, and violent motion may gain energy.",
      "Hauth 2004; Hairer, Lubich, Wanner, Geometric Numerical Integration"},
     implicit<ImplicitMidpoint>},
    {{"tr-bdf2", "TR-BDF2", implicit_, 2, 2, 1, any, any, 0, two_newtons,
      "The robust second-order choice: keeps the visible wobble longer than BDF-2, damps what is too fast for the step; two solves.",
      "Bank et al. 1985; Hosea, Shampine 1996"},
     implicit<TrBdf2>},
    {{"bdf2", "BDF-2", implicit_, 2, 0, 1, any, any, 0, one_newton,
      "Calm at any step and stiffness with much less damping than implicit Euler, for the same cost.", "Hauth 2004, table 3"},
     bdf<2>},
    {{"bdf3", "BDF-3", implicit_, 3, 0, 1, 0.187, any, 0.07, one_newton,
      "Third order; needs damping or small steps: undamped motion with h omega below 1.9 grows by up to 5 % per step.",
      "Hauth 2004, table 3"},
     bdf<3>},
    {{"bdf4", "BDF-4", implicit_, 4, 0, 1, 0.346, any, 0.29, one_newton,
      "Fourth order; needs damping or small steps: undamped motion with h omega below 4.7 grows by up to 19 % per step.",
      "Hauth 2004, table 3"},
     bdf<4>},
    {{"bdf5", "BDF-5", implicit_, 5, 0, 1, 0.71, any, 0.62, one_newton,
      "Fifth order for steps that resolve all motion; undamped motion with h omega from 0.7 to 9 grows by up to 38 % per step.",
      "Hauth 2004, table 3"},
     bdf<5>},
    {{"bdf6", "BDF-6", implicit_, 6, 0, 1, 0.725, any, 0.953, one_newton,
      "Sixth order for steps that resolve all motion; undamped motion with h omega from 0.8 to 18 grows by up to 58 % per step.",
      "Hauth 2004, table 3 with 147/60"},
     bdf<6>},
    {{"imex", "IMEX Euler", implicit_, 1, 0, 1, any, any, 0, factored_once,
      "A matrix factored once and one solve per step: damps like implicit Euler; too long steps explode where the body turns far from "
      "rest.",
      "Hauth 2004; Eberhardt, Etzmuss, Hauth 2000"},
     [](const Options&) -> Made { return std::make_unique<Imex>(); }},
    {{"v-imex", "Variational IMEX", implicit_, 2, 2, 1, 2, any, never, factored_once,
      "A matrix factored once, one solve per step: keeps the energy of small stiff wobbles at any step; where the body turns far from rest "
      "steps beyond 2 / omega_max explode, so they are the default's limit.",
      "Stern, Grinspun 2009"},
     [](const Options&) -> Made { return std::make_unique<VariationalImex>(); }},
    {{"exprb2", "Exponential Rosenbrock-Euler", exponential_, 2, 3, 6, any, any, 0, one_basis,
      "Exact for linear motion at any stiffness; take steps small enough for the visible rotation, about 1/60 of the wobble's period.",
      "Luan, Michels 2021a, 2021b; Hochbruck, Ostermann, Schweitzer 2009"},
     rosenbrock<exponential_schemes::exprb2>},
    {{"epi3", "Two-step exponential Rosenbrock", exponential_, 3, 3, 6, any, any, 0, one_basis,
      "Exprb2 that goes on with the curvature of its last step: ten times more accurate where the motion is resolved, a third dearer, or "
      "as "
      "dear with light stiffness damping; long steps diverge sooner.",
      "Tokman 2006; Hochbruck, Ostermann 2011"},
     rosenbrock<exponential_schemes::epi3>},
    {{"epi3-leapfrog", "Two-step exponential Rosenbrock by leapfrog", exponential_, 2, 3, 6, any, any, 0, one_polynomial,
      "Epi3 for the eye: its linear motion in leapfrog substeps as long as they are stable instead of Krylov bases, with strong damping in "
      "stabilised ones, at half the cost; visible motion nearly as exact, unseen fast vibration with wrong phases.",
      "Tokman 2006; Carle, Hochbruck, Sturm 2020; Sommeijer, Shampine, Verwer 1997"},
     by_leapfrog<exponential_schemes::epi3_light>},
    {{"exprb42", "Exponential Rosenbrock 4(2)", exponential_, 4, 3, 2, any, any, 0, two_bases,
      "Fourth order with one stage and an error estimate for nothing: the exponential method to begin with, under error control.",
      "Luan, Michels 2021a, 2021b; Hochbruck, Ostermann, Schweitzer 2009; Luan, Ostermann 2014"},
     rosenbrock<exponential_schemes::exprb42>},
    {{"pexprb43", "Parallel exponential Rosenbrock 4(3)", exponential_, 4, 3, 2, any, any, 0, two_bases,
      "Fourth order with two independent stages at h/3 and 3h/4: a little dearer than exprb42, a little more accurate.",
      "Luan, Michels 2021a, 2021b; Luan, Ostermann 2016"},
     rosenbrock<exponential_schemes::pexprb43>},
    {{"pexprb43-half", "Parallel exponential Rosenbrock 4(3), nodes 1/2, 1", exponential_, 4, 3, 2, any, any, 0, two_bases,
      "pexprb43 with stages at h/2 and h: smallest error of the family on smooth motion.",
      "Luan, Michels 2021a, 2021b; Luan, Ostermann 2016"},
     rosenbrock<exponential_schemes::pexprb43_half>},
    {{"epirk4s3", "EPIRK 4, stiffly accurate", exponential_, 4, 3, 3, any, any, 0, two_bases,
      "The papers' stiffly accurate integrator: stages at h/8 and h/9 with huge weights, so large motion needs shorter steps than exprb42.",
      "Michels, Luan, Tokman 2017"},
     rosenbrock<exponential_schemes::epirk4s3>},
    {{"gautschi", "Gautschi, trigonometric", exponential_, 2, 3, 6, any, any, 0, two_bases,
      "Verlet for what is soft, exact for what is linear: second order, with a filtered kick; the filter decides what happens at "
      "resonances.",
      "Hairer, Lubich, Wanner, Geometric Numerical Integration, XIII.2; Michels, Luan, Tokman 2017"},
     exponential<Gautschi>},
    {{"exp-euler", "Exponential Euler, frozen at rest", exponential_, 1, 2, 6, any, any, 0, one_basis,
      "For comparison: linearised at rest once and for all, so turning bodies need tiny steps.", "Luan, Michels 2021a, remark 3"},
     exponential<ExponentialEuler>},
};

}  // namespace

std::span<const Method> methods() { return table; }

const Method* find_method(std::string_view id) {
    for (const Method& method : methods())
        if (id == method.info.id) return &method;
    return nullptr;
}

const char* name(Family family) {
    switch (family) {
        case Family::explicit_classical:
            return "explicit";
        case Family::implicit_classical:
            return "implicit";
        case Family::exponential:
            return "exponential";
    }
    return "";
}

}  // namespace wobble
