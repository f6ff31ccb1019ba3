#pragma once
// Explicit Runge-Kutta methods as rows of data. Stage i < s, result and embedded result:
//     U_i = u + h sum_{j<i} a_ij F(U_j),     u+ = u + h sum_i b_i F(U_i),     e = h sum_i d_i F(U_i),
// e being the difference of u+ to the embedded result of another order: the error estimate.
// In all but `midpoint` the last stage is u+ itself (its row repeats b), so F(u+) serves the estimate and starts the next step.
// Sources: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.1 and II.5; Bogacki, Shampine 1989;
// Dormand, Prince 1980. Estimates of the small ones:
//   euler     difference to Heun's method:   e = h/2 (F(u) - F(u+))
//   midpoint  difference to Euler's method:  e = h (F(U_2) - F(u)): of the size of Euler's error
//   rk4       e = h/6 (F(U_4) - F(u+)): replacing F(U_4) by F(u+) keeps order 3 and breaks order 4
namespace wobble {

struct Tableau {
    static constexpr int most = 7;
    int stages;
    bool last_is_result;  // "first same as last"
    double a[most][most];
    double b[most];
    double d[most];
};

namespace tableaus {

inline constexpr Tableau euler{2, true, {{}, {1}}, {1, 0}, {1.0 / 2, -1.0 / 2}};

inline constexpr Tableau midpoint{2, false, {{}, {1.0 / 2}}, {0, 1}, {-1, 1}};

inline constexpr Tableau rk4{5,
                             true,
                             {{}, {1.0 / 2}, {0, 1.0 / 2}, {0, 0, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
                             {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6, 0},
                             {0, 0, 0, 1.0 / 6, -1.0 / 6}};

inline constexpr Tableau bogacki_shampine{4,
                                          true,
                                          {{}, {1.0 / 2}, {0, 3.0 / 4}, {2.0 / 9, 1.0 / 3, 4.0 / 9}},
                                          {2.0 / 9, 1.0 / 3, 4.0 / 9, 0},
                                          {2.0 / 9 - 7.0 / 24, 1.0 / 3 - 1.0 / 4, 4.0 / 9 - 1.0 / 3, -1.0 / 8}};

inline constexpr Tableau dormand_prince{7,
                                        true,
                                        {{},
                                         {1.0 / 5},
                                         {3.0 / 40, 9.0 / 40},
                                         {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                         {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                         {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                         {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}},
                                        {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0},
                                        {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40}};

}  // namespace tableaus

}  // namespace wobble
