// X.glb: binary glTF 2.0 (Khronos specification); see motion_writer.h. The first frame is the mesh, every later one a morph target: what
// its points and normals are away from the first. At frame k the weight of target k is 1, between two frames they fade linearly. The
// numbers wait in a file beside it until the end, because their description stands before them.
#include "app/record/motion_formats.h"
#include "app/record/unique_path.h"
#include "app/viewer/normals.h"
#include "engine/core/text.h"

#include <bit>
#include <cstdio>

namespace wobble {

namespace fs = std::filesystem;

namespace {

static_assert(std::endian::native == std::endian::little && sizeof(Vec3f) == 12 && sizeof(Triangle) == 12);

constexpr int most_frames = 2000;  // the table of weights has the square of them
constexpr std::uint64_t most_bytes = 4'000'000'000;

std::string in_json(const std::string& name) {
    std::string out;
    for (const char c : name)
        if (c == '"' || c == '\\') out += '\\', out += c;
        else out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    return out;
}

// Numbers that read back the same.
std::string list_of(const auto& x, int count) {
    std::ostringstream out;
    out.precision(9);
    for (int k = 0; k < count; ++k) out << (k == 0 ? "[" : ",") << x[k];
    out << ']';
    return out.str();
}

class GlbWriter : public MotionWriter {
public:
    GlbWriter(fs::path path, int fps) : MotionWriter(std::move(path)), fps_(fps) { numbers_name_ = path_, numbers_name_ += ".part"; }
    ~GlbWriter() override {
        if (frames_ > 0) (void)finish();
        if (numbers_) std::fclose(numbers_);
        std::error_code ignored;
        fs::remove(numbers_name_, ignored);
        if (frames_ == 0) fs::remove(path_, ignored);
    }

private:
    struct Body {
        MotionMesh::Part part;
        std::vector<Vec3f> points, normals;  // of the first frame
    };

    Result<void> begin(const Snapshot&) override {
        for (MotionMesh::Part& part : mesh().parts()) bodies_.push_back({std::move(part), {}, {}});
        numbers_ = std::fopen(numbers_name_.c_str(), "wbx");
        if (!numbers_) return Error{"Cannot write " + numbers_name_.string() + "; choose another place.", "out"};
        return {};
    }

    Result<void> write(const Snapshot& shot) override {
        if (frames_ >= most_frames)
            return Error{text("A .glb holds at most ", most_frames, " frames; use .usda or .pc2 for longer motions.")};
        std::size_t here = 0;
        for (const Body& body : bodies_) here += 2 * sizeof(Vec3f) * mesh().positions(body.part, shot).size();
        if (written_ + here > most_bytes) return Error{"A .glb holds at most 4 GB; use .usda or .pc2 for longer motions."};
        for (Body& body : bodies_) {
            std::vector<Vec3f> points = mesh().positions(body.part, shot), normals;
            vertex_normals(points, body.part.triangles, normals);
            if (frames_ == 0) {
                body.points = points, body.normals = normals;
                indices_of(body) =
                    add("SCALAR", 5125, body.part.triangles.data(), 3 * body.part.triangles.size(), 4 * 3 * body.part.triangles.size());
            } else {
                for (std::size_t i = 0; i < points.size(); ++i) points[i] -= body.points[i], normals[i] -= body.normals[i];
            }
            targets_.push_back({add_points(points), add_points(normals)});
        }
        if (std::fflush(numbers_) != 0 || std::ferror(numbers_))
            return Error{"Cannot write " + numbers_name_.string() + "; make room or choose another place.", "out"};
        bytes_ = written_;
        return {};
    }

    int& indices_of(const Body& body) {
        const auto b = static_cast<std::size_t>(&body - bodies_.data());
        if (indices_.size() <= b) indices_.resize(b + 1);
        return indices_[b];
    }

    // Appends the numbers, returns the accessor's index.
    int add(const char* kind, int component, const void* data, std::size_t count, std::size_t bytes, const std::string& more = "") {
        std::fwrite(data, 1, bytes, numbers_);
        views_ += text(views_.empty() ? "" : ",", R"({"buffer":0,"byteOffset":)", written_, R"(,"byteLength":)", bytes, "}");
        accessors_ += text(accessors_.empty() ? "" : ",", R"({"bufferView":)", accessor_count_, R"(,"componentType":)", component,
                           R"(,"count":)", count, R"(,"type":")", kind, "\"", more, "}");
        written_ += bytes;
        return accessor_count_++;
    }
    int add_points(const std::vector<Vec3f>& points) {
        Vec3f low = points.empty() ? Vec3f::Zero() : points[0], high = low;
        for (const Vec3f& p : points) low = low.cwiseMin(p), high = high.cwiseMax(p);
        return add("VEC3", 5126, points.data(), points.size(), sizeof(Vec3f) * points.size(),
                   R"(,"min":)" + list_of(low, 3) + R"(,"max":)" + list_of(high, 3));
    }

