#pragma once
// The body of the benchmarks: the bunny scene at any resolution, moving.
#include "engine/model/mechanical_system.h"
#include "engine/scene/loaded_scene.h"
#include "engine/scene/pin_rules.h"
#include "engine/scene/scene_file.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace wobble {

double seconds(const auto& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Bunny {
    std::shared_ptr<const LoadedScene> scene;
    std::shared_ptr<Workers> workers = std::make_shared<Workers>();
    std::unique_ptr<MechanicalSystem> system;
    State state;

    explicit Bunny(double resolution) {
        auto values = load_scene("spring_bunny").value();
        values.settings.parameters().resolution = resolution;
        auto built = build_scene(values);
        if (!built) std::fprintf(stderr, "%s\n", built.message().c_str()), std::exit(2);
        scene = built.value();
        const TetMesh& mesh = scene->body.tets;
        system = system_with(workers);
        state.q.resize(3 * system->particles());
        for (int i = 0; i < system->particles(); ++i) particle(state.q, i) = mesh.vertices[i];
        state.v = VecX::Zero(state.q.size());
        kick(state, 1);
    }

    std::unique_ptr<MechanicalSystem> system_with(std::shared_ptr<Workers> threads) const {
        const TetMesh& mesh = scene->body.tets;
        return std::make_unique<MechanicalSystem>(mesh, constraints(scene->scene.settings.pins(), mesh.vertices),
                                                  scene->scene.settings.parameters(), threads);
    }

    // Adds `amount` times the scene's shear velocity, so that no start vector is zero.
    void kick(State& moved, double amount) const {
        for (int i = 0; i < system->particles(); ++i)
            if (!system->pinned()[i]) particle(moved.v, i) += amount * scene->body.tets.vertices[i].y() * scene->scene.body().initial_shear;
    }
};

void add_implicit_benchmarks(const Bunny&);  // implicit_bench.cpp
void add_phi_benchmarks(const Bunny&);       // phi_bench.cpp
void add_model_benchmarks(const Bunny&);     // model_bench.cpp

}  // namespace wobble
