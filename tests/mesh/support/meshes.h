#pragma once
// Small surfaces with known properties, and a folder for the files of a test.
#include "engine/mesh/mesh.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace wobble {

inline TriMesh cube(const Vec3& low = Vec3::Zero(), double side = 1) {
    TriMesh mesh;
    for (int k = 0; k < 8; ++k) mesh.vertices.push_back(low + side * Vec3(k & 1, k >> 1 & 1, k >> 2));
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
}

inline void add(TriMesh& to, const TriMesh& other) {
    const int shift = static_cast<int>(to.vertices.size());
    to.vertices.insert(to.vertices.end(), other.vertices.begin(), other.vertices.end());
    for (const auto& [a, b, c] : other.triangles) to.triangles.push_back({a + shift, b + shift, c + shift});
}

// A folder of this test alone, gone with it.
class Folder {
public:
    Folder() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        path_ = std::filesystem::temp_directory_path() / ("wobble-" + std::string(test->name()) + "-" + std::to_string(getpid()));
        std::filesystem::create_directories(path_);
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    std::filesystem::path file(const std::string& name, const std::string& content) const {
        std::ofstream(path_ / name, std::ios::binary) << content;
        return path_ / name;
    }
    std::filesystem::path script(const std::string& name, const std::string& content) const {
        const auto path = file(name, "#!/bin/sh\n" + content + "\n");
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        return path;
    }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace wobble
