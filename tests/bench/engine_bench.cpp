// The engine's kernels and one step of each method on a bunny of about 9000 vertices. Times mean little on a shared machine;
// the counter `reads` does: time divided by the time a streaming read of the bytes the kernel must touch takes in the same run.
// Kernels also report, each from the best of rounds in which the things compared take turns (so that both see the same machine),
//     in_SpMVs               time over that of one product with the matrix
//     share_of_stream        the rate at which it reads its matrix, over that at which the same threads stream memory (256 MB, as the
//                            benchmark STREAM wants it: far more than any cache)
//     share_of_cache         the same, over the rate at which they stream as many bytes again and again: that of the last cache where they
//                            fit into it
//     blocks_of_cache        the same, as if it had read the matrix as blocks: how a product that need not read them all compares
//     speedup_of_two_threads time with one thread over time with two
#include "engine/integrate/methods.h"
#include "engine/solve/krylov/lanczos.h"
#include "tests/bench/bunny.h"

#include <benchmark/benchmark.h>

namespace wobble {
namespace {

struct Bench : Bunny {
    std::unique_ptr<BlockMatrix> K;
    double seconds_per_byte = 0;  // of a streaming read with all threads, over as many bytes as the matrix has

    explicit Bench(double resolution) : Bunny(resolution) {
        K = std::make_unique<BlockMatrix>(system->pattern());
        system->stiffness(state.q, *K);
        measure_stream();
    }

    void measure_stream() {
        const LargeVector<double> data(K->bytes() / sizeof(double), 1.0);
        double best = 1e300;
        for (int i = 0; i < 50; ++i)
            best = std::min(best, seconds([&] {
                                workers->ranges(static_cast<int>(data.size()), [&](int begin, int end) {
                                    Eigen::Map<const VecX> part(data.data() + begin, end - begin);
                                    benchmark::DoNotOptimize(part.sum());
                                });
                            }));
        seconds_per_byte = best / static_cast<double>(K->bytes());
    }

    // Runs `work` as the benchmark's body and reports time in streaming reads of `bytes`.
    template <class Work>
    void measure(benchmark::State& run, double bytes, Work&& work) const {
        double best = 1e300;
        for (auto _ : run) {
            const double t = seconds(work);
            run.SetIterationTime(t);
            best = std::min(best, t);
        }
        run.counters["reads"] = best / (bytes * seconds_per_byte);
        run.counters["GB/s"] = bytes / best * 1e-9;
    }
};

// The kernels on as many threads as asked.
struct Kernels {
    std::shared_ptr<Workers> workers;
    MechanicalSystem system;
    const State& state;
    BlockMatrix K;
    EdgeTangent edges;
    VecX f, x, y, x2, y2, sums;
    LargeVector<double> stream;                                      // in pages as the matrices have them
    LargeVector<double> memory = LargeVector<double>(1 << 25, 1.0);  // 256 MB: more than any cache

