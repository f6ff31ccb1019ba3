#pragma once
// Help for people who mistype: the known word nearest to an unknown one.
#include <span>
#include <string>
#include <string_view>

namespace wobble {

// The known word with the fewest edits from `word`, if that is few enough to be a slip of the finger; else empty.
std::string nearest_spelling(std::string_view word, std::span<const std::string> known);

// `; did you mean "x"?` or nothing, to be appended to a sentence.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

std::string join(std::span<const std::string> words);  // "a, b, c"

// What a person typed, fit for a one-line message: quoted, control characters replaced, cut when long.
std::string in_quotes(std::string_view text);

}  // namespace wobble
