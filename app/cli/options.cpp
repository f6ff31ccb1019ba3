#include "app/cli/options.h"

#include "app/cli/option_values.h"
#include "engine/core/spelling.h"
#include "engine/scene/limits.h"
#include "engine/sim/catalog.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <iostream>

namespace wobble::cli {

namespace {

void add_setting(CLI::App& app, std::vector<std::pair<std::string, double>>& settings) {
    std::vector<std::string> names;
    for (const Parameter& p : parameters()) names.emplace_back(p.name);
    const auto take = [&settings](const std::vector<std::string>& texts) {
        for (const std::string& text : texts) {
            const auto equals = text.find('=');
            const auto value = equals == std::string::npos ? std::nullopt : number_in(std::string_view(text).substr(equals + 1));
            if (!value) throw CLI::ValidationError("--set", in_quotes(text) + " is not name=number, for instance --set stiffness=1e5");
            const std::string name = text.substr(0, equals);
            const auto dot = name.rfind('.');  // BODY.NAME; the bodies are known when the scene is
            Parameters trial;
            if (auto set = set_parameter(trial, dot == std::string::npos ? name : name.substr(dot + 1), *value); !set)
                throw CLI::ValidationError("--set", set.message());
            settings.emplace_back(name, *value);
        }
    };
    app.add_option_function<std::vector<std::string>>("--set", take,
                                                      "Change a parameter (repeatable), as BODY.NAME that of one body: " + join(names))
        ->type_name("NAME=VALUE")
        ->expected(1)
        ->take_all();
}

std::pair<int, int> pixels_of(const std::string& text) {
    const auto cross = text.find('x');
    return {whole_number("--size", text.substr(0, cross), limits::pixels), whole_number("--size", text.substr(cross + 1), limits::pixels)};
}

double file_size(const std::string& text, bool or_pixels) {
    const auto metres = text == "file" ? 0 : number_in(text);
    if (metres && (text == "file" || limits::size.contains(*metres))) return *metres;
    throw CLI::ValidationError("--size",
                               in_quotes(text) + (or_pixels ? " is neither WIDTHxHEIGHT, for instance 1280x720, nor " : " is neither ") +
                                   "metres from " + shown(limits::size.low) + " to " + shown(limits::size.high) + " nor \"file\"");
}

// `pixels`: what else --size may be, for commands that draw.
void add_mesh_options(CLI::App& app, SceneOptions& o, std::optional<std::pair<int, int>>* pixels = nullptr) {
    app.add_option_function<std::vector<std::string>>(
           "--size",
           [&o, pixels](const std::vector<std::string>& texts) {
               for (const std::string& text : texts)
                   if (pixels && text.find('x') != std::string::npos) *pixels = pixels_of(text);
                   else o.mesh.size = file_size(text, pixels);
           },
           std::string(pixels ? "WIDTHxHEIGHT: pixels, for instance 1280x720. METRES or file" : "METRES or file") +
               ": how large a mesh is simulated, its largest extent, or as it is (default: 1)")
        ->type_name(pixels ? "WxH|METRES|file" : "METRES|file")
        ->expected(1)
        ->take_all();
    add_choice(app, "--unit", o.mesh.unit, length_units(), "Of a mesh file's numbers; without --size the mesh is simulated in that size");
    add_choice(app, "--up", o.mesh.up, up_axes(), "A mesh file's axis that points upwards (default: guess)");
    add_choice(app, "--hold", o.mesh.hold, holds(), "Where a mesh is held");
    app.add_option_function<std::string>(
           "--resolution",
           [&o](const std::string& text) {
               const Parameter& p = *find_parameter("resolution");
               const double value = number("--resolution", text, {0, p.high});
               Parameters trial;
               if (auto set = set_parameter(trial, p.name, value); !set) throw CLI::ValidationError("--resolution", set.message());
               o.set.emplace_back(p.name, value);
           },
           "Simulated vertices, approximately; 0: what the surface gives; the same as --set resolution=N. The viewer chooses it for opened "
           "meshes by a measurement, run, record and export never do, so that they repeat bit by bit (default: 1500)")
        ->type_name("N");
}

void add_scene_options(CLI::App& app, SceneOptions& o) {
    app.add_option("--integrator", o.integrator, "Method, see: wobble list integrators")->type_name("ID");
    add_number(app, "--step", o.step, limits::step, "Step size in seconds (default: the method's own choice)");
    add_number(app, "--solver-tolerance", o.solver_tolerance, limits::solver_tolerance, "Relative tolerance of Newton, CG and Krylov");
    add_number(app, "--error-tolerance", o.error_tolerance, limits::error_tolerance,
               "Switches step-error control on: error of one step relative to its displacement");
    add_choice(app, "--nonlinear-solver", o.nonlinear_solver, nonlinear_solvers(), "Behind implicit methods");
    add_choice(app, "--linear-solver", o.linear_solver, linear_solvers(), "Behind implicit methods");
    add_choice(app, "--phi", o.phi, phi_methods(), "How exponential methods evaluate phi-functions");
    add_choice(app, "--filter", o.filter, gautschi_filters(), "Filter pair of gautschi");
    add_choice(app, "--step-control", o.step_control, step_controls(), "Who decides how long a step is");
    add_choice(app, "--model", o.model, elastic_models(), "What solids are made of, of matched stiffness unless --set says it");
    add_choice(app, "--as", o.mesh.as, surface_uses(), "What is made of a mesh file");
    add_setting(app, o.set);
    app.add_option_function<std::string>(
           "--threads",
           [&o](const std::string& text) {
               o.threads = whole_number("--threads", text, {0, 256});
           },
           "Worker threads (default 0: all cores); the result does not depend on it")
        ->type_name("N");
    app.add_option_function<std::string>(
           "--seed",
           [&o](const std::string& text) {
               o.seed = whole_number<std::uint64_t>("--seed", text, {0, 9e15});
           },
           "Seed of scenes with random parts (none of the built-in ones has any)")
        ->type_name("S");
    app.add_flag("--quiet", o.quiet, "No progress on the terminal");
}

constexpr const char* scene_or_file = "Built-in scene, scene file (.toml) or mesh (.obj, .ply, .stl, .glb, .msh, .vtu and more)";
constexpr const char* record_names =
    "X.mp4, X.gif, X.webp, X.pc2 (Blender), X.pvd (ParaView), X.usda, X.glb, X.ply, X.obj, or a folder for frame_000000.png, ...";

void add_seconds(CLI::App& app, SceneOptions& o, const std::string& help) {
    add_number(app, "--seconds", o.seconds, limits::seconds, help);
}

CLI::App& add_run(CLI::App& app, RunOptions& o) {
    CLI::App& run = *app.add_subcommand("run", "Simulate without graphics and print a summary");
    run.add_option("scene", o.scene.scene, scene_or_file)->required()->type_name("SCENE|FILE");
    add_scene_options(run, o.scene);
    add_mesh_options(run, o.scene);
    add_seconds(run, o.scene, "Simulated seconds (default: as the scene's recording)");
    run.add_flag("--json", o.json, "Print one JSON object instead of the summary");
    run.add_option("--csv", o.csv, "Write the energies of every step")->type_name("FILE");
    run.add_option("--final", o.final_state, "Write the final state: x,y,z,vx,vy,vz per particle")->type_name("FILE");
    return run;
}

void take_camera(const std::string& text, RecordOptions& o) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string part = text.substr(begin, end - begin);
        const auto equals = part.find('=');
        const std::string name = part.substr(0, equals), value = equals == std::string::npos ? "" : part.substr(equals + 1);
        if (name == "yaw") o.yaw = number("--camera yaw", value, limits::yaw);
        else if (name == "pitch") o.pitch = number("--camera pitch", value, limits::pitch);
        else if (name == "distance") o.distance = number("--camera distance", value, limits::distance);
        else
            throw CLI::ValidationError(
                "--camera", in_quotes(part) + " is none of yaw=DEGREES, pitch=DEGREES, distance=NUMBER (separate them by commas)");
        begin = end + 1;
    }
}

