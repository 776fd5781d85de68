// SPDX-License-Identifier: GPL-3.0-or-later
// lambdascope_svm_tables [--list] [--only TEXT] [--quick]: optimal values beside LIBLINEAR's, screening rates of all
// bounds, audited decisions, and the approaches of [S, table IV] on real data; Markdown on the standard output. Exit
// status 1 when a decision is wrong or a check fails.
#include "core/common/number_text.h"
#include "core/numeric/blas_library.h"
#include "core/numeric/memory_pages.h"
#include "tests/benchmarks/program_options.h"
#include "tests/benchmarks/svm_runs/cost_tables.h"
#include "tests/benchmarks/svm_runs/screening_tables.h"

#include <cstdio>
#include <functional>
#include <utility>
#include <vector>

namespace lambdascope::benchmarks {
namespace {

constexpr int kAwkwardSeeds = 4;

struct Table {
    std::string title;
    std::string data; ///< empty for none
    std::function<void(const std::string& data, TableTotals&)> print;
};

std::vector<Table> allTables(bool isQuick) {
    std::vector<Table> tables;
    const auto add = [&](const std::string& title, const std::vector<std::string>& data, const auto& print) {
        for (const std::string& name : data) {
            tables.push_back({title + ", " + name, name, print});
        }
    };
    add("objectives", {"wdbc", "heart", "german", "dna 1", "dna 2", "dna 3", "w8a", "reuters"}, printObjectives);
    add("rates", {"figure 1", "wdbc", "dna 2", "digit1", "pendigits 8"}, printRates);
    add("audit", {"heart", "wdbc", "german", "splice", "digit1", "dna 2"}, printAudit);
    for (const auto& [task, name] : {std::pair{BiasTask::Classification, "classification"},
                                     {BiasTask::Regression, "regression"},
                                     {BiasTask::Novelty, "novelty"}}) {
        add(std::string("audit with a free bias, ") + name, {"heart", "wdbc", "figure 1", "german"},
            [task = task](const std::string& data, TableTotals& totals) { printFreeBiasAudit(task, data, totals); });
    }
    tables.push_back({"audit with a free bias, awkward shapes", "", [isQuick](const std::string&, TableTotals& totals) {
                          printAwkwardAudit(isQuick ? 1 : kAwkwardSeeds, totals);
                      }});
    add("approaches", {"wdbc", "dna 2", "digit1", "splice", "pendigits 8"},
        [](const std::string& data, TableTotals&) { printApproaches(data); });
    add("auto over none", {"wdbc", "dna 2", "digit1", "splice", "pendigits 8", "w8a", "50,000 × 22"},
        [isQuick](const std::string& data, TableTotals& totals) { printPays(data, false, isQuick, totals); });
    add("auto over none with a free bias", {"wdbc", "dna 2", "digit1", "splice", "pendigits 8"},
        [isQuick](const std::string& data, TableTotals& totals) { printPays(data, true, isQuick, totals); });
    return tables;
}

} // namespace
} // namespace lambdascope::benchmarks

int main(int argc, char** argv) {
    lambdascope::restartWithBetterBlasKernels(argv);
    lambdascope::keepFreedMemory();
    using namespace lambdascope;
    using namespace lambdascope::benchmarks;
    const ProgramOptions options = readOptions(argc, argv, "--quick");
    pinBlasToOneThread();
    TableTotals totals;
    for (const Table& table : allTables(options.switched)) {
        if (!options.opens(table.title)) {
            continue;
        }
        if (table.data.empty() || hasSamples(table.data)) {
            table.print(table.data, totals);
        } else {
            std::printf("Skipped: these data are not in ../shared/data.\n");
        }
    }
    if (totals.paths > 0) {
        std::printf(
            "\nScreened by auto over shrinking, mean of %d paths: counted work %.3f, CPU %.2f; the limits of counted "
            "work: final sets %.2f",
            totals.paths, totals.workRatios / totals.paths, totals.timeRatios / totals.paths,
            totals.oracleRatios / totals.paths);
        if (totals.ballRatios > 0) {
            std::printf(", balls %.2f", totals.ballRatios / totals.paths);
        }
        std::printf(".\n");
    }
    if (!options.lists) {
        std::printf("\n%s decisions audited, %s wrong, %s too near an edge to tell; %d other checks failed.\n",
                    groupedText(totals.audit.decisions).c_str(), groupedText(totals.audit.wrong).c_str(),
                    groupedText(totals.audit.undecided).c_str(), totals.failures);
    }
    return totals.audit.wrong == 0 && totals.failures == 0 ? 0 : 1;
}
