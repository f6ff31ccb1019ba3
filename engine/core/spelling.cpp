#include "engine/core/spelling.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace wobble {

namespace {

// Optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours count one each.
std::size_t edits(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = std::tolower(static_cast<unsigned char>(a[i - 1])) == std::tolower(static_cast<unsigned char>(b[j - 1]));
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

}  // namespace

std::string nearest_spelling(std::string_view word, std::span<const std::string> known) {
    if (word.empty() || word.size() > 64) return {};
    std::string best;
    std::size_t fewest = std::max<std::size_t>(1, word.size() / 3) + 1;  // a third of the letters wrong is still a slip
    for (const std::string& candidate : known)
        if (const std::size_t n = edits(word, candidate); n < fewest) fewest = n, best = candidate;
    return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
    const std::string near = nearest_spelling(word, known);
    return near.empty() ? "" : "; did you mean \"" + near + "\"?";
}

std::string join(std::span<const std::string> words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t longest = 200;
    std::string clean(text.substr(0, longest));
    for (char& c : clean)
        if (std::iscntrl(static_cast<unsigned char>(c))) c = '?';
    return '"' + clean + (text.size() > longest ? "..." : "") + '"';
}

}  // namespace wobble
