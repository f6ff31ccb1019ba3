// tinyobjloader reads "nan" as 0, overflowing numbers as anything, and accepts every index; so each vertex and face line is
// examined first, and only these lines reach it; materials are read apart (obj_materials.h).
#include "engine/mesh/io/obj.h"

#include "engine/core/file.h"
#include "engine/core/text.h"
#include "engine/mesh/io/obj_materials.h"
#include "engine/mesh/io/polygon.h"
#include "engine/mesh/io/readers.h"
#include "engine/mesh/io/text_scan.h"

#include <tiny_obj_loader.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>
#include <string_view>

namespace wobble {
namespace {

constexpr const char* stage = reading_stage;
const Error cancelled{"Reading the mesh was cancelled."};
constexpr std::size_t line_limit = 1u << 16;
constexpr int corner_limit = 256;

std::string_view next_word(std::string_view& line) {
    const auto begin = line.find_first_not_of(" \t\r\v\f");
    if (begin == std::string_view::npos) return line = {};
    const auto end = std::min(line.find_first_of(" \t\r\v\f", begin), line.size());
    const std::string_view word = line.substr(begin, end - begin);
    line.remove_prefix(end);
    return word;
}

template <class T>
bool parse(std::string_view word, T& value) {
    if (word.starts_with('+')) word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc{} && end == word.data() + word.size();
}

std::string quoted(std::string_view word) { return shown_word(word); }

// The vertex and face lines of an OBJ, each one sound.
class Scan {
public:
    Scan(std::string name, long total, const Progress& progress) : name_(std::move(name)), total_(total), progress_(progress) {}

    Result<std::string> run(std::string_view content) {
        if (content.find('\0') != std::string_view::npos) return Error{text(name_, " is not text; give a Wavefront OBJ file.")};
        std::string sound;
        sound.reserve(content.size());
        const double size = static_cast<double>(content.size());
        while (!content.empty()) {
            if (number_ % 8192 == 0 && !keep_going(progress_, stage, 0.4 * (1 - static_cast<double>(content.size()) / size)))
                return cancelled;
            std::string joined;  // a backslash at the end of a line continues it
            std::string_view line = take_line(content);
            while (line.ends_with('\\') && !content.empty() && joined.size() < line_limit)
                joined.append(line.substr(0, line.size() - 1)) += ' ', line = take_line(content);
            if (!joined.empty()) line = joined.append(line);
            if (line.size() > line_limit)
                return Error{text(name_, ", line ", number_, ", is longer than ", line_limit,
                                  " characters; this is hardly an OBJ, export it again.")};
            const Result<bool> wanted = examine(line);
            if (!wanted) return wanted.error();
            if (wanted.value()) sound.append(line) += '\n';
        }
        if (vertices_ == 0) return Error{text(name_, " has no vertices; give a Wavefront OBJ file with a triangle surface.")};
        if (faces_ == 0)
            return Error{
                text(name_, " has ", counted(vertices_, "vertex", "vertices"), " but no faces; export it as a surface, not as points.")};
        return sound;
    }

    // Of the vertices that have three numbers more, as many programs write them; only if all have.
    std::vector<Vec3f> colours() {
        return colours_.size() == static_cast<std::size_t>(vertices_) ? std::move(colours_) : std::vector<Vec3f>();
    }
    const std::vector<std::string>& libraries() const { return libraries_; }

private:
    std::string_view take_line(std::string_view& content) {
        ++number_;
        const auto end = std::min(content.find('\n'), content.size());
        std::string_view line = content.substr(0, end);
        content.remove_prefix(std::min(end + 1, content.size()));
        line = line.substr(0, line.find('#'));  // here, so that a backslash that ends a comment continues nothing
        if (line.ends_with('\r')) line.remove_suffix(1);
        return line;
    }

    // Whether the line matters; an error when it matters and is wrong.
    Result<bool> examine(std::string_view line) {
        const std::string_view key = next_word(line);
        if (key == "v") return vertex(line);
        if (key == "f") return face(line);
        if (key == "mtllib" && libraries_.size() < 16) {
            while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
            while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
            if (!line.empty()) libraries_.emplace_back(line);
        }
        return key == "vt" || key == "usemtl";
    }

    Result<bool> vertex(std::string_view line) {
        for (int k = 0; k < 3; ++k) {
            const std::string_view word = next_word(line);
            double x = 0;
            if (!parse(word, x))
                return Error{text(name_, ", line ", number_, ": ", quoted(word), " is not a coordinate; a vertex is v x y z.")};
            if (!std::isfinite(x) || std::abs(x) > coordinate_limit)
                return Error{text(name_, ", line ", number_, ": the coordinate ", quoted(word),
                                  " is not a usable number; repair the file or export it again.")};
        }
        ++vertices_;
        Vec3f colour = Vec3f::Zero();
        for (int k = 0; k < 3; ++k)
            if (!parse(next_word(line), colour[k]) || !(colour[k] >= 0 && colour[k] <= 1)) return true;
        if (next_word(line).empty() && colours_.size() + 1 == static_cast<std::size_t>(vertices_)) colours_.push_back(colour);
        return true;
    }

