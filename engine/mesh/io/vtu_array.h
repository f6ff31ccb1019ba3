#pragma once
// The numbers of one DataArray of VTK's XML files, however they are written: as text, as base64 in place, or appended; plain or in blocks
// packed by zlib (a head of block count, block size, last block's size and the packed sizes). Described in the VTK User's Guide.
#include "engine/core/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wobble {

struct VtuEncoding {
    bool big_endian = false, wide_head = false;  // sizes of 8 bytes instead of 4
    bool packed = false;                         // by zlib
    bool appended_base64 = false;
    std::string_view appended;  // behind the underscore
};

// type: Float32, Int64, ...; format: ascii, binary or appended, then from `offset`. At most `most` numbers. The error is a part of a
// sentence: "its base64 is broken".
Result<std::vector<double>> vtu_numbers(const VtuEncoding&, const std::string& type, const std::string& format, std::string_view content,
                                        std::size_t offset, std::size_t most);

}  // namespace wobble
