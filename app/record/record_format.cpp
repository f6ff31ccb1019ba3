#include "app/record/record_format.h"

#include "engine/core/spelling.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace wobble {

namespace {

constexpr RecordFormatInfo list[] = {
    {RecordFormat::mp4, "mp4", "Film (MP4)", ".mp4", true, "A film that plays everywhere; needs the program ffmpeg."},
    {RecordFormat::png, "png", "Pictures (PNG)", "", true, "A folder of frame_000000.png, ...: without loss, for any film program."},
    {RecordFormat::gif, "gif", "Animated GIF", ".gif", true,
     "Pictures that move in web pages and chats, in 256 colours each; large, so keep it small and at 20 or 25 frames per second."},
    {RecordFormat::webp, "webp", "Animated WebP", ".webp", true, "As GIF in all colours and far smaller, for today's browsers."},
    {RecordFormat::pc2, "pc2", "Blender (PC2)", ".pc2", false,
     "The moving surface for Blender's Mesh Cache modifier, and beside it the mesh it belongs to (.obj): import that one, or the file the "
     "body is from, as it is, add "
     "the modifier Mesh Cache to it, format PC2, and leave its axes alone. It holds one mesh, so obstacles are not in it."},
    {RecordFormat::ply, "ply", "Meshes (PLY)", "", false,
     "A folder with the surface of every frame, binary, with the shown field per vertex."},
    {RecordFormat::obj, "obj", "Meshes (OBJ)", "", false, "A folder with the surface of every frame as text that everything reads."},
    {RecordFormat::vtu, "vtu", "ParaView (VTU)", ".pvd", false,
     "The simulated mesh of every frame with displacement and fields for ParaView: open the .pvd, which knows the times."},
    {RecordFormat::usda, "usda", "USD (text)", ".usda", false,
     "A scene for USD: every body a mesh with its points at each frame, in the file's own order, standing where it stands here."},
    {RecordFormat::glb, "glb", "glTF (GLB)", ".glb", false,
     "One file with the mesh and a morph target for each frame, for web viewers, Blender and game engines; for short motions."},
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

// x.abc, but not v1.5, frames/, or a folder that is there.
bool names_another_format(const std::filesystem::path& out) {
    const std::string ending = out.extension().string();
    std::error_code ignored;
    if (ending.size() < 2 || ending.size() > 6 || std::filesystem::is_directory(out, ignored)) return false;
    const auto begin = ending.begin() + 1;
    return std::all_of(begin, ending.end(), [](unsigned char c) { return std::isalnum(c); }) &&
           std::any_of(begin, ending.end(), [](unsigned char c) { return std::isalpha(c); });
}

std::string known_endings() {
    std::vector<std::string> endings;
    for (const RecordFormatInfo& info : list)
        if (info.kind != RecordFormat::png) endings.push_back(*info.suffix ? info.suffix : std::string(".") + info.id);
    return join(endings);
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
    if (!asked && !said && names_another_format(out))
        return Error{"The name " + in_quotes(out.string()) + " ends in " + out.extension().string() +
                         ", which Wobble does not write; it writes " + known_endings() +
                         ", or pictures into a folder named without an ending.",
                     "out"};
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
