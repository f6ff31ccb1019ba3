#include "app/runs/retiring.h"

#include <chrono>
#include <system_error>
#include <utility>

namespace wobble {

void RetiringSimulations::add(std::unique_ptr<Simulation> simulation) {
    simulation->request_stop();  // the thread below may come late on a busy machine
    try {
        ends_.push_back(std::async(std::launch::async, [ending = std::move(simulation)]() mutable { ending.reset(); }));
    } catch (const std::system_error&) {  // there is no thread to be had: it has ended here
    }
    (void)count();
}

int RetiringSimulations::count() {
    std::erase_if(ends_, [](const std::future<void>& end) { return end.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
    return static_cast<int>(ends_.size());
}

}  // namespace wobble
