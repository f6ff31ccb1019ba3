#pragma once
// Bodies and a faulty mesh that the tests of the scene section share.
#include "engine/sim/catalog.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace wobble {

inline std::shared_ptr<const LoadedScene> loaded(const std::string& name, double resolution = 200) {
    auto scene = load_scene(name);
    if (!scene) return ADD_FAILURE() << scene.message(), nullptr;
    scene.value().settings.parameters().resolution = resolution;
    auto body = build_scene(std::move(scene).value());
    if (!body) return ADD_FAILURE() << body.message(), nullptr;
    return body.value();
}

inline TriMesh sphere_with_hole() {
    const Shape& sphere = *find_shape("sphere");
    TriMesh mesh = sphere.make(sphere.parameters, 0.12);
    mesh.triangles.pop_back();
    return mesh;
}

}  // namespace wobble
