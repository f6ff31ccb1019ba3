#pragma once
// What an OBJ's material libraries (.mtl) say about colours: newmtl, Kd and map_Kd, all else is passed over.
#include "engine/mesh/surface_look.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace wobble {

struct ObjMaterials {
    std::vector<SurfaceLook::Material> materials{{}};  // the first is that of faces without one
    std::vector<std::string> images;
    std::map<std::string, int> number;  // of a name in materials
};

// Reads the libraries that are named in `obj`, from beside it. What is missing or broken leaves a note.
ObjMaterials read_obj_materials(const std::filesystem::path& obj, const std::vector<std::string>& libraries,
                                std::vector<std::string>& notes);

}  // namespace wobble
