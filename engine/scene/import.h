#pragma once
// How a mesh file becomes a body of this world: its numbers' unit, its size, the axis that points upwards, where it is held. Lists for
// window, command line and scene files, and the sentence that says what was done.
#include "engine/mesh/mesh.h"
#include "engine/scene/scene.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace wobble {

struct LoadedScene;  // import.cpp only

struct LengthUnitInfo {
    LengthUnit kind;
    const char* id;
    const char* label;
    double metres;
};
std::span<const LengthUnitInfo> length_units();
double metres(LengthUnit);

struct UpAxisInfo {
    UpAxis kind;
    const char* id;
    const char* label;
};
std::span<const UpAxisInfo> up_axes();

// The rotation that makes this axis of a file the world's y; a permutation of coordinates with signs, so exact.
Mat3 turned_up(UpAxis);

// y or z: the axis a body stands on. Each kind of file has a usual one (z where files come from scanners, printers and engineering); the
// other is taken where the body has a flat foot there and none on the usual side.
UpAxis guess_up(const TriMesh&, const std::filesystem::path& file);

// x = scale * (turn * X - foot) = scale * turn * X + shift: from a file's coordinates to those of the body, before its Place.
struct FileFrame {
    Mat3 turn = Mat3::Identity();
    double scale = 1;
    Vec3 foot = Vec3::Zero(), shift = Vec3::Zero();
    Vec3 extents = Vec3::Zero();  // of the surface, in the file's coordinates and unit
    bool up_guessed = false;
};

// Turns and scales the surface of a file as its source says, and its box with it; a guessed axis is replaced by what was found. A source
// with a size is scaled so that its largest extent is that, and rests on y = 0, centred in x and z; otherwise it stays where the file has
// it.
FileFrame place_in_world(TriMesh&, Box&, FileSource&);
void put_in_frame(std::vector<Vec3>&, const FileFrame&);  // the same to other points of the file, to the same bits

// Where an opened mesh is held. `painted`: by pins of other shapes.
enum class Hold { nothing, bottom, top, painted };
struct HoldInfo {
    Hold kind;
    const char* id;
    const char* label;
    const char* advice;
};
std::span<const HoldInfo> holds();                // those that can be asked for
inline constexpr Hold usual_hold = Hold::bottom;  // of an opened mesh
std::vector<PinRule> pins_of(Hold);
Hold hold_of(const std::vector<PinRule>&);

// "bunny.obj: 2 x 1.6 x 1.9 as in the file, scaled x 0.5 to 1 m; y up (guessed); held at the bottom; 1480 vertices, 6020 tets". Empty for
// a body that does not come from a file.
std::string import_sentence(const LoadedScene&, int body = 0);

}  // namespace wobble
