#include "app/window/settings.h"

#include "app/runs/simulation_group.h"
#include "engine/core/file.h"
#include "engine/core/folder.h"
#include "engine/core/spelling.h"
#include "engine/core/text.h"
#include "engine/scene/limits.h"
#include "engine/sim/catalog.h"

#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <sstream>

namespace wobble {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t largest_file = 1 << 20, longest_text = 4096, most_texts = 32;
constexpr double seconds_between = 3;

template <class Kind>
struct Named {
    Kind kind;
    const char* id;
};
constexpr Named<Theme> themes[] = {{Theme::dark, "dark"}, {Theme::light, "light"}};
constexpr Named<PlotPage> plot_pages[] = {{PlotPage::energy, "energy"},
                                          {PlotPage::drift, "drift"},
                                          {PlotPage::work, "work"},
                                          {PlotPage::timing, "timing"},
                                          {PlotPage::difference, "difference"}};
constexpr Named<Layout> layouts[] = {{Layout::side_by_side, "side-by-side"}, {Layout::overlaid, "overlaid"}};

// The one list of settings; read and written in this order.
template <class Visitor>
void each_setting(UiState& ui, Visitor&& v) {
    WindowState& i = ui.interface;
    v.section("interface", "how the window looks");
    v.choice("theme", i.theme, themes);
    v.number("scale", i.scale, 0.0, 4.0);
    v.number("side_width", i.side_width, 200.0, 1200.0);
    v.number("strip_height", i.strip_height, 80.0, 1200.0);
    v.texts("closed_sections", i.closed);
    v.flag("timings", i.show_timings);
    v.section("window", "screen coordinates");
    v.number("width", i.window.width, 200, 16384);
    v.number("height", i.window.height, 150, 16384);
    v.number("x", i.window.x, WindowShape::anywhere, 100000);
    v.number("y", i.window.y, WindowShape::anywhere, 100000);
    v.flag("maximised", i.window.maximised);
    v.section("view", "what the picture shows");
    v.flag("wireframe", ui.view.wireframe);
    v.flag("ground", ui.view.ground);
    v.flag("shadow", ui.view.shadow);
    v.flag("held_parts", ui.view.highlight_pins);
    v.flag("contacts", ui.view.contacts);
    v.flag("dark_room", ui.view.dark);
    v.number("samples", ui.view.samples, 1, 16);
    v.colour("colour", ui.view.colour);
    v.flag("file_colours", ui.view.file_colours);
    v.choice("look", ui.view.look, looks());
    v.choice("field", ui.view.field, fields());
    v.number("field_high", ui.view.field_high, limits::field_high.low, limits::field_high.high);
    v.flag("tetrahedra", ui.view.tets);
    v.number("cut", ui.view.cut, 0.0, 1.0);
    v.number("cut_axis", ui.view.cut_axis, 0, 2);
    v.flag("cut_low_side", ui.view.cut_low_side);
    v.section("record", "films, pictures and the moving mesh");
    v.choice("format", ui.record.format, record_formats());
    v.number("width", ui.record.width, static_cast<int>(limits::pixels.low), static_cast<int>(limits::pixels.high));
    v.number("height", ui.record.height, static_cast<int>(limits::pixels.low), static_cast<int>(limits::pixels.high));
    v.number("fps", ui.record.fps, static_cast<int>(limits::fps.low), static_cast<int>(limits::fps.high));
    v.flag("window_size", ui.record.window_size);
    v.flag("with_panels", ui.record.with_ui);
    v.flag("legends", ui.record.legends);
    v.flag("screenshot_with_panels", ui.record.screenshot_with_ui);
    v.number_or_none("seconds", ui.record.seconds, limits::seconds.low, limits::seconds.high);
    v.text("out", ui.record.out);
    v.section("plots", "the strip at the bottom");
    v.choice("page", ui.plots.page, plot_pages);
    v.flag("earlier_runs", ui.plots.earlier_runs);
    v.section("compare", "integrators side by side");
    v.choice("layout", ui.compare.layout, layouts);
    v.integrators("integrators", ui.compare.methods);
    v.flag("same_step", ui.compare.same_step);
    v.number("step", ui.compare.step, 1e-5, 0.1);
    v.section("files", "opened before, newest first");
    v.texts("recent", ui.scene.recent);
    v.texts("imports", ui.scene.imports);
}

class Reader {
public:
    explicit Reader(const toml::table& whole) : whole_(whole) {}
    const std::vector<std::string>& complaints() const { return complaints_; }

