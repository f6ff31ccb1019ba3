#pragma once
// The writers behind MotionWriter::open, one file each, and what they share. Included by those files only.
#include "app/record/motion_writer.h"
#include "engine/core/file.h"

#include <string>

namespace wobble {

Result<std::unique_ptr<MotionWriter>> open_pc2(const std::filesystem::path& out);
Result<std::unique_ptr<MotionWriter>> open_ply_sequence(const std::filesystem::path& out);
Result<std::unique_ptr<MotionWriter>> open_obj_sequence(const std::filesystem::path& out);
Result<std::unique_ptr<MotionWriter>> open_vtu(const std::filesystem::path& out);
Result<std::unique_ptr<MotionWriter>> open_usda(const std::filesystem::path& out, int fps);
Result<std::unique_ptr<MotionWriter>> open_glb(const std::filesystem::path& out, int fps);

// frame_000012.ply
std::string frame_name(int number, const char* suffix);

// The surface as OBJ text, with its vertices here.
std::string obj_text(const MotionMesh&, const std::vector<Vec3f>& vertices, const std::string& comment);

// Writes a whole file, replacing what is there; its size.
Result<std::uint64_t> write_whole(const std::filesystem::path&, std::string_view content);

}  // namespace wobble