    Kernels(const Bench& b, int threads)
        : workers(std::make_shared<Workers>(threads)),
          system(b.scene->body.tets, constraints(b.scene->scene.settings.pins(), b.scene->body.tets.vertices), b.system->material(),
                 workers),
          state(b.state),
          K(system.pattern()),
          edges(system.new_tangent()),
          f(state.q.size()),
          x(VecX::Random(f.size())),
          y(f.size()),
          x2(VecX::Random(2 * f.size() + 8)),
          y2(x2.size()),
          sums(VecX::Zero(3 * f.size() + 8)),
          stream(K.bytes() / sizeof(double), 1.0) {
        system.stiffness(state.q, K);
        system.stiffness(state.q, edges);
    }
    void force() { system.force(state.q, state.v, f); }
    void tangent() { system.stiffness(state.q, K); }
    void spmv() { K.multiply(*workers, x, y); }
    void spmm2() { K.multiply_columns<2>(*workers, x2.data(), y2.data()); }
    void edge_tangent() { system.stiffness(state.q, edges); }
    void edges1() { multiply_edges<1>(x2, y2); }
    void edges2() { multiply_edges<2>(x2, y2); }
    template <int C>
    void multiply_edges(const VecX& from, VecX& to) {
        edges.matrix().pattern().split(*workers, [&](int begin, int end) {
            const double* const in = from.data();
            double* const out = to.data();
            const EdgeRows<C, false> rows(edges.matrix(), in, sums.data(), begin, end);
            for (int i = begin; i < end; ++i) rows.multiply(i, in).write(out + static_cast<std::size_t>(3 * C) * i);
        });
    }
    void read() { read(stream); }
    void read_memory() { read(memory); }
    void read(const LargeVector<double>& numbers) {
        workers->ranges(static_cast<int>(numbers.size()), [&](int begin, int end) {
            benchmark::DoNotOptimize(Eigen::Map<const VecX>(numbers.data() + begin, end - begin).sum());
        });
    }
};

// Reports how the kernel compares with a product, a streaming read and itself on one thread.
void add_ratios(const Bench& b, const std::string& name, void (Kernels::*kernel)(), double bytes) {
    benchmark::RegisterBenchmark(("ratios_" + name).c_str(),
                                 [&b, kernel, bytes](benchmark::State& run) {
                                     Kernels one(b, 1), two(b, 2);
                                     double alone = 1e300, both = 1e300, product = 1e300, read = 1e300, memory = 1e300;
                                     const auto measure = [](Kernels& k, void (Kernels::*work)(), double& best) {
                                         (k.*work)();  // the caches as this kernel leaves them
                                         for (int i = 0; i < 5; ++i) best = std::min(best, seconds([&] { (k.*work)(); }));
                                     };
                                     for (auto _ : run)
                                         for (int round = 0; round < 20; ++round) {
                                             measure(one, kernel, alone);
                                             measure(two, kernel, both);
                                             measure(two, &Kernels::spmv, product);
                                             measure(two, static_cast<void (Kernels::*)()>(&Kernels::read), read);
                                             if (round == 0) measure(two, &Kernels::read_memory, memory);
                                         }
                                     run.counters["ms"] = 1e3 * both;
                                     run.counters["in_SpMVs"] = both / product;
                                     const auto share = [&](double seconds, const LargeVector<double>& numbers) {
                                         return bytes / both * seconds / static_cast<double>(numbers.size() * sizeof(double));
                                     };
                                     if (bytes > 0) {
                                         run.counters["share_of_stream"] = share(memory, two.memory);
                                         run.counters["share_of_cache"] = share(read, two.stream);
                                         run.counters["blocks_of_cache"] = read / both;
                                     }
                                     run.counters["speedup_of_two_threads"] = alone / both;
                                 })
        ->Iterations(5)
        ->Unit(benchmark::kMillisecond);
}

void add_benchmarks(const Bench& b) {
    const double blocks = static_cast<double>(b.K->bytes()), edges = static_cast<double>(b.system->new_tangent().matrix().bytes());
    add_ratios(b, "force", &Kernels::force, 0);
    add_ratios(b, "tangent", &Kernels::tangent, 0);
    add_ratios(b, "SpMV", &Kernels::spmv, blocks);
    add_ratios(b, "SpMM2", &Kernels::spmm2, blocks);
    // The form that Lanczos reads: half of the matrix does the work of the whole.
    add_ratios(b, "edge_tangent", &Kernels::edge_tangent, 0);
    add_ratios(b, "edges_SpMV", &Kernels::edges1, edges);
    add_ratios(b, "edges_SpMM2", &Kernels::edges2, edges);
    const double matrix = static_cast<double>(b.K->bytes()), vectors = 3.0 * b.system->particles() * sizeof(double);
    const double tets = static_cast<double>(b.scene->body.tets.tets.size());
    const double elements = tets * (sizeof(Tet) + 4 * sizeof(double)) + (matrix / 76 / 2) * (2 * sizeof(int) + sizeof(double));
    const double map = tets * 6 * sizeof(int) + matrix / 76 * sizeof(int);  // where each tet adds, and what each block is made of
    const auto add = [](const std::string& name, auto body) {
        benchmark::RegisterBenchmark(name.c_str(), body)->UseManualTime()->Unit(benchmark::kMillisecond);
    };
    add("force", [&b, elements, vectors](benchmark::State& run) {
        VecX f(b.state.q.size());
        b.measure(run, elements + 2 * vectors, [&] { b.system->force(b.state.q, b.state.v, f); });
    });
    add("tangent_assembly", [&b, elements, map, matrix](benchmark::State& run) {
        BlockMatrix K(b.system->pattern());
        b.measure(run, elements + map + matrix, [&] { b.system->stiffness(b.state.q, K); });
    });
    add("spmv_1", [&b, matrix, vectors](benchmark::State& run) {
        const VecX x = VecX::Random(b.state.q.size());
        VecX y(x.size());
        b.measure(run, matrix + 2 * vectors, [&] { b.K->multiply(*b.workers, x, y); });
    });
    add("spmm_2", [&b, matrix, vectors](benchmark::State& run) {
        const VecX x = VecX::Random(2 * b.state.q.size());
        VecX y(x.size());
        b.measure(run, matrix + 4 * vectors, [&] { b.K->multiply_columns<2>(*b.workers, x.data(), y.data()); });
    });
    for (const Method& method : methods())
        add(std::string("step_") + method.info.id, [&b, &method, matrix](benchmark::State& run) {
            const auto integrator = method.make({});
            State state = b.state, next = b.state;
            b.measure(run, matrix, [&] {
                if (!integrator->step(*b.system, state, method.info.family == Family::explicit_classical ? 1e-5 : 1.0 / 120, next).ok())
                    std::fprintf(stderr, "%s failed\n", method.info.id), std::exit(1);
                std::swap(state, next);
            });
        });
}

}  // namespace
}  // namespace wobble

int main(int argc, char** argv) {
    double resolution = 9000;
    if (const char* asked = std::getenv("WOBBLE_BENCH_RESOLUTION")) resolution = std::atof(asked);
    const wobble::Bench bench(resolution);
    std::printf("bunny: %d vertices, %zu tets, %d blocks, matrix %.1f MB, streaming read %.1f GB/s with %d threads\n",
                bench.system->particles(), bench.scene->body.tets.tets.size(), bench.K->pattern().blocks(),
                static_cast<double>(bench.K->bytes()) * 1e-6, 1e-9 / bench.seconds_per_byte, bench.workers->count());
    wobble::add_benchmarks(bench);
    wobble::add_implicit_benchmarks(bench);
    wobble::add_phi_benchmarks(bench);
    wobble::add_model_benchmarks(bench);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
