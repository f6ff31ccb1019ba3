// The program: the command line decides which command runs; nothing but sentences leaves it.
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"

#include <exception>
#include <iostream>
#include <new>

namespace {

using namespace wobble::cli;

struct Start {
    // Those that listen for Ctrl-C; the others are ended by it as usual.
    int operator()(const ViewOptions& o) const { return catch_interrupts(true), view(o); }
    int operator()(const RunOptions& o) const { return catch_interrupts(), run(o); }
    int operator()(const RecordOptions& o) const { return catch_interrupts(), record(o); }
    int operator()(const ReplayOptions& o) const { return catch_interrupts(), replay(o); }
    int operator()(const StudyCommand& o) const { return catch_interrupts(), study(o); }
    int operator()(const ExportOptions& o) const { return catch_interrupts(), export_system(o); }
    int operator()(const ListOptions& o) const { return list(o); }
    int operator()(const CheckOptions& o) const { return check(o); }
    int operator()(const Finished& o) const { return o.exit_code; }
};

}  // namespace

int main(int argc, char** argv) {
    try {
        const int code = std::visit(Start{}, parse_arguments(argc, argv));
        std::cout.flush();
        if (std::cout) return code;
        complain("Writing to standard output failed; is the disk full?");
        return code == fine ? failed : code;
    } catch (const std::bad_alloc&) {
        complain("There is not enough memory for this; choose a smaller resolution, for instance --set resolution=2000.");
    } catch (const std::exception& error) {
        complain(std::string("Something unexpected went wrong (") + error.what() + ").");
    }
    return failed;
}
