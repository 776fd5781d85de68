// SPDX-License-Identifier: GPL-3.0-or-later
// Decisions about all items at all points, and counting those of some items.
#include "core/families.h"
#include "core/inspect/decision_recorder.h"
#include "core/record/run_record.h"
#include "core/run/experiment_runner.h"
#include "tests/support/lens_capability.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace lambdascope {
namespace {

TEST(ItemSet, HoldsWhatWasPutIn) {
    EXPECT_EQ(ItemSet::of({}).count(), 0);
    const std::array<std::int64_t, 5> numbers{63, 0, 64, 63, -4};
    const ItemSet set = ItemSet::of(numbers);
    EXPECT_EQ(set.size(), 65);
    EXPECT_EQ(set.count(), 3);
    std::vector<std::int64_t> seen;
    set.visit([&seen](std::int64_t item) { seen.push_back(item); });
    EXPECT_EQ(seen, (std::vector<std::int64_t>{0, 63, 64}));
    for (const std::int64_t none : {-1, 1, 62, 65, 1000}) {
        EXPECT_FALSE(set.contains(none)) << none;
    }
}

/// Random decisions that mostly stay from point to point; items of no set are undecided.
DecisionHistory randomHistory(std::mt19937& random, std::int64_t items, std::size_t points, std::size_t sets) {
    DecisionHistory history(std::vector<std::string>(sets, "set"));
    std::vector<std::size_t> now(static_cast<std::size_t>(items), sets);
    for (std::size_t point = 0; point < points; ++point) {
        std::vector<ItemSet> decided(sets, ItemSet(items));
        for (std::size_t item = 0; item < now.size(); ++item) {
            now[item] = random() % 4 == 0 ? random() % (sets + 1) : now[item];
            if (now[item] < sets) {
                decided[now[item]].insert(static_cast<std::int64_t>(item));
            }
        }
        EXPECT_TRUE(history.add(std::move(decided)));
    }
    return history;
}

/// The same counts item by item.
DecisionCount countOneByOne(const DecisionHistory& history, const ItemSet& items, std::size_t point) {
    DecisionCount count;
    count.items = items.count();
    count.ofSets.assign(history.sets().size(), 0);
    const auto setAt = [&](std::int64_t item, std::size_t at) {
        std::size_t set = 0;
        while (set < history.sets().size() && !history.at(at, set).contains(item)) {
            ++set;
        }
        return set;
    };
    std::vector<std::int32_t> since;
    items.visit([&](std::int64_t item) {
        if (const std::size_t set = setAt(item, point); set < history.sets().size()) {
            ++count.ofSets[set];
            std::size_t first = 0;
            while (setAt(item, first) == history.sets().size()) {
                ++first;
            }
            since.push_back(static_cast<std::int32_t>(first));
        }
    });
    std::sort(since.begin(), since.end());
    count.decided = static_cast<std::int64_t>(since.size());
    if (!since.empty()) {
        count.firstAt = since.front();
        count.halfAt = since[(since.size() - 1) / 2];
        count.lastAt = since.back();
    }
    return count;
}

TEST(DecisionHistory, CountsAsOneWouldItemByItem) {
    std::mt19937 random(7);
    for (int round = 0; round < 60; ++round) {
        const std::int64_t items = 1 + static_cast<std::int64_t>(random() % 200);
        const std::size_t points = 1 + random() % 6;
        const DecisionHistory history = randomHistory(random, items, points, 1 + random() % 3);
        ItemSet some(items + static_cast<std::int64_t>(random() % 100)); // may name items that are not there
        for (std::int64_t item = 0; item < some.size(); ++item) {
            if (random() % 3 == 0) {
                some.insert(item);
            }
        }
        const auto counts = countDecisions(history, some);
        ASSERT_EQ(counts.size(), points);
        for (std::size_t point = 0; point < points; ++point) {
            EXPECT_EQ(counts[point], countOneByOne(history, some, point)) << round << ' ' << point;
        }
    }
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(countDecisions(randomHistory(random, 10, 3, 2), ItemSet(10), stop.get_token()).empty());
}

TEST(DecisionHistory, GivesUpWhereMemoryEnds) {
    DecisionHistory history({"R", "L"}, 1e6);
    const std::int64_t many = 3'000'000;
    EXPECT_TRUE(history.add({ItemSet(many), ItemSet(many)}));
    const auto refused = history.add({ItemSet(many), ItemSet(many)});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().describe().find("more than 1 MB"), std::string::npos);
}

struct Case {
    const char* name;
    const char* document;
};

