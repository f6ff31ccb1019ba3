#pragma once
// What is in a folder and which files are gone, looked up on a background thread. For the UI thread; only the destructor may wait.
#include "app/scene/scene_state.h"

#include <future>

namespace wobble {

FolderListing read_folder(const std::string& folder);  // whatever happens: a short list and a sentence

// A name typed by a person: the folder part as it can be read, "~" being home, "" the current folder, "a//b" the same as "/b"; and what
// stands behind it.
struct TypedPath {
    std::string folder, name;
};
TypedPath split_path(const std::string& typed);
std::string folder_above(const std::string& folder);  // the same one at the top

class FolderReader {
public:
    void frame(SceneState&, double now);  // now: s; reads again once a second, at once for another folder

private:
    struct Found {
        FolderListing listing;
        std::set<std::string> missing;
    };
    std::future<Found> reading_;
    std::string folder_;
    double started_ = -100;
};

}  // namespace wobble
