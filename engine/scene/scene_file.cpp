#include "engine/scene/scene_file.h"

#include "engine/core/embedded_text.h"
#include "engine/core/file.h"
#include "engine/core/spelling.h"
#include "engine/mesh/io/mesh_file.h"
#include "engine/scene/import.h"

#include <algorithm>
#include <cctype>

namespace wobble {

namespace fs = std::filesystem;

std::span<const EmbeddedText> builtin_scene_files();  // assets/scenes, embedded by assets/embed_text.cmake

namespace {

constexpr std::string_view default_scene = "bunny";
constexpr std::size_t largest_scene_file = 1'000'000;

std::string extension_of(const fs::path& file) {
    std::string extension = file.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

Scene scene_of_mesh(const fs::path& file) {
    Scene scene;
    scene.name = file.stem().string();
    scene.title = "The mesh " + file.filename().string();
    scene.body().source = FileSource{.file = file, .up = UpAxis::guessed};
    scene.settings.pins() = pins_of(usual_hold);
    scene.settings.method = "epi3-leapfrog";  // the cheapest where high frequencies are damped
    // Soft enough to be seen to wobble, recovering however it is pulled, and at rest again after some ten seconds.
    scene.body().model.kind = ElasticModel::Kind::neo_hookean;
    scene.settings.parameters().poisson = 0.4;
    scene.settings.parameters().wobble = 2;
    scene.settings.parameters().damping_ratio = 0.02;
    scene.body().initial_shear = Vec3(0, 0, 1);  // a gentle push, so that any body shows at once how it moves
    return scene;
}

Error neither_scene_nor_file(std::string_view name) {
    const std::vector<std::string> known = builtin_scene_names();
    const std::string near = nearest_spelling(name, known);
    return Error{in_quotes(name) + " is neither a built-in scene nor a file" + (near.empty() ? "; " : "; did you mean \"" + near + "\"? ") +
                 (near.empty() ? "built-in scenes: " : "Built-in scenes: ") + join(known) + "; files: .toml scenes and meshes (" +
                 mesh_endings() + ")."};
}

}  // namespace

std::vector<std::string> builtin_scene_names() {
    std::vector<std::string> names;
    for (const EmbeddedText& file : builtin_scene_files()) names.emplace_back(file.name);
    std::sort(names.begin(), names.end());
    std::stable_partition(names.begin(), names.end(), [](const std::string& name) { return name == default_scene; });
    return names;
}

Result<Scene> load_scene(std::string_view name) {
    for (const EmbeddedText& file : builtin_scene_files())
        if (file.name == name) return parse_scene(file.text, {}, std::string(name));
    if (name.empty()) return Error{"The name of the scene is empty; built-in scenes: " + join(builtin_scene_names()) + "."};
    if (name.find('\0') != std::string_view::npos || name.size() > 4096) return Error{in_quotes(name) + " cannot be the name of a file."};

    const fs::path file{std::string(name)};
    const std::string extension = extension_of(file);
    std::error_code error;
    const bool exists = fs::exists(file, error);
    if (!exists && extension != ".toml" && !has_mesh_ending(file)) return neither_scene_nor_file(name);
    if (auto readable = check_readable(file, extension == ".toml" ? largest_scene_file : largest_mesh_file); !readable)
        return readable.error();
    if (extension != ".toml") {
        if (auto format = mesh_format_of(file); !format)
            return Error{in_quotes(name) + " is neither a scene (.toml) nor a mesh (" + mesh_endings() +
                         "), the files Wobble reads; convert it to one of them."};
        return scene_of_mesh(file);
    }
    auto text = read_file(file, largest_scene_file);
    if (!text) return text.error();
    return parse_scene(text.value(), file, file.stem().string());
}

Result<void> save_scene(const Scene& scene, const fs::path& file) {
    auto output = OutputFile::create(file);
    if (!output) return output.error();
    // Names of meshes are written relative to the new scene file, so that both can be moved together.
    Scene moved = scene;
    for (BodySource& body_source : moved.bodies)
        if (auto* from = std::get_if<FileSource>(&body_source.source)) {
            std::error_code error;
            const fs::path relative = fs::proximate(fs::absolute(from->file), fs::absolute(file).parent_path(), error);
            if (!error) from->file = relative;
        }
    for (Obstacle& o : moved.settings.obstacles) {
        if (o.kind != Obstacle::Kind::mesh) continue;
        std::error_code error;
        const fs::path relative = fs::proximate(fs::absolute(o.file), fs::absolute(file).parent_path(), error);
        if (!error) o.file = relative;
    }
    output.value().write(to_toml(moved));
    return output.value().commit();
}

}  // namespace wobble
