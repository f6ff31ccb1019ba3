#include "app/energy_history.h"

namespace wobble {

void EnergyHistory::add(const Snapshot& snapshot) {
    if (snapshot.surface != surface_ || (!samples_.empty() && snapshot.t < samples_.back().t)) samples_.clear();
    surface_ = snapshot.surface;
    if (!samples_.empty() && snapshot.t < samples_.back().t + spacing) return;
    samples_.push_back({snapshot.t, snapshot.energies});
    while (samples_.front().t < snapshot.t - window) samples_.pop_front();
}

}  // namespace wobble
