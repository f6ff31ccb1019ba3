#pragma once
// What one step did. A failed step leaves the state untouched and says what to change.
#include <optional>
#include <string>

namespace wobble {

enum class StepStatus {
    ok,
    not_finite,
    newton_diverged,
    krylov_stagnated,
    cg_stagnated,
    factorization_failed,
    out_of_memory,
    energy_guard,
    contact  // surfaces would pass through each other
};

struct StepReport {
    StepStatus status = StepStatus::ok;
    int substeps = 1;            // inner steps the method took
    int newton_iterations = 0;   // of all stages together
    int linear_iterations = 0;   // of CG, over all Newton iterations
    int stages = 0;              // nonlinear systems solved
    int krylov_dimension = 0;    // largest of the step
    long operator_products = 0;  // products with the tangent, one per column
    long force_evaluations = 0;
    long factorizations = 0;
    long solves = 0;                 // with a factor, for phi-functions
    const char* phi_path = nullptr;  // id of the evaluator that did the work (phi_methods()), or leapfrog, disc, chebyshev; null: none
    int predicted_dimension = 0;     // by the automatic choice; 0: none
    double phi_error = 0;  // relative tolerance phi-functions were really evaluated with, where the one asked for was out of reach
    double seconds = 0;    // wall time
    // Embedded estimate of the step's error, max(|e_q|, h |e_v|) / |q+ - q| in the root mean square; negative: the method has none.
    double error = -1;
    std::optional<double> elastic_energy;  // J, at the new positions, where the method came by it anyway
    const char* redone_by = nullptr;       // id of the dissipative method that took this step instead; null: none
    std::string message;                   // empty unless something went wrong
    bool ok() const { return status == StepStatus::ok; }
};

}  // namespace wobble
