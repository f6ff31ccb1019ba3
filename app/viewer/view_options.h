#pragma once
// What a picture shows; a plain value.
#include "engine/sim/command.h"

#include <memory>
#include <optional>
#include <span>

namespace wobble {

struct Snapshot;

enum class Look { rubber, clay, porcelain, metal, jelly };
struct LookInfo {
    Look kind;
    const char* id;
    const char* label;
    const char* advice;
};
std::span<const LookInfo> looks();  // the one list

struct BodyColour {
    const char* label;
    Vec3f colour;  // linear
};
std::span<const BodyColour> body_colours();  // to choose from; the first is the default

struct ViewOptions {
    bool wireframe = false;
    bool ground = true;
    bool shadow = true;
    bool highlight_pins = true;
    bool dark = false;                            // the room
    int samples = 4;                              // per pixel: 1 is faster, 4 has smooth edges
    int shadow_side = 1024;                       // texels of the shadow map: 512 is faster, and blurs a little more
    Vec3f colour = Vec3f(0.78f, 0.175f, 0.075f);  // of the body, linear
    Look look = Look::rubber;
    Field field = Field::none;  // colours the body
    float field_high = 0;       // the value at the colour bar's upper end; 0: follows the motion
    bool tets = false;          // instead of the surface; a sheet has none and is drawn as ever
    float cut = 0.5f;           // share of the body's extent that is cut away from them, 0 to 1
    int cut_axis = 0;           // 0, 1, 2: along x, y, z
    bool cut_low_side = false;  // cut away from the low end of the axis; else from the high end
    bool operator==(const ViewOptions&) const = default;
};

// What snapshots must carry for it.
Show wanted_data(const ViewOptions&);

// Asks for it: gives the command to post when a snapshot that is shown carries something else, and not again at once, for a long step
// may stand between the command and its effect.
class DataRequest {
public:
    std::optional<Show> next(std::span<const std::shared_ptr<const Snapshot>> shown, const ViewOptions&, double now);  // s, any clock

private:
    Show asked_{Field::none, false};
    double at_ = -1e300;
};

}  // namespace wobble
