#include "engine/mesh/wrap/any_body.h"

#include "engine/core/text.h"
#include "engine/mesh/volume/embedding.h"
#include "engine/mesh/wrap/sheet_body.h"
#include "engine/mesh/wrap/split_edges.h"
#include "engine/mesh/wrap/wrap_body.h"

#include <Eigen/Geometry>

#include <array>
#include <cmath>

namespace wobble {
namespace {

const Error cancelled{"Building the body was cancelled."};
constexpr int most_halvings = 12;
constexpr std::size_t most_drawn = 60'000;  // triangles: with so many there is no need to make more

std::string in_short(const Finding& finding) {
    switch (finding.fault) {
        case Fault::degenerate:
            return "has triangles without area";
        case Fault::open:
            return "is not closed (" + counted(finding.count, "hole", "holes") + ")";
        case Fault::non_manifold:
            return "is not a manifold";
        case Fault::misoriented:
            return "has faces turned against their neighbours";
        case Fault::too_many_parts:
            return "has very many parts";
        case Fault::inside_out:
            return "is inside out";
        case Fault::self_intersecting:
            return "cuts through itself";
        case Fault::unchecked:
            return "is too entangled to be checked";
        default:
            return "";
    }
}

std::string stem(const std::string& name) { return std::filesystem::path(name).filename().string(); }

bool refused(Fault fault) { return fault == Fault::not_finite || fault == Fault::empty; }

Result<WrappedBody> wrapped(TriMesh surface, Soup soup, const std::string& name, const std::string& why, const BodyOptions& options,
                            const Progress& progress) {
    Result<Wrapped> wrapped = wrap_body(std::move(surface), std::move(soup), options, progress);
    if (!wrapped) return wrapped.error();
    Wrapped& done = wrapped.value();
    std::string sentence =
        text(stem(name), " ", why.empty() ? "was to be wrapped" : why, ": wrapped in a closed cage of ", done.cage_triangles, " triangles",
             done.pieces > 1 ? text(" in ", done.pieces, " pieces") : "", "; use --as sheet to simulate it as a shell.");
    return WrappedBody{std::move(done.body), SurfaceUse::wrap, std::move(sentence)};
}

// Closed once vertices are merged and faces turned: none if it is not.
std::optional<WrappedBody> tidied(const TriMesh& surface, const Soup& soup, const std::string& name, const std::string& why,
                                  const BodyOptions& options, const Progress& progress) {
    const MeshReport report = check_surface(soup.mesh, progress);
    if (!report.good()) return {};
    Result<BodyMesh> filled = make_body(soup.mesh, name, 0, options, progress, &report);
    if (!filled) return {};
    BodyMesh body = std::move(filled).value();
    bool go_on = true;
    body.embedding =
        embed(surface.vertices, body.tets, [&](double done) { return go_on = keep_going(progress, "embedding the surface", done); });
    if (!go_on) return {};
    body.surface = surface;
    body.two_sided = true;
    return WrappedBody{std::move(body), SurfaceUse::solid,
                       text(stem(name), " ", why, ": its faces were put in order, and it was filled as it is.")};
}

}  // namespace

std::span<const SurfaceUseInfo> surface_uses() {
    static constexpr std::array<SurfaceUseInfo, 4> list = {{
        {"auto", SurfaceUse::automatic, "solid where the surface is closed and clean, else wrapped"},
        {"solid", SurfaceUse::solid, "filled as it is; refused if it has faults"},
        {"wrap", SurfaceUse::wrap, "filled within a closed cage around it"},
        {"sheet", SurfaceUse::sheet, "a shell of springs along its edges"},
    }};
    return list;
}

std::string faults_in_short(const MeshReport& report) {
    std::string all;
    for (std::size_t i = 0; i < report.findings.size(); ++i)
        all += (i == 0 ? "" : i + 1 == report.findings.size() ? " and " : ", ") + in_short(report.findings[i]);
    return all;
}

namespace {

Result<WrappedBody> make(TriMesh surface, const std::string& name, const WrappedBodyOptions& options, const Progress& progress,
                         const MeshReport* checked) {
    const MeshReport report = checked ? *checked : check_surface(surface, progress);
    if (report.cancelled) return cancelled;
    for (const Finding& finding : report.findings)
        if (refused(finding.fault)) return Error{text(name, ": ", finding.sentence)};
    if (!(report.box.diagonal() > 0)) return Error{text(name, ": All vertices of the surface lie in one point; export it again.")};
    if (options.as == SurfaceUse::solid || (options.as == SurfaceUse::automatic && report.good())) {
        Result<BodyMesh> body = make_body(surface, name, options.size, options.body, progress, &report);
        if (body) return WrappedBody{std::move(body).value(), SurfaceUse::solid, ""};
        if (options.as == SurfaceUse::solid || !report.good()) return body.error();
        if (!keep_going(progress, "wrapping the surface", 0)) return cancelled;
    }
    if (const Result<void> possible = check_options(options.body); !possible) return possible.error();
    if (!(options.size >= 0 && options.size <= 1e6))
        return Error{text("The size ", options.size, " m of ", name, " is not possible; use a positive length, or 0 to keep it.")};
    if (options.size > 0) scale_and_rest(surface, report.box, options.size);
    if (!keep_going(progress, "wrapping the surface", 0)) return cancelled;
    const std::string why =
        report.good() ? options.as == SurfaceUse::automatic ? "could not be filled as it is" : "" : faults_in_short(report);
    Soup soup = make_soup(surface);
    if (soup.mesh.triangles.empty()) return Error{text(name, ": All triangles of the surface lie in points; export it again.")};
    if (options.as == SurfaceUse::sheet) {
        Result<BodyMesh> sheet = sheet_body(std::move(surface), soup, options.body, progress);
        if (!sheet) return sheet.error();
        BodyMesh& body = sheet.value();
        std::string sentence = text(stem(name), " is simulated as a shell of ", body.tets.boundary.size(), " triangles.");
        return WrappedBody{std::move(body), SurfaceUse::sheet, std::move(sentence)};
    }
    if (options.as == SurfaceUse::automatic && !report.good()) {
        if (auto body = tidied(surface, soup, name, why, options.body, progress)) return *std::move(body);
        if (!keep_going(progress, "wrapping the surface", 0)) return cancelled;
    }
    return wrapped(std::move(surface), std::move(soup), name, why, options.body, progress);
}

// A triangle that is larger than the tetrahedra behind it cannot bulge: halved until it is not.
Result<void> refine_drawn(BodyMesh& body, const Progress& progress) {
    if (body.sheet() || body.tets.boundary.empty()) return {};
    double length = 0;
    for (const Triangle& t : body.tets.boundary) length += (body.tets.vertices[t[0]] - body.tets.vertices[t[1]]).norm();
    const double edge = 1.2 * length / static_cast<double>(body.tets.boundary.size());
    const std::size_t given = body.surface.vertices.size();
    TriMesh finer = body.surface;
    for (int k = 0; k < most_halvings && finer.triangles.size() < most_drawn && split_long_edges(finer, edge); ++k) {
    }
    if (finer.vertices.size() == given || finer.triangles.size() > 4 * most_drawn) return {};
    bool go_on = true;
    const std::vector<Vec3> added(finer.vertices.begin() + static_cast<long>(given), finer.vertices.end());
    const Embedding more =
        embed(added, body.tets, [&](double done) { return go_on = keep_going(progress, "embedding the surface", done); });
    if (!go_on) return cancelled;
    body.embedding.particle.insert(body.embedding.particle.end(), more.particle.begin(), more.particle.end());
    body.embedding.weight.insert(body.embedding.weight.end(), more.weight.begin(), more.weight.end());
    body.surface = std::move(finer);
    return {};
}

}  // namespace

Result<WrappedBody> make_any_body(TriMesh surface, const std::string& name, const WrappedBodyOptions& options, const Progress& progress,
                                  const MeshReport* checked) {
    Result<WrappedBody> made = make(std::move(surface), name, options, progress, checked);
    if (made)
        if (const Result<void> refined = refine_drawn(made.value().body, progress); !refined) return refined.error();
    return made;
}

}  // namespace wobble