    Result<bool> face(std::string_view line) {
        int corners = 0;
        for (std::string_view word = next_word(line); !word.empty(); word = next_word(line), ++corners) {
            long index = 0;
            if (!parse(word.substr(0, word.find('/')), index))
                return Error{text(name_, ", line ", number_, ": ", quoted(word), " is not a vertex number; a face is f 1 2 3.")};
            if (index == 0 || index > total_ || -index > vertices_)
                return Error{text(name_, ", line ", number_, ": vertex ", index, " does not exist, the file has ", total_,
                                  "; repair the face or export it again.")};
        }
        if (corners < 3) return Error{text(name_, ", line ", number_, ": a face needs three corners, this has ", corners, "; remove it.")};
        if (corners > corner_limit)
            return Error{text(name_, ", line ", number_, ": a face with ", corners, " corners is more than ", corner_limit,
                              "; triangulate it before.")};
        ++faces_;
        return true;
    }

    std::string name_;
    long total_;  // vertices in the whole file
    const Progress& progress_;
    long number_ = 0, vertices_ = 0, faces_ = 0;
    std::vector<Vec3f> colours_;
    std::vector<std::string> libraries_;
};

// Vertices may follow the faces that use them, so they are counted first.
long count_vertices(std::string_view content) {
    long count = 0;
    while (!content.empty()) {
        const auto end = std::min(content.find('\n'), content.size());
        std::string_view line = content.substr(0, end);
        count += next_word(line) == "v";
        content.remove_prefix(std::min(end + 1, content.size()));
    }
    return count;
}

struct Collector {
    std::vector<Vec3> vertices;
    std::vector<SurfaceLook::Uv> uvs;
    std::vector<int> corners, corner_uvs, starts{0}, materials;  // materials: per face, in names
    std::vector<std::string> names{""};
    std::map<std::string, int> number{{"", 0}};
    int material = 0;
};

tinyobj::callback_t collecting() {
    tinyobj::callback_t callback;
    callback.vertex_cb = [](void* user, double x, double y, double z, double) {
        static_cast<Collector*>(user)->vertices.push_back({x, y, z});
    };
    callback.texcoord_cb = [](void* user, double u, double v, double) {
        const bool usable = std::abs(u) < 1e6 && std::abs(v) < 1e6;
        static_cast<Collector*>(user)->uvs.push_back(usable ? SurfaceLook::Uv(static_cast<float>(u), static_cast<float>(v))
                                                            : SurfaceLook::Uv(0, 0));
    };
    callback.usemtl_cb = [](void* user, const char* name, int) {
        Collector& to = *static_cast<Collector*>(user);
        const auto [entry, is_new] = to.number.emplace(name, static_cast<int>(to.names.size()));
        if (is_new) to.names.emplace_back(name);
        to.material = entry->second;
    };
    callback.index_cb = [](void* user, tinyobj::index_t* indices, int count) {
        Collector& to = *static_cast<Collector*>(user);
        for (int i = 0; i < count; ++i) {
            const int v = indices[i].vertex_index, uv = indices[i].texcoord_index;
            to.corners.push_back(v > 0 ? v - 1 : static_cast<int>(to.vertices.size()) + v);
            to.corner_uvs.push_back(uv > 0 ? uv - 1 : uv < 0 ? static_cast<int>(to.uvs.size()) + uv : -1);
        }
        to.starts.push_back(static_cast<int>(to.corners.size()));
        to.materials.push_back(to.material);
    };
    return callback;
}

// The colours of the triangles, each of which came from a face; none where the file has none.
std::optional<SurfaceLook> look_of(const Collector& all, const std::vector<Vec3f>& vertex_colours, const std::vector<int>& face_of,
                                   const std::vector<std::array<int, 3>>& corners_of, ObjMaterials known) {
    const bool coloured = known.materials.size() > 1, painted = !vertex_colours.empty(), pictured = !known.images.empty();
    if (!coloured && !painted) return std::nullopt;
    SurfaceLook look{std::move(known.materials), std::move(known.images), {}, {}, {}};
    if (painted) look.materials[0].colour = Vec3f::Ones();
    std::vector<int> material;
    for (const std::string& name : all.names) {
        const auto found = known.number.find(name);
        material.push_back(found == known.number.end() ? 0 : found->second);
    }
    const auto linear = [](float x) { return std::pow(x, 2.2f); };
    for (std::size_t t = 0; t < face_of.size(); ++t) {
        look.material.push_back(material[static_cast<std::size_t>(all.materials[static_cast<std::size_t>(face_of[t])])]);
        if (pictured) {
            auto& uv = look.uv.emplace_back();
            for (int k = 0; k < 3; ++k) {
                const int i = all.corner_uvs[static_cast<std::size_t>(corners_of[t][k])];
                uv[k] = i >= 0 && i < static_cast<int>(all.uvs.size()) ? all.uvs[static_cast<std::size_t>(i)] : SurfaceLook::Uv(0, 0);
            }
        }
        if (painted) {
            auto& colours = look.colours.emplace_back();
            for (int k = 0; k < 3; ++k)
                colours[k] =
                    vertex_colours[static_cast<std::size_t>(all.corners[static_cast<std::size_t>(corners_of[t][k])])].unaryExpr(linear);
        }
    }
    return look;
}

// A text handed out in pieces, so that its reader can be stopped: it ends early then.
class StoppableText : public std::streambuf {
public:
    StoppableText(std::string text, const Progress& progress) : text_(std::move(text)), progress_(progress) {}
    bool stopped() const { return stopped_; }

protected:
    int_type underflow() override {
        constexpr std::size_t piece = 1 << 18;
        stopped_ =
            stopped_ || !keep_going(progress_, stage, 0.4 + 0.5 * static_cast<double>(used_) / static_cast<double>(text_.size() + 1));
        if (stopped_ || used_ == text_.size()) return traits_type::eof();
        const std::size_t size = std::min(piece, text_.size() - used_);
        char* begin = text_.data() + used_;
        setg(begin, begin, begin + size);
        used_ += size;
        return traits_type::to_int_type(*begin);
    }

private:
    std::string text_;
    const Progress& progress_;
    std::size_t used_ = 0;
    bool stopped_ = false;
};

}  // namespace

Result<ImportedMesh> read_obj(const MeshText& given, const Progress& progress) {
    const std::filesystem::path& file = given.file;
    Scan scan(file.string(), count_vertices(given.content), progress);
    Result<std::string> sound = scan.run(given.content);
    if (!sound) return sound.error();

    Collector all;
    StoppableText pieces(std::move(sound).value(), progress);
    std::istream stream(&pieces);
    std::string warnings, errors;
    const bool read = tinyobj::LoadObjWithCallback(stream, collecting(), &all, nullptr, &warnings, &errors);
    if (pieces.stopped()) return cancelled;
    if (!read) return Error{text("Cannot read ", file.string(), " (", errors.substr(0, errors.find('\n')), "); export it again.")};

    ImportedMesh mesh{std::move(all.vertices), {}};
    const int count = static_cast<int>(mesh.vertices.size());
    for (int v : all.corners)
        if (v < 0 || v >= count) return Error{text(file.string(), ": a face uses vertex ", v + 1, " of ", count, "; export it again.")};
    // Polygons are cut as lists of their corners, of which each has a place in the file.
    std::vector<int> face_of;
    std::vector<std::array<int, 3>> corners_of;
    std::vector<Triangle> cut;
    std::vector<Vec3> points;
    std::vector<int> loop;
    for (std::size_t f = 0; f + 1 < all.starts.size(); ++f) {
        const int begin = all.starts[f], corners = all.starts[f + 1] - begin;
        points.clear(), loop.clear(), cut.clear();
        for (int k = 0; k < corners; ++k) loop.push_back(k), points.push_back(mesh.vertices[all.corners[begin + k]]);
        triangulate_polygon(points, loop, cut);
        for (const auto& [a, b, c] : cut) {
            mesh.triangles.push_back({all.corners[begin + a], all.corners[begin + b], all.corners[begin + c]});
            face_of.push_back(static_cast<int>(f)), corners_of.push_back({begin + a, begin + b, begin + c});
        }
    }
    std::vector<Vec3f> colours = scan.colours();
    if (colours.size() != mesh.vertices.size()) colours.clear();
    mesh.look = look_of(all, colours, face_of, corners_of, read_obj_materials(file, scan.libraries(), mesh.notes));
    return mesh;
}

Result<TriMesh> load_obj(const std::filesystem::path& file, const Progress& progress) {
    if (!keep_going(progress, stage, 0)) return cancelled;
    Result<std::string> content = read_file(file, largest_mesh_file);
    if (!content) return content.error();
    auto mesh = read_obj({file, std::move(content).value()}, progress);
    if (!mesh) return mesh.error();
    return welded_surface(mesh.value(), progress);
}

Result<void> save_obj(const TriMesh& mesh, const std::filesystem::path& file) {
    auto out = OutputFile::create(file);
    if (!out) return out.error();
    std::ostringstream lines;
    lines.precision(17);
    const auto flush = [&] { out.value().write(lines.str()), lines.str(""); };
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        const Vec3& p = mesh.vertices[i];
        lines << "v " << p.x() << ' ' << p.y() << ' ' << p.z() << '\n';
        if (i % 4096 == 0) flush();
    }
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const auto& [a, b, c] = mesh.triangles[i];
        lines << "f " << a + 1 << ' ' << b + 1 << ' ' << c + 1 << '\n';
        if (i % 4096 == 0) flush();
    }
    flush();
    return out.value().commit();
}

}  // namespace wobble
