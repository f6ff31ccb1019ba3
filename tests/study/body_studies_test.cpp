// Small cuts of the studies of size and stiffness, and marching under error control.
#include "engine/core/memory_use.h"
#include "engine/integrate/methods.h"
#include "engine/study/integrate_fixed.h"
#include "engine/study/output/table_text.h"
#include "engine/study/study.h"
#include "tests/study/csv.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

namespace wobble {
namespace {

StudyResult run(const char* id, const StudyOptions& options) {
    auto result = find_study(id)->run(options, {});
    if (!result) return ADD_FAILURE() << result.message(), StudyResult{};
    return std::move(result).value();
}

TEST(Scaling, SameProductsForTheSameStepInUnitsOfTheHighestFrequency) {
    StudyOptions options;
    options.set = {{"resolution", 240}};
    options.steps = {0.002};
    options.threads = 1;
    const StudyResult result = run("scaling", options);
    ASSERT_EQ(result.tables.size(), 2u);
    const support::Csv csv = support::read_csv(to_csv(result.tables[0]));
    for (const char* column :
         {"integrator", "h", "seconds", "operator_products", "force_evaluations", "status", "dofs", "resident_megabytes"})
        EXPECT_TRUE(std::count(csv.columns.begin(), csv.columns.end(), column)) << column;
    std::vector<double> products, dofs;
    for (std::size_t r = 0; r < csv.rows.size(); ++r) {
        EXPECT_EQ(csv.rows[r].at("status"), "ok") << csv.rows[r].at("integrator");
        EXPECT_GT(csv.number(r, "seconds"), 0);
        EXPECT_GT(csv.number(r, "resident_megabytes"), 1);
        if (csv.rows[r].at("integrator") == "exprb42" && csv.rows[r].at("series") == "h_omega_80" && csv.number(r, "damping") == 0) {
            EXPECT_NEAR(csv.number(r, "h_omega_max"), 80, 1e-9);
            products.push_back(csv.number(r, "operator_products")), dofs.push_back(csv.number(r, "dofs"));
        }
    }
    ASSERT_EQ(products.size(), 3u);
    EXPECT_GT(dofs.back(), 3 * dofs.front());
    EXPECT_LT(*std::max_element(products.begin(), products.end()), 1.7 * *std::min_element(products.begin(), products.end()));
    EXPECT_GT(support::read_csv(to_csv(result.tables[1])).rows.size(), 3u);
}

TEST(MemoryUse, GrowsWithWhatIsUsed) {
    const double before = resident_megabytes();
    std::vector<double> filled(8 << 20, 1.0);  // 64 MB
    EXPECT_GT(resident_megabytes(), before + 50);
    EXPECT_GE(peak_resident_megabytes(), resident_megabytes() - 1);
    EXPECT_EQ(filled.back(), 1);
}

TEST(Stiffness, ErrorAndCost) {
    StudyOptions options;
    options.set = {{"resolution", 50}};
    options.seconds = 0.0625;
    options.detail = 0.15;
    options.integrators = {"exprb42"};
    options.threads = 1;
    const StudyResult result = run("stiffness", options);
    const support::Csv csv = support::read_csv(to_csv(result.tables.at(0)));
    for (const char* column : {"integrator", "h", "position_error", "velocity_error", "seconds", "operator_products", "force_evaluations",
                               "status", "stiffness", "phi"})
        EXPECT_TRUE(std::count(csv.columns.begin(), csv.columns.end(), column)) << column;
    std::set<std::string> parts, phis;
    std::map<std::string, double> frequency;
    for (std::size_t r = 0; r < csv.rows.size(); ++r) {
        parts.insert(csv.rows[r].at("part")), phis.insert(csv.rows[r].at("phi"));
        frequency[csv.rows[r].at("part") + csv.rows[r].at("stiffness")] = csv.number(r, "omega_max");
    }
    EXPECT_EQ(parts, (std::set<std::string>{"cost", "kappa"}));
    EXPECT_TRUE(phis.contains("lanczos") && phis.contains("rational") && phis.contains("kiops") && phis.contains("automatic"));
    ASSERT_EQ(frequency.size(), 4u) << "two stiffnesses each";
    // omega_max grows with the square root of the stiffness of nearly all its springs.
    EXPECT_NEAR(frequency.at("kappa10000000000") / frequency.at("kappa100000000"), 10, 0.5);
    EXPECT_NEAR(frequency.at("cost10") / frequency.at("cost1"), std::sqrt(10), 0.2);
    const support::Csv cost = support::read_csv(to_csv(result.tables.at(1)));
    for (std::size_t r = 0; r < cost.rows.size(); ++r)
        if (cost.rows[r].at("phi") == "rational" && cost.number(r, "stiffness") == 1) {  // the others may be too slow for this cut
            EXPECT_NE(cost.rows[r].at("how"), "not reached") << cost.rows[r].at("phi");
            EXPECT_FALSE(cost.rows[r].at("path").empty());
        }
    EXPECT_EQ(result.plots.size(), 3u);
}

// The number of steps follows the tolerance, the end is met exactly, and the error falls with the tolerance.
TEST(FixedRun, UnderErrorControlTheToleranceDecides) {
    const TetMesh mesh = support::box_tets(4, 1, 1);
    MechanicalSystem system = support::cantilever(mesh, {.stiffness = 2000, .edge_stiffness = 200}, 1);
    const State start{0, support::positions(mesh), support::random_velocity(system, 0.3, 1)};
    const Method& method = *find_method("exprb42");
    const IntegratorOptions options{{.tolerance = 1e-10}};
    const State exact = integrate_fixed(system, *method.make(options), start, 0.2 / 800, 800).end;
    std::vector<double> errors;
    std::vector<long> steps;
    for (const double tolerance : {1e-1, 1e-2, 1e-3}) {
        const FixedRun run = integrate_controlled(system, *method.make(options), start, 0.2, 0.1,
                                                  StepController(StepControl::error, tolerance, method.info.error_order));
        ASSERT_TRUE(run.ok()) << run.message;
        EXPECT_NEAR(run.end.t, 0.2, 1e-12);
        errors.push_back((run.end.q - exact.q).norm()), steps.push_back(run.steps);
    }
    EXPECT_GT(steps[2], steps[0]);
    EXPECT_LT(errors[2], 0.1 * errors[0]);
}

}  // namespace
}  // namespace wobble
