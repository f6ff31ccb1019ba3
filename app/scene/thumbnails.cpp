#include "app/scene/thumbnails.h"

#include "engine/core/embedded_bytes.h"

#include <stb_image.h>

#include <cstring>
#include <memory>

namespace wobble {

std::span<const EmbeddedBytes> scene_picture_files();  // assets/scenes, embedded by assets/embed_bytes.cmake

std::vector<Thumbnail> scene_thumbnails() {
    std::vector<Thumbnail> all;
    for (const EmbeddedBytes& file : scene_picture_files()) {
        int width = 0, height = 0, channels = 0;
        const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
            stbi_load_from_memory(file.bytes.data(), static_cast<int>(file.bytes.size()), &width, &height, &channels, 3), stbi_image_free);
        if (!pixels || width < 1 || height < 1 || width > 1024 || height > 1024) continue;
        Image image(width, height);
        std::memcpy(image.rgb.data(), pixels.get(), image.rgb.size());
        all.push_back({std::string(file.name), std::move(image)});
    }
    return all;
}

ThumbnailTextures::ThumbnailTextures() {
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (const Thumbnail& picture : scene_thumbnails()) {
        GlTexture texture = make_texture();
        glBindTexture(GL_TEXTURE_2D, texture.id());
        const Image& image = picture.image;
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, image.width, image.height, 0, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
        glGenerateMipmap(GL_TEXTURE_2D);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        textures_.emplace(picture.scene, std::move(texture));
    }
    glBindTexture(GL_TEXTURE_2D, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

std::map<std::string, std::uintptr_t> ThumbnailTextures::handles() const {
    std::map<std::string, std::uintptr_t> all;
    for (const auto& [scene, texture] : textures_) all[scene] = texture.id();
    return all;
}

}  // namespace wobble
