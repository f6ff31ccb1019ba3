// wobble-import: reads one mesh file by assimp and writes its triangles to standard output. A program of its own because assimp reads
// files nothing is known of, and may crash, exit, take all memory or never end.
#include "engine/mesh/io/import_protocol.h"
#include "engine/mesh/io/polygon.h"

#include <assimp/DefaultIOSystem.h>
#include <assimp/GltfMaterial.h>
#include <assimp/config.h>
#include <assimp/importerdesc.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <unistd.h>
#include <assimp/Importer.hpp>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <new>
#include <string>
#include <vector>

namespace {

using namespace wobble;
using namespace wobble::import_protocol;
namespace fs = std::filesystem;

// Opens ordinary files of the mesh's own folder and below it, for reading; nothing else.
class OwnFolder : public Assimp::DefaultIOSystem {
public:
    explicit OwnFolder(const fs::path& file) : folder_(fs::canonical(file).parent_path()) {}
    bool Exists(const char* file) const override { return allowed(file); }
    Assimp::IOStream* Open(const char* file, const char* mode) override {
        return mode && mode[0] == 'r' && allowed(file) ? DefaultIOSystem::Open(file, "rb") : nullptr;
    }

private:
    bool allowed(const char* file) const {
        std::error_code failure;
        const fs::path real = fs::canonical(file, failure);
        if (failure || !fs::is_regular_file(real, failure) || fs::file_size(real, failure) > 1'000'000'000) return false;
        const auto [end, other] = std::mismatch(folder_.begin(), folder_.end(), real.begin(), real.end());
        return end == folder_.end();
    }
    fs::path folder_;
};

struct Answer {
    std::vector<double> vertices;
    std::vector<Triangle> triangles;
    std::vector<std::int32_t> material;
    std::vector<float> uv, colours;
    bool any_uv = false, any_colours = false;
};

float limited(float x) { return std::isfinite(x) && std::abs(x) < 1e6f ? x : 0.0f; }

// The colours of vertices are as a screen shows them, but for glTF.
float linear(float x, bool gltf) {
    const float share = std::isfinite(x) ? std::fmin(std::fmax(x, 0.0f), 1.0f) : 0.0f;
    return gltf ? share : std::pow(share, 2.2f);
}

bool add_mesh(const aiMesh& mesh, const aiMatrix4x4& to_world, bool gltf, Answer& to) {
    const std::size_t first = to.vertices.size() / 3;
    if (first + mesh.mNumVertices > largest_count || to.triangles.size() + mesh.mNumFaces > largest_count) return false;
    std::vector<Vec3> points;
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
        const aiVector3D& p = mesh.mVertices[v];
        // In double: node transforms of FBX and DAE turn and scale by numbers that are not exact in float.
        Vec3 x;
        for (unsigned k = 0; k < 3; ++k)
            x[k] = double(to_world[k][0]) * p.x + double(to_world[k][1]) * p.y + double(to_world[k][2]) * p.z + double(to_world[k][3]);
        points.push_back(x);
        to.vertices.insert(to.vertices.end(), {x[0], x[1], x[2]});
    }
    const bool turned = to_world.Determinant() < 0, uv = mesh.HasTextureCoords(0), colours = mesh.HasVertexColors(0);
    to.any_uv = to.any_uv || uv, to.any_colours = to.any_colours || colours;
    std::vector<int> loop;
    std::vector<Triangle> cut;
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
        const aiFace& face = mesh.mFaces[f];
        if (face.mNumIndices < 3 || face.mNumIndices > 256) continue;  // points and lines
        loop.assign(face.mIndices, face.mIndices + face.mNumIndices);
        bool sound = true;
        for (const int v : loop) sound = sound && v >= 0 && v < static_cast<int>(mesh.mNumVertices);
        if (!sound) return false;
        cut.clear();
        triangulate_polygon(points, loop, cut);
        for (Triangle t : cut) {
            if (turned) std::swap(t[1], t[2]);
            to.triangles.push_back({static_cast<int>(first) + t[0], static_cast<int>(first) + t[1], static_cast<int>(first) + t[2]});
            to.material.push_back(static_cast<std::int32_t>(mesh.mMaterialIndex));
            for (const int v : t) {
                const auto& at = uv ? mesh.mTextureCoords[0][v] : aiVector3D(0, 0, 0);
                to.uv.insert(to.uv.end(), {limited(at.x), limited(at.y)});
                const auto& c = colours ? mesh.mColors[0][v] : aiColor4D(1, 1, 1, 1);
                to.colours.insert(to.colours.end(),
                                  {linear(c.r, gltf && colours), linear(c.g, gltf && colours), linear(c.b, gltf && colours)});
            }
        }
    }
    return true;
}

bool add_node(const aiScene& scene, const aiNode& node, const aiMatrix4x4& above, bool gltf, int depth, Answer& to) {
    if (depth > 1000) return false;
    const aiMatrix4x4 to_world = above * node.mTransformation;
    for (unsigned m = 0; m < node.mNumMeshes; ++m)
        if (node.mMeshes[m] >= scene.mNumMeshes || !add_mesh(*scene.mMeshes[node.mMeshes[m]], to_world, gltf, to)) return false;
    for (unsigned c = 0; c < node.mNumChildren; ++c)
        if (!add_node(scene, *node.mChildren[c], to_world, gltf, depth + 1, to)) return false;
    return true;
}

