#include "engine/solve/krylov/lanczos.h"

#include "engine/core/reduce.h"
#include "engine/solve/jacobian.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace wobble {

namespace {

constexpr std::size_t beyond = 24;  // numbers past the end of a vector that may be read

}  // namespace

bool Lanczos::start(const Linearized& system, std::span<const VecX* const> starts) {
    assert(!starts.empty() && starts.size() <= max_columns);
    system_ = &system;
    columns_ = static_cast<int>(starts.size());
    width_ = columns_ <= 4 ? columns_ : 8;
    n_ = static_cast<std::size_t>(system.mass.size());
    stride_ = (n_ * width_ + beyond + 7) / 8 * 8;
    dimension_ = 0;
    ritz_bound_ = 0;
    memory().resize(max_dimension_ / chunk + 1);
    repeated_.resize(2 * max_outputs * beyond * static_cast<std::size_t>(max_dimension_));
    reserve(1);
    if (system.edges) sums_.resize(std::max(sums_.size(), 4 * width_ * n_ / 3 + beyond));
    operator_scale_ = diagonal_scale(system, sums_);
    for (int c = 0; c < columns_; ++c) {
        scale_[c].resize(max_dimension_ + 1);
        alpha_[c].resize(max_dimension_);
        beta_[c].resize(max_dimension_);
    }

    const auto squares = blocked_sums<max_columns>(system.workers, system.K.rows(), [&](int begin, int end) {
        std::array<double, max_columns> sum{};
        for (int c = 0; c < width_; ++c) {
            double* const out = basis(0) + c;
            if (c >= columns_) {
                for (int k = 3 * begin; k < 3 * end; ++k) out[static_cast<std::size_t>(width_) * k] = 0;
                continue;
            }
            const VecX& b = *starts[c];
            for (int k = 3 * begin; k < 3 * end; ++k) {
                out[static_cast<std::size_t>(width_) * k] = b[k];
                sum[c] += system.mass[k] * b[k] * b[k];
            }
        }
        return sum;
    });
    for (int c = 0; c < columns_; ++c) {
        if (!std::isfinite(squares[c])) return false;
        norm_[c] = std::sqrt(squares[c]);
        done_[c] = norm_[c] == 0;
        own_dimension_[c] = 0;
        scale_[c][0] = done_[c] ? 0 : 1 / norm_[c];
    }
    return true;
}

bool Lanczos::invariant() const {
    return std::all_of(done_, done_ + columns_, [](bool d) { return d; });
}

double Lanczos::next_beta(int c) const { return done_[c] || own_dimension_[c] == 0 ? 0 : beta_[c][own_dimension_[c] - 1]; }

void Lanczos::reserve(int vectors) {
    const std::size_t needed = stride_ * chunk;
    LargeVector<double>& last = memory()[(vectors - 1) / chunk];
    if (last.size() < needed) LargeVector<double>(needed).swap(last);
}

template <class Use>
void Lanczos::with_width(Use&& use) const {
    static_assert(max_columns <= 8);
    if (width_ == 1) use(std::integral_constant<int, 1>());
    else if (width_ == 2) use(std::integral_constant<int, 2>());
    else if (width_ == 3) use(std::integral_constant<int, 3>());
    else if (width_ == 4) use(std::integral_constant<int, 4>());
    else use(std::integral_constant<int, 8>());
}

bool Lanczos::extend() {
    assert(dimension_ < max_dimension_);
    reserve(dimension_ + 2);
    bool finite = false;
    with_width([&](auto P) { finite = extend_columns<P>(); });
    return finite;
}

namespace {

template <int P>
ColumnVectors<P> projected(const Mat3& A, const ColumnVectors<P>& y) {
    ColumnVectors<P> z;
    for (int d = 0; d < 3; ++d) z.x[d] = A(d, 0) * y.x[0] + A(d, 1) * y.x[1] + A(d, 2) * y.x[2];
    return z;
}

}  // namespace

