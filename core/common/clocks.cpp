// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/clocks.h"

#include <ctime>

namespace lambdascope {

namespace {

thread_local double credited = 0;

double secondsOf(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

} // namespace

double threadCpuSeconds() {
    return secondsOf(CLOCK_THREAD_CPUTIME_ID) + credited;
}

void creditThreadCpuSeconds(double seconds) {
    credited += seconds;
}

double wallSeconds() {
    return secondsOf(CLOCK_MONOTONIC);
}

} // namespace lambdascope
