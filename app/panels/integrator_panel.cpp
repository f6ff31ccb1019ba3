#include "app/panels/method_chooser.h"
#include "app/panels/panels.h"
#include "app/panels/values.h"
#include "app/panels/widgets.h"
#include "engine/scene/limits.h"
#include "engine/sim/catalog.h"

#include <algorithm>
#include <optional>

namespace wobble {

namespace {

// A combo over one of the engine's lists; true when another row was chosen.
template <class List, class Kind>
bool choice(const char* id, const char* title, const char* help, const List& list, Kind& kind) {
    label_left(title, help);
    const auto current = std::find_if(std::begin(list), std::end(list), [&](const auto& info) { return info.kind == kind; });
    bool changed = false;
    if (ImGui::BeginCombo(id, current == std::end(list) ? "" : current->label)) {
        for (const auto& info : list) {
            if (ImGui::Selectable(info.label, info.kind == kind)) kind = info.kind, changed = true;
            tooltip(info.advice);
        }
        ImGui::EndCombo();
    } else if (current != std::end(list)) {
        tooltip(current->advice);
    }
    return changed;
}

struct PolicyInfo {
    DivergencePolicy kind;
    const char* label;
    const char* advice;
};
constexpr PolicyInfo policies[] = {
    {DivergencePolicy::pause, "pause", "Stops on the last good state and says what happened: nothing broken is ever shown."},
    {DivergencePolicy::halve_step, "halve the step",
     "Takes half the step and goes on. The motion survives; what it costs is in the status bar."}};

void solver_choices(const Snapshot& snapshot, Family family, const PostCommand& post) {
    SolverOptions solver = snapshot.settings.solver;
    bool changed = false;
    if (family == Family::implicit_classical) {
        changed = choice("##nonlinear", "Newton", "How the equations of a step are solved.", nonlinear_solvers(), solver.nonlinear);
        changed =
            choice("##linear", "Linear solver", "What solves the linear equations inside Newton's.", linear_solvers(), solver.linear) ||
            changed;
    } else {
        changed = choice("##phi", "Phi-functions", "How the functions of the matrix are computed.", phi_methods(), solver.phi);
        if (snapshot.settings.method == "gautschi")
            changed = choice("##filter", "Filter", "What becomes of vibrations at the resonances of the step.", gautschi_filters(),
                             solver.filter) ||
                      changed;
    }
    const std::optional<double> preset = snapshot.scene ? std::optional(snapshot.scene->scene.settings.solver.tolerance) : std::nullopt;
    changed =
        value_slider("solver tolerance", "Solver tolerance", "",
                     "How exactly a step's equations are solved: Newton's last change, CG's residual, the error of the phi-functions, "
                     "each relative. Too large: the energy drifts, and the order of the method is lost. Too small: more work for digits "
                     "below what is visible, and below 1e-12 rounding may keep it from being reached.",
                     solver.tolerance, {1e-14, limits::solver_tolerance.high, true, false}, preset) ||
        changed;
    if (changed) post(SetSolver{solver});
}

void step_choices(const Snapshot& snapshot, const PostCommand& post) {
    const Scene* scene = snapshot.scene ? &snapshot.scene->scene : nullptr;
    double milliseconds = 1e3 * snapshot.asked_step;
    const auto preset = scene && scene->settings.step > 0 ? std::optional(1e3 * scene->settings.step) : std::nullopt;
    if (value_slider(
            "step", "Step", "ms",
            "Simulated time per step. Too large: explicit methods explode beyond 2 / omega_max, implicit ones swallow the wobble, "
            "exponential ones lose the rotation. Too small: slower than real time for nothing. Under step control it is the longest "
            "step, made of as many shorter ones as it takes.",
            milliseconds, {1e-3, 100, true, false}, preset))
        post(SetStep{1e-3 * milliseconds});
    bool automatic = snapshot.automatic_step();
    ImGui::SetCursorPosX(value_column * ImGui::GetWindowWidth());
    if (ImGui::Checkbox("automatic", &automatic)) post(SetStep{automatic ? 0.0 : snapshot.asked_step});
    tooltip("The method's own choice: from the highest frequency of the body for explicit methods, a fraction of a frame for the others.");
    StepControl control = snapshot.settings.control;
    double tolerance = snapshot.settings.error_tolerance;
    bool changed = choice("##control", "Step control", "Who decides how long a step is.", step_controls(), control);
    if (control == StepControl::error)
        changed =
            value_slider("tolerance", "Error tolerance", "",
                         "Largest error of one step, relative to its displacement. Too large: no better than without control. Too small: "
                         "steps become so short that the motion falls behind real time.",
                         tolerance, {1e-6, 1, true, false}, scene ? std::optional(scene->settings.error_tolerance) : std::nullopt) ||
            changed;
    if (changed) post(SetStepControl{control, tolerance});
    DivergencePolicy policy = snapshot.settings.policy;
    if (choice("##policy", "If it diverges", "What happens when a step is not finite or gains energy from nowhere.", policies, policy))
        post(SetDivergencePolicy{policy});
}

// What the last step took.
void work_line(const Snapshot& snapshot) {
    const StepReport& r = snapshot.report;
    ImGui::PushTextWrapPos(0);
    if (r.newton_iterations > 0) {
        ImGui::TextDisabled("%d Newton, %d CG iterations, %ld factorisations", r.newton_iterations, r.linear_iterations, r.factorizations);
    } else if (r.phi_path) {
        char predicted[32] = "";
        if (r.predicted_dimension > 0) std::snprintf(predicted, sizeof predicted, " (predicted %d)", r.predicted_dimension);
        if (r.krylov_dimension > 0)
            ImGui::TextDisabled("%s: Krylov dimension %d%s, %ld products, %ld solves", r.phi_path, r.krylov_dimension, predicted,
                                r.operator_products, r.solves);
        else ImGui::TextDisabled("%s: %d substeps, %ld products", r.phi_path, r.substeps, r.operator_products);
        if (r.phi_error > 0) ImGui::TextDisabled("phi-functions to %.1g only: the rest is too fast to be visible", r.phi_error);
    } else {
        ImGui::TextDisabled("%ld force evaluations", r.force_evaluations);
    }
    tooltip("Work of the last step.");
    if (snapshot.rejected_steps > 0) {
        ImGui::TextDisabled("%llu steps refused, %llu redone%s%s", static_cast<unsigned long long>(snapshot.rejected_steps),
                            static_cast<unsigned long long>(snapshot.redone_steps), r.redone_by ? " by " : "",
                            r.redone_by ? r.redone_by : "");
        tooltip(
            "Steps that were not finite, did not converge, gained energy from nowhere or missed the error tolerance. Implicit methods "
            "hand such a step to a method that only loses energy; the others repeat it with a shorter step.");
    }
    ImGui::PopTextWrapPos();
}

}  // namespace

void integrator_panel(const Snapshot& snapshot, UiState& ui, const PostCommand& post) {
    const Method* current = find_method(snapshot.settings.method);
    std::string method = snapshot.settings.method;
    ImGui::SetNextItemWidth(-1);
    if (method_combo("method", method, ui.interface.method_filter)) post(SetMethod{method});
    if (current) {
        ImGui::PushTextWrapPos(0);
        ImGui::TextDisabled("%s, order %d, %s per step. %s", readable_name(name(current->info.family)).c_str(), current->info.order,
                            current->info.cost, current->info.advice);
        ImGui::PopTextWrapPos();
        tooltip(current->info.reference);
        if (current->info.family != Family::explicit_classical) solver_choices(snapshot, current->info.family, post);
    }
    step_choices(snapshot, post);
    work_line(snapshot);
}

}  // namespace wobble
