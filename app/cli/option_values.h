#pragma once
// Values of options: numbers within a range and ids of a list, or an error that says what was meant. For the files that declare options.
#include "engine/core/spelling.h"
#include "engine/scene/limits.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wobble::cli {

inline std::string shown(double x) {
    char text[40];
    std::snprintf(text, sizeof text, "%g", x);
    return text;
}

inline std::optional<double> number_in(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

inline double number(const std::string& option, const std::string& text, Range range) {
    const auto value = number_in(text);
    if (!value || !range.contains(*value))
        throw CLI::ValidationError(option, in_quotes(text) + " is not a number from " + shown(range.low) + " to " + shown(range.high));
    return *value;
}

template <class Integer = int>
Integer whole_number(const std::string& option, const std::string& text, Range range) {
    const double value = number(option, text, range);
    if (value != std::trunc(value)) throw CLI::ValidationError(option, in_quotes(text) + " is not a whole number");
    return static_cast<Integer>(value);
}

inline void add_number(CLI::App& app, const std::string& option, std::optional<double>& value, Range range, const std::string& help) {
    app.add_option_function<std::string>(
           option, [=, &value](const std::string& text) { value = number(option, text, range); }, help)
        ->type_name("NUMBER");
}

// One of a list's ids.
template <class List, class Kind>
void add_choice(CLI::App& app, const std::string& option, std::optional<Kind>& value, const List& list, const std::string& help) {
    std::vector<std::string> ids;
    for (const auto& info : list) ids.emplace_back(info.id);
    app.add_option_function<std::string>(
           option,
           [=, &value](const std::string& id) {
               for (const auto& info : list)
                   if (id == info.id) return void(value = info.kind);
               throw CLI::ValidationError(option, in_quotes(id) + " is none of " + join(ids) + did_you_mean(id, ids));
           },
           help + ": " + join(ids))
        ->type_name("ID");
}

}  // namespace wobble::cli
