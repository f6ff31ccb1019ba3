#pragma once
// What values from outside (scene files, command line) may be: the same everywhere. Parameters have their own table, see scene.h.

namespace wobble {

struct Range {
    double low, high;
    bool contains(double x) const { return x >= low && x <= high; }  // false for NaN
};

namespace limits {

inline constexpr Range step{1e-8, 1};                 // s
inline constexpr Range seconds{1e-6, 1e5};            // s of simulated time
inline constexpr Range solver_tolerance{1e-14, 0.1};  // relative
inline constexpr Range error_tolerance{1e-8, 1};      // relative, of one step
inline constexpr Range amplitude{-1e3, 1e3};          // m, of moving pins
inline constexpr Range frequency{0, 200};             // Hz, of moving pins
inline constexpr Range size{1e-3, 1e3};               // m, largest extent of a body
inline constexpr Range shape{1e-4, 1e4};              // m or counts, parameters of procedural shapes
inline constexpr Range translation{-1e3, 1e3};        // m, of a body's place
inline constexpr Range angle{-360, 360};              // degrees, of a body's place
inline constexpr Range scale{1e-3, 1e3};              // of a body's place
inline constexpr Range velocity{-1e3, 1e3};           // m/s
inline constexpr Range shear{-1e3, 1e3};              // 1/s
inline constexpr Range share{1e-9, 1e3};              // stiffness of one kind of springs over another's
inline constexpr Range stiffer{1e-12, 1e12};          // factor of a stiff region
inline constexpr Range thickness{1e-6, 1};            // m
inline constexpr Range drag{0, 1e3};                  // N s/m^3
inline constexpr Range gusts{0, 1};
inline constexpr Range radius{1e-4, 1e3};     // m, of an obstacle; likewise its length and size, a mesh's factor
inline constexpr Range position{-1e3, 1e3};   // m, of an obstacle
inline constexpr Range turns{-3.6e4, 3.6e4};  // degrees of an obstacle's key, degrees per second of its spin
inline constexpr Range friction{0, 2};
inline constexpr Range drop_height{0, 1e3};  // m
inline constexpr int obstacles = 64, obstacle_keys = 64;
inline constexpr Range yaw{-360, 360};     // degrees
inline constexpr Range pitch{-89, 89};     // degrees
inline constexpr Range distance{0.2, 50};  // in diagonals of the body's box
inline constexpr Range fps{1, 240};
inline constexpr Range pixels{16, 8192};
inline constexpr Range field_high{0, 1e15};  // SI; 0: the colours follow the motion
inline constexpr Range stated{0, 1e15};

}  // namespace limits
}  // namespace wobble
