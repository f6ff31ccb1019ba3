#pragma once
// The integrators in a wide table: family, order, cost class and advice in view, with a field to search in.
#include <string>

namespace wobble {

// A combo as wide as the next item, with `method` (an id) in it. True when another one was chosen. `filter`: what is typed to search.
bool method_combo(const char* id, std::string& method, std::string& filter);

}  // namespace wobble
