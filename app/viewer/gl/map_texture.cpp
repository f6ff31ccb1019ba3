#include "app/viewer/gl/map_texture.h"

#include "app/viewer/colour_map.h"

#include <array>
#include <cmath>
#include <cstdint>

namespace wobble {

GlTexture make_map_texture() {
    GlTexture texture = make_texture();
    std::array<std::uint8_t, 3 * 256> pixels;
    for (int i = 0; i < 256; ++i) {
        const Vec3f c = colour_map(static_cast<float>(i) / 255);
        for (int k = 0; k < 3; ++k) pixels[static_cast<std::size_t>(3 * i + k)] = static_cast<std::uint8_t>(std::lround(255 * c[k]));
    }
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture.id());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8, 256, 1, 0, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

}  // namespace wobble
