#include "engine/mesh/io/obj_materials.h"

#include "engine/core/file.h"
#include "engine/core/spelling.h"
#include "engine/mesh/io/readers.h"
#include "engine/mesh/io/text_scan.h"

#include <algorithm>
#include <charconv>

namespace wobble {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t largest_library = 16'000'000, most_materials = 100'000, most_images = 64;

float share(std::string_view word) {
    float value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc{} && value >= 0 && value <= 1 ? value : value > 1 ? 1.0f : 0.0f;
}

// The file's name behind map_Kd and its options; names with blanks only where there are no options.
std::string picture_name(std::string_view rest) {
    if (!rest.starts_with('-')) return std::string(rest);
    const auto blank = rest.find_last_of(" \t");
    return blank == std::string_view::npos ? "" : std::string(rest.substr(blank + 1));
}

}  // namespace

ObjMaterials read_obj_materials(const fs::path& obj, const std::vector<std::string>& libraries, std::vector<std::string>& notes) {
    ObjMaterials all;
    std::map<std::string, int> image_number;
    for (const std::string& library : libraries) {
        std::string named = library;
        std::replace(named.begin(), named.end(), '\\', '/');
        std::error_code missing;
        fs::path file = obj.parent_path() / named;
        if (!fs::exists(file, missing)) file = obj.parent_path() / fs::path(named).filename();
        auto content = read_file(file, largest_library);
        if (!content) {
            notes.push_back("The materials " + in_quotes(library) +
                            " were not found or cannot be read, so the mesh has no colours of them.");
            continue;
        }
        TextScan scan(file.string(), content.value());
        SurfaceLook::Material* current = nullptr;
        while (scan.ok() && !scan.at_end()) {
            const std::string key(scan.word());
            if (key == "newmtl") {
                if (all.materials.size() >= most_materials) break;
                const std::string name(scan.line());
                all.number.emplace(name, static_cast<int>(all.materials.size()));
                all.number.emplace(name.substr(0, name.find_first_of(" \t")), static_cast<int>(all.materials.size()));  // as usemtl is read
                current = &all.materials.emplace_back();
                continue;
            }
            if (key == "Kd" && current) {
                for (int k = 0; k < 3; ++k) current->colour[k] = share(scan.word_of_line());
            } else if (key == "map_Kd" && current) {
                const std::string picture = picture_name(scan.line());
                const auto [entry, is_new] = image_number.emplace(picture, -1);
                if (is_new && all.images.size() < most_images)
                    if (auto bytes = read_picture(obj, picture, notes)) {
                        entry->second = static_cast<int>(all.images.size());
                        all.images.push_back(std::move(*bytes));
                    }
                current->image = entry->second;
                if (current->image >= 0)
                    current->colour = Vec3f::Ones();  // programs write Kd 0 or 0.8 beside a picture, and show the picture
                continue;
            }
            (void)scan.line();
        }
    }
    return all;
}

}  // namespace wobble
