#pragma once
// Reading back what we wrote, without sharing code with the writer.
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace wobble::support {

struct Csv {
    std::vector<std::string> columns;
    std::vector<std::map<std::string, std::string>> rows;
    double number(std::size_t row, const std::string& column) const { return std::stod(rows.at(row).at(column)); }
};

inline Csv read_csv(const std::string& text) {
    Csv csv;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> fields;
        std::istringstream parts(line);
        for (std::string field; std::getline(parts, field, ',');) fields.push_back(field);
        if (csv.columns.empty()) {
            csv.columns = fields;
            continue;
        }
        csv.rows.emplace_back();
        for (std::size_t i = 0; i < csv.columns.size(); ++i) csv.rows.back()[csv.columns[i]] = i < fields.size() ? fields[i] : "";
    }
    return csv;
}

}  // namespace wobble::support
