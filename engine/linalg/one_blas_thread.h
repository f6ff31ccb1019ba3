#pragma once
// OpenBLAS on one thread, for the whole process, from the first call on: measured, a second one gains nothing on our matrices, and one
// gives the same bits on every machine.
extern "C" void openblas_set_num_threads(int);

namespace wobble {

inline void one_blas_thread() {
    static const bool set = (openblas_set_num_threads(1), true);
    (void)set;
}

}  // namespace wobble
