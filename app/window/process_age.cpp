#include "app/window/process_age.h"

#include <unistd.h>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>

namespace wobble {

double seconds_since_start() {
    std::ifstream file("/proc/self/stat");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    const auto name_end = text.rfind(')');  // the program's name may contain anything
    if (name_end == std::string::npos) return 0;
    std::istringstream words(text.substr(name_end + 1));
    std::string word;
    constexpr int start_time = 20;  // words after the name, see proc(5)
    for (int i = 0; i < start_time; ++i) words >> word;
    timespec now{};
    if (!words || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return 0;
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) -
           std::stod(word) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace wobble
