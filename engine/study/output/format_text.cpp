#include "engine/study/output/format_text.h"

#include <cstdarg>
#include <cstdio>

namespace wobble {

std::string format(const char* format, ...) {
    char text[2000];
    va_list values;
    va_start(values, format);
    std::vsnprintf(text, sizeof text, format, values);
    va_end(values);
    return text;
}

}  // namespace wobble
