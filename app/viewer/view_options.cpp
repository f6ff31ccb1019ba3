#include "app/viewer/view_options.h"

#include "engine/sim/snapshot.h"

namespace wobble {

std::span<const BodyColour> body_colours() {
    static const BodyColour list[] = {
        {"Red", ViewOptions{}.colour},         {"Amber", Vec3f(0.85f, 0.42f, 0.06f)}, {"Green", Vec3f(0.16f, 0.46f, 0.11f)},
        {"Teal", Vec3f(0.035f, 0.38f, 0.38f)}, {"Blue", Vec3f(0.06f, 0.20f, 0.62f)},  {"Violet", Vec3f(0.30f, 0.12f, 0.55f)},
        {"Rose", Vec3f(0.78f, 0.22f, 0.33f)},  {"Bone", Vec3f(0.74f, 0.68f, 0.58f)},  {"Slate", Vec3f(0.16f, 0.19f, 0.24f)},
    };
    return list;
}

Show wanted_data(const ViewOptions& options, bool motion) {
    return {motion && options.field == Field::none ? Field::strain : options.field, options.tets || motion};
}

std::optional<Show> DataRequest::next(std::span<const std::shared_ptr<const Snapshot>> shown, Show wanted, double now) {
    bool missing = false;
    for (const auto& snapshot : shown)
        if (snapshot && snapshot->scene)
            missing = missing || snapshot->field != wanted.field || snapshot->particle_positions.empty() == wanted.particles;
    const bool same = asked_.field == wanted.field && asked_.particles == wanted.particles;
    if (!missing || (same && now - at_ < 1)) return std::nullopt;
    asked_ = wanted;
    at_ = now;
    return wanted;
}

}  // namespace wobble
