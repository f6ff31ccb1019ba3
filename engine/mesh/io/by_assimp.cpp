// PLY, STL, glTF and others: the program wobble-import reads them, so that no crash, endless loop or hunger for memory of a reader of
// files from anywhere reaches this program.
#include "engine/core/child_process.h"
#include "engine/core/text.h"
#include "engine/mesh/io/import_protocol.h"
#include "engine/mesh/io/readers.h"
#include "engine/mesh/surface/weld.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

namespace wobble {

namespace {

using namespace import_protocol;

// The answer's lists, of which none is longer than what is left of it.
class Reader {
public:
    explicit Reader(std::string_view answer) : left_(answer) {}
    template <class T>
    bool take(std::vector<T>& to, std::size_t count) {
        if (count > left_.size() / sizeof(T)) return false;
        to.resize(count);
        if (count > 0) std::memcpy(static_cast<void*>(to.data()), left_.data(), count * sizeof(T));
        left_.remove_prefix(count * sizeof(T));
        return true;
    }
    bool take(std::string& to, std::size_t count) {
        if (count > left_.size()) return false;
        to = left_.substr(0, count);
        left_.remove_prefix(count);
        return true;
    }
    bool done() const { return left_.empty(); }

private:
    std::string_view left_;
};

template <class T>
bool finite(const std::vector<T>& list, double limit) {
    return std::all_of(list.begin(), list.end(), [&](const T& x) { return x.allFinite() && x.cwiseAbs().maxCoeff() <= limit; });
}

// Nothing the child says is believed unseen. none: it makes no sense.
std::optional<ImportedMesh> understand(const std::string& answer, const std::filesystem::path& file) {
    Reader reader(answer);
    std::vector<Header> head;
    if (!reader.take(head, 1)) return std::nullopt;
    const Header& h = head[0];
    if (h.magic != answer_magic || h.vertices > largest_count || h.triangles > largest_count || h.triangles == 0) return std::nullopt;
    if (h.images > largest_images || !(h.unit >= 0 && h.unit <= 1e6) || h.up < -1 || h.up > 2) return std::nullopt;
    ImportedMesh mesh;
    SurfaceLook look;
    std::vector<MaterialRecord> materials;
    std::vector<SurfaceLook::Uv> uv;
    std::vector<Vec3f> colours;
    static_assert(sizeof(Vec3) == 24 && sizeof(Triangle) == 12 && sizeof(SurfaceLook::Uv) == 8 && sizeof(Vec3f) == 12);
    if (!reader.take(mesh.vertices, h.vertices) || !reader.take(mesh.triangles, h.triangles) || !reader.take(look.material, h.triangles))
        return std::nullopt;
    if ((h.flags & has_uv) && !reader.take(uv, 3 * h.triangles)) return std::nullopt;
    if ((h.flags & has_colours) && !reader.take(colours, 3 * h.triangles)) return std::nullopt;
    if (!reader.take(materials, h.materials)) return std::nullopt;
    for (const Triangle& t : mesh.triangles)
        for (const int v : t)
            if (v < 0 || v >= static_cast<int>(h.vertices)) return std::nullopt;
    if (!finite(uv, 1e7) || !finite(colours, 1.001)) return std::nullopt;
    std::vector<int> image_number;
    for (std::size_t i = 0; i < h.images; ++i) {
        std::vector<ImageRecord> record;
        std::string bytes;
        if (!reader.take(record, 1) || record[0].bytes < 0 || !reader.take(bytes, static_cast<std::size_t>(record[0].bytes)))
            return std::nullopt;
        std::optional<std::string> picture = record[0].embedded ? std::move(bytes) : read_picture(file, bytes, mesh.notes);
        if (picture && !is_picture(*picture)) picture.reset(), mesh.notes.push_back("A picture in the file is neither PNG nor JPEG.");
        image_number.push_back(picture ? static_cast<int>(look.images.size()) : -1);
        if (picture) look.images.push_back(std::move(*picture));
    }
    if (!reader.done()) return std::nullopt;
    for (const MaterialRecord& record : materials) {
        const Vec3f colour(record.colour[0], record.colour[1], record.colour[2]);
        if (!colour.allFinite() || record.image < -1 || record.image >= static_cast<int>(h.images)) return std::nullopt;
        look.materials.push_back({colour, record.image < 0 ? -1 : image_number[static_cast<std::size_t>(record.image)]});
    }
    for (const int m : look.material)
        if (m < 0 || m >= static_cast<int>(materials.size())) return std::nullopt;
    if (!look.images.empty())
        for (std::size_t t = 0; 3 * t < uv.size(); ++t) look.uv.push_back({uv[3 * t], uv[3 * t + 1], uv[3 * t + 2]});
    for (std::size_t t = 0; 3 * t < colours.size(); ++t) look.colours.push_back({colours[3 * t], colours[3 * t + 1], colours[3 * t + 2]});
    mesh.unit = h.unit;
    mesh.up = static_cast<int>(h.up);
    if ((h.flags & is_coloured) || !look.images.empty() || !look.colours.empty()) mesh.look = std::move(look);
    return mesh;
}

std::string explain(int code, const std::string& said, const std::string& name, const MeshFormat& format, const ImportLimits& limits) {
    std::string reason;
    for (const char c : said.substr(0, 160)) reason += c >= ' ' && c < 127 ? c : ' ';
    while (!reason.empty() && (reason.back() == ' ' || reason.back() == '.')) reason.pop_back();
    switch (code) {
        case not_understood:
            return text(name, " cannot be read as ", format.name, reason.empty() ? "" : " (" + reason + ")", "; export it again.");
        case no_faces:
            return text(name, " has no faces; export it as a surface, not as points.");
        case too_large:
            return text(name, " has broken faces or more than ", largest_count, " of them; export it again, or simplify it.");
        case no_memory:
            return text("Reading ", name, " needed more than ", limits.memory_limit_gb, " GB; simplify the mesh.");
        default:
            return text("The reader of ", name, " gave up with exit code ", code, "; export the file again, as .obj or .ply.");
    }
}

// STL has no vertices of its own but three for each triangle: those in one place are one, numbered as they first appear.
void number_as_they_appear(ImportedMesh& mesh) {
    const std::vector<int> target = first_equal(mesh.vertices);
    std::vector<int> number(target.size());
    int count = 0;
    for (std::size_t v = 0; v < target.size(); ++v) {
        const bool first = target[v] == static_cast<int>(v);
        number[v] = first ? count : number[static_cast<std::size_t>(target[v])];
        if (first) mesh.vertices[static_cast<std::size_t>(count++)] = mesh.vertices[v];
    }
    mesh.vertices.resize(static_cast<std::size_t>(count));
    for (Triangle& t : mesh.triangles)
        for (int& v : t) v = number[static_cast<std::size_t>(v)];
}

}  // namespace

Result<ImportedMesh> read_by_assimp(const std::filesystem::path& file, const MeshFormat& format, const ImportLimits& limits,
                                    const Progress& progress) {
    std::filesystem::path helper = limits.helper;
    std::error_code failure;
    if (helper.empty()) helper = std::filesystem::read_symlink("/proc/self/exe", failure).replace_filename("wobble-import");
    ChildLimits child_limits;
    child_limits.timeout_seconds = limits.timeout_seconds;
    child_limits.memory_gb = limits.memory_limit_gb;
    child_limits.output_bytes = 4ul << 30;
    auto child = ChildProcess::start(helper, {std::filesystem::absolute(file).string(), format.ending + 1}, child_limits);
    if (!child) return child.error();
    const auto begun = std::chrono::steady_clock::now();
    const ChildOutcome outcome = child.value().finish([&] {
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
        return keep_going(progress, reading_stage, 0.9 * seconds / (seconds + 2));
    });
    const std::string name = file.string();
    switch (outcome.end) {
        case ChildOutcome::End::cancelled:
            return Error{"Reading the mesh was cancelled."};
        case ChildOutcome::End::timed_out:
            return Error{
                text("Reading ", name, " took more than ", limits.timeout_seconds, " s; simplify the mesh, or export it as .obj.")};
        case ChildOutcome::End::signalled:
            return Error{text("The reader of ", format.name, " crashed on ", name, " (signal ", outcome.code,
                              "); export the file again, as .obj or .ply.")};
        case ChildOutcome::End::too_much_output:
            return Error{text(name, " is too large; simplify the mesh.")};
        case ChildOutcome::End::exited:
            break;
    }
    if (outcome.code != 0) return Error{explain(outcome.code, outcome.errors, name, format, limits)};
    auto mesh = understand(outcome.output, file);
    if (!mesh)
        return Error{
            text("The reader of ", name, " gave an answer that makes no sense; is wobble-import the program that was built with wobble?")};
    for (std::size_t v = 0; v < mesh->vertices.size(); ++v)
        if (!mesh->vertices[v].allFinite() || mesh->vertices[v].cwiseAbs().maxCoeff() > coordinate_limit)
            return Error{text(name, ": vertex ", v, " is not of usable numbers; repair the file or export it again.")};
    if (std::string_view(format.ending) == ".stl") number_as_they_appear(*mesh);
    return std::move(*mesh);
}

}  // namespace wobble
