// VTK's legacy files (.vtk), versions 2 to 5, as text and binary (big endian): unstructured grids and polygons. Described in the VTK User's
// Guide, "VTK file formats".
#include "engine/core/text.h"
#include "engine/mesh/io/polygon.h"
#include "engine/mesh/io/readers.h"
#include "engine/mesh/io/tet_cells.h"
#include "engine/mesh/io/text_scan.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace wobble {

namespace {

std::string lower(std::string_view word) {
    std::string out(word);
    for (char& c : out) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    return out;
}

std::size_t bytes_of(const std::string& type) {
    if (type == "double" || type == "vtktypeint64" || type == "long" || type == "unsigned_long" || type == "vtkidtype") return 8;
    if (type == "float" || type == "int" || type == "unsigned_int" || type == "vtktypeint32") return 4;
    return 0;
}

class Vtk {
public:
    Vtk(const MeshText& file, const Progress& progress) : scan_(file.file.string(), file.content, '\0'), progress_(progress) {}

    Result<ImportedMesh> read() {
        const std::string head(scan_.line());
        const auto version = head.find("Version ");
        if (!head.starts_with("# vtk DataFile") || version == std::string::npos)
            return Error{scan_.name() + " does not begin with \"# vtk DataFile Version\"; give a VTK file."};
        new_way_ = head.size() > version + 8 && head[version + 8] >= '5' && head[version + 8] <= '9';
        (void)scan_.line();  // the title
        const std::string kind = lower(scan_.word());
        binary_ = kind == "binary";
        if (!binary_ && kind != "ascii") scan_.refuse(shown_word(kind) + " is neither ASCII nor BINARY");
        while (scan_.ok()) {
            const std::string key = lower(scan_.word());
            if (key.empty() || key == "point_data" || key == "cell_data" || key == "field") break;
            if (key == "dataset") dataset(lower(scan_.word()));
            else if (key == "points") points();
            else if (key == "cells" || key == "polygons" || key == "triangle_strips" || key == "lines" || key == "vertices") cells(key);
            else if (key == "cell_types") types();
            else if (key == "metadata") skip_metadata();
            else scan_.refuse(shown_word(key) + " is not expected here; export the file again");
            if (!keep_going(progress_, reading_stage, 0.5)) return Error{"Reading the mesh was cancelled."};
        }
        if (!scan_.ok()) return scan_.failure();
        return assemble();
    }

private:
    void dataset(const std::string& kind) {
        if (kind != "unstructured_grid" && kind != "polydata")
            scan_.refuse("a data set of kind " + shown_word(kind) + " is no mesh of triangles or tetrahedra; save an unstructured grid");
    }

    void skip_metadata() {  // to the next empty line
        (void)scan_.line();
        while (scan_.left() > 0 && !scan_.line().empty()) {
        }
    }

