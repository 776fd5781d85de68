// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on data that rounding is hard on (twins, offsets, scales of 1e±150, rank one, ties, weights of 1e±6, C to 1e12,
// λ to 1e-12): nothing crashes, no decision is wrong by the program's own audit, and none is false by the checker of
// certificates, which shares no code with it. LAMBDASCOPE_ADVERSARIAL_RUNS in the environment sets how many there are,
// and LAMBDASCOPE_ADVERSARIAL_SEED the seed of the first, to repeat one that failed.
#include "core/common/clocks.h"
#include "core/common/shell_word.h"
#include "core/store/run_certificate.h"
#include "tests/core/store/scratch_folder.h"
#include "tests/support/adversary.h"
#include "tests/support/honest_run.h"
#include "tests/support/random_experiment.h"

#include <sys/wait.h>

#include <cstdlib>
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

/// What the checker said of a certificate.
struct Checked {
    int status = -1;
    std::string words;
    std::int64_t unproven = 0; ///< different decisions
};

struct Counts {
    std::int64_t runs = 0;
    std::int64_t refused = 0; ///< data that do not suit the problem
    std::int64_t lanes = 0;
    std::int64_t decisions = 0;
    std::map<Verdict, std::int64_t> verdicts; ///< of lanes
    std::int64_t unsafe = 0;                  ///< lanes marked unsafe whose decisions are wrong
    std::int64_t certificates = 0;
    std::int64_t uncertified = 0; ///< runs that no certificate could be written of
    std::int64_t certified = 0;   ///< decisions in certificates
    std::int64_t unproven = 0;    ///< of these, different ones that the checker cannot prove
    std::map<int, std::int64_t> statuses;
};

class AdversarialRuns : public testing_support::ScratchFolder, public ::testing::WithParamInterface<const char*> {
  protected:
    void check(std::uint64_t seed) {
        const fs::path folder = scratch(std::to_string(seed));
        fs::create_directories(folder);
        std::string words;
        const auto experiment = testing_support::randomExperiment(GetParam(), seed, folder, [&](Json& document) {
            words = testing_support::makeAdversarial(document, seed, folder);
        });
        ++m_counts.runs;
        if (!experiment) { // what it would be is no experiment
            ++m_counts.refused;
            return;
        }
        const double begin = wallSeconds();
        const HonestRun run = testing_support::runAndVerify(*experiment, testing_support::randomOnlooker(seed));
        const std::string repeat =
            "LAMBDASCOPE_ADVERSARIAL_RUNS=1 LAMBDASCOPE_ADVERSARIAL_SEED=" + std::to_string(seed) +
            " repeats this run of the family " + GetParam() + " (" + words + "):\n" + run.document;
        m_counts.refused += run.refusal.empty() ? 0 : 1;
        EXPECT_TRUE(run.failures.empty()) << (run.failures.empty() ? "" : run.failures.front()) << '\n' << repeat;
        for (const LaneCheck& lane : run.lanes) {
            count(lane, repeat);
        }
        certify(run, folder / "certificate", repeat);
        if (const double took = wallSeconds() - begin; took > kLongRun) {
            std::printf("  %s, seed %llu (%s): %.0f s\n", GetParam(), static_cast<unsigned long long>(seed),
                        words.c_str(), took);
            std::fflush(stdout);
        }
        fs::remove_all(folder);
    }

    void count(const LaneCheck& lane, const std::string& repeat) {
        const Verdict verdict = judgementOf(lane.audit).verdict;
        const bool isUnsafe = !lane.audit.unsafeReason.empty();
        ++m_counts.lanes;
        m_counts.decisions += lane.audit.report.decisions;
        if (verdict == Verdict::Wrong && isUnsafe) {
            ++m_counts.unsafe;
            return;
        }
        ++m_counts.verdicts[verdict];
        EXPECT_NE(verdict, Verdict::Wrong) << judgementText(lane.audit) << '\n' << repeat;
        EXPECT_EQ(lane.audit.path.differences, 0)
            << lane.audit.lane << ": "
            << (lane.audit.path.examples.empty() ? std::string() : lane.audit.path.examples.front()) << '\n'
            << repeat;
    }

