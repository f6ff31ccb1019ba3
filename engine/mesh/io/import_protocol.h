#pragma once
// What wobble-import, which reads meshes by assimp, says to wobble through a pipe, in this machine's byte order. Its arguments are the file
// and the ending of the format to read it as ("ply"). The answer: Header, vertices x 3 double, triangles x 3 int32, a material (int32) per
// triangle, with flag has_uv 6 floats and with has_colours 9 floats per triangle, materials x MaterialRecord, then for each image int64
// size and its bytes: encoded, if embedded is set in the first int64 of it, else the name of a file.
#include <cstdint>

namespace wobble::import_protocol {

struct Header {
    std::uint64_t magic, vertices, triangles, materials, images, flags;
    double unit;  // m; 0: the format does not say
    std::int64_t up;
};
struct MaterialRecord {
    float colour[3];
    std::int32_t image;  // -1: none
};
struct ImageRecord {
    std::int64_t embedded, bytes;
};
constexpr std::uint64_t answer_magic = 0x57424c49'41303031, has_uv = 1, has_colours = 2, is_coloured = 4;
constexpr std::uint64_t largest_count = 50'000'000, largest_images = 64, largest_image = 64'000'000;

// Exit codes of the helper; sentences that matter stand on its standard error.
constexpr int bad_call = 64, no_memory = 65, cannot_answer = 66, unknown_failure = 67, not_understood = 68, no_faces = 69, too_large = 70;

}  // namespace wobble::import_protocol
