// SPDX-License-Identifier: GPL-3.0-or-later
// Models of several classes, and what LIBSVM makes of them and of the same problem.
#include "core/inspect/predictor.h"
#include "tests/core/svm/several_classes.h"
#include "tests/support/lens_capability.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#ifdef LAMBDASCOPE_HAS_LIBSVM
#include <libsvm/svm.h>
#endif

namespace lambdascope::svm {
namespace {

Json overlayOf(const char* source, const char* kernel, const char* intercept, double subset = 0.8) {
    return {{"data", {{"source", source}, {"scale", "minmax"}, {"subset", subset}, {"seed", 3}}},
            {"problem",
             {{"kernel", kernel}, {"gamma", 1}, {"intercept", intercept}, {"bias", 0.5}, {"classes", "one-vs-one"}}},
            {"path", {{"kind", "list"}, {"values", {0.1, 1, 10}}}},
            {"solver", {{"tolerance", 1e-9}}},
            {"lanes", {{{"name", "GAP"}, {"bounds", {"GAP"}}}}}};
}

std::shared_ptr<const Dataset> dataOf(const Json& overlay) {
    const auto experiment = validateExperiment(documentWith(overlay), catalog()).value();
    auto data = loadDataset(experiment->data, {});
    EXPECT_TRUE(data) << (data ? "" : data.error().describe());
    return *data;
}

struct Case {
    const char* source;
    const char* kernel;
    const char* intercept;
    double subset = 0.8;
};

void PrintTo(const Case& shown, std::ostream* out) {
    *out << shown.source << ", " << shown.kernel << ", " << shown.intercept;
}

const Case kCases[] = {{"iris", "rbf", "free"},           {"iris", "linear", "feature"}, {"wine", "linear", "free"},
                       {"wine", "polynomial", "feature"}, {"wine", "rbf", "none"},       {"digits", "rbf", "free", 0.2},
                       {"digits", "linear", "none", 0.2}};

std::string nameOfCase(const ::testing::TestParamInfo<Case>& made) {
    return std::string(made.param.source) + "_" + made.param.kernel + "_" + made.param.intercept;
}

class ModelsOfPairs : public ::testing::TestWithParam<Case> {
  protected:
    ModelsOfPairs()
        : overlay(overlayOf(GetParam().source, GetParam().kernel, GetParam().intercept, GetParam().subset)),
          data(dataOf(overlay)), prepared(preparedOn(data, overlay)), lens(prepared->makeLens(0)) {
        EXPECT_TRUE(lens->open(0, {}, {}));
    }
    Json overlay;
    std::shared_ptr<const Dataset> data;
    std::shared_ptr<const PreparedProblem> prepared;
    std::unique_ptr<RunLens> lens;
};

TEST_P(ModelsOfPairs, HaveACoefficientForEachPairOfAClass) {
    const auto text = as<ModelExporter>(*lens).exportModel(1, {});
    ASSERT_TRUE(text) << text.error().describe();
    const std::size_t classes = data->classNames().size();
    std::istringstream lines(*text);
    std::string line;
    std::size_t supports = 0, counted = 0;
    bool isBody = false;
    while (std::getline(lines, line)) {
        std::istringstream words(line);
        std::vector<std::string> all{std::istream_iterator<std::string>(words), {}};
        if (isBody) {
            ++supports;
            std::size_t numbers = 0;
            while (numbers < all.size() && all[numbers].find(':') == std::string::npos) {
                ++numbers;
            }
            EXPECT_EQ(numbers, classes - 1);
        } else if (all.front() == "rho") {
            EXPECT_EQ(all.size() - 1, classes * (classes - 1) / 2);
        } else if (all.front() == "nr_sv") {
            for (std::size_t k = 1; k < all.size(); ++k) {
                counted += std::stoul(all[k]);
            }
        } else if (all.front() == "label") {
            // Digits are numbers; species are not.
            EXPECT_EQ(all[1], std::string_view(GetParam().source) == "digits" ? "0" : "1");
        }
        isBody = isBody || line == "SV";
    }
    EXPECT_GT(supports, classes);
    EXPECT_EQ(supports, counted);
}

#ifdef LAMBDASCOPE_HAS_LIBSVM

std::vector<svm_node> nodesOf(const DenseRows& x, Eigen::Index row) {
    std::vector<svm_node> nodes;
    for (Eigen::Index f = 0; f < x.cols(); ++f) {
        nodes.push_back({static_cast<int>(f) + 1, x(row, f)});
    }
    nodes.push_back({-1, 0});
    return nodes;
}

TEST_P(ModelsOfPairs, MeanTheSameToLibsvm) {
    const auto& several = dynamic_cast<const PreparedMulticlass&>(*prepared);
    const std::size_t pairs = several.parts().size();
    const auto classes = static_cast<int>(data->classNames().size());
    for (const std::int32_t point : {0, 2}) {
        const auto text = as<ModelExporter>(*lens).exportModel(point, {});
        ASSERT_TRUE(text);
        const auto file = std::filesystem::temp_directory_path() /
                          ("lambdascope-pairs-" + std::string(GetParam().source) + GetParam().kernel + ".model");
        std::ofstream(file) << *text;
        svm_model* model = svm_load_model(file.c_str());
        std::filesystem::remove(file);
        ASSERT_NE(model, nullptr);
        EXPECT_EQ(svm_get_nr_class(model), classes);
        std::vector<int> labels(static_cast<std::size_t>(classes));
        svm_get_labels(model, labels.data());
        for (const Dataset* rows : {data.get(), data->heldOut()}) {
            const auto ours = as<Predictor>(*lens).predict(point, *rows, {});
            ASSERT_TRUE(ours);
            std::vector<std::vector<double>> f;
            for (const ClassPart& part : several.parts()) {
                const auto own = part.prepared->makeLens(0);
                ASSERT_TRUE(own->open(0, {}, {}));
                f.push_back(as<Predictor>(*own).predict(point, *rows, {})->values);
            }
            const DenseRows x = rows->toDense();
            for (Eigen::Index i = 0; i < x.rows(); ++i) {
                const std::vector<svm_node> nodes = nodesOf(x, i);
                std::vector<double> values(pairs);
                const double answer = svm_predict_values(model, nodes.data(), values.data());
                bool isClear = true; // where f is not rounding
                for (std::size_t p = 0; p < pairs; ++p) {
                    const double own = f[p][static_cast<std::size_t>(i)];
                    EXPECT_NEAR(values[p], -own, 1e-9 * (1 + std::abs(own))) << p;
                    isClear = isClear && std::abs(own) > 1e-9;
                }
                const std::int32_t ourClass = ours->classes[static_cast<std::size_t>(i)];
                EXPECT_TRUE(!isClear || labels[static_cast<std::size_t>(ourClass)] == answer) << i;
            }
        }
        svm_free_and_destroy_model(&model);
    }
}

/// LIBSVM trained on the same rows, with the classes in our order: labels are numbered as they appear there.
svm_model* trained(const Dataset& data, double c, const char* kernel, double gamma, std::vector<svm_node>& nodes,
                   std::vector<svm_node*>& rows) {
    const DenseRows x = data.toDense();
    std::vector<double> labels;
    nodes.reserve(static_cast<std::size_t>(x.rows() * (x.cols() + 1)));
    for (std::int32_t label = 0; label < std::ssize(data.classNames()); ++label) {
        for (Eigen::Index i = 0; i < x.rows(); ++i) {
            if (data.labels()[static_cast<std::size_t>(i)] == label) {
                rows.push_back(nodes.data() + nodes.size());
                const std::vector<svm_node> own = nodesOf(x, i);
                nodes.insert(nodes.end(), own.begin(), own.end());
                labels.push_back(label);
            }
        }
    }
    svm_problem problem{static_cast<int>(x.rows()), labels.data(), rows.data()};
    svm_parameter parameter{};
    parameter.svm_type = C_SVC;
    parameter.kernel_type = std::string_view(kernel) == "linear" ? LINEAR : RBF;
    parameter.gamma = gamma;
    parameter.cache_size = 100;
    parameter.eps = 1e-7;
    parameter.C = c;
    parameter.shrinking = 1;
    svm_set_print_string_function([](const char*) {});
    return svm_train(&problem, &parameter);
}

class PairsWithFreeBias : public ModelsOfPairs {}; // LIBSVM's problem

TEST_P(PairsWithFreeBias, ChooseTheClassesThatLibsvmFindsFromNothing) {
    // Its kernel values are in single precision, so that f may differ by some times that.
    constexpr double kSingle = 1e-3;
    const auto& several = dynamic_cast<const PreparedMulticlass&>(*prepared);
    const double gamma = several.config().kernelFor(data->features()).gamma;
    const double cs[] = {0.1, 1, 10};
    for (std::int32_t point = 0; point < 3; ++point) {
        std::vector<svm_node> nodes;
        std::vector<svm_node*> rows;
        svm_model* model = trained(*data, cs[point], GetParam().kernel, gamma, nodes, rows);
        const Dataset& unseen = *data->heldOut();
        const auto ours = as<Predictor>(*lens).predict(point, unseen, {});
        ASSERT_TRUE(ours);
        const DenseRows x = unseen.toDense();
        Eigen::Index compared = 0;
        for (Eigen::Index i = 0; i < x.rows(); ++i) {
            std::vector<double> values(several.parts().size());
            const std::vector<svm_node> own = nodesOf(x, i);
            const double answer = svm_predict_values(model, own.data(), values.data());
            if (std::all_of(values.begin(), values.end(), [&](double f) { return std::abs(f) > kSingle; })) {
                EXPECT_EQ(ours->classes[static_cast<std::size_t>(i)], answer) << i << " at C = " << cs[point];
                ++compared;
            }
        }
        EXPECT_GT(compared, x.rows() * 3 / 4);
        svm_free_and_destroy_model(&model);
    }
}

INSTANTIATE_TEST_SUITE_P(Sets, PairsWithFreeBias,
                         ::testing::Values(Case{"iris", "rbf", "free"}, Case{"wine", "linear", "free"},
                                           Case{"digits", "rbf", "free", 0.2}),
                         nameOfCase);

#endif

INSTANTIATE_TEST_SUITE_P(Sets, ModelsOfPairs, ::testing::ValuesIn(kCases), nameOfCase);

TEST(ModelsOfSeveralClasses, AreRefusedWhereTheFormatHasNoPlace) {
    Json overlay = overlayOf("iris", "rbf", "free");
    overlay["problem"]["classes"] = "one-vs-rest";
    const auto rest = preparedOn(dataOf(overlay), overlay);
    const auto lens = rest->makeLens(0);
    ASSERT_TRUE(lens->open(0, {}, {}));
    const auto refused = as<ModelExporter>(*lens).exportModel(0, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::BadUsage);
    EXPECT_EQ(refused.error().faults.front().key, "problem.classes");
    EXPECT_FALSE(as<ModelExporter>(*lens).exportModel(9, {}));
}

} // namespace
} // namespace lambdascope::svm
