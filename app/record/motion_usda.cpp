// X.usda: Universal Scene Description as text (Pixar's USD, "USD text file format"); see motion_writer.h. The samples of each body wait in
// a file of their own beside it until the end, when they are put together: a Mesh has all its samples in one place.
#include "app/record/motion_formats.h"
#include "app/record/unique_path.h"

#include <charconv>
#include <cstdio>
#include <map>

namespace wobble {

namespace fs = std::filesystem;

namespace {

void put(std::string& to, auto value) {
    char text[40];
    to.append(text, static_cast<std::size_t>(std::to_chars(text, text + sizeof text, value).ptr - text));
}

void put_tuple(std::string& to, const auto& x, int count) {
    for (int k = 0; k < count; ++k) to += k == 0 ? "(" : ", ", put(to, x[k]);
    to += ')';
}

// Letters, digits and underscores, beginning with none of the digits.
std::string identifier(const std::string& name, std::map<std::string, int>& taken) {
    std::string out;
    for (const char c : name) out += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
    if (out.empty() || (out[0] >= '0' && out[0] <= '9')) out.insert(0, "_");
    const int number = ++taken[out];
    return number == 1 ? out : out + "_" + std::to_string(number);
}

class UsdaWriter : public MotionWriter {
public:
    UsdaWriter(fs::path path, int fps) : MotionWriter(std::move(path)), fps_(fps) {}
    ~UsdaWriter() override {
        if (frames_ > 0) (void)finish();
        for (const auto& [file, name] : samples_)
            if (file) std::fclose(file);
        remove_samples();
        std::error_code ignored;
        if (frames_ == 0) fs::remove(path_, ignored);
    }

private:
    Result<void> begin(const Snapshot&) override {
        parts_ = mesh().parts();
        for (std::size_t b = 0; b < parts_.size(); ++b) {
            fs::path name = path_;
            name += ".part" + std::to_string(b);
            std::FILE* file = std::fopen(name.c_str(), "wbx");
            if (!file) return Error{"Cannot write " + name.string() + "; choose another place.", "out"};
            samples_.push_back({file, name});
            extents_.emplace_back();
        }
        return {};
    }

    Result<void> write(const Snapshot& shot) override {
        for (std::size_t b = 0; b < parts_.size(); ++b) {
            const std::vector<Vec3f> points = mesh().positions(parts_[b], shot);
            std::string sample = "            ";
            put(sample, frames_), sample += ": [";
            Vec3f low = points.empty() ? Vec3f::Zero() : points[0], high = low;
            for (std::size_t i = 0; i < points.size(); ++i) {
                if (i > 0) sample += ", ";
                put_tuple(sample, points[i], 3);
                low = low.cwiseMin(points[i]), high = high.cwiseMax(points[i]);
            }
            sample += "],\n";
            if (std::fwrite(sample.data(), 1, sample.size(), samples_[b].first) != sample.size() || std::fflush(samples_[b].first) != 0)
                return Error{"Cannot write " + samples_[b].second.string() + "; make room or choose another place.", "out"};
            bytes_ += sample.size();
            std::string& extent = extents_[b];
            extent += "            ", put(extent, frames_), extent += ": [";
            put_tuple(extent, low, 3), extent += ", ", put_tuple(extent, high, 3), extent += "],\n";
        }
        return {};
    }

    Result<void> end() override {
        auto file = OutputFile::create(path_);
        if (!file) return file.error();
        OutputFile& out = file.value();
        std::map<std::string, int> taken;
        std::string head =
            "#usda 1.0\n(\n    defaultPrim = \"Wobble\"\n    metersPerUnit = 1\n    upAxis = \"Y\"\n    startTimeCode = 0\n    endTimeCode "
            "= ";
        put(head, frames_ - 1), head += "\n    timeCodesPerSecond = ", put(head, fps_), head += "\n    framesPerSecond = ", put(head, fps_);
        out.write(head + "\n)\n\ndef Xform \"Wobble\"\n{\n");
        for (std::size_t b = 0; b < parts_.size(); ++b) {
            write_mesh_head(out, parts_[b], identifier(parts_[b].name, taken), extents_[b]);
            out.write("        point3f[] points.timeSamples = {\n");
            if (auto copied = copy_samples(out, samples_[b].second); !copied) return copied;
            out.write("        }\n    }\n");
        }
        out.write("}\n");
        return out.commit();
    }

