// tinyobjloader reads "nan" as 0, overflowing numbers as anything, and accepts every index; so each vertex and face line is
// examined first, and only these lines reach it (no materials, no other files).
#include "engine/mesh/io/obj.h"

#include "engine/core/file.h"
#include "engine/core/text.h"
#include "engine/mesh/io/polygon.h"
#include "engine/mesh/surface/weld.h"

#include <tiny_obj_loader.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string_view>

namespace wobble {
namespace {

constexpr const char* stage = "reading the mesh";
const Error cancelled{"Reading the mesh was cancelled."};
constexpr std::size_t line_limit = 1u << 16;
constexpr int corner_limit = 256;
constexpr double coordinate_limit = 1e12;  // beyond this the arithmetic of areas and volumes loses its meaning

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

std::string quoted(std::string_view word) {
    std::string out = "\"";
    for (char c : word.substr(0, 24)) out += c >= ' ' && c < 127 ? c : '?';
    return out + "\"";
}

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
        return false;
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
    std::vector<int> corners, starts{0};
};

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

Result<TriMesh> load_obj(const std::filesystem::path& file, const Progress& progress) {
    if (!keep_going(progress, stage, 0)) return cancelled;
    Result<std::string> content = read_file(file, largest_mesh_file);
    if (!content) return content.error();
    Result<std::string> sound = Scan(file.string(), count_vertices(content.value()), progress).run(content.value());
    if (!sound) return sound.error();
    content.value() = {};

    Collector all;
    tinyobj::callback_t callback;
    callback.vertex_cb = [](void* user, double x, double y, double z, double) {
        static_cast<Collector*>(user)->vertices.push_back({x, y, z});
    };
    callback.index_cb = [](void* user, tinyobj::index_t* indices, int count) {
        Collector& to = *static_cast<Collector*>(user);
        for (int i = 0; i < count; ++i) {
            const int v = indices[i].vertex_index;
            to.corners.push_back(v > 0 ? v - 1 : static_cast<int>(to.vertices.size()) + v);
        }
        to.starts.push_back(static_cast<int>(to.corners.size()));
    };
    StoppableText pieces(std::move(sound).value(), progress);
    std::istream stream(&pieces);
    std::string warnings, errors;
    const bool read = tinyobj::LoadObjWithCallback(stream, callback, &all, nullptr, &warnings, &errors);
    if (pieces.stopped()) return cancelled;
    if (!read) return Error{text("Cannot read ", file.string(), " (", errors.substr(0, errors.find('\n')), "); export it again.")};

    TriMesh mesh{std::move(all.vertices), {}};
    const int count = static_cast<int>(mesh.vertices.size());
    for (int v : all.corners)
        if (v < 0 || v >= count) return Error{text(file.string(), ": a face uses vertex ", v + 1, " of ", count, "; export it again.")};
    for (std::size_t f = 0; f + 1 < all.starts.size(); ++f)
        triangulate_polygon(mesh.vertices, std::span(all.corners).subspan(all.starts[f], all.starts[f + 1] - all.starts[f]),
                            mesh.triangles);
    drop_unused_vertices(mesh);
    const auto wanted = [&] { return keep_going(progress, stage, 0.9); };
    weld(mesh, 1e-8 * bounding_box(mesh.vertices).diagonal(), wanted);
    if (!wanted()) return cancelled;
    drop_unused_vertices(mesh);
    return mesh;
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
