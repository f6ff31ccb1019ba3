#pragma once
// How far each particle's surroundings have turned between positions X and x: the rotation R_i nearest to
//     F_i = sum_j (x_j - x_i) (X_j - X_i)^T     over the neighbours j of i in the block pattern (the edges of the mesh),
// which is the orthogonal factor of F_i = R_i S_i (polar decomposition).
#include "engine/linalg/block_matrix.h"

namespace wobble {

Mat3 nearest_rotation(
    const Mat3& F);  // by Newton's iteration R <- (c R + (c R)^-T) / 2 (Higham 1986), by the SVD where F is inside out or flat
void vertex_rotations(Workers&, const BlockPattern&, const VecX& X, const VecX& x, std::vector<Mat3>& R);

}  // namespace wobble
