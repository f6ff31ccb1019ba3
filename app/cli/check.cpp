// `wobble check FILE`: what is wrong with a mesh, and where; with --repair a mesh without its simple faults.
#include "app/cli/commands.h"
#include "engine/core/file.h"
#include "engine/core/spelling.h"
#include "engine/core/text.h"
#include "engine/sim/catalog.h"

#include <algorithm>
#include <cstdio>
#include <iostream>

namespace wobble::cli {

namespace {

void print(const std::filesystem::path& file, const MeshReport& mesh) {
    char text[300];
    const Vec3 size = mesh.vertices > 0 ? mesh.box.size() : Vec3::Zero();
    std::snprintf(text, sizeof text, "%d vertices, %d triangles, %d part%s, extent %.4g x %.4g x %.4g, volume %.4g", mesh.vertices,
                  mesh.triangles, mesh.components, mesh.components == 1 ? "" : "s", size.x(), size.y(), size.z(), mesh.volume);
    std::cout << file.string() << ": " << text << '\n';
    for (const Finding& finding : mesh.findings) {
        std::cout << "- " << finding.sentence;
        if (!finding.faces.empty()) std::cout << " Faces:";
        constexpr std::size_t shown = 10;
        for (std::size_t i = 0; i < std::min(shown, finding.faces.size()); ++i) std::cout << ' ' << finding.faces[i];
        std::cout << (finding.faces.size() > shown ? " ...\n" : "\n");
    }
}

bool same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code missing;
    return std::filesystem::equivalent(a, b, missing);
}

std::string faults(const MeshReport& mesh) { return counted(static_cast<long>(mesh.findings.size()), "fault", "faults"); }

// Writes the mesh with fewer faults, says what was done; the exit code tells whether it can be simulated now.
int write_repaired(const CheckOptions& options, TriMesh surface, const MeshReport& found) {
    RepairOptions wanted;
    wanted.keep_parts = options.keep_parts;
    const Repaired repaired = repair(std::move(surface), found, wanted);
    std::cout << "repair:\n";
    for (const auto* list : {&repaired.done, &repaired.left})
        for (const std::string& sentence : *list) std::cout << "- " << sentence << '\n';
    if (repaired.done.empty()) {
        if (repaired.report.good()) std::cout << "nothing to repair; " << options.repair.string() << " was not written" << std::endl;
        else std::cout.flush();
        if (repaired.report.good()) return fine;
        complain("Nothing was repaired, and " + options.repair.string() + " was not written: " + faults(repaired.report) + " of " +
                 options.file.string() + " need" + (repaired.report.findings.size() == 1 ? "s" : "") + " a mesh editor.");
        return bad_input;
    }
    if (auto saved = save_obj(repaired.mesh, options.repair); !saved) return std::cout.flush(), complain(saved.message()), failed;
    print(options.repair, repaired.report);
    if (repaired.report.good()) {
        std::cout << "no faults are left: this mesh can be simulated" << std::endl;
        return fine;
    }
    std::cout.flush();
    complain(options.repair.string() + " still has " + faults(repaired.report) + ", listed above; repair it further in a mesh editor.");
    return bad_input;
}

// A file of tetrahedra was judged when it was read.
int check_tets(const CheckOptions& options, const ImportedMesh& mesh) {
    if (!options.repair.empty())
        return complain(in_quotes(options.file.string()) + " is a mesh of tetrahedra, which is not repaired; leave out --repair."),
               bad_input;
    std::cout << options.file.string() << ": " << counted(static_cast<long>(mesh.tets.size()), "tetrahedron", "tetrahedra") << ", "
              << counted(static_cast<long>(mesh.triangles.size()), "triangle", "triangles") << " on its boundary\n"
              << "no faults found: this mesh can be simulated" << std::endl;
    return fine;
}

}  // namespace

int check(const CheckOptions& options) {
    // Pipes and devices are refused before anything opens them.
    if (auto readable = check_readable(options.file, largest_mesh_file); !readable) return complain(readable.message()), bad_input;
    if (!options.repair.empty() && same_file(options.file, options.repair))
        return complain(in_quotes(options.repair.string()) + " is the mesh itself; give --repair another name, so that nothing is lost."),
               bad_input;
    auto read = read_mesh_file(options.file);
    if (!read) return complain(read.message()), bad_input;
    for (const std::string& note : read.value().notes) std::cout << "- " << note << '\n';
    if (!read.value().tets.empty()) return check_tets(options, read.value());
    auto surface = welded_surface(read.value());
    if (!surface) return complain(surface.message()), bad_input;
    const MeshReport mesh = check_surface(surface.value());
    print(options.file, mesh);
    if (!options.repair.empty()) return write_repaired(options, std::move(surface).value(), mesh);
    if (mesh.good()) {
        std::cout << "no faults found: this mesh can be simulated" << std::endl;
        return fine;
    }
    std::cout.flush();
    complain(options.file.string() + " has " + faults(mesh) + ", listed above" +
             (std::ranges::any_of(mesh.findings, [](const Finding& f) { return f.fault == Fault::not_finite || f.fault == Fault::empty; })
                  ? ""
                  : "; wobble run would wrap it in a closed cage (--as wrap)") +
             "; try --repair OUT.obj for the simple ones, or repair it in a mesh editor, and check again.");
    return bad_input;
}

}  // namespace wobble::cli
