// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/record/event_json.h"
#include "core/record/event_log.h"
#include "tests/core/run/toy_task.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace lambdascope {
namespace {

/// Any 64 bits as a double, so that subnormals, infinities and NaN turn up too.
double anyDouble(RandomStream& random) {
    switch (random.below(8)) {
    case 0: return std::numeric_limits<double>::quiet_NaN();
    case 1: return std::numeric_limits<double>::infinity();
    case 2: return -std::numeric_limits<double>::infinity();
    case 3: return -0.0;
    case 4: return std::numeric_limits<double>::denorm_min();
    default: {
        const double value = std::bit_cast<double>(random.next());
        return std::isnan(value) ? 1.0 / 3 : value;
    }
    }
}

std::uint64_t bitsOf(double value) {
    return std::isnan(value) ? std::uint64_t{0x7ff8000000000000} : std::bit_cast<std::uint64_t>(value);
}

RunEvent throughJson(const RunEvent& event) {
    const std::string line = eventLine(event);
    EXPECT_EQ(line.find('\n'), line.size() - 1) << "one line each";
    auto back = eventFromJson(Json::parse(line));
    EXPECT_TRUE(back) << line;
    return std::move(back).value();
}

TEST(EventJson, NumbersReadBackBitForBit) {
    RandomStream random(7, "events");
    for (int i = 0; i < 3000; ++i) {
        Screened screened;
        screened.fixedLow = static_cast<std::int64_t>(random.next() >> 2);
        screened.rate = anyDouble(random);
        screened.radius = anyDouble(random);
        screened.optimality = anyDouble(random);
        Iterated iterated;
        iterated.objective = anyDouble(random);
        iterated.optimality = {OptimalityKind::KktViolation, anyDouble(random)};
        PointFinished finished;
        finished.axisValue = anyDouble(random);
        finished.termination = Termination::ConvergedLoosely;
        finished.values = {anyDouble(random), anyDouble(random)};

        const RunEvent a = throughJson({RunId{i}, i, screened});
        EXPECT_EQ(a.run, RunId{i});
        EXPECT_EQ(a.sequence, i);
        const auto& s = std::get<Screened>(a.body);
        EXPECT_EQ(s.fixedLow, screened.fixedLow);
        EXPECT_EQ(bitsOf(s.rate), bitsOf(screened.rate));
        EXPECT_EQ(bitsOf(s.radius), bitsOf(screened.radius));
        EXPECT_EQ(bitsOf(s.optimality), bitsOf(screened.optimality));

        const auto back = std::get<Iterated>(throughJson({RunId{1}, 0, iterated}).body);
        EXPECT_EQ(bitsOf(back.objective), bitsOf(iterated.objective));
        EXPECT_EQ(back.optimality.kind, OptimalityKind::KktViolation);
        EXPECT_EQ(bitsOf(back.optimality.value), bitsOf(iterated.optimality.value));

        const auto point = std::get<PointFinished>(throughJson({RunId{1}, 0, finished}).body);
        EXPECT_EQ(point.termination, Termination::ConvergedLoosely);
        ASSERT_EQ(point.values.size(), 2U);
        EXPECT_EQ(bitsOf(point.values[0]), bitsOf(finished.values[0]));
        EXPECT_EQ(bitsOf(point.values[1]), bitsOf(finished.values[1]));
    }
}

TEST(EventJson, EmbeddingsReadBackBitForBitAndShort) {
    RandomStream random(11, "embedding");
    auto embedding = std::make_shared<Embedding>();
    for (int i = 0; i < 4000; ++i) {
        embedding->coordinates.push_back(static_cast<float>(random.normal() * std::pow(10.0, random.uniform(-30, 30))));
    }
    embedding->coordinates[0] = 0.1F;
    embedding->classes = {0, 1, -1};
    embedding->classNames = {"a", "b \"quoted\" ü"};
    embedding->xLabel = "first";
    PointFinished finished;
    finished.embedding = embedding;
    EXPECT_EQ(embeddingToJson(*embedding)["coordinates"][0].dump(), "0.1");
    const auto back = std::get<PointFinished>(throughJson({RunId{1}, 0, finished}).body).embedding;
    ASSERT_NE(back, nullptr);
    EXPECT_EQ(back->coordinates, embedding->coordinates);
    EXPECT_EQ(back->classes, embedding->classes);
    EXPECT_EQ(back->classNames, embedding->classNames);
    EXPECT_EQ(back->xLabel, "first");
}

TEST(EventJson, PartsOfPointsReadBackBitForBit) {
    RunStarted start;
    start.parts = {"pairs of classes",
                   {"b against a", "\"c\" against ü"},
                   {{"primal", "Primal value", "", ColumnRole::Objective, false},
                    {"n_R", "Samples in R", "", ColumnRole::SetSize, true}}};
    const auto read = std::get<RunStarted>(throughJson({RunId{1}, 0, start}).body);
    EXPECT_EQ(read.parts.noun, start.parts.noun);
    EXPECT_EQ(read.parts.names, start.parts.names);
    EXPECT_EQ(read.parts.columns, start.parts.columns);
    EXPECT_TRUE(std::get<RunStarted>(throughJson({RunId{1}, 0, RunStarted{}}).body).parts.names.empty());
    RandomStream random(13, "parts");
    PartsSolved parts;
    parts.pointIndex = 7;
    for (int k = 0; k < 4; ++k) {
        parts.values.push_back(anyDouble(random));
    }
    const auto back = std::get<PartsSolved>(throughJson({RunId{1}, 3, parts}).body);
    EXPECT_EQ(back.pointIndex, 7);
    ASSERT_EQ(back.values.size(), 4U);
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_EQ(bitsOf(back.values[k]), bitsOf(parts.values[k]));
    }
}

