#pragma once
// Ctrl-C asks the work under way to stop cleanly; a second one ends the program at once.

namespace wobble::cli {

void catch_interrupts();
bool interrupted();

}  // namespace wobble::cli
