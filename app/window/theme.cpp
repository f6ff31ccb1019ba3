#include "app/window/theme.h"

#include <imgui.h>

#include <cmath>
#include <filesystem>

namespace wobble {

namespace {

constexpr const char* font_files[] = {  // Debian's fonts-inter, then whatever is common
    "/usr/share/fonts/opentype/inter/Inter-Medium.otf", "/usr/share/fonts/opentype/inter/Inter-Regular.otf",
    "/usr/share/fonts/truetype/inter/Inter-Regular.ttf", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"};

struct Palette {
    ImVec4 text, dim, surface, popup, field, raised, pressed, accent, accent_bright, tab;
    float veil;  // of black or white: how strongly headers and lines stand out
    bool light;
};

const Palette dark{{0.905f, 0.918f, 0.938f, 1},
                   {0.580f, 0.620f, 0.680f, 1},
                   {0.105f, 0.118f, 0.141f, 1},
                   {0.125f, 0.140f, 0.168f, 0.985f},
                   {0.165f, 0.184f, 0.218f, 1},
                   {0.222f, 0.248f, 0.294f, 1},
                   {0.28f, 0.31f, 0.365f, 1},
                   {0.925f, 0.475f, 0.318f, 1},
                   {0.975f, 0.570f, 0.420f, 1},
                   {0.416f, 0.214f, 0.143f, 1},
                   1,
                   false};
const Palette light{{0.125f, 0.145f, 0.180f, 1},
                    {0.400f, 0.435f, 0.490f, 1},
                    {0.945f, 0.950f, 0.958f, 1},
                    {0.985f, 0.988f, 0.992f, 0.99f},
                    {0.875f, 0.886f, 0.905f, 1},
                    {0.815f, 0.830f, 0.856f, 1},
                    {0.76f, 0.78f, 0.81f, 1},
                    {0.870f, 0.400f, 0.235f, 1},
                    {0.800f, 0.330f, 0.170f, 1},
                    {0.955f, 0.765f, 0.690f, 1},
                    1.25f,
                    true};

bool light_theme() {
    const ImVec4 text = ImGui::GetStyleColorVec4(ImGuiCol_Text);
    return text.x + text.y + text.z < 1.5f;
}

void apply_colours(const Palette& p) {
    const float ink = p.light ? 0.0f : 1.0f;
    const auto veil = [&](float a) { return ImVec4(ink, ink, ink, p.veil * a); };
    ImVec4* c = ImGui::GetStyle().Colors;
    c[ImGuiCol_Text] = p.text;
    c[ImGuiCol_TextDisabled] = p.dim;
    c[ImGuiCol_WindowBg] = p.surface;
    c[ImGuiCol_PopupBg] = p.popup;
    c[ImGuiCol_Border] = veil(0.10f);
    c[ImGuiCol_FrameBg] = p.field;
    c[ImGuiCol_FrameBgHovered] = c[ImGuiCol_FrameBgActive] = p.raised;
    c[ImGuiCol_Button] = p.field;
    c[ImGuiCol_ButtonHovered] = p.raised;
    c[ImGuiCol_ButtonActive] = p.pressed;
    c[ImGuiCol_Header] = veil(0.055f);
    c[ImGuiCol_HeaderHovered] = veil(0.10f);
    c[ImGuiCol_HeaderActive] = veil(0.14f);
    c[ImGuiCol_SliderGrab] = c[ImGuiCol_CheckMark] = c[ImGuiCol_PlotHistogram] = p.accent;
    c[ImGuiCol_SliderGrabActive] = p.accent_bright;
    c[ImGuiCol_Separator] = veil(0.08f);
    c[ImGuiCol_SeparatorHovered] = c[ImGuiCol_SeparatorActive] = p.accent;
    c[ImGuiCol_ScrollbarBg] = {0, 0, 0, 0};
    c[ImGuiCol_ScrollbarGrab] = p.raised;
    c[ImGuiCol_ScrollbarGrabHovered] = c[ImGuiCol_ScrollbarGrabActive] = p.pressed;
    c[ImGuiCol_TextSelectedBg] = {p.accent.x, p.accent.y, p.accent.z, 0.35f};
    c[ImGuiCol_NavHighlight] = p.accent;
    c[ImGuiCol_Tab] = c[ImGuiCol_TabUnfocused] = p.field;
    c[ImGuiCol_TabHovered] = p.raised;
    c[ImGuiCol_TabActive] = c[ImGuiCol_TabUnfocusedActive] = p.tab;
    c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = p.surface;
    c[ImGuiCol_TableHeaderBg] = p.field;
    c[ImGuiCol_TableRowBgAlt] = veil(0.03f);
    c[ImGuiCol_TableBorderLight] = c[ImGuiCol_TableBorderStrong] = veil(0.08f);
    c[ImGuiCol_ModalWindowDimBg] = p.light ? ImVec4(0.25f, 0.27f, 0.3f, 0.35f) : ImVec4(0.05f, 0.06f, 0.08f, 0.45f);
}

}  // namespace

void add_font(ImFontAtlas& fonts, float pixels, bool plain) {
    ImFontConfig config;
    if (plain) config.OversampleH = config.OversampleV = 1, config.PixelSnapH = true;
    static const ImWchar glyphs[] = {0x20, 0xff, 0x2013, 0x2026, 0x370, 0x3ff, 0x2190, 0x2193, 0};
    for (const char* file : font_files)
        if (std::error_code ignored;
            std::filesystem::exists(file, ignored) && fonts.AddFontFromFileTTF(file, std::round(pixels), &config, glyphs))
            return;
    ImFontConfig simple;
    simple.SizePixels = std::round(pixels * 13 / 15);  // it is a large one
    fonts.AddFontDefault(&simple);
}

void apply_theme(Theme theme, float scale) {
    ImGui::GetIO().Fonts->Clear();
    add_font(*ImGui::GetIO().Fonts, 15 * scale);
    ImGuiStyle& style = ImGui::GetStyle();
    style = ImGuiStyle();  // sizes are scaled from the beginning, not from what they were
    theme == Theme::light ? ImGui::StyleColorsLight() : ImGui::StyleColorsDark();
    style.WindowPadding = {14, 9};
    style.FramePadding = {8, 4};
    style.ItemSpacing = {8, 5};
    style.ItemInnerSpacing = {7, 5};
    style.CellPadding = {6, 3};
    style.GrabMinSize = 11;
    style.ScrollbarSize = 11;
    style.WindowRounding = 8;
    style.FrameRounding = style.GrabRounding = style.PopupRounding = style.ScrollbarRounding = style.ChildRounding = 5;
    style.WindowBorderSize = 0;
    style.PopupBorderSize = 1;
    style.FrameBorderSize = 0;
    style.ScaleAllSizes(scale);
    apply_colours(theme == Theme::light ? light : dark);
}

ThemeColours theme_colours() {
    if (light_theme())
        return {IM_COL32(200, 60, 45, 255),
                IM_COL32(35, 135, 80, 255),
                IM_COL32(210, 40, 40, 255),
                IM_COL32(228, 231, 236, 255),
                {0.945f, 0.950f, 0.958f}};
    return {IM_COL32(237, 92, 77, 255),
            IM_COL32(110, 205, 150, 255),
            IM_COL32(240, 70, 65, 255),
            IM_COL32(21, 23, 29, 255),
            {0.105f, 0.118f, 0.141f}};
}

}  // namespace wobble
