// SPDX-License-Identifier: GPL-3.0-or-later
// Rules between fields, default lanes, the family's texts.
#include "core/common/number_text.h"
#include "core/svm/svm_config.h"

namespace lambdascope::svm {

namespace {

void checkValues(const Json& path, std::vector<Fault>& faults) {
    const auto values = path.at("values").get<std::vector<double>>();
    const std::string kind = path.at("kind").get<std::string>();
    if (values.empty()) {
        faults.push_back(
            {"path.values", "is empty, but the path takes its points from it", "Give at least one value.", {}});
        return;
    }
    for (std::size_t i = 1; i < values.size(); ++i) {
        if (!(values[i] > values[i - 1])) {
            faults.push_back({"path.values",
                              "falls from " + exactText(values[i - 1]) + " to " + exactText(values[i]),
                              "Give rising values.",
                              {}});
            return;
        }
    }
    if (kind == "reference" && values.back() > 1) {
        faults.push_back({"path.values",
                          "has " + exactText(values.back()) + ", but references are shares of C, at most 1",
                          "Give shares between 0 and 1.",
                          {}});
    }
}

void checkPath(const Json& path, std::vector<Fault>& faults) {
    const std::string kind = path.at("kind").get<std::string>();
    if (kind == "list" || kind == "reference") {
        checkValues(path, faults);
        return;
    }
    const Json& start = path.at("start");
    if (start.is_number() && start.get<double>() > path.at("max_c").get<double>()) {
        faults.push_back({"path.start",
                          "is " + exactText(start.get<double>()) + ", above path.max_c, " +
                              exactText(path.at("max_c").get<double>()) + "; the path would have no point",
                          "Lower start or raise max_c.",
                          {}});
    }
}

/// Rows and columns of a kernel matrix belong together.
void checkPrecomputed(const Json& resolved, std::vector<Fault>& faults) {
    if (resolved.at("problem").at("kernel").get<std::string>() != "precomputed") {
        return;
    }
    const Json& data = resolved.at("data");
    const auto refuse = [&](const char* key, const std::string& is, const char* remedy) {
        faults.push_back(
            {key, "is " + is + ", but the data are a kernel matrix, which must stay as it is", remedy, {}});
    };
    if (data.value("scale", "none") != "none") {
        refuse("data.scale", data.at("scale").get<std::string>(), "Set scale to \"none\".");
    }
    if (const double subset = data.value("subset", 1.0); subset < 1) {
        refuse("data.subset", exactText(subset), "Set subset to 1.");
    }
    if (data.contains("pca") && data.at("pca").is_number()) {
        refuse("data.pca", exactText(data.at("pca").get<double>()), "Set pca to \"none\".");
    }
}

/// Weights from a file belong to the rows as they stand; leaving rows out would shift them.
void checkWeights(const Json& resolved, std::vector<Fault>& faults) {
    if (resolved.at("problem").at("weights").get<std::string>().empty()) {
        return;
    }
    const Json& data = resolved.at("data");
    if (const double subset = data.value("subset", 1.0); subset < 1) {
        faults.push_back({"data.subset",
                          "is " + exactText(subset) + ", but problem.weights has one number for every row of the data",
                          "Set subset to 1; weights of 0 leave samples out.",
                          {}});
    }
    if (data.value("missing", "fail") == "drop-rows") {
        faults.push_back({"data.missing",
                          "is drop-rows, but problem.weights has one number for every row of the data",
                          "Set missing to \"fail\" or \"mean\".",
                          {}});
    }
}

void crossCheck(const Json& resolved, std::vector<Fault>& faults) {
    checkPath(resolved.at("path"), faults);
    checkPrecomputed(resolved, faults);
    checkWeights(resolved, faults);
    if (resolved.at("problem").at("folds").get<std::int64_t>() == 1) {
        faults.push_back({"problem.folds",
                          "is 1, which would leave all samples out at once",
                          "Give 2 or more, or 0 for no cross-validation.",
                          {}});
    }
    const Json& lanes = resolved.at("lanes");
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const Json solver = lanes[i].contains("solver") ? lanes[i].at("solver") : resolved.at("solver");
        if (solver.value("method", resolved.at("solver").at("method").get<std::string>()) != "liblinear") {
            continue;
        }
        const std::string key = "lanes[" + std::to_string(i) + "]";
        if (const std::string kernel = resolved.at("problem").at("kernel").get<std::string>(); kernel != "linear") {
            faults.push_back({key + ".solver.method",
                              "is liblinear, which has no kernel " + kernel,
                              "Set problem.kernel to \"linear\", or the method to \"descent\".",
                              {}});
        }
        if (!resolved.at("problem").at("weights").get<std::string>().empty()) {
            faults.push_back({key + ".solver.method",
                              "is liblinear, but the library has no weights of single samples",
                              "Remove problem.weights, or set the method to \"descent\".",
                              {}});
        }
        if (!lanes[i].at("bounds").empty()) {
            faults.push_back({key + ".bounds",
                              "the library LIBLINEAR screens nothing",
                              "Leave bounds empty, or set the method to \"descent\".",
                              {}});
        }
    }
}

/// The six approaches of [S, table IV], and with GAP.
Json defaultLanes() {
    Json lanes = Json::array();
    for (const bool shrinks : {false, true}) {
        const std::string prefix = shrinks ? "Shrink" : "";
        lanes.push_back({{"name", shrinks ? "Shrink" : "Full"}, {"shrink", shrinks}});
        for (const char* bound : {"BT1", "IT"}) {
            lanes.push_back(
                {{"name", (shrinks ? prefix + "+" : prefix) + bound}, {"bounds", {bound}}, {"shrink", shrinks}});
        }
    }
    lanes.push_back({{"name", "Shrink+IT+GAP"}, {"bounds", {"IT", "GAP"}}, {"shrink", true}});
    return lanes;
}

} // namespace

FamilySchema schema() {
    FamilySchema result;
    result.id = "svm";
    result.title = "SVM without bias";
    result.summary = "Separates two classes by large margins, screening samples whose side of the margin is certain.";
    result.reference = "Ogawa, Suzuki, Suzumura, Takeuchi: Safe Sample Screening for Support Vector Machines. "
                       "arXiv 1401.6740, 2014.";
    result.problem = problemFields().schema();
    result.solver = solverFields().schema();
    result.path = pathFields().schema();
    result.lane = laneFields().schema();
    result.defaultLanes = defaultLanes();
    result.crossCheck = crossCheck;
    return result;
}

} // namespace lambdascope::svm
