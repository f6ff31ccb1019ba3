#include "app/viewer/shadow_map.h"

#include <Eigen/Geometry>

namespace wobble {

namespace {
constexpr int side = 1024;
}

ShadowMap::ShadowMap() : depth_(make_texture()), framebuffer_(make_framebuffer()) {
    glBindTexture(GL_TEXTURE_2D, depth_.id());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, side, side, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    const float lit[] = {1, 1, 1, 1};
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, lit);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth_.id(), 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
}

void ShadowMap::begin(const Vec3f& to_light, const Vec3f& centre, float radius) {
    const Vec3f z = to_light.normalized(), x = Vec3f::UnitY().cross(z).normalized(), y = z.cross(x);
    radius_ = radius;
    Eigen::Matrix3f axes;
    axes << x.transpose() / radius, y.transpose() / radius, -z.transpose() / (4 * radius);  // deep enough for the ground behind the body
    light_clip_.setIdentity();
    light_clip_.topLeftCorner<3, 3>() = axes;
    light_clip_.topRightCorner<3, 1>() = -axes * centre;
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glViewport(0, 0, side, side);
    glClear(GL_DEPTH_BUFFER_BIT);
}

float ShadowMap::texel() const { return 2 * radius_ / side; }

void ShadowMap::use(int texture_unit) const {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(texture_unit));
    glBindTexture(GL_TEXTURE_2D, depth_.id());
}

}  // namespace wobble
