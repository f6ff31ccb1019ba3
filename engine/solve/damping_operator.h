#pragma once
// Damping that is no sparse matrix of K's pattern, as an operator: y = D v. Stokes flow couples all particles, D is then dense and need
// not be symmetric.
#include "engine/core/types.h"
#include "engine/linalg/block_matrix.h"

#include <cstddef>

namespace wobble {

class DampingOperator {
public:
    virtual ~DampingOperator() = default;
    // y = (D v)_i, three numbers of particle i. Several threads ask for different particles at the same time.
    virtual void row(int i, const double* v, double* y) const = 0;
    virtual bool symmetric() const { return true; }
    // About the largest rate at which it slows particles down, of the entries of M^-1 D: what one substep can follow. 1/s
    virtual double fastest_decay(const VecX& inverse_mass) const = 0;
    virtual Eigen::MatrixXd dense() const = 0;  // for small problems only
};

// The damping of a linear problem: none of its own (Rayleigh's), a matrix of K's pattern, or any operator.
class Damping {
public:
    Damping(std::nullptr_t = nullptr) {}
    Damping(const BlockMatrix* D) : blocks_(D) {}
    Damping(const DampingOperator* D) : other_(D) {}

    explicit operator bool() const { return blocks_ || other_; }
    const BlockMatrix* blocks() const { return blocks_; }    // null where it is no such matrix
    const DampingOperator* other() const { return other_; }  // null where it is one, or nothing
    double fastest_decay(const VecX& inverse_mass) const;

private:
    const BlockMatrix* blocks_ = nullptr;
    const DampingOperator* other_ = nullptr;
};

}  // namespace wobble
