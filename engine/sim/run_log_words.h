#pragma once
// The words of a run log: numbers that read back as the same bits, names and hashes as one word each, commands with their values.
#include "engine/sim/command.h"

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace wobble {

std::string name_word(std::string_view name);  // what is not a plain letter becomes %XX; nothing at all becomes %
std::string hash_word(std::uint64_t hash);     // 16 hexadecimal digits
std::string command_words(const Command&);     // COMMAND VALUES; of a Load only the command

// Takes the words of a line one after the other. A word that is not what it should be is remembered: done() is then false.
class LineReader {
public:
    explicit LineReader(std::string_view line) : rest_(line) {}
    std::string_view next() {
        const std::size_t begin = rest_.find_first_not_of(' ');
        if (begin == std::string_view::npos) return rest_ = {}, ok_ = false, rest_;
        rest_.remove_prefix(begin);
        const std::string_view found = rest_.substr(0, rest_.find(' '));
        rest_.remove_prefix(found.size());
        return found;
    }
    template <class Number>
    Number number() {
        const std::string_view text = next();
        Number value{};
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) ok_ = false;
        return value;
    }
    std::uint64_t hash() {
        const std::string_view text = next();
        std::uint64_t value = 0;
        if (text.size() != 16 || std::from_chars(text.data(), text.data() + 16, value, 16).ptr != text.data() + 16) ok_ = false;
        return value;
    }
    double real() { return number<double>(); }
    Vec3 vector() {
        Vec3 v;
        for (int k = 0; k < 3; ++k) v[k] = real();
        return v;
    }
    std::string name() {
        const std::string_view text = next();
        std::string out;
        if (text == "%") return out;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] != '%') {
                out += text[i];
                continue;
            }
            unsigned code = 0;
            const bool good =
                i + 2 < text.size() && std::from_chars(text.data() + i + 1, text.data() + i + 3, code, 16).ptr == text.data() + i + 3;
            if (!good) return ok_ = false, out;
            out += static_cast<char>(code);
            i += 2;
        }
        return out;
    }
    template <class List>
    auto id(const List& list) {
        const std::string_view text = next();
        for (const auto& info : list)
            if (text == info.id) return info.kind;
        ok_ = false;
        return list.front().kind;
    }
    // The number of a body, if one follows: logs of scenes with one body name none.
    int body(int otherwise) {
        if (rest_.find_first_not_of(' ') == std::string_view::npos) return otherwise;
        const int body = number<int>();
        if (body < 0) ok_ = false;
        return body;
    }
    void fail() { ok_ = false; }
    bool done() const { return ok_ && rest_.find_first_not_of(' ') == std::string_view::npos; }

private:
    std::string_view rest_;
    bool ok_ = true;
};

// None: there is no such command. What is wrong with its values the reader knows.
std::optional<Command> read_command(std::string_view name, LineReader&);

}  // namespace wobble
