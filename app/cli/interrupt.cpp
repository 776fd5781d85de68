// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupt.h"

#include "app/cli/exit_status.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

namespace lambdascope::cli {

namespace {

constexpr char kStop = 's';
constexpr char kQuit = 'q';

// A signal handler can reach nothing but globals.
std::array<int, 2> pipeEnds{-1, -1};
volatile std::sig_atomic_t signalCount = 0;

void tell(char message) {
    const ssize_t written = write(pipeEnds[1], &message, 1);
    (void)written; // the pipe is never full: one byte per signal, and the second signal ends the process
}

void onSignal(int /*signal*/) {
    const int savedErrno = errno;
    signalCount = signalCount + 1;
    if (signalCount > 1) {
        _exit(static_cast<int>(ExitStatus::Interrupted));
    }
    tell(kStop);
    errno = savedErrno;
}

void handle(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
}

} // namespace

InterruptWatch::InterruptWatch() {
    if (pipe2(pipeEnds.data(), O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    signalCount = 0;
    m_waiter = std::thread([this] {
        char message = 0;
        while (read(pipeEnds[0], &message, 1) != 1) {
        }
        if (message == kStop) {
            m_stop.request_stop();
        }
    });
    handle(SIGINT, onSignal);
    handle(SIGTERM, onSignal);
}

InterruptWatch::~InterruptWatch() {
    handle(SIGINT, SIG_DFL);
    handle(SIGTERM, SIG_DFL);
    tell(kQuit);
    m_waiter.join();
    close(pipeEnds[0]);
    close(pipeEnds[1]);
}

} // namespace lambdascope::cli
