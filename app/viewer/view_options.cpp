#include "app/viewer/view_options.h"

#include "engine/sim/snapshot.h"

namespace wobble {

std::span<const LookInfo> looks() {
    static constexpr LookInfo list[] = {
        {Look::rubber, "rubber", "Rubber", "Satin skin with a little light under it."},
        {Look::clay, "clay", "Clay", "Matt: shows the shape and nothing else."},
        {Look::porcelain, "porcelain", "Porcelain", "Glazed: mirrors the studio's lamps, which shows small dents and ripples."},
        {Look::metal, "metal", "Metal", "Brushed: mirrors the whole studio, which shows how the surface bends."},
        {Look::jelly, "jelly", "Jelly", "Lets light through: thin parts glow."},
    };
    return list;
}

std::span<const BodyColour> body_colours() {
    static const BodyColour list[] = {
        {"Red", ViewOptions{}.colour},          {"Amber", Vec3f(0.85f, 0.42f, 0.06f)}, {"Green", Vec3f(0.16f, 0.46f, 0.11f)},
        {"Teal", Vec3f(0.035f, 0.38f, 0.38f)},  {"Blue", Vec3f(0.06f, 0.20f, 0.62f)},  {"Violet", Vec3f(0.30f, 0.12f, 0.55f)},
        {"Rose", Vec3f(0.78f, 0.22f, 0.33f)},   {"Bone", Vec3f(0.74f, 0.68f, 0.58f)},  {"Slate", Vec3f(0.16f, 0.19f, 0.24f)},
    };
    return list;
}

Show wanted_data(const ViewOptions& options) { return {options.field, options.tets}; }

std::optional<Show> DataRequest::next(std::span<const std::shared_ptr<const Snapshot>> shown, const ViewOptions& options, double now) {
    const Show wanted = wanted_data(options);
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
