#include "app/record/image.h"

#include <stb_image.h>
#include <stb_image_write.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

namespace wobble {

void Image::flip() {
    for (int y = 0; y < height / 2; ++y) std::swap_ranges(row(y), row(y) + 3 * width, row(height - 1 - y));
}

Image fitted(const Image& from, int width, int height) {
    if (from.width == width && from.height == height) return from;
    Image to(width, height);
    if (from.width < 1 || from.height < 1) return to;
    // One pixel too many is what even sides cost: cut, not scaled.
    const bool cut = from.width - width >= 0 && from.width - width <= 1 && from.height - height >= 0 && from.height - height <= 1;
    const double scale = cut ? 1 : std::min(static_cast<double>(width) / from.width, static_cast<double>(height) / from.height);
    const int w = cut ? width : std::clamp(static_cast<int>(from.width * scale + 0.5), 1, width);
    const int h = cut ? height : std::clamp(static_cast<int>(from.height * scale + 0.5), 1, height);
    const int left = (width - w) / 2, top = (height - h) / 2;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            const double sx = std::clamp((x + 0.5) / scale - 0.5, 0.0, from.width - 1.0),
                         sy = std::clamp((y + 0.5) / scale - 0.5, 0.0, from.height - 1.0);
            const int x0 = static_cast<int>(sx), y0 = static_cast<int>(sy);
            const int x1 = std::min(x0 + 1, from.width - 1), y1 = std::min(y0 + 1, from.height - 1);
            const double u = sx - x0, v = sy - y0;
            for (int k = 0; k < 3; ++k) {
                const double above = (1 - u) * from.pixel(x0, y0)[k] + u * from.pixel(x1, y0)[k];
                const double below = (1 - u) * from.pixel(x0, y1)[k] + u * from.pixel(x1, y1)[k];
                to.row(top + y)[3 * (left + x) + k] = static_cast<std::uint8_t>((1 - v) * above + v * below + 0.5);
            }
        }
    return to;
}

Result<void> write_png(const Image& image, const std::filesystem::path& file) {
    if (image.width < 1 || image.height < 1) return Error{"An empty picture cannot be written to " + file.string() + "."};
    std::vector<std::uint8_t> bytes;  // encoded in memory, so that every failure of the disk is seen here
    const auto append = [](void* to, void* data, int size) {
        auto* first = static_cast<std::uint8_t*>(data);
        static_cast<std::vector<std::uint8_t>*>(to)->insert(static_cast<std::vector<std::uint8_t>*>(to)->end(), first, first + size);
    };
    if (!stbi_write_png_to_func(append, &bytes, image.width, image.height, 3, image.rgb.data(), 3 * image.width))
        return Error{"Not enough memory to encode " + file.string() + "; use a smaller picture."};
    std::FILE* out = std::fopen(file.c_str(), "wb");
    if (!out) return Error{"Cannot write " + file.string() + ": " + std::strerror(errno) + "; choose another place.", "out"};
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), out) == bytes.size() && std::fflush(out) == 0;
    const int reason = errno;
    if ((std::fclose(out) == 0) && written) return {};
    return Error{"Cannot write " + file.string() + ": " + std::strerror(written ? errno : reason) + "; make room or choose another place.",
                 "out"};
}

Result<Image> read_png(const std::filesystem::path& file) {
    int width = 0, height = 0, channels = 0;
    const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(stbi_load(file.c_str(), &width, &height, &channels, 3), stbi_image_free);
    if (!pixels) return Error{"Cannot read the picture " + file.string() + ": " + stbi_failure_reason() + "."};
    Image image(width, height);
    std::memcpy(image.rgb.data(), pixels.get(), image.rgb.size());
    return image;
}

}  // namespace wobble
