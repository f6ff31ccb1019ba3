#include "engine/linalg/cholesky.h"

#include "engine/linalg/one_blas_thread.h"

#include <suitesparse/cholmod.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <mutex>
#include <new>
#include <stdexcept>

// CHOLMOD opens an OpenMP team of four threads several times per supernode, for loops of a few hundred additions: it costs more than
// it gives, allocates every time, and on a busy machine every team waits for its slowest thread. This definition takes the place of
// the OpenMP runtime's and runs such loops in the calling thread; the arithmetic that matters is in the BLAS.
extern "C" void GOMP_parallel(void (*body)(void*), void* data, unsigned, unsigned);
extern "C" void GOMP_parallel(void (*body)(void*), void* data, unsigned, unsigned) { body(data); }

namespace wobble {

namespace {

std::mutex metis;  // it has one random generator for all threads: orders would depend on who else is ordering

}  // namespace

struct SparseCholesky::Implementation {
    cholmod_common common;
    cholmod_sparse* matrix = nullptr;  // lower triangle of P A P^T
    cholmod_factor* factor = nullptr;
    std::vector<std::size_t> source;  // for each entry of `matrix`: where in the given values
    std::vector<int> order;           // row i of the permuted matrix is row order[i] of A
    int width = 3;                    // rows of a block that are unknowns of their own; 1: scalars, and three right-hand sides
    cholmod_dense *right = nullptr, *solution = nullptr, *work_y = nullptr, *work_e = nullptr;

    struct Lane {  // what a solve needs of its own when several run at the same time; the factor is only read
        cholmod_common common;
        cholmod_dense *right = nullptr, *solution = nullptr, *work_y = nullptr, *work_e = nullptr;
        Lane() { cholmod_start(&common); }
        ~Lane() {
            for (cholmod_dense** dense : {&right, &solution, &work_y, &work_e}) cholmod_free_dense(dense, &common);
            cholmod_finish(&common);
        }
    };
    std::vector<std::unique_ptr<Lane>> lanes;

    Implementation() { cholmod_start(&common); }
    ~Implementation() {
        for (cholmod_dense** dense : {&right, &solution, &work_y, &work_e}) cholmod_free_dense(dense, &common);
        cholmod_free_sparse(&matrix, &common);
        cholmod_free_factor(&factor, &common);
        cholmod_finish(&common);
    }

    // Lower triangle of the matrix permuted by `order`, pattern only; fills `source`.
    void lay_out(const BlockPattern& pattern) {
        const int n = width * pattern.rows();
        std::vector<int> position(n);
        for (int i = 0; i < n; ++i) position[order[i]] = i;
        std::vector<std::vector<std::pair<int, std::size_t>>> columns(n);
        for (int i = 0; i < pattern.rows(); ++i)
            for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k)
                for (int c = 0; c < width; ++c)
                    for (int r = 0; r < width; ++r) {
                        const int row = position[width * i + r], column = position[width * pattern.column[k] + c];
                        if (row >= column) columns[column].emplace_back(row, width * (width * static_cast<std::size_t>(k) + r) + c);
                    }
        std::size_t entries = 0;
        for (const auto& column : columns) entries += column.size();
        cholmod_free_sparse(&matrix, &common);
        matrix = cholmod_allocate_sparse(n, n, entries, 1, 1, -1, CHOLMOD_REAL, &common);
        if (!matrix) throw std::bad_alloc();
        source.clear();
        int* begin = static_cast<int*>(matrix->p);
        int* rows = static_cast<int*>(matrix->i);
        std::fill_n(static_cast<double*>(matrix->x), entries, 0.0);
        for (int j = 0; j < n; ++j) {
            begin[j] = static_cast<int>(source.size());
            std::sort(columns[j].begin(), columns[j].end());
            for (const auto& [row, from] : columns[j]) rows[source.size()] = row, source.push_back(from);
        }
        begin[n] = static_cast<int>(entries);
    }

    void analyze() {
        cholmod_free_factor(&factor, &common);
        factor = cholmod_analyze(matrix, &common);
        if (!factor) throw std::runtime_error("CHOLMOD could not analyse the matrix: out of memory, try a lower resolution");
    }
};

