#include "engine/mesh/io/vtu_array.h"

#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>

namespace wobble {

namespace {

const Error cut_off{"it is cut off"};

struct NumberType {
    const char* name;
    std::size_t bytes;
    double (*read)(const char*);
};

template <class T>
double read_as(const char* raw) {
    T value;
    std::memcpy(&value, raw, sizeof value);
    return static_cast<double>(value);
}

constexpr NumberType types[] = {
    {"Float64", 8, read_as<double>},       {"Float32", 4, read_as<float>},        {"Int64", 8, read_as<std::int64_t>},
    {"UInt64", 8, read_as<std::uint64_t>}, {"Int32", 4, read_as<std::int32_t>},   {"UInt32", 4, read_as<std::uint32_t>},
    {"Int16", 2, read_as<std::int16_t>},   {"UInt16", 2, read_as<std::uint16_t>}, {"Int8", 1, read_as<std::int8_t>},
    {"UInt8", 1, read_as<std::uint8_t>},
};

int digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// Decodes `bytes` bytes from the start of the text, which moves behind them (to the next group of four).
bool take_base64(std::string_view& text, std::size_t bytes, std::string& out) {
    out.clear();
    while (out.size() < bytes) {
        unsigned word = 0;
        int got = 0, padding = 0;
        while (got < 4 && !text.empty()) {
            const char c = text.front();
            text.remove_prefix(1);
            if (c == '\n' || c == '\r' || c == ' ' || c == '\t') continue;
            const int value = c == '=' ? 0 : digit(c);
            if (value < 0) return false;
            padding += c == '=';
            word = word << 6 | static_cast<unsigned>(value), ++got;
        }
        if (got < 4 || padding > 2) return false;
        for (int k = 0; k < 3 - padding; ++k) out += static_cast<char>(word >> (16 - 8 * k) & 255);
        if (padding > 0 && out.size() < bytes) return false;
    }
    out.resize(bytes);
    return true;
}

bool take_raw(std::string_view& text, std::size_t bytes, std::string& out) {
    if (text.size() < bytes) return false;
    out.assign(text.substr(0, bytes));
    text.remove_prefix(bytes);
    return true;
}

class Blocks {
public:
    Blocks(const VtuEncoding& encoding, std::string_view text, bool base64) : encoding_(encoding), text_(text), base64_(base64) {}

    Result<std::string> read(std::size_t most_bytes) { return encoding_.packed ? packed(most_bytes) : plain(most_bytes); }

private:
    std::size_t head_bytes() const { return encoding_.wide_head ? 8 : 4; }
    bool take(std::size_t bytes, std::string& out) { return base64_ ? take_base64(text_, bytes, out) : take_raw(text_, bytes, out); }
    std::uint64_t size_at(const std::string& head, std::size_t index) const {
        char raw[8] = {};
        std::memcpy(raw, head.data() + index * head_bytes(), head_bytes());
        if (encoding_.big_endian) std::reverse(raw, raw + head_bytes());
        return encoding_.wide_head ? static_cast<std::uint64_t>(read_whole<std::uint64_t>(raw)) : read_whole<std::uint32_t>(raw);
    }
    template <class T>
    static T read_whole(const char* raw) {
        T value;
        std::memcpy(&value, raw, sizeof value);
        return value;
    }

    Result<std::string> plain(std::size_t most_bytes) {
        std::string head, data;
        // One base64 text holds head and data, so both are decoded together: the head alone tells how long it is.
        std::string_view ahead = text_;
        if (!(base64_ ? take_base64(ahead, head_bytes(), head) : take_raw(ahead, head_bytes(), head))) return cut_off;
        const std::uint64_t bytes = size_at(head, 0);
        if (bytes > most_bytes) return Error{"it is longer than it should be"};
        if (!take(head_bytes() + bytes, data)) return cut_off;
        return data.substr(head_bytes());
    }

    Result<std::string> packed(std::size_t most_bytes) {
        std::string head, data, unpacked;
        std::string_view ahead = text_;
        if (!(base64_ ? take_base64(ahead, 3 * head_bytes(), head) : take_raw(ahead, 3 * head_bytes(), head))) return cut_off;
        const std::uint64_t blocks = size_at(head, 0), size = size_at(head, 1), last = size_at(head, 2);
        if (blocks == 0) return std::string();
        if (blocks > most_bytes || size > most_bytes || last > size || (blocks - 1) * size + (last > 0 ? last : size) > most_bytes)
            return Error{"it is longer than it should be"};
        if (!take((3 + blocks) * head_bytes(), head)) return cut_off;
        std::uint64_t sum = 0;
        for (std::uint64_t b = 0; b < blocks; ++b) {
            const std::uint64_t here = size_at(head, 3 + b);
            if (here > text_.size()) return cut_off;
            sum += here;
        }
        if (sum > text_.size() || !take(sum, data)) return cut_off;
        std::size_t at = 0;
        for (std::uint64_t b = 0; b < blocks; ++b) {
            const std::uint64_t here = size_at(head, 3 + b), wanted = b + 1 == blocks && last > 0 ? last : size;
            std::string block(wanted, '\0');
            uLongf got = wanted;
            if (uncompress(reinterpret_cast<Bytef*>(block.data()), &got, reinterpret_cast<const Bytef*>(data.data() + at), here) != Z_OK ||
                got != wanted)
                return Error{"its packed numbers are broken"};
            unpacked += block, at += here;
        }
        return unpacked;
    }

    const VtuEncoding& encoding_;
    std::string_view text_;
    bool base64_;
};

}  // namespace

Result<std::vector<double>> vtu_numbers(const VtuEncoding& encoding, const std::string& type, const std::string& format,
                                        std::string_view content, std::size_t offset, std::size_t most) {
    const auto* found = std::find_if(std::begin(types), std::end(types), [&](const NumberType& t) { return type == t.name; });
    if (found == std::end(types)) return Error{"its type " + type.substr(0, 24) + " is not known"};
    std::vector<double> out;
    if (format == "ascii") {
        for (std::size_t at = 0;;) {
            at = content.find_first_not_of(" \t\r\n", at);
            if (at == std::string_view::npos) return out;
            const std::size_t end = std::min(content.find_first_of(" \t\r\n", at), content.size());
            double value = 0;
            const auto [stop, error] = std::from_chars(content.data() + at, content.data() + end, value);
            if (error != std::errc{} || stop != content.data() + end) return Error{"there is a word in it that is no number"};
            if (out.size() == most) return Error{"it is longer than it should be"};
            out.push_back(value), at = end;
        }
    }
    const bool appended = format == "appended";
    if (!appended && format != "binary") return Error{"its format " + format.substr(0, 24) + " is not known"};
    if (appended && offset >= encoding.appended.size()) return cut_off;
    content = appended ? encoding.appended.substr(offset) : content.substr(std::min(content.find_first_not_of(" \t\r\n"), content.size()));
    auto bytes = Blocks(encoding, content, !appended || encoding.appended_base64).read(most * found->bytes);
    if (!bytes) return bytes.error();
    if (bytes.value().size() % found->bytes != 0) return cut_off;
    out.reserve(bytes.value().size() / found->bytes);
    for (std::size_t at = 0; at < bytes.value().size(); at += found->bytes) {
        char raw[8];
        std::memcpy(raw, bytes.value().data() + at, found->bytes);
        if (encoding.big_endian) std::reverse(raw, raw + found->bytes);
        out.push_back(found->read(raw));
    }
    return out;
}

}  // namespace wobble
