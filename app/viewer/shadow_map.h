#pragma once
// What the key light sees: depths from its direction, for soft shadows.
#include "app/viewer/gl.h"

namespace wobble {

class ShadowMap {
public:
    ShadowMap();
    // Begins a pass that draws depths of everything within `radius` of `centre`, seen along -to_light.
    void begin(const Vec3f& to_light, const Vec3f& centre, float radius);
    const Eigen::Matrix4f& light_clip() const { return light_clip_; }  // world -> light's clip space
    float texel() const;                                               // m
    void use(int texture_unit) const;

private:
    GlTexture depth_;
    GlFramebuffer framebuffer_;
    Eigen::Matrix4f light_clip_ = Eigen::Matrix4f::Identity();
    float radius_ = 1;
};

}  // namespace wobble
