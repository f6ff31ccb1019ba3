#pragma once
// Several vectors multiplied at once lie in memory with their columns side by side: x[P (3 j + d) + c], coordinate d of particle j in
// column c. P is 1, 2, 4 or 8, so that one number of all columns fills a register and what is done to each column is done to all of them;
// or 3, whose fourth lane has no meaning.
namespace wobble {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // processors without such registers pass lanes in memory, if a call is left at all

template <int P>
struct ColumnLanes {
    typedef double Lanes __attribute__((vector_size(8 * P)));
    typedef double Unaligned __attribute__((vector_size(8 * P), aligned(8), may_alias));
};
template <>
struct ColumnLanes<1> {
    typedef double Lanes;
    typedef double Unaligned;
};
template <>
struct ColumnLanes<3> : ColumnLanes<4> {};
template <int P>
using Columns = typename ColumnLanes<P>::Lanes;

template <int P>
[[gnu::always_inline]] inline Columns<P> load_columns(const double* p) {  // of three: four numbers are read
    return *reinterpret_cast<const typename ColumnLanes<P>::Unaligned*>(p);
}
template <int P>
[[gnu::always_inline]] inline Columns<P> load_exactly(const double* p) {  // what follows may be another thread's
    if constexpr (P == 3) return Columns<P>{p[0], p[1], p[2], 0};
    else return load_columns<P>(p);
}
template <int P>
[[gnu::always_inline]] inline void store_columns(double* p, Columns<P> a) {
    if constexpr (P == 3) {
        store_columns<2>(p, __builtin_shufflevector(a, a, 0, 1));
        p[2] = a[2];
    } else {
        *reinterpret_cast<typename ColumnLanes<P>::Unaligned*>(p) = a;
    }
}

// A particle's vectors, one per column.
template <int P>
struct ColumnVectors {
    Columns<P> x[3];

    [[gnu::always_inline]] static ColumnVectors read(const double* p) {
        return {{load_columns<P>(p), load_columns<P>(p + P), load_columns<P>(p + 2 * P)}};
    }
    [[gnu::always_inline]] void write(double* p) const {
        for (int d = 0; d < 3; ++d) store_columns<P>(p + P * d, x[d]);
    }
    [[gnu::always_inline]] void operator+=(const ColumnVectors& a) {
        for (int d = 0; d < 3; ++d) x[d] += a.x[d];
    }
    [[gnu::always_inline]] void operator-=(const ColumnVectors& a) {
        for (int d = 0; d < 3; ++d) x[d] -= a.x[d];
    }
};

#pragma GCC diagnostic pop

}  // namespace wobble
