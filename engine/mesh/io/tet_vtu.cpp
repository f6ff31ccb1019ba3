// VTK's unstructured grids and polygons as XML (.vtu): one Piece with the arrays Points; connectivity, offsets and types of Cells.
// Described in the VTK User's Guide, "VTK file formats".
#include "engine/core/text.h"
#include "engine/mesh/io/readers.h"
#include "engine/mesh/io/tet_cells.h"
#include "engine/mesh/io/text_scan.h"
#include "engine/mesh/io/vtu_array.h"

#include <charconv>
#include <cmath>

namespace wobble {

namespace {

// The tags of an XML file one after the other, with what stands behind each.
class Tags {
public:
    explicit Tags(std::string_view xml) : left_(xml) {}
    bool next() {
        while (true) {
            const auto begin = left_.find('<');
            if (begin == std::string_view::npos) return false;
            left_.remove_prefix(begin);
            const bool comment = left_.starts_with("<!--");
            const auto end = left_.find(comment ? "-->" : ">");
            if (end == std::string_view::npos) return false;
            tag_ = left_.substr(1, end - 1);
            left_.remove_prefix(end + (comment ? 3 : 1));
            if (!comment && !tag_.starts_with('?')) return true;
        }
    }
    std::string_view name() const { return tag_.substr(0, tag_.find_first_of(" \t\r\n/", 1)); }
    std::string value(std::string_view attribute) const {
        for (std::size_t at = tag_.find(attribute); at != std::string_view::npos; at = tag_.find(attribute, at + 1)) {
            if (at == 0 || std::string_view(" \t\r\n").find(tag_[at - 1]) == std::string_view::npos) continue;
            std::size_t from = tag_.find_first_not_of(" \t\r\n", at + attribute.size());
            if (from == std::string_view::npos || tag_[from] != '=') continue;
            from = tag_.find_first_of("\"'", from);
            if (from == std::string_view::npos) return "";
            const std::size_t to = tag_.find(tag_[from], from + 1);
            return to == std::string_view::npos ? "" : std::string(tag_.substr(from + 1, to - from - 1));
        }
        return "";
    }
    std::string_view behind() const { return left_; }

private:
    std::string_view left_, tag_;
};

class Vtu {
public:
    Vtu(const MeshText& file, const Progress& progress) : name_(file.file.string()), content_(file.content), progress_(progress) {}

    Result<ImportedMesh> read() {
        std::string section;
        long points = -1, cells = -1;
        for (Tags tags(content_); tags.next();) {
            const std::string_view tag = tags.name();
            if (tag == "VTKFile") {
                if (auto fine = head(tags); !fine) return fine.error();
            } else if (tag == "Piece") {
                if (points >= 0) return Error{name_ + " has more than one Piece; save it as one."};
                points = whole(tags.value("NumberOfPoints")), cells = whole(tags.value("NumberOfCells"));
                if (points < 1 || cells < 1) return Error{name_ + " has no points or no cells; export it again."};
            } else if (tag == "Points" || tag == "Cells" || tag == "PointData" || tag == "CellData") {
                section = tag;
            } else if (tag == "/Points" || tag == "/Cells" || tag == "/PointData" || tag == "/CellData") {
                section.clear();
            } else if (tag == "AppendedData") {
                break;
            } else if (tag == "DataArray" && (section == "Points" || section == "Cells")) {
                if (points < 0) return Error{name_ + " has numbers outside of a Piece; export it again."};
                const std::string array = section == "Points" ? "Points" : tags.value("Name");
                const auto most = static_cast<std::size_t>(array == "Points" ? 3 * points : array == "connectivity" ? 256 * cells : cells);
                std::vector<double>* to = array == "Points"         ? &points_
                                          : array == "connectivity" ? &corners_
                                          : array == "offsets"      ? &offsets_
                                          : array == "types"        ? &types_
                                                                    : nullptr;
                if (!to) continue;
                const std::string_view text = tags.behind().substr(0, tags.behind().find('<'));
                const long offset = whole(tags.value("offset"));
                auto numbers = vtu_numbers(encoding_, tags.value("type"), tags.value("format"), text,
                                           static_cast<std::size_t>(std::max(0l, offset)), most);
                if (!numbers)
                    return Error{name_ + ": the array " + array + " cannot be read, " + numbers.message() + "; export the file again."};
                *to = std::move(numbers).value();
                if (!keep_going(progress_, reading_stage, 0.5)) return Error{"Reading the mesh was cancelled."};
            }
        }
        if (points < 0) return Error{name_ + " has no Piece of an unstructured grid; give a VTU file with a mesh."};
        if (points_.size() != static_cast<std::size_t>(3 * points) || offsets_.size() != static_cast<std::size_t>(cells) ||
            types_.size() != offsets_.size())
            return Error{text(name_, " says ", points, " points and ", cells, " cells, but holds ", points_.size() / 3, " and ",
                              std::min(offsets_.size(), types_.size()), "; it was cut off, export it again.")};
        return assemble();
    }

private:
    static long whole(const std::string& text) {
        long value = -1;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc{} && end == text.data() + text.size() && value >= 0 && value <= 1'000'000'000 ? value : -1;
    }

