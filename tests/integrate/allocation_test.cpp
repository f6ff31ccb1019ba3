// No heap allocation inside a step after the first: every malloc of the process is counted while a step runs. The one exception is
// inside CHOLMOD, whose numeric factorisation makes and frees one dense workspace (two mallocs) and offers no way to keep it.
#include "engine/integrate/methods.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

namespace {

std::atomic<bool> counting{false};
std::atomic<long> allocations{0};

void note() {
    if (counting.load(std::memory_order_relaxed)) allocations.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t n) { return note(), __libc_malloc(n); }
void* calloc(std::size_t n, std::size_t size) { return note(), __libc_calloc(n, size); }
void* realloc(void* p, std::size_t n) { return note(), __libc_realloc(p, n); }
void* memalign(std::size_t alignment, std::size_t n) { return note(), __libc_memalign(alignment, n); }
void* aligned_alloc(std::size_t alignment, std::size_t n) { return note(), __libc_memalign(alignment, n); }
int posix_memalign(void** out, std::size_t alignment, std::size_t n) {
    note();
    *out = __libc_memalign(alignment, n);
    return *out ? 0 : 12;
}
}

namespace wobble {
namespace {

TEST(Allocation, TheCounterSeesThem) {
    allocations = 0;
    counting = true;
    {
        const VecX x = VecX::Zero(1000);
        (void)x;
    }
    void* volatile p = std::malloc(10);
    counting = false;
    std::free(p);
    EXPECT_EQ(allocations, 2);
}

class Step : public testing::TestWithParam<const Method*> {};

TEST_P(Step, DoesNotAllocateAfterTheFirst) {
    for (const double damping : {0.0, 1e-4}) {
        const TetMesh mesh = support::box_tets(8, 3, 3);
        const MechanicalSystem system = support::cantilever(mesh, {.stiffness = 1e5, .damping = damping});
        // Lanczos: the automatic choice makes what a path needs when it first takes it.
        const auto integrator = GetParam()->make({.solver = {.phi = PhiMethod::lanczos}});
        State state, next;
        state.q = support::positions(mesh);
        state.v = VecX::Zero(state.q.size());
        next = state;
        for (int n = 0; n < 20; ++n) {
            allocations = 0;
            // Long steps later: Krylov substeps that begin in the middle of a run. Bases grow with the largest dimension so far, so the
            // first long step may make memory, as the first of all may; the others find it ready.
            // And epi3 has a vector more from the second step on, with bases not for steps longer than the damping's time.
            const std::string id = GetParam()->info.id;
            const bool looks_back = id == "epi3-leapfrog" || (id == "epi3" && (damping == 0 || damping > 5e-4));
            const bool first = n == 0 || (n == 1 && looks_back);
            counting = !first && n != 13;
            const bool long_step = n > 12 && GetParam()->info.family == Family::exponential;
            const StepReport report = integrator->step(system, state, long_step ? 1.0 : 5e-4, next);
            counting = false;
            ASSERT_TRUE(report.ok()) << report.message;
            EXPECT_LE(allocations, 2 * report.factorizations) << "in step " << n << ", damping " << damping;
            if (long_step) {
                EXPECT_GT(report.substeps, 1);
            } else std::swap(state, next);
        }
    }
}

TEST(Allocation, NorDoesRationalKrylov) {
    for (const double damping : {0.0, 1e-3}) {
        const TetMesh mesh = support::box_tets(10, 3, 3);
        const MechanicalSystem system = support::cantilever(mesh, {.stiffness = 1e6, .damping = damping});
        const auto integrator = find_method("exprb42")->make({.solver = {.tolerance = 1e-3, .phi = PhiMethod::rational}});
        State state{0, support::positions(mesh), support::random_velocity(system, 0.01, 1)}, next = state;
        for (int n = 0; n < 3; ++n) {  // the same step again: its bases are as large
            allocations = 0;
            counting = n > 0;
            const StepReport report = integrator->step(system, state, 2e-3, next);
            counting = false;
            ASSERT_TRUE(report.ok()) << report.message;
            EXPECT_GT(report.solves, 10);
            EXPECT_LE(allocations, 2 * report.factorizations)
                << "in step " << n << ", damping " << damping << ", " << report.solves << " solves";
        }
    }
}

// The solvers behind the implicit methods, each in an implicit Euler.
TEST(Allocation, NoSolverAllocatesAfterTheFirstStep) {
    for (const auto& nonlinear : nonlinear_solvers())
        for (const auto& linear : linear_solvers()) {
            const TetMesh mesh = support::box_tets(6, 2, 2);
            const MechanicalSystem system = support::cantilever(mesh, {.stiffness = 1e5, .damping = 1e-4});
            const auto integrator = find_method("implicit-euler")->make({.solver = {.nonlinear = nonlinear.kind, .linear = linear.kind}});
            State state{0, support::positions(mesh), VecX::Zero(3 * system.particles())}, next = state;
            for (int n = 0; n < 8; ++n) {
                allocations = 0;
                counting = n > 0;
                const StepReport report = integrator->step(system, state, 2e-3, next);
                counting = false;
                ASSERT_TRUE(report.ok()) << report.message;
                EXPECT_LE(allocations, 2 * report.factorizations) << nonlinear.id << " " << linear.id << ", step " << n;
                std::swap(state, next);
            }
        }
}

std::vector<const Method*> all_methods() {
    std::vector<const Method*> all;
    for (const Method& method : methods()) all.push_back(&method);
    return all;
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, Step, testing::ValuesIn(all_methods()), [](const auto& test) {
    std::string name = test.param->info.id;
    for (char& c : name)
        if (c == '-') c = '_';
    return name;
});

}  // namespace
}  // namespace wobble
