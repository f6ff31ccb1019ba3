#include "engine/scene/scene.h"

#include "engine/core/spelling.h"
#include "engine/mesh/volume/body_mesh.h"

#include <algorithm>

namespace wobble {

namespace {

bool is_file_sheet(const BodySource& body) {
    const auto* file = std::get_if<FileSource>(&body.source);
    return file && file->as == SurfaceUse::sheet;
}

}  // namespace

ElasticModel body_model(const Scene& scene, const RunSettings& settings, int body) {
    ElasticModel model = scene.body(body).model;
    model.kind = settings.bodies[static_cast<std::size_t>(body)].model.value_or(model.kind);
    if (is_file_sheet(scene.body(body))) model.kind = ElasticModel::Kind::springs;  // there are no tetrahedra
    return model;
}

BodyKind body_kind(const Scene& scene, const RunSettings& settings, int body) {
    const auto* source = std::get_if<ShapeSource>(&scene.body(body).source);
    const Shape* shape = source ? find_shape(source->shape) : nullptr;
    if ((shape && shape->make_sheet) || is_file_sheet(scene.body(body))) return spring_sheet;
    switch (body_model(scene, settings, body).kind) {
        case ElasticModel::Kind::corotational:
            return corotational_solid;
        case ElasticModel::Kind::neo_hookean:
            return neo_hookean_solid;
        case ElasticModel::Kind::springs:
            break;
    }
    return spring_solid;
}

unsigned body_kinds(const Scene& scene, const RunSettings& settings) {
    unsigned kinds = 0;
    for (int b = 0; b < scene.count(); ++b) kinds |= body_kind(scene, settings, b);
    return kinds;
}

void choose_model(Scene& scene, ElasticModel::Kind kind, const std::vector<std::pair<std::string, double>>& set) {
    const bool own_stiffness = std::any_of(
        set.begin(), set.end(), [](const auto& stated) { return stated.first.ends_with("young") || stated.first.ends_with("stiffness"); });
    for (int b = 0; b < scene.count(); ++b) {
        if (body_kind(scene, b) == spring_sheet) continue;
        if (own_stiffness) scene.body(b).model.kind = kind;
        else scene.settings.bodies[static_cast<std::size_t>(b)].model = kind;
    }
}

Result<const Parameter*> set_parameter(Scene& scene, std::string_view name, double value) {
    int body = -1;
    if (const auto dot = name.rfind('.'); dot != std::string_view::npos) {
        const std::string_view wanted = name.substr(0, dot);
        std::vector<std::string> known;
        for (int i = 0; i < scene.count(); ++i) {
            known.push_back(scene.body_name(i));
            if (wanted == known.back()) body = i;
        }
        if (body < 0)
            return Error{"There is no body " + in_quotes(wanted) + " in scene " + scene.name + "; its bodies: " + join(known) + "."};
        name = name.substr(dot + 1);
    }
    if (auto set = set_parameter(scene.settings, body, name, value); !set) return set.error();
    return find_parameter(name);
}

}  // namespace wobble
