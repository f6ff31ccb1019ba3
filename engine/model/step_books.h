#pragma once

namespace wobble {

// What the forces of a system did to the energy at the end of a step, besides what the motion did.
struct StepBooks {
    double dissipated = 0;   // J, all of it: plastic work, and of it
    double impact = 0;       // J: what touching takes
    double friction = 0;     // J
    double impact_room = 0;  // J: that impacts may have taken besides, as far as energy is missing
    double supplied = 0;     // J
    bool changed = false;    // q, v or internal variables of the state are not what the method made them
};

}  // namespace wobble
