// `wobble list`: what there is to choose from, from the tables of the engine.
#include "app/cli/commands.h"
#include "engine/sim/catalog.h"
#include "engine/study/study.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <iostream>

namespace wobble::cli {

namespace {

using Json = nlohmann::ordered_json;

Json scenes() {
    Json rows = Json::array();
    for (const std::string& name : builtin_scene_names()) {
        const auto scene = load_scene(name);
        Json row = {{"name", name}, {"title", scene ? scene.value().title : scene.message()}};
        if (scene && scene.value().stated) {
            const Stated& stated = *scene.value().stated;
            char facts[120];
            if (stated.lowest_frequency > 0)
                std::snprintf(facts, sizeof facts, " (%.4g kg, wobbles from %.3g Hz, omega_max %.4g rad/s)", stated.mass,
                              stated.lowest_frequency, stated.omega_max);
            else std::snprintf(facts, sizeof facts, " (%.4g kg, omega_max %.4g rad/s)", stated.mass, stated.omega_max);
            row["title"] = scene.value().title + facts;
            row["mass"] = stated.mass;
            row["omega_max"] = stated.omega_max;
            row["lowest_frequency"] = stated.lowest_frequency;
        }
        rows.push_back(row);
    }
    return rows;
}

Json integrators() {
    Json rows = Json::array();
    for (const Method& method : methods()) {
        const MethodInfo& m = method.info;
        rows.push_back({{"name", m.id},
                        {"title", std::string(m.label) + ", order " + std::to_string(m.order) + ", " + name(m.family) + ": " + m.advice},
                        {"label", m.label},
                        {"order", m.order},
                        {"family", name(m.family)},
                        {"advice", m.advice},
                        {"reference", m.reference}});
    }
    return rows;
}

Json force_rows() {
    Json rows = Json::array();
    for (const ForceInfo& force : forces())
        rows.push_back({{"name", force.name}, {"title", force.meaning}, {"parameter", force.parameter}});
    return rows;
}

// What stands behind implicit and exponential methods, and who decides the step: each row with its option.
Json solver_rows() {
    Json rows = Json::array();
    const auto add = [&](const char* option, const auto& list) {
        for (const auto& info : list)
            rows.push_back(
                {{"name", info.id}, {"title", std::string(option) + ", " + info.label + ": " + info.advice}, {"option", option}});
    };
    add("--nonlinear-solver", nonlinear_solvers());
    add("--linear-solver", linear_solvers());
    add("--phi", phi_methods());
    add("--filter", gautschi_filters());
    add("--step-control", step_controls());
    return rows;
}

Json study_rows() {
    Json rows = Json::array();
    for (const Study& study : studies())
        rows.push_back(
            {{"name", study.id}, {"title", std::string(study.title) + ": " + study.shows}, {"label", study.title}, {"shows", study.shows}});
    return rows;
}

}  // namespace

int list(const ListOptions& options) {
    const std::pair<std::string, Json (*)()> tables[] = {
        {"scenes", scenes}, {"integrators", integrators}, {"forces", force_rows}, {"solvers", solver_rows}, {"studies", study_rows}};
    Json all = Json::object();
    for (const auto& [what, rows] : tables)
        if (options.what.empty() || options.what == what) all[what] = rows();
    if (options.json) {
        std::cout << all.dump(2, ' ', false, Json::error_handler_t::replace) << std::endl;
        return fine;
    }
    for (const auto& [what, rows] : all.items())
        for (const Json& row : rows) {
            // With all lists in one, each line says which it belongs to.
            std::string line = !options.what.empty() ? "" : what == "studies" ? "study " : what.substr(0, what.size() - 1) + " ";
            line.resize(std::max<std::size_t>(line.size(), options.what.empty() ? 12 : 0), ' ');
            std::string id = row["name"];
            id.resize(std::max<std::size_t>(id.size(), 18), ' ');
            std::cout << line << id << ' ' << row["title"].get<std::string>() << '\n';
        }
    std::cout.flush();
    return fine;
}

}  // namespace wobble::cli
