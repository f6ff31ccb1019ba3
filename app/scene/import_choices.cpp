#include "app/scene/import_choices.h"

#include "engine/core/text.h"
#include "engine/scene/limits.h"

#include <charconv>
#include <cmath>

namespace wobble {

namespace {

std::string shortest_number(double x) {
    char text[40];
    return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

template <class List, class Kind>
std::string id_of(const List& list, Kind kind) {
    for (const auto& info : list)
        if (info.kind == kind) return info.id;
    return "painted";
}

template <class List, class Kind>
bool choose(const List& list, std::string_view id, Kind& value) {
    for (const auto& info : list)
        if (id == info.id) return value = info.kind, true;
    return false;
}

std::optional<double> number_in(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

bool read(std::string_view key, std::string_view value, ImportChoices& choices) {
    if (key == "unit") return choose(length_units(), value, choices.unit);
    if (key == "up") return choose(up_axes(), value, choices.up);
    if (key == "hold") return value == "painted" ? (choices.hold = Hold::painted, true) : choose(holds(), value, choices.hold);
    if (key == "resolution" && value == "fit") return choices.resolution.reset(), true;
    const auto number = number_in(value);
    if (!number) return false;
    if (key == "size") return choices.size = *number, *number == 0 || limits::size.contains(*number);
    Parameters trial;
    return key == "resolution" && (choices.resolution = *number, set_parameter(trial, key, *number).ok());
}

// The file behind the choices, which have no spaces before it.
std::string_view file_in(std::string_view line, ImportChoices* choices) {
    for (const char* key : {"size", "unit", "up", "hold", "resolution"}) {
        const auto equals = line.find('='), space = line.find(' ');
        if (equals == std::string_view::npos || space == std::string_view::npos || equals > space || line.substr(0, equals) != key)
            return {};
        ImportChoices trial;
        if (!read(key, line.substr(equals + 1, space - equals - 1), choices ? *choices : trial)) return {};
        line.remove_prefix(space + 1);
    }
    return line;
}

}  // namespace

ImportChoices import_choices(const Scene& scene, bool fitted) {
    ImportChoices choices;
    if (const auto* file = std::get_if<FileSource>(&scene.body().source))
        choices.size = file->size, choices.unit = file->unit, choices.up = file->up;
    choices.hold = hold_of(scene.settings.pins());
    if (!fitted) choices.resolution = scene.settings.parameters().resolution;
    return choices;
}

void apply(const ImportChoices& choices, Scene& scene) {
    if (auto* file = std::get_if<FileSource>(&scene.body().source))
        file->size = choices.size, file->unit = choices.unit, file->up = choices.up;
    if (choices.hold != Hold::painted) scene.settings.pins() = pins_of(choices.hold);
    if (choices.resolution) scene.settings.parameters().resolution = *choices.resolution;
}

std::string import_line(const std::string& file, const ImportChoices& c) {
    return text("size=", shortest_number(c.size), " unit=", id_of(length_units(), c.unit), " up=", id_of(up_axes(), c.up),
                " hold=", id_of(holds(), c.hold), " resolution=", c.resolution ? shortest_number(*c.resolution) : "fit", ' ', file);
}

void remember(std::vector<std::string>& lines, const std::string& file, const ImportChoices& choices) {
    if (file.empty()) return;
    std::erase_if(lines, [&](const std::string& line) { return file_in(line, nullptr) == file; });
    lines.insert(lines.begin(), import_line(file, choices));
    if (lines.size() > most_import_lines) lines.resize(most_import_lines);
}

std::optional<ImportChoices> remembered(const std::vector<std::string>& lines, const std::string& file) {
    for (const std::string& line : lines) {
        ImportChoices choices;
        if (!file.empty() && file_in(line, &choices) == file) return choices;
    }
    return std::nullopt;
}

}  // namespace wobble
