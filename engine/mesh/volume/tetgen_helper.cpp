// wobble-tetgen: reads a surface from standard input, fills it with tetrahedra by TetGen, writes them to standard output.
// A program of its own because TetGen is AGPL and may crash, exit or never end.
#include "engine/mesh/volume/tetgen_protocol.h"

#define TETLIBRARY
#include <tetgen.h>

#include <unistd.h>

#include <cerrno>
#include <new>
#include <vector>

namespace {

using namespace wobble::tetgen_protocol;

bool read_all(void* to, std::size_t bytes) {
    auto* at = static_cast<char*>(to);
    while (bytes > 0) {
        const ssize_t got = read(STDIN_FILENO, at, bytes);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got, bytes -= static_cast<std::size_t>(got);
    }
    return true;
}

bool write_all(int descriptor, const void* from, std::size_t bytes) {
    const auto* at = static_cast<const char*>(from);
    while (bytes > 0) {
        const ssize_t sent = write(descriptor, at, bytes);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        at += sent, bytes -= static_cast<std::size_t>(sent);
    }
    return true;
}

int answer_one_question(int answer) {
    Header question{};
    char switches[switches_length];
    if (!read_all(&question, sizeof question) || question.magic != question_magic) return bad_question;
    if (question.points > largest_count || question.elements > largest_count || question.holes > largest_count) return bad_question;
    if (!read_all(switches, sizeof switches) || switches[switches_length - 1] != '\0') return bad_question;

    // TetGen's objects free these arrays with delete[].
    tetgenio in, out;
    in.numberofpoints = static_cast<int>(question.points);
    in.pointlist = new REAL[3 * question.points];
    if (!read_all(in.pointlist, 3 * question.points * sizeof(REAL))) return bad_question;
    std::vector<std::int32_t> corners(3 * question.elements);
    if (!read_all(corners.data(), corners.size() * sizeof corners[0])) return bad_question;
    for (const std::int32_t v : corners)
        if (v < 0 || v >= in.numberofpoints) return bad_question;
    // ~tetgenio walks all facets, so all are sound before anything can fail.
    in.facetlist = new tetgenio::facet[question.elements];
    for (std::size_t f = 0; f < question.elements; ++f) tetgenio::init(&in.facetlist[f]);
    in.numberoffacets = static_cast<int>(question.elements);
    for (std::size_t f = 0; f < question.elements; ++f) {
        tetgenio::facet& facet = in.facetlist[f];
        facet.polygonlist = new tetgenio::polygon[1];
        tetgenio::polygon& polygon = facet.polygonlist[0];
        tetgenio::init(&polygon);
        facet.numberofpolygons = 1;
        polygon.vertexlist = new int[3];
        polygon.numberofvertices = 3;
        for (int k = 0; k < 3; ++k) polygon.vertexlist[k] = corners[3 * f + k];
    }
    in.numberofholes = static_cast<int>(question.holes);
    if (question.holes > 0) in.holelist = new REAL[3 * question.holes];
    if (!read_all(in.holelist, 3 * question.holes * sizeof(REAL))) return bad_question;
    tetrahedralize(switches, &in, &out);
    if (out.numberoftetrahedra > 0 && out.numberofcorners != 4) return unknown_failure;

    const Header header{answer_magic, static_cast<std::uint64_t>(out.numberofpoints), static_cast<std::uint64_t>(out.numberoftetrahedra),
                        0};
    static_assert(sizeof(int) == sizeof(std::int32_t) && sizeof(REAL) == sizeof(double));
    const bool sent = write_all(answer, &header, sizeof header) && write_all(answer, out.pointlist, 3 * header.points * sizeof(REAL)) &&
                      write_all(answer, out.tetrahedronlist, 4 * header.elements * sizeof(int));
    return sent ? 0 : cannot_answer;
}

}  // namespace

int main() {
    const int answer = dup(STDOUT_FILENO);
    if (answer < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return cannot_answer;
    try {
        return answer_one_question(answer);
    } catch (int code) {
        return tetgen_failure + code;
    } catch (const std::bad_alloc&) {
        return no_memory;
    } catch (...) {
        return unknown_failure;
    }
}
