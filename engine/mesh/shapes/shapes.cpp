#include "engine/mesh/shapes/shapes.h"

#include "engine/mesh/volume/body_mesh.h"

#include <array>

namespace wobble {

std::span<const Shape> shapes() {
    static const std::array<Shape, 6> table = {{
        {"bunny", "a sitting rabbit of blended ellipsoids, facing +x", {{"height", 1.0}}, make_bunny},
        {"beam", "a straight bar along x", {{"length", 2.0}, {"width", 0.4}, {"height", 0.4}}, make_beam},
        {"sphere", "a ball", {{"radius", 0.5}}, make_sphere},
        {"torus", "a ring standing upright, its axis along z", {{"radius", 0.36}, {"tube", 0.14}}, make_torus},
        {"coil",
         "a coil spring standing upright, with flat end turns",
         {{"height", 1.0}, {"radius", 0.3}, {"tube", 0.05}, {"turns", 5.0}},
         make_coil},
        {"cloth", "a hanging rectangle of cloth, seen from +z", {{"width", 1.2}, {"height", 0.9}}, nullptr, make_cloth},
    }};
    return table;
}

const Shape* find_shape(std::string_view name) {
    for (const Shape& shape : shapes())
        if (name == shape.name) return &shape;
    return nullptr;
}

}  // namespace wobble
