// SPDX-License-Identifier: GPL-3.0-or-later
// Rules between fields, default lanes, the family's texts.
#include "core/common/number_text.h"
#include "core/pu/pu_config.h"

#include <cmath>

namespace lambdascope::pu {

namespace {

void checkPath(const Json& path, std::vector<Fault>& faults) {
    const std::string kind = path.at("kind").get<std::string>();
    const auto values = path.at("values").get<std::vector<double>>();
    if (values.empty()) {
        if (kind != "lambda") {
            faults.push_back({"path.values",
                              "is empty, but a path over " + kind + " takes its points from it",
                              "Give at least one value.",
                              {}});
        } else if (path.at("start").get<double>() < path.at("stop").get<double>()) {
            faults.push_back({"path.start",
                              "is " + exactText(path.at("start").get<double>()) + ", below path.stop, " +
                                  exactText(path.at("stop").get<double>()) + "; the path would have no point",
                              "Raise start or lower stop.",
                              {}});
        }
        return;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (kind == "prior" && values[i] >= 1) {
            faults.push_back({"path.values",
                              "has " + exactText(values[i]) + ", but a prior lies between 0 and 1",
                              "Give priors above 0 and below 1.",
                              {}});
            return;
        }
        if (kind == "unlabeled" && values[i] != std::floor(values[i])) {
            faults.push_back({"path.values",
                              "has " + exactText(values[i]) + ", but counts are whole numbers",
                              "Give whole numbers.",
                              {}});
            return;
        }
        const bool falls = kind == "lambda";
        if (i > 0 && (falls ? !(values[i] < values[i - 1]) : !(values[i] > values[i - 1]))) {
            faults.push_back({"path.values",
                              std::string(falls ? "does not fall" : "does not rise") + " from " +
                                  exactText(values[i - 1]) + " to " + exactText(values[i]),
                              falls ? "Give falling values." : "Give rising values.",
                              {}});
            return;
        }
    }
}

void checkPrior(const Json& problem, const Json& path, std::vector<Fault>& faults) {
    const std::string prior = problem.at("prior").get<std::string>();
    const bool isKnown = problem.at("labels").get<std::string>() == "classes";
    if (!isKnown && (prior == "training" || prior == "unlabeled") && path.at("kind").get<std::string>() != "prior") {
        faults.push_back({"problem.prior",
                          "is \"" + prior + "\", which needs true classes, but the labels only mark positives",
                          "Give the prior (\"given\"), or have it estimated (\"elkan-noto\", \"energy\").",
                          {}});
    }
}

/// Two files are put together as they were read, so that both are prepared alike.
void checkFiles(const Json& resolved, std::vector<Fault>& faults) {
    const Json& problem = resolved.at("problem");
    if (problem.at("labels").get<std::string>() != "files") {
        return;
    }
    if (problem.at("unlabeled_file").get<std::string>().empty()) {
        faults.push_back({"problem.unlabeled_file",
                          "is empty, but problem.labels says that unlabeled rows come from a file",
                          "Name the file of unlabeled rows.",
                          {}});
    }
    const Json& data = resolved.at("data");
    if (data.value("scale", "none") != "none") {
        faults.push_back({"data.scale",
                          "would scale the labelled rows without the unlabeled ones",
                          "Set it to \"none\" and take problem.scale, which scales both together.",
                          {}});
    }
    if (data.contains("pca") && !data.at("pca").is_null() && data.at("pca").is_number()) {
        faults.push_back({"data.pca",
                          "would turn the labelled rows without the unlabeled ones",
                          "Leave it out when rows come from two files.",
                          {}});
    }
    if (data.value("subset", 1.0) != 1.0) {
        faults.push_back({"data.subset",
                          "would leave out labelled rows only",
                          "Set it to 1; problem.unlabeled takes a part of the unlabeled rows.",
                          {}});
    }
}

void crossCheck(const Json& resolved, std::vector<Fault>& faults) {
    checkFiles(resolved, faults);
    checkPath(resolved.at("path"), faults);
    checkPrior(resolved.at("problem"), resolved.at("path"), faults);
    const Json& lanes = resolved.at("lanes");
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const Json solver = lanes[i].contains("solver") ? lanes[i].at("solver") : resolved.at("solver");
        const auto method = solver.value("method", resolved.at("solver").at("method").get<std::string>());
        if (method != "pairs" && !lanes[i].at("bounds").empty()) {
            faults.push_back({"lanes[" + std::to_string(i) + "].bounds",
                              "the method \"" + method + "\" screens nothing",
                              "Leave bounds empty, or set the method to \"pairs\".",
                              {}});
        }
    }
}

Json defaultLanes() {
    return Json::array({{{"name", "Pairs"}, {"bounds", Json::array()}},
                        {{"name", "Pairs+GAP"}, {"bounds", {"GAP"}}},
                        {{"name", "USMO"},
                         {"bounds", Json::array()},
                         {"solver", {{"method", "usmo"}, {"tolerance", 1e-3}, {"tolerance_kind", "violation"}}}}});
}

} // namespace

FamilySchema schema() {
    FamilySchema result;
    result.id = "pu";
    result.title = "Positive-unlabeled learning";
    result.summary = "Learns from labelled positives and unlabeled samples, screening samples whose σ is certain.";
    result.reference = "Sansone, De Natale, Zhou: Efficient Training for Positive Unlabeled Learning. "
                       "IEEE Transactions on Pattern Analysis and Machine Intelligence 41(11), 2019.";
    result.problem = problemFields().schema();
    result.solver = solverFields().schema();
    result.path = pathFields().schema();
    result.lane = laneFields().schema();
    result.defaultLanes = defaultLanes();
    result.crossCheck = crossCheck;
    return result;
}

} // namespace lambdascope::pu
