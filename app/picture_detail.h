#pragma once
// How fine the picture is while things move: as fine as this machine draws within a display's frame, so that input is answered at once.
// When all is at rest the picture is drawn as the options say.
namespace wobble {

enum class PictureDetail { fine, plain, coarse };  // as the options say; one sample per pixel, simpler shadows; half the pixels each way

class DetailChooser {
public:
    PictureDetail in_motion() const { return level_; }
    // A picture of that detail took `seconds` until it was on the display, which shows one every `display_frame` s.
    void drawn(double seconds, double display_frame);

private:
    PictureDetail level_ = PictureDetail::fine;
    double before_ = 0;  // s, of the picture before the last; 0: none of this detail yet
};

}  // namespace wobble
