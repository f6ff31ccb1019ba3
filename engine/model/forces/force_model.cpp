#include "engine/model/forces/force_model.h"

#include <algorithm>

namespace wobble {

namespace {

template <class List, class Bind>
std::vector<Edge> bind_all(std::span<const std::unique_ptr<ForceModel>> forces, List&& list, Bind&& bind) {
    std::vector<std::vector<Edge>> own(forces.size());
    std::vector<Edge> all;
    for (std::size_t f = 0; f < forces.size(); ++f) {
        list(*forces[f], own[f]);
        all.insert(all.end(), own[f].begin(), own[f].end());
    }
    all = unique_edges(std::move(all));
    std::vector<int> place;
    for (std::size_t f = 0; f < forces.size(); ++f) {
        place.clear();
        for (const Edge& pair : own[f]) place.push_back(static_cast<int>(std::lower_bound(all.begin(), all.end(), pair) - all.begin()));
        bind(*forces[f], std::span<const int>(place), static_cast<int>(all.size()));
    }
    return all;
}

}  // namespace

std::vector<Edge> bind_pairs(std::span<const std::unique_ptr<ForceModel>> forces) {
    return bind_all(
        forces, [](const ForceModel& force, std::vector<Edge>& pairs) { force.pairs(pairs); },
        [](ForceModel& force, std::span<const int> place, int edges) { force.bind(place, edges); });
}

std::vector<Edge> bind_varying_pairs(std::span<const std::unique_ptr<ForceModel>> forces) {
    return bind_all(
        forces, [](const ForceModel& force, std::vector<Edge>& pairs) { force.varying_pairs(pairs); },
        [](ForceModel& force, std::span<const int> place, int) { force.bind_varying(place); });
}

int place_internal(std::span<const std::unique_ptr<ForceModel>> forces) {
    int count = 0;
    for (const auto& force : forces) force->place_internal(count), count += force->internal_variables();
    return count;
}

VecX start_internal(std::span<const std::unique_ptr<ForceModel>> forces, int count) {
    VecX internal(count);
    if (count > 0)
        for (const auto& force : forces) force->start_internal(force->own(internal));
    return internal;
}

}  // namespace wobble
