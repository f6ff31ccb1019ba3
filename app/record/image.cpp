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
    if (!out) return Error{"Cannot write " + file.string() + ": " + std::strerror(errno) + "; choose another place with --out."};
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), out) == bytes.size() && std::fflush(out) == 0;
    const int reason = errno;
    if ((std::fclose(out) == 0) && written) return {};
    return Error{"Cannot write " + file.string() + ": " + std::strerror(written ? errno : reason) +
                 "; make room or choose another place with --out."};
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
