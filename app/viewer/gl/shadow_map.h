#pragma once
// What the key light sees: depths from its direction for the body's own shadow, and from them the soft shadow on the ground.
#include "app/viewer/gl/gl.h"

namespace wobble {

class ShadowMap {
public:
    ShadowMap();
    // Begins a pass that draws depths of everything within `radius` of `centre`, seen along -to_light, into side x side texels.
    void begin(const Vec3f& to_light, const Vec3f& centre, float radius, int side);
    // After that pass: computes the shadow on the plane y = ground, once per texel instead of once per pixel of the picture.
    void soften(const Program& soften, float ground);

    const Eigen::Matrix4f& light_clip() const { return light_clip_; }  // world -> light's clip space
    float texel() const;                                               // m
    void use_depths(int texture_unit) const;                           // sampler2DShadow, by light_clip
    void use_plain_depths(int texture_unit) const;                     // sampler2D of the same; until done()
    void done() const;
    void use_ground_shadow(int texture_unit) const;  // sampler2D, by light_clip.xy / ground_margin
    static constexpr float ground_margin = 1.25f;    // room for the blur around the map

private:
    void resize(int side);  // nothing to do if it is that already

    int side_ = 0, ground_side_ = 0;
    GlTexture depth_, ground_shadow_;
    GlFramebuffer depth_frame_, ground_frame_;
    GlSampler plain_;              // reads depths as they are
    mutable int plain_unit_ = -1;  // where it is bound
    GlVertexArray no_attributes_;
    Eigen::Matrix4f light_clip_ = Eigen::Matrix4f::Identity();
    Vec3f centre_ = Vec3f::Zero(), to_light_ = Vec3f::UnitY(), up_ = Vec3f::UnitX();
    float radius_ = 1;
};

}  // namespace wobble
