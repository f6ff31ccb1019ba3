// `wobble check FILE`: what is wrong with a mesh, and where.
#include "app/cli/commands.h"
#include "engine/core/file.h"
#include "engine/sim/body.h"

#include <cstdio>
#include <iostream>

namespace wobble::cli {

int check(const CheckOptions& options) {
    // Pipes and devices are refused before anything opens them.
    if (auto readable = check_readable(options.file, 64u << 20); !readable) return complain(readable.message()), bad_input;
    const auto report = check_mesh_file(options.file);
    if (!report) return complain(report.message()), bad_input;

    const MeshReport& mesh = report.value();
    char text[300];
    const Vec3 size = mesh.vertices > 0 ? mesh.box.size() : Vec3::Zero();
    std::snprintf(text, sizeof text, "%d vertices, %d triangles, %d part%s, extent %.4g x %.4g x %.4g, volume %.4g", mesh.vertices,
                  mesh.triangles, mesh.components, mesh.components == 1 ? "" : "s", size.x(), size.y(), size.z(), mesh.volume);
    std::cout << options.file.string() << ": " << text << '\n';
    for (const Finding& finding : mesh.findings) {
        std::cout << "- " << finding.sentence;
        if (!finding.faces.empty()) std::cout << " Faces:";
        constexpr std::size_t shown = 10;
        for (std::size_t i = 0; i < std::min(shown, finding.faces.size()); ++i) std::cout << ' ' << finding.faces[i];
        std::cout << (finding.faces.size() > shown ? " ...\n" : "\n");
    }
    if (mesh.good()) {
        std::cout << "no faults found: this mesh can be simulated" << std::endl;
        return fine;
    }
    std::cout.flush();
    complain(options.file.string() + " has " + std::to_string(mesh.findings.size()) + (mesh.findings.size() == 1 ? " fault" : " faults") +
             ", listed above; repair it in a mesh editor and check again.");
    return bad_input;
}

}  // namespace wobble::cli
