// What `wobble export` writes is enough to rebuild the engine's forces and matrices by the formulas of system_export.h.
#include "engine/study/system_export.h"

#include "engine/model/mechanical_system.h"
#include "engine/sim/system_factory.h"
#include "tests/study/csv.h"
#include "tests/study/xml.h"
#include "tests/support/box_tets.h"
#include "tests/support/small_scene.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace wobble {
namespace {

namespace fs = std::filesystem;

class Export : public testing::Test {
protected:
    fs::path folder = fs::temp_directory_path() / ("wobble_export_" + std::to_string(::getpid()));
    std::shared_ptr<const LoadedScene> scene;
    std::unique_ptr<MechanicalSystem> system;

    void SetUp() override {
        Parameters parameters;
        parameters.stiffness = 5000;
        parameters.edge_stiffness = 300;
        scene = support::small_scene(parameters, 4, 1);
        system = make_system(*scene, make_workers(*scene, 1));
        const auto written = write_files(folder / "deep", system_files(scene));
        ASSERT_TRUE(written) << written.message();
    }
    void TearDown() override { fs::remove_all(folder); }
    std::string text(const char* name) const {
        std::ifstream stream(folder / "deep" / name);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    // Lower triangle in coordinates, as a dense matrix.
    Eigen::MatrixXd matrix(const char* name) const {
        std::istringstream stream(text(name));
        std::string line;
        std::getline(stream, line);
        EXPECT_EQ(line, "%%MatrixMarket matrix coordinate real symmetric");
        while (stream.peek() == '%') std::getline(stream, line);
        int rows = 0, columns = 0, row = 0, column = 0;
        long entries = 0, seen = 0;
        stream >> rows >> columns >> entries;
        EXPECT_EQ(rows, 3 * system->particles());
        EXPECT_EQ(columns, rows);
        Eigen::MatrixXd A = Eigen::MatrixXd::Zero(rows, columns);
        for (double value; stream >> row >> column >> value; ++seen) {
            EXPECT_GE(row, column) << "symmetric files hold the lower triangle";
            A(row - 1, column - 1) = A(column - 1, row - 1) = value;
        }
        EXPECT_EQ(seen, entries);
        return A;
    }
};

TEST_F(Export, SpringsReproduceTheEnginesForce) {
    const support::Csv springs = support::read_csv(text("springs.csv")), nodes = support::read_csv(text("nodes.csv"));
    ASSERT_EQ(nodes.rows.size(), static_cast<std::size_t>(system->particles()));
    ASSERT_GT(springs.rows.size(), 100u);
    const support::Csv deformed = support::read_csv(text("deformed.csv"));
    VecX q(system->rest().size()), stated(q.size());
    for (int i = 0; i < system->particles(); ++i)
        for (int a = 0; a < 3; ++a) {
            const std::string axis(1, "xyz"[a]);
            q[3 * i + a] = nodes.number(i, axis) + deformed.number(i, "u" + axis);
            stated[3 * i + a] = deformed.number(i, "f" + axis);
        }
    VecX f = VecX::Zero(q.size());
    for (std::size_t s = 0; s < springs.rows.size(); ++s) {
        Vec3 d = Vec3::Zero();
        int p[4];
        double w[4];
        for (int a = 0; a < 4; ++a) {
            p[a] = static_cast<int>(springs.number(s, "p" + std::to_string(a)));
            w[a] = springs.number(s, "w" + std::to_string(a));
            if (p[a] >= 0) d += w[a] * particle(q, p[a]);
        }
        const double k = springs.number(s, "stiffness"), l0 = springs.number(s, "rest_length"), c = springs.number(s, "stiffening");
        const double e = d.norm() - l0;
        for (int a = 0; a < 4; ++a)
            if (p[a] >= 0) particle(f, p[a]) -= w[a] * k * (e + c * e * e * e / (l0 * l0)) * d.normalized();
    }
    for (int i = 0; i < system->particles(); ++i) f[3 * i + 1] -= 9.81 * nodes.number(i, "mass");
    VecX engine = VecX::Zero(q.size());
    system->elastic_force(q, engine);
    ASSERT_GT(engine.norm(), 100) << "a state that is really deformed";
    EXPECT_LT((f - engine).norm(), 1e-12 * engine.norm());
    EXPECT_LT((stated - engine).norm(), 1e-12 * engine.norm());
    for (std::size_t s = 0; s < springs.rows.size(); ++s) {
        Vec3 d = Vec3::Zero();
        for (int a = 0; a < 4; ++a)
            if (const int p = static_cast<int>(springs.number(s, "p" + std::to_string(a))); p >= 0)
                d += springs.number(s, "w" + std::to_string(a)) * particle(q, p);
        EXPECT_NE(d.norm(), springs.number(s, "rest_length")) << "a spring without strain is not checked";
    }
}

TEST_F(Export, MatricesAreThoseOfTheMotion) {
    const Eigen::MatrixXd M = matrix("M.mtx"), K = matrix("K.mtx");
    EXPECT_NEAR(M.trace() / 3, system->total_mass(), 1e-9 * system->total_mass());
    EXPECT_EQ(Eigen::MatrixXd(M.diagonal().asDiagonal()), M);
    // A small displacement from the initial state: the force changes by -K u.
    const VecX q = initial_state(*scene, *system).q, u = support::random_vector(q.size(), 1e-6, 3);
    VecX before = VecX::Zero(q.size()), after = before;
    system->elastic_force(q - u, before);
    system->elastic_force(q + u, after);
    const VecX expected = (after - before) / 2;
    ASSERT_GT(expected.norm(), 0);
    EXPECT_LT((K * u + expected).norm(), 1e-6 * expected.norm());
    const support::Csv force = support::read_csv(text("force.csv"));
    VecX now = VecX::Zero(q.size());
    system->elastic_force(q, now);
    for (int i = 0; i < system->particles(); ++i)
        for (int a = 0; a < 3; ++a) EXPECT_EQ(force.number(i, std::string("f") + "xyz"[a]), now[3 * i + a]);
}

TEST_F(Export, NodesAndMesh) {
    const support::Csv nodes = support::read_csv(text("nodes.csv"));
    EXPECT_EQ((std::vector<std::string>{nodes.columns.begin(), nodes.columns.begin() + 5}),
              (std::vector<std::string>{"x", "y", "z", "mass", "pinned"}));
    double mass = 0;
    for (int i = 0; i < system->particles(); ++i) {
        EXPECT_EQ(nodes.number(i, "x"), scene->body.tets.vertices[i].x());
        EXPECT_EQ(nodes.number(i, "pinned"), system->pinned()[i]);
        mass += nodes.number(i, "mass");
    }
    EXPECT_NEAR(mass, system->total_mass(), 1e-9 * mass);
    const std::string vtu = text("mesh.vtu");
    const support::Xml xml = support::parse_xml(vtu);
    ASSERT_EQ(xml.error, "");
    EXPECT_EQ(xml.root, "VTKFile");
    const std::string counts = "NumberOfPoints=\"" + std::to_string(system->particles()) + "\" NumberOfCells=\"" +
                               std::to_string(scene->body.tets.tets.size()) + "\"";
    EXPECT_NE(vtu.find(counts), std::string::npos);
}

TEST_F(Export, FailuresLeaveNothingBehind) {
    const fs::path place = folder / "blocked";
    fs::create_directories(place / "nodes.csv");  // a folder where a file should go
    const auto written = write_files(place, system_files(scene));
    ASSERT_FALSE(written);
    EXPECT_NE(written.message().find("nodes.csv"), std::string::npos) << written.message();
    EXPECT_EQ(std::distance(fs::directory_iterator(place), fs::directory_iterator()), 1) << "only what was there before";
    std::ofstream(folder / "file") << "x";
    EXPECT_NE(make_folder(folder / "file").message().find("is a file"), std::string::npos);
    EXPECT_FALSE(make_folder(folder / "file" / "below"));
    EXPECT_FALSE(make_folder(""));
}

}  // namespace
}  // namespace wobble
