#include "app/record/record_format.h"

#include "engine/core/spelling.h"

#include <algorithm>
#include <string>

namespace wobble {

namespace {

constexpr RecordFormatInfo list[] = {
    {RecordFormat::mp4, "mp4", "Film (MP4)", ".mp4", true, "A film that plays everywhere; needs the program ffmpeg."},
    {RecordFormat::png, "png", "Pictures (PNG)", "", true, "A folder of frame_000000.png, ...: without loss, for any film program."},
    {RecordFormat::pc2, "pc2", "Blender (PC2)", ".pc2", false,
     "The moving surface for Blender's Mesh Cache modifier, and beside it the mesh it belongs to (.obj): import that one as it is, add "
     "the modifier Mesh Cache to it, format PC2, and leave its axes alone. It holds one mesh, so obstacles are not in it."},
    {RecordFormat::ply, "ply", "Meshes (PLY)", "", false,
     "A folder with the surface of every frame, binary, with the shown field per vertex."},
    {RecordFormat::obj, "obj", "Meshes (OBJ)", "", false, "A folder with the surface of every frame as text that everything reads."},
    {RecordFormat::vtu, "vtu", "ParaView (VTU)", ".pvd", false,
     "The simulated mesh of every frame with displacement and fields for ParaView: open the .pvd, which knows the times."},
};

// Of a name that says it itself, and what the name becomes.
std::optional<RecordTarget> said_by(const std::filesystem::path& out) {
    const std::string suffix = out.extension().string();
    for (const RecordFormatInfo& info : list)
        if (suffix == info.suffix && *info.suffix) return RecordTarget{info.kind, out};
    for (const RecordFormatInfo& info : list)
        if (suffix == std::string(".") + info.id) return RecordTarget{info.kind, std::filesystem::path(out).replace_extension(info.suffix)};
    return std::nullopt;
}

}  // namespace

std::span<const RecordFormatInfo> record_formats() { return list; }

const RecordFormatInfo& info_of(RecordFormat format) {
    for (const RecordFormatInfo& info : list)
        if (info.kind == format) return info;
    return list[0];
}

Result<RecordTarget> record_target(const std::filesystem::path& out, std::optional<RecordFormat> asked) {
    const auto said = said_by(out);
    if (!asked) return said.value_or(RecordTarget{RecordFormat::png, out});
    const RecordFormatInfo& info = info_of(*asked);
    if (said && said->format != *asked)
        return Error{"The name " + in_quotes(out.string()) + " says " + info_of(said->format).id + ", but the format asked for is " +
                     info.id + "; change one of the two."};
    if (said) return *said;
    std::filesystem::path named = out;
    if (*info.suffix && out.has_filename()) named += info.suffix;
    else if (*info.suffix) named = out / (std::string("wobble") + info.suffix);  // "films/"
    return RecordTarget{*asked, named};
}

int fitting_side(int pixels, RecordFormat format) {
    return std::max(16, format == RecordFormat::mp4 ? pixels - pixels % 2 : pixels);  // an MP4 has even sides
}

}  // namespace wobble
