#include "app/theme.h"

#include <imgui.h>

#include <cmath>
#include <filesystem>

namespace wobble {

namespace {

constexpr const char* font_files[] = {  // Debian's fonts-inter, then whatever is common
    "/usr/share/fonts/opentype/inter/Inter-Medium.otf", "/usr/share/fonts/opentype/inter/Inter-Regular.otf",
    "/usr/share/fonts/truetype/inter/Inter-Regular.ttf", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"};

void load_font(float scale) {
    ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
    static const ImWchar glyphs[] = {0x20, 0xff, 0x2013, 0x2026, 0x370, 0x3ff, 0x2190, 0x2193, 0};
    for (const char* file : font_files)
        if (std::error_code ignored;
            std::filesystem::exists(file, ignored) && fonts.AddFontFromFileTTF(file, std::round(15 * scale), nullptr, glyphs))
            return;
    ImFontConfig plain;
    plain.SizePixels = std::round(13 * scale);
    fonts.AddFontDefault(&plain);
}

}  // namespace

void apply_theme(float scale) {
    load_font(scale);
    ImGui::StyleColorsDark();
    ImGuiStyle& style = ImGui::GetStyle();
    style.WindowPadding = {14, 9};
    style.FramePadding = {8, 4};
    style.ItemSpacing = {8, 5};
    style.ItemInnerSpacing = {7, 5};
    style.GrabMinSize = 11;
    style.ScrollbarSize = 11;
    style.WindowRounding = 8;
    style.FrameRounding = style.GrabRounding = style.PopupRounding = style.ScrollbarRounding = style.ChildRounding = 5;
    style.WindowBorderSize = 0;
    style.PopupBorderSize = 1;
    style.FrameBorderSize = 0;
    style.ScaleAllSizes(scale);

    const ImVec4 surface(0.105f, 0.118f, 0.141f, 1), field(0.165f, 0.184f, 0.218f, 1), raised(0.222f, 0.248f, 0.294f, 1),
        accent(0.925f, 0.475f, 0.318f, 1), accent_bright(0.975f, 0.570f, 0.420f, 1);
    ImVec4* c = style.Colors;
    c[ImGuiCol_Text] = {0.905f, 0.918f, 0.938f, 1};
    c[ImGuiCol_TextDisabled] = {0.560f, 0.600f, 0.660f, 1};
    c[ImGuiCol_WindowBg] = surface;
    c[ImGuiCol_PopupBg] = {0.125f, 0.140f, 0.168f, 0.985f};
    c[ImGuiCol_Border] = {1, 1, 1, 0.09f};
    c[ImGuiCol_FrameBg] = field;
    c[ImGuiCol_FrameBgHovered] = c[ImGuiCol_FrameBgActive] = raised;
    c[ImGuiCol_Button] = field;
    c[ImGuiCol_ButtonHovered] = raised;
    c[ImGuiCol_ButtonActive] = {0.28f, 0.31f, 0.365f, 1};
    c[ImGuiCol_Header] = {1, 1, 1, 0.055f};
    c[ImGuiCol_HeaderHovered] = {1, 1, 1, 0.10f};
    c[ImGuiCol_HeaderActive] = {1, 1, 1, 0.14f};
    c[ImGuiCol_SliderGrab] = c[ImGuiCol_CheckMark] = c[ImGuiCol_PlotHistogram] = accent;
    c[ImGuiCol_SliderGrabActive] = accent_bright;
    c[ImGuiCol_Separator] = {1, 1, 1, 0.08f};
    c[ImGuiCol_ScrollbarBg] = {0, 0, 0, 0};
    c[ImGuiCol_ScrollbarGrab] = raised;
    c[ImGuiCol_TextSelectedBg] = {accent.x, accent.y, accent.z, 0.35f};
    c[ImGuiCol_NavHighlight] = accent;
    c[ImGuiCol_Tab] = c[ImGuiCol_TabUnfocused] = field;
    c[ImGuiCol_TabHovered] = raised;
    c[ImGuiCol_TabActive] = c[ImGuiCol_TabUnfocusedActive] = {0.45f * accent.x, 0.45f * accent.y, 0.45f * accent.z, 1};
    c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = surface;
    c[ImGuiCol_ModalWindowDimBg] = {0.05f, 0.06f, 0.08f, 0.45f};
}

}  // namespace wobble