CLI::App& add_record(CLI::App& app, RecordOptions& o) {
    CLI::App& record = *app.add_subcommand("record", "Render a film or write the moving mesh, without a window");
    record.add_option("scene", o.scene.scene, scene_or_file)->required()->type_name("SCENE|FILE");
    record.add_option("--out", o.out, record_names)->required()->type_name("X");
    add_choice(record, "--format", o.format, record_formats(), "What to write, where the name of --out does not say it");
    add_scene_options(record, o.scene);
    add_seconds(record, o.scene, "Length of the film (default: as in the scene)");
    record
        .add_option_function<std::string>(
            "--fps", [&o](const std::string& text) { o.fps = whole_number("--fps", text, limits::fps); }, "Frames per simulated second")
        ->type_name("N");
    add_mesh_options(record, o.scene, &o.size);
    record
        .add_option_function<std::string>(
            "--camera", [&o](const std::string& text) { take_camera(text, o); },
            "\"yaw=35,pitch=18,distance=2.4\": degrees, degrees, diagonals of the body's box")
        ->type_name("VIEW");
    add_choice(record, "--field", o.field, fields(), "What colours the body");
    record.add_flag("--no-legends", o.no_legends, "Leaves the scale of the colours out of the picture");
    return record;
}

CLI::App& add_replay(CLI::App& app, ReplayOptions& o) {
    CLI::App& replay = *app.add_subcommand("replay", "Do a logged session again: exit code 0 if it ends in the same state, else 1");
    replay.add_option("file", o.file, "Run log, saved by the viewer")->required()->type_name("FILE");
    replay.add_flag("--json", o.json, "Print one JSON object");
    replay
        .add_option_function<std::string>(
            "--threads",
            [&o](const std::string& text) {
                o.threads = whole_number("--threads", text, {0, 256});
            },
            "Worker threads (default 0: all cores); the result does not depend on it")
        ->type_name("N");
    replay.add_flag("--quiet", o.quiet, "No progress on the terminal");
    return replay;
}

