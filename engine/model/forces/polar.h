#pragma once
// The rotation in a 3x3 matrix F: R = argmax over rotations of tr(R^T F), so that F = R S with S symmetric. For det F > 0 that is the
// polar decomposition; for inverted F it is its usual continuation, det R = 1 and S with one negative eigenvalue, the smallest in size.
//   Written with the unit quaternion x of R, tr(R^T F) = x^T B x with a symmetric 4x4 matrix B of trace 0 (Horn 1987; Higham and
//   Noferini 2016): x is B's dominant eigenvector, and the dominant eigenvalue t is tr S. With s the eigenvalues of S,
//     det(t I - B) = t^4 - 2 |F|^2 t^2 - 8 det(F) t + |F|^4 - 4 |cof F|^2,       slope at the largest root 8 (s1+s2)(s1+s3)(s2+s3).
// The root is found by Newton's iteration from above, sqrt(3) |F|; x is the largest column of the adjugate of B - t I. Four matrices at a
// time, one per SIMD lane. Where two roots nearly meet (s2 + s3 = 0: R is not unique) a general eigenvalue solver takes over.
// Always a rotation for finite F, whatever F is; the identity for F = 0.
#include "engine/core/types.h"

namespace wobble {

// The rotations of F[0..3]. Each depends on its own F only, whatever the others are.
void rotations_of(const Mat3 (&F)[4], Mat3 (&R)[4]);
Mat3 rotation_of(const Mat3& F);

}  // namespace wobble