SparseCholesky::SparseCholesky(const BlockPattern& pattern, Entries entries) : self_(std::make_unique<Implementation>()) {
    Implementation& s = *self_;
    s.width = entries == Entries::blocks ? 3 : 1;
    one_blas_thread();
    s.common.supernodal = CHOLMOD_SUPERNODAL;
    s.common.print = 0;
    s.common.quick_return_if_not_posdef = 1;
    s.order.resize(static_cast<std::size_t>(s.width) * pattern.rows());
    for (std::size_t i = 0; i < s.order.size(); ++i) s.order[i] = static_cast<int>(i);

    // First pass: let CHOLMOD find the fill-reducing order. Second: keep that order and permute ourselves.
    s.lay_out(pattern);
    s.common.nmethods = 1;
    s.common.method[0].ordering = CHOLMOD_METIS;  // nested dissection: a third of AMD's fill on 3D bodies
    {
        const std::scoped_lock alone(metis);
        s.analyze();
    }
    std::copy_n(static_cast<const int*>(s.factor->Perm), s.order.size(), s.order.begin());
    s.lay_out(pattern);
    s.common.method[0].ordering = CHOLMOD_NATURAL;
    s.common.postorder = 0;
    s.analyze();
    s.right = cholmod_allocate_dense(s.order.size(), 3 / s.width, s.order.size(), CHOLMOD_REAL, &s.common);
    if (!s.right) throw std::bad_alloc();
}

SparseCholesky::~SparseCholesky() = default;

bool SparseCholesky::factorize(const BlockMatrix& A) { return assert(self_->width == 3), factorize(A.block(0)); }
bool SparseCholesky::factorize(const ScalarMatrix& A) { return assert(self_->width == 1), factorize(A.values()); }

bool SparseCholesky::factorize(const double* values) {
    Implementation& s = *self_;
    double* x = static_cast<double*>(s.matrix->x);
    for (std::size_t k = 0; k < s.source.size(); ++k) x[k] = values[s.source[k]];
    return cholmod_factorize(s.matrix, s.factor, &s.common) && s.common.status == CHOLMOD_OK && s.factor->minor == s.factor->n;
}

void SparseCholesky::solve(const VecX& b, VecX& x) {
    Implementation& s = *self_;
    const std::size_t n = s.order.size();
    const int columns = 3 / s.width;
    assert(b.size() == static_cast<Eigen::Index>(n * columns));
    double* right = static_cast<double*>(s.right->x);
    for (int c = 0; c < columns; ++c)
        for (std::size_t i = 0; i < n; ++i) right[c * n + i] = b[columns * s.order[i] + c];
    if (!cholmod_solve2(CHOLMOD_A, s.factor, s.right, nullptr, &s.solution, nullptr, &s.work_y, &s.work_e, &s.common))
        throw std::bad_alloc();  // the only way it fails on a valid factor
    const double* solution = static_cast<const double*>(s.solution->x);
    for (int c = 0; c < columns; ++c)
        for (std::size_t i = 0; i < n; ++i) x[columns * s.order[i] + c] = solution[c * n + i];
}

void SparseCholesky::solve(Workers& workers, const double* b, double* x, int columns) {
    Implementation& s = *self_;
    assert(s.width == 3);
    const std::size_t n = s.order.size();
    for (int lane = static_cast<int>(s.lanes.size()); lane < std::min(columns, workers.count()); ++lane) {
        s.lanes.push_back(std::make_unique<Implementation::Lane>());
        Implementation::Lane& made = *s.lanes.back();
        made.common.print = 0;
        made.right = cholmod_allocate_dense(n, 1, n, CHOLMOD_REAL, &made.common);
        if (!made.right) throw std::bad_alloc();
    }
    workers.run([&](int part) {
        for (int c = part; c < columns; c += workers.count()) {
            Implementation::Lane& lane = *s.lanes[static_cast<std::size_t>(part)];
            double* right = static_cast<double*>(lane.right->x);
            for (std::size_t i = 0; i < n; ++i) right[i] = b[c * n + s.order[i]];
            const bool solved = cholmod_solve2(CHOLMOD_A, s.factor, lane.right, nullptr, &lane.solution, nullptr,  //
                                               &lane.work_y, &lane.work_e, &lane.common);
            // Out of memory is the only way it fails; nothing may be thrown here, and what is not finite is noticed by everybody.
            const double* solution = solved && lane.solution ? static_cast<const double*>(lane.solution->x) : nullptr;
            for (std::size_t i = 0; i < n; ++i) x[c * n + s.order[i]] = solution ? solution[i] : std::nan("");
        }
    });
}

double SparseCholesky::factor_nonzeros() const { return self_->common.lnz; }
double SparseCholesky::factor_flops() const { return self_->common.fl; }

}  // namespace wobble
