// SPDX-License-Identifier: GPL-3.0-or-later
// Rules between fields, default lanes, the family's texts.
#include "core/ordinal/ordinal_config.h"

namespace lambdascope::ordinal {

namespace {

/// Scaling each feature on its own would make other distances of a matrix of distances.
void checkDistances(const Json& resolved, std::vector<Fault>& faults) {
    const Json& data = resolved.at("data");
    const auto refuse = [&](const char* key, const std::string& is, const char* remedy) {
        faults.push_back(
            {key, "is " + is + ", but the data are a matrix of distances, which must stay as it is", remedy, {}});
    };
    if (data.value("scale", "none") != "none") {
        refuse("data.scale", data.at("scale").get<std::string>(), "Set scale to \"none\".");
    }
    if (data.value("subset", 1.0) < 1) {
        refuse("data.subset", "below 1", "Set subset to 1.");
    }
    if (data.contains("pca") && data.at("pca").is_number()) {
        refuse("data.pca", "a number", "Set pca to \"all\".");
    }
}

/// Ids of a file count the rows of the data, so none may be left out.
void checkRows(const Json& data, std::vector<Fault>& faults) {
    if (data.value("source", "") == "none") {
        return;
    }
    if (data.value("subset", 1.0) < 1) {
        faults.push_back({"data.subset",
                          "is below 1, but ids in problem.file count all rows of the data",
                          "Set subset to 1, or data.source to \"none\".",
                          {}});
    }
    if (data.value("missing", "") == "drop-rows") {
        faults.push_back({"data.missing",
                          "drops rows, but ids in problem.file count all rows of the data",
                          "Set missing to \"fail\" or \"mean\", or data.source to \"none\".",
                          {}});
    }
}

void crossCheck(const Json& resolved, std::vector<Fault>& faults) {
    const Json& problem = resolved.at("problem");
    const std::string source = problem.at("comparisons").get<std::string>();
    if (source == "file" && problem.at("file").get<std::string>().empty()) {
        faults.push_back({"problem.file",
                          "is empty, but comparisons are to come from a file",
                          "Name the file, or take comparisons from the data: problem.comparisons = \"points\".",
                          {}});
    }
    if (source != "file" && resolved.at("data").value("source", "") == "none") {
        faults.push_back({"data.source",
                          "is none, but problem.comparisons is " + source + ", which compares rows of the data",
                          "Name a data set, or set problem.comparisons to \"file\".",
                          {}});
    }
    if (source == "file") {
        checkRows(resolved.at("data"), faults);
    }
    if (source == "distances") {
        checkDistances(resolved, faults);
    }
}

Json defaultLanes() {
    return Json::array({{{"name", "SVRG"}, {"solver", {{"method", "svrg"}}}},
                        {{"name", "SVRG-SBB"}, {"solver", {{"method", "svrg-sbb"}}}},
                        {{"name", "batch"}, {"solver", {{"method", "batch"}}}}});
}

} // namespace

FamilySchema schema() {
    FamilySchema result;
    result.id = "ordinal";
    result.title = "Ordinal embedding";
    result.summary = "Puts objects in a space so that their distances agree with comparisons.";
    result.reference = "Ma, Zeng, Xiong, Xu, Cao, Liu, Yao: Fast Stochastic Ordinal Embedding with Variance Reduction "
                       "and Adaptive Step Size. IEEE TKDE 33(6), 2021.";
    result.problem = problemFields().schema();
    result.solver = solverFields().schema();
    result.path = pathFields().schema();
    result.lane = laneFields().schema();
    result.defaultLanes = defaultLanes();
    result.crossCheck = crossCheck;
    return result;
}

} // namespace lambdascope::ordinal
