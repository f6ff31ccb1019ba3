#pragma once

namespace wobble {

double seconds_since_start();  // of this process, to a hundredth, with the time its libraries took to load; 0 where the system does not say

}  // namespace wobble
