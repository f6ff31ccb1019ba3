#include "app/picture_detail.h"

#include <algorithm>

namespace wobble {

namespace {

constexpr double longest_picture = 1.0 / 50;  // s: an event that just missed a frame is then seen within two of them, 40 ms
constexpr double room_for_finer = 0.3;        // of that: the next finer detail is about three times the work

}  // namespace

void DetailChooser::drawn(double seconds, double display_frame) {
    const double limit = std::max(longest_picture, 1.25 * display_frame);  // a display of 30 Hz is waited for, not drawn for
    const PictureDetail old = level_;
    const auto level = [](PictureDetail detail, int change) { return static_cast<PictureDetail>(static_cast<int>(detail) + change); };
    // Two in a row: a single hitch says nothing.
    if (std::min(before_, seconds) > limit && old != PictureDetail::coarse) level_ = level(old, 1);
    if (before_ > 0 && std::max(before_, seconds) < room_for_finer * limit && old != PictureDetail::fine) level_ = level(old, -1);
    before_ = level_ == old ? seconds : 0;
}

}  // namespace wobble
