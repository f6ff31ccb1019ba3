#include "app/viewer/gl/headless.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glad/gl.h>

#include <cstdio>
#include <string>

namespace wobble {

namespace {

Error no_context(const char* what) {
    char code[16];
    std::snprintf(code, sizeof code, "0x%04x", static_cast<unsigned>(eglGetError()));
    return {std::string("Cannot draw without a window: ") + what + " (EGL " + code +
            "); install the packages libegl1 and libgl1-mesa-dri."};
}

}  // namespace

Result<std::unique_ptr<HeadlessContext>> HeadlessContext::make() {
    const auto get_display = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (!get_display) return no_context("EGL has no platforms");
    EGLDisplay display = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) return no_context("there is no surfaceless display");
    if (!eglBindAPI(EGL_OPENGL_API)) return no_context("EGL does not know OpenGL");
    const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || count < 1) return no_context("there is no OpenGL configuration");
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
                              EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (context == EGL_NO_CONTEXT) return no_context("the driver has no OpenGL 3.3");
    std::unique_ptr<HeadlessContext> self(new HeadlessContext(display, context));
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        return no_context("the context cannot be used without a surface");
    // The functions are the same for every context of the process; a window on another thread may be using them.
    if (!glad_glGetString && !gladLoadGL(eglGetProcAddress)) return no_context("the OpenGL functions cannot be loaded");
    return self;
}

HeadlessContext::~HeadlessContext() {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
}

}  // namespace wobble
