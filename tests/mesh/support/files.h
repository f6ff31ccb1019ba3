#pragma once
// Meshes as files of other formats, written byte by byte from what is known of them, and what every reader must do with broken ones.
#include "engine/core/text.h"
#include "engine/mesh/io/mesh_file.h"
#include "tests/mesh/support/meshes.h"

#include <cstdint>
#include <cstring>
#include <random>
#include <string>

namespace wobble {

template <class T>
void put(std::string& to, T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    to.append(raw, sizeof(T));
}
template <class T>
void put_big(std::string& to, T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    to.append(std::make_reverse_iterator(raw + sizeof(T)), std::make_reverse_iterator(raw));
}

inline std::string off_of(const TriMesh& mesh) {
    std::string out = text("OFF\n", mesh.vertices.size(), ' ', mesh.triangles.size(), " 0\n");
    for (const Vec3& p : mesh.vertices) out += text(p.x(), ' ', p.y(), ' ', p.z(), '\n');
    for (const auto& [a, b, c] : mesh.triangles) out += text("3 ", a, ' ', b, ' ', c, '\n');
    return out;
}

inline std::string ply_of(const TriMesh& mesh, bool binary, bool colours = false) {
    std::string out = text("ply\nformat ", binary ? "binary_little_endian" : "ascii", " 1.0\nelement vertex ", mesh.vertices.size(),
                           "\nproperty float x\nproperty float y\nproperty float z\n",
                           colours ? "property uchar red\nproperty uchar green\nproperty uchar blue\n" : "", "element face ",
                           mesh.triangles.size(), "\nproperty list uchar int vertex_indices\nend_header\n");
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        const Vec3& p = mesh.vertices[v];
        if (binary) {
            for (int k = 0; k < 3; ++k) put(out, static_cast<float>(p[k]));
            if (colours) out += '\xff', out += '\0', out += static_cast<char>(v % 2 ? 255 : 0);
        } else {
            out += text(p.x(), ' ', p.y(), ' ', p.z(), colours ? (v % 2 ? " 255 0 255" : " 255 0 0") : "", '\n');
        }
    }
    for (const Triangle& t : mesh.triangles) {
        if (binary) out += '\3';
        else out += text("3 ", t[0], ' ', t[1], ' ', t[2], '\n');
        for (int k = 0; binary && k < 3; ++k) put(out, t[static_cast<std::size_t>(k)]);
    }
    return out;
}

inline std::string stl_of(const TriMesh& mesh, bool binary) {
    std::string out = binary ? std::string(80, ' ') : "solid cube\n";
    if (binary) put(out, static_cast<std::uint32_t>(mesh.triangles.size()));
    for (const Triangle& t : mesh.triangles) {
        if (binary) out.append(12, '\0');
        else out += "facet normal 0 0 0\nouter loop\n";
        for (const int v : t) {
            const Vec3& p = mesh.vertices[static_cast<std::size_t>(v)];
            for (int k = 0; binary && k < 3; ++k) put(out, static_cast<float>(p[k]));
            if (!binary) out += text("vertex ", p.x(), ' ', p.y(), ' ', p.z(), '\n');
        }
        if (binary) out.append(2, '\0');
        else out += "endloop\nendfacet\n";
    }
    return binary ? out : out + "endsolid cube\n";
}

// Binary glTF of one mesh under a node that moves it by (1, 2, 3) and doubles it; red.
inline std::string glb_of(const TriMesh& mesh) {
    std::string data;
    for (const Vec3& p : mesh.vertices)
        for (int k = 0; k < 3; ++k) put(data, static_cast<float>(p[k]));
    const std::size_t points = data.size();
    for (const Triangle& t : mesh.triangles)
        for (const int v : t) put(data, static_cast<std::uint32_t>(v));
    const Box box = bounding_box(mesh.vertices);
    const auto list = [](const Vec3& p) { return text('[', p.x(), ',', p.y(), ',', p.z(), ']'); };
    std::string json =
        text(R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"translation":[1,2,3],"scale":[2,2,2]}],)",
             R"("materials":[{"pbrMetallicRoughness":{"baseColorFactor":[1,0.25,0,1]}}],)",
             R"("meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":0}]}],"buffers":[{"byteLength":)", data.size(),
             R"(}],"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":)", points, R"(},{"buffer":0,"byteOffset":)", points,
             R"(,"byteLength":)", data.size() - points, R"(}],"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":)",
             mesh.vertices.size(), R"(,"min":)", list(box.low), R"(,"max":)", list(box.high),
             R"(},{"bufferView":1,"componentType":5125,"type":"SCALAR","count":)", 3 * mesh.triangles.size(), "}]}");
    while (json.size() % 4 != 0) json += ' ';
    std::string out = "glTF";
    put(out, std::uint32_t{2}), put(out, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + data.size()));
    put(out, static_cast<std::uint32_t>(json.size())), out += "JSON" + json;
    put(out, static_cast<std::uint32_t>(data.size())), out += std::string("BIN\0", 4) + data;
    return out;
}

