#include "app/viewer/gl/picture_texture.h"

#include <stb_image.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace wobble {

namespace {

constexpr int largest_side = 16384, largest_texture = 4096;
constexpr long most_pixels = 100'000'000;

// Half as large, each pixel the mean of four (at odd borders of fewer).
std::vector<std::uint8_t> halved(const std::vector<std::uint8_t>& from, int& width, int& height) {
    const int w = (width + 1) / 2, h = (height + 1) / 2;
    std::vector<std::uint8_t> out(static_cast<std::size_t>(3) * w * h);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x)
            for (int k = 0; k < 3; ++k) {
                const int x1 = std::min(2 * x + 1, width - 1), y1 = std::min(2 * y + 1, height - 1);
                const auto at = [&](int i, int j) {
                    return from[static_cast<std::size_t>(3) * (static_cast<std::size_t>(j) * width + i) + k];
                };
                const int sum = at(2 * x, 2 * y) + at(x1, 2 * y) + at(2 * x, y1) + at(x1, y1);
                out[static_cast<std::size_t>(3) * (static_cast<std::size_t>(y) * w + x) + k] = static_cast<std::uint8_t>((sum + 2) / 4);
            }
    width = w, height = h;
    return out;
}

GlTexture texture_of(const std::uint8_t* pixels, int width, int height) {
    GlTexture texture = make_texture();
    glActiveTexture(GL_TEXTURE3);
    glBindTexture(GL_TEXTURE_2D, texture.id());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8, width, height, 0, GL_RGB, GL_UNSIGNED_BYTE, pixels);
    glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
    return texture;
}

}  // namespace

GlTexture white_texture() {
    constexpr std::uint8_t white[3] = {255, 255, 255};
    return texture_of(white, 1, 1);
}

GlTexture picture_texture(const std::string& bytes) {
    const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
    const int size = static_cast<int>(bytes.size());
    int width = 0, height = 0, channels = 0;
    if (!stbi_info_from_memory(data, size, &width, &height, &channels)) return white_texture();
    if (width < 1 || height < 1 || width > largest_side || height > largest_side || static_cast<long>(width) * height > most_pixels)
        return white_texture();
    const std::unique_ptr<stbi_uc, void (*)(void*)> decoded(stbi_load_from_memory(data, size, &width, &height, &channels, 3),
                                                            stbi_image_free);
    if (!decoded) return white_texture();
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(3) * width * height);
    const auto row = static_cast<std::size_t>(3) * width;
    for (int y = 0; y < height; ++y)  // textures begin below
        std::copy_n(decoded.get() + static_cast<std::size_t>(height - 1 - y) * row, row, pixels.data() + static_cast<std::size_t>(y) * row);
    while (width > largest_texture || height > largest_texture) pixels = halved(pixels, width, height);
    return texture_of(pixels.data(), width, height);
}

}  // namespace wobble