const Case kCases[] = {
    {"metric", R"({"family": "metric", "data": {"source": "iris", "subset": 0.4}, "problem": {"k": 3},
        "path": {"max_points": 10, "ratio": 0.7},
        "lanes": [{"name": "naive"}, {"name": "RRPB+PGB", "bounds": ["RRPB", "PGB"]},
                  {"name": "range", "bounds": ["RRPB"], "range": true, "schedule": "every"}]})"},
    {"svm", R"({"family": "svm", "data": {"source": "toy:svm-figure1?n=120", "scale": "none"},
        "problem": {"kernel": "linear"}, "path": {"kind": "list", "values": [0.5, 0.7, 1, 1.5]},
        "lanes": [{"name": "Full"}, {"name": "IT", "bounds": ["IT"], "schedule": "every"}]})"},
    {"pu", R"({"family": "pu", "data": {"source": "digits", "scale": "minmax", "subset": 0.15, "seed": 1},
        "problem": {"positive": "3", "labelled_share": 0.3, "kernel": "rbf", "gamma": 1, "gamma_unit": "per-feature"},
        "solver": {"method": "pairs", "tolerance": 1e-06},
        "path": {"kind": "lambda", "start": 0.1, "ratio": 0.5, "stop": 0.003},
        "lanes": [{"name": "Pairs", "bounds": []}, {"name": "Pairs+GAP", "bounds": ["GAP"], "schedule": "every"},
                  {"name": "auto", "bounds": ["GAP"], "schedule": "auto"}]})"},
};

class DecisionRecorders : public testing::TestWithParam<Case> {
  protected:
    void SetUp() override {
        const Json document = Json::parse(GetParam().document);
        const auto experiment = validateExperiment(document, builtInCatalog());
        ASSERT_TRUE(experiment) << experiment.error().describe();
        ExperimentOptions options;
        options.places.bundled = LAMBDASCOPE_TEST_SOURCE_DIR "/resources/datasets";
        runner = std::make_unique<ExperimentRunner>(*experiment, *findFamily(GetParam().name), options);
        ASSERT_TRUE(runner->prepare());
        RecordingSink sink;
        ASSERT_TRUE(runner->run(sink));
        records = recordsOf(sink.events());
    }

    std::unique_ptr<ExperimentRunner> runner;
    std::vector<RunRecord> records;
};

std::int64_t sumOf(const RunRecord& record, ColumnRole role, std::size_t point) {
    double sum = 0;
    for (std::size_t column = 0; column < record.start().columns.size(); ++column) {
        sum += record.start().columns[column].role == role ? record.points()[point].values[column] : 0;
    }
    return static_cast<std::int64_t>(sum);
}

TEST_P(DecisionRecorders, TellTheDecisionsThatTheRunCountedAndThatWhyExplains) {
    for (std::size_t lane = 0; lane < records.size(); ++lane) {
        const RunRecord& record = records[lane];
        const bool isLate = record.columnWithRole(ColumnRole::AfterRate).has_value();
        const auto lens = runner->makeLens(lane);
        auto& recorder = as<DecisionRecorder>(*lens);
        const auto history = recorder.decisions({}, {}); // not walked yet
        ASSERT_TRUE(history) << history.error().describe();
        if (lane == 0) {
            EXPECT_EQ(history->points(), 0U) << "a lane without bounds";
            continue;
        }
        ASSERT_EQ(history->points(), record.points().size());
        ASSERT_TRUE(lens->open(0, {}, {}));
        const auto again = recorder.decisions({}, {}); // and walked
        const auto items = as<ItemExplainer>(*lens).items();
        ItemSet all(items);
        for (std::int64_t item = 0; item < items; ++item) {
            all.insert(item);
        }
        const auto counts = countDecisions(*history, all);
        std::int64_t decided = 0;
        for (std::size_t point = 0; point < counts.size(); ++point) {
            EXPECT_EQ(counts[point].decided,
                      sumOf(record, isLate ? ColumnRole::AfterFixed : ColumnRole::FinalFixed, point))
                << record.start().laneName << ' ' << point;
            decided += counts[point].decided;
            for (std::size_t set = 0; set < history->sets().size(); ++set) {
                EXPECT_EQ(history->at(point, set), again->at(point, set));
            }
        }
        EXPECT_GT(decided, items / 4) << record.start().laneName;
        for (const std::size_t point : {std::size_t{1}, counts.size() - 1}) {
            for (std::int64_t item = 0; item < items; item += 1 + items / 40) {
                const auto why = as<ItemExplainer>(*lens).explain(item, static_cast<std::int32_t>(point), {});
                ASSERT_TRUE(why);
                std::string set;
                for (std::size_t k = 0; k < history->sets().size(); ++k) {
                    set = history->at(point, k).contains(item) ? history->sets()[k] : set;
                }
                EXPECT_EQ(set, why->set) << record.start().laneName << ' ' << why->title << ' ' << point;
            }
        }
    }
}

TEST_P(DecisionRecorders, StopWhenAsked) {
    const auto lens = runner->makeLens(1);
    std::stop_source stop;
    stop.request_stop();
    const auto history = as<DecisionRecorder>(*lens).decisions({}, stop.get_token());
    ASSERT_FALSE(history);
    EXPECT_EQ(history.error().code, ErrorCode::Stopped);
}

INSTANTIATE_TEST_SUITE_P(Families, DecisionRecorders, testing::ValuesIn(kCases),
                         [](const auto& tested) { return std::string(tested.param.name); });

} // namespace
} // namespace lambdascope
