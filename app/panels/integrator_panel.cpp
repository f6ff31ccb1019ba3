#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "engine/sim/catalog.h"

namespace wobble {

namespace {

constexpr float value_column = 0.40f;  // where values begin, as a share of the panel

void label(const char* text) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text);
    ImGui::SameLine(value_column * ImGui::GetWindowWidth());
    ImGui::SetNextItemWidth(-1);
}

void method_choice(const Snapshot& snapshot, const Method* current, const PostCommand& post) {
    ImGui::SetNextItemWidth(-1);
    if (!ImGui::BeginCombo("##method", current ? current->info.label : snapshot.method.c_str(), ImGuiComboFlags_HeightLargest)) return;
    const Family families[] = {Family::explicit_classical, Family::implicit_classical, Family::exponential};
    for (const Family family : families) {
        ImGui::TextDisabled("%s", name(family));
        for (const Method& method : methods()) {
            const MethodInfo& info = method.info;
            if (info.family != family) continue;
            ImGui::Indent(0.6f * ImGui::GetFontSize());
            if (ImGui::Selectable(info.label, &method == current)) post(SetMethod{info.id});
            ImGui::Unindent(0.6f * ImGui::GetFontSize());
            tooltip(std::string(info.advice) + "\n" + info.reference);
            ImGui::SameLine(0.78f * ImGui::GetWindowWidth());
            ImGui::TextDisabled("order %d", info.order);
        }
    }
    ImGui::EndCombo();
}

// A combo over one of the engine's lists; true when another row was chosen.
template <class List, class Kind>
bool choice(const char* id, const char* title, const List& list, Kind& kind) {
    label(title);
    const auto current = std::find_if(list.begin(), list.end(), [&](const auto& info) { return info.kind == kind; });
    bool changed = false;
    if (ImGui::BeginCombo(id, current == list.end() ? "" : current->label)) {
        for (const auto& info : list) {
            if (ImGui::Selectable(info.label, info.kind == kind)) kind = info.kind, changed = true;
            tooltip(info.advice);
        }
        ImGui::EndCombo();
    } else if (current != list.end()) {
        tooltip(current->advice);
    }
    return changed;
}

void solver_choices(const Snapshot& snapshot, const PostCommand& post) {
    SolverOptions solver = snapshot.solver;
    bool changed = choice("##nonlinear", "Newton", nonlinear_solvers(), solver.nonlinear);
    changed = choice("##linear", "Linear solver", linear_solvers(), solver.linear) || changed;
    if (changed) post(SetSolver{solver});
}

void phi_choices(const Snapshot& snapshot, const PostCommand& post) {
    SolverOptions solver = snapshot.solver;
    bool changed = choice("##phi", "Phi-functions", phi_methods(), solver.phi);
    if (snapshot.method == "gautschi") changed = choice("##filter", "Filter", gautschi_filters(), solver.filter) || changed;
    if (changed) post(SetSolver{solver});
}

void step_choices(const Snapshot& snapshot, const PostCommand& post) {
    double milliseconds = 1e3 * snapshot.asked_step;
    if (value_slider("step", "Step", "ms", "Simulated time per step. Under step control the method takes as many shorter steps inside it as it needs.", milliseconds,
                     {1e-3, 100, true, false}))
        post(SetStep{1e-3 * milliseconds});
    bool automatic = snapshot.automatic_step;
    ImGui::SetCursorPosX(value_column * ImGui::GetWindowWidth());
    if (ImGui::Checkbox("automatic", &automatic)) post(SetStep{automatic ? 0.0 : snapshot.asked_step});
    tooltip("The method's own choice: from the highest frequency of the body for explicit methods, a fraction of a frame for the others.");
    StepControl control = snapshot.control;
    double tolerance = snapshot.error_tolerance;
    bool changed = choice("##control", "Step control", step_controls(), control);
    if (control == StepControl::error)
        changed = value_slider("tolerance", "Error tolerance", "", "Largest error of one step, relative to its displacement.", tolerance,
                               {1e-6, 1, true, false}) || changed;
    if (changed) post(SetStepControl{control, tolerance});
}

// What the last step took.
void work_line(const Snapshot& snapshot) {
    const StepReport& r = snapshot.report;
    if (r.newton_iterations > 0)
        ImGui::TextDisabled("%d Newton, %d CG iterations, %ld factorizations", r.newton_iterations, r.linear_iterations, r.factorizations);
    else if (r.phi_path) {
        char predicted[32] = "";
        if (r.predicted_dimension > 0) std::snprintf(predicted, sizeof predicted, " (predicted %d)", r.predicted_dimension);
        ImGui::TextDisabled("%s: Krylov dimension %d%s, %ld products, %ld solves", r.phi_path, r.krylov_dimension, predicted,
                            r.operator_products, r.solves);
        if (r.phi_error > 0) ImGui::TextDisabled("phi-functions to %.1g only: faster motion than anybody sees", r.phi_error);
    }
    else ImGui::TextDisabled("%ld force evaluations", r.force_evaluations);
    tooltip("Work of the last step.");
    if (snapshot.rejected_steps == 0) return;
    ImGui::TextDisabled("%llu steps refused, %llu redone%s%s", static_cast<unsigned long long>(snapshot.rejected_steps),
                        static_cast<unsigned long long>(snapshot.redone_steps), r.redone_by ? " by " : "", r.redone_by ? r.redone_by : "");
    tooltip("Steps that were not finite, did not converge, gained energy from nowhere or missed the error tolerance. Implicit methods hand "
            "such a step to a method that only loses energy; the others repeat it with a shorter step.");
}

}  // namespace

void integrator_panel(const Snapshot& snapshot, UiState&, const PostCommand& post) {
    const Method* current = find_method(snapshot.method);
    method_choice(snapshot, current, post);
    if (current) {
        tooltip(current->info.reference);
        ImGui::PushTextWrapPos(0);
        ImGui::TextDisabled("Order %d, %s. %s", current->info.order, name(current->info.family), current->info.advice);
        ImGui::PopTextWrapPos();
    }
    if (current && current->info.family == Family::implicit_classical) solver_choices(snapshot, post);
    if (current && current->info.family == Family::exponential) phi_choices(snapshot, post);
    step_choices(snapshot, post);
    bool halve = snapshot.policy == DivergencePolicy::halve_step;
    label("If it diverges");
    if (ImGui::Checkbox("halve the step", &halve))
        post(SetDivergencePolicy{halve ? DivergencePolicy::halve_step : DivergencePolicy::pause});
    tooltip("Instead of pausing with a message: take half the step and go on.");
    work_line(snapshot);
}

}  // namespace wobble
