#pragma once
// What can be shown on the body besides its shape, one number per particle and from there per drawn vertex:
//     speed    |v|, m/s
//     strain   |E| with Green's strain E = (F^T F - I) / 2, F the deformation of a tet: 0 for any rigid motion; of a sheet: the largest
//              |relative elongation| of the links at a particle
//     stress   von Mises' sqrt(3/2 s:s), s the deviator of the stress R^T P in the frame that turns with the tet, F = R S, per area at
//              rest; Pa. Co-rotational bodies: 2 mu (S - I) + lambda tr(S - I) I; neo-Hookean ones: a S + b cof S, see neo_hookean_tets.h.
//              Springs have none.
// A particle gets the volume-weighted mean of its tets.
#include "engine/mesh/mesh.h"
#include "engine/model/material.h"
#include "engine/model/state.h"
#include "engine/model/system_parts.h"

#include <span>
#include <vector>

namespace wobble {

enum class Field { none, speed, strain, stress };
struct FieldInfo {
    Field kind;
    const char* id;
    const char* label;
    const char* unit;
    const char* advice;
};
std::span<const FieldInfo> fields();  // the one list

class FieldProbe {
public:
    FieldProbe(const BodyMesh&, std::vector<BodyPart>);  // the body and its models must outlive it
    // One value per vertex of the drawn surface; empty for Field::none. Where there is no such thing (stress of springs) all zero.
    void measure(Field, const State&, const std::vector<Material>& of_bodies, std::vector<float>& out);
    const std::vector<double>& per_particle() const { return value_; }  // of the last measure

private:
    template <class Value>
    void average_of_tets(const VecX& q, IndexRange tets, Value&&);
    void strain_of_links(const VecX& q, IndexRange links);

    const BodyMesh& body_;
    std::vector<BodyPart> parts_;
    struct Element {
        Mat3 inverse_edges;  // of the rest shape: F = [x1-x0, x2-x0, x3-x0] inverse_edges
        double volume;
        double factor;  // of Young's modulus, see stiff_regions.h
    };
    std::vector<Element> elements_;
    std::vector<double> value_, weight_;  // per particle
};

}  // namespace wobble
