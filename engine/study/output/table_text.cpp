#include "engine/study/output/table_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wobble {

namespace {

// Commas, quotes and line ends inside a field need quotes around it (RFC 4180).
std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
}

// The shortest text that reads back as the same number, so that 0.1 stays 0.1.
std::string exact(double x) {
    char text[40];
    for (const int digits : {15, 16, 17}) {
        std::snprintf(text, sizeof text, "%.*g", digits, x);
        if (std::strtod(text, nullptr) == x) break;
    }
    return text;
}

}  // namespace

std::string cell_text(const Cell& cell, int digits) {
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    if (const auto* n = std::get_if<long>(&cell)) return std::to_string(*n);
    const double x = std::get<double>(cell);
    if (std::isnan(x)) return "nan";
    if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
    if (digits >= 17) return exact(x);
    char text[40];
    std::snprintf(text, sizeof text, "%.*g", digits, x);
    return text;
}

std::string csv_line(const std::vector<Cell>& row) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) line += (c ? "," : "") + csv_field(cell_text(row[c], 17));
    return line + '\n';
}

std::string to_csv(const Table& table) {
    std::string text = csv_line(std::vector<Cell>(table.columns.begin(), table.columns.end()));
    for (const auto& row : table.rows) text += csv_line(row);
    return text;
}

std::string to_columns(const Table& table) {
    std::vector<std::vector<std::string>> lines{table.columns};
    for (const auto& row : table.rows) {
        lines.emplace_back();
        for (const Cell& cell : row) lines.back().push_back(cell_text(cell, 4));
    }
    std::vector<std::size_t> width(table.columns.size());
    for (const auto& line : lines)
        for (std::size_t c = 0; c < line.size(); ++c) width[c] = std::max(width[c], line[c].size());
    std::string text;
    for (std::size_t l = 0; l < lines.size(); ++l) {
        for (std::size_t c = 0; c < lines[l].size(); ++c) {
            const std::string padding(width[c] - lines[l][c].size(), ' ');
            const bool number = !table.rows.empty() && !std::holds_alternative<std::string>(table.rows.front()[c]);
            text += (c ? "  " : "") + (number ? padding + lines[l][c] : lines[l][c] + padding);
        }
        while (text.ends_with(' ')) text.pop_back();
        text += '\n';
    }
    return text;
}

}  // namespace wobble