TEST(EventJson, EveryEventOfARunReadsBackTheSame) {
    RunWishes wishes;
    wishes.embeddings = true;
    std::vector<RunEvent> events = toy::eventsOfRun(RunId{9}, {}, wishes);
    events.push_back({RunId{9}, 99, RunFailed{"line one\n  line two \"x\""}});
    for (const RunEvent& event : events) {
        const RunEvent back = throughJson(event);
        EXPECT_EQ(eventLine(back), eventLine(event));
        EXPECT_EQ(toy::briefly(back), toy::briefly(event));
    }
    const auto& before = std::get<RunStarted>(events.front().body);
    const auto after = std::get<RunStarted>(throughJson(events.front()).body);
    EXPECT_EQ(after.columns, before.columns);
    EXPECT_EQ(after.experiment, before.experiment);
    EXPECT_EQ(after.facts, before.facts);
    EXPECT_EQ(after.axisLabel, "λ");
}

TEST(EventJson, WholeNumbersKeepTheirSignAndAreNeverCutOff) {
    Screened screened;
    screened.pointIndex = std::numeric_limits<std::int32_t>::min();
    screened.fixedLow = std::numeric_limits<std::int64_t>::min();
    screened.fixedHigh = std::numeric_limits<std::int64_t>::max();
    const RunEvent event{RunId{-3}, 0, screened};
    const RunEvent back = throughJson(event);
    EXPECT_EQ(back.run, RunId{-3});
    EXPECT_EQ(eventLine(back), eventLine(event));
    Json object = eventToJson(event);
    for (const Json& outside : {Json(std::int64_t{1} << 31), Json(-(std::int64_t{1} << 31) - 1),
                                Json(std::numeric_limits<std::uint64_t>::max()), Json(0.5), Json("7")}) {
        object["index"] = outside;
        const auto read = eventFromJson(object);
        ASSERT_FALSE(read) << outside.dump();
        EXPECT_NE(read.error().message.find("\"index\" takes a whole number"), std::string::npos);
    }
}

TEST(EventJson, ReadsLogsWithoutTheMembersThatCameLater) {
    RunStarted start;
    start.hasPlane = true;
    Json object = eventToJson({RunId{1}, 0, start});
    EXPECT_TRUE(std::get<RunStarted>(eventFromJson(object)->body).hasPlane);
    EXPECT_FALSE(object.contains("feature_names"));
    object.erase("has_plane");
    EXPECT_FALSE(std::get<RunStarted>(eventFromJson(object)->body).hasPlane);
}

TEST(EventJson, NamesWhatIsWrong) {
    for (const char* text : {"{}", "[]", "3", R"({"run":1,"seq":0,"event":"dance"})",
                             R"({"run":1,"seq":0,"event":"screened","index":"x"})",
                             R"({"run":1,"seq":0,"event":"run-finished","termination":"tired"})"}) {
        const auto event = eventFromJson(Json::parse(text));
        ASSERT_FALSE(event) << text;
        EXPECT_EQ(event.error().code, ErrorCode::InvalidData);
        EXPECT_FALSE(event.error().message.empty());
    }
}

TEST(EventJson, SurvivesBytesThatAreNoUtf8) {
    const std::string line = eventLine({RunId{1}, 0, RunFailed{"caf\xe9"}});
    EXPECT_TRUE(eventFromJson(Json::parse(line)));
}

} // namespace
} // namespace lambdascope