std::vector<std::string> comma_separated(const std::string& text) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

CLI::App& add_study(CLI::App& app, StudyCommand& o) {
    CLI::App& study = *app.add_subcommand("study", "Run a study: prints its table, writes CSV and SVG files");
    study.add_option("name", o.name, "See: wobble list studies")->required()->type_name("NAME");
    study.add_option("--out", o.out, "Folder for the files (default: study-NAME)")->type_name("DIR");
    const auto add_text = [&](const char* option, const char* type, const char* help, auto take) {
        study.add_option_function<std::string>(option, take, help)->type_name(type);
    };
    add_text("--integrators", "A,B,..", "Only these methods, see: wobble list integrators", [&o](const std::string& text) {
        o.options.integrators = comma_separated(text);
        std::erase(o.options.integrators, "");  // a comma too many
        if (o.options.integrators.empty()) throw CLI::ValidationError("--integrators", "names no method");
    });
    add_number(study, "--solver-tolerance", o.options.solver_tolerance, limits::solver_tolerance,
               "Relative tolerance of Newton, CG and Krylov");
    add_choice(study, "--nonlinear-solver", o.options.nonlinear_solver, nonlinear_solvers(), "Behind implicit methods");
    add_choice(study, "--linear-solver", o.options.linear_solver, linear_solvers(), "Behind implicit methods");
    add_choice(study, "--phi", o.options.phi, phi_methods(), "How exponential methods evaluate phi-functions");
    add_choice(study, "--filter", o.options.filter, gautschi_filters(), "Filter pair of gautschi");
    add_text("--threads", "N", "Worker threads (default 0: all cores)", [&o](const std::string& text) {
        o.options.threads = whole_number("--threads", text, {0, 256});
    });
    study.add_flag("--quiet", o.quiet, "No progress on the terminal");
    add_text("--scene", "SCENE|FILE", "Studies on a body: which (default: the bunny; energy: the beam and the bunny)",
             [&o](const std::string& text) {
                 o.options.scene = text;
                 o.scene_options = true;
             });
    add_text("--seconds", "NUMBER", "Studies on a body: simulated seconds (default: work-precision 1, energy 60, stiffness 0.5 and 0.25)",
             [&o](const std::string& text) {
                 o.options.seconds = number("--seconds", text, limits::seconds);
                 o.scene_options = true;
             });
    add_text("--steps", "H,H,..", "Studies on a body: these step sizes instead of its own, s; scaling: the first is its fixed step",
             [&o](const std::string& text) {
                 for (const std::string& part : comma_separated(text)) o.options.steps.push_back(number("--steps", part, limits::step));
                 o.scene_options = true;
             });
    add_setting(study, o.options.set);
    return study;
}

CLI::App& add_export(CLI::App& app, ExportOptions& o) {
    CLI::App& exported =
        *app.add_subcommand("export", "Write the assembled system for other tools: M.mtx, K.mtx, nodes.csv, springs.csv, mesh.vtu");
    exported.add_option("scene", o.scene.scene, scene_or_file)->required()->type_name("SCENE|FILE");
    exported.add_option("--out", o.out, "Folder for the files")->required()->type_name("DIR");
    add_mesh_options(exported, o.scene);
    add_setting(exported, o.scene.set);
    exported.add_flag("--quiet", o.scene.quiet, "No progress on the terminal");
    return exported;
}

