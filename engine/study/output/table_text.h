#pragma once
// Tables as text: CSV for machines, aligned columns for people.
#include "engine/study/study.h"

#include <string>

namespace wobble {

std::string cell_text(const Cell&, int digits);  // numbers that are not finite: "nan", "inf", "-inf"
std::string csv_line(const std::vector<Cell>&);  // 17 digits, so that reading gives the same number back
std::string to_csv(const Table&);                // header line, then one line per row
std::string to_columns(const Table&);            // aligned, 4 digits

}  // namespace wobble
