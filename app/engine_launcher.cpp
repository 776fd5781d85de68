// SPDX-License-Identifier: GPL-3.0-or-later
// What a package installs as `lambdascope` and `lambdascope-cli`: starts the program of that name that was built for
// this processor. lib/lambdascope/x86-64-v3/ holds the one with AVX2, lib/lambdascope/x86-64/ the one for all others.
// An engine cannot choose inside one program: where matrices lie in memory depends on the level.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

int main(int, char** argv) {
    namespace fs = std::filesystem;
    std::error_code failure;
    const fs::path self = fs::read_symlink("/proc/self/exe", failure);
    const fs::path engines = self.parent_path().parent_path() / "lib" / "lambdascope";
    __builtin_cpu_init();
    const bool hasAvx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
                         __builtin_cpu_supports("bmi2") != 0;
    for (const char* level : {"x86-64-v3", "x86-64"}) {
        const fs::path program = engines / level / self.filename();
        if ((hasAvx2 || std::strcmp(level, "x86-64") == 0) && fs::exists(program, failure)) {
            argv[0] = const_cast<char*>(program.c_str());
            execv(program.c_str(), argv);
            std::fprintf(stderr, "lambdascope: cannot start %s: %s\n", program.c_str(), std::strerror(errno));
            return 1;
        }
    }
    std::fprintf(stderr, "lambdascope: there is no program for this processor below %s; install the package again\n",
                 engines.c_str());
    return 1;
}
