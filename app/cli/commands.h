#pragma once
// One function per command of the program; each returns the exit code and has said everything.
#include "app/cli/options.h"

namespace wobble::cli {

int view(const ViewOptions&);
int run(const RunOptions&);
int record(const RecordOptions&);
int replay(const ReplayOptions&);
int list(const ListOptions&);
int check(const CheckOptions&);
int study(const StudyCommand&);
int export_system(const ExportOptions&);

}  // namespace wobble::cli
