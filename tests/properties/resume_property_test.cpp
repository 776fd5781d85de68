// SPDX-License-Identifier: GPL-3.0-or-later
// A lane that another process left goes on to the last bit: experiments of every family run as a whole, keeping the
// state of each lane after each point; then they are prepared anew, each lane is given its history up to some point,
// and what follows must be what followed in the whole run, events included, but for times and memory. So whatever a
// solver, an engine or a method carries from point to point is in the state, or this fails. LAMBDASCOPE_RESUME_RUNS in
// the environment sets how many random experiments there are, and LAMBDASCOPE_RESUME_SEED the seed of the first.
#include "core/common/number_text.h"
#include "core/common/random_stream.h"
#include "core/families.h"
#include "core/run/experiment_runner.h"
#include "tests/support/random_experiment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;

std::int64_t wish(const char* name, std::int64_t otherwise) {
    const char* given = std::getenv(name);
    return given != nullptr ? std::atoll(given) : otherwise;
}

/// The events of each lane.
class LanesSink final : public EventSink {
  public:
    void publish(const RunEvent& event) noexcept override { events[event.run].push_back(event); }
    std::map<RunId, std::vector<RunEvent>> events;
};

using Lanes = std::map<std::string, std::vector<RunEvent>>;

/// Runs an experiment, lanes with a history from there on. Nothing when the data do not suit the problem.
std::optional<Lanes> runLanes(const Validated<Experiment>& experiment, std::map<std::string, LaneHistory> histories,
                              double stateInterval) {
    ExperimentOptions options;
    options.wishes.embeddings = options.wishes.measures = options.wishes.ranges = options.wishes.solutions = true;
    options.wishes.stateInterval = stateInterval;
    options.wishes.threads = 2;
    options.places.bundled = LAMBDASCOPE_TEST_SOURCE_DIR "/resources/datasets";
    options.places.folders = {LAMBDASCOPE_TEST_SOURCE_DIR "/tests/fixtures"};
    options.histories = std::move(histories);
    ExperimentRunner runner(experiment, *findFamily(experiment->family), options);
    if (const auto ready = runner.prepare(); !ready) {
        EXPECT_TRUE(options.histories.empty()) << ready.error().describe() << "\n" << experiment->document.dump(-1);
        return std::nullopt;
    }
    LanesSink sink;
    EXPECT_TRUE(runner.run(sink));
    Lanes lanes;
    for (std::size_t i = 0; i < runner.laneNames().size(); ++i) {
        lanes[runner.laneNames()[i]] = sink.events[runner.runIds()[i]];
    }
    return lanes;
}

/// A line for each event without what only clocks know; embeddings and solutions by their numbers.
std::string lineOf(const RunEvent& event, const std::vector<ColumnDescription>& columns) {
    std::string line = std::to_string(event.sequence) + ' ';
    const auto add = [&line](double value) { line += exactText(value) + ' '; };
    if (const auto* point = std::get_if<PointFinished>(&event.body)) {
        line += "point " + std::to_string(point->index) + ' ' + std::string(terminationName(point->termination)) + ' ';
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (columns[c].unit != "s" && columns[c].unit != "B") {
                line += columns[c].key + '=';
                add(point->values[c]);
            }
        }
        for (const float x : point->embedding ? point->embedding->coordinates : std::vector<float>()) {
            add(x);
        }
        for (const NamedMatrix& matrix : point->solution ? *point->solution : Solution()) {
            if (matrix.name == "trials") {
                continue; // has seconds
            }
            line += matrix.name + ' ';
            for (std::int64_t k = 0; k < matrix.values.size(); ++k) {
                add(matrix.values.data()[k]);
            }
        }
        for (const double rate : point->ranges ? point->ranges->rates : std::vector<double>()) {
            add(rate);
        }
    } else if (const auto* check = std::get_if<Screened>(&event.body)) {
        line += "check " + std::to_string(check->check) + ' ' + std::to_string(check->iteration) + ' ' +
                std::to_string(check->fixedLow) + ' ' + std::to_string(check->fixedHigh) + ' ';
        add(check->optimality);
        add(check->radius);
    } else if (const auto* end = std::get_if<RunFinished>(&event.body)) {
        line += "end " + std::string(terminationName(end->termination)) + ' ' + std::to_string(end->finishedPoints);
    } else if (const auto* failed = std::get_if<RunFailed>(&event.body)) {
        line += "failed " + failed->message;
    }
    return line;
}

