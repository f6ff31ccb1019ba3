#pragma once
// What a picture shows (the options themselves: engine/view/view_options.h), and what snapshots must carry for it.
#include "engine/sim/command.h"

#include <memory>
#include <optional>
#include <span>

namespace wobble {

struct Snapshot;

struct BodyColour {
    const char* label;
    Vec3f colour;  // linear
};
std::span<const BodyColour> body_colours();  // to choose from; the first is the default

// `motion`: what the motion of tetrahedra as files needs too, the particles and a field (strain, unless another is shown).
Show wanted_data(const ViewOptions&, bool motion = false);

// Asks for it: gives the command to post when a snapshot that is shown carries something else, and not again at once, for a long step
// may stand between the command and its effect.
class DataRequest {
public:
    std::optional<Show> next(std::span<const std::shared_ptr<const Snapshot>> shown, Show wanted, double now);  // s, any clock

private:
    Show asked_{Field::none, false};
    double at_ = -1e300;
};

}  // namespace wobble