    Result<void> head(const Tags& tags) {
        if (tags.value("type") != "UnstructuredGrid")
            return Error{name_ + " is not an unstructured grid but " + shown_word(tags.value("type")) + "; save it as one."};
        encoding_.big_endian = tags.value("byte_order") == "BigEndian";
        encoding_.wide_head = tags.value("header_type") == "UInt64";
        const std::string compressor = tags.value("compressor");
        encoding_.packed = compressor == "vtkZLibDataCompressor";
        if (!compressor.empty() && !encoding_.packed)
            return Error{name_ + " is packed by " + shown_word(compressor) + ", which is not read; save it with ZLib or unpacked."};
        const auto appended = content_.find("<AppendedData");
        if (appended == std::string_view::npos) return {};
        const auto begin = content_.find('>', appended), data = content_.find('_', begin);
        if (data == std::string_view::npos) return Error{name_ + " is cut off; export it again."};
        encoding_.appended_base64 = content_.substr(appended, begin - appended).find("base64") != std::string_view::npos;
        encoding_.appended = content_.substr(data + 1);
        return {};
    }

    Result<ImportedMesh> assemble() {
        ImportedMesh mesh;
        for (std::size_t i = 0; i < points_.size(); i += 3) {
            const Vec3& p = mesh.vertices.emplace_back(points_[i], points_[i + 1], points_[i + 2]);
            if (!p.allFinite() || p.cwiseAbs().maxCoeff() > coordinate_limit)
                return Error{text(name_, ": point ", i / 3, " is not of usable numbers; export the file again.")};
        }
        std::vector<int> cell;
        double begin = 0;
        long odd = 0;
        for (std::size_t c = 0; c < offsets_.size(); ++c) {
            if (!(offsets_[c] >= begin && offsets_[c] <= static_cast<double>(corners_.size())))
                return Error{text(name_, ": cell ", c, " has no sound place in the list; export the file again.")};
            cell.clear();
            for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(offsets_[c]); ++k) {
                if (!(corners_[k] >= 0 && corners_[k] < static_cast<double>(mesh.vertices.size())))
                    return Error{text(name_, ": cell ", c, " uses a point that does not exist; export the file again.")};
                cell.push_back(static_cast<int>(corners_[k]));
            }
            const double type = types_[c];
            odd += !add_cell(mesh, type >= 0 && type < 256 ? static_cast<long>(type) : -1, cell);
            begin = offsets_[c];
        }
        if (odd > 0)
            return Error{text(name_, " has ", counted(odd, "cell that is", "cells that are"),
                              " neither a triangle nor a tetrahedron; split them before.")};
        return finish_tets(std::move(mesh), name_);
    }

    std::string name_;
    std::string_view content_;
    const Progress& progress_;
    VtuEncoding encoding_;
    std::vector<double> points_, corners_, offsets_, types_;
};

}  // namespace

Result<ImportedMesh> read_vtu(const MeshText& file, const Progress& progress) { return Vtu(file, progress).read(); }

}  // namespace wobble