/// Without progress, of which a clock decides how much is told, and so without sequence numbers.
std::vector<std::string> linesFrom(const std::vector<RunEvent>& events, std::size_t first,
                                   const std::vector<ColumnDescription>& columns) {
    std::vector<std::string> lines;
    for (std::size_t i = first; i < events.size(); ++i) {
        if (!std::holds_alternative<Iterated>(events[i].body)) {
            const std::string line = lineOf(events[i], columns);
            lines.push_back(line.substr(line.find(' ') + 1));
        }
    }
    return lines;
}

/// Places of finished points with a state.
std::vector<std::size_t> placesToGoOnFrom(const std::vector<RunEvent>& events) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const auto* point = std::get_if<PointFinished>(&events[i].body);
        if (point != nullptr && point->state) {
            places.push_back(i);
        }
    }
    return places;
}

struct Counts {
    std::int64_t runs = 0;
    std::int64_t lanes = 0;
    std::int64_t resumed = 0; ///< lanes that went on from a state
    std::int64_t points = 0;  ///< compared after that
    std::size_t largest = 0;  ///< state, bytes
};

/// Runs the experiment whole and `times` times in two parts.
void expectSameInParts(const Validated<Experiment>& experiment, std::uint64_t seed, int times, Counts& counts) {
    const auto whole = runLanes(experiment, {}, 0);
    if (!whole) {
        return;
    }
    ++counts.runs;
    counts.lanes += std::ssize(*whole);
    RandomStream random(seed, "places to go on from");
    for (int time = 0; time < times; ++time) {
        std::map<std::string, LaneHistory> histories;
        std::map<std::string, std::size_t> places;
        for (const auto& [lane, events] : *whole) {
            const std::vector<std::size_t> possible = placesToGoOnFrom(events);
            if (possible.empty()) {
                continue;
            }
            const std::size_t place = possible[random.below(possible.size())];
            const auto end = events.begin() + static_cast<std::ptrdiff_t>(place) + 1;
            const auto& state = std::get<PointFinished>(events[place].body).state;
            counts.largest = std::max(counts.largest, state->size());
            histories[lane] = {std::vector<RunEvent>(events.begin(), end), state};
            places[lane] = place;
        }
        const auto rest = runLanes(experiment, histories, -1);
        ASSERT_TRUE(rest);
        for (const auto& [lane, place] : places) {
            const std::vector<RunEvent>& before = whole->at(lane);
            const std::vector<ColumnDescription>& columns = std::get<RunStarted>(before.front().body).columns;
            const auto expected = linesFrom(before, place + 1, columns);
            const auto found = linesFrom(rest->at(lane), 0, columns);
            ++counts.resumed;
            counts.points += std::ssize(expected);
            ASSERT_FALSE(rest->at(lane).empty());
            EXPECT_EQ(rest->at(lane).front().sequence, before[place].sequence + 1);
            const auto differs = std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
            if (differs.first != expected.end() || differs.second != found.end()) {
                const auto text = [](const auto& at, const auto& lines) {
                    return at == lines.end() ? std::string("nothing") : at->substr(0, 1500);
                };
                ADD_FAILURE() << "seed " << seed << ", lane " << lane << " from point "
                              << std::get<PointFinished>(before[place].body).index << ":\n  whole  "
                              << text(differs.first, expected) << "\n  resumed " << text(differs.second, found) << "\n"
                              << experiment->document.dump(-1);
                return;
            }
        }
    }
}

