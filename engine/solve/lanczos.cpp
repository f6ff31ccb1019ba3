#include "engine/solve/lanczos.h"

#include "engine/core/reduce.h"
#include "engine/solve/jacobian.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace wobble {

bool Lanczos::start(const Linearized& system, std::span<const VecX* const> starts) {
    assert(!starts.empty() && starts.size() <= max_columns);
    system_ = &system;
    columns_ = static_cast<int>(starts.size());
    n_ = static_cast<std::size_t>(system.mass.size());
    dimension_ = 0;
    ritz_bound_ = 0;
    operator_scale_ = diagonal_scale(system);
    memory().resize(max_dimension_ / chunk + 1);
    reserve(1);
    for (int c = 0; c < columns_; ++c) {
        scale_[c].resize(max_dimension_ + 1);
        alpha_[c].resize(max_dimension_);
        beta_[c].resize(max_dimension_);
    }

    const auto squares = blocked_sums<max_columns>(system.workers, system.K.rows(), [&](int begin, int end) {
        std::array<double, max_columns> sum{};
        for (int c = 0; c < columns_; ++c) {
            const VecX& b = *starts[c];
            for (int i = begin; i < end; ++i) {
                double* out = basis(0) + 3 * (static_cast<std::size_t>(i) * columns_ + c);
                for (int d = 0; d < 3; ++d) {
                    const double x = b[3 * i + d];
                    out[d] = x;
                    sum[c] += system.mass[3 * i + d] * x * x;
                }
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
    const std::size_t needed = n_ * columns_ * static_cast<std::size_t>(chunk);
    std::vector<double>& last = memory()[(vectors - 1) / chunk];
    if (last.size() < needed) std::vector<double>(needed).swap(last);
}

template <class Use>
void Lanczos::with_columns(Use&& use) const {
    static_assert(max_columns == 6);
    switch (columns_) {
        case 1:
            return use(std::integral_constant<int, 1>());
        case 2:
            return use(std::integral_constant<int, 2>());
        case 3:
            return use(std::integral_constant<int, 3>());
        case 4:
            return use(std::integral_constant<int, 4>());
        case 5:
            return use(std::integral_constant<int, 5>());
        default:
            return use(std::integral_constant<int, 6>());
    }
}

bool Lanczos::extend() {
    assert(dimension_ < max_dimension_);
    reserve(dimension_ + 2);
    bool finite = false;
    with_columns([&](auto C) { finite = extend_columns<C>(); });
    return finite;
}

namespace {

// Numbers of a particle two at a time, the last of an odd count alone: a product leaves them in registers like that. Arrays end after a whole
// pair.
using block_rows::Pair;
using block_rows::UnalignedPair;
constexpr int pairs(int numbers) { return (numbers + 1) / 2; }

template <int N, class Each>
[[gnu::always_inline]] inline void in_pairs(Each&& each) {
    for (int k = 0; k + 1 < N; k += 2) each(k, Pair());
    if constexpr (N % 2 == 1) each(N - 1, double());
}
[[gnu::always_inline]] inline Pair get(const double* p, Pair) { return *reinterpret_cast<const UnalignedPair*>(p); }
[[gnu::always_inline]] inline double get(const double* p, double) { return *p; }
[[gnu::always_inline]] inline void put(double* p, Pair x) { *reinterpret_cast<UnalignedPair*>(p) = x; }
[[gnu::always_inline]] inline void put(double* p, double x) { *p = x; }

}  // namespace

// w = A v_j - beta_{j-1} v_{j-1},  alpha_j = <w, v_j>,  w -= alpha_j v_j,  beta_j = |w|,  v_{j+1} = w / beta_j.
template <int C>
bool Lanczos::extend_columns() {
    const int j = dimension_;
    const VecX &M = system_->mass, &W = system_->inverse_mass;
    const double* current = basis(j);
    const double* previous = j > 0 ? basis(j - 1) : basis(0);
    double* next = basis(j + 1);
    // One of each for every number of a particle, x, y, z of column after column.
    constexpr int N = 3 * C;
    struct Numbers {
        double of[2 * pairs(N)] = {};
    } s, b, a;
    for (int k = 0; k < N; ++k) {
        const int c = k / 3;
        s.of[k] = scale_[c][j];
        b.of[k] = j > 0 && !done_[c] ? beta_[c][j - 1] * scale_[c][j - 1] : 0;
    }
    const auto by_column = [](const Numbers& sums) {
        std::array<double, C> total{};
        for (int k = 0; k < N; ++k) total[k / 3] += sums.of[k];
        return total;
    };

    const int rows = system_->K.rows();
    const auto alphas = blocked_sums<C>(system_->workers, rows, [&](int begin, int end) {
        Numbers sum, by_s = s, by_b = b;  // locals, see BlockRows
        const BlockRows K(system_->K);
        const double *const v = current, *const u = previous, *const masses = M.data(), *const inverse = W.data();
        double* const out = next;
        for (int i = begin; i < end; ++i) {
            double y[N];
            K.multiply<C>(i, v, y);
            const double w = inverse[3 * i], m = masses[3 * i];
            const std::size_t at = static_cast<std::size_t>(N) * i;
            in_pairs<N>([&](int k, auto kind) [[gnu::always_inline]] {
                const auto z = w * get(by_s.of + k, kind) * get(y + k, kind) - get(by_b.of + k, kind) * get(u + at + k, kind);
                put(sum.of + k, get(sum.of + k, kind) + m * z * get(v + at + k, kind));
                put(out + at + k, z);
            });
        }
        return by_column(sum);
    });
    for (int k = 0; k < N; ++k) a.of[k] = alphas[k / 3] * s.of[k] * s.of[k];  // alpha_j times the scale that turns basis(j) into v_j

    const auto squares = blocked_sums<C>(system_->workers, rows, [&](int begin, int end) {
        Numbers sum, by_a = a;
        const double *const v = current, *const masses = M.data();
        double* const out = next;
        for (int i = begin; i < end; ++i) {
            const double m = masses[3 * i];
            const std::size_t at = static_cast<std::size_t>(N) * i;
            in_pairs<N>([&](int k, auto kind) [[gnu::always_inline]] {
                const auto z = get(out + at + k, kind) - get(by_a.of + k, kind) * get(v + at + k, kind);
                put(out + at + k, z);
                put(sum.of + k, get(sum.of + k, kind) + m * z * z);
            });
        }
        return by_column(sum);
    });

    ++dimension_;
    for (int c = 0; c < C; ++c) {
        scale_[c][j + 1] = 0;
        if (done_[c]) continue;
        const double alpha = alphas[c] * s.of[3 * c], beta = std::sqrt(squares[c]);
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
        with_columns([&](auto C) { combine_columns<C>(some); });
    }
}

// In slices that stay in the first cache, so that the bases are read once and the results written once; four vectors at a time, so that the
// sums are, too.
template <int C>
void Lanczos::combine_columns(std::span<const Output> outputs) const {
    constexpr int slice = 88 / C / 4 * 4, four = 12 * C;  // particles; numbers of four particles, whose weights fill whole registers
    static_assert(slice % 4 == 0);
    const int count_outputs = static_cast<int>(outputs.size());
    system_->workers.ranges(system_->K.rows(), [&](int first, int last) {
        double sum[2 * max_outputs][slice * 3 * C];
        for (int begin = first; begin < last; begin += slice) {
            const int particles = std::min(slice, last - begin), numbers = 3 * C * particles;
            for (int o = 0; o < 2 * count_outputs; ++o) std::fill_n(sum[o], numbers, 0.0);
            const auto add = [&]<int J>(int j, std::integral_constant<int, J>) {  // the vectors j to j + J - 1
                const double* v[J];
                for (int i = 0; i < J; ++i) v[i] = basis(j + i) + static_cast<std::size_t>(begin) * 3 * C;
                for (int o = 0; o < 2 * count_outputs; ++o) {
                    const double* weights = (o % 2 == 0 ? outputs[o / 2].a : outputs[o / 2].b) + static_cast<std::size_t>(j) * C;
                    double w[J][four];
                    for (int i = 0; i < J; ++i)
                        for (int k = 0; k < four; ++k) w[i][k] = weights[i * C + k / 3 % C] * scale_[k / 3 % C][j + i];
                    double* out = sum[o];
                    for (int k = 0; k < numbers; k += four) {
                        const int count = std::min(four, numbers - k);
                        const auto some = [&](int t) {
                            double total = out[k + t];
                            for (int i = 0; i < J; ++i) total += w[i][t] * v[i][k + t];
                            out[k + t] = total;
                        };
                        if (count == four)
                            for (int t = 0; t < four; ++t) some(t);
                        else
                            for (int t = 0; t < count; ++t) some(t);
                    }
                }
            };
            int j = 0;
            for (; j + 4 <= dimension_; j += 4) add(j, std::integral_constant<int, 4>());
            for (; j < dimension_; ++j) add(j, std::integral_constant<int, 1>());
            for (int o = 0; o < 2 * count_outputs; ++o) {
                VecX& out = o % 2 == 0 ? *outputs[o / 2].x : *outputs[o / 2].v;
                for (int i = 0; i < particles; ++i)
                    for (int d = 0; d < 3; ++d) {
                        double total = 0;
                        for (int c = 0; c < C; ++c) total += sum[o][3 * (i * C + c) + d];
                        out[3 * (begin + i) + d] = total;
                    }
            }
        }
    });
}

}  // namespace wobble
