#pragma once
// Flat signs on the picture, as triangles: the hand that grabs the body (a line of even width, a ring at its end, a dot on the body), the
// forces of contact, and rings around faults.
#include "app/viewer/camera.h"
#include "engine/sim/snapshot.h"

#include <vector>

namespace wobble {

struct OverlayVertex {
    float x, y;
    float r, g, b, a;
};  // normalised device coordinates

std::vector<OverlayVertex> grab_overlay(const GrabView&, const Camera&, int width, int height);

// A dot where a body is touched and a line along the force there, the strongest a quarter of the scene long.
std::vector<OverlayVertex> contact_overlay(const std::vector<ContactView>&, const Camera&, int width, int height);

// Rings around marked faces that are too small to be seen at this distance. Few, however many there are: one per place.
std::vector<OverlayVertex> fault_overlay(const TriMesh&, const std::vector<std::uint8_t>& marked_faces, const Camera&, int width,
                                         int height);

}  // namespace wobble
