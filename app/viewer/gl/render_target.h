#pragma once
// Where a picture is drawn: several samples per pixel, then resolved to one.
#include "app/record/image.h"
#include "app/viewer/gl/gl.h"

namespace wobble {

class RenderTarget {
public:
    Result<void> resize(int width, int height, int samples = 4);  // keeps what is there when the size is the same
    int width() const { return width_; }
    int height() const { return height_; }

    void bind() const;     // draw into the samples
    void resolve() const;  // samples -> one colour per pixel
    // Resolved picture -> the window's framebuffer, lower left corner at x, y, stretched to that size.
    void show(int x, int y, int width, int height) const;
    Image read() const;  // resolved picture, top row first

private:
    int width_ = 0, height_ = 0, samples_ = 0;
    GlFramebuffer sampled_, resolved_;
    GlRenderbuffer colour_, depth_, resolved_colour_;
};

}  // namespace wobble