Finished refuse(const CLI::App& app, const std::string& sentence) {
    const auto used = app.get_subcommands();
    complain(sentence + (sentence.ends_with('.') || sentence.ends_with('?') ? " See: wobble " : "; see: wobble ") +
             (used.empty() ? "" : used.front()->get_name() + " ") + "--help");
    return {bad_input};
}

}  // namespace

Invocation parse_arguments(int argc, const char* const* argv) {
    ViewOptions view;
    RunOptions run;
    RecordOptions record;
    ReplayOptions replay;
    ListOptions list;
    CheckOptions check;
    StudyCommand study;
    ExportOptions exported;

    CLI::App app{"Wobble, a laboratory for elastic motion. Without a command: the viewer, on the scene or mesh named (default: bunny).",
                 "wobble"};
    app.set_version_flag("--version", std::string("wobble ") + WOBBLE_VERSION);
    app.require_subcommand(0, 1);
    app.add_option("scene", view.scene.scene, scene_or_file)->type_name("SCENE|FILE");
    add_scene_options(app, view.scene);
    add_mesh_options(app, view.scene);
    add_number(app, "--scale", view.scale, {0.5, 4}, "Viewer: size of text and panels (default: as chosen there, or as the display asks)");
    CLI::App& run_app = add_run(app, run);
    CLI::App& record_app = add_record(app, record);
    CLI::App& replay_app = add_replay(app, replay);
    CLI::App& list_app = *app.add_subcommand("list", "What there is to choose from, one line each");
    list_app.add_option("what", list.what, "scenes, integrators, forces, solvers or studies (default: all)")->type_name("WHAT");
    list_app.add_flag("--json", list.json, "Print one JSON object");
    CLI::App& check_app = *app.add_subcommand("check", "What is wrong with a mesh, and where");
    check_app.add_option("file", check.file, "Mesh: " + mesh_endings())->required()->type_name("FILE");
    check_app
        .add_option("--repair", check.repair,
                    "Write it without its simple faults: doubled vertices and faces, cracks, small holes, turned faces")
        ->type_name("OUT.obj");
    check_app
        .add_option_function<std::string>(
            "--keep",
            [&check](const std::string& text) {
                check.keep_parts = whole_number("--keep", text, {1, 10000});
            },
            "With --repair: only the N largest parts")
        ->type_name("N")
        ->needs("--repair");
    CLI::App& study_app = add_study(app, study);
    CLI::App& export_app = add_export(app, exported);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return Finished{app.exit(error)};  // --help, --version
        const std::vector<std::string> commands{"run", "record", "replay", "list", "check", "study", "export"};
        const std::string near = app.get_subcommands().empty() ? did_you_mean(view.scene.scene, commands) : "";
        if (!near.empty()) return refuse(app, in_quotes(view.scene.scene) + " is none of the commands " + join(commands) + near);
        return refuse(app, error.what());
    }
    if (const auto used = app.get_subcommands(); !used.empty())
        for (const CLI::Option* option : app.get_options())
            if (option->count() > 0) {
                const std::string command = in_quotes(used.front()->get_name());
                const std::string early = option->get_positional() ? view.scene.scene : option->get_name();
                return refuse(app, in_quotes(early) + " stands before the command " + command +
                                       ", where it has no effect; options and scenes of " + command + " come after it");
            }
    const std::vector<std::string> kinds{"scenes", "integrators", "forces", "solvers", "studies"};
    if (run_app) return run;
    if (record_app) {
        if (record.out.empty()) return refuse(app, "--out: a file or folder name must not be empty");
        return record;
    }
    if (replay_app) return replay;
    if (list_app) {
        if (!list.what.empty() && std::find(kinds.begin(), kinds.end(), list.what) == kinds.end())
            return refuse(app, "There is no list of " + in_quotes(list.what) + "; choose one of " + join(kinds));
        return list;
    }
    if (check_app) {
        if (check_app.count("--repair") > 0 && check.repair.empty()) return refuse(app, "--repair: the name of a file must not be empty");
        return check;
    }
    if (study_app) {
        if (study_app.count("--out") > 0 && study.out.empty()) return refuse(app, "--out: the name of a folder must not be empty");
        study.scene_options = study.scene_options || !study.options.set.empty();
        return study;
    }
    if (export_app) {
        if (exported.out.empty()) return refuse(app, "--out: the name of a folder must not be empty");
        return exported;
    }
    return view;
}

void complain(const std::string& sentence) { std::cerr << "wobble: " << sentence << std::endl; }
void complain(const Error& error) { complain((*error.value ? "--" + std::string(error.value) + ": " : "") + error.message); }

}  // namespace wobble::cli
