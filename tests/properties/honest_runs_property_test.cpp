// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that nobody has tampered with verify: random experiments of every family, with their options, tolerances and
// onlookers, come out the same to the last bit when they are computed again, no decision is wrong, and nothing is
// called proven that is not. LAMBDASCOPE_HONEST_RUNS in the environment sets how many there are, and
// LAMBDASCOPE_HONEST_SEED the seed of the first, to repeat one that failed.
#include "core/common/clocks.h"
#include "tests/support/honest_run.h"
#include "tests/support/random_experiment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;
using testing_support::HonestRun;
using testing_support::LaneCheck;

std::int64_t wish(const char* name, std::int64_t otherwise) {
    const char* given = std::getenv(name);
    return given != nullptr ? std::atoll(given) : otherwise;
}

/// The promise kept, independent of how the verdict came about: nothing too near to tell, and accurate solutions as
/// close as they have to be.
bool isProven(const LaneAudit& audit) {
    return audit.report.wrong == 0 && audit.report.undecided == 0 &&
           audit.report.largestGap <= audit.report.promisedGap;
}

struct Counts {
    std::int64_t runs = 0;
    std::int64_t refused = 0;
    std::int64_t lanes = 0;
    std::int64_t unverifiable = 0;
    std::int64_t compared = 0; ///< path alone
    std::int64_t points = 0;
    std::int64_t decisions = 0;
    std::int64_t different = 0; ///< in any bit
    std::map<Verdict, std::int64_t> verdicts;
    double slowest = 0; ///< seconds of wall time
    std::uint64_t slowestSeed = 0;
};

class HonestRuns : public ::testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        m_folder = fs::temp_directory_path() / ("lambdascope_honest_" + std::string(GetParam()));
        fs::create_directories(m_folder);
    }
    void TearDown() override { fs::remove_all(m_folder); }

    void check(std::uint64_t seed) {
        const auto experiment = testing_support::randomExperiment(GetParam(), seed, m_folder);
        ASSERT_TRUE(experiment) << "no experiment for seed " << seed;
        const double begin = wallSeconds();
        const HonestRun run = testing_support::runAndVerify(*experiment, testing_support::randomOnlooker(seed));
        if (const double took = wallSeconds() - begin; took > m_counts.slowest) {
            m_counts.slowest = took;
            m_counts.slowestSeed = seed;
        }
        const std::string repeat = "LAMBDASCOPE_HONEST_RUNS=1 LAMBDASCOPE_HONEST_SEED=" + std::to_string(seed) +
                                   " repeats this run of the family " + GetParam() + ":\n" + run.document;
        ++m_counts.runs;
        m_counts.refused += run.refusal.empty() ? 0 : 1;
        m_counts.unverifiable += run.unverifiable;
        EXPECT_TRUE(run.failures.empty()) << (run.failures.empty() ? "" : run.failures.front()) << '\n' << repeat;
        for (const LaneCheck& lane : run.lanes) {
            count(lane);
            expectGood(lane, repeat);
        }
    }

    void count(const LaneCheck& lane) {
        ++m_counts.lanes;
        m_counts.points += lane.audit.path.points;
        m_counts.decisions += lane.audit.report.decisions;
        m_counts.compared += lane.isAudited ? 0 : 1;
        m_counts.different += lane.audit.path.differences > 0 ? 1 : 0;
        ++m_counts.verdicts[judgementOf(lane.audit).verdict];
    }

    static void expectGood(const LaneCheck& lane, const std::string& repeat) {
        const LaneAudit& audit = lane.audit;
        EXPECT_EQ(audit.path.differences, 0)
            << audit.lane << ": " << (audit.path.examples.empty() ? "" : audit.path.examples.front()) << '\n'
            << repeat;
        const Verdict verdict = judgementOf(audit).verdict;
        EXPECT_TRUE(verdict != Verdict::Wrong || !audit.unsafeReason.empty()) << judgementText(audit) << '\n' << repeat;
        EXPECT_TRUE(verdict != Verdict::Proven || isProven(audit)) << judgementText(audit) << '\n' << repeat;
        for (const std::string& surprise : lane.surprises) {
            ADD_FAILURE() << audit.lane << ": " << surprise << '\n' << repeat;
        }
    }

    void print() {
        std::printf(
            "  %-8s %lld runs, %lld refused, %lld lanes (%lld by their path alone, %lld more "
            "that cannot be), %lld points, %lld decisions: "
            "%lld proven, %lld not proven, %lld wrong, %lld different; slowest: seed %llu, %.1f s\n",
            GetParam(), static_cast<long long>(m_counts.runs), static_cast<long long>(m_counts.refused),
            static_cast<long long>(m_counts.lanes), static_cast<long long>(m_counts.compared),
            static_cast<long long>(m_counts.unverifiable), static_cast<long long>(m_counts.points),
            static_cast<long long>(m_counts.decisions), static_cast<long long>(m_counts.verdicts[Verdict::Proven]),
            static_cast<long long>(m_counts.verdicts[Verdict::NotProven]),
            static_cast<long long>(m_counts.verdicts[Verdict::Wrong]), static_cast<long long>(m_counts.different),
            static_cast<unsigned long long>(m_counts.slowestSeed), m_counts.slowest);
    }

    Counts m_counts;
    fs::path m_folder;
};

TEST_P(HonestRuns, AreTheSameWhenComputedAgainAndDecideNothingWrong) {
    constexpr std::int64_t kFamilies = 4;
    const std::int64_t all = wish("LAMBDASCOPE_HONEST_RUNS", 60);
    const auto first = static_cast<std::uint64_t>(wish("LAMBDASCOPE_HONEST_SEED", 101)); // quick ones
    const auto runs = static_cast<std::uint64_t>(std::max<std::int64_t>(1, all / kFamilies));
    for (std::uint64_t seed = first; seed < first + runs; ++seed) {
        check(seed);
    }
    print();
    EXPECT_LT(2 * m_counts.refused, m_counts.runs + 2) << "most experiments do not suit their data";
}

INSTANTIATE_TEST_SUITE_P(Families, HonestRuns, ::testing::Values("metric", "svm", "pu", "ordinal"),
                         [](const auto& family) { return std::string(family.param); });

} // namespace
} // namespace lambdascope
