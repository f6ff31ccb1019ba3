#include "engine/scene/softness.h"

#include "engine/model/elastic_models.h"
#include "engine/model/mechanical_system.h"
#include "engine/scene/pin_rules.h"
#include "engine/solve/krylov/lowest_elastic.h"

#include <cmath>
#include <cstdio>
#include <numbers>

namespace wobble {

namespace {

double& main_stiffness(Parameters& p, ElasticModel::Kind kind) { return kind == ElasticModel::Kind::springs ? p.stiffness : p.young; }

std::string printed(double x) {
    char text[40];
    std::snprintf(text, sizeof text, "%.3g", x);
    return text;
}

BodySettings& of(RunSettings& settings, int body) { return settings.bodies[static_cast<std::size_t>(body)]; }

}  // namespace

double slowest_wobble(const LoadedScene& loaded, const RunSettings& settings, int body) {
    const BodyRange range = loaded.range(body);
    if (range.sheet()) return 0;
    BodyMesh own;
    const auto part = [](const auto& list, IndexRange r) { return std::vector(list.begin() + r.begin, list.begin() + r.end); };
    own.tets = {part(loaded.body.tets.vertices, range.particles), part(loaded.body.tets.tets, range.tets), {}};
    for (Tet& tet : own.tets.tets)
        for (int& i : tet) i -= range.particles.begin;
    const int n = range.particles.size();
    Constraints held(n, held_by(settings.pins(body), own.tets.vertices));
    if (held.degrees_of_freedom() == 0) return 0;
    const MechanicalSystem system(own, body_model(loaded.scene, settings, body), std::move(held), settings.parameters(body),
                                  std::make_shared<Workers>(1));
    return lowest_elastic_frequency(system, system.rest()) / (2 * std::numbers::pi);
}

double damping_of(double ratio, double hertz) { return hertz > 0 ? ratio / (std::numbers::pi * hertz) : 0; }
double damping_ratio(double beta, double hertz) { return std::numbers::pi * beta * hertz; }

Result<void> scale_stiffness(Parameters& values, ElasticModel::Kind kind, double factor) {
    Parameters edited = values;
    if (kind == ElasticModel::Kind::springs) {
        if (auto set = set_parameter(edited, "stiffness", factor * values.stiffness); !set) return set;
        if (auto set = set_parameter(edited, "edge_stiffness", factor * values.edge_stiffness); !set) return set;
    } else if (auto set = set_parameter(edited, "young", factor * values.young); !set) return set;
    values = edited;
    return {};
}

MeasuredWobble::MeasuredWobble(std::shared_ptr<const LoadedScene> scene, const RunSettings& settings, int body)
    : scene_(std::move(scene)),
      body_(body),
      kind_(body_model(scene_->scene, settings, body).kind),
      settings_(settings.bodies[static_cast<std::size_t>(body)]),
      hertz_(slowest_wobble(*scene_, settings, body)) {}

std::optional<double> MeasuredWobble::of(const std::shared_ptr<const LoadedScene>& scene, const RunSettings& settings, int body) const {
    if (!scene_ || scene != scene_ || body != body_ || body_model(scene->scene, settings, body).kind != kind_) return std::nullopt;
    Parameters now = settings.parameters(body), then = settings_.parameters;
    const double k = main_stiffness(now, kind_), k0 = main_stiffness(then, kind_);
    const bool springs = kind_ == ElasticModel::Kind::springs;
    const bool same_shares = springs ? std::abs(now.edge_stiffness * k0 - then.edge_stiffness * k) <= 1e-9 * then.edge_stiffness * k
                                     : now.poisson == then.poisson;
    if (settings.pins(body) != settings_.pins || !same_shares || !(k0 > 0)) return std::nullopt;
    return hertz_ * std::sqrt(k / k0 * then.density / now.density);
}

Result<void> fulfil_wishes(const LoadedScene& loaded, RunSettings& settings, int body, std::optional<double> measured) {
    RunSettings edited = settings;
    std::optional<double> damping;  // of the first body that says so: it is the same for all
    for (int b = std::max(body, 0); b < (body < 0 ? loaded.scene.count() : body + 1); ++b) {
        Parameters& p = edited.parameters(b);
        if (!(p.wobble > 0) && !(p.damping_ratio > 0)) continue;
        double hertz = measured ? *measured : slowest_wobble(loaded, edited, b);
        if (p.wobble > 0 && hertz > 0) {
            const double factor = p.wobble * p.wobble / (hertz * hertz);
            if (auto scaled = scale_stiffness(p, body_model(loaded.scene, edited, b).kind, factor); !scaled)
                return Error{"wobble = " + printed(p.wobble) + " Hz is out of reach for this body: " + scaled.message()};
            hertz = p.wobble;
        }
        if (p.damping_ratio > 0 && hertz > 0 && !damping) damping = damping_of(p.damping_ratio, hertz);
    }
    for (BodySettings& each : edited.bodies) each.parameters.damping_ratio = 0, each.parameters.wobble = 0;
    if (damping)
        if (auto set = set_parameter(edited, -1, "damping", *damping); !set) return set;
    settings = std::move(edited);
    return {};
}

Result<void> change_model(const LoadedScene& loaded, RunSettings& settings, int body, ElasticModel::Kind kind) {
    if (body < 0 || body >= loaded.scene.count()) return Error{"There is no body " + std::to_string(body + 1) + " in this scene."};
    if (body_model(loaded.scene, settings, body).kind == kind) return {};
    if (loaded.range(body).sheet())
        return Error{"A sheet is made of springs and has no tetrahedra; it cannot become " + std::string(info_of(kind).id) + "."};
    const double before = slowest_wobble(loaded, settings, body);
    RunSettings edited = settings;
    of(edited, body).model = kind;
    const double after = slowest_wobble(loaded, edited, body);
    if (before > 0 && after > 0)
        if (auto scaled = scale_stiffness(edited.parameters(body), kind, before * before / (after * after)); !scaled)
            return Error{"This body cannot become " + std::string(info_of(kind).id) + " of the same stiffness: " + scaled.message()};
    settings = std::move(edited);
    return {};
}

}  // namespace wobble
