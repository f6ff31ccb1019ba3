#pragma once
// Scene files (TOML) and the built-in scenes, which are the files of assets/scenes embedded in the program.
#include "engine/core/result.h"
#include "engine/scene/scene.h"

#include <string>
#include <string_view>
#include <vector>

namespace wobble {

std::vector<std::string> builtin_scene_names();  // in display order: the default first, the rest alphabetical

// "bunny" (built-in), "x.toml" (scene file), "x.obj" (mesh file of any known format, with default settings).
// Unknown keys, wrong types and values out of range are errors that name file and line.
Result<Scene> load_scene(std::string_view name_or_file);
Result<Scene> parse_scene(std::string_view toml, const std::filesystem::path& origin, const std::string& name);
std::string to_toml(const Scene&);  // complete and commented; parse_scene(to_toml(s)) gives s back
Result<void> save_scene(const Scene&, const std::filesystem::path& file);

}  // namespace wobble
