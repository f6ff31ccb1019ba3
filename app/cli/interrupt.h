#pragma once
// Ctrl-C asks the work under way to stop cleanly; a second one ends the program at once, in the window the third one.

namespace wobble::cli {

void catch_interrupts(bool twice = false);  // twice: the second one is only counted, too
int interrupts();                           // how many there were
inline bool interrupted() { return interrupts() > 0; }

}  // namespace wobble::cli