bool write_all(int descriptor, const void* from, std::size_t bytes) {
    const auto* at = static_cast<const char*>(from);
    while (bytes > 0) {
        const ssize_t sent = write(descriptor, at, bytes);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        at += sent, bytes -= static_cast<std::size_t>(sent);
    }
    return true;
}

struct Images {
    std::vector<std::string> content;  // bytes, or a name
    std::vector<bool> embedded;
    std::map<std::string, int> number;
};

int image_of(const aiScene& scene, const aiMaterial& material, Images& images) {
    aiString name;
    if (material.GetTexture(aiTextureType_BASE_COLOR, 0, &name) != aiReturn_SUCCESS &&
        material.GetTexture(aiTextureType_DIFFUSE, 0, &name) != aiReturn_SUCCESS)
        return -1;
    const std::string named = name.C_Str();
    if (const auto known = images.number.find(named); known != images.number.end()) return known->second;
    if (images.content.size() >= largest_images || named.empty()) return -1;
    const aiTexture* inside = scene.GetEmbeddedTexture(named.c_str());
    if (inside && (inside->mHeight != 0 || inside->mWidth > largest_image)) return -1;  // raw pixels are not written by today's programs
    images.content.push_back(inside ? std::string(reinterpret_cast<const char*>(inside->pcData), inside->mWidth) : named);
    images.embedded.push_back(inside != nullptr);
    return images.number[named] = static_cast<int>(images.content.size()) - 1;
}

MaterialRecord record_of(const aiScene& scene, const aiMaterial& material, Images& images, bool& coloured) {
    aiColor4D colour(0.8f, 0.8f, 0.8f, 1);
    if (material.Get(AI_MATKEY_BASE_COLOR, colour) == aiReturn_SUCCESS || material.Get(AI_MATKEY_COLOR_DIFFUSE, colour) == aiReturn_SUCCESS)
        coloured = true;
    MaterialRecord record{{}, image_of(scene, material, images)};
    const float given[3] = {colour.r, colour.g, colour.b};
    for (int k = 0; k < 3; ++k) record.colour[k] = std::isfinite(given[k]) ? std::fmin(std::fmax(given[k], 0.0f), 1.0f) : 0.8f;
    return record;
}

int read_one(int answer, const char* file, const std::string& ending) {
    Assimp::Importer importer;
    std::vector<Assimp::BaseImporter*> others;
    for (std::size_t i = 0; i < importer.GetImporterCount(); ++i) {
        const aiImporterDesc* description = importer.GetImporterInfo(i);
        const std::string endings = description && description->mFileExtensions ? description->mFileExtensions : "";
        if ((" " + endings + " ").find(" " + ending + " ") == std::string::npos) others.push_back(importer.GetImporter(i));
    }
    for (auto* other : others) importer.UnregisterLoader(other);
    importer.SetIOHandler(new OwnFolder(file));  // the importer deletes it
    importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    const aiScene* scene = importer.ReadFile(file, 0);
    if (!scene || !scene->mRootNode) return std::fprintf(stderr, "%s", importer.GetErrorString()), not_understood;

    const bool gltf = ending == "glb" || ending == "gltf";
    Answer all;
    aiMatrix4x4 unturned;
    if (!add_node(*scene, *scene->mRootNode, unturned, gltf, 0, all)) return too_large;
    if (all.triangles.empty()) return no_faces;

    Images images;
    std::vector<MaterialRecord> materials;
    bool coloured = false;
    for (unsigned m = 0; m < scene->mNumMaterials; ++m) materials.push_back(record_of(*scene, *scene->mMaterials[m], images, coloured));
    // A default material that assimp adds is no colour of the file's.
    if (materials.size() == 1 && images.content.empty() && !all.any_colours && (ending == "stl" || ending == "ply")) coloured = false;
    if (all.any_colours && materials.size() == 1 && (ending == "stl" || ending == "ply"))
        for (float& c : materials[0].colour) c = 1;
    Header header{
        answer_magic, all.vertices.size() / 3, all.triangles.size(), materials.size(), images.content.size(), 0, gltf ? 1.0 : 0.0, -1};
    const bool uv = all.any_uv && !images.content.empty();
    if (uv) header.flags |= has_uv;
    if (all.any_colours) header.flags |= has_colours;
    if (coloured) header.flags |= is_coloured;
    if (gltf || ending == "dae" || ending == "x3d") header.up = 1;  // assimp turns DAE to y up
    bool sent = true;
    const auto send = [&](const auto& list) { sent = sent && write_all(answer, list.data(), list.size() * sizeof list[0]); };
    sent = write_all(answer, &header, sizeof header);
    send(all.vertices), send(all.triangles), send(all.material);
    if (uv) send(all.uv);
    if (all.any_colours) send(all.colours);
    send(materials);
    for (std::size_t i = 0; i < images.content.size(); ++i) {
        const ImageRecord record{images.embedded[i], static_cast<std::int64_t>(images.content[i].size())};
        sent = sent && write_all(answer, &record, sizeof record);
        send(images.content[i]);
    }
    return sent ? 0 : cannot_answer;
}

}  // namespace

int main(int count, char** words) {
    const int answer = dup(STDOUT_FILENO);
    if (count != 3 || answer < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return bad_call;
    try {
        return read_one(answer, words[1], words[2]);
    } catch (const std::bad_alloc&) {
        return no_memory;
    } catch (...) {
        return unknown_failure;
    }
}
