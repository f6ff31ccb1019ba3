#include "engine/solve/krylov/arnoldi.h"

#include "engine/core/reduce.h"
#include "engine/solve/jacobian.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace wobble {

namespace {
constexpr int slice = 192;  // entries; a multiple of 3 that keeps a slice of a few vectors in the first cache
}

void Arnoldi::set(const Linearized& system, double T, std::span<const PhiTerm> terms) {
    system_ = &system;
    T_ = T;
    n_ = static_cast<std::size_t>(system.mass.size());
    const double omega = frequency_scale(system);
    omega2_ = omega * omega;
    p_ = 0;
    sources_.clear();
    double largest = 0;
    for (const PhiTerm& term : terms) {
        const double factor = std::pow(T, term.k), size = term.k > 0 ? factor * norm(term.x, term.v) : 0;
        if (size == 0) continue;
        p_ = std::max(p_, term.k);
        largest = std::max(largest, size);
        sources_.push_back({-term.k, factor, term.x ? term.x->data() : nullptr, term.v ? term.v->data() : nullptr});
    }
    mu_ = largest > 0 && std::isfinite(largest) ? std::exp2(std::ceil(std::log2(largest))) : 1;
    for (Source& source : sources_) source.entry += p_, source.factor /= mu_;
    if (const std::size_t stride = 2 * n_ + 8; stride != stride_) basis_.clear(), stride_ = stride;
    assert(p_ <= 8);
    basis_.resize(max_dimension_ / chunk + 1);
    scale_.resize(max_dimension_ + 1);
    H_.resize(static_cast<std::size_t>(leading()) * leading());
    argument_.resize(n_);
    parts_.resize(static_cast<std::size_t>(reduction_blocks) * (max_dimension_ + 2));
    sums_.resize(max_dimension_ + 2);
    coefficients_.resize(max_dimension_ + 1);
}

double Arnoldi::norm(const VecX* x, const VecX* v) const {
    const VecX& M = system_->mass;
    return std::sqrt(blocked_sum(system_->workers, static_cast<int>(n_), [&](int begin, int end) {
        double sum = 0;
        if (x)
            for (int k = begin; k < end; ++k) sum += omega2_ * M[k] * (*x)[k] * (*x)[k];
        if (v)
            for (int k = begin; k < end; ++k) sum += M[k] * (*v)[k] * (*v)[k];
        return sum;
    }));
}

void Arnoldi::reserve(int vectors) {
    std::vector<double>& last = basis_[(vectors - 1) / chunk];
    if (last.empty()) std::vector<double>(stride_ * chunk).swap(last);
}

bool Arnoldi::start(const VecX& x, const VecX& v, std::span<const double> a) {
    assert(static_cast<int>(a.size()) == p_);
    reserve(1);
    dimension_ = 0;
    largest_ = 0;
    double* u = basis(0);
    const double b = Jacobian(*system_).beta();
    system_->workers.ranges(static_cast<int>(n_), [&](int begin, int end) {
        std::copy(x.data() + begin, x.data() + end, u + begin);
        std::copy(v.data() + begin, v.data() + end, u + n_ + begin);
        if (b != 0)
            for (int k = begin; k < end; ++k) argument_[k] = x[k] + b * v[k];
    });
    std::copy(a.begin(), a.end(), u + 2 * n_);
    double square = norm(&x, &v);
    square *= square;
    for (double entry : a) square += entry * entry;
    beta_ = std::sqrt(square);
    complete_ = beta_ == 0;
    scale_[0] = complete_ ? 0 : 1 / beta_;
    return std::isfinite(beta_);
}

// Within one reduction block of rows, in slices; the caller has just written them.
void Arnoldi::project(int first, int block, double* sums) const {
    const int begin = 3 * block_begin(system_->K.rows(), block), end = 3 * block_begin(system_->K.rows(), block + 1), j = dimension_;
    const double *w = basis(j + 1), *M = system_->mass.data();
    std::fill(sums + first, sums + j + 2, 0.0);
    double mx[slice], mv[slice];
    for (int at = begin; at < end; at += slice) {
        const int count = std::min(slice, end - at);
        const double *wx = w + at, *wv = w + n_ + at;
        double square = 0;
        for (int k = 0; k < count; ++k) {
            mx[k] = omega2_ * M[at + k] * wx[k];
            mv[k] = M[at + k] * wv[k];
            square += mx[k] * wx[k] + mv[k] * wv[k];
        }
        sums[j + 1] += square;
        for (int i = first; i <= j; ++i) {
            const double *x = basis(i) + at, *v = basis(i) + n_ + at;
            double dot[4] = {0, 0, 0, 0};
            int k = 0;
            for (; k + 4 <= count; k += 4)
                for (int l = 0; l < 4; ++l) dot[l] += mx[k + l] * x[k + l] + mv[k + l] * v[k + l];
            for (; k < count; ++k) dot[0] += mx[k] * x[k] + mv[k] * v[k];
            sums[i] += (dot[0] + dot[1]) + (dot[2] + dot[3]);
        }
    }
}

void Arnoldi::sum_parts(int first) {
    const int j = dimension_;
    const double* a = basis(j + 1) + 2 * n_;
    for (int i = first; i <= j + 1; ++i) {
        double sum = 0;
        for (int block = 0; block < reduction_blocks; ++block) sum += parts_[static_cast<std::size_t>(block) * (max_dimension_ + 2) + i];
        const double* b = basis(i) + 2 * n_;
        for (int k = 0; k < p_; ++k) sum += a[k] * b[k];
        sums_[i] = sum;
    }
}

