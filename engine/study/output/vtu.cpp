#include "engine/study/output/vtu.h"

#include <charconv>
#include <type_traits>

namespace wobble {

namespace {

template <class T>
constexpr const char* type_name() {
    if constexpr (std::is_same_v<T, double>) return "Float64";
    else if constexpr (std::is_same_v<T, float>) return "Float32";
    else if constexpr (std::is_same_v<T, int>) return "Int32";
    else return "UInt8";
}

// A block is its number of bytes (8 bytes) and its bytes, in base64 together.
std::string base64(const void* data, std::size_t size) {
    constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::uint64_t count = size;
    const auto* head = reinterpret_cast<const unsigned char*>(&count);
    const auto* body = static_cast<const unsigned char*>(data);
    const std::size_t all = size + 8;
    const auto byte = [&](std::size_t i) -> unsigned { return i < 8 ? head[i] : i < all ? body[i - 8] : 0; };
    std::string out;
    out.reserve((all + 2) / 3 * 4);
    for (std::size_t i = 0; i < all; i += 3) {
        const unsigned word = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
        out += letters[word >> 18];
        out += letters[word >> 12 & 63];
        out += i + 1 < all ? letters[word >> 6 & 63] : '=';
        out += i + 2 < all ? letters[word & 63] : '=';
    }
    return out;
}

template <class T>
void array(OutputFile& file, const std::string& name, int components, std::span<const T> values, VtuEncoding encoding) {
    std::string out = std::string("<DataArray type=\"") + type_name<T>() + "\" Name=\"" + name + "\"";
    if (components > 1) out += " NumberOfComponents=\"" + std::to_string(components) + "\"";
    out += encoding == VtuEncoding::text ? " format=\"ascii\">\n" : " format=\"binary\">\n";
    if (encoding == VtuEncoding::base64) out += base64(values.data(), values.size_bytes()) + "\n";
    else
        for (std::size_t i = 0; i < values.size(); ++i) {
            char number[40];
            char* end = nullptr;
            if constexpr (sizeof(T) == 1) end = std::to_chars(number, number + sizeof number, static_cast<unsigned>(values[i])).ptr;
            else end = std::to_chars(number, number + sizeof number, values[i]).ptr;
            out.append(number, end);
            out += (i + 1) % static_cast<std::size_t>(components) ? ' ' : '\n';
            if (out.size() > (1u << 20)) file.write(out), out.clear();
        }
    file.write(out + "</DataArray>\n");
}

void array(OutputFile& file, const VtuArray& values, VtuEncoding encoding) {
    std::visit([&](auto span) { array(file, values.name, values.components, span, encoding); }, values.values);
}

}  // namespace

void write_vtu(OutputFile& file, const VtuGrid& grid, VtuEncoding encoding) {
    const bool solid = !grid.tets.empty();
    const int corners = solid ? 4 : 3;
    const std::size_t cells = solid ? grid.tets.size() : grid.triangles.size();
    const std::size_t points = std::visit([](auto span) { return span.size(); }, grid.points.values) / 3;
    file.write(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n");
    file.write("<UnstructuredGrid>\n<Piece NumberOfPoints=\"" + std::to_string(points) + "\" NumberOfCells=\"" + std::to_string(cells) +
               "\">\n<Points>\n");
    array(file, grid.points, encoding);
    file.write("</Points>\n<PointData>\n");
    for (const VtuArray& values : grid.data) array(file, values, encoding);
    file.write("</PointData>\n<Cells>\n");
    const int* first = solid ? grid.tets.front().data() : cells > 0 ? grid.triangles.front().data() : nullptr;
    array(file, "connectivity", 1, std::span<const int>(first, cells * static_cast<std::size_t>(corners)), encoding);
    std::vector<int> offsets(cells);
    for (std::size_t c = 0; c < cells; ++c) offsets[c] = corners * static_cast<int>(c + 1);
    array(file, "offsets", 1, std::span<const int>(offsets), encoding);
    const std::vector<std::uint8_t> types(cells, solid ? 10 : 5);  // VTK_TETRA, VTK_TRIANGLE
    array(file, "types", 1, std::span<const std::uint8_t>(types), encoding);
    file.write("</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
}

}  // namespace wobble
