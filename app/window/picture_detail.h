#pragma once
// How fine the picture is while things move: as fine as this machine draws within a display's frame, so that input is answered at once.
// When all is at rest the picture is drawn as the options say.
namespace wobble {

enum class PictureDetail { fine, plain, coarse };  // as the options say; one sample per pixel, simpler shadows; half the pixels each way

class DetailChooser {
public:
    PictureDetail in_motion() const { return level_; }
    // A picture of that detail took `seconds` to draw, without waiting for the display, which shows one every `display_frame` s.
    void drawn(PictureDetail, double seconds, double display_frame);

private:
    static constexpr int first_wait = 64, longest_wait = 64 * 32;  // pictures

    void change(int by);

    PictureDetail level_ = PictureDetail::fine;
    double before_ = 0;      // s, of the picture before the last; 0: none of this detail yet
    int pictures_ = 0;       // of this detail since it was chosen
    int wait_ = first_wait;  // so many, then a finer one is tried; longer each time that fails
    bool on_trial_ = false;  // the last change was to a finer one
};

}  // namespace wobble