double Arnoldi::subtract(int first) {
    const int j = dimension_;
    double* w = basis(j + 1);
    const double *M = system_->mass.data(), b = Jacobian(*system_).beta();
    double square = blocked_sum(system_->workers, static_cast<int>(n_), [&](int begin, int end) {
        double sum = 0;
        for (int at = begin; at < end; at += slice) {
            const int count = std::min(slice, end - at);
            double *wx = w + at, *wv = w + n_ + at;
            for (int i = first; i <= j; ++i) {
                const double *x = basis(i) + at, *v = basis(i) + n_ + at, c = coefficients_[i];
                for (int k = 0; k < count; ++k) wx[k] -= c * x[k];
                for (int k = 0; k < count; ++k) wv[k] -= c * v[k];
            }
            for (int k = 0; k < count; ++k) sum += M[at + k] * (omega2_ * wx[k] * wx[k] + wv[k] * wv[k]);
            if (b != 0)
                for (int k = 0; k < count; ++k) argument_[at + k] = wx[k] + b * wv[k];
        }
        return sum;
    });
    double* a = w + 2 * n_;
    for (int k = 0; k < p_; ++k) {
        for (int i = first; i <= j; ++i) a[k] -= coefficients_[i] * basis(i)[2 * n_ + k];
        square += a[k] * a[k];
    }
    return square;
}

bool Arnoldi::extend() {
    assert(dimension_ < max_dimension_ && !complete_);
    reserve(dimension_ + 2);
    const int j = dimension_, first = std::max(0, j + 1 - length_);
    const Jacobian J(*system_);
    const double *u = basis(j), *a = u + 2 * n_, s = scale_[j];
    double* w = basis(j + 1);
    const double* argument = J.beta() != 0 ? argument_.data() : u;
    Workers& workers = system_->workers;
    double* column = H_.data() + static_cast<std::size_t>(j) * leading();

    const int rows = system_->K.rows();
    workers.ranges(reduction_blocks, [&](int first_block, int last_block) {
        for (int block = first_block; block < last_block; ++block) {
            const int begin = block_begin(rows, block), end = block_begin(rows, block + 1);
            for (int i = begin; i < end; ++i) {
                double y[3];
                J.row(i, argument, u + n_, y);
                for (int c = 0; c < 3; ++c) {
                    w[3 * i + c] = T_ * s * u[n_ + 3 * i + c];
                    w[n_ + 3 * i + c] = T_ * s * y[c];
                }
            }
            for (const Source& source : sources_) {
                const double factor = s * source.factor * a[source.entry];
                if (factor == 0) continue;
                if (source.x)
                    for (int k = 3 * begin; k < 3 * end; ++k) w[k] += factor * source.x[k];
                if (source.v)
                    for (int k = 3 * begin; k < 3 * end; ++k) w[n_ + k] += factor * source.v[k];
            }
            project(first, block, parts_.data() + static_cast<std::size_t>(block) * (max_dimension_ + 2));
        }
    });
    for (int k = 0; k < p_; ++k) w[2 * n_ + k] = k + 1 < p_ ? s * a[k + 1] : 0;
    sum_parts(first);

    std::fill_n(column, leading(), 0.0);
    const double before = sums_[j + 1];
    for (int i = first; i <= j; ++i) {
        column[i] = sums_[i] * scale_[i];
        coefficients_[i] = column[i] * scale_[i];
    }
    double square = subtract(first);
    if (length_ > 2 && square < 0.04 * before && square > 0) {
        workers.ranges(reduction_blocks, [&](int first_block, int last_block) {
            for (int block = first_block; block < last_block; ++block)
                project(first, block, parts_.data() + static_cast<std::size_t>(block) * (max_dimension_ + 2));
        });
        sum_parts(first);
        for (int i = first; i <= j; ++i) {
            const double more = sums_[i] * scale_[i];
            column[i] += more;
            coefficients_[i] = more * scale_[i];
        }
        square = subtract(first);
    }
    if (!std::isfinite(square) || !std::isfinite(before)) return false;
    largest_ = std::max(largest_, std::sqrt(before));
    column[j + 1] = std::sqrt(square);
    complete_ = column[j + 1] <= 1e-14 * largest_;
    scale_[j + 1] = complete_ ? 0 : 1 / column[j + 1];
    ++dimension_;
    return true;
}

void Arnoldi::combine(std::span<const Output> outputs) const {
    constexpr std::size_t most = 4;
    for (std::size_t begin = 0; begin < outputs.size(); begin += most) {
        const auto some = outputs.subspan(begin, std::min(most, outputs.size() - begin));
        const int count_outputs = static_cast<int>(some.size());
        system_->workers.ranges(static_cast<int>(n_), [&](int first, int last) {
            double sum[2 * most][slice];
            for (int at = first; at < last; at += slice) {
                const int count = std::min(slice, last - at);
                for (int o = 0; o < 2 * count_outputs; ++o) std::fill_n(sum[o], count, 0.0);
                for (int j = 0; j <= dimension_; ++j) {
                    const double *x = basis(j) + at, *v = basis(j) + n_ + at;
                    for (int o = 0; o < count_outputs; ++o) {
                        if (j >= static_cast<int>(some[o].weights.size())) continue;
                        const double c = some[o].weights[j] * scale_[j];
                        for (int k = 0; k < count; ++k) sum[2 * o][k] += c * x[k];
                        for (int k = 0; k < count; ++k) sum[2 * o + 1][k] += c * v[k];
                    }
                }
                for (int o = 0; o < count_outputs; ++o) {
                    std::copy_n(sum[2 * o], count, some[o].x->data() + at);
                    std::copy_n(sum[2 * o + 1], count, some[o].v->data() + at);
                }
            }
        });
    }
}

}  // namespace wobble
