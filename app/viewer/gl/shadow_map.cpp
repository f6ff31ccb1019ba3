// Soft shadows by Fernando, "Percentage-closer soft shadows" (2005): the width of the blur follows the distance to what casts it.
#include "app/viewer/gl/shadow_map.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace wobble {

namespace {

constexpr float depth_reach = 4;  // in radii: deep enough for the ground behind the body

void texture_defaults(GLint filter, const float (&border)[4]) {
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border);
}

void bind(int unit, const GlTexture& texture) {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    glBindTexture(GL_TEXTURE_2D, texture.id());
}

}  // namespace

ShadowMap::ShadowMap()
    : depth_(make_texture()),
      ground_shadow_(make_texture()),
      depth_frame_(make_framebuffer()),
      ground_frame_(make_framebuffer()),
      plain_(make_sampler()),
      no_attributes_(make_vertex_array()) {
    const float far_away[] = {1, 1, 1, 1};
    glSamplerParameteri(plain_.id(), GL_TEXTURE_COMPARE_MODE, GL_NONE);
    glSamplerParameteri(plain_.id(), GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glSamplerParameteri(plain_.id(), GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glSamplerParameteri(plain_.id(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glSamplerParameteri(plain_.id(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    glSamplerParameterfv(plain_.id(), GL_TEXTURE_BORDER_COLOR, far_away);
}

void ShadowMap::resize(int side) {
    if (side == side_) return;
    side_ = side, ground_side_ = std::max(1, side / 4);
    bind(0, depth_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, side, side, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, nullptr);
    texture_defaults(GL_LINEAR, {1, 1, 1, 1});
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glBindFramebuffer(GL_FRAMEBUFFER, depth_frame_.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth_.id(), 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);

    bind(0, ground_shadow_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, ground_side_, ground_side_, 0, GL_RED, GL_UNSIGNED_BYTE, nullptr);
    texture_defaults(GL_LINEAR, {0, 0, 0, 0});
    glBindFramebuffer(GL_FRAMEBUFFER, ground_frame_.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, ground_shadow_.id(), 0);
}

void ShadowMap::begin(const Vec3f& to_light, const Vec3f& centre, float radius, int side) {
    resize(side);
    const Vec3f z = to_light.normalized(), x = Vec3f::UnitY().cross(z).normalized(), y = z.cross(x);
    centre_ = centre;
    radius_ = radius;
    to_light_ = z;
    up_ = y;
    Eigen::Matrix3f axes;
    axes << x.transpose() / radius, y.transpose() / radius, -z.transpose() / (depth_reach * radius);
    light_clip_.setIdentity();
    light_clip_.topLeftCorner<3, 3>() = axes;
    light_clip_.topRightCorner<3, 1>() = -axes * centre;
    glBindFramebuffer(GL_FRAMEBUFFER, depth_frame_.id());
    glViewport(0, 0, side_, side_);
    glClear(GL_DEPTH_BUFFER_BIT);
}

void ShadowMap::soften(const Program& soften, float ground) {
    glBindFramebuffer(GL_FRAMEBUFFER, ground_frame_.id());
    glViewport(0, 0, ground_side_, ground_side_);
    use_depths(0);
    use_plain_depths(1);
    soften.use();
    soften.set("shadow_map", 0);
    soften.set("depths", 1);
    soften.set("margin", ground_margin);
    // In the light's clip space the ground is the plane z = offset + slope y; x lies in it because the map's x axis is level.
    soften.set("ground_offset", (centre_.y() - ground) / (depth_reach * radius_ * to_light_.y()));
    soften.set("ground_slope", up_.y() / (depth_reach * to_light_.y()));
    soften.set("depth_reach", depth_reach);
    glDisable(GL_DEPTH_TEST);
    glBindVertexArray(no_attributes_.id());
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEnable(GL_DEPTH_TEST);
    done();
}

float ShadowMap::texel() const { return 2 * radius_ / static_cast<float>(side_); }
void ShadowMap::use_depths(int texture_unit) const { bind(texture_unit, depth_); }
void ShadowMap::use_plain_depths(int texture_unit) const {
    done();
    bind(texture_unit, depth_);
    glBindSampler(static_cast<GLuint>(texture_unit), plain_.id());
    plain_unit_ = texture_unit;
}
void ShadowMap::done() const {
    if (plain_unit_ >= 0) glBindSampler(static_cast<GLuint>(plain_unit_), 0);
    plain_unit_ = -1;
}
void ShadowMap::use_ground_shadow(int texture_unit) const { bind(texture_unit, ground_shadow_); }

}  // namespace wobble
