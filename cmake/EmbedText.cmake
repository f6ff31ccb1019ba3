# wobble_embed_text(OUT.cpp FUNCTION files...): writes a .cpp with `std::string_view FUNCTION(std::string_view file_name)`
# that returns the text of one of the files (empty if there is none of that name). Runs again when a file changes.
function(wobble_embed_text output function)
  set(rows "")
  foreach(file ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    get_filename_component(name ${file} NAME)
    string(APPEND rows "    if (name == \"${name}\") return R\"EMBEDDED(${text})EMBEDDED\";\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
"// Written by cmake/EmbedText.cmake; edit the embedded files instead.
#include <string_view>
namespace wobble {
std::string_view @function@(std::string_view name);
std::string_view @function@(std::string_view name) {
@rows@    return {};
}
}  // namespace wobble
")
endfunction()
