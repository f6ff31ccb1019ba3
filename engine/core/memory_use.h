#pragma once
// How much memory this process has, in megabytes (2^20 bytes), as the system counts it; nan where it does not tell (/proc/self/status).

namespace wobble {

double resident_megabytes();       // now
double peak_resident_megabytes();  // most since the process began

}  // namespace wobble
