#include "app/run_history.h"

namespace wobble {

void RunHistory::add(const EnergySample& sample) {
    if (!samples_.empty() && sample.t < samples_.back().t) samples_.clear();
    if (!samples_.empty() && sample.t < samples_.back().t + spacing) return;
    samples_.push_back(sample);
    while (samples_.front().t < sample.t - window) samples_.pop_front();
}

}  // namespace wobble