    // count numbers of this type.
    template <class T>
    std::vector<T> numbers(long count, const std::string& type, const char* what) {
        std::vector<T> out;
        const std::size_t each = bytes_of(type);
        if (each == 0) scan_.refuse("numbers of type " + shown_word(type) + " are not read");
        if (binary_) (void)scan_.line();
        if (scan_.ok() && (count < 0 || static_cast<std::size_t>(count) > scan_.left() / (binary_ ? each : 1)))
            scan_.refuse(text("the file is too short for ", count, " numbers; it was cut off, export it again"));
        if (!scan_.ok()) return out;
        out.reserve(static_cast<std::size_t>(count));
        for (long i = 0; i < count && scan_.ok(); ++i) {
            if (!binary_) {
                if constexpr (std::is_floating_point_v<T>) out.push_back(scan_.number(what));
                else out.push_back(scan_.whole(what, 0, 1'000'000'000));
                continue;
            }
            char raw[8];
            scan_.take(raw, each);
            std::reverse(raw, raw + each);
            if (type == "double") out.push_back(static_cast<T>(read_as<double>(raw)));
            else if (type == "float") out.push_back(static_cast<T>(read_as<float>(raw)));
            else if (each == 8) out.push_back(static_cast<T>(read_as<std::int64_t>(raw)));
            else out.push_back(static_cast<T>(read_as<std::int32_t>(raw)));
        }
        return out;
    }
    template <class T>
    static T read_as(const char* raw) {
        T value;
        std::memcpy(&value, raw, sizeof value);
        return value;
    }

    void points() {
        const long count = scan_.count("the number of points", 3);
        const std::string type = lower(scan_.word_of_line());
        const std::vector<double> x = numbers<double>(3 * count, type, "a coordinate");
        for (std::size_t i = 0; i + 2 < x.size(); i += 3) {
            const Vec3& p = mesh_.vertices.emplace_back(x[i], x[i + 1], x[i + 2]);
            if (!p.allFinite() || p.cwiseAbs().maxCoeff() > coordinate_limit)
                return scan_.refuse(text("point ", i / 3, " is not of usable numbers; export the file again"));
        }
    }

    void cells(const std::string& key) {
        std::vector<std::vector<int>> list;
        const long first = scan_.count("a number of cells", 1), second = scan_.count("the size of the list", 1);
        if (!scan_.ok()) return;
        if (new_way_ && lower(scan_.peek()) == "offsets") {
            scan_.word();
            const std::vector<long> offsets = numbers<long>(first, lower(scan_.word_of_line()), "an offset");
            if (scan_.ok() && lower(scan_.word()) != "connectivity") scan_.refuse("CONNECTIVITY is missing");
            const std::vector<long> corners = numbers<long>(second, lower(scan_.word_of_line()), "the number of a point");
            for (std::size_t c = 0; c + 1 < offsets.size() && scan_.ok(); ++c) {
                if (offsets[c] < 0 || offsets[c] > offsets[c + 1] || offsets[c + 1] > second)
                    return scan_.refuse(text("cell ", c, " has no sound place in the list; export the file again"));
                list.emplace_back(corners.begin() + offsets[c], corners.begin() + offsets[c + 1]);
            }
        } else {
            const std::vector<long> all = numbers<long>(second, "int", "the number of a point");
            std::size_t at = 0;
            for (long c = 0; c < first && scan_.ok(); ++c) {
                const long corners = at < all.size() ? all[at] : -1;
                if (corners < 0 || static_cast<std::size_t>(corners) >= all.size() - at)
                    return scan_.refuse(text("cell ", c, " has no sound number of corners; export the file again"));
                list.emplace_back(all.begin() + static_cast<long>(at) + 1, all.begin() + static_cast<long>(at) + 1 + corners);
                at += static_cast<std::size_t>(corners) + 1;
            }
        }
        if (key == "cells") cells_ = std::move(list);
        else if (key == "polygons") polygons_ = std::move(list);
        else if (key == "triangle_strips") strips_ = std::move(list);
    }

    void types() {
        const long count = scan_.count("a number of cells", 1);
        types_ = numbers<long>(count, "int", "a cell's type");
    }

    bool sound(const std::vector<int>& corners) const {
        return std::all_of(corners.begin(), corners.end(), [&](int v) { return v >= 0 && v < static_cast<int>(mesh_.vertices.size()); });
    }

    Result<ImportedMesh> assemble() {
        if (types_.size() != cells_.size())
            return Error{text(scan_.name(), " has ", cells_.size(), " cells but ", types_.size(), " types of cells; export it again.")};
        long odd = 0;
        for (const auto* list : {&cells_, &polygons_, &strips_})
            for (std::size_t c = 0; c < list->size(); ++c) {
                if (!sound((*list)[c]))
                    return Error{text(scan_.name(), ": cell ", c, " uses a point that does not exist; export it again.")};
                odd += !add_cell(mesh_, list == &cells_ ? types_[c] : list == &polygons_ ? 7 : 6, (*list)[c]);
            }
        if (odd > 0)
            return Error{text(scan_.name(), " has ", counted(odd, "cell that is", "cells that are"),
                              " neither a triangle nor a tetrahedron; split them before.")};
        return finish_tets(std::move(mesh_), scan_.name());
    }

    TextScan scan_;
    const Progress& progress_;
    bool binary_ = false, new_way_ = false;
    std::vector<std::vector<int>> cells_, polygons_, strips_;
    std::vector<long> types_;
    ImportedMesh mesh_;
};

}  // namespace

bool add_cell(ImportedMesh& mesh, long type, std::span<const int> c) {
    const std::size_t n = c.size();
    if (type >= 1 && type <= 4) return true;
    if ((type == 10 && n == 4) || (type == 24 && n == 10)) return mesh.tets.push_back({c[0], c[1], c[2], c[3]}), true;
    if ((type == 5 && n == 3) || (type == 22 && n == 6)) return mesh.triangles.push_back({c[0], c[1], c[2]}), true;
    if ((type == 9 && n == 4) || (type == 7 && n >= 3 && n <= 256)) return triangulate_polygon(mesh.vertices, c, mesh.triangles), true;
    if (type != 6 || n < 3) return false;
    for (std::size_t k = 0; k + 2 < n; ++k) mesh.triangles.push_back({c[k], c[k + 1 + k % 2], c[k + 2 - k % 2]});
    return true;
}

Result<ImportedMesh> read_vtk(const MeshText& file, const Progress& progress) { return Vtk(file, progress).read(); }

}  // namespace wobble
