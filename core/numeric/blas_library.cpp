// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/blas_library.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

// Only OpenBLAS has these symbols. Weak, because any BLAS may stand behind the linker's alternatives.
extern "C" __attribute__((weak)) void openblas_set_num_threads(int count);
extern "C" __attribute__((weak)) char* openblas_get_corename();

namespace lambdascope {

namespace {

constexpr const char* kKernels = "OPENBLAS_CORETYPE";
/// Set beside it, so that a program restarts once at most.
constexpr const char* kRestarted = "LAMBDASCOPE_RESTARTED";

bool processorHasAvx2() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
#else
    return false;
#endif
}

std::string_view coreName() {
    return openblas_get_corename != nullptr ? openblas_get_corename() : std::string_view();
}

} // namespace

void pinBlasToOneThread() {
    if (openblas_set_num_threads != nullptr) {
        openblas_set_num_threads(1);
    }
}

std::string blasKernels() {
    return coreName().empty() ? "other" : "OpenBLAS " + std::string(coreName());
}

std::string_view betterBlasKernels(std::string_view kernels, bool hasAvx2) {
    constexpr std::string_view kWithoutAvx2[] = {"Prescott", "Core2",   "Penryn",    "Dunnington", "Nehalem",
                                                 "Atom",     "Opteron", "Barcelona", "Bobcat",     "Sandybridge"};
    const bool isOld = std::find(std::begin(kWithoutAvx2), std::end(kWithoutAvx2), kernels) != std::end(kWithoutAvx2);
    return hasAvx2 && isOld ? "Haswell" : std::string_view();
}

void restartWithBetterBlasKernels(char** arguments) {
    if (std::getenv(kRestarted) != nullptr) {
        // They have been read. Processes that are started from here may run on another machine.
        ::unsetenv(kRestarted);
        ::unsetenv(kKernels);
        return;
    }
    const std::string better(betterBlasKernels(coreName(), processorHasAvx2()));
    if (!better.empty() && std::getenv(kKernels) == nullptr) {
        ::setenv(kKernels, better.c_str(), /*overwrite=*/1);
        ::setenv(kRestarted, "1", /*overwrite=*/1);
        ::execv("/proc/self/exe", arguments); // returns only when that fails: then the slow kernels will do
        ::unsetenv(kRestarted);
        ::unsetenv(kKernels);
    }
}

} // namespace lambdascope
