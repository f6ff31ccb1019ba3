#include "engine/model/forces/tet_elements.h"

#include <Eigen/LU>

namespace wobble {

TetElements::TetElements(const TetMesh& rest, std::shared_ptr<Workers> workers, std::vector<double> factors)
    : tets_(rest.tets), workers_(std::move(workers)) {
    for (Tet& tet : tets_) std::sort(tet.begin(), tet.end());
    interleave(tets_);
    interleave(factors);
    parts_ = split_rows(static_cast<int>(rest.vertices.size()), tets_, *workers_);
    const std::size_t all = tets_.size();
    fours_.resize((all + 3) / 4);
    edges_.resize(fours_.size() + ahead);
    for (std::size_t lane = 0; lane < 4 * fours_.size(); ++lane) {
        const std::size_t t = std::min(lane, all - 1);
        const Tet& tet = tets_[t];
        FourTets& four = fours_[lane / 4];
        Mat3 sides;
        for (int a = 0; a < 3; ++a) sides.col(a) = rest.vertices[tet[a + 1]] - rest.vertices[tet[0]];
        const Mat3 gradients = sides.inverse();
        const double six_volumes = sides.determinant(), factor = factors.empty() ? 1 : factors[t];
        for (int a = 0; a < 4; ++a) four.particles[a][lane % 4] = tet[a];
        for (int a = 0; a < 3; ++a)
            for (int x = 0; x < 3; ++x) four.gradients[a][x][lane % 4] = gradients(a, x);
        four.volume[lane % 4] = factor * std::abs(six_volumes) / 6;
        four.opposite[lane % 4] = factor * std::copysign(1.0, six_volumes) / 6;
    }
}

void TetElements::bind(std::span<const int> edge_of_pair) {
    for (std::size_t lane = 0; lane < 4 * fours_.size(); ++lane)
        for (std::size_t e = 0; e < 6; ++e) edges_[lane / 4][e][lane % 4] = edge_of_pair[6 * std::min(lane, tets_.size() - 1) + e];
}

void TetElements::add_laplacian(double c, EdgeTangent& K) const {
    for (std::size_t k = 0; k < tets_.size(); ++k) {
        const FourTets& four = fours_[k / 4];
        const std::size_t t = k % 4;
        Eigen::Matrix<double, 3, 4> g;
        for (int a = 1; a < 4; ++a)
            for (int x = 0; x < 3; ++x) g(x, a) = four.gradients[a - 1][x][t];
        g.col(0) = -(g.col(1) + g.col(2) + g.col(3));
        for (std::size_t e = 0; e < 6; ++e)
            for (int x : {0, 3, 5}) K.at(edges_[k / 4][e][t])[x] += four.volume[t] * c * g.col(tet_edges[e][0]).dot(g.col(tet_edges[e][1]));
    }
}

}  // namespace wobble
