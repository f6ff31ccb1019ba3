#include "engine/solve/phi/ritz_phi.h"

#include <cassert>

namespace wobble {

int PhiColumn::top() const {
    int top = max_phi;
    while (top > 0 && factor[top] == 0) --top;
    return top;
}

namespace {

void add(const VecX* start, int part, int k, double factor, std::vector<PhiColumn>& columns) {
    assert(k >= 0 && k <= max_phi);
    if (!start) return;
    for (PhiColumn& column : columns)
        if (column.start == start && column.part == part) return void(column.factor[k] += factor);
    columns.push_back({start, part, {}});
    columns.back().factor[k] = factor;
}

void add_velocity(const PhiTerm& term, int k, double factor, std::vector<PhiColumn>& columns) {
    if (term.along) add(term.along, 1, k, factor * term.factor, columns);
    else add(term.v, 1, k, factor, columns);
}

}  // namespace

void collect_columns(std::span<const PhiTerm> terms, std::vector<PhiColumn>& columns) {
    columns.clear();
    for (const PhiTerm& term : terms) {
        add(term.x, 0, term.k, 1, columns);
        add_velocity(term, term.k, 1, columns);
    }
}

void collect_columns(std::span<const PhiTerm> terms, double t, const VecX& x, const VecX& v, std::vector<PhiColumn>& columns) {
    columns.clear();
    add(&x, 0, 0, 1, columns);
    add(&v, 1, 0, 1, columns);
    for (const PhiTerm& term : terms) {
        double factor = 1;  // t^l / l!
        for (int l = 0; term.k - l >= 1; ++l) {
            if (l > 0) factor *= t / l;
            add(term.x, 0, term.k - l, factor, columns);
            add_velocity(term, term.k - l, factor, columns);
        }
    }
}

Eigen::Vector2d ritz_motion(const Linearized& system, const PhiColumn& column, double s, double theta) {
    Phi2 phi;
    const int top = column.top();
    oscillator_phi(s, theta, system.alpha, system.beta, top, phi);
    Eigen::Vector2d p(0, 0);
    double power = 1;
    for (int k = 0; k <= top; ++k, power *= s) p += column.factor[k] * power * phi[k].col(column.part);
    return p;
}

}  // namespace wobble
