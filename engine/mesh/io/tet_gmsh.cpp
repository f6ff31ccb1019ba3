// Gmsh's .msh, versions 2.2 and 4.1, as text and binary (Geuzaine, Remacle 2009; the formats are described in Gmsh's reference manual).
// Vertices have tags of any value; elements a type, of which 2 is a triangle, 3 a quadrilateral, 4 a tetrahedron, 9 and 11 are triangle and
// tetrahedron with nodes on their edges, which are left out.
#include "engine/core/text.h"
#include "engine/mesh/io/readers.h"
#include "engine/mesh/io/text_scan.h"

#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace wobble {

namespace {

constexpr long largest_tag = 1'000'000'000'000;

// Nodes of the element types 1 to 31 of the manual; 0: not known here.
constexpr int nodes_of_type[32] = {0, 2,  3,  4,  4, 8,  6,  5,  3,  6,  9, 10, 27, 18, 14, 1,
                                   8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5,  6,  20, 35, 56};

class Gmsh {
public:
    Gmsh(const MeshText& file, const Progress& progress)
        : scan_(file.file.string(), file.content, '\0'), progress_(progress), size_(static_cast<double>(file.content.size()) + 1) {}

    Result<ImportedMesh> read() {
        if (scan_.word() != "$MeshFormat") return Error{scan_.name() + " does not begin with $MeshFormat; give a Gmsh file."};
        const double version = scan_.number("a version");
        const bool new_way = version >= 4.05 && version < 5, old_way = version >= 2 && version < 3;
        if (scan_.ok() && !new_way && !old_way)
            scan_.refuse(text("version ", version, " of Gmsh's format is not read; save it as version 4.1 or 2.2"));
        binary_ = scan_.whole("0 for text or 1 for binary", 0, 1) == 1;
        if (scan_.whole("the size of a number", 4, 8) != 8) scan_.refuse("numbers are not of 8 bytes; save the file again");
        if (binary_) {
            (void)scan_.line();
            if (integer(4, "the number 1") != 1) scan_.refuse("the file was written on a machine of another byte order; save it as text");
        }
        while (scan_.ok() && wanted_) {
            const std::string key(scan_.word());
            if (key.empty()) break;
            if (!key.starts_with('$') || key.starts_with("$End")) continue;
            if (binary_) (void)scan_.line();
            if (key == "$Nodes") new_way ? nodes_4() : nodes_2();
            else if (key == "$Elements") new_way ? elements_4() : elements_2();
            else skip_to("$End" + key.substr(1));
        }
        if (!wanted_) return Error{"Reading the mesh was cancelled."};
        if (!scan_.ok()) return scan_.failure();
        if (left_out_ > 0)
            return Error{text(scan_.name(), " has ", counted(left_out_, "element that is", "elements that are"),
                              " neither a triangle nor a tetrahedron; split them before.")};
        if (second_order_) mesh_.notes.push_back("The nodes in the middle of edges were left out.");
        return finish_tets(std::move(mesh_), scan_.name());
    }

private:
    long integer(int bytes, const char* what, long low = 0, long high = largest_tag) {
        if (!binary_) return scan_.whole(what, low, high);
        long value = 0;
        if (bytes == 4) {
            std::int32_t small = 0;
            scan_.take(&small, 4), value = small;
        } else {
            scan_.take(&value, 8);
        }
        if (scan_.ok() && (value < low || value > high)) scan_.refuse(text(value, " cannot be ", what)), value = low;
        return value;
    }
    double real() {
        if (!binary_) return scan_.number("a coordinate");
        double value = 0;
        scan_.take(&value, 8);
        if (!std::isfinite(value) || std::abs(value) > coordinate_limit) scan_.refuse("a coordinate is not a usable number"), value = 0;
        return value;
    }
    long amount(int bytes, const char* what, std::size_t least) {
        if (!binary_) return scan_.count(what, least);
        const long value = integer(bytes, what);
        if (scan_.ok() && static_cast<std::size_t>(value) > scan_.left())
            scan_.refuse(text("the file says ", value, " is ", what, ", but is too short for so many; save it again"));
        return scan_.ok() ? value : 0;
    }
    void skip_to(const std::string& end) {
        while (scan_.ok() && !scan_.at_end() && scan_.word() != end) {
        }
    }
    void tick() {
        if (++ticks_ % 8192 == 0) wanted_ = keep_going(progress_, reading_stage, 1 - static_cast<double>(scan_.left()) / size_);
    }
    void vertex(long tag) {
        const double x = real(), y = real(), z = real();
        if (!scan_.ok()) return;
        if (!number_.emplace(tag, static_cast<int>(mesh_.vertices.size())).second) scan_.refuse(text("vertex ", tag, " is there twice"));
        mesh_.vertices.push_back({x, y, z});
        tick();
    }
    void nodes_2() {
        const long count = binary_ ? (scan_header_count("the number of vertices")) : scan_.count("the number of vertices", 8);
        for (long i = 0; i < count && scan_.ok() && wanted_; ++i) vertex(integer(4, "the number of a vertex"));
    }
    // In binary files of version 2.2 counts stand as text on a line of their own.
    long scan_header_count(const char* what) {
        const long count = scan_.count(what, 4);
        (void)scan_.line();
        return count;
    }
    void nodes_4() {
        const long blocks = amount(8, "the number of blocks", 4);
        for (const char* what : {"the number of vertices", "a vertex", "a vertex"}) integer(8, what);
        std::vector<long> tags;
        for (long b = 0; b < blocks && scan_.ok() && wanted_; ++b) {
            const long dimension = integer(4, "a dimension", 0, 3);
            integer(4, "the number of an entity", -largest_tag);
            const bool parametric = integer(4, "0 or 1", 0, 1) == 1;
            const long count = amount(8, "the number of vertices", 2);
            tags.clear();
            for (long i = 0; i < count && scan_.ok(); ++i) tags.push_back(integer(8, "the number of a vertex"));
            for (std::size_t i = 0; i < tags.size() && scan_.ok() && wanted_; ++i) {
                vertex(tags[i]);
                for (long k = 0; parametric && k < dimension; ++k) real();
            }
        }
    }
    void element(long type) {
        std::array<int, 4> corners{};
        const int nodes = nodes_of_type[type];
        const int kept = type == 4 || type == 11 ? 4 : type == 2 || type == 9 ? 3 : type == 3 ? 4 : 0;
        for (int k = 0; k < nodes && scan_.ok(); ++k) {
            const long tag = integer(new_elements_ ? 8 : 4, "the number of a vertex");
            if (k >= kept || !scan_.ok()) continue;
            const auto found = number_.find(tag);
            if (found == number_.end()) return scan_.refuse(text("vertex ", tag, " does not exist"));
            corners[static_cast<std::size_t>(k)] = found->second;
        }
        if (!scan_.ok()) return;
        const auto& [a, b, c, d] = corners;
        second_order_ = second_order_ || type == 9 || type == 11;
        if (type == 4 || type == 11) mesh_.tets.push_back(corners);
        else if (type == 2 || type == 9) mesh_.triangles.push_back({a, b, c});
        else if (type == 3) mesh_.triangles.push_back({a, b, c}), mesh_.triangles.push_back({a, c, d});
        else if (type != 1 && type != 8 && type != 15 && !(type >= 26 && type <= 28)) ++left_out_;  // points and lines are the model's
        tick();
    }
    long known_type(long type) {
        if (scan_.ok() && (type < 1 || type > 31)) scan_.refuse(text("elements of Gmsh's type ", type, " are not known"));
        return scan_.ok() ? type : 1;
    }
    void elements_2() {
        const long count = binary_ ? scan_header_count("the number of elements") : scan_.count("the number of elements", 8);
        for (long i = 0; i < count && scan_.ok() && wanted_;) {
            long type = 0, alike = 1, tags = 0;
            if (binary_) {
                type = known_type(integer(4, "a type"));
                alike = integer(4, "a number of elements", 1, count - i), tags = integer(4, "a number of tags", 0, 1000);
            }
            for (long k = 0; k < alike && scan_.ok() && wanted_; ++k, ++i) {
                integer(4, "the number of an element");
                if (!binary_) type = known_type(integer(4, "a type")), tags = integer(4, "a number of tags", 0, 1000);
                for (long t = 0; t < tags && scan_.ok(); ++t) integer(4, "a tag", -largest_tag);
                element(type);
            }
        }
    }
    void elements_4() {
        new_elements_ = true;
        const long blocks = amount(8, "the number of blocks", 4);
        for (const char* what : {"the number of elements", "an element", "an element"}) integer(8, what);
        for (long b = 0; b < blocks && scan_.ok() && wanted_; ++b) {
            integer(4, "a dimension", 0, 3), integer(4, "the number of an entity", -largest_tag);
            const long type = known_type(integer(4, "a type")), count = amount(8, "the number of elements", 4);
            for (long i = 0; i < count && scan_.ok() && wanted_; ++i) integer(8, "the number of an element"), element(type);
        }
    }

    TextScan scan_;
    const Progress& progress_;
    double size_;
    bool binary_ = false, new_elements_ = false, second_order_ = false, wanted_ = true;
    long left_out_ = 0, ticks_ = 0;
    std::unordered_map<long, int> number_;  // of a tag
    ImportedMesh mesh_;
};

}  // namespace

Result<ImportedMesh> read_gmsh(const MeshText& file, const Progress& progress) { return Gmsh(file, progress).read(); }

}  // namespace wobble
