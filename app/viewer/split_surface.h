#pragma once
// The drawn surface cut along the borders of its file's colours: a vertex that two triangles show in different colours, or at different
// places of a picture, is drawn as two.
#include "engine/scene/file_vertices.h"

#include <vector>

namespace wobble {

struct SplitSurface {
    std::vector<int> source;               // per vertex: the one of the surface it moves with
    std::vector<Triangle> triangles;       // those without a picture first, then picture by picture
    std::vector<Eigen::Vector4f> colours;  // per vertex: linear, and 1; 0 where the file has none and the body's own colour shows
    std::vector<SurfaceLook::Uv> uv;       // per vertex
    struct Run {
        int begin, count;  // triangles
        int image;         // in SurfaceLook::images; -1: none
    };
    std::vector<Run> runs;
};

SplitSurface split(const std::vector<Triangle>&, const SurfaceLook&);  // the look fits the triangles

}  // namespace wobble