template <int P>
bool Lanczos::extend_columns() {
    const double* const x = basis(dimension_);
    const EdgeMatrix* const edges = system_->edges;
    if (!edges) {
        const BlockMatrix& blocks = system_->K.blocks();
        return extend_with<P>([&](int, int) { return BlockRows(blocks); });
    }
    if (edges->has_skew())
        return extend_with<P>([&](int begin, int end) { return EdgeRows<P, true>(*edges, x, sums_.data(), begin, end); });
    return extend_with<P>([&](int begin, int end) { return EdgeRows<P, false>(*edges, x, sums_.data(), begin, end); });
}

// w = A v_j - beta_{j-1} v_{j-1},  alpha_j = <w, v_j>,  w -= alpha_j v_j,  beta_j = |w|,  v_{j+1} = w / beta_j.
template <int P, class MakeRows>
bool Lanczos::extend_with(MakeRows&& make_rows) {
    const int j = dimension_;
    const VecX &M = system_->mass, &W = system_->inverse_mass;
    const double* current = basis(j);
    const double* previous = j > 0 ? basis(j - 1) : basis(0);
    double* next = basis(j + 1);
    std::array<double, P + 1> s{}, b{}, a{};  // of each column, zero for those that only fill the register
    for (int c = 0; c < columns_; ++c) {
        s[c] = scale_[c][j];
        b[c] = j > 0 && !done_[c] ? beta_[c][j - 1] * scale_[c][j - 1] : 0;
    }
    const auto by_column = [](const ColumnVectors<P>& sums) {
        std::array<double, P> total;
        store_columns<P>(total.data(), sums.x[0] + sums.x[1] + sums.x[2]);
        return total;
    };

    const int rows = system_->K.rows(), threads = system_->workers.count();
    // Threads get about as many edges each, in both loops: what one has written it finds in its own cache.
    const EdgePattern* const edges = system_->edges ? &system_->edges->pattern() : nullptr;
    const Constraints* const projector = system_->edges ? system_->projector : nullptr;
    const auto first_block = [&](int part) {
        return edges ? nearest_block(rows, edges->first_row(part, threads)) : system_->workers.range_begin(reduction_blocks, part);
    };
    const auto alphas = blocked_sums<P>(system_->workers, rows, first_block, make_rows, [&](int begin, int end, const auto& of_thread) {
        const auto K = of_thread;  // locals, see BlockRows
        const Columns<P> by_s = load_columns<P>(s.data()), by_b = load_columns<P>(b.data());
        const double *const v = current, *const u = previous, *const masses = M.data(), *const inverse = W.data();
        double* const out = next;
        ColumnVectors<P> sum{};
        for (int i = begin; i < end; ++i) {
            ColumnVectors<P> y = K.template multiply<P>(i, v);
            if (projector && projector->of(i)) y = projected<P>(projector->of(i)->allowed, y);
            const double w = inverse[3 * i], m = masses[3 * i];
            for (int d = 0; d < 3; ++d) {
                const std::size_t at = P * (static_cast<std::size_t>(3) * i + d);
                const Columns<P> z = w * by_s * y.x[d] - by_b * load_columns<P>(u + at);
                sum.x[d] += m * z * load_columns<P>(v + at);
                store_columns<P>(out + at, z);
            }
        }
        return by_column(sum);
    });
    for (int c = 0; c < columns_; ++c) a[c] = alphas[c] * s[c] * s[c];  // alpha_j times the scale that turns basis(j) into v_j

    const auto nothing = [](int, int) { return 0; };
    const auto squares = blocked_sums<P>(system_->workers, rows, first_block, nothing, [&](int begin, int end, int) {
        const Columns<P> by_a = load_columns<P>(a.data());
        const double *const v = current, *const masses = M.data();
        double* const out = next;
        ColumnVectors<P> sum{};
        for (int i = begin; i < end; ++i) {
            const double m = masses[3 * i];
            for (int d = 0; d < 3; ++d) {
                const std::size_t at = P * (static_cast<std::size_t>(3) * i + d);
                const Columns<P> z = load_exactly<P>(out + at) - by_a * load_columns<P>(v + at);
                store_columns<P>(out + at, z);
                sum.x[d] += m * z * z;
            }
        }
        return by_column(sum);
    });

    ++dimension_;
    for (int c = 0; c < columns_; ++c) {
        scale_[c][j + 1] = 0;
        if (done_[c]) continue;
        const double alpha = alphas[c] * s[c], beta = std::sqrt(squares[c]);
        if (!std::isfinite(alpha) || !std::isfinite(beta)) return false;
        alpha_[c][j] = alpha;
        beta_[c][j] = beta;
        own_dimension_[c] = j + 1;
        ritz_bound_ = std::max(ritz_bound_, std::abs(alpha) + beta + (j > 0 ? beta_[c][j - 1] : 0));
        done_[c] = beta <= 1e-14 * operator_scale_;
        if (!done_[c]) scale_[c][j + 1] = 1 / beta;
    }
    return true;
}

