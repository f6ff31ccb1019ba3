#include "engine/mesh/volume/tetrahedralize.h"

#include "engine/core/child_process.h"
#include "engine/core/text.h"
#include "engine/mesh/surface/smooth.h"
#include "engine/mesh/surface/triangle_adjacency.h"
#include "engine/mesh/volume/quality.h"
#include "engine/mesh/volume/reorder.h"
#include "engine/mesh/volume/tet_adjacency.h"
#include "engine/mesh/volume/tetgen_protocol.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace wobble {
namespace {

using namespace tetgen_protocol;

template <class T>
void append(std::string& to, const T* values, std::size_t count) {
    to.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

// A point in every cavity: just beyond the widest face of each part that is turned inside out.
std::vector<Vec3> points_in_cavities(const TriMesh& surface) {
    int count = 0;
    const std::vector<int> part = components(surface, count);
    if (count < 2) return {};
    const Vec3 origin = bounding_box(surface.vertices).centre();
    std::vector<double> volumes(count, 0), widest(count, 0);
    std::vector<Vec3> beyond(count, Vec3::Zero());
    for (std::size_t f = 0; f < part.size(); ++f) {
        const auto& [a, b, c] = surface.triangles[f];
        const Vec3 x = surface.vertices[a] - origin, y = surface.vertices[b] - origin, z = surface.vertices[c] - origin;
        volumes[part[f]] += x.dot(y.cross(z)) / 6;
        const Vec3 normal = (y - x).cross(z - x);
        const double size = normal.norm();
        if (size > widest[part[f]]) widest[part[f]] = size, beyond[part[f]] = origin + (x + y + z) / 3 + 1e-4 * normal / std::sqrt(size);
    }
    std::vector<Vec3> points;
    for (int k = 0; k < count; ++k)
        if (volumes[k] < 0) points.push_back(beyond[k]);
    return points;
}

std::string question(const TriMesh& surface, const TetrahedralizeOptions& options, double scale) {
    // p: fill a surface, q: radius-edge ratio / smallest dihedral, Y: leave the surface alone, z: count from 0, Q: quiet.
    char switches[switches_length] = {};
    int used = std::snprintf(switches, sizeof switches, "pzQq%.6g/10%s", options.quality, options.keep_surface ? "Y" : "");
    // Not %g: TetGen reads "a1e-05" as the volume 1 followed by the switch e.
    if (options.max_volume > 0)
        used += std::snprintf(switches + used, sizeof switches - used, "a%.18f", options.max_volume * std::pow(scale, 3));
    std::string bytes;
    std::vector<Vec3> scaled = surface.vertices, holes = points_in_cavities(surface);
    for (Vec3& p : scaled) p *= scale;
    for (Vec3& p : holes) p *= scale;
    const Header header{question_magic, surface.vertices.size(), surface.triangles.size(), holes.size()};
    append(bytes, &header, 1);
    append(bytes, switches, sizeof switches);
    static_assert(sizeof(Vec3) == 3 * sizeof(double) && sizeof(Triangle) == 3 * sizeof(std::int32_t));
    append(bytes, scaled.data(), scaled.size());
    append(bytes, surface.triangles.data(), surface.triangles.size());
    append(bytes, holes.data(), holes.size());
    return bytes;
}

// Nothing the child says is believed unseen.
Result<TetMesh> understand(const std::string& answer) {
    const Error garbage{"TetGen's helper gave an answer that makes no sense; is wobble-tetgen the program that was built with wobble?"};
    Header header{};
    if (answer.size() < sizeof header) return garbage;
    std::memcpy(&header, answer.data(), sizeof header);
    if (header.magic != answer_magic || header.points > largest_count || header.elements > largest_count) return garbage;
    if (answer.size() != sizeof header + header.points * sizeof(Vec3) + header.elements * sizeof(Tet)) return garbage;
    TetMesh mesh;
    mesh.vertices.resize(header.points);
    mesh.tets.resize(header.elements);
    const char* at = answer.data() + sizeof header;
    if (!mesh.vertices.empty()) std::memcpy(static_cast<void*>(mesh.vertices.data()), at, header.points * sizeof(Vec3));
    if (!mesh.tets.empty()) std::memcpy(mesh.tets.data(), at + header.points * sizeof(Vec3), header.elements * sizeof(Tet));
    for (const Vec3& p : mesh.vertices)
        if (!p.allFinite()) return garbage;
    for (const Tet& tet : mesh.tets)
        for (int v : tet)
            if (v < 0 || v >= static_cast<int>(header.points)) return garbage;
    if (mesh.tets.empty()) return Error{"TetGen found nothing to fill; is the surface closed and its volume greater than zero?"};
    return mesh;
}

std::string explain_exit(int code, const TetrahedralizeOptions& options) {
    const std::string memory = text("TetGen needed more than ", options.memory_limit_gb,
                                    " GB; ask for fewer vertices (a lower --set resolution=) or simplify the mesh.");
    switch (code) {
        case bad_question:
            return "TetGen's helper did not understand the surface; is wobble-tetgen the program that was built with wobble?";
        case no_memory:
        case tetgen_failure + 1:
            return memory;
        case tetgen_failure + 2:
            return "TetGen failed inside on this surface; smooth it, or ask for another number of vertices.";
        case tetgen_failure + 3:
            return "TetGen found that the surface cuts through itself; repair it, or ask for another number of vertices.";
        case tetgen_failure + 4:
            return "TetGen found a feature too small to be filled; simplify the surface there.";
        case tetgen_failure + 5:
            return "TetGen found two faces that almost coincide; move them apart.";
        case tetgen_failure + 10:
            return "TetGen did not accept the surface; check it with wobble check.";
        default:
            return text("TetGen's helper gave up with exit code ", code, "; check the surface with wobble check.");
    }
}

Result<std::string> converse(const std::string& bytes, const TetrahedralizeOptions& options, const std::filesystem::path& helper,
                             const Progress& progress) {
    ChildLimits limits;
    limits.timeout_seconds = options.timeout_seconds;
    limits.memory_gb = options.memory_limit_gb;
    limits.output_bytes = 4ul << 30;
    Result<ChildProcess> child = ChildProcess::start(helper, {}, limits);
    if (!child) return child.error();
    const auto start = std::chrono::steady_clock::now();
    const auto still_wanted = [&] {
        const double t = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return keep_going(progress, "filling with tetrahedra", 1 - std::exp(-t / 5));  // TetGen does not tell how far it is
    };
    child.value().write(bytes, still_wanted);
    ChildOutcome outcome = child.value().finish(still_wanted);
    switch (outcome.end) {
        case ChildOutcome::End::exited:
            if (outcome.code != 0) return Error{explain_exit(outcome.code, options)};
            return std::move(outcome.output);
        case ChildOutcome::End::signalled:
            return Error{text("TetGen crashed on this surface (", strsignal(outcome.code),
                              "); simplify or repair it, or ask for another number of vertices.")};
        case ChildOutcome::End::timed_out:
            return Error{text("TetGen did not finish within ", options.timeout_seconds,
                              " s; ask for fewer vertices (a lower --set resolution=) or simplify the mesh.")};
        case ChildOutcome::End::cancelled:
            return Error{"Filling the surface with tetrahedra was cancelled."};
        default:
            return Error{"TetGen's helper answered without end and was stopped; ask for fewer vertices."};
    }
}

void make_positive_and_compact(TetMesh& mesh) {
    std::erase_if(mesh.tets, [&](const Tet& t) { return volume(mesh, t) == 0; });
    for (Tet& tet : mesh.tets)
        if (volume(mesh, tet) < 0) std::swap(tet[2], tet[3]);
    std::vector<int> number(mesh.vertices.size(), -1);
    for (const Tet& tet : mesh.tets)
        for (int v : tet) number[v] = 0;
    int count = 0;
    for (std::size_t v = 0; v < number.size(); ++v)
        if (number[v] == 0) mesh.vertices[count] = mesh.vertices[v], number[v] = count++;
    mesh.vertices.resize(count);
    for (Tet& tet : mesh.tets)
        for (int& v : tet) v = number[v];
}

}  // namespace

Result<TetMesh> tetrahedralize(const TriMesh& surface, const TetrahedralizeOptions& options, const Progress& progress) {
    if (surface.triangles.empty()) return Error{"There is no surface to fill with tetrahedra."};
    if (!(options.quality >= 1.05 && options.quality <= 100))
        return Error{text("The quality ", options.quality, " is outside 1.05 to 100; 1.4 is usual.")};
    if (!(options.max_volume >= 0 && std::isfinite(options.max_volume)))
        return Error{"The largest tetrahedron's volume must be positive, or 0 for no limit."};
    std::filesystem::path helper = options.helper;
    if (helper.empty()) {
        std::error_code error;
        helper = std::filesystem::read_symlink("/proc/self/exe", error).replace_filename("wobble-tetgen");
    }
    // TetGen likes bodies of about unit size; a power of two changes no digit of the coordinates.
    const double scale = std::exp2(-std::ilogb(std::max(bounding_box(surface.vertices).diagonal(), 1e-100)));
    Result<std::string> answer = converse(question(surface, options, scale), options, helper, progress);
    if (!answer) return answer.error();
    Result<TetMesh> mesh = understand(answer.value());
    if (!mesh) return mesh;
    for (Vec3& p : mesh.value().vertices) p /= scale;
    make_positive_and_compact(mesh.value());
    if (mesh.value().tets.empty())
        return Error{"TetGen found nothing but flat tetrahedra; is the surface closed and its volume greater than zero?"};
    const Error cancelled{"Filling the surface with tetrahedra was cancelled."};
    const auto wanted = [&](double fraction) { return keep_going(progress, "improving the tetrahedra", fraction); };
    if (!wanted(0)) return cancelled;
    strengthen_weak_vertices(mesh.value(), options.trim);
    if (options.trim) make_positive_and_compact(mesh.value());
    if (!wanted(0.2)) return cancelled;
    if (!smooth_inside(mesh.value(), [&](double done) { return wanted(0.2 + 0.5 * done); })) return cancelled;
    mesh.value().boundary = boundary_faces(mesh.value().tets);
    if (!wanted(0.8)) return cancelled;
    reorder(mesh.value());
    return mesh;
}

}  // namespace wobble
