#pragma once
// What a MechanicalSystem is put together from, and how each kind of body gives it.
#include "engine/mesh/mesh.h"
#include "engine/model/forces/force_model.h"
#include "engine/model/forces/spring_net.h"

#include <memory>
#include <vector>

namespace wobble {

struct SystemParts {
    std::vector<Vec3> rest;
    VecX share;               // per particle: its volume, m^3, or its mass, kg, if mass_given
    bool mass_given = false;  // then the material's density does not act
    std::vector<std::unique_ptr<ForceModel>> forces;
    struct Owner {
        IndexRange particles, forces;
    };
    std::vector<Owner> owners = {};  // one per body, with its own material; none: one body has all
};

// One of several bodies in a mesh.
struct BodyPart {
    BodyRange range;
    ElasticModel model;
};

// A solid of spring, co-rotational or neo-Hookean tets, a quarter of each tet's volume to each of its vertices; or a sheet of springs, a
// third of each triangle's area times the model's thickness to each of its corners.
SystemParts body_parts(const TetMesh&, const std::vector<Link>&, const ElasticModel&, const std::shared_ptr<Workers>&);
SystemParts body_parts(const BodyMesh& all, const std::vector<BodyPart>&, const std::shared_ptr<Workers>&);
SystemParts net_parts(const SpringNet&, const std::shared_ptr<Workers>&);

}  // namespace wobble
