#include "engine/solve/phi/phi_components.h"

#include <algorithm>
#include <atomic>

namespace wobble {

namespace {

constexpr int most_per_task = 16;  // islands that a thread takes at a time where evaluators are shared

}  // namespace

ComponentsPhi::ComponentsPhi(Make make) : make_(std::move(make)) {}

int ComponentsPhi::evaluators() const {
    int count = whole_ ? 1 : 0;
    for (const Group& group : groups_) count += static_cast<int>(group.seats.size());
    return count;
}

void ComponentsPhi::find(const Linearized& system) {
    parts_.find(system);
    const int batches = static_cast<int>(parts_.batches().size());
    groups_.clear();
    groups_.resize(batches);
    first_.assign(1, 0);
    tasks_.clear();
    for (int b = 0; b < batches; ++b) {
        const int count = batch(b).count();
        groups_[b].shared = count > few;
        const int at_once = groups_[b].shared ? most_per_task : 1;
        for (int begin = 0; begin < count; begin += at_once) tasks_.push_back({b, begin, std::min(begin + at_once, count)});
        first_.push_back(first_.back() + count);
    }
}

void ComponentsPhi::add_seats(std::size_t b, int threads) {
    Group& group = groups_[b];
    const int count = batch(b).count();
    const auto wanted = static_cast<std::size_t>(group.shared ? threads : count);
    if (group.seats.size() >= wanted) return;
    const bool first = group.seats.empty();
    group.seats.reserve(wanted);
    while (group.seats.size() < wanted) group.seats.push_back({ComponentProblem(batch(b)), make_(3 * batch(b).size()), {}, {}, {}, {}, {}});
    if (!first || !group.shared) return;
    group.born.clear();
    auto numbers = SavedSolverState::writing(group.born);
    group.seats.front().phi->solver_state(numbers);
    group.room = 1 + group.born.size();
    group.states.assign(group.room * static_cast<std::size_t>(count), 0.0);
    for (int c = 0; c < count; ++c) {
        double* const state = group.states.data() + group.room * static_cast<std::size_t>(c);
        state[0] = static_cast<double>(group.born.size());
        std::copy(group.born.begin(), group.born.end(), state + 1);
    }
}

void ComponentsPhi::load(const Group& group, int island, Seat& seat) {
    const double* const state = group.states.data() + group.room * static_cast<std::size_t>(island);
    seat.numbers.assign(state + 1, state + 1 + static_cast<std::size_t>(state[0]));
    auto numbers = SavedSolverState::reading(seat.numbers);
    seat.phi->solver_state(numbers);
}

// Other threads store other islands' at the same time: a state that needs more room waits for make_room().
void ComponentsPhi::store(Group& group, int island, Seat& seat) {
    seat.numbers.clear();
    auto numbers = SavedSolverState::writing(seat.numbers);
    seat.phi->solver_state(numbers);
    const auto count = static_cast<double>(seat.numbers.size());
    if (seat.numbers.size() < group.room) {
        double* const state = group.states.data() + group.room * static_cast<std::size_t>(island);
        state[0] = count;
        std::copy(seat.numbers.begin(), seat.numbers.end(), state + 1);
    } else {
        seat.late.insert(seat.late.end(), {static_cast<double>(island), count});
        seat.late.insert(seat.late.end(), seat.numbers.begin(), seat.numbers.end());
    }
}

void ComponentsPhi::make_room(Group& group) {
    std::size_t room = group.room;
    const auto each = [&](auto&& body) {  // body(island, state)
        for (const Seat& seat : group.seats)
            for (std::size_t k = 0; k < seat.late.size(); k += 2 + static_cast<std::size_t>(seat.late[k + 1]))
                body(static_cast<std::size_t>(seat.late[k]), seat.late.data() + k + 1);
    };
    each([&](std::size_t, const double* state) { room = std::max(room, 1 + static_cast<std::size_t>(state[0])); });
    if (room == group.room) return;
    std::vector<double> states(group.states.size() / group.room * room);
    for (std::size_t c = 0; c * group.room < group.states.size(); ++c)
        std::copy_n(group.states.begin() + static_cast<std::ptrdiff_t>(c * group.room), group.room,
                    states.begin() + static_cast<std::ptrdiff_t>(c * room));
    each([&](std::size_t c, const double* state) { std::copy_n(state, 1 + static_cast<std::size_t>(state[0]), states.data() + c * room); });
    for (Seat& seat : group.seats) seat.late.clear();
    group.states = std::move(states);
    group.room = room;
}

PhiReport ComponentsPhi::solve(const Linearized& system, Workers& alone, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes,
                               const ComponentBatch& batch, int island, Seat& seat) const {
    const Linearized part = seat.problem.gather(alone, system, batch, island, by_edges(system));
    seat.vectors.resize(2 * (terms.size() + nodes.size()));
    seat.terms.clear();
    seat.nodes.clear();
    const int count = batch.size();
    const int* const particles = batch.particles_of(island);
    std::size_t used = 0;
    // A vector in several terms stays one vector, for which one basis is enough.
    const auto gathered = [&](const VecX* from, std::size_t term, bool velocity) -> const VecX* {
        if (!from) return nullptr;
        for (std::size_t t = 0; t <= term; ++t) {
            if (terms[t].x == from && (t < term || velocity)) return seat.terms[t].x;
            if (terms[t].v == from && t < term) return seat.terms[t].v;
        }
        VecX& to = seat.vectors[used++];
        to.resize(3 * count);
        for (int i = 0; i < count; ++i) particle(to, i) = particle(*from, particles[i]);
        return &to;
    };
    for (std::size_t t = 0; t < terms.size(); ++t) {
        seat.terms.push_back({terms[t].k, gathered(terms[t].x, t, false), nullptr});
        PhiTerm& term = seat.terms.back();
        term.v = gathered(terms[t].v, t, true);
        for (std::size_t s = 0; s < t; ++s)
            if (terms[t].along && terms[t].along == terms[s].v) term.along = seat.terms[s].v, term.factor = terms[t].factor;
    }
    for (const PhiNode& node : nodes) {
        VecX &x = seat.vectors[used++], &v = seat.vectors[used++];
        x.resize(3 * count), v.resize(3 * count);
        seat.nodes.push_back({node.t, node.tolerance, &x, &v});
    }
    const PhiReport report = seat.phi->evaluate(part, seat.terms, seat.nodes);
    for (std::size_t k = 0; report.converged && k < nodes.size(); ++k)
        for (int i = 0; i < count; ++i) {
            particle(*nodes[k].x, particles[i]) = particle(*seat.nodes[k].x, i);
            particle(*nodes[k].v, particles[i]) = particle(*seat.nodes[k].v, i);
        }
    return report;
}

void ComponentsPhi::run(const Linearized& system, Workers& alone, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes,
                        const Task& task, int part, Tally& tally) {
    Group& group = groups_[task.batch];
    for (int c = task.begin; c < task.end && !alone.stop_requested(); ++c) {
        const int island = first_[task.batch] + c;
        Seat& seat = group.seats[group.shared ? part : c];
        try {
            if (group.shared) load(group, c, seat);
            const PhiReport one = solve(system, alone, terms, nodes, batch(task.batch), c, seat);
            if (group.shared) store(group, c, seat);
            PhiReport& sum = tally.report;
            sum.dimension = std::max(sum.dimension, one.dimension);
            sum.predicted_dimension = std::max(sum.predicted_dimension, one.predicted_dimension);
            sum.substeps = std::max(sum.substeps, one.substeps);
            sum.loosened = std::max(sum.loosened, one.loosened);
            sum.products += one.products;
            sum.solves += one.solves;
            sum.factorizations += one.factorizations;
            if (island == 0) sum.path = one.path;
            if (!one.converged && island < tally.failed) tally.failed = island, tally.path = one.path, tally.declined = one.declined;
        } catch (...) {
            if (island < tally.thrown) tally.thrown = island, tally.exception = std::current_exception();
        }
    }
}

PhiReport ComponentsPhi::evaluate(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes) {
    if (!parts_.known(system)) {
        find(system);
        if (!groups_.empty() && !recalled_.empty()) recall();
    }
    if (groups_.empty() || system.D.other()) {  // such damping couples all of them
        if (!whole_) whole_ = make_(1 << 30);
        PhiReport report = whole_->evaluate(system, terms, nodes);
        report.islands = std::max(1, islands());
        return report;
    }
    Workers& workers = system.workers;
    if (!alone_.empty() && alone_.front()->stop() != workers.stop()) alone_.clear();
    while (static_cast<int>(alone_.size()) < workers.count()) alone_.push_back(std::make_unique<Workers>(1, workers.stop()));
    for (std::size_t b = 0; b < groups_.size(); ++b) add_seats(b, workers.count());
    for (const PhiNode& node : nodes) node.x->setZero(), node.v->setZero();  // held particles
    if (by_edges(system)) parts_.find_edges(*system.edges);
    else system.K.blocks();  // for all of them: not made inside the loop
    tallies_.assign(workers.count(), {{.substeps = 0}, of_none, of_none, "", "", nullptr});
    std::atomic<std::size_t> next = 0;
    workers.run([&](int part) {
        for (std::size_t t = next++; t < tasks_.size() && !workers.stop_requested(); t = next++)
            run(system, *alone_[part], terms, nodes, tasks_[t], part, tallies_[part]);
    });
    for (Group& group : groups_)
        if (group.shared) make_room(group);

    const auto first_of = [&](int Tally::*island) { return *std::ranges::min_element(tallies_, {}, island); };
    if (const Tally& tally = first_of(&Tally::thrown); tally.exception) std::rethrow_exception(tally.exception);
    PhiReport report{.substeps = 0};
    for (const Tally& tally : tallies_) {
        const PhiReport& one = tally.report;
        report.dimension = std::max(report.dimension, one.dimension);
        report.predicted_dimension = std::max(report.predicted_dimension, one.predicted_dimension);
        report.substeps = std::max(report.substeps, one.substeps);
        report.loosened = std::max(report.loosened, one.loosened);
        report.products += one.products;
        report.solves += one.solves;
        report.factorizations += one.factorizations;
        if (*one.path) report.path = one.path;
    }
    report.islands = islands();
    if (const Tally& tally = first_of(&Tally::failed); tally.failed != of_none)
        report.converged = false, report.path = tally.path, report.declined = tally.declined;
    if (workers.stop_requested()) report.converged = false;
    return report;
}

void ComponentsPhi::solver_state(SavedSolverState& numbers) {
    numbers.maybe(whole_, [&] { return make_(1 << 30); });
    std::vector<double> of_islands = recalled_;
    if (!numbers.reads() && recalled_.empty()) {
        auto all = SavedSolverState::writing(of_islands);
        for (const Group& group : groups_) {
            if (!group.shared)
                for (const Seat& seat : group.seats) seat.phi->solver_state(all);
            for (std::size_t k = 0; k < group.states.size(); k += group.room)
                of_islands.insert(of_islands.end(), &group.states[k] + 1, &group.states[k] + 1 + static_cast<std::size_t>(group.states[k]));
        }
    }
    numbers(of_islands);
    if (!numbers.reads()) return;
    recalled_ = std::move(of_islands);
    if (!groups_.empty()) recall();
}

// Each island as it was before the first evaluation, or with what it had learnt.
void ComponentsPhi::recall() {
    auto all = SavedSolverState::reading(recalled_);
    for (std::size_t b = 0; b < groups_.size(); ++b) {
        Group& group = groups_[b];
        group.seats.clear();
        add_seats(b, 1);
        for (int c = 0; c < batch(b).count() && !recalled_.empty(); ++c) {
            Seat& seat = group.seats[group.shared ? 0 : static_cast<std::size_t>(c)];
            if (group.shared) load(group, c, seat);
            seat.phi->solver_state(all);
            if (group.shared) store(group, c, seat);
        }
        if (group.shared) make_room(group);
    }
    recalled_.clear();
}

}  // namespace wobble
