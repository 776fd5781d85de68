// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that nobody has tampered with verify: random experiments of every family, with their options, tolerances and
// onlookers, come out the same to the last bit when they are computed again, no decision is wrong, and nothing is
// called proven that is not. LAMBDASCOPE_HONEST_RUNS in the environment sets how many there are, a quarter of them of
// each family, refused ones not among them, and LAMBDASCOPE_HONEST_SEED the seed of the first, to repeat one that
// failed.
#include "core/common/clocks.h"
#include "tests/core/store/scratch_folder.h"
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

/// Runs that take longer are told at once, with their seed.
constexpr double kLongRun = 20; // seconds

struct Counts {
    std::int64_t drawn = 0;
    std::int64_t refused = 0; ///< the data do not suit the problem
    std::int64_t idle = 0;    ///< ran, but no lane of them can be verified
    std::int64_t runs = 0;    ///< the others
    std::int64_t lanes = 0;
    std::int64_t unverifiable = 0;
    std::int64_t compared = 0; ///< path alone
    std::int64_t points = 0;
    std::int64_t decisions = 0;
    std::int64_t different = 0; ///< in any bit
    std::map<Verdict, std::int64_t> verdicts;
    std::int64_t wrongWhereUnsafe = 0; ///< lanes marked unsafe, which may be
    std::int64_t markedUnsafe = 0;
    double slowest = 0; ///< seconds of wall time
    std::uint64_t slowestSeed = 0;
};

class HonestRuns : public testing_support::ScratchFolder, public ::testing::WithParamInterface<const char*> {
  protected:
    void check(std::uint64_t seed) {
        const fs::path folder = scratch(std::to_string(seed));
        fs::create_directories(folder);
        const auto experiment = testing_support::randomExperiment(GetParam(), seed, folder);
        ASSERT_TRUE(experiment) << "no experiment for seed " << seed;
        const double begin = wallSeconds();
        const HonestRun run = testing_support::runAndVerify(*experiment, testing_support::randomOnlooker(seed));
        fs::remove_all(folder);
        noteTime(seed, wallSeconds() - begin);
        const std::string repeat = "LAMBDASCOPE_HONEST_RUNS=1 LAMBDASCOPE_HONEST_SEED=" + std::to_string(seed) +
                                   " repeats this run of the family " + GetParam() + ":\n" + run.document;
        ++m_counts.drawn;
        (!run.refusal.empty() ? m_counts.refused : run.lanes.empty() ? m_counts.idle : m_counts.runs) += 1;
        m_counts.unverifiable += run.unverifiable;
        EXPECT_TRUE(run.failures.empty()) << (run.failures.empty() ? "" : run.failures.front()) << '\n' << repeat;
        for (const LaneCheck& lane : run.lanes) {
            count(lane);
            expectGood(lane, repeat);
        }
    }

    void noteTime(std::uint64_t seed, double took) {
        if (took > kLongRun) {
            std::printf("  %s, seed %llu: %.0f s\n", GetParam(), static_cast<unsigned long long>(seed), took);
            std::fflush(stdout);
        }
        if (took > m_counts.slowest) {
            m_counts.slowest = took;
            m_counts.slowestSeed = seed;
        }
    }

    void count(const LaneCheck& lane) {
        const bool isUnsafe = !lane.audit.unsafeReason.empty();
        const Verdict verdict = judgementOf(lane.audit).verdict;
        ++m_counts.lanes;
        m_counts.points += lane.audit.path.points;
        m_counts.decisions += lane.audit.report.decisions;
        m_counts.compared += lane.isAudited ? 0 : 1;
        m_counts.different += lane.audit.path.differences > 0 ? 1 : 0;
        m_counts.markedUnsafe += isUnsafe ? 1 : 0;
        if (verdict == Verdict::Wrong && isUnsafe) {
            ++m_counts.wrongWhereUnsafe;
        } else {
            ++m_counts.verdicts[verdict];
        }
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
        const auto number = [](std::int64_t n) { return static_cast<long long>(n); };
        std::printf("  %-8s %lld runs (of %lld drawn; %lld refused, their data not suiting the problem, %lld with "
                    "nothing to verify)\n",
                    GetParam(), number(m_counts.runs), number(m_counts.drawn), number(m_counts.refused),
                    number(m_counts.idle));
        std::printf("           %lld lanes (%lld by their path alone; %lld more that cannot be verified), %lld points, "
                    "%lld decisions: %lld proven, %lld not proven, %lld wrong, %lld different\n",
                    number(m_counts.lanes), number(m_counts.compared), number(m_counts.unverifiable),
                    number(m_counts.points), number(m_counts.decisions), number(m_counts.verdicts[Verdict::Proven]),
                    number(m_counts.verdicts[Verdict::NotProven]), number(m_counts.verdicts[Verdict::Wrong]),
                    number(m_counts.different));
        std::printf("           %lld more lanes wrong of %lld that are marked unsafe, as those can be; slowest: seed "
                    "%llu, %.1f s\n",
                    number(m_counts.wrongWhereUnsafe), number(m_counts.markedUnsafe),
                    static_cast<unsigned long long>(m_counts.slowestSeed), m_counts.slowest);
    }

    Counts m_counts;
};

TEST_P(HonestRuns, AreTheSameWhenComputedAgainAndDecideNothingWrong) {
    constexpr std::int64_t kFamilies = 4;
    const std::int64_t wanted = std::max<std::int64_t>(1, wish("LAMBDASCOPE_HONEST_RUNS", 60) / kFamilies);
    auto seed = static_cast<std::uint64_t>(wish("LAMBDASCOPE_HONEST_SEED", 101));
    while (m_counts.runs < wanted && m_counts.drawn < 2 * wanted + 2 && !HasFatalFailure()) {
        check(seed++);
    }
    print();
    EXPECT_TRUE(m_counts.runs == wanted || wanted == 1) << "most experiments do not suit their data";
}

INSTANTIATE_TEST_SUITE_P(Families, HonestRuns, ::testing::Values("metric", "svm", "pu", "ordinal"),
                         [](const auto& family) { return std::string(family.param); });

} // namespace
} // namespace lambdascope
