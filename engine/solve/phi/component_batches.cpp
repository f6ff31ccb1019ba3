#include "engine/solve/phi/component_batches.h"

#include <algorithm>
#include <numeric>

namespace wobble {

namespace {

constexpr std::uint64_t hash_of_nothing = 0xcbf29ce484222325u;

// FNV-1a (Fowler, Noll, Vo) of whole numbers.
std::uint64_t hash(std::uint64_t h, const std::vector<int>& numbers) {
    for (const int x : numbers) h = (h ^ static_cast<std::uint32_t>(x)) * 0x100000001b3u;
    return h;
}

}  // namespace

bool ComponentBatches::known(const Linearized& system) const {
    const BlockPattern& pattern = system.K.pattern();
    if (pattern.row_begin != row_begin_ || pattern.column != column_) return false;
    for (std::size_t i = 0; i < held_.size(); ++i)
        if (held_[i] != (system.inverse_mass[3 * static_cast<Eigen::Index>(i)] == 0)) return false;
    return true;
}

// Numbered by their first particles; members_ is sorted by component, then by particle.
void ComponentBatches::label(const BlockPattern& pattern) {
    const int n = pattern.rows();
    label_.assign(n, -1);
    members_.clear();
    begin_.assign(1, 0);
    components_ = 0;
    for (int seed = 0; seed < n; ++seed) {
        if (held_[seed] || label_[seed] >= 0) continue;
        label_[seed] = components_;
        members_.push_back(seed);
        for (std::size_t next = begin_.back(); next < members_.size(); ++next) {
            const int i = members_[next];
            for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) {
                const int j = pattern.column[k];
                if (!held_[j] && label_[j] < 0) label_[j] = components_, members_.push_back(j);
            }
        }
        std::sort(members_.begin() + begin_.back(), members_.end());
        begin_.push_back(static_cast<int>(members_.size()));
        ++components_;
    }
}

void ComponentBatches::find(const Linearized& system) {
    const BlockPattern& pattern = system.K.pattern();
    const int n = pattern.rows();
    row_begin_ = pattern.row_begin;
    column_ = pattern.column;
    held_.resize(n);
    for (int i = 0; i < n; ++i) held_[i] = system.inverse_mass[3 * i] == 0;
    label(pattern);

    batches_.clear();
    hashes_.clear();
    edges_found_ = false;
    const auto size = [&](int c) { return begin_[c + 1] - begin_[c]; };
    std::vector<int> order(components_);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return size(a) > size(b); });
    particles_ = begin_.back();
    largest_ = components_ > 0 ? size(order.front()) : 0;
    // One that is alone or as large as all others together would leave the other threads idle.
    if (components_ < 2 || 2 * largest_ > particles_) return;
    local_.assign(n, -1);
    for (const int c : order) add(pattern, members_.data() + begin_[c], size(c));
}

void ComponentBatches::add(const BlockPattern& pattern, const int* particles, int count) {
    for (int a = 0; a < count; ++a) local_[particles[a]] = a;
    rows_.assign(1, 0);
    columns_.clear();
    at_.clear();
    for (int a = 0; a < count; ++a) {
        for (int k = pattern.row_begin[particles[a]]; k < pattern.row_begin[particles[a] + 1]; ++k)
            if (const int b = local_[pattern.column[k]]; b >= 0) columns_.push_back(b), at_.push_back(k);
        rows_.push_back(static_cast<int>(columns_.size()));
    }
    for (int a = 0; a < count; ++a) local_[particles[a]] = -1;

    const std::uint64_t name = hash(hash(hash_of_nothing, rows_), columns_);
    // From the last one, as fibres follow their like, to the first of this size.
    std::size_t b = batches_.size();
    const auto same = [&](const BlockPattern& p) { return hashes_[b - 1] == name && p.row_begin == rows_ && p.column == columns_; };
    while (b > 0 && batches_[b - 1].size() == count && !same(*batches_[b - 1].pattern)) --b;
    if (b == 0 || batches_[b - 1].size() != count) {
        std::vector<std::pair<int, int>> pairs;
        ComponentBatch& made = batches_.emplace_back();
        hashes_.push_back(name);
        for (int i = 0; i < count; ++i)
            for (int k = rows_[i]; k < rows_[i + 1]; ++k) {
                pairs.emplace_back(i, columns_[k]);
                if (i < columns_[k]) made.edges.push_back({i, columns_[k]});
            }
        // Rows and columns keep their order, so the blocks are numbered as they were met.
        made.pattern = std::make_shared<const BlockPattern>(count, pairs);
        b = batches_.size();
    }
    ComponentBatch& batch = batches_[b - 1];
    batch.particles.insert(batch.particles.end(), particles, particles + count);
    batch.blocks.insert(batch.blocks.end(), at_.begin(), at_.end());
}

void ComponentBatches::find_edges(const EdgeMatrix& K) {
    const EdgePattern& fixed = K.pattern();
    const VaryingPairs* const varying = K.extra().pairs();
    const bool same_pairs = varying ? varying_ == varying->pairs : varying_.empty();
    if (edges_found_ && same_pairs && edge_begin_ == fixed.begin && edge_other_ == fixed.other) return;
    edge_begin_ = fixed.begin;
    edge_other_ = fixed.other;
    varying_.clear();
    if (varying) varying_ = varying->pairs;
    for (ComponentBatch& batch : batches_) add_edges(batch, fixed, varying);
    edges_found_ = true;
}

