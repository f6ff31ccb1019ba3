// Folders of frame_000000.ply or .obj; see motion_writer.h.
#include "app/record/motion_formats.h"
#include "app/record/obstacle_geometry.h"
#include "app/record/unique_path.h"

#include <bit>
#include <charconv>

namespace wobble {

namespace fs = std::filesystem;

namespace {

std::string time_text(double t) {
    char text[40];
    return {text, std::to_chars(text, text + sizeof text, t).ptr};
}

const char* field_id(Field field) {
    for (const FieldInfo& info : fields())
        if (info.kind == field) return info.id;
    return "";
}

// A group's name is one word of an OBJ file.
std::string obj_name(std::string name) {
    for (char& c : name)
        if (static_cast<unsigned char>(c) <= ' ') c = '_';
    return name;
}

std::string coordinates_of(const MotionMesh& mesh) { return mesh.of_file() ? "; vertices and coordinates of the file" : "; metres, y up"; }

std::string obj_text(const std::vector<Vec3f>& vertices, const std::vector<Triangle>& triangles, const std::vector<BodyGroup>& groups,
                     const std::string& comment) {
    std::string out = "# Wobble: " + comment + "\n";
    out.reserve(out.size() + vertices.size() * 36 + triangles.size() * 24);
    char text[40];
    const auto put = [&](auto value) {
        out.append(text, static_cast<std::size_t>(std::to_chars(text, text + sizeof text, value).ptr - text));
    };
    for (const Vec3f& x : vertices) {
        out += 'v';
        for (int k = 0; k < 3; ++k) out += ' ', put(x[k]);
        out += '\n';
    }
    auto group = groups.begin();
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        if (group != groups.end() && group->triangles.begin == static_cast<int>(i)) out += "g " + obj_name((group++)->name) + "\n";
        out += 'f';
        for (const int vertex : triangles[i]) out += ' ', put(vertex + 1);
        out += '\n';
    }
    return out;
}

// Those that are drawn, in the coordinates of the mesh.
ObstacleGeometry obstacles_beside(const MotionMesh& mesh, const Snapshot& shot) {
    ObstacleGeometry obstacles = obstacle_geometry(shot);
    mesh.to_own(obstacles.positions);
    return obstacles;
}

std::string ply_text(const MotionMesh& mesh, const Snapshot& shot) {
    static_assert(std::endian::native == std::endian::little && sizeof(Vec3f) == 12);
    const auto& triangles = mesh.triangles();
    const std::vector<Vec3f> positions = mesh.positions(shot);
    const std::vector<float> field = mesh.values(shot);
    const ObstacleGeometry obstacles = obstacles_beside(mesh, shot);
    const std::size_t vertices = positions.size(), all = vertices + obstacles.positions.size();
    const bool values = !field.empty();
    std::string out = "ply\nformat binary_little_endian 1.0\ncomment t = " + time_text(shot.t) + " s\nelement vertex " +
                      std::to_string(all) + "\nproperty float x\nproperty float y\nproperty float z\n";
    if (values) out += std::string("property float ") + field_id(shot.field) + "\n";
    std::vector<float> bodies = body_numbers(shot, false);
    if (bodies.empty() && all > vertices) bodies.assign(vertices, 0);
    const bool several = bodies.size() == vertices;
    if (several) out += "property float body\n";
    out += "element face " + std::to_string(triangles.size() + obstacles.triangles.size()) +
           "\nproperty list uchar int vertex_indices\nend_header\n";
    const auto put = [&](const void* data, std::size_t size) { out.append(static_cast<const char*>(data), size); };
    out.reserve(out.size() + all * (12 + (values ? 4 : 0) + (several ? 4 : 0)) + (triangles.size() + obstacles.triangles.size()) * 13);
    for (std::size_t i = 0; i < vertices; ++i) {
        put(positions[i].data(), 12);
        if (values) put(&field[i], 4);
        if (several) put(&bodies[i], 4);
    }
    constexpr float no_value = 0;
    for (std::size_t i = 0; i < obstacles.positions.size(); ++i) {
        put(obstacles.positions[i].data(), 12);
        if (values) put(&no_value, 4);
        if (several) put(&obstacles.numbers[i], 4);
    }
    for (const Triangle& t : triangles) {
        out += '\3';
        put(t.data(), 12);
    }
    for (Triangle t : obstacles.triangles) {
        for (int& corner : t) corner += static_cast<int>(vertices);
        out += '\3';
        put(t.data(), 12);
    }
    return out;
}

// Bodies and obstacles, each in a group of its own.
std::string obj_frame(const MotionMesh& mesh, const Snapshot& shot) {
    const std::string comment = "t = " + time_text(shot.t) + " s";
    const ObstacleGeometry obstacles = obstacles_beside(mesh, shot);
    std::vector<Vec3f> positions = mesh.positions(shot);
    if (obstacles.positions.empty()) return obj_text(mesh, positions, comment);
    std::vector<BodyGroup> groups = mesh.groups();
    std::vector<Triangle> triangles = mesh.triangles();
    const int vertices = static_cast<int>(positions.size()), faces = static_cast<int>(triangles.size());
    if (groups.empty()) groups.push_back({shot.scene ? shot.scene->scene.body_name(0) : "body", {0, faces}});
    positions.insert(positions.end(), obstacles.positions.begin(), obstacles.positions.end());
    for (const auto& [a, b, c] : obstacles.triangles) triangles.push_back({vertices + a, vertices + b, vertices + c});
    for (const BodyGroup& group : obstacles.groups)
        groups.push_back({group.name, {faces + group.triangles.begin, faces + group.triangles.end}});
    return obj_text(positions, triangles, groups, comment + coordinates_of(mesh));
}

class SequenceWriter : public MotionWriter {
public:
    using Text = std::string (*)(const MotionMesh&, const Snapshot&);
    SequenceWriter(fs::path folder, bool ours, const char* suffix, Text text)
        : MotionWriter(std::move(folder)), ours_(ours), suffix_(suffix), text_(text) {}
    ~SequenceWriter() override {
        std::error_code ignored;
        if (ours_ && frames_ == 0) fs::remove(path_, ignored);  // only if empty
    }

private:
    Result<void> begin(const Snapshot&) override { return {}; }
    Result<void> write(const Snapshot& shot) override {
        auto written = write_whole(path_ / frame_name(frames_, suffix_), text_(mesh(), shot));
        if (!written) return written.error();
        bytes_ += written.value();
        return {};
    }

    bool ours_;  // not an empty folder that was there before
    const char* suffix_;
    Text text_;
};

Result<std::unique_ptr<MotionWriter>> open_sequence(const fs::path& out, const char* suffix, SequenceWriter::Text text) {
    std::error_code ignored;
    const bool was_there = fs::is_directory(out, ignored);
    auto folder = reserve_folder(out);
    if (!folder) return folder.error();
    const bool ours = !(was_there && fs::equivalent(out, folder.value(), ignored));
    return std::unique_ptr<MotionWriter>(std::make_unique<SequenceWriter>(std::move(folder).value(), ours, suffix, text));
}

}  // namespace

std::string obj_text(const MotionMesh& mesh, const std::vector<Vec3f>& vertices, const std::string& comment) {
    return obj_text(vertices, mesh.triangles(), mesh.groups(), comment + coordinates_of(mesh));
}

Result<std::unique_ptr<MotionWriter>> open_ply_sequence(const fs::path& out) { return open_sequence(out, ".ply", ply_text); }

Result<std::unique_ptr<MotionWriter>> open_obj_sequence(const fs::path& out) { return open_sequence(out, ".obj", obj_frame); }

}  // namespace wobble
