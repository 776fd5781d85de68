// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/clocks.h"

#include <algorithm>
#include <ctime>

namespace lambdascope {

namespace {

thread_local double credited = 0;

/// Share of its pace at which the clock goes on while it is ahead.
constexpr double kCreep = 1e-3;

/// What the system said last of the calling thread, and when; the last answer of threadCpuSeconds(), and when.
struct CpuReading {
    double cpu = 0;
    double wall = -kCpuClockWindow;
    double told = 0;
    double toldAt = 0;
};
thread_local CpuReading reading;

double secondsOf(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

} // namespace

double threadCpuSeconds() {
    const double now = wallSeconds();
    double since = now - reading.wall;
    if (since >= kCpuClockWindow) {
        reading.cpu = secondsOf(CLOCK_THREAD_CPUTIME_ID);
        reading.wall = wallSeconds();
        since = 0;
    }
    const double creep = kCreep * std::min(now - reading.toldAt, kCpuClockWindow);
    reading.told = std::max(reading.told + creep, reading.cpu + since);
    reading.toldAt = now;
    return reading.told + credited;
}

void creditThreadCpuSeconds(double seconds) {
    credited += seconds;
}

double wallSeconds() {
    return secondsOf(CLOCK_MONOTONIC);
}

} // namespace lambdascope
