#include "engine/solve/ritz_phi.h"

#include <cassert>

namespace wobble {

int PhiColumn::top() const {
    int top = max_phi;
    while (top > 0 && factor[top] == 0) --top;
    return top;
}

void collect_columns(std::span<const PhiTerm> terms, std::vector<PhiColumn>& columns) {
    columns.clear();
    const auto add = [&](const VecX* start, int part, int k) {
        if (!start) return;
        for (PhiColumn& column : columns)
            if (column.start == start && column.part == part) return void(column.factor[k] += 1);
        columns.push_back({start, part, {}});
        columns.back().factor[k] = 1;
    };
    for (const PhiTerm& term : terms) {
        assert(term.k >= 0 && term.k <= max_phi);
        add(term.x, 0, term.k);
        add(term.v, 1, term.k);
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
