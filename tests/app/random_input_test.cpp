// Random input of mouse and keys. Short in the default tests; WOBBLE_RANDOM_SECONDS=600 for the long session (RandomInput.TenMinutes,
// label soak; also under the sanitizers). Nothing may crash, block, or show a state that is not finite.
#include "tests/app/own_folder.h"
#include "tests/app/viewer_test.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <thread>

namespace wobble {
namespace {

std::string random_input(std::mt19937_64& random, int events) {
    const auto below = [&](int n) { return int(random() % std::uint64_t(n)); };
    const char* keys[] = {"space", "Right",  "Left", "r",         "w",      "t",      "f",      "c",      "v",      "plus",
                          "minus", "Tab",    "F1",   "F3",        "F4",     "Escape", "ctrl+o", "ctrl+s", "ctrl+p", "1",
                          "7",     "period", "e",    "BackSpace", "Return", "Up",     "Down",   "F11"};
    std::string script;
    for (int i = 0; i < events; ++i) {
        const std::string place = "mousemove " + std::to_string(below(900)) + " " + std::to_string(below(640)) + "\n";
        switch (below(8)) {
            case 0:
            case 1:
                script += place + "click 1\n";
                break;
            case 2:
                script += place + "mousedown 1\n" + "mousemove " + std::to_string(below(900)) + " " + std::to_string(below(640)) +
                          "\nmouseup 1\n";
                break;
            case 3:
                script += place + "keydown ctrl\nmousedown 1\nmousemove_relative -- " + std::to_string(below(200) - 100) + " " +
                          std::to_string(below(200) - 100) + "\nsleep 0.1\nmouseup 1\nkeyup ctrl\n";
                break;
            case 4:
                script += place + "keydown ctrl\nclick 3\nkeyup ctrl\n";
                break;
            case 5:
                script += place + "click " + std::to_string(4 + below(2)) + "\n";
                break;
            case 6:
                if (below(20) == 0) script += "key ctrl+q\n";  // often enough to be seen, seldom enough to see anything else
                [[fallthrough]];
            default:
                script += "key " + std::string(keys[below(int(std::size(keys)))]) + "\n";
        }
        script += "sleep 0.03\n";
    }
    return script;
}

TEST(RandomInput, ASessionOfItLeavesEverythingWhole) {
    namespace fs = std::filesystem;
    const char* wanted = std::getenv("WOBBLE_RANDOM_SECONDS");
    const double seconds = wanted ? std::atof(wanted) : 12;
    const char* seed = std::getenv("WOBBLE_RANDOM_SEED");
    std::mt19937_64 random(seed ? std::strtoull(seed, nullptr, 10) : 7);
    const OwnFolder own("random");
    const fs::path& folder = own.path();
    {
        Xvfb server;
        ASSERT_TRUE(server.ready());
        auto scene = soft_torus();
        ASSERT_TRUE(scene);
        ViewerOptions options;
        options.width = 900, options.height = 640, options.threads = 2;
        options.settings_file = folder / "settings.toml";
        std::unique_ptr<ViewerApp> app;
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        int sessions = 0, quits = 0;
        long pictures = 0;
        while (std::chrono::steady_clock::now() < end) {
            if (!app) {
                auto made = ViewerApp::make(scene, options);
                ASSERT_TRUE(made) << made.message();
                app = std::move(made).value();
            }
            const fs::path script = folder / "input.txt";
            std::FILE* file = std::fopen(script.c_str(), "w");
            ASSERT_TRUE(file);
            const std::string text = random_input(random, 100);
            std::fwrite(text.data(), 1, text.size(), file);
            std::fclose(file);
            const pid_t child = fork();
            if (child == 0) {
                execlp("xdotool", "xdotool", script.c_str(), static_cast<char*>(nullptr));
                _exit(127);
            }
            ++sessions;
            int status = 0;
            while (waitpid(child, &status, WNOHANG) == 0) {
                if (!app) {  // the rest of the input meets no window
                    std::this_thread::sleep_for(std::chrono::milliseconds(10));
                    continue;
                }
                ++pictures;
                if (!app->frame()) {
                    app.reset();
                    ++quits;
                    continue;
                }
                for (const auto& shown : app->shown())
                    for (std::size_t i = 0; i < shown->positions.size(); i += 7) ASSERT_TRUE(shown->positions[i].allFinite());
            }
        }
        std::printf("%d bursts of input, %ld pictures, quit %d times\n", sessions, pictures, quits);
        EXPECT_GT(pictures, 10);
    }
}

}  // namespace
}  // namespace wobble
