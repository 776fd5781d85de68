// SPDX-License-Identifier: GPL-3.0-or-later
// lambdascope_metric_tables [--quick] [--only TEXT]: screening rate, CPU ratio and audited decisions of every bound
// with every rule, for both structures and losses, on real and on adversarial data; Markdown on the standard output.
// Exit status 1 when a decision is wrong or a lane fails.
#include "core/common/number_text.h"
#include "core/numeric/blas_threads.h"
#include "tests/benchmarks/metric_runs/table_runner.h"

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
    using namespace lambdascope;
    using namespace lambdascope::benchmarks;
    TableSize size = TableSize::Whole;
    std::string only;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--quick") {
            size = TableSize::Quick;
        } else if (argument == "--only" && i + 1 < argc) {
            only = argv[++i];
        } else {
            std::fprintf(stderr, "usage: %s [--quick] [--only PART-OF-A-TITLE]\n", argv[0]);
            return 2;
        }
    }
    pinBlasToOneThread();
    TableTotals totals;
    for (const TableBlock& block : tableBlocks(size)) {
        if (block.title.find(only) != std::string::npos) {
            runTable(block, totals);
        }
    }
    std::printf("\n%d tables: %s decisions audited, %s wrong, %s too near an edge to tell, %d failures.\n",
                totals.tables, groupedText(totals.decisions).c_str(), groupedText(totals.wrong).c_str(),
                groupedText(totals.undecided).c_str(), totals.failures);
    return totals.wrong == 0 && totals.failures == 0 ? 0 : 1;
}
