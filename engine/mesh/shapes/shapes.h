#pragma once
// The generators behind the shape table of body.h, one file per family. Solids are closed, outward surfaces resting on y = 0.
#include "engine/mesh/mesh.h"

#include <map>
#include <string>

namespace wobble {

using ShapeParameters = std::map<std::string, double>;

TriMesh make_bunny(const ShapeParameters&, double edge);
TriMesh make_beam(const ShapeParameters&, double edge);
TriMesh make_sphere(const ShapeParameters&, double edge);
TriMesh make_torus(const ShapeParameters&, double edge);
TriMesh make_coil(const ShapeParameters&, double edge);
BodyMesh make_cloth(const ShapeParameters&, int resolution);  // not closed: a sheet

}  // namespace wobble
