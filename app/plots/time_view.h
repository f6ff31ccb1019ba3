#pragma once
// The part of the time axis that plots show: it follows the present, or stands where the user has zoomed to.
namespace wobble {

struct TimeRange {
    double low = 0, high = 1;  // s
    double length() const { return high - low; }
    bool operator==(const TimeRange&) const = default;
};

struct TimeView {
    static constexpr double usual_length = 10, shortest = 1e-5;  // s

    bool follows = true;
    double length = usual_length;  // s, while it follows; may be infinite: the whole run
    double high = 0;               // s, the right edge
    TimeRange fixed;               // while it does not follow

    void reset() { *this = {}; }
    void show_all();
    // What to show now, with data between begin and end and the simulation at `present`.
    TimeRange update(double begin, double end, double present);
    // What the user does, given what update() said. A view that reaches the present follows it again.
    void zoom(TimeRange shown, double around, double factor, double begin, double end);  // factor > 1: a longer time
    void pan(TimeRange shown, double by, double begin, double end);
    void select(double from, double to, double end);
};

}  // namespace wobble
