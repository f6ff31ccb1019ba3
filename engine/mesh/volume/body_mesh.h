#pragma once
// From a surface to a body: checks, choice of simulation resolution, tetrahedra, embedding.
#include "engine/core/progress.h"
#include "engine/core/result.h"
#include "engine/mesh/mesh.h"
#include "engine/mesh/surface/check.h"
#include "engine/mesh/volume/tetrahedralize.h"

#include <filesystem>
#include <map>
#include <span>
#include <string>

namespace wobble {

// Procedural shapes, the one list. A solid has `make(parameters, edge)`, which gives a closed surface with edges of about `edge`
// metres; a sheet has `make_sheet(parameters, resolution)`, which gives the whole body.
struct Shape {
    const char* name;                          // "bunny", "beam", "sphere", "torus", "coil", "cloth"
    const char* meaning;                       // one line
    std::map<std::string, double> parameters;  // names and defaults, metres (or counts)
    TriMesh (*make)(const std::map<std::string, double>& parameters, double edge);
    BodyMesh (*make_sheet)(const std::map<std::string, double>& parameters, int resolution) = nullptr;
};
std::span<const Shape> shapes();
const Shape* find_shape(std::string_view name);

struct BodyOptions {
    int resolution = 0;  // wanted number of simulated vertices, approximately; 0: what the surface gives
    TetrahedralizeOptions tetrahedralize;
};
Result<void> check_options(const BodyOptions&);

// A shape: the drawn surface is fine, the simulated one follows `resolution`.
Result<BodyMesh> make_body(const Shape&, const std::map<std::string, double>& parameters, const BodyOptions&, const Progress& = {});
// A mesh file's surface, scaled so that its largest extent is `size` metres (0: left as it is) and resting on y = 0
// (centred in x and z) when `size` > 0. A surface with faults is refused with the first finding's sentence, naming `name`;
// `checked` is check_surface(surface) where that is known already.
Result<BodyMesh> make_body(TriMesh surface, const std::string& name, double size, const BodyOptions&, const Progress& = {},
                           const MeshReport* checked = nullptr);
void scale_and_rest(TriMesh&, const Box&, double size);  // what it does first for a size > 0; the box is the surface's

}  // namespace wobble
