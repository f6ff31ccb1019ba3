// Arrows never point left: core -> linalg -> mesh -> model -> solve -> integrate -> view -> scene -> sim -> study -> app; and every library
// has one home.
#include "tests/architecture/tree.h"

#include <gtest/gtest.h>

#include <map>

namespace wobble {
namespace {

const std::vector<std::string> layers{"core", "linalg", "mesh", "model", "solve", "integrate", "view", "scene", "sim", "study"};

int layer_of(const std::string& path) {  // engine/X/...: the rank of X; -1: no layer of the engine
    const auto slash = path.find('/', 7);
    if (!path.starts_with("engine/") || slash == std::string::npos) return -1;
    const auto found = std::find(layers.begin(), layers.end(), path.substr(7, slash - 7));
    return found == layers.end() ? -1 : static_cast<int>(found - layers.begin());
}

std::vector<std::string> includes_of(const std::filesystem::path& file) {
    static const std::regex include(R"(\n[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"])");
    return matches("\n" + text_of(project_root() / file), include);
}

TEST(Layers, TheEngineIncludesNothingToItsRight) {
    const auto files = sources_of("engine");
    ASSERT_GT(files.size(), 10u);
    for (const auto& file : files) {
        const int from = layer_of(file.string());
        EXPECT_GE(from, 0) << file << " is in no layer of the engine";
        for (const std::string& include : includes_of(file)) {
            EXPECT_FALSE(include.starts_with("app/") || include.starts_with("tests/")) << file << " includes " << include;
            if (include.starts_with("engine/")) {
                EXPECT_LE(layer_of(include), from) << file << " includes " << include;
                EXPECT_TRUE(layer_of(include) >= 0) << file << " includes " << include << ", which is in no layer";
            }
        }
    }
}

TEST(Layers, TheAppSeesTheEngineThroughStudySimSceneViewAndCore) {
    const std::vector<const char*> seen{"study", "sim", "scene", "view", "core"};
    const auto files = sources_of("app");
    ASSERT_GT(files.size(), 5u);
    for (const auto& file : files)
        for (const std::string& include : includes_of(file))
            if (include.starts_with("engine/")) {
                const bool open = std::any_of(seen.begin(), seen.end(),
                                              [&](const char* room) { return include.starts_with(std::string("engine/") + room + "/"); });
                EXPECT_TRUE(open) << file << " includes " << include;
            }
}

TEST(Layers, TheEngineKnowsNoGraphics) {
    const std::regex graphics(R"((GL|GLES[23]|EGL|GLFW|KHR|glad)/.*|.*imgui.*|stb_.*)");
    for (const auto& file : sources_of("engine"))
        for (const std::string& include : includes_of(file))
            EXPECT_FALSE(std::regex_match(include, graphics)) << file << " includes " << include;
}

TEST(Layers, EveryLibraryHasOneHome) {
    const std::multimap<std::string, std::string> homes{
        {R"(toml\+\+/.*)", "engine/scene/scene_reader.h"},
        {R"(toml\+\+/.*)", "app/window/settings.cpp"},
        {R"(tetgen\.h)", "engine/mesh/volume/tetgen_helper.cpp"},
        {R"(tiny_obj_loader\.h)", "engine/mesh/io/obj.cpp"},
        {R"(assimp/.*)", "engine/mesh/io/import_helper.cpp"},
        {R"(zlib\.h)", "engine/mesh/io/vtu_array.cpp"},
        {R"(CLI/.*)", "app/cli/options.cpp"},
        {R"(CLI/.*)", "app/cli/option_values.h"},
    };
    for (const auto& [pattern, home] : homes) {
        const std::regex library(pattern);
        bool used = false;
        for (const char* folder : {"engine", "app"})
            for (const auto& file : sources_of(folder))
                for (const std::string& include : includes_of(file))
                    if (std::regex_match(include, library)) {
                        const auto [from, to] = homes.equal_range(pattern);
                        EXPECT_TRUE(std::any_of(from, to, [&](const auto& row) { return row.second == file.string(); }))
                            << file << " includes " << include;
                        used = used || file.string() == home;
                    }
        EXPECT_TRUE(used) << home << " does not include " << pattern << " any more: correct this list";
    }
}

TEST(Layers, FilesStaySmall) {
    for (const char* folder : {"engine", "app", "tests"})
        for (const auto& file : sources_of(folder)) {
            const std::string text = text_of(project_root() / file);
            EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 400) << file << ": split it";
        }
}

}  // namespace
}  // namespace wobble
