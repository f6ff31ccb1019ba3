#pragma once
// Between the scene section's panels and the rest: recent files, folders, pictures, surfaces with faults and their repair, saving.
#include "app/scene/folder_reader.h"
#include "app/scene/scene_loader.h"
#include "app/scene/thumbnails.h"
#include "engine/sim/snapshot.h"

#include <future>
#include <optional>

namespace wobble {

inline constexpr std::size_t most_recent_files = 10;
void add_recent(std::vector<std::string>& recent, const std::string& file);  // to the front, once

// The file a scene was opened from, as a whole path; empty for a built-in one.
std::string file_of(const Scene&);
std::string whole_path(const std::filesystem::path&);  // empty: stays empty

CameraView camera_view(const Camera&);                                   // as scene files have it
RecordingOptions recording_options(const RecordState&, double seconds);  // the same; `seconds` where it goes on until stopped
void apply_view(const Scene&, UiState&);  // what the scene says about its picture and its recording, if it does

class SceneController {
public:
    // Once per frame, after the loader was polled; needs the OpenGL context. `now`: s.
    void frame(const Snapshot&, UiState&, SceneLoader&, double now);

private:
    struct Saved {
        bool exists = false;  // and was not asked to be overwritten
        std::string file, error;
    };
    void show_faults(RefusedScene, UiState&);
    void open_anew(const ImportChoices&, const Snapshot&, SceneState&, SceneLoader&);
    void save(const Snapshot&, UiState&);
    void take_saved(SceneState&);

    std::optional<ThumbnailTextures> thumbnails_;
    FolderReader folders_;
    std::shared_ptr<const LoadedScene> seen_;
    std::future<Saved> saving_;
};

}  // namespace wobble