    void write_mesh_head(OutputFile& out, const MotionMesh::Part& part, const std::string& name, const std::string& extents) const {
        std::string text = "    def Mesh \"" + name + "\"\n    {\n        matrix4d xformOp:transform = ( ";
        for (int row = 0; row < 4; ++row) {  // USD multiplies rows from the left
            Eigen::Vector4d values(0, 0, 0, row == 3);
            values.head<3>() = row < 3 ? Vec3(part.to_scene.linear.col(row)) : part.to_scene.shift;
            put_tuple(text, values, 4), text += row < 3 ? ", " : " )\n";
        }
        text +=
            "        uniform token[] xformOpOrder = [\"xformOp:transform\"]\n        uniform token subdivisionScheme = \"none\"\n        "
            "int[] faceVertexCounts = [";
        for (std::size_t t = 0; t < part.triangles.size(); ++t) text += t == 0 ? "3" : ", 3";
        text += "]\n        int[] faceVertexIndices = [";
        for (std::size_t t = 0; t < part.triangles.size(); ++t)
            for (std::size_t k = 0; k < 3; ++k) text += t + k == 0 ? "" : ", ", put(text, part.triangles[t][k]);
        text += "]\n";
        write_look(text, part);
        out.write(text + "        float3[] extent.timeSamples = {\n" + extents + "        }\n");
    }

    void write_look(std::string& text, const MotionMesh::Part& part) const {
        const SurfaceLook* look = mesh().look();
        if (!look || part.look.size() == 0) return;
        text += "        color3f[] primvars:displayColor = [";
        for (int t = part.look.begin; t < part.look.end; ++t) {
            const int m = look->material[static_cast<std::size_t>(t)];
            if (t > part.look.begin) text += ", ";
            put_tuple(text, m < 0 ? Vec3f(Vec3f::Constant(0.8f)) : look->materials[static_cast<std::size_t>(m)].colour, 3);
        }
        text += "] (\n            interpolation = \"uniform\"\n        )\n";
        if (look->uv.empty()) return;
        text += "        texCoord2f[] primvars:st = [";
        for (int t = part.look.begin; t < part.look.end; ++t)
            for (int k = 0; k < 3; ++k) {
                if (t > part.look.begin || k > 0) text += ", ";
                put_tuple(text, look->uv[static_cast<std::size_t>(t)][static_cast<std::size_t>(k)], 2);
            }
        text += "] (\n            interpolation = \"faceVarying\"\n        )\n";
    }

    static Result<void> copy_samples(OutputFile& out, const fs::path& name) {
        std::FILE* reader = std::fopen(name.c_str(), "rb");
        if (!reader) return Error{"Cannot read " + name.string() + " again; it was removed while it was needed."};
        std::string block(1 << 20, '\0');
        while (const std::size_t got = std::fread(block.data(), 1, block.size(), reader)) out.write(std::string_view(block).substr(0, got));
        std::fclose(reader);
        return {};
    }

    void remove_samples() {
        std::error_code ignored;
        for (const auto& [file, name] : samples_) fs::remove(name, ignored);
    }

    int fps_;
    std::vector<MotionMesh::Part> parts_;
    std::vector<std::pair<std::FILE*, fs::path>> samples_;  // one per body
    std::vector<std::string> extents_;
};

}  // namespace

Result<std::unique_ptr<MotionWriter>> open_usda(const fs::path& out, int fps) {
    auto name = reserve_file(out);
    if (!name) return name.error();
    return std::unique_ptr<MotionWriter>(std::make_unique<UsdaWriter>(std::move(name).value(), fps));
}

}  // namespace wobble
