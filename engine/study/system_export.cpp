#include "engine/study/system_export.h"

#include "engine/model/mechanical_system.h"
#include "engine/sim/system_factory.h"
#include "engine/study/output/vtu.h"

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <numbers>

namespace wobble {

namespace {

struct Assembled {
    std::shared_ptr<const LoadedScene> scene;
    std::unique_ptr<MechanicalSystem> system;
    State state;
    VecX force;
    VecX bent, bent_force;  // the displacement of deformed.csv and the force there
};

// Smooth, so that no tet turns inside out, and different along all axes, so that every spring is strained.
VecX bend(const VecX& q) {
    Vec3 low = particle(q, 0), high = low;
    for (int i = 1; i < q.size() / 3; ++i) low = low.cwiseMin(particle(q, i)), high = high.cwiseMax(particle(q, i));
    const double L = (high - low).norm(), turn = 2 * std::numbers::pi / L;
    VecX u(q.size());
    for (int i = 0; i < q.size() / 3; ++i) {
        const Vec3 x = particle(q, i);
        particle(u, i) = L / 30 * Vec3(std::sin(turn * x.y()), std::sin(turn * x.z()), std::sin(turn * x.x()));
    }
    return u;
}

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
    file.write("x,y,z,mass,pinned,vx,vy,vz,body\n");
    for (int i = 0; i < a.system->particles(); ++i) {
        const Vec3 x = particle(a.state.q, i), v = particle(a.state.v, i);
        print(file, "%.17g,%.17g,%.17g,%.17g,%d,%.17g,%.17g,%.17g,%d\n", x.x(), x.y(), x.z(), a.system->mass()[3 * i],
              a.system->pinned()[i], v.x(), v.y(), v.z(), a.scene->body_of_particle(i));
    }
}

void write_springs(OutputFile& file, const Assembled& a) {
    file.write("p0,p1,p2,p3,w0,w1,w2,w3,stiffness,rest_length,kind,stiffening\n");
    std::vector<SpringRow> springs;
    a.system->list_springs(springs);
    for (const SpringRow& s : springs)
        print(file, "%d,%d,%d,%d,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%s,%.17g\n", s.particles[0], s.particles[1], s.particles[2],
              s.particles[3], s.weights[0], s.weights[1], s.weights[2], s.weights[3], s.stiffness, s.rest_length, s.kind,
              a.scene->scene.settings.parameters(a.scene->body_of_particle(s.particles[0])).stiffening);
}

void write_force(OutputFile& file, const Assembled& a) {
    file.write("fx,fy,fz\n");
    for (int i = 0; i < a.system->particles(); ++i)
        print(file, "%.17g,%.17g,%.17g\n", a.force[3 * i], a.force[3 * i + 1], a.force[3 * i + 2]);
}

void write_deformed(OutputFile& file, const Assembled& a) {
    file.write("ux,uy,uz,fx,fy,fz\n");
    for (int i = 0; i < a.system->particles(); ++i) {
        const Vec3 u = particle(a.bent, i), f = particle(a.bent_force, i);
        print(file, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", u.x(), u.y(), u.z(), f.x(), f.y(), f.z());
    }
}

void write_mesh(OutputFile& file, const Assembled& a) {
    const TetMesh& mesh = a.scene->body.tets;
    const auto all = [](const VecX& x) { return std::span<const double>(x.data(), static_cast<std::size_t>(x.size())); };
    std::vector<double> mass, body;
    for (int i = 0; i < a.system->particles(); ++i) mass.push_back(a.system->mass()[3 * i]), body.push_back(a.scene->body_of_particle(i));
    VtuGrid grid;
    grid.points = {"position", 3, all(a.state.q)};
    grid.tets = mesh.tets;
    grid.triangles = mesh.boundary;
    grid.data.push_back({"mass", 1, std::span<const double>(mass)});
    grid.data.push_back({"pinned", 1, std::span<const std::uint8_t>(a.system->pinned())});
    grid.data.push_back({"velocity", 3, all(a.state.v)});
    grid.data.push_back({"force", 3, all(a.force)});
    grid.data.push_back({"body", 1, std::span<const double>(body)});
    write_vtu(file, grid, VtuEncoding::text);
}

// A name in quotes: what JSON does not take as it is becomes an escape.
std::string json_text(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        char code[8] = {c, 0};
        if (c == '"' || c == '\\') std::snprintf(code, sizeof code, "\\%c", c);
        else if (static_cast<unsigned char>(c) < 0x20)
            std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
        out += code;
    }
    return out + "\"";
}

std::string vector_text(const Vec3& v) {
    char text[120];
    std::snprintf(text, sizeof text, "[%.17g, %.17g, %.17g]", v.x(), v.y(), v.z());
    return text;
}

void write_pins(OutputFile& file, const std::vector<PinRule>& pins) {
    file.write("  \"pins\": [");
    for (std::size_t i = 0; i < pins.size(); ++i) {
        const PinRule& pin = pins[i];
        const char* kind = pin.kind == PinRule::Kind::held ? "held" : pin.kind == PinRule::Kind::plane ? "plane" : "line";
        print(file, "%s\n    {\"kind\": \"%s\", \"low\": ", i ? "," : "", kind);
        file.write(vector_text(pin.low) + ", \"high\": " + vector_text(pin.high) + ", \"direction\": " + vector_text(pin.direction) +
                   ", \"amplitude\": " + vector_text(pin.amplitude));
        print(file, ", \"frequency\": %.17g}", pin.frequency);
    }
    file.write(pins.empty() ? "],\n" : "\n  ],\n");
}

void write_regions(OutputFile& file, const std::vector<StiffRegion>& regions) {
    file.write("  \"regions\": [");
    for (std::size_t i = 0; i < regions.size(); ++i) {
        file.write(i ? ",\n    " : "\n    ");
        file.write("{\"low\": " + vector_text(regions[i].low) + ", \"high\": " + vector_text(regions[i].high));
        print(file, ", \"factor\": %.17g}", regions[i].factor);
    }
    file.write(regions.empty() ? "],\n" : "\n  ],\n");
}

// What is one body's own, as members of a JSON object.
void write_body(OutputFile& file, const Scene& scene, int b) {
    const BodySource& body = scene.body(b);
    file.write("  \"parameters\": {");
    const char* between = "";
    for (const Parameter& p : parameters()) {
        print(file, "%s\"%s\": %.17g", between, p.name, scene.settings.parameters(b).*(p.field));
        between = ", ";
    }
    const BodyKind kind = body_kind(scene, b);
    print(file, "},\n  \"model\": {\"body\": \"%s\", \"shear\": %.17g, \"bending\": %.17g, \"thickness\": %.17g},\n",
          kind == spring_sheet         ? "sheet of springs"
          : kind == corotational_solid ? "co-rotational tetrahedra"
          : kind == neo_hookean_solid  ? "neo-Hookean tetrahedra"
                                       : "solid of springs",
          body.model.shear, body.model.bending, body.model.thickness);
    write_regions(file, body.model.regions);
    write_pins(file, scene.settings.pins(b));
    file.write("  \"initial_velocity\": " + vector_text(body.initial_velocity) +
               ",\n  \"initial_shear\": " + vector_text(body.initial_shear));
}

void write_bodies(OutputFile& file, const LoadedScene& loaded) {
    const Scene& scene = loaded.scene;
    file.write("  \"bodies\": [");
    for (int b = 0; b < scene.count(); ++b) {
        const IndexRange own = loaded.range(b).particles;
        file.write(std::string(b ? ",\n" : "\n") + "  {\"name\": " + json_text(scene.body_name(b)));
        print(file, ", \"first_particle\": %d, \"particles\": %d,\n", own.begin, own.size());
        write_body(file, scene, b);
        file.write("}");
    }
    file.write("\n  ]");
}

void write_facts(OutputFile& file, const Assembled& a) {
    const Scene& scene = a.scene->scene;
    print(file, "{\n  \"particles\": %d,\n  \"unknowns\": %d,\n  \"tets\": %d,\n  \"mass\": %.17g,\n", a.system->particles(),
          a.system->degrees_of_freedom(), static_cast<int>(a.scene->body.tets.tets.size()), a.system->total_mass());
    if (scene.count() == 1) write_body(file, scene, 0);
    else write_bodies(file, *a.scene);
    print(file, ",\n  \"wind\": {\"speed\": %.17g, \"drag\": %.17g, \"gusts\": %.17g, \"direction\": %s,\n",
          scene.settings.parameters().wind, scene.wind.drag, scene.wind.gusts, vector_text(scene.wind.direction).c_str());
    file.write(
        "    \"law\": \"each outer triangle of area A, unit normal n, velocity v and centre x feels c A (n . (w - v)) n, a third at each "
        "corner; w = W [ d (1 + g (0.6 sin(2 pi 0.45 t) + 0.4 sin(2 pi (1.1 t - y/L)))) + e g/2 sin(2 pi (0.7 t - y/L)) ], W speed, c "
        "drag, "
        "g gusts, d the unit direction, e = d x (0,1,0) normalised, y = e . x, L the diagonal of the body's box at rest; constant within a "
        "step h, c at most 0.4/h times the least mass per area of the corners; not in force.csv and deformed.csv\"},\n");
    file.write(
        "  \"equation\": \"M q'' + D q' = f(q) + f_wind, D = mass_damping M + damping K(q) + sum over springs of spring_damping k n n^T, n "
        "the "
        "spring's direction spread by its weights; f = elastic force + gravity along -y\",\n"
        "  \"files\": {\"M.mtx\": \"mass\", \"K.mtx\": \"tangent stiffness at the initial positions\", \"nodes.csv\": \"particles\", "
        "\"springs.csv\": \"springs\", \"force.csv\": \"force at the initial state\", \"deformed.csv\": \"a displacement from the "
        "initial positions and the force there\", \"mesh.vtu\": \"for ParaView\"}\n}\n");
}

}  // namespace

std::vector<FileToWrite> system_files(std::shared_ptr<const LoadedScene> loaded) {
    auto assembled = std::make_shared<Assembled>();
    assembled->system = make_system(*loaded, make_workers(*loaded, 0));
    assembled->state = initial_state(*loaded, *assembled->system);
    assembled->system->prepare(assembled->state);
    assembled->scene = std::move(loaded);
    assembled->force.setZero(assembled->state.q.size());
    assembled->system->elastic_force(assembled->state.q, assembled->force);
    assembled->bent = bend(assembled->state.q);
    assembled->bent_force.setZero(assembled->state.q.size());
    assembled->system->elastic_force(assembled->state.q + assembled->bent, assembled->bent_force);
    const auto file = [&](const char* name, void (*write)(OutputFile&, const Assembled&)) {
        return FileToWrite{name, [assembled, write](OutputFile& out) { write(out, *assembled); }};
    };
    return {file("M.mtx", write_mass),          file("K.mtx", write_stiffness),  file("nodes.csv", write_nodes),
            file("springs.csv", write_springs), file("force.csv", write_force),  file("deformed.csv", write_deformed),
            file("mesh.vtu", write_mesh),       file("system.json", write_facts)};
}

}  // namespace wobble
