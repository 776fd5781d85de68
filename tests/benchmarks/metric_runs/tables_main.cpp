// SPDX-License-Identifier: GPL-3.0-or-later
// lambdascope_metric_tables [--quick] [--list] [--only TEXT]: screening rate, CPU ratio and audited decisions of every
// bound with every rule, for both structures and losses, on real and on adversarial data; Markdown on the standard
// output. Exit status 1 when a decision is wrong or a lane fails.
#include "core/common/number_text.h"
#include "core/numeric/blas_library.h"
#include "core/numeric/memory_pages.h"
#include "tests/benchmarks/metric_runs/table_runner.h"
#include "tests/benchmarks/program_options.h"

#include <cstdio>

int main(int argc, char** argv) {
    lambdascope::restartWithBetterBlasKernels(argv);
    lambdascope::keepFreedMemory();
    using namespace lambdascope;
    using namespace lambdascope::benchmarks;
    const ProgramOptions options = readOptions(argc, argv, "--quick");
    pinBlasToOneThread();
    TableTotals totals;
    for (const TableBlock& block : tableBlocks(options.switched ? TableSize::Quick : TableSize::Whole)) {
        if (!options.wants(block.title)) {
            continue;
        }
        if (options.lists) {
            std::printf("%s\n", block.title.c_str());
        } else {
            runTable(block, totals);
        }
    }
    if (options.lists) {
        return 0;
    }
    std::printf("\n%d tables: %s decisions audited, %s wrong, %s too near an edge to tell, %d failures.\n",
                totals.tables, groupedText(totals.decisions).c_str(), groupedText(totals.wrong).c_str(),
                groupedText(totals.undecided).c_str(), totals.failures);
    return totals.wrong == 0 && totals.failures == 0 ? 0 : 1;
}