void ComponentBatches::add_edges(ComponentBatch& batch, const EdgePattern& fixed, const VaryingPairs* varying) const {
    const int none = fixed.edges();
    const auto line = [&](int i, int j) {
        const auto begin = fixed.other.begin() + fixed.begin[i], end = fixed.other.begin() + fixed.begin[i + 1];
        const auto found = std::lower_bound(begin, end, j);
        return found != end && *found == j ? static_cast<int>(found - fixed.other.begin()) : none;
    };
    const auto pair = [&](int i, int j) {
        if (!varying) return none;
        const auto found = std::lower_bound(varying->pairs.begin(), varying->pairs.end(), std::array{i, j});
        return found != varying->pairs.end() && *found == std::array{i, j} ? none + 1 + static_cast<int>(found - varying->pairs.begin())
                                                                           : none;
    };
    batch.lines.clear();
    batch.lines.reserve(batch.edges.size() * batch.count());
    batch.added.clear();
    batch.added_begin.assign(1, 0);
    for (int c = 0; c < batch.count(); ++c) {
        const int* const p = batch.particles_of(c);
        const std::size_t first = batch.lines.size();
        for (int a = 0; a < batch.size(); ++a)
            for (int k = row_begin_[p[a]]; k < row_begin_[p[a] + 1]; ++k) {
                const int i = p[a], j = column_[k];
                if (i == j || (!held_[j] && j < i)) continue;
                const int one = line(std::min(i, j), std::max(i, j)), other = pair(std::min(i, j), std::max(i, j));
                if (held_[j]) {
                    for (const int from : {one, other})
                        if (from != none) batch.added.push_back({~a, from});
                } else {
                    const bool both = one != none && other != none;
                    if (both) batch.added.push_back({static_cast<int>(batch.lines.size() - first), other});
                    batch.lines.push_back(one != none ? one : other);
                }
            }
        batch.added_begin.push_back(static_cast<int>(batch.added.size()));
    }
}

ComponentProblem::ComponentProblem(const ComponentBatch& batch) : mass_(3 * batch.size()), inverse_mass_(3 * batch.size()) {}

Linearized ComponentProblem::gather(Workers& workers, const Linearized& whole, const ComponentBatch& batch, int c, bool by_edges) {
    const int* const p = batch.particles_of(c);
    for (int a = 0; a < batch.size(); ++a) {
        particle(mass_, a) = particle(whole.mass, p[a]);
        particle(inverse_mass_, a) = particle(whole.inverse_mass, p[a]);
    }
    if (by_edges) {
        gather_edges(*whole.edges, batch, c);
        return {workers, {*tangent_, workers}, mass_, inverse_mass_, whole.alpha, whole.beta, nullptr, &tangent_->edges()};
    }
    const auto copy = [&](const BlockMatrix& from, std::optional<BlockMatrix>& to) {
        if (!to) to.emplace(batch.pattern);
        const int* const at = batch.blocks_of(c);
        for (int k = 0; k < batch.pattern->blocks(); ++k) std::copy_n(from.block(at[k]), 9, to->block(k));
    };
    copy(whole.K.blocks(), K_);
    const BlockMatrix* const D = whole.D.blocks();
    if (D) copy(*D, D_);
    return {workers, *K_, mass_, inverse_mass_, whole.alpha, whole.beta, D ? &*D_ : nullptr};
}

void ComponentProblem::gather_edges(const EdgeMatrix& K, const ComponentBatch& batch, int c) {
    const ExtraBlocks& extra = K.extra();
    const int none = K.pattern().edges();
    const bool skewed = K.has_skew() || extra.pairs();
    if (!tangent_ || tangent_->edges().has_skew() != skewed) tangent_.emplace(EdgeTangent(batch.edges, batch.pattern, skewed, true));
    EdgeTangent& to = tangent_->to_set();
    to.clear_extra();
    const auto symmetric = [&](int from) { return from <= none ? K.lines()[from].symmetric : extra.varying(from - none - 1); };
    const auto add_skew = [&](int from, double* s) {
        if (from <= none && !K.has_skew()) return;
        const double* const t = from <= none ? K.skew() + static_cast<std::size_t>(3) * from : extra.varying_skew(from - none - 1);
        for (int d = 0; d < 3; ++d) s[d] += t[d];
    };
    const int* const lines = batch.lines_of(c);
    for (int e = 0; e < static_cast<int>(batch.edges.size()); ++e) {
        std::copy_n(symmetric(lines[e]), 6, to.at(e));
        if (skewed) std::fill_n(to.skew(e), 3, 0.0), add_skew(lines[e], to.skew(e));
    }
    for (int k = batch.added_begin[c]; k < batch.added_begin[c + 1]; ++k) {
        const auto [at, from] = batch.added[k];
        const double *const S = symmetric(from), sign = at < 0 ? -1 : 1;
        double* const sum = at < 0 ? to.local(~at) : to.at(at);
        for (int x = 0; x < 6; ++x) sum[x] += sign * S[x];
        if (at >= 0) add_skew(from, to.skew(at));
    }
    if (extra.local_allowed())
        for (int a = 0; a < batch.size(); ++a) {
            const int i = batch.particles_of(c)[a];
            if (!extra.acts(i)) continue;
            double* const sum = to.local(a);
            for (int x = 0; x < 6; ++x) sum[x] += extra.local(i)[x];
        }
    to.gather();
}

}  // namespace wobble
