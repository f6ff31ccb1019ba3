// Studies in the viewer: in the background, cancellable, shown on a page that leaves the simulation alone.
#include "app/studies/study_runner.h"
#include "tests/app/viewer_test.h"

#include <thread>

namespace wobble {
namespace {

bool until(const std::function<bool()>& condition) {  // within a minute, which only ever ends a broken test
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition())
        if (std::chrono::steady_clock::now() > give_up) return false;
    return true;
}

TEST(StudyRunner, GivesTheResultOnce) {
    StudyRunner runner;
    runner.start(*find_study("hauth-examples"), {.integrators = {"verlet"}, .detail = 0.1});
    EXPECT_TRUE(runner.busy());
    std::optional<StudyRunner::Outcome> outcome;
    ASSERT_TRUE(until([&] { return (outcome = runner.poll()).has_value(); }));
    ASSERT_TRUE(*outcome) << outcome->message();
    EXPECT_EQ(outcome->value().tables.front().name, "hauth-examples");
    EXPECT_FALSE(runner.busy());
    EXPECT_FALSE(runner.poll());
}

TEST(StudyRunner, CancelledWorkEndsAndGivesNothing) {
    StudyRunner runner;
    runner.start(*find_study("stability-regions"), {});  // seconds of work
    ASSERT_TRUE(until([&] { return runner.fraction() > 0; }));
    runner.cancel();
    bool given = false;
    ASSERT_TRUE(until([&] {
        given = given || runner.poll().has_value();
        return !runner.busy();
    }));
    EXPECT_FALSE(given);
}

TEST(StudyRunner, FailuresAreSentences) {
    StudyRunner runner;
    runner.start(*find_study("work-precision"), {.scene = "nowhere.obj"});
    std::optional<StudyRunner::Outcome> outcome;
    ASSERT_TRUE(until([&] { return (outcome = runner.poll()).has_value(); }));
    ASSERT_FALSE(*outcome);
    EXPECT_NE(outcome->message().find("nowhere.obj"), std::string::npos);
}

TEST(StudiesPage, RunsAStudyWhileTheBodyMoves) {
    Xvfb server;
    ASSERT_TRUE(server.ready()) << "Xvfb did not start";
    const auto scene = soft_torus();
    ASSERT_TRUE(scene);
    ViewerOptions options;
    options.width = 1000;
    options.height = 700;
    options.threads = 1;
    options.play = true;
    auto made = ViewerApp::make(scene, options);
    ASSERT_TRUE(made) << made.message();
    ViewerApp& app = *made.value();
    const auto framed_until = [&](const std::function<bool()>& condition) { return until([&] { return app.frame(), condition(); }); };
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(app.frame());
    ASSERT_TRUE(Xvfb::xdotool("mousemove 600 300 key F4"));
    ASSERT_TRUE(framed_until([&] { return app.ui().studies.show; }));
    for (int i = 0; i < 3; ++i) app.frame();
    // The Run button is as wide as the left column; somewhere below the text. A click on every height finds it.
    const double t = app.latest()->t;
    for (int y = 240; y < 420 && !app.ui().studies.running; y += 10) {
        ASSERT_TRUE(Xvfb::xdotool("mousemove 470 " + std::to_string(y) + " click 1"));
        for (int i = 0; i < 3; ++i) app.frame();
    }
    ASSERT_TRUE(app.ui().studies.running);
    EXPECT_TRUE(framed_until([&] { return app.latest()->t > t; })) << "the body goes on moving";
    ASSERT_TRUE(Xvfb::xdotool("key Escape"));
    EXPECT_TRUE(framed_until([&] { return !app.ui().studies.show; }));
    // RetiringSimulations the window with a study under way ends both.
}

}  // namespace
}  // namespace wobble
