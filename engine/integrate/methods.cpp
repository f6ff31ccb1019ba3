#include "engine/integrate/methods.h"

#include "engine/integrate/exponential_rosenbrock.h"
#include "engine/integrate/implicit_euler.h"
#include "engine/integrate/verlet.h"
#include "engine/solve/phi_lanczos.h"

namespace wobble {

namespace {

constexpr Method table[] = {
    {{"verlet", "Stoermer-Verlet", Family::explicit_classical, 2, 1,
      "Cheap and conserves energy; the step is limited to 2 / omega_max, so stiffness and stiffness damping make it slow.",
      "seed 002; Hairer, Lubich, Wanner, Geometric Numerical Integration"},
     [](const IntegratorOptions&) -> std::unique_ptr<Integrator> { return std::make_unique<Verlet>(); }},
    {{"implicit-euler", "Implicit Euler", Family::implicit_classical, 1, 1,
      "Stays calm at any step and stiffness, by damping: the visible wobble dies within a few periods unless the step is tiny.",
      "seed 002, BDF-1 with Newton"},
     [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> { return std::make_unique<ImplicitEuler>(options); }},
    {{"exprb2", "Exponential Rosenbrock-Euler", Family::exponential, 2, 6,
      "Exact for linear motion at any stiffness; take steps small enough for the visible rotation, about 1/60 of the wobble's period.",
      "seeds 001 and 003; Hochbruck, Ostermann, Schweitzer 2009"},
     [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
         return std::make_unique<ExponentialRosenbrockEuler>(options, std::make_unique<LanczosPhi>());
     }},
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
