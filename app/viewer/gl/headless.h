#pragma once
// An OpenGL context without a window or an X server (EGL, surfaceless). Current on the thread that made it.
#include "engine/core/result.h"

#include <memory>

namespace wobble {

class HeadlessContext {
public:
    static Result<std::unique_ptr<HeadlessContext>> make();
    ~HeadlessContext();
    HeadlessContext(const HeadlessContext&) = delete;
    HeadlessContext& operator=(const HeadlessContext&) = delete;

private:
    HeadlessContext(void* display, void* context) : display_(display), context_(context) {}
    void* display_;  // EGLDisplay: shared by the process, never terminated, for another context may live on it
    void* context_;
};

}  // namespace wobble