class ResumedRuns : public ::testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        m_folder = fs::temp_directory_path() / ("lambdascope_resume_" + std::string(GetParam()));
        fs::create_directories(m_folder);
    }
    void TearDown() override { fs::remove_all(m_folder); }
    fs::path m_folder;
};

TEST_P(ResumedRuns, RandomExperimentsGoOnToTheLastBit) {
    const auto first = static_cast<std::uint64_t>(wish("LAMBDASCOPE_RESUME_SEED", 101));
    Counts counts;
    for (std::int64_t run = 0; run < wish("LAMBDASCOPE_RESUME_RUNS", 25) && !HasFailure(); ++run) {
        const std::uint64_t seed = first + static_cast<std::uint64_t>(run);
        if (const auto experiment = testing_support::randomExperiment(GetParam(), seed, m_folder)) {
            expectSameInParts(*experiment, seed, 3, counts);
        }
    }
    std::printf("%s: %lld runs, %lld lanes, went on %lld times, %lld events the same; largest state %zu bytes\n",
                GetParam(), static_cast<long long>(counts.runs), static_cast<long long>(counts.lanes),
                static_cast<long long>(counts.resumed), static_cast<long long>(counts.points), counts.largest);
    EXPECT_GT(counts.resumed, 0);
}

/// Nobody sees from a run but by its times how often it computed each point.
TEST_P(ResumedRuns, PointsTimedSeveralTimesComeOutTheSame) {
    std::int64_t runs = 0;
    std::int64_t events = 0;
    for (std::uint64_t seed = 501; seed < 516 && !HasFailure(); ++seed) {
        const auto drawn = testing_support::randomExperiment(GetParam(), seed, m_folder);
        std::optional<Lanes> known;
        for (const int repeats : {1, 3}) {
            Json document = drawn ? (*drawn)->document : Json();
            if (drawn) {
                document["run"]["timing_repeats"] = repeats;
            }
            const auto experiment = validateExperiment(document, builtInCatalog());
            auto lanes = drawn && experiment ? runLanes(*experiment, {}, -1) : std::nullopt;
            if (!known) {
                known = std::move(lanes);
                continue;
            }
            ASSERT_TRUE(lanes) << seed;
            ++runs;
            for (const auto& [lane, once] : *known) {
                const std::vector<ColumnDescription>& columns = std::get<RunStarted>(once.front().body).columns;
                const auto expected = linesFrom(once, 1, columns);
                EXPECT_EQ(linesFrom(lanes->at(lane), 1, columns), expected) << seed << ' ' << document.dump(-1);
                events += std::ssize(expected);
            }
        }
    }
    std::printf("%s: %lld runs timed three times, %lld events the same\n", GetParam(), static_cast<long long>(runs),
                static_cast<long long>(events));
    EXPECT_GT(events, 0);
}

INSTANTIATE_TEST_SUITE_P(Families, ResumedRuns, ::testing::Values("metric", "svm", "ordinal", "pu"),
                         [](const auto& test) { return std::string(test.param); });

/// Options whose lanes carry more from point to point than random small experiments mostly do.
struct Chosen {
    const char* name;
    const char* document;
};

void PrintTo(const Chosen& chosen, std::ostream* out) {
    *out << chosen.name;
}

class ResumedOptions : public ::testing::TestWithParam<Chosen> {};

TEST_P(ResumedOptions, GoOnToTheLastBit) {
    const auto experiment = readExperiment(GetParam().document, GetParam().name, builtInCatalog());
    ASSERT_TRUE(experiment) << experiment.error().describe();
    Counts counts;
    expectSameInParts(*experiment, 7, 6, counts);
    EXPECT_GT(counts.resumed, 0) << "the experiment suits no data, or keeps no state";
    EXPECT_GE(counts.resumed, 6 * (counts.lanes - 1)) << "some lanes keep no state";
}

