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

std::string ply_text(const MotionMesh& mesh, const Snapshot& shot) {
    static_assert(std::endian::native == std::endian::little && sizeof(Vec3f) == 12);
    const auto& triangles = mesh.triangles();
    const std::vector<Vec3f> positions = mesh.positions(shot);
    const std::vector<float> field = mesh.values(shot);
    const bool values = !field.empty();
    std::string out = "ply\nformat binary_little_endian 1.0\ncomment t = " + time_text(shot.t) + " s\nelement vertex " +
                      std::to_string(positions.size()) + "\nproperty float x\nproperty float y\nproperty float z\n";
    if (values) out += std::string("property float ") + field_id(shot.field) + "\n";
    const std::vector<float> bodies = body_numbers(shot, false);
    const bool several = bodies.size() == positions.size();
    if (several) out += "property float body\n";
    out += "element face " + std::to_string(triangles.size()) + "\nproperty list uchar int vertex_indices\nend_header\n";
    const auto put = [&](const void* data, std::size_t size) { out.append(static_cast<const char*>(data), size); };
    out.reserve(out.size() + positions.size() * (12 + (values ? 4 : 0) + (several ? 4 : 0)) + triangles.size() * 13);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        put(positions[i].data(), 12);
        if (values) put(&field[i], 4);
        if (several) put(&bodies[i], 4);
    }
    for (const Triangle& t : triangles) {
        out += '\3';
        put(t.data(), 12);
    }
    return out;
}

// Obstacles of a frame, each in a group of its own.
std::string obstacles_obj(const ObstacleGeometry& obstacles) {
    std::string out = "# Wobble: obstacles\n";
    const auto put = [&](float x) {
        char text[40];
        out += ' ';
        out.append(text, static_cast<std::size_t>(std::to_chars(text, text + sizeof text, x).ptr - text));
    };
    for (const Vec3f& x : obstacles.positions) {
        out += 'v';
        for (int k = 0; k < 3; ++k) put(x[k]);
        out += '\n';
    }
    for (const BodyGroup& group : obstacles.groups) {
        out += "g " + obj_name(group.name) + "\n";
        for (int i = group.triangles.begin; i < group.triangles.end; ++i) {
            out += 'f';
            for (const int vertex : obstacles.triangles[static_cast<std::size_t>(i)]) out += " " + std::to_string(vertex + 1);
            out += '\n';
        }
    }
    return out;
}

std::string obstacles_ply(const ObstacleGeometry& obstacles) {
    std::string out = "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(obstacles.positions.size()) +
                      "\nproperty float x\nproperty float y\nproperty float z\nproperty float body\nelement face " +
                      std::to_string(obstacles.triangles.size()) + "\nproperty list uchar int vertex_indices\nend_header\n";
    const auto put = [&](const void* data, std::size_t size) { out.append(static_cast<const char*>(data), size); };
    for (std::size_t i = 0; i < obstacles.positions.size(); ++i) put(obstacles.positions[i].data(), 12), put(&obstacles.numbers[i], 4);
    for (const Triangle& t : obstacles.triangles) out += '\3', put(t.data(), 12);
    return out;
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
        return write_obstacles(shot);
    }
    Result<void> write_obstacles(const Snapshot& shot) {
        ObstacleGeometry obstacles = obstacle_geometry(shot);
        if (obstacles.triangles.empty()) return {};
        if (mesh().of_file()) put_into(obstacles, mesh().parts().front().to_scene);
        const bool ply = std::string_view(suffix_) == ".ply";
        auto written = write_whole(path_ / obstacles_name(frames_, suffix_), ply ? obstacles_ply(obstacles) : obstacles_obj(obstacles));
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
    const auto& triangles = mesh.triangles();
    const auto& groups = mesh.groups();
    std::string out = "# Wobble: " + comment + (mesh.of_file() ? "; vertices and coordinates of the file\n" : "; metres, y up\n");
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

Result<std::unique_ptr<MotionWriter>> open_ply_sequence(const fs::path& out) { return open_sequence(out, ".ply", ply_text); }

Result<std::unique_ptr<MotionWriter>> open_obj_sequence(const fs::path& out) {
    return open_sequence(out, ".obj", [](const MotionMesh& mesh, const Snapshot& shot) {
        return obj_text(mesh, mesh.positions(shot), "t = " + time_text(shot.t) + " s");
    });
}

}  // namespace wobble
