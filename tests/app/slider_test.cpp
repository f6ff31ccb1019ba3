// Values as people write them, and the slider itself, driven by a pointer and keys without a window.
#include "app/panels/values.h"
#include "app/panels/widgets.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

TEST(Values, AreWrittenWithTheirUnits) {
    EXPECT_EQ(value_text(6000, "N/m"), "6 kN/m");
    EXPECT_EQ(value_text(2e11, "Pa"), "200 GPa");
    EXPECT_EQ(value_text(1000, "kg/m^3"), "1000 kg/m\xc2\xb3");
    EXPECT_EQ(value_text(0.35, ""), "0.35");
    EXPECT_EQ(value_text(0, "s"), "0 s");
}

TEST(Values, AreReadAsPeopleTypeThem) {
    const auto typed = [](const char* text, const char* unit) { return typed_value(text, unit).value_or(-12345); };
    EXPECT_DOUBLE_EQ(typed("6000", "N/m"), 6000);
    EXPECT_DOUBLE_EQ(typed(" 6k ", "N/m"), 6000);
    EXPECT_DOUBLE_EQ(typed("6 kN/m", "N/m"), 6000);
    EXPECT_DOUBLE_EQ(typed("1e5 Pa", "Pa"), 1e5);
    EXPECT_DOUBLE_EQ(typed("2,5", "s"), 2.5);
    EXPECT_DOUBLE_EQ(typed("2 ms", "s"), 2e-3);
    EXPECT_DOUBLE_EQ(typed("0.01 s", "ms"), 10);
    EXPECT_DOUBLE_EQ(typed("-9.81 m/s^2", "m/s^2"), -9.81);
    EXPECT_DOUBLE_EQ(typed("9.81 m/s\xc2\xb2", "m/s^2"), 9.81);
    for (const char* nonsense : {"", "x", "1 kg", "nan", "inf", "1e999", "0x10", "1 2", "k"})
        EXPECT_FALSE(typed_value(nonsense, "N/m")) << nonsense;
    for (const double value : {0.0, 1.0, 6000.0, 4.56e-3, 2.5e9})  // what is shown can be typed
        for (const char* unit : {"N/m", "Pa", "s", "kg/m^3", ""})
            EXPECT_NEAR(typed_value(value_text(value, unit), unit).value_or(-1), value, 1e-3 * value) << value << unit;
}

// One slider in a window of 400 x 100; the value it drives is "the simulation's".
class Slider : public ::testing::Test {
protected:
    void SetUp() override {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = {400, 200};
        unsigned char* pixels = nullptr;
        int width = 0, height = 0;
        io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
        io.KeyMap[ImGuiKey_Enter] = 1;
        io.KeyMap[ImGuiKey_Escape] = 2;
        frame();
        frame();
    }
    void TearDown() override { ImGui::DestroyContext(); }
    void frame() {
        ImGui::GetIO().DeltaTime = 1.0f / 60;
        ImGui::NewFrame();
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({400, 100});
        ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
        if (value_slider("x", "Stiffness", "N/m", "What it does", value, range, preset)) ++changes;
        corner = ImGui::GetItemRectMin(), end = ImGui::GetItemRectMax();
        ImGui::End();
        ImGui::Render();
    }
    void point(float x, float y) {
        ImGui::GetIO().MousePos = {x, y};
        frame();
    }
    void button(int which, bool down) {
        ImGui::GetIO().MouseDown[which] = down;
        frame();
    }
    void click(float x, float y, int which = 0) {
        point(x, y);
        button(which, true);
        button(which, false);
    }
    void key(int which) {
        ImGui::GetIO().KeysDown[which] = true;
        frame();
        ImGui::GetIO().KeysDown[which] = false;
        frame();
        frame();
    }
    void type(const char* text) {
        frame();
        ImGui::GetIO().AddInputCharactersUTF8(text);
        frame();
    }
    static constexpr float middle = 16, on_bar = 200, right_end = 388;  // of the only line; the bar begins at 0.4 of 400

    double value = 6000;
    ValueRange range{1e2, 1e12, true, false};
    std::optional<double> preset = 6000;
    int changes = 0;
    ImVec2 corner, end;
};

TEST_F(Slider, ADragMovesTheValueFromWhereItIs) {
    point(on_bar, middle);
    button(0, true);
    frame();
    EXPECT_EQ(value, 6000) << "pressing alone changes nothing";
    point(on_bar + 30, middle);
    point(on_bar + 60, middle);
    EXPECT_GT(value, 6000 * 10);
    const double there = value;
    EXPECT_EQ(there, rounded(there)) << "a dragged value is round";
    button(0, false);
    frame();
    EXPECT_EQ(value, there);
    EXPECT_FALSE(ImGui::GetIO().WantTextInput) << "a drag is no click";
}

TEST_F(Slider, AClickTypesAndTheNumberCountsWhenItIsComplete) {
    click(on_bar, middle);
    frame();
    type("25 kN/m");
    EXPECT_EQ(value, 6000) << "not before it is complete";
    EXPECT_EQ(changes, 0);
    key(1);
    EXPECT_DOUBLE_EQ(value, 25000);
    EXPECT_EQ(changes, 1);
}

TEST_F(Slider, LeavingTheFieldCountsEscapeAndNonsenseDoNot) {
    click(on_bar, middle);
    type("7000");
    click(50, 90);  // beside it
    frame();
    EXPECT_DOUBLE_EQ(value, 7000);
    click(on_bar, middle);
    type("8000");
    key(2);
    EXPECT_DOUBLE_EQ(value, 7000);
    click(on_bar, middle);
    type("nonsense");
    key(1);
    EXPECT_DOUBLE_EQ(value, 7000);
    EXPECT_EQ(changes, 1);
}

TEST_F(Slider, TypedValuesStayInTheRange) {
    click(on_bar, middle);
    type("1e300");
    key(1);
    EXPECT_DOUBLE_EQ(value, 1e12);
    click(on_bar, middle);
    type("-4");
    key(1);
    EXPECT_DOUBLE_EQ(value, 1e2);
}

TEST_F(Slider, TheArrowIsThereWhenTheValueDiffersAndPutsItBack) {
    click(right_end - 10, middle);  // no arrow: the click types
    for (int i = 0; i < 3; ++i) frame();
    EXPECT_TRUE(ImGui::GetIO().WantTextInput);
    key(2);
    value = 9e9;
    frame();
    click(right_end - 10, middle);
    frame();
    EXPECT_DOUBLE_EQ(value, 6000);
    EXPECT_EQ(changes, 1);
}

TEST_F(Slider, TheRightButtonOpensAMenuWithTheReset) {
    value = 9e9;
    click(on_bar, middle, 1);
    frame();
    frame();
    click(on_bar + 20, middle + 17);  // its first line
    frame();
    EXPECT_DOUBLE_EQ(value, 6000);
}

TEST_F(Slider, ZeroIsTheLeftEndWhereItIsAllowed) {
    range = {1e-6, 1, true, true};
    preset = 0.0;
    value = 1e-3;
    point(on_bar, middle);
    button(0, true);
    point(on_bar - 50, middle);
    point(on_bar - 400, middle);
    point(on_bar - 401, middle);
    button(0, false);
    EXPECT_EQ(value, 0);
}

}  // namespace
}  // namespace wobble
