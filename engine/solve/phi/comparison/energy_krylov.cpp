#include "engine/solve/phi/comparison/energy_krylov.h"

#include "engine/core/reduce.h"
#include "engine/solve/jacobian.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace wobble {

namespace {
constexpr int slice = 192;
}

void EnergyKrylov::reserve(int vectors) {
    const std::size_t needed = static_cast<std::size_t>(chunk) * stride_vectors() * n_;
    std::vector<double>& last = basis_[(vectors - 1) / chunk];
    if (last.size() < needed) std::vector<double>(needed).swap(last);
}

KrylovProcess::Outcome EnergyKrylov::judge(const Sums& sums, double& square) {
    if (!std::isfinite(sums.xz) || !std::isfinite(sums.mvv)) return Outcome::not_finite;
    const double rounding = 1e-12 * omega2_ * sums.mxx;
    if (sums.xz < -rounding) {
        rayleigh_ = sums.xz / sums.mxx - sigma_;
        return Outcome::indefinite;
    }
    square = (sums.xz < 1e-15 * omega2_ * sums.mxx ? 0 : sums.xz) + sums.mvv;
    return Outcome::good;
}

KrylovProcess::Outcome EnergyKrylov::start(const Linearized& system, const VecX& start_x, const VecX& start_v) {
    system_ = &system;
    n_ = static_cast<std::size_t>(system.mass.size());
    skew_ = !system.damped() && sigma_ == 0;
    const double omega = frequency_scale(system);
    omega2_ = omega * omega;
    basis_.resize(max_dimension_ / chunk + 1);
    if (skew_)
        for (auto& z : recent_) z.resize(n_);
    scale_.resize(max_dimension_ + 1);
    parts_.resize(static_cast<std::size_t>(reduction_blocks) * (max_dimension_ + 2));
    sums_.resize(max_dimension_ + 2);
    coefficients_.resize(max_dimension_ + 1);
    reserve(1);
    double *bx = x(0), *bv = v(0), *bz = z(0);
    const VecX& M = system.mass;
    const BlockMatrix& blocks = system.K.blocks();
    const auto sums = blocked_sums<3>(system.workers, system.K.rows(), [&](int begin, int end) {
        std::array<double, 3> sum{};
        const BlockRows K(blocks);
        for (int i = begin; i < end; ++i) {
            double y[3];
            K.multiply<1>(i, start_x.data(), y);
            for (int k = 3 * i; k < 3 * i + 3; ++k) {
                bx[k] = start_x[k];
                bv[k] = start_v[k];
                bz[k] = y[k - 3 * i] + sigma_ * M[k] * start_x[k];
                sum[0] += bx[k] * bz[k];
                sum[1] += M[k] * bx[k] * bx[k];
                sum[2] += M[k] * bv[k] * bv[k];
            }
        }
        return sum;
    });
    ++products_;
    double square = 0;
    const Outcome outcome = judge({sums[0], sums[1], sums[2]}, square);
    if (outcome != Outcome::good) return outcome;
    begin(std::sqrt(square));
    scale_[0] = complete_ ? 1 : 1 / beta_;
    return Outcome::good;
}

KrylovProcess::Outcome EnergyKrylov::extend() {
    assert(dimension_ < max_dimension_ && !complete_);
    reserve(dimension_ + 2);
    const int j = dimension_;
    double Ju = 0, square = 0;
    const Sums sums = skew_ ? short_step() : long_step(Ju);
    products_ += system_->D ? 2 : 1;
    const Outcome outcome = judge(sums, square);
    if (outcome != Outcome::good) return outcome;
    const double h = std::sqrt(square);
    entry(j + 1, j) = h;
    if (skew_) {
        if (j > 0) entry(j - 1, j) = -entry(j, j - 1);
        Ju = h;
    }
    grown(Ju);
    scale_[j + 1] = h > 0 ? 1 / h : 0;
    return Outcome::good;
}

EnergyKrylov::Sums EnergyKrylov::short_step() {
    const int j = dimension_;
    const double s = scale_[j], c = j > 0 ? H(j, j - 1) * scale_[j - 1] : 0;
    const double *vj = v(j), *zj = z(j), *xi = x(std::max(0, j - 1)), *vi = v(std::max(0, j - 1)), *zi = z(std::max(0, j - 1));
    double *wx = x(j + 1), *wv = v(j + 1), *wz = z(j + 1);
    const double *M = system_->mass.data(), *W = system_->inverse_mass.data();
    const BlockMatrix& blocks = system_->K.blocks();
    const auto sums = blocked_sums<3>(system_->workers, system_->K.rows(), [&](int begin, int end) {
        std::array<double, 3> sum{};
        const BlockRows K(blocks);
        for (int i = begin; i < end; ++i) {
            double y[3];
            K.multiply<1>(i, vj, y);
            const double m = M[3 * i], w = W[3 * i];
            for (int k = 3 * i; k < 3 * i + 3; ++k) {
                const double a = s * vj[k] + c * xi[k], b = -s * w * zj[k] + c * vi[k], d = s * y[k - 3 * i] + c * zi[k];
                wx[k] = a;
                wv[k] = b;
                wz[k] = d;
                sum[0] += a * d;
                sum[1] += m * a * a;
                sum[2] += m * b * b;
            }
        }
        return sum;
    });
    return {sums[0], sums[1], sums[2]};
}

