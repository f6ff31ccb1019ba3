#pragma once
// A picture in memory and as a PNG file.
#include "engine/core/result.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace wobble {

struct Image {
    Image() = default;
    Image(int w, int h) : width(w), height(h), rgb(3 * static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;  // top row first, three bytes per pixel

    std::uint8_t* row(int y) { return rgb.data() + 3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(y); }
    const std::uint8_t* row(int y) const { return rgb.data() + 3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(y); }
    void flip();  // upside down: OpenGL starts at the bottom
    const std::uint8_t* pixel(int x, int y) const { return row(y) + 3 * x; }
};

// The whole picture in another size: as it is where it fits to a pixel, else scaled, with dark bars beside it.
Image fitted(const Image&, int width, int height);

Result<void> write_png(const Image&, const std::filesystem::path&);  // overwrites; a full disk or a missing folder is a sentence
Result<Image> read_png(const std::filesystem::path&);

}  // namespace wobble
