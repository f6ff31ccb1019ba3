#include "engine/solve/phi/phi_components.h"

#include <algorithm>
#include <atomic>

namespace wobble {

ComponentsPhi::ComponentsPhi(Make make) : make_(std::move(make)) {}

bool ComponentsPhi::known(const Linearized& system) const {
    const BlockPattern& pattern = system.K.pattern();
    if (pattern.row_begin != row_begin_ || pattern.column != column_) return false;
    for (std::size_t i = 0; i < held_.size(); ++i)
        if (held_[i] != (system.inverse_mass[3 * static_cast<Eigen::Index>(i)] == 0)) return false;
    return true;
}

void ComponentsPhi::find(const Linearized& system) {
    const BlockPattern& pattern = system.K.pattern();
    const int n = pattern.rows();
    row_begin_ = pattern.row_begin;
    column_ = pattern.column;
    held_.resize(n);
    for (int i = 0; i < n; ++i) held_[i] = system.inverse_mass[3 * i] == 0;

    std::vector<int> label(n, -1), stack;
    std::vector<std::vector<int>> members;
    for (int seed = 0; seed < n; ++seed) {
        if (held_[seed] || label[seed] >= 0) continue;
        const int name = static_cast<int>(members.size());
        members.emplace_back();
        stack.assign(1, seed);
        label[seed] = name;
        while (!stack.empty()) {
            const int i = stack.back();
            stack.pop_back();
            members.back().push_back(i);
            for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) {
                const int j = pattern.column[k];
                if (!held_[j] && label[j] < 0) label[j] = name, stack.push_back(j);
            }
        }
        std::sort(members.back().begin(), members.back().end());
    }
    std::stable_sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });

    islands_.clear();
    topologies_.clear();
    islands_.resize(members.size());
    // One that is alone or as large as all others together would leave the other threads idle.
    std::size_t all = 0;
    for (const auto& island : members) all += island.size();
    together_ = members.size() < 2 || 2 * members.front().size() > all;
    if (together_) return;
    std::vector<int> local(n, -1);
    for (std::size_t m = 0; m < members.size(); ++m) {
        add(pattern, members[m], local, islands_[m]);
        islands_[m].phi = make_(3 * static_cast<int>(members[m].size()));
    }
}

void ComponentsPhi::add(const BlockPattern& pattern, const std::vector<int>& particles, std::vector<int>& local, Island& island) {
    island.particles = particles;
    for (std::size_t i = 0; i < particles.size(); ++i) local[particles[i]] = static_cast<int>(i);
    std::vector<std::pair<int, int>> pairs;
    for (const int i : particles)
        for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k)
            if (local[pattern.column[k]] >= 0) pairs.emplace_back(local[i], local[pattern.column[k]]), island.blocks.push_back(k);
    // Rows and columns keep their order, so the island's blocks are numbered as they were met.
    auto pattern_of_island = std::make_shared<const BlockPattern>(static_cast<int>(particles.size()), pairs);
    const auto same = [&](const auto& topology) {
        return topology->row_begin == pattern_of_island->row_begin && topology->column == pattern_of_island->column;
    };
    const auto found = std::find_if(topologies_.rbegin(), topologies_.rend(), same);  // fibres follow their like
    if (found == topologies_.rend()) topologies_.push_back(pattern_of_island);
    else pattern_of_island = *found;
    island.K.emplace(std::move(pattern_of_island));
    island.mass.resize(3 * static_cast<Eigen::Index>(particles.size()));
    island.inverse_mass.resize(island.mass.size());
    for (const int i : particles) local[i] = -1;
}

void ComponentsPhi::gather(const Linearized& system, Island& island) {
    const auto copy = [&](const BlockMatrix& from, BlockMatrix& to) {
        for (std::size_t k = 0; k < island.blocks.size(); ++k) std::copy_n(from.block(island.blocks[k]), 9, to.block(static_cast<int>(k)));
    };
    copy(system.K.blocks(), *island.K);
    if (const BlockMatrix* D = system.D.blocks()) {
        if (!island.D) island.D.emplace(*island.K);
        copy(*D, *island.D);
    }
    for (std::size_t i = 0; i < island.particles.size(); ++i) {
        particle(island.mass, static_cast<int>(i)) = particle(system.mass, island.particles[i]);
        particle(island.inverse_mass, static_cast<int>(i)) = particle(system.inverse_mass, island.particles[i]);
    }
}

