#include "app/window/picture_detail.h"

#include <algorithm>

namespace wobble {

namespace {

constexpr double longest_picture = 1.0 / 50;  // s: an event that just missed a frame is then seen within two of them, 40 ms
constexpr double room_for_finer = 0.3;        // of that: the next finer detail is about three times the work
constexpr int proven = 120;                   // pictures: a detail that was good for so long was no mistake
constexpr int sooner = 32;                    // times: how much less one waits where there is room

}  // namespace

void DetailChooser::drawn(PictureDetail detail, double seconds, double display_frame) {
    if (detail != level_) return;                                          // one at rest says nothing about those in motion
    const double limit = std::max(longest_picture, 1.25 * display_frame);  // a display of 30 Hz shows no more of them anyway
    // Two in a row: a single hitch says nothing.
    const double faster = std::min(before_, seconds), slower = before_ > 0 ? std::max(before_, seconds) : limit;
    before_ = seconds;
    pictures_ = std::min(pictures_ + 1, longest_wait);
    if (faster > limit && level_ != PictureDetail::coarse) {
        wait_ = on_trial_ && pictures_ < proven ? std::min(2 * wait_, longest_wait) : first_wait;
        change(+1);
    } else if (slower < limit && level_ != PictureDetail::fine && pictures_ >= (slower < room_for_finer * limit ? wait_ / sooner : wait_)) {
        change(-1);
    }
}

void DetailChooser::change(int by) {
    level_ = static_cast<PictureDetail>(static_cast<int>(level_) + by);
    on_trial_ = by < 0;
    before_ = 0;
    pictures_ = 0;
}

}  // namespace wobble
