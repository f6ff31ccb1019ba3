#include "engine/mesh/io/text_scan.h"

#include "engine/core/text.h"
#include "engine/mesh/io/readers.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace wobble {

namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

template <class T>
bool parse(std::string_view word, T& value) {
    if (word.starts_with('+')) word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc{} && end == word.data() + word.size();
}

}  // namespace

std::string shown_word(std::string_view word) {
    std::string out = "\"";
    for (char c : word.substr(0, 24)) out += c >= ' ' && c < 127 ? c : '?';
    return out + "\"";
}

void TextScan::skip_blanks(bool lines) {
    while (!left_.empty()) {
        const char c = left_.front();
        if (c == '\n' && !lines) return;
        if (comment_ && c == comment_) {
            left_.remove_prefix(std::min(left_.find('\n'), left_.size()));
            continue;
        }
        if (c == '\n') ++line_;
        else if (!blank(c)) return;
        left_.remove_prefix(1);
    }
}

std::string_view TextScan::cut_word() {
    std::size_t end = 0;
    while (end < left_.size() && left_[end] != '\n' && !blank(left_[end]) && !(comment_ && left_[end] == comment_)) ++end;
    const std::string_view word = left_.substr(0, end);
    left_.remove_prefix(end);
    return word;
}

std::string_view TextScan::word() {
    if (!ok()) return {};
    skip_blanks(true);
    return cut_word();
}

std::string_view TextScan::word_of_line() {
    if (!ok()) return {};
    skip_blanks(false);
    return cut_word();
}

std::string_view TextScan::peek() {
    if (!ok()) return {};
    skip_blanks(true);
    const std::string_view before = left_, next = cut_word();
    left_ = before;
    return next;
}

std::string_view TextScan::line() {
    if (!ok()) return {};
    const std::size_t end = std::min(left_.find('\n'), left_.size());
    std::string_view rest = left_.substr(0, end);
    left_.remove_prefix(std::min(end + 1, left_.size()));
    ++line_;
    if (comment_) rest = rest.substr(0, rest.find(comment_));
    while (!rest.empty() && blank(rest.front())) rest.remove_prefix(1);
    while (!rest.empty() && blank(rest.back())) rest.remove_suffix(1);
    return rest;
}

double TextScan::number(const char* what) {
    const std::string_view text = word();
    double value = 0;
    if (!ok()) return 0;
    if (text.empty()) return refuse(std::string("the file ends where ") + what + " should be; it was cut off, export it again"), 0;
    if (!parse(text, value)) return refuse(shown_word(text) + " is not " + what + "; export the file again"), 0;
    if (!std::isfinite(value) || std::abs(value) > coordinate_limit)
        return refuse(shown_word(text) + " is not a usable number as " + what + "; export the file again"), 0;
    return value;
}

long TextScan::whole(const char* what, long low, long high) {
    const std::string_view word_there = word();
    long value = 0;
    if (!ok()) return low;
    if (word_there.empty()) return refuse(std::string("the file ends where ") + what + " should be; it was cut off, export it again"), low;
    if (!parse(word_there, value)) return refuse(shown_word(word_there) + " is not " + what + "; export the file again"), low;
    if (value < low || value > high) return refuse(text(value, " cannot be ", what, ", which is ", low, " to ", high)), low;
    return value;
}

long TextScan::count(const char* what, std::size_t bytes_each) {
    const long value = whole(what, 0, 1'000'000'000);
    if (ok() && static_cast<std::size_t>(value) > left_.size() / bytes_each)
        return refuse(text("the file says ", value, " is ", what, ", but is too short for so many; it was cut off, export it again")), 0;
    return ok() ? value : 0;
}

bool TextScan::take(void* to, std::size_t bytes) {
    if (ok() && left_.size() < bytes) refuse("the file ends in the middle of its numbers; it was cut off, export it again");
    if (!ok()) return std::memset(to, 0, bytes), false;
    std::memcpy(to, left_.data(), bytes);
    left_.remove_prefix(bytes);
    return true;
}

void TextScan::refuse(const std::string& sentence) {
    if (!failure_) failure_ = Error{text(name_, ", line ", line_, ": ", sentence, ".")};
}

}  // namespace wobble
