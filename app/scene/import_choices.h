#pragma once
// How a person wants a mesh file opened, remembered per file between starts.
#include "engine/scene/import.h"

#include <optional>
#include <string>
#include <vector>

namespace wobble {

struct ImportChoices {
    double size = 1;  // m, largest extent; 0: as in the file
    LengthUnit unit = LengthUnit::metre;
    UpAxis up = UpAxis::guessed;
    Hold hold = usual_hold;
    std::optional<double> resolution = {};  // none: one that fits real time
    bool operator==(const ImportChoices&) const = default;
};

ImportChoices import_choices(const Scene&, bool fitted);  // of a scene made from a mesh file; `fitted`: its resolution was chosen for it
void apply(const ImportChoices&, Scene&);                 // painted pins are kept
std::string import_line(const std::string& file,
                        const ImportChoices&);  // "size=1 unit=m up=guess hold=bottom resolution=fit FILE"

// Lines, newest first. What cannot be read is as if it were not there.
inline constexpr std::size_t most_import_lines = 30;
void remember(std::vector<std::string>& lines, const std::string& file, const ImportChoices&);
std::optional<ImportChoices> remembered(const std::vector<std::string>& lines, const std::string& file);

}  // namespace wobble
