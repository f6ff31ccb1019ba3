#include "app/viewer/gl/programs.h"

namespace wobble {

const Program& Programs::use(const std::string& vertex, const std::string& geometry, const std::string& fragment,
                             const std::string& defines) {
    auto [place, is_new] = made_.try_emplace(vertex + ' ' + geometry + ' ' + fragment + '\n' + defines);
    if (is_new) {
        auto made = Program::make(vertex, geometry, fragment, defines);
        if (made) place->second = std::move(made).value();
        else if (!error_) error_ = made.error();
    }
    place->second.use();
    return place->second;
}

}  // namespace wobble
