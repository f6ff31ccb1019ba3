#pragma once
// What a solid can be made of: the one list.
#include "engine/model/material.h"

#include <span>

namespace wobble {

struct ElasticModelInfo {
    ElasticModel::Kind kind;
    const char* id;  // in scene files, on the command line
    const char* label;
    const char* advice;
};

inline std::span<const ElasticModelInfo> elastic_models() {
    using Kind = ElasticModel::Kind;
    static constexpr ElasticModelInfo table[] = {
        {Kind::springs, "springs", "Springs",
         "The model of the papers: springs along the edges and through each tetrahedron. They do not know inside from outside: what is "
         "turned inside out or crushed flat stays crumpled, and there is no stress to show."},
        {Kind::corotational, "corotational", "Co-rotational",
         "Linear elasticity in a frame that turns with each tetrahedron: Young's modulus and Poisson's ratio. Pushes inverted elements "
         "back, with a force that jumps where an element is flat and thin in two directions."},
        {Kind::neo_hookean, "neo-hookean", "Neo-Hookean",
         "Stable neo-Hookean: a smooth law for large strains, of the same Young's modulus and Poisson's ratio when they are small. A body "
         "turned inside out comes back to its shape."},
    };
    return table;
}

inline const ElasticModelInfo& info_of(ElasticModel::Kind kind) {
    for (const ElasticModelInfo& info : elastic_models())
        if (info.kind == kind) return info;
    return elastic_models().front();
}

}  // namespace wobble
