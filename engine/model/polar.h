#pragma once
// The rotation in a 3x3 matrix F: R = argmax over rotations of tr(R^T F), so that F = R S with S symmetric. For det F > 0 that is the
// polar decomposition; for inverted F it is its usual continuation, det R = 1 and S with one negative eigenvalue, the smallest in size.
//   Written with the unit quaternion x of R, tr(R^T F) = x^T B x with a symmetric 4x4 matrix B of trace 0 (Horn 1987; Higham and
//   Noferini 2016): x is B's dominant eigenvector, and the dominant eigenvalue is tr S.
// The eigenvalue is found by Newton's iteration on det(B - t I) from above, the eigenvector from the adjugate; where two
// eigenvalues nearly meet (s_2 + s_3 = 0: R is not unique) Jacobi rotations take over, which are slower and never fail.
// Always a rotation for finite F, whatever F is; the identity for F = 0.
#include "engine/core/types.h"

namespace wobble {

Mat3 rotation_of(const Mat3& F);

}  // namespace wobble
