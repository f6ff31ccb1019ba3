// Sanitizer builds only. OpenGL loads its driver when a window opens and unloads it when the last one closes; what only the driver pointed
// to then looks leaked, without an owner. So nothing is ever unloaded.
extern "C" int dlclose(void*) { return 0; }
