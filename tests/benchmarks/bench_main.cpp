// SPDX-License-Identifier: GPL-3.0-or-later
// lambdascope_bench [--filter REGEX] [any option of Google Benchmark]. Exit status 1 when a required ratio is missed.
#include "core/numeric/blas_library.h"
#include "core/numeric/memory_pages.h"
#include "tests/benchmarks/ratio_table.h"

#include <cstdio>
#include <string>
#include <vector>

int main(int argc, char** argv) {
    lambdascope::restartWithBetterBlasKernels(argv);
    lambdascope::keepFreedMemory();
    std::vector<std::string> arguments = {argv[0], "--benchmark_repetitions=7", "--benchmark_min_time=0.05",
                                          "--benchmark_report_aggregates_only=true"};
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--filter" && i + 1 < argc) {
            arguments.push_back(std::string("--benchmark_filter=") + argv[++i]);
        } else if (argument.rfind("--filter=", 0) == 0) {
            arguments.push_back("--benchmark_filter=" + argument.substr(9));
        } else {
            arguments.push_back(argument);
        }
    }
    std::vector<char*> pointers;
    for (std::string& argument : arguments) {
        pointers.push_back(argument.data());
    }
    int count = static_cast<int>(pointers.size());
    benchmark::Initialize(&count, pointers.data());
    if (benchmark::ReportUnrecognizedArguments(count, pointers.data())) {
        return 2;
    }
    lambdascope::pinBlasToOneThread();
    lambdascope::benchmarks::RatioReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    const bool good = reporter.printRatios(lambdascope::benchmarks::ratioLines());
    return good ? 0 : 1;
}
