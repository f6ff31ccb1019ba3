#include "engine/view/view_options.h"

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

std::span<const AxisName> view_axes() {
    static constexpr AxisName list[] = {{0, "x"}, {1, "y"}, {2, "z"}};
    return list;
}

std::span<const RecordFormatName> record_format_names() {
    static constexpr RecordFormatName list[] = {{RecordFormat::mp4, "mp4"},   {RecordFormat::png, "png"}, {RecordFormat::gif, "gif"},
                                                {RecordFormat::webp, "webp"}, {RecordFormat::pc2, "pc2"}, {RecordFormat::ply, "ply"},
                                                {RecordFormat::obj, "obj"},   {RecordFormat::vtu, "vtu"}, {RecordFormat::usda, "usda"},
                                                {RecordFormat::glb, "glb"}};
    return list;
}

}  // namespace wobble