const Chosen kChosen[] = {
    {"MetricPairs", R"({"family": "metric", "data": {"source": "wine"}, "problem": {"k": 5},
        "path": {"ratio": 0.9, "max_points": 40},
        "lanes": [{"name": "none"}, {"name": "ranges", "bounds": ["RRPB"], "range": true},
                  {"name": "rest", "bounds": ["RRPB", "PGB"]}, {"name": "midpoint", "bounds": ["MGB"], "range": true},
                  {"name": "cone", "bounds": ["PGB"], "rule": "semidefinite"},
                  {"name": "paying", "bounds": ["RRPB"], "schedule": "auto"},
                  {"name": "oracle", "oracle": "rest"}]})"},
    {"MetricMethods", R"({"family": "metric", "data": {"source": "iris"}, "problem": {"k": 8},
        "path": {"ratio": 0.85, "max_points": 30},
        "lanes": [{"name": "auto", "bounds": ["RRPB"], "solver": {"method": "auto"}},
                  {"name": "newton", "solver": {"method": "newton"}},
                  {"name": "auto sorted", "bounds": ["PGB"], "solver": {"method": "auto", "engine": "sorted"}},
                  {"name": "set", "solver": {"method": "projected-gradient", "active_set": true}},
                  {"name": "triplets", "bounds": ["RRPB"], "range": true, "solver": {"engine": "triplets"}}]})"},
    {"SvmBounds", R"({"family": "svm", "data": {"source": "breast-cancer", "scale": "minmax"},
        "problem": {"kernel": "rbf"}, "path": {"kind": "grid", "max_points": 25},
        "lanes": [{"name": "none"}, {"name": "IT", "bounds": ["IT"]}, {"name": "DT", "bounds": ["DT"]},
                  {"name": "GAP", "bounds": ["IT", "GAP"], "schedule": "auto"},
                  {"name": "every", "bounds": ["BT1", "GAP"], "schedule": "every", "every": 2, "shrink": false},
                  {"name": "kept", "bounds": ["BT1"], "schedule": "auto"}, {"name": "oracle", "oracle": "GAP"}]})"},
    {"MetricEpsilonPath", R"({"family": "metric", "data": {"source": "iris", "scale": "minmax"},
        "problem": {"k": 3}, "path": {"kind": "approximation", "epsilon": 0.02, "max_points": 15},
        "lanes": [{"name": "none"}, {"name": "ranges", "bounds": ["RRPB", "PGB"], "schedule": "every", "range": true},
                  {"name": "oracle", "oracle": "ranges"}]})"},
    {"SvmEpsilonPath", R"({"family": "svm", "data": {"source": "breast-cancer", "scale": "minmax"},
        "problem": {"kernel": "rbf"}, "path": {"kind": "approximation", "epsilon": 0.05, "max_points": 15},
        "lanes": [{"name": "none"}, {"name": "IT", "bounds": ["IT"]}]})"},
    {"SvmLibrary", R"({"family": "svm", "data": {"source": "breast-cancer", "scale": "minmax"},
        "problem": {"kernel": "linear"}, "path": {"kind": "grid", "max_points": 12},
        "lanes": [{"name": "library", "solver": {"method": "liblinear"}}, {"name": "IT", "bounds": ["IT"]}]})"},
    {"SvmLibsvm", R"({"family": "svm", "data": {"source": "breast-cancer", "scale": "minmax"},
        "problem": {"kernel": "rbf", "intercept": "free"}, "path": {"kind": "grid", "max_points": 8},
        "lanes": [{"name": "library", "solver": {"method": "libsvm", "tolerance": 1e-3}},
                  {"name": "BT1", "bounds": ["BT1"]}]})"},
};

INSTANTIATE_TEST_SUITE_P(Families, ResumedOptions, ::testing::ValuesIn(kChosen),
                         [](const auto& test) { return std::string(test.param.name); });

} // namespace
} // namespace lambdascope