void Lanczos::combine(std::span<const Output> outputs) const {
    for (std::size_t first = 0; first < outputs.size(); first += max_outputs) {
        const auto some = outputs.subspan(first, std::min<std::size_t>(max_outputs, outputs.size() - first));
        with_width([&](auto P) { combine_columns<P>(some); });
    }
}

// In slices that stay in the first cache, so that the bases are read once and the results written once; four vectors at a time, whose
// weights stay in registers: repeated, those of P columns fill one, those of three fill three. The last slice is rounded up to whole
// registers.
template <int P>
void Lanczos::combine_columns(std::span<const Output> outputs) const {
    constexpr int registers = P == 3 ? 3 : 1, unit = 8 * registers, slice = 64 / P / 8 * 8;  // slice: particles
    static_assert(3 * P * slice % unit == 0 && unit % P == 0 && unit <= static_cast<int>(beyond));
    using Register = Columns<8>;
    const int count_outputs = static_cast<int>(outputs.size());
    const auto repeated = [&](int o, int j) { return repeated_.data() + static_cast<std::size_t>(unit) * (o * dimension_ + j); };
    for (int o = 0; o < 2 * count_outputs; ++o) {
        const double* weights = o % 2 == 0 ? outputs[o / 2].a : outputs[o / 2].b;
        for (int j = 0; j < dimension_; ++j)
            for (int k = 0; k < unit; ++k) repeated(o, j)[k] = k % P < columns_ ? weights[j * columns_ + k % P] * scale_[k % P][j] : 0;
    }
    system_->workers.ranges(system_->K.rows(), [&](int first, int last) {
        double sum[2 * max_outputs][slice * 3 * P];
        for (int begin = first; begin < last; begin += slice) {
            const int particles = std::min(slice, last - begin), numbers = 3 * P * particles;
            const auto add = [&]<int J>(int j, std::integral_constant<int, J>) {  // the vectors j to j + J - 1
                const double* v[J];
                for (int i = 0; i < J; ++i) v[i] = basis(j + i) + static_cast<std::size_t>(begin) * 3 * P;
                for (int o = 0; o < 2 * count_outputs; ++o) {
                    Register w[J][registers];
                    for (int i = 0; i < J; ++i)
                        for (int r = 0; r < registers; ++r) w[i][r] = load_columns<8>(repeated(o, j + i) + 8 * r);
                    double* const out = sum[o];
                    for (int k = 0; k < numbers; k += unit)
                        for (int r = 0; r < registers; ++r) {
                            const int at = k + 8 * r;
                            Register total = j > 0 ? load_columns<8>(out + at) : Register{};
                            for (int i = 0; i < J; ++i) total += w[i][r] * load_columns<8>(v[i] + at);
                            store_columns<8>(out + at, total);
                        }
                }
            };
            int j = 0;
            for (; j + 4 <= dimension_; j += 4) add(j, std::integral_constant<int, 4>());
            for (; j < dimension_; ++j) add(j, std::integral_constant<int, 1>());
            if (dimension_ == 0)
                for (int o = 0; o < 2 * count_outputs; ++o) std::fill_n(sum[o], numbers, 0.0);
            for (int o = 0; o < 2 * count_outputs; ++o) {
                VecX& out = o % 2 == 0 ? *outputs[o / 2].x : *outputs[o / 2].v;
                for (int k = 0; k < 3 * particles; ++k) {
                    double total = 0;
                    for (int c = 0; c < P; ++c) total += sum[o][P * k + c];
                    out[3 * begin + k] = total;
                }
            }
        }
    });
}

}  // namespace wobble
