#pragma once
// How many vertices a body will have, before it is filled.
#include <algorithm>

namespace wobble {

// With edges e: about area / (0.87 e^2) on the surface and volume / (0.9 e^3) inside.
struct ExpectedVertices {
    double area, volume;
    double on_surface(double e) const { return area / (0.87 * e * e); }
    double everywhere(double e) const { return on_surface(e) + std::max(volume, 0.0) / (0.9 * e * e * e); }
    double edge(double wanted, double longest) const {
        double e = longest;
        while (everywhere(e) < wanted) e *= 0.97;
        return e;
    }
};

}  // namespace wobble
