#include "engine/study/system_export.h"

#include "engine/model/mechanical_system.h"
#include "engine/sim/start.h"

#include <cstdarg>
#include <cstdio>

namespace wobble {

namespace {

struct Assembled {
    std::shared_ptr<const LoadedScene> scene;
    std::unique_ptr<MechanicalSystem> system;
    State state;
    VecX force;
};

void print(OutputFile& file, const char* format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    file.write(text);
}

constexpr const char* matrix_head = "%%MatrixMarket matrix coordinate real symmetric\n";

void write_mass(OutputFile& file, const Assembled& a) {
    const VecX& M = a.system->mass();
    const int n = static_cast<int>(M.size());
    file.write(matrix_head);
    file.write("% mass, kg; rows 3i+1, 3i+2, 3i+3 are x, y, z of particle i (from 0); held particles included\n");
    print(file, "%d %d %d\n", n, n, n);
    for (int k = 0; k < n; ++k) print(file, "%d %d %.17g\n", k + 1, k + 1, M[k]);
}

void write_stiffness(OutputFile& file, const Assembled& a) {
    BlockMatrix K(a.system->pattern());
    a.system->stiffness(a.state.q, K);
    const BlockPattern& pattern = K.pattern();
    long entries = 0;
    for (int i = 0; i < K.rows(); ++i) entries += 9L * (pattern.diagonal[i] - pattern.row_begin[i]) + 6;
    file.write(matrix_head);
    file.write(
        "% tangent stiffness -df/dq at the initial positions, N/m; held particles included: delete their rows and columns to pin them\n");
    print(file, "%d %d %ld\n", 3 * K.rows(), 3 * K.rows(), entries);
    for (int i = 0; i < K.rows(); ++i)
        for (int k = pattern.row_begin[i]; k <= pattern.diagonal[i]; ++k) {
            const int j = pattern.column[k];
            const auto block = K.at(k);
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < (i == j ? r + 1 : 3); ++c) print(file, "%d %d %.17g\n", 3 * i + r + 1, 3 * j + c + 1, block(r, c));
        }
}

void write_nodes(OutputFile& file, const Assembled& a) {
    file.write("x,y,z,mass,pinned,vx,vy,vz\n");
    for (int i = 0; i < a.system->particles(); ++i) {
        const Vec3 x = particle(a.state.q, i), v = particle(a.state.v, i);
        print(file, "%.17g,%.17g,%.17g,%.17g,%d,%.17g,%.17g,%.17g\n", x.x(), x.y(), x.z(), a.system->mass()[3 * i], a.system->pinned()[i],
              v.x(), v.y(), v.z());
    }
}

void write_springs(OutputFile& file, const Assembled& a) {
    file.write("p0,p1,p2,p3,w0,w1,w2,w3,stiffness,rest_length,kind,stiffening\n");
    std::vector<SpringRow> springs;
    a.system->list_springs(springs);
    for (const SpringRow& s : springs)
        print(file, "%d,%d,%d,%d,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%s,%.17g\n", s.particles[0], s.particles[1], s.particles[2],
              s.particles[3], s.weights[0], s.weights[1], s.weights[2], s.weights[3], s.stiffness, s.rest_length, s.kind,
              a.system->material().stiffening);
}

void write_force(OutputFile& file, const Assembled& a) {
    file.write("fx,fy,fz\n");
    for (int i = 0; i < a.system->particles(); ++i)
        print(file, "%.17g,%.17g,%.17g\n", a.force[3 * i], a.force[3 * i + 1], a.force[3 * i + 2]);
}

void data_array(OutputFile& file, const char* name, int components, const VecX& values, int stride = 1) {
    print(file, "<DataArray type=\"Float64\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"ascii\">\n", name, components);
    for (Eigen::Index k = 0; k < values.size(); k += stride) print(file, "%.17g%c", values[k], (k / stride + 1) % components ? ' ' : '\n');
    file.write("</DataArray>\n");
}

void write_mesh(OutputFile& file, const Assembled& a) {
    const TetMesh& mesh = a.scene->body.tets;
    const bool sheet = mesh.tets.empty();
    const int cells = static_cast<int>(sheet ? mesh.boundary.size() : mesh.tets.size()), corners = sheet ? 3 : 4;
    file.write(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n");
    print(file, "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n<Points>\n", a.system->particles(), cells);
    data_array(file, "position", 3, a.state.q);
    file.write("</Points>\n<PointData>\n");
    data_array(file, "mass", 1, a.system->mass(), 3);
    file.write("<DataArray type=\"UInt8\" Name=\"pinned\" format=\"ascii\">\n");
    for (int i = 0; i < a.system->particles(); ++i) print(file, "%d\n", a.system->pinned()[i]);
    file.write("</DataArray>\n");
    data_array(file, "velocity", 3, a.state.v);
    data_array(file, "force", 3, a.force);
    file.write("</PointData>\n<Cells>\n<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">\n");
    for (const Triangle& t : sheet ? mesh.boundary : std::vector<Triangle>{}) print(file, "%d %d %d\n", t[0], t[1], t[2]);
    for (const Tet& t : mesh.tets) print(file, "%d %d %d %d\n", t[0], t[1], t[2], t[3]);
    file.write("</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">\n");
    for (int c = 1; c <= cells; ++c) print(file, "%d\n", corners * c);
    file.write("</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">\n");
    for (int c = 0; c < cells; ++c) file.write(sheet ? "5\n" : "10\n");  // VTK_TRIANGLE, VTK_TETRA
    file.write("</DataArray>\n</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
}

void write_facts(OutputFile& file, const Assembled& a) {
    const Material& m = a.system->material();
    print(file,
          "{\n  \"particles\": %d,\n  \"unknowns\": %d,\n  \"tets\": %d,\n  \"mass\": %.17g,\n  \"gravity\": %.17g,\n  \"mass_damping\": "
          "%.17g,\n"
          "  \"damping\": %.17g,\n",
          a.system->particles(), a.system->degrees_of_freedom(), static_cast<int>(a.scene->body.tets.tets.size()), a.system->total_mass(),
          m.gravity, m.mass_damping, m.damping);
    file.write(
        "  \"equation\": \"M q'' + D q' = f(q), D = mass_damping M + damping K(q); f = springs + gravity along -y\",\n"
        "  \"files\": {\"M.mtx\": \"mass\", \"K.mtx\": \"tangent stiffness at the initial positions\", \"nodes.csv\": \"particles\", "
        "\"springs.csv\": "
        "\"springs\", \"force.csv\": \"force at the initial state\", \"mesh.vtu\": \"for ParaView\"}\n}\n");
}

}  // namespace

std::vector<FileToWrite> system_files(std::shared_ptr<const LoadedScene> loaded) {
    auto assembled = std::make_shared<Assembled>();
    assembled->system = make_system(*loaded, make_workers(*loaded, 0));
    assembled->state = initial_state(*loaded, *assembled->system);
    assembled->scene = std::move(loaded);
    assembled->force.setZero(assembled->state.q.size());
    assembled->system->elastic_force(assembled->state.q, assembled->force);
    const auto file = [&](const char* name, void (*write)(OutputFile&, const Assembled&)) {
        return FileToWrite{name, [assembled, write](OutputFile& out) { write(out, *assembled); }};
    };
    return {file("M.mtx", write_mass),          file("K.mtx", write_stiffness), file("nodes.csv", write_nodes),
            file("springs.csv", write_springs), file("force.csv", write_force), file("mesh.vtu", write_mesh),
            file("system.json", write_facts)};
}

}  // namespace wobble
