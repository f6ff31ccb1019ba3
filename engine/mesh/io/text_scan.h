#pragma once
// Words and numbers of a file that nothing is known of. The first thing that is wrong is kept as one sentence with the line's number;
// everything after it reads as zero, so that readers ask ok() once per loop.
#include "engine/core/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace wobble {

class TextScan {
public:
    TextScan(std::string name, std::string_view content, char comment = '#') : name_(std::move(name)), left_(content), comment_(comment) {}

    std::string_view word();          // on this line or a later one; empty at the end
    std::string_view word_of_line();  // on this line; empty at its end
    std::string_view peek();          // the word() that comes next
    std::string_view line();          // the rest of this line; the next word is on the next one
    double number(const char* what);  // finite, within the limit of coordinates
    long whole(const char* what, long low, long high);
    long count(const char* what, std::size_t bytes_each);  // of things that take at least so many bytes each of what is left
    bool take(void* to, std::size_t bytes);                // as they lie in the file
    void refuse(const std::string& sentence);              // "vertex 3 is ..., so ...": kept with file and line, if it is the first

    bool ok() const { return !failure_; }
    bool at_end() { return peek().empty(); }
    std::size_t left() const { return left_.size(); }
    const Error& failure() const { return *failure_; }
    const std::string& name() const { return name_; }

private:
    void skip_blanks(bool lines);
    std::string_view cut_word();

    std::string name_;
    std::string_view left_;
    char comment_;  // the rest of its line is skipped; '\0': none
    long line_ = 1;
    std::optional<Error> failure_;
};

// A word as it may stand in a sentence.
std::string shown_word(std::string_view);

}  // namespace wobble