inline std::string dae_of(const TriMesh& mesh) {
    std::string points, corners;
    for (const Vec3& p : mesh.vertices) points += text(p.x(), ' ', p.y(), ' ', p.z(), ' ');
    for (const Triangle& t : mesh.triangles)
        for (const int v : t) corners += text(v, ' ');
    return text(
        R"(<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit meter="1"/>)",
        R"(<up_axis>Y_UP</up_axis></asset><library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count=")",
        3 * mesh.vertices.size(), "\">", points, R"(</float_array><technique_common><accessor source="#a" count=")", mesh.vertices.size(),
        R"(" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor>)",
        R"(</technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count=")",
        mesh.triangles.size(), R"("><input semantic="VERTEX" source="#v" offset="0"/><p>)", corners,
        R"(</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s"><node>)",
        R"(<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/>)",
        "</scene></COLLADA>");
}

// One sentence that names the file.
inline void expect_sentence(const Result<ImportedMesh>& mesh, const std::filesystem::path& file, const std::string& part = "") {
    ASSERT_FALSE(mesh.ok()) << file << " was read";
    const std::string& said = mesh.message();
    EXPECT_NE(said.find(file.stem().string()), std::string::npos) << said;
    EXPECT_NE(said.find(part), std::string::npos) << said << " does not say: " << part;
    EXPECT_TRUE(said.ends_with('.') || said.ends_with('?')) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
}

// A mesh whose numbers can be used, or a sentence.
inline void expect_sound_or_sentence(const Result<ImportedMesh>& mesh, const std::filesystem::path& file) {
    if (!mesh) return expect_sentence(mesh, file);
    const int count = static_cast<int>(mesh.value().vertices.size());
    for (const Vec3& p : mesh.value().vertices) ASSERT_TRUE(p.allFinite()) << file;
    for (const Triangle& t : mesh.value().triangles)
        for (const int v : t) ASSERT_TRUE(v >= 0 && v < count) << file;
    for (const Tet& t : mesh.value().tets)
        for (const int v : t) ASSERT_TRUE(v >= 0 && v < count) << file;
    EXPECT_FALSE(mesh.value().triangles.empty()) << file;
    EXPECT_TRUE(!mesh.value().look || mesh.value().look->fits(mesh.value().triangles.size())) << file;
}

// The file cut short, with bytes changed, and with others added: nothing may crash, hang or come through unsound.
inline void expect_survives_damage(const Folder& folder, const std::string& name, const std::string& content, int times) {
    std::mt19937 random(7);
    ImportLimits limits;
    limits.timeout_seconds = 10, limits.memory_limit_gb = 2;
    for (int i = 0; i < times; ++i) {
        std::string broken = content;
        const auto at = [&] { return static_cast<std::size_t>(random()) % broken.size(); };
        if (i % 3 == 0) broken.resize(1 + at());
        else if (i % 3 == 1)
            for (int k = 0; k < 1 + i / 3; ++k) broken[at()] = static_cast<char>(random());
        else broken.insert(at(), std::string(1 + random() % 40, static_cast<char>('0' + random() % 10)));
        const auto file = folder.file(name, broken);
        expect_sound_or_sentence(read_mesh_file(file, limits), file);
    }
    const auto garbage = folder.file("garbage-" + name, [&] {
        std::string bytes(4096, '\0');
        for (char& c : bytes) c = static_cast<char>(random());
        return bytes;
    }());
    expect_sound_or_sentence(read_mesh_file(garbage, limits), garbage);
}

}  // namespace wobble
