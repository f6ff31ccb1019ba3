#pragma once
// Any surface becomes a body: filled, wrapped in a cage, or a sheet.
#include "engine/mesh/volume/body_mesh.h"
#include "engine/mesh/wrap/surface_use.h"

namespace wobble {

struct WrappedBodyOptions {
    SurfaceUse as = SurfaceUse::automatic;
    double size = 0;  // m, largest extent after scaling, then resting on y = 0; 0: left as it is
    BodyOptions body;
};
struct WrappedBody {
    BodyMesh body;  // the vertices that were given are the first of its surface, in their order; triangles larger than the tetrahedra
                    // are divided
    SurfaceUse used = SurfaceUse::solid;
    std::string sentence;  // what was done with a surface that cannot be filled as it is, and why; empty: nothing
};

// `checked` is check_surface(surface) where that is known already. Refuses what is not finite, has no faces or no extent, and with
// `solid` what has faults.
Result<WrappedBody> make_any_body(TriMesh surface, const std::string& name, const WrappedBodyOptions&, const Progress& = {},
                                  const MeshReport* checked = nullptr);

std::string faults_in_short(const MeshReport&);  // "is not closed and cuts through itself"; empty: none

}  // namespace wobble