    Result<void> end() override {
        const auto count = static_cast<std::size_t>(frames_), targets = count - 1, bodies = bodies_.size();
        int times = 0, weights = 0;
        if (targets > 0) {
            std::vector<float> t(count), w(count * targets, 0.0f);
            for (std::size_t k = 0; k < count; ++k) t[k] = static_cast<float>(k) / static_cast<float>(fps_);
            for (std::size_t k = 1; k < count; ++k) w[k * targets + k - 1] = 1;
            times =
                add("SCALAR", 5126, t.data(), t.size(), 4 * t.size(), text(R"(,"min":[0],"max":[)", static_cast<double>(t.back()), "]"));
            weights = add("SCALAR", 5126, w.data(), w.size(), 4 * w.size());
        }
        std::string nodes, meshes, channels, roots;
        for (std::size_t b = 0; b < bodies; ++b) {
            const char* comma = b == 0 ? "" : ",";
            const MotionMesh::Part& part = bodies_[b].part;
            Eigen::Matrix4d place = Eigen::Matrix4d::Identity();
            place.topLeftCorner<3, 3>() = part.to_scene.linear;
            place.topRightCorner<3, 1>() = part.to_scene.shift;
            const std::string name = in_json(part.name);
            nodes += text(comma, R"({"name":")", name, R"(","mesh":)", b, R"(,"matrix":)", list_of(place.data(), 16), "}");
            roots += text(comma, b);
            std::string morphs;
            for (std::size_t k = 1; k < count; ++k)
                morphs += text(k == 1 ? "" : ",", R"({"POSITION":)", targets_[k * bodies + b].first, R"(,"NORMAL":)",
                               targets_[k * bodies + b].second, "}");
            meshes += text(comma, R"({"name":")", name, R"(","primitives":[{"attributes":{"POSITION":)", targets_[b].first, R"(,"NORMAL":)",
                           targets_[b].second, R"(},"indices":)", indices_[b], R"(,"material":0)",
                           targets > 0 ? R"(,"targets":[)" + morphs + "]" : "", "}]}");
            channels += text(comma, R"({"sampler":0,"target":{"node":)", b, R"(,"path":"weights"}})");
        }
        std::string json = text(R"({"asset":{"version":"2.0","generator":"Wobble"},"scene":0,"scenes":[{"nodes":[)", roots,
                                R"(]}],"nodes":[)", nodes, R"(],"meshes":[)", meshes,
                                R"(],"materials":[{"pbrMetallicRoughness":{"baseColorFactor":[0.8,0.8,0.8,1],"metallicFactor":0}}],)");
        if (targets > 0)
            json += text(R"("animations":[{"samplers":[{"input":)", times, R"(,"output":)", weights,
                         R"(,"interpolation":"LINEAR"}],"channels":[)", channels, "]}],");
        json += text(R"("buffers":[{"byteLength":)", written_, R"(}],"bufferViews":[)", views_, R"(],"accessors":[)", accessors_, "]}");
        while (json.size() % 4 != 0) json += ' ';
        return assemble(json);
    }

    Result<void> assemble(const std::string& json) {
        auto file = OutputFile::create(path_);
        if (!file) return file.error();
        const auto word = [&](std::uint64_t value) {
            const auto small = static_cast<std::uint32_t>(value);
            file.value().write({reinterpret_cast<const char*>(&small), 4});
        };
        file.value().write("glTF"), word(2), word(12 + 8 + json.size() + 8 + written_);
        word(json.size()), file.value().write("JSON"), file.value().write(json);
        word(written_), file.value().write(std::string_view("BIN\0", 4));
        std::fflush(numbers_);
        std::FILE* reader = std::fopen(numbers_name_.c_str(), "rb");
        if (!reader) return Error{"Cannot read " + numbers_name_.string() + " again; it was removed while it was needed."};
        std::string block(1 << 20, '\0');
        while (const std::size_t got = std::fread(block.data(), 1, block.size(), reader))
            file.value().write(std::string_view(block).substr(0, got));
        std::fclose(reader);
        bytes_ = written_ + json.size() + 28;
        return file.value().commit();
    }

    int fps_;
    fs::path numbers_name_;
    std::FILE* numbers_ = nullptr;
    std::uint64_t written_ = 0;  // bytes; all a multiple of four
    int accessor_count_ = 0;
    std::string views_, accessors_;  // JSON
    std::vector<Body> bodies_;
    std::vector<int> indices_;                  // accessor of each body's triangles
    std::vector<std::pair<int, int>> targets_;  // accessors of points and normals, body by body for each frame
};

}  // namespace

Result<std::unique_ptr<MotionWriter>> open_glb(const fs::path& out, int fps) {
    auto name = reserve_file(out);
    if (!name) return name.error();
    return std::unique_ptr<MotionWriter>(std::make_unique<GlbWriter>(std::move(name).value(), fps));
}

}  // namespace wobble
