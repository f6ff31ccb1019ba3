#pragma once
// Pictures of the built-in scenes: PNG files of assets/scenes, embedded in the program. A scene without one is a plain tile.
#include "app/record/image.h"
#include "app/viewer/gl/gl.h"

#include <map>
#include <string>
#include <vector>

namespace wobble {

struct Thumbnail {
    std::string scene;
    Image image;
};
std::vector<Thumbnail> scene_thumbnails();  // all that can be decoded; no OpenGL needed

// The same as OpenGL textures, for as long as this lives. Needs a current context.
class ThumbnailTextures {
public:
    ThumbnailTextures();
    std::map<std::string, std::uintptr_t> handles() const;  // per scene, as ImGui takes them

private:
    std::map<std::string, GlTexture> textures_;
};

}  // namespace wobble
