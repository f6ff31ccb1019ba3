#pragma once
// What is remembered between starts: a TOML file that people may edit. Nothing in it is trusted: every value is checked by itself, a bad
// one leaves the default and is named in a sentence.
#include "app/window/ui_state.h"

#include <filesystem>
#include <future>
#include <string>

namespace wobble {

std::filesystem::path default_settings_file();  // $XDG_CONFIG_HOME/wobble/settings.toml, or under ~/.config; empty if there is neither

std::string settings_text(const UiState&);                      // as in the file
std::string apply_settings(const std::string& text, UiState&);  // empty, or what was wrong with it, without the file's name

// Keeps one file in step with the interface. UI thread; writing happens in the background.
class SettingsKeeper {
public:
    explicit SettingsKeeper(std::filesystem::path file) : file_(std::move(file)) {}  // empty: nothing is read or written
    ~SettingsKeeper();                                                               // waits for the last writing
    SettingsKeeper(const SettingsKeeper&) = delete;
    SettingsKeeper& operator=(const SettingsKeeper&) = delete;

    void load(UiState&);              // a missing file is none to complain about
    void keep(UiState&, double now);  // now: s; writes when something has changed, at most every few seconds
    void finish(const UiState&);      // writes at once what has changed

private:
    void write(std::string text);

    std::filesystem::path file_;
    std::string written_;               // as in the file, as far as we know
    double last_look_ = -1;             // s
    std::future<std::string> writing_;  // empty, or why it failed
};

}  // namespace wobble
