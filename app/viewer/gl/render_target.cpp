#include "app/viewer/gl/render_target.h"

#include <algorithm>

namespace wobble {

namespace {

GlRenderbuffer make_storage(GLenum format, int samples, int width, int height) {
    GlRenderbuffer buffer = make_renderbuffer();
    glBindRenderbuffer(GL_RENDERBUFFER, buffer.id());
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    return buffer;
}

}  // namespace

Result<void> RenderTarget::resize(int width, int height, int samples) {
    if (width == width_ && height == height_ && samples == samples_) return {};
    GLint largest = 0, most_samples = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
    glGetIntegerv(GL_MAX_SAMPLES, &most_samples);
    if (width < 1 || height < 1 || width > largest || height > largest)
        return Error{"A picture of " + std::to_string(width) + "x" + std::to_string(height) +
                     " pixels cannot be drawn here; each side must be between 1 and " + std::to_string(largest) + "."};
    const int used = samples > 1 ? std::min(samples, most_samples) : 0;
    colour_ = make_storage(GL_RGBA8, used, width, height);
    depth_ = make_storage(GL_DEPTH_COMPONENT24, used, width, height);
    resolved_colour_ = make_storage(GL_RGBA8, 0, width, height);
    sampled_ = make_framebuffer();
    glBindFramebuffer(GL_FRAMEBUFFER, sampled_.id());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_.id());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_.id());
    const bool sampled_good = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    resolved_ = make_framebuffer();
    glBindFramebuffer(GL_FRAMEBUFFER, resolved_.id());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, resolved_colour_.id());
    width_ = height_ = 0;
    if (!sampled_good || glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return Error{"The graphics driver has no memory for a picture of " + std::to_string(width) + "x" + std::to_string(height) +
                     " pixels; choose a smaller size."};
    width_ = width;
    height_ = height;
    samples_ = samples;
    return {};
}

void RenderTarget::bind() const {
    glBindFramebuffer(GL_FRAMEBUFFER, sampled_.id());
    glViewport(0, 0, width_, height_);
}

void RenderTarget::resolve() const {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, sampled_.id());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved_.id());
    glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void RenderTarget::show(int x, int y, int width, int height) const {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, resolved_.id());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    const bool stretched = width != width_ || height != height_;
    glBlitFramebuffer(0, 0, width_, height_, x, y, x + width, y + height, GL_COLOR_BUFFER_BIT, stretched ? GL_LINEAR : GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

Image RenderTarget::read() const {
    Image image(width_, height_);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, resolved_.id());
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
    image.flip();
    return image;
}

}  // namespace wobble