// <w, raw_i> for all i <= j, and <w, w>, within a reduction block.
void EnergyKrylov::project(int block, double* sums) const {
    const int begin = 3 * block_begin(system_->K.rows(), block), end = 3 * block_begin(system_->K.rows(), block + 1), j = dimension_;
    const double *wz = z(j + 1), *wv = v(j + 1), *M = system_->mass.data();
    std::fill(sums, sums + j + 2, 0.0);
    double mv[slice];
    for (int at = begin; at < end; at += slice) {
        const int count = std::min(slice, end - at);
        for (int k = 0; k < count; ++k) mv[k] = M[at + k] * wv[at + k];
        for (int i = 0; i <= j + 1; ++i) {
            const double *xi = x(i) + at, *vi = v(i) + at;
            double dot[4] = {0, 0, 0, 0};
            int k = 0;
            for (; k + 4 <= count; k += 4)
                for (int l = 0; l < 4; ++l) dot[l] += wz[at + k + l] * xi[k + l] + mv[k + l] * vi[k + l];
            for (; k < count; ++k) dot[0] += wz[at + k] * xi[k] + mv[k] * vi[k];
            sums[i] += (dot[0] + dot[1]) + (dot[2] + dot[3]);
        }
    }
}

void EnergyKrylov::sum_parts() {
    for (int i = 0; i <= dimension_ + 1; ++i) {
        sums_[i] = 0;
        for (int block = 0; block < reduction_blocks; ++block)
            sums_[i] += parts_[static_cast<std::size_t>(block) * (max_dimension_ + 2) + i];
    }
}

EnergyKrylov::Sums EnergyKrylov::subtract() {
    const int j = dimension_;
    double *wx = x(j + 1), *wv = v(j + 1), *wz = z(j + 1);
    const double* M = system_->mass.data();
    const auto sums = blocked_sums<3>(system_->workers, static_cast<int>(n_), [&](int begin, int end) {
        std::array<double, 3> sum{};
        for (int at = begin; at < end; at += slice) {
            const int last = std::min(at + slice, end);
            for (int i = 0; i <= j; ++i) {
                const double *xi = x(i), *vi = v(i), *zi = z(i), c = coefficients_[i];
                for (int k = at; k < last; ++k) wx[k] -= c * xi[k];
                for (int k = at; k < last; ++k) wv[k] -= c * vi[k];
                for (int k = at; k < last; ++k) wz[k] -= c * zi[k];
            }
            for (int k = at; k < last; ++k) {
                sum[0] += wx[k] * wz[k];
                sum[1] += M[k] * wx[k] * wx[k];
                sum[2] += M[k] * wv[k] * wv[k];
            }
        }
        return sum;
    });
    return {sums[0], sums[1], sums[2]};
}

EnergyKrylov::Sums EnergyKrylov::long_step(double& Ju) {
    const int j = dimension_, rows = system_->K.rows();
    const double s = scale_[j];
    const double *xj = x(j), *vj = v(j), *zj = z(j), *M = system_->mass.data(), *W = system_->inverse_mass.data();
    double *wx = x(j + 1), *wv = v(j + 1), *wz = z(j + 1);
    const BlockMatrix* D = system_->D.blocks();
    const DampingOperator* other = system_->D.other();
    const double alpha = system_->D ? 0 : system_->alpha, beta = system_->D ? 0 : system_->beta;
    const auto with_blocks = [&](auto&& prepare) {
        system_->workers.ranges(reduction_blocks, [&](int first, int last) {
            for (int block = first; block < last; ++block) {
                prepare(block_begin(rows, block), block_begin(rows, block + 1));
                project(block, parts_.data() + static_cast<std::size_t>(block) * (max_dimension_ + 2));
            }
        });
        sum_parts();
    };
    const BlockMatrix& blocks = system_->K.blocks();
    with_blocks([&](int begin, int end) {
        const BlockRows K(blocks), rows_of_D(D ? *D : blocks);
        for (int i = begin; i < end; ++i) {
            double y[3], d[3] = {0, 0, 0};
            K.multiply<1>(i, vj, y);
            if (D) rows_of_D.multiply<1>(i, vj, d);
            else if (other) other->row(i, vj, d);
            for (int k = 3 * i; k < 3 * i + 3; ++k) {
                const double Kv = y[k - 3 * i];
                wx[k] = s * vj[k];
                wv[k] = -s * (W[k] * (zj[k] - sigma_ * M[k] * xj[k] + beta * Kv + d[k - 3 * i]) + alpha * vj[k]);
                wz[k] = s * (Kv + sigma_ * M[k] * vj[k]);
            }
        }
    });
    const double before = std::max(sums_[j + 1], 0.0);
    Ju = std::sqrt(before);
    const auto coefficients = [&] {
        for (int i = 0; i <= j; ++i) {
            const double h = sums_[i] * scale_[i];
            entry(i, j) += h;
            coefficients_[i] = h * scale_[i];
        }
        return subtract();
    };
    Sums sums = coefficients();
    if (sums.xz + sums.mvv < 0.04 * before) {
        with_blocks([](int, int) {});
        sums = coefficients();
    }
    return sums;
}

void EnergyKrylov::add(std::span<const double> weights, double next_weight, VecX& out_x, VecX& out_v) const {
    const int m = static_cast<int>(weights.size());
    assert(m == dimension_);
    system_->workers.ranges(static_cast<int>(n_), [&](int begin, int end) {
        for (int at = begin; at < end; at += slice) {
            const int last = std::min(at + slice, end);
            for (int j = 0; j <= m; ++j) {
                const double c = j < m ? weights[j] * scale_[j] : next_weight;
                if (c == 0) continue;
                const double *xj = x(j), *vj = v(j);
                for (int k = at; k < last; ++k) out_x[k] += c * xj[k];
                for (int k = at; k < last; ++k) out_v[k] += c * vj[k];
            }
        }
    });
}

}  // namespace wobble
