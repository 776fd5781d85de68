// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output_check.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

namespace lambdascope::cli {

namespace {

/// Whether standard output is a pipe or socket that nobody reads any more.
bool hasNoReader() {
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

} // namespace

ExitStatus withOutputChecked(ExitStatus status) {
    errno = 0;
    const bool isFlushed = std::fflush(stdout) == 0;
    const int reason = errno;
    if ((isFlushed && std::ferror(stdout) == 0) || reason == EPIPE || hasNoReader()) {
        return status;
    }
    // An earlier write that failed left no reason behind.
    const std::string why = isFlushed || reason == 0 ? "" : ": " + std::generic_category().message(reason);
    std::fprintf(stderr, "lambdascope-cli: standard output could not be written%s\n", why.c_str());
    return status == ExitStatus::Done ? ExitStatus::Failed : status;
}

} // namespace lambdascope::cli
