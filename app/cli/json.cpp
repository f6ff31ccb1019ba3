#include "app/cli/json.h"

#include "engine/scene/softness.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>

namespace wobble::cli {

namespace {

using Json = nlohmann::ordered_json;

Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

std::string hex(std::uint64_t hash) {
    char text[24];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

double realtime_factor(const Snapshot& s, const RunOutcome& outcome) { return outcome.wall_seconds > 0 ? s.t / outcome.wall_seconds : 0; }

}  // namespace

std::string run_json(const Snapshot& s, const World::Totals& work, const RunOutcome& outcome, std::uint64_t seed) {
    const Energies& e = s.energies;
    Json json;
    json["scene"] = s.scene->scene.name;
    json["integrator"] = s.settings.method;
    json["status"] = outcome.status;
    json["message"] = outcome.message;
    json["particles"] = s.particles;
    json["tets"] = s.tets;
    json["dofs"] = s.dofs;
    json["mass"] = finite(s.mass);
    json["omega_max"] = finite(s.omega_max);
    json["lowest_frequency"] = finite(slowest_wobble(*s.scene, s.settings, 0));  // Hz, of the first body at rest
    json["inverted_elements"] = s.inverted;
    json["step"] = finite(s.h);
    json["steps"] = s.step;
    json["rejected_steps"] = s.rejected_steps;
    json["redone_steps"] = s.redone_steps;
    json["sim_seconds"] = finite(s.t);
    json["wall_seconds"] = finite(outcome.wall_seconds);
    json["setup_seconds"] = finite(outcome.setup_seconds);
    json["realtime_factor"] = finite(realtime_factor(s, outcome));
    json["energy"] = {{"kinetic", finite(e.kinetic)},
                      {"elastic", finite(e.elastic)},
                      {"potential", finite(e.potential)},
                      {"dissipated", finite(e.dissipated)},
                      {"supplied", finite(e.supplied)},
                      {"total", finite(e.total())},
                      {"initial_total", finite(e.initial_total)},
                      {"max_kinetic", finite(e.max_kinetic)},
                      {"max_drift", finite(e.drift())}};
    json["newton_iterations"] = work.newton_iterations;
    json["linear_iterations"] = work.linear_iterations;
    json["operator_products"] = work.operator_products;
    json["force_evaluations"] = work.force_evaluations;
    json["factorizations"] = work.factorizations;
    json["phi_solves"] = work.solves;
    json["phi_error"] = s.report.phi_error;  // of the last step: 0 unless the tolerance asked for was out of reach
    json["phi_path"] = s.report.phi_path ? Json(s.report.phi_path) : Json();
    json["seed"] = seed;
    json["state_hash"] = hex(s.state_hash);
    json["parameters"] = Json::object();
    for (const Parameter& p : parameters()) json["parameters"][p.name] = finite(s.settings.parameters().*(p.field));
    json["bodies"] = Json::array();
    for (int b = 0; b < s.scene->scene.count(); ++b) {
        const BodyRange range = s.scene->range(b);
        Json body = {{"name", s.scene->scene.body_name(b)}, {"particles", range.particles.size()}, {"tets", range.tets.size()}};
        for (const Parameter& p : parameters()) body["parameters"][p.name] = finite(s.settings.parameters(b).*(p.field));
        json["bodies"].push_back(std::move(body));
    }
    // Names come from outside: what is not UTF-8 is replaced, not thrown.
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string run_summary(const Snapshot& s, const World::Totals& work, const RunOutcome& outcome) {
    const Energies& e = s.energies;
    char text[2000];
    std::snprintf(text, sizeof text,
                  "scene      %.100s: %.200s\n"
                  "body       %d particles, %d unknowns, %d tetrahedra, %.4g kg, highest frequency %.4g rad/s\n"
                  "method     %.60s, last step %.4g ms, %llu steps, %llu rejected, %llu redone by a dissipative method\n"
                  "time       %.6g s simulated in %.3g s (%.3g x real time); body built in %.2g s\n"
                  "energy     kinetic %.6g  elastic %.6g  potential %.6g  dissipated %.6g  total %.6g J\n"
                  "drift      %.3g %% of the largest kinetic energy\n"
                  "work       %ld operator products, %ld force evaluations, %ld factorizations, %ld Newton and %ld CG iterations\n"
                  "status     %.40s, state %s",
                  s.scene->scene.name.c_str(), s.scene->scene.title.c_str(), s.particles, s.dofs, s.tets, s.mass, s.omega_max,
                  s.settings.method.c_str(), 1e3 * s.h, static_cast<unsigned long long>(s.step),
                  static_cast<unsigned long long>(s.rejected_steps), static_cast<unsigned long long>(s.redone_steps), s.t,
                  outcome.wall_seconds, realtime_factor(s, outcome), outcome.setup_seconds, e.kinetic, e.elastic, e.potential, e.dissipated,
                  e.total(), 100 * e.drift(), work.operator_products, work.force_evaluations, work.factorizations, work.newton_iterations,
                  work.linear_iterations, outcome.status.c_str(), hex(s.state_hash).c_str());
    return text;
}

}  // namespace wobble::cli