    /// Of the lanes that should be safe.
    void certify(const HonestRun& run, const fs::path& folder, const std::string& repeat) {
        CertificateOrder order{folder, {}, {}};
        for (const LaneCheck& lane : run.lanes) {
            if (lane.audit.unsafeReason.empty() && lane.audit.report.decisions > 0) {
                order.lanes.push_back({lane.audit.lane, lane.path});
            }
        }
        if (order.lanes.empty()) {
            return;
        }
        const auto made = certifyRun(*run.prepared, order, {}, {}, {});
        if (!made) {
            ++m_counts.uncertified;
            EXPECT_EQ(made.error().code, ErrorCode::BadUsage) << made.error().describe() << '\n' << repeat;
            return;
        }
        const Checked checked = checkedBy(*made);
        ++m_counts.certificates;
        ++m_counts.statuses[checked.status];
        m_counts.certified += made->decided();
        m_counts.unproven += checked.unproven;
        EXPECT_TRUE(checked.status == 0 || checked.status == 3) << checked.words << '\n' << repeat;
    }

    Checked checkedBy(const RunCertificate& made) {
        std::string command = shellWord(LAMBDASCOPE_PYTHON);
        const std::vector<std::string> words = made.checkCommand();
        for (std::size_t i = 1; i < words.size(); ++i) {
            command += " " + shellWord(words[i]);
        }
        const fs::path printed = scratch("printed");
        const int status = std::system((command + " >" + shellWord(printed.string()) + " 2>&1").c_str());
        Checked checked{WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(printed), 0};
        if (checked.status == 3) { // the last line: "1,234 not proven"
            std::string last = checked.words.substr(checked.words.rfind('\n', checked.words.size() - 2) + 1);
            std::erase(last, ',');
            checked.unproven = std::atoll(last.c_str());
        }
        return checked;
    }

    void print() {
        const auto number = [](std::int64_t n) { return static_cast<long long>(n); };
        std::printf("  %-8s %lld runs (%lld refused), %lld lanes, %lld decisions: %lld lanes proven, %lld not proven, "
                    "%lld wrong; %lld wrong that are marked unsafe\n",
                    GetParam(), number(m_counts.runs), number(m_counts.refused), number(m_counts.lanes),
                    number(m_counts.decisions), number(m_counts.verdicts[Verdict::Proven]),
                    number(m_counts.verdicts[Verdict::NotProven]), number(m_counts.verdicts[Verdict::Wrong]),
                    number(m_counts.unsafe));
        std::printf("           %lld certificates (%lld runs have none): %lld proven, %lld not wholly, %lld false or "
                    "refused; of %lld decisions %lld could not be proven\n",
                    number(m_counts.certificates), number(m_counts.uncertified), number(m_counts.statuses[0]),
                    number(m_counts.statuses[3]),
                    number(m_counts.certificates - m_counts.statuses[0] - m_counts.statuses[3]),
                    number(m_counts.certified), number(m_counts.unproven));
    }

    static constexpr double kLongRun = 30; ///< seconds
    Counts m_counts;
};

TEST_P(AdversarialRuns, DecideNothingWrongAndAreProvenExactly) {
    constexpr std::int64_t kFamilies = 4;
    const std::int64_t runs = std::max<std::int64_t>(1, wish("LAMBDASCOPE_ADVERSARIAL_RUNS", 48) / kFamilies);
    const std::int64_t first = wish("LAMBDASCOPE_ADVERSARIAL_SEED", 1);
    for (std::int64_t seed = first; seed < first + runs; ++seed) {
        check(static_cast<std::uint64_t>(seed));
    }
    print();
    EXPECT_LT(m_counts.refused, m_counts.runs + (runs == 1 ? 1 : 0)) << "no experiment suits its data";
}

INSTANTIATE_TEST_SUITE_P(Families, AdversarialRuns, ::testing::Values("metric", "svm", "pu", "ordinal"),
                         [](const auto& family) { return std::string(family.param); });

} // namespace
} // namespace lambdascope