void ComponentsPhi::solve(const Linearized& system, Workers& alone, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes,
                          Island& island) const {
    gather(system, island);
    island.vectors.resize(2 * (terms.size() + nodes.size()));
    island.terms.clear();
    island.nodes.clear();
    const int count = static_cast<int>(island.particles.size());
    std::size_t used = 0;
    // A vector in several terms stays one vector, for which one basis is enough.
    const auto gathered = [&](const VecX* from, std::size_t term, bool velocity) -> const VecX* {
        if (!from) return nullptr;
        for (std::size_t t = 0; t <= term; ++t) {
            if (terms[t].x == from && (t < term || velocity)) return island.terms[t].x;
            if (terms[t].v == from && t < term) return island.terms[t].v;
        }
        VecX& to = island.vectors[used++];
        to.resize(3 * count);
        for (int i = 0; i < count; ++i) particle(to, i) = particle(*from, island.particles[i]);
        return &to;
    };
    for (std::size_t t = 0; t < terms.size(); ++t) {
        island.terms.push_back({terms[t].k, gathered(terms[t].x, t, false), nullptr});
        PhiTerm& term = island.terms.back();
        term.v = gathered(terms[t].v, t, true);
        for (std::size_t s = 0; s < t; ++s)
            if (terms[t].along && terms[t].along == terms[s].v) term.along = island.terms[s].v, term.factor = terms[t].factor;
    }
    for (const PhiNode& node : nodes) {
        VecX &x = island.vectors[used++], &v = island.vectors[used++];
        x.resize(3 * count), v.resize(3 * count);
        island.nodes.push_back({node.t, node.tolerance, &x, &v});
    }
    const BlockMatrix* D = system.D ? &*island.D : nullptr;
    const Linearized part{alone, *island.K, island.mass, island.inverse_mass, system.alpha, system.beta, D};
    island.report = island.phi->evaluate(part, island.terms, island.nodes);
    if (!island.report.converged) return;
    for (std::size_t k = 0; k < nodes.size(); ++k)
        for (int i = 0; i < count; ++i) {
            particle(*nodes[k].x, island.particles[i]) = particle(*island.nodes[k].x, i);
            particle(*nodes[k].v, island.particles[i]) = particle(*island.nodes[k].v, i);
        }
}

PhiReport ComponentsPhi::evaluate(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes) {
    if (!known(system)) {
        find(system);
        if (!together_ && !recalled_.empty()) recall();
    }
    if (together_ || system.D.other()) {  // such damping couples all of them
        if (!whole_) whole_ = make_(1 << 30);
        PhiReport report = whole_->evaluate(system, terms, nodes);
        report.islands = std::max(1, islands());
        return report;
    }
    Workers& workers = system.workers;
    if (!alone_.empty() && alone_.front()->stop() != workers.stop()) alone_.clear();
    while (static_cast<int>(alone_.size()) < workers.count()) alone_.push_back(std::make_unique<Workers>(1, workers.stop()));
    for (const PhiNode& node : nodes) node.x->setZero(), node.v->setZero();  // held particles
    for (Island& island : islands_) island.report = {}, island.thrown = nullptr;
    system.K.blocks();  // for all of them: not made inside the loop
    std::atomic<int> next = 0;
    workers.run([&](int part) {
        for (int i = next++; i < islands() && !workers.stop_requested(); i = next++) {
            try {
                solve(system, *alone_[part], terms, nodes, islands_[i]);
            } catch (...) {
                islands_[i].thrown = std::current_exception();
            }
        }
    });
    for (const Island& island : islands_)
        if (island.thrown) std::rethrow_exception(island.thrown);

    PhiReport report = islands_.front().report;
    for (std::size_t i = 1; i < islands_.size(); ++i) {
        const PhiReport& one = islands_[i].report;
        report.converged = report.converged && one.converged;
        report.dimension = std::max(report.dimension, one.dimension);
        report.predicted_dimension = std::max(report.predicted_dimension, one.predicted_dimension);
        report.substeps = std::max(report.substeps, one.substeps);
        report.loosened = std::max(report.loosened, one.loosened);
        report.products += one.products;
        report.solves += one.solves;
        report.factorizations += one.factorizations;
    }
    report.islands = islands();
    if (workers.stop_requested()) report.converged = false;
    return report;
}

void ComponentsPhi::solver_state(SavedSolverState& numbers) {
    numbers.maybe(whole_, [&] { return make_(1 << 30); });
    std::vector<double> of_islands = recalled_;
    if (!numbers.reads() && recalled_.empty() && !together_) {
        auto all = SavedSolverState::writing(of_islands);
        for (Island& island : islands_) island.phi->solver_state(all);
    }
    numbers(of_islands);
    if (!numbers.reads()) return;
    recalled_ = std::move(of_islands);
    if (!together_) recall();
}

// Each island as it was before the first evaluation, or with what it had learnt.
void ComponentsPhi::recall() {
    auto all = SavedSolverState::reading(recalled_);
    for (Island& island : islands_) {
        island.phi = make_(3 * static_cast<int>(island.particles.size()));
        if (!recalled_.empty()) island.phi->solver_state(all);
    }
    recalled_.clear();
}

}  // namespace wobble
