#pragma once
// What a matrix of edges (edge_matrix.h) has besides its fixed edges, both parts empty unless a force asks for them:
//   local    a symmetric 3x3 block L_i on the diagonal, of a force between particle i and the outside world (ground, obstacles), which
//            does change when the whole body moves:                       (K x)_i += L_i x_i
//   varying  pairs (i, j) that come and go between steps (contacts), each as an edge has it, K_ij = S + [s], K_ii = -sum_j S_ij:
//                                                                         (K x)_i += S (x_j - x_i) + s cross x_j
//                                                                         (K x)_j -= S (x_j - x_i) + s cross x_i
// Sums are formed in a fixed order, local first, then a row's pairs by their other particle: the same bits for any number of threads.
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace wobble {

struct alignas(64) EdgeLine {  // S: six numbers (xx, xy, xz, yy, yz, zz) in one cache line
    double symmetric[8] = {};
};

// Which pairs, for one or more steps.
struct VaryingPairs {
    struct End {  // a pair as one of its particles sees it
        int row, other, pair;
    };
    std::vector<std::array<int, 2>> pairs;  // i < j, sorted, each once
    std::vector<End> ends;                  // both of each pair, by row, then by other

    explicit VaryingPairs(std::vector<std::array<int, 2>> sorted_pairs);
};

class ExtraBlocks {
public:
    bool empty() const { return rows_.empty() && lines_.empty(); }

    // Local blocks. Threads may add to different particles at the same time; gather() then makes the list that products go by.
    void allow_local(int rows);  // a block for each row, none of them set
    bool local_allowed() const { return !local_.empty(); }
    double* local(int row) { return acts_[static_cast<std::size_t>(row)] = 1, local_[static_cast<std::size_t>(row)].symmetric; }
    const double* local(int row) const { return local_[static_cast<std::size_t>(row)].symmetric; }
    bool acts(int row) const { return acts_[static_cast<std::size_t>(row)] != 0; }  // its block is set
    void gather();
    const std::vector<int>& local_rows() const { return rows_; }  // ascending

    // Varying pairs, numbered as in VaryingPairs.
    void set_pairs(std::shared_ptr<const VaryingPairs>);  // null: none; their blocks are zero
    const VaryingPairs* pairs() const { return pairs_.get(); }
    double* varying(int pair) { return lines_[static_cast<std::size_t>(pair)].symmetric; }  // S
    const double* varying(int pair) const { return lines_[static_cast<std::size_t>(pair)].symmetric; }
    double* varying_skew(int pair) { return &skew_[3 * static_cast<std::size_t>(pair)]; }  // s
    const double* varying_skew(int pair) const { return &skew_[3 * static_cast<std::size_t>(pair)]; }

    void set_zero();
    void scale(double);

    // sums_i += (this x)_i for the rows [first, last) and `columns` columns. x: number d of column c of row i at stride i + columns d + c;
    // sums: at per_row i + lanes d + c.
    struct Layout {
        int columns, stride, lanes, per_row;
    };
    void add_product(const Layout&, const double* x, double* sums, int first, int last) const;
    // sums_i -= the diagonal of this, xx, yy, zz, four numbers per row.
    void subtract_diagonal(double* sums, int first, int last) const;

private:
    template <int P>
    void add_columns(const Layout&, const double* x, double* sums, int first, int last) const;

    std::vector<EdgeLine> local_;     // per row; empty: no force has any
    std::vector<std::uint8_t> acts_;  // per row
    std::vector<int> rows_;
    std::shared_ptr<const VaryingPairs> pairs_;
    std::vector<EdgeLine> lines_;  // per pair
    std::vector<double> skew_;
};

}  // namespace wobble
