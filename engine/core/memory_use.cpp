#include "engine/core/memory_use.h"

#include <cmath>
#include <fstream>
#include <string>

namespace wobble {

namespace {

double status_line(const std::string& key) {  // "VmRSS:     1234 kB"
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.compare(0, key.size(), key) == 0) return std::strtod(line.c_str() + key.size(), nullptr) / 1024;
    return NAN;
}

}  // namespace

double resident_megabytes() { return status_line("VmRSS:"); }
double peak_resident_megabytes() { return status_line("VmHWM:"); }

}  // namespace wobble