    void section(const char* name, const char*) {
        name_ = name;
        const toml::node* node = whole_.get(name);
        section_ = node ? node->as_table() : nullptr;
        if (node && !section_) complaints_.push_back(text(name_, " is not a table"));
    }
    template <class T>
    void number(const char* key, T& value, double low, double high) {
        const toml::node* node = find(key);
        if (!node) return;
        const auto found = node->value<double>();
        const bool good =
            (node->is_integer() || (node->is_floating_point() && std::is_floating_point_v<T>)) && found && *found >= low && *found <= high;
        if (good) value = static_cast<T>(*found);
        else complain(key, text("must be a number from ", low, " to ", high));
    }
    // 0 stands for none.
    void number_or_none(const char* key, double& value, double low, double high) {
        const toml::node* node = find(key);
        if (node && node->is_number() && node->value<double>() == 0.0) value = 0;
        else number(key, value, low, high);
    }
    void flag(const char* key, bool& value) {
        const toml::node* node = find(key);
        if (!node) return;
        if (node->is_boolean()) value = node->value_or(value);
        else complain(key, "must be true or false");
    }
    template <class Kind, class List>
    void choice(const char* key, Kind& value, const List& list) {
        const toml::node* node = find(key);
        if (!node) return;
        const auto found = node->value<std::string>();
        std::vector<std::string> known;
        for (const auto& row : list) {
            known.emplace_back(row.id);
            if (found && *found == row.id) return void(value = row.kind);
        }
        complain(key, "must be one of " + join(known));
    }
    void text(const char* key, std::string& value) {
        const toml::node* node = find(key);
        if (!node) return;
        const auto found = node->value<std::string>();
        if (found && readable(*found)) value = *found;
        else complain(key, "must be a text");
    }
    template <class Texts>
    void texts(const char* key, Texts& value) {
        const toml::node* node = find(key);
        if (!node) return;
        const toml::array* array = node->as_array();
        if (!array) return complain(key, "must be a list of texts");
        Texts all;
        for (const toml::node& item : *array) {
            const auto found = item.value<std::string>();
            if (!found || !item.is_string() || !readable(*found)) return complain(key, "must be a list of texts");
            if (all.size() < most_texts) all.insert(all.end(), *found);
        }
        value = std::move(all);
    }
    void integrators(const char* key, std::vector<std::string>& value) {
        std::vector<std::string> found = value;
        texts(key, found);
        const bool known = std::all_of(found.begin(), found.end(), [](const std::string& id) { return find_method(id); });
        if (known && found.size() >= 2 && found.size() <= SimulationGroup::most) value = std::move(found);
        else complain(key, text("must be two to ", SimulationGroup::most, " integrators; `wobble list integrators` names them"));
    }
    void colour(const char* key, Vec3f& value) {
        const toml::node* node = find(key);
        if (!node) return;
        const toml::array* array = node->as_array();
        Vec3f found = Vec3f::Constant(-1);
        for (std::size_t k = 0; array && array->size() == 3 && k < 3; ++k)
            found[static_cast<int>(k)] = static_cast<float>(array->get(k)->value<double>().value_or(-1));
        if (found.allFinite() && found.minCoeff() >= 0 && found.maxCoeff() <= 1) value = found;
        else complain(key, "must be three numbers from 0 to 1");
    }

private:
    template <class... Parts>
    static std::string text(const Parts&... parts) {
        return wobble::text(parts...);
    }
    static bool readable(const std::string& s) {
        return s.size() <= longest_text && std::none_of(s.begin(), s.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
    }
    const toml::node* find(const char* key) const { return section_ ? section_->get(key) : nullptr; }
    void complain(const char* key, const std::string& what) { complaints_.push_back(text(name_, ".", key, " ", what)); }

    const toml::table& whole_;
    const toml::table* section_ = nullptr;
    const char* name_ = "";
    std::vector<std::string> complaints_;
};

class Writer {
public:
    std::string take() { return out_.str(); }
    void section(const char* name, const char* meaning) { out_ << "\n[" << name << "]  # " << meaning << "\n"; }
    void number(const char* key, float value, double, double) { put(key, tidy(value)); }
    void number(const char* key, double value, double, double) { put(key, tidy(value)); }
    void number(const char* key, int value, double, double) { put(key, toml::value<std::int64_t>(value)); }
    void number_or_none(const char* key, double value, double low, double high) { number(key, value, low, high); }
    void flag(const char* key, bool value) { put(key, toml::value<bool>(value)); }
    template <class Kind, class List>
    void choice(const char* key, Kind kind, const List& list) {
        for (const auto& row : list)
            if (row.kind == kind) return text(key, row.id);
    }
    void text(const char* key, const std::string& value) { put(key, toml::value<std::string>(value)); }
    template <class Texts>
    void texts(const char* key, const Texts& values) {
        toml::array all;
        for (const std::string& value : values) all.push_back(value);
        put(key, all);
    }
    void integrators(const char* key, const std::vector<std::string>& ids) { texts(key, ids); }
    void colour(const char* key, const Vec3f& value) {
        put(key, "[" + tidy(value.x()) + ", " + tidy(value.y()) + ", " + tidy(value.z()) + "]");
    }

private:
    template <class T>
    static std::string tidy(T value) {  // the shortest text that reads back as the same number, always a TOML float
        char text[40];
        std::string s(text, std::to_chars(text, text + sizeof text, value).ptr);
        return s.find_first_of(".e") == std::string::npos ? s + ".0" : s;
    }
    void put(const char* key, const auto& value) { out_ << key << " = " << value << "\n"; }
    std::ostringstream out_;
};

std::string write_settings(const fs::path& file, const std::string& content) {
    if (auto made = make_folder(file.parent_path()); !made) return made.message();
    auto output = OutputFile::create(file);
    if (!output) return output.message();
    output.value().write(content);
    const auto done = output.value().commit();
    return done ? "" : done.message();
}

}  // namespace

fs::path default_settings_file() {
    const auto variable = [](const char* name) { return fs::path(std::getenv(name) ? std::getenv(name) : ""); };
    fs::path folder = variable("XDG_CONFIG_HOME");
    if (!folder.is_absolute()) folder = variable("HOME").is_absolute() ? variable("HOME") / ".config" : fs::path();
    return folder.empty() ? fs::path() : folder / "wobble" / "settings.toml";
}

std::string settings_text(const UiState& ui) {
    Writer writer;
    each_setting(const_cast<UiState&>(ui), writer);  // the writer only reads
    return "# Wobble's window, remembered between starts. Written by the viewer; may be edited while it is closed, or deleted.\n" +
           writer.take();
}

std::string apply_settings(const std::string& content, UiState& ui) {
    toml::table whole;
    try {
        whole = toml::parse(content);
    } catch (const toml::parse_error& failure) {
        return text("is not TOML (line ", failure.source().begin.line, ": ", failure.description(), ")");
    }
    Reader reader(whole);
    each_setting(ui, reader);
    const auto& all = reader.complaints();
    if (all.empty()) return "";
    return all.front() + (all.size() > 1 ? text(", and ", all.size() - 1, " more") : "");
}

SettingsKeeper::~SettingsKeeper() {
    if (writing_.valid()) writing_.wait();
}

void SettingsKeeper::load(UiState& ui) {
    std::error_code ignored;
    if (file_.empty()) return;
    if (fs::exists(file_, ignored)) {
        const auto content = read_file(file_, largest_file);
        const std::string wrong = content ? apply_settings(content.value(), ui) : content.message();
        if (!wrong.empty())
            ui.interface.message =
                content ? "Settings in " + in_quotes(file_.string()) + ": " + wrong + "; defaults are used there." : wrong;
        if (content && wrong.empty()) written_ = content.value();
        else fs::copy_file(file_, fs::path(file_) += ".bad", fs::copy_options::overwrite_existing, ignored);  // may hold hand-made edits
    }
}

void SettingsKeeper::keep(UiState& ui, double now) {
    if (writing_.valid() && writing_.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
        if (std::string wrong = writing_.get(); !wrong.empty()) ui.interface.message = "The settings are not remembered: " + wrong;
    if (file_.empty() || now - last_look_ < seconds_between || writing_.valid()) return;
    last_look_ = now;
    if (std::string text = settings_text(ui); text != written_) write(std::move(text));
}

void SettingsKeeper::finish(const UiState& ui) {
    if (file_.empty()) return;
    if (writing_.valid()) writing_.wait();
    if (std::string text = settings_text(ui); text != written_) write(std::move(text));
}

void SettingsKeeper::write(std::string text) {
    written_ = text;  // a place that cannot be written is not tried again until something changes
    writing_ = std::async(std::launch::async, [file = file_, text = std::move(text)] { return write_settings(file, text); });
}

}  // namespace wobble
