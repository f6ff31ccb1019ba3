#pragma once
// The drivers of a run, in the order in which they act. f_ext starts from zero in every step; the first to act may set, all others add, and
// the order of these additions is part of the bits of a motion.
#include "engine/model/drivers/driver.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace wobble {

class Drivers {
public:
    Drivers() = default;
    Drivers(const Drivers& other) {
        for (const auto& driver : other.list_) list_.push_back(driver->clone());
    }
    Drivers(Drivers&&) noexcept = default;
    Drivers& operator=(Drivers other) noexcept { return list_.swap(other.list_), *this; }

    template <class Kind>
    Kind& append(Kind driver) {
        list_.push_back(std::make_unique<Kind>(std::move(driver)));
        return static_cast<Kind&>(*list_.back());
    }
    // The first of a kind, for commands that speak to it; null if there is none.
    template <class Kind>
    Kind* find() const {
        for (const auto& driver : list_)
            if (auto* found = dynamic_cast<Kind*>(driver.get())) return found;
        return nullptr;
    }

    bool active() const { return any(&Driver::active); }
    bool move_particles() const { return any(&Driver::moves_particles); }
    double longest_step() const {
        double h = 1e300;
        for (const auto& driver : list_) h = std::min(h, driver->longest_step());
        return h;
    }
    void begin(MechanicalSystem& system, State& state, double h) {
        system.external_force().setZero();
        for (const auto& driver : list_) driver->begin(system, state, h);
    }
    double work(const MechanicalSystem& system, const State& before, const State& after) {
        double sum = 0;
        for (const auto& driver : list_) sum += driver->work(system, before, after);
        return sum;
    }
    // Grips end, and so does every external force until the next begin().
    void let_go(MechanicalSystem& system) {
        for (const auto& driver : list_) driver->let_go();
        system.external_force().setZero();
    }

private:
    bool any(bool (Driver::*holds)() const) const {
        return std::any_of(list_.begin(), list_.end(), [&](const auto& driver) { return ((*driver).*holds)(); });
    }
    std::vector<std::unique_ptr<Driver>> list_;
};

}  // namespace wobble
