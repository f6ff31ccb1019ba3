#pragma once
// One table of a scene file. Every table is read by one function that names each of its keys once; what remains is unknown and refused,
// with the line it stands in. Reading goes on with defaults after a mistake; the topmost one of the file is told.
#include "engine/core/spelling.h"
#include "engine/scene/limits.h"
#include "engine/scene/scene.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace wobble {

inline std::string shortest(double x) {
    char text[40];
    std::snprintf(text, sizeof text, "%g", x);
    return text;
}

// The topmost thing wrong in the file.
struct Mistake {
    std::uint32_t line = 0;  // 0: none
    std::string sentence;
};

class Reader {
public:
    Reader(const toml::table& table, std::string title, Mistake& mistake) : table_(table), title_(std::move(title)), mistake_(mistake) {}

    void number(const char* key, double& value, Range range) {
        if (const toml::node* node = find(key)) value = checked(*node, key, range, value);
    }
    void zero_or_number(const char* key, double& value, Range range) {
        const toml::node* node = find(key);
        if (node && node->value<double>() == 0.0) value = 0;
        else if (node) value = checked(*node, key, range, value);
    }
    void integer(const char* key, int& value, Range range) {
        const toml::node* node = find(key);
        if (!node) return;
        if (!node->is_integer()) return wrong(*node, key, "a whole number");
        value = static_cast<int>(checked(*node, key, range, value));
    }
    void text(const char* key, std::string& value, std::size_t longest = 200) {
        const toml::node* node = find(key);
        if (!node) return;
        const auto found = node->value<std::string>();
        if (!node->is_string() || !found) return wrong(*node, key, "a text in quotes");
        if (found->empty() || found->size() > longest || found->find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos)
            return fail(*node, std::string(key) + " must be one line of 1 to " + std::to_string(longest) + " characters.");
        value = *found;
    }
    void flag(const char* key, bool& value) {
        const toml::node* node = find(key);
        if (!node) return;
        if (!node->is_boolean()) return wrong(*node, key, "true or false");
        value = *node->value<bool>();
    }
    void vector(const char* key, Vec3& value, Range range) {
        const toml::node* node = find(key);
        if (!node) return;
        const toml::array* array = node->as_array();
        if (!array || array->size() != 3) return wrong(*node, key, "three numbers in brackets, [x, y, z]");
        for (int i = 0; i < 3; ++i) value[i] = checked((*array)[i], key, range, value[i]);
    }
    const toml::table* table(const char* key) {
        const toml::node* node = find(key);
        if (node && !node->is_table()) wrong(*node, key, "a table");
        return node ? node->as_table() : nullptr;
    }
    // section("camera", read) reads [camera] if it is there; list("pins", read) every table [[pins]].
    template <class Read>
    void section(const char* key, Read&& read) {
        if (const toml::table* values = table(key)) {
            Reader reader(*values, "in [" + prefix_ + key + "]", mistake_);
            read(reader);
        }
    }
    template <class Read>
    void list(const char* key, Read&& read) {
        const toml::node* node = find(key);
        const toml::array* tables = node ? node->as_array() : nullptr;
        const std::string plural = key, brackets = "[[" + prefix_ + plural + "]]";
        if (node && (!tables || tables->size() > 64)) fail(*node, plural + " must be written as up to 64 tables " + brackets + ".");
        for (std::size_t i = 0; tables && i < tables->size(); ++i) {
            const toml::table* values = (*tables)[i].as_table();
            if (!values) return fail((*tables)[i], plural + " must be written as tables " + brackets + ".");
            Reader reader(*values, "in " + brackets, mistake_);
            reader.prefix_ = prefix_ + plural + ".";
            read(reader);
        }
    }
    const toml::node* find(const char* key) {
        if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
        return table_.get(key);
    }

    void finish() {  // call after all keys have been named
        for (const auto& [key, node] : table_)
            if (std::find(known_.begin(), known_.end(), key.str()) == known_.end())
                fail(key.source().begin.line, "Unknown key " + in_quotes(key.str()) + " " + title_ +
                                                  (nearest_spelling(key.str(), known_).empty() ? "; known ones: " + join(known_) + "."
                                                                                               : did_you_mean(key.str(), known_)));
    }
    void fail(const toml::node& node, const std::string& sentence) { fail(node.source().begin.line, sentence); }
    void fail(std::uint32_t line, const std::string& sentence) {
        if (mistake_.line == 0 || line < mistake_.line) mistake_ = {line, sentence};
    }
    void unknown(const toml::node& node, const std::string& what, const std::string& name, const std::vector<std::string>& known) {
        const std::string near = did_you_mean(name, known);
        fail(node, "Unknown " + what + " " + in_quotes(name) + (near.empty() ? "; known ones: " + join(known) + "." : near));
    }
    void wrong(const toml::node& node, const char* key, const char* wanted) { fail(node, std::string(key) + " must be " + wanted + "."); }

private:
    double checked(const toml::node& node, const char* key, Range range, double fallback) {
        if (!node.is_number()) return wrong(node, key, "a number"), fallback;
        const double found = node.value<double>().value_or(NAN);
        if (range.contains(found)) return found;
        fail(node, std::string(key) + " = " + shortest(found) + " is out of range; choose " + shortest(range.low) + " to " +
                       shortest(range.high) + ".");
        return fallback;
    }

    const toml::table& table_;
    std::string title_;   // "in [camera]"
    std::string prefix_;  // "bodies." within [[bodies]]
    Mistake& mistake_;
    std::vector<std::string> known_;
};

// One of a table's ids.
template <class List, class Value>
void read_choice(Reader& reader, const char* key, const char* what, const List& list, Value& value) {
    std::string id;
    reader.text(key, id, 64);
    const toml::node* node = reader.find(key);
    if (!node || !node->is_string()) return;
    std::vector<std::string> known;
    for (const auto& info : list) {
        if (id == info.id) return void(value = info.kind);
        known.emplace_back(info.id);
    }
    reader.unknown(*node, what, id, known);
}

// [source], [parameters], [[pins]], [model], [[regions]], [initial] of the file's only body, or of one of its [[bodies]] with name and
// [place].
void read_body(Reader&, const std::filesystem::path& origin, BodySource&, BodySettings&, bool one_of_several);
void read_parameters(Reader&, Parameters&, bool of_body);
// One of [[obstacles]].
void read_obstacle(Reader&, const std::filesystem::path& origin, Obstacle&);

}  // namespace wobble
