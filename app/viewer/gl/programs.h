#pragma once
// The shader programs of a renderer, made when they are first needed: most looks are never looked at.
#include "app/viewer/gl/gl.h"

#include <map>
#include <optional>

namespace wobble {

class Programs {
public:
    // Ready to use; one that cannot be made draws nothing and leaves an error.
    const Program& use(const std::string& vertex, const std::string& geometry, const std::string& fragment,
                       const std::string& defines = "");
    const std::optional<Error>& error() const { return error_; }

private:
    std::map<std::string, Program> made_;
    std::optional<Error> error_;
};

}  // namespace wobble
