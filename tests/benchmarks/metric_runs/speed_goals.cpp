// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/metric_runs/speed_goals.h"

namespace lambdascope::benchmarks {

namespace {

/// Unscreened and screened lanes by every engine and method.
Json lanesBy(const std::vector<std::string>& engines, const std::vector<std::string>& methods) {
    Json lanes = Json::array();
    for (const std::string& engine : engines) {
        for (const std::string& method : methods) {
            for (const bool isScreened : {false, true}) {
                const std::string name = isScreened ? "RRPB+PGB" : "naive";
                lanes.push_back({{"name", engine + ", " + method + ", " + name},
                                 {"bounds", isScreened ? Json{"RRPB", "PGB"} : Json::array()},
                                 {"solver", {{"engine", engine}, {"method", method}}}});
            }
        }
    }
    return lanes;
}

SpeedGoal goalOn(const std::string& title, const std::string& source, const Json& k, const Json& lanes) {
    SpeedGoal goal;
    goal.title = title;
    goal.experiment = {{"family", "metric"},
                       {"data", {{"source", source}, {"scale", "minmax"}, {"storage", "dense"}}},
                       {"problem", {{"k", k}}},
                       {"solver", {{"tolerance", 1e-6}, {"tolerance_kind", "relative"}}},
                       {"lanes", lanes}};
    return goal;
}

} // namespace

std::vector<SpeedGoal> speedGoals(bool isWhole) {
    const std::vector<std::string> methods = {"projected-gradient", "auto"};
    const Json fast = lanesBy({"pairs", "sorted"}, methods);
    Json published = fast;
    for (const Json& lane : lanesBy({"triplets"}, {"projected-gradient"})) {
        published.push_back(lane);
    }
    std::vector<SpeedGoal> goals;
    SpeedGoal goal = goalOn("iris, k = all", "iris", "all", published);
    goal.published = "7.8 s (RRPB, active set, ranges)";
    goal.publishedSeconds = 7.8;
    goal.seconds = 0.78;
    goals.push_back(goal);

    goal = goalOn("wine, k = all", "wine", "all", isWhole ? published : fast);
    goal.published = "44.4 s (RRPB, active set, ranges)";
    goal.publishedSeconds = 44.4;
    goal.seconds = 4.4;
    goals.push_back(goal);

    goal = goalOn("segment, k = 20", "segment.arff", 20, isWhole ? published : fast);
    goal.published = "84 s (RRPB+PGB)";
    goal.publishedSeconds = 84;
    goal.seconds = 84.0 / 20;
    goals.push_back(goal);

    // Projected gradient takes tens of thousands of steps a point on these, as it does in the published code.
    goal = goalOn("breast cancer, standardized, k = 10", "breast-cancer", 10, lanesBy({"pairs"}, {"auto"}));
    goal.experiment["data"]["scale"] = "standardize";
    goal.published = "not finished in 240 s";
    goal.seconds = 30;
    goal.isLong = true;
    goals.push_back(goal);

    goal = goalOn("digits, k = 10, two threads", "digits", 10, lanesBy({"pairs"}, {"auto"}));
    goal.published = "not finished in 240 s";
    goal.seconds = 30;
    goal.threads = 2;
    goal.isLong = true;
    goals.push_back(goal);

    goal = goalOn("digits, k = all, two threads", "digits", "all", lanesBy({"sorted"}, {"auto"}));
    goal.published = "not tried";
    goal.seconds = 600;
    goal.megabytes = 2000;
    goal.threads = 2;
    goal.isLong = true;
    goals.push_back(goal);
    if (!isWhole) {
        std::erase_if(goals, [](const SpeedGoal& each) { return each.isLong; });
    }
    return goals;
}

} // namespace lambdascope::benchmarks
