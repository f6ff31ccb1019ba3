#pragma once
// Four 3x3 matrices at a time, one per SIMD lane, as columns; vectors and lanes as in spring_lanes.h.
#include "engine/model/forces/spring_lanes.h"

namespace wobble::lanes {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // as in spring_lanes.h

#define WOBBLE_LANES [[gnu::always_inline]] inline

struct Lane33 {
    Lane3 x, y, z;  // columns
};

WOBBLE_LANES Lane3 operator-(const Lane3& a) { return {-a.x, -a.y, -a.z}; }
WOBBLE_LANES Lane3 cross(const Lane3& a, const Lane3& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
WOBBLE_LANES Lane33 operator+(const Lane33& A, const Lane33& B) { return {A.x + B.x, A.y + B.y, A.z + B.z}; }
WOBBLE_LANES Lane33 operator-(const Lane33& A, const Lane33& B) { return {A.x - B.x, A.y - B.y, A.z - B.z}; }
WOBBLE_LANES Lane33 operator*(const Lane& s, const Lane33& A) { return {s * A.x, s * A.y, s * A.z}; }
WOBBLE_LANES Lane3 operator*(const Lane33& A, const Lane3& b) { return b.x * A.x + b.y * A.y + b.z * A.z; }
WOBBLE_LANES Lane33 operator*(const Lane33& A, const Lane33& B) { return {A * B.x, A * B.y, A * B.z}; }
WOBBLE_LANES Lane33 transposed(const Lane33& A) { return {{A.x.x, A.y.x, A.z.x}, {A.x.y, A.y.y, A.z.y}, {A.x.z, A.y.z, A.z.z}}; }
WOBBLE_LANES Lane3 transposed_times(const Lane33& A, const Lane3& b) { return {dot(A.x, b), dot(A.y, b), dot(A.z, b)}; }  // A^T b
WOBBLE_LANES Lane33 transposed_times(const Lane33& A, const Lane33& B) {
    return {transposed_times(A, B.x), transposed_times(A, B.y), transposed_times(A, B.z)};
}
WOBBLE_LANES Lane inner(const Lane33& A, const Lane33& B) { return dot(A.x, B.x) + dot(A.y, B.y) + dot(A.z, B.z); }  // A:B
WOBBLE_LANES Lane trace(const Lane33& A) { return A.x.x + A.y.y + A.z.z; }
WOBBLE_LANES Lane33 cofactors(const Lane33& A) { return {cross(A.y, A.z), cross(A.z, A.x), cross(A.x, A.y)}; }  // d det / dA
// The derivative of the cofactors of A along B.
WOBBLE_LANES Lane33 cofactors(const Lane33& A, const Lane33& B) {
    return {cross(A.y, B.z) + cross(B.y, A.z), cross(A.z, B.x) + cross(B.z, A.x), cross(A.x, B.y) + cross(B.x, A.y)};
}
WOBBLE_LANES Lane3 axis(const Lane33& A) { return {A.y.z - A.z.y, A.z.x - A.x.z, A.x.y - A.y.x}; }  // of A - A^T
WOBBLE_LANES Lane3 operator*(const Lane6& S, const Lane3& b) {
    return {S.xx * b.x + S.xy * b.y + S.xz * b.z, S.xy * b.x + S.yy * b.y + S.yz * b.z, S.xz * b.x + S.yz * b.y + S.zz * b.z};
}
WOBBLE_LANES Lane33 crossed(const Lane3& w, const Lane33& A) { return {cross(w, A.x), cross(w, A.y), cross(w, A.z)}; }  // [w] A
WOBBLE_LANES Mat3 matrix(const Lane33& A, int lane) {
    Mat3 M;
    M << A.x.x[lane], A.y.x[lane], A.z.x[lane], A.x.y[lane], A.y.y[lane], A.z.y[lane], A.x.z[lane], A.y.z[lane], A.z.z[lane];
    return M;
}
WOBBLE_LANES void set_matrix(Lane33& A, int lane, const Mat3& M) {
    A.x.x[lane] = M(0, 0), A.x.y[lane] = M(1, 0), A.x.z[lane] = M(2, 0);
    A.y.x[lane] = M(0, 1), A.y.y[lane] = M(1, 1), A.y.z[lane] = M(2, 1);
    A.z.x[lane] = M(0, 2), A.z.y[lane] = M(1, 2), A.z.z[lane] = M(2, 2);
}

// log(1 + x) for x > -1, exact also where x is small.
WOBBLE_LANES Lane log_of_one_plus(const Lane& x) {
    Lane u = 1.0 + x;
    const Lane lost = (x - (u - 1.0)) / u;
    Eigen::Map<Eigen::Array4d, Eigen::Aligned32> map(reinterpret_cast<double*>(&u));
    map = map.log();
    return u + lost;
}

#undef WOBBLE_LANES
#pragma GCC diagnostic pop

}  // namespace wobble::lanes
