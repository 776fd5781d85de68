// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"
#include "app/cli/output_check.h"
#include "core/common/abandonable_call.h"
#include "core/numeric/blas_library.h"
#include "core/numeric/memory_pages.h"
#include "core/run/library_exceptions.h"

#include <csignal>

int main(int argumentCount, char** arguments) {
    using namespace lambdascope;
    restartWithBetterBlasKernels(arguments);
    keepFreedMemory();
    // A closed reader (… | head) ends output, not the run with its files.
    std::signal(SIGPIPE, SIG_IGN);
    // A file over the size limit is told like a full disk.
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        exitWithoutAbandonedCalls(
            static_cast<int>(cli::withOutputChecked(cli::runCommandLine(argumentCount, arguments))));
    } catch (...) {
        exitWithoutAbandonedCalls(static_cast<int>(cli::report(errorOfCurrentException("running the command"))));
    }
}
