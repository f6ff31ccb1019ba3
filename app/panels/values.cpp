#include "app/panels/values.h"

#include "app/plots/plots.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace wobble {

namespace {

constexpr const char *squared = "\xc2\xb2", *cubed = "\xc2\xb3";

std::string with_powers(std::string_view plain) {  // "kg/m^3" -> "kg/m\u00b3"
    std::string unit(plain);
    for (const auto& [sign, fine] : {std::pair{"^2", squared}, std::pair{"^3", cubed}})
        if (const auto at = unit.find(sign); at != std::string::npos) unit.replace(at, 2, fine);
    return unit;
}

bool takes_prefix(std::string_view unit) {
    return unit.starts_with("N") || unit.starts_with("Pa") || unit == "s" || unit == "Hz" || unit == "J" || unit == "W";
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
    return text;
}

std::optional<double> prefix_factor(std::string_view prefix) {
    for (const auto& [sign, factor] :
         {std::pair{"T", 1e12}, {"G", 1e9}, {"M", 1e6}, {"k", 1e3}, {"K", 1e3}, {"m", 1e-3}, {"u", 1e-6}, {"\xc2\xb5", 1e-6}, {"n", 1e-9}})
        if (prefix == sign) return factor;
    return std::nullopt;
}

// What one of the written unit is in the shown one; nothing if it is none of ours.
std::optional<double> unit_factor(std::string_view written, std::string_view unit) {
    const std::string fine = with_powers(unit);
    if (written.empty() || written == unit || written == fine) return 1.0;
    if (unit == "ms") {
        if (written == "s") return 1e3;
        if (written == "us" || written == "\xc2\xb5s") return 1e-3;
    }
    for (const std::string_view ending : {unit, std::string_view(fine), std::string_view()})
        if (written.size() > ending.size() && written.ends_with(ending))
            if (const auto factor = prefix_factor(written.substr(0, written.size() - ending.size()))) return factor;
    return std::nullopt;
}

}  // namespace

std::string value_text(double value, std::string_view unit) {
    if (takes_prefix(unit)) return short_number(value, 4) + with_powers(unit);
    char text[64];
    std::snprintf(text, sizeof text, value != 0 && std::abs(value) < 1e-3 ? "%.3g%s%s" : "%.5g%s%s", value, unit.empty() ? "" : " ",
                  with_powers(unit).c_str());
    return text;
}

std::optional<double> typed_value(std::string_view typed, std::string_view unit) {
    std::string text(trimmed(typed));
    if (const auto comma = text.find(','); comma != std::string::npos && text.find('.') == std::string::npos) text[comma] = '.';
    if (text.size() > 1 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) return std::nullopt;
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (end == text.c_str()) return std::nullopt;
    const auto factor = unit_factor(trimmed(end), unit);
    if (!factor || !std::isfinite(number * *factor)) return std::nullopt;
    return number * *factor;
}

double rounded(double value, int digits) {
    if (value == 0 || !std::isfinite(value)) return value;
    char text[40];
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    return std::strtod(text, nullptr);
}

std::string readable_name(std::string name) {
    std::ranges::replace(name, '_', ' ');
    if (!name.empty()) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return name;
}

}  // namespace wobble
