// X.pvd and the folder X of frame_000000.vtu; see motion_writer.h.
#include "app/record/motion_formats.h"
#include "app/record/obstacle_geometry.h"
#include "app/record/unique_path.h"
#include "engine/core/spelling.h"
#include "engine/core/text.h"
#include "engine/study/output/vtu.h"

#include <algorithm>
#include <charconv>

namespace wobble {

namespace fs = std::filesystem;

namespace {

// A folder's name inside an attribute.
std::string in_xml(const std::string& name) {
    std::string out;
    for (const char c : name) {
        if (c == '&') out += "&amp;";
        else if (c == '<') out += "&lt;";
        else if (c == '"') out += "&quot;";
        else out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
    return out;
}

std::span<const float> flat(const std::vector<Vec3f>& points) {
    return {points.empty() ? nullptr : points.front().data(), 3 * points.size()};
}

class VtuWriter : public MotionWriter {
public:
    explicit VtuWriter(ReservedPair names) : MotionWriter(names.file), folder_(names.companion) {}
    ~VtuWriter() override {
        std::error_code ignored;
        if (frames_ > 0) {
            (void)finish();
        } else {
            fs::remove(path_, ignored);
            fs::remove(folder_, ignored);
        }
    }

private:
    Result<void> begin(const Snapshot& first) override {
        particles_ =
            !first.particle_positions.empty() && first.scene && first.scene->body.tets.vertices.size() == first.particle_positions.size();
        if (!particles_) return rest_ = MotionMesh::drawn_rest(first), Result<void>{};
        rest_.clear();
        for (const Vec3& x : first.scene->body.tets.vertices) rest_.push_back(x.cast<float>());
        return {};
    }

    Result<void> write(const Snapshot& shot) override {
        const std::vector<Vec3f>& points = particles_ ? shot.particle_positions : shot.positions;
        if (points.size() != rest_.size())
            return Error{"The snapshots no longer carry the particles, so the motion of the tetrahedra ends here."};
        std::vector<Vec3f> displacement(points.size());
        for (std::size_t i = 0; i < points.size(); ++i) displacement[i] = points[i] - rest_[i];
        VtuGrid grid;
        grid.points = {"position", 3, flat(points)};
        if (particles_) grid.tets = shot.scene->body.tets.tets, grid.triangles = shot.scene->body.tets.boundary;
        else grid.triangles = shot.surface->triangles;
        grid.data.push_back({"displacement", 3, flat(displacement)});
        if (particles_ && shot.particle_velocities.size() == points.size())
            grid.data.push_back({"velocity", 3, flat(shot.particle_velocities)});
        const std::vector<float>& values = particles_ ? shot.particle_values : shot.values;
        for (const FieldInfo& info : fields())
            if (shot.field != Field::none && info.kind == shot.field && values.size() == points.size())
                grid.data.push_back({info.id, 1, std::span<const float>(values)});
        const std::vector<float> bodies = body_numbers(shot, particles_);
        if (bodies.size() == points.size()) grid.data.push_back({"body", 1, std::span<const float>(bodies)});

        std::string line;
        if (auto put = write_part(grid, frame_name(frames_, ".vtu"), 0, shot.t, line); !put) return put;
        if (auto put = write_obstacles(shot, line); !put) return put;
        index_.push_back(line);
        return {};
    }

    // As the second part of the frame.
    Result<void> write_obstacles(const Snapshot& shot, std::string& line) {
        const ObstacleGeometry obstacles = obstacle_geometry(shot);
        if (obstacles.triangles.empty()) return {};
        VtuGrid grid;
        grid.points = {"position", 3, flat(obstacles.positions)};
        grid.triangles = obstacles.triangles;
        grid.data = {{"displacement", 3, flat(obstacles.displacement)},
                     {"velocity", 3, flat(obstacles.velocity)},
                     {"body", 1, std::span<const float>(obstacles.numbers)}};
        return write_part(grid, obstacles_name(frames_, ".vtu"), 1, shot.t, line);
    }

    Result<void> write_part(const VtuGrid& grid, const std::string& name, int part, double at, std::string& line) {
        auto file = OutputFile::create(folder_ / name);
        if (!file) return file.error();
        write_vtu(file.value(), grid, VtuEncoding::base64);
        if (auto done = file.value().commit(); !done) return done;
        char time[40];
        const std::string t(time, std::to_chars(time, time + sizeof time, at).ptr);
        line += "<DataSet timestep=\"" + t + "\" part=\"" + std::to_string(part) + "\" file=\"" +
                in_xml(folder_.filename().string() + "/" + name) + "\"/>\n";
        std::error_code ignored;
        bytes_ += fs::file_size(folder_ / name, ignored);
        return {};
    }

    // Frames without their times are worth little: where there is no room for the index any more, the last frames make it.
    Result<void> end() override {
        const int recorded = frames_;
        Index index = write_index();
        while (!index.written && index.lacks_room && frames_ > 1) {
            const int kept = frames_ - std::max(1, frames_ / 16);  // in shares, so that a long recording does not write its index so often
            while (frames_ > kept) remove_last_frame();
            index = write_index();
        }
        const int removed = recorded - frames_;
        if (index.written && removed == 0) return {};
        if (index.written)
            return Error{text("There was no room for the list of frames ", in_quotes(path_.string()), ", so the last ", removed, " of ",
                              recorded, " frames were removed to make it; make room before you record again.")};
        std::error_code ignored;
        fs::remove(path_, ignored);  // the reserved name
        path_ = folder_;
        const std::string gone = removed > 0 ? text(" The last ", removed, " of ", recorded, " frames were removed in vain.") : "";
        return Error{index.written.message() + gone + " The frames are there, but without their times."};
    }

    void remove_last_frame() {
        --frames_;
        for (const std::string& name : {frame_name(frames_, ".vtu"), obstacles_name(frames_, ".vtu")}) {
            std::error_code ignored, unknown;
            if (const auto size = fs::file_size(folder_ / name, unknown); !unknown) bytes_ -= std::min<std::uint64_t>(bytes_, size);
            fs::remove(folder_ / name, ignored);
        }
        index_.pop_back();
    }

    struct Index {
        Result<void> written;
        bool lacks_room;
    };
    Index write_index() const {
        auto file = OutputFile::create(path_);
        if (!file) return {file.error(), false};
        file.value().write(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n");
        for (const std::string& line : index_) file.value().write(line);
        file.value().write("</Collection>\n</VTKFile>\n");
        auto written = file.value().commit();
        return {std::move(written), file.value().lacks_room()};
    }

    fs::path folder_;
    bool particles_ = false;  // the tetrahedra, else the surface
    std::vector<Vec3f> rest_;
    std::vector<std::string> index_;  // a line per frame
};

}  // namespace

Result<std::unique_ptr<MotionWriter>> open_vtu(const fs::path& out) {
    auto names = reserve_file_and_folder(out);
    if (!names) return names.error();
    return std::unique_ptr<MotionWriter>(std::make_unique<VtuWriter>(names.value()));
}

}  // namespace wobble
