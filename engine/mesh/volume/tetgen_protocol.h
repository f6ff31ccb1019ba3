#pragma once
// What wobble and its helper wobble-tetgen say to each other through the pipes, in this machine's byte order.
// Question: Header{question_magic, points, triangles, holes}, char switches[64], points x 3 double, triangles x 3 int32,
//           holes x 3 double (a point in each cavity).
// Answer:   Header{answer_magic, points, tets, 0}, points x 3 double, tets x 4 int32. TetGen's own chatter goes to stderr.
#include <cstdint>

namespace wobble::tetgen_protocol {

struct Header {
    std::uint64_t magic, points, elements, holes;
};
constexpr std::uint64_t question_magic = 0x57424c54'51303031, answer_magic = 0x57424c54'41303031;
constexpr int switches_length = 64;
constexpr std::uint64_t largest_count = 50'000'000;  // points or elements; anything above is nonsense

// Exit codes of the helper.
constexpr int bad_question = 64, no_memory = 65, cannot_answer = 66, unknown_failure = 67;
constexpr int tetgen_failure =
    70;  // plus TetGen's own code: 1 memory, 2 internal, 3 self-intersection, 4 tiny feature, 5 close facets, 10 input

}  // namespace wobble::tetgen_protocol
