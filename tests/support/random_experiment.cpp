// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/random_experiment.h"

#include "core/common/random_stream.h"
#include "core/families.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <vector>

namespace lambdascope::testing_support {

namespace {

/// How often a field that the table below does not know takes its default.
constexpr double kDefaultShare = 0.5;
constexpr int kMostMendings = 40;

/// "family.section.key", or "section.key" for all families, and what is drawn from, each value as likely. What stands
/// several times is as much likelier.
const std::map<std::string, Json>& candidates() {
    static const std::map<std::string, Json> table = {
        {"run.time_limit", {0}},
        {"run.timing_repeats", {1, 1, 1, 2}},
        {"data.labels", {"auto"}},
        {"data.format", {"guess"}},
        {"data.missing", {"fail"}},
        {"data.pca", {"all", "all", "all", 2}},
        {"data.subset", {1, 1, 0.8, 0.5}},
        {"solver.tolerance", {0.3, 0.1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-6, 1e-8, 1e-10}},

        {"metric.solver.max_iterations", {3, 30, 300, 300, 1000}},
        {"metric.solver.memory_budget", {2000}},
        {"metric.problem.k", {1, 2, 3, 4}},
        {"metric.problem.knn", {1, 3}},
        {"metric.problem.gamma", {0.01, 0.05, 0.5, 0.9}},
        {"metric.problem.linear_term", {0, 0, 0, 0.1, 1}},
        {"metric.problem.constraints", {"neighbours", "neighbours", "neighbours", "file"}},
        {"metric.path.start", {"lambda-max", "lambda-max", 100, 1}},
        {"metric.path.ratio", {0.95, 0.9, 0.7, 0.3}},
        {"metric.path.min_lambda", {0}},
        {"metric.path.max_points", {1, 2, 3, 5, 8}},
        {"metric.lane.every", {1, 3, 10, 50}},

        {"svm.solver.max_iterations", {2, 20, 2000, 2000, 100000}},
        {"svm.problem.classes", {"two", "two", "two", "one-vs-one", "one-vs-rest"}},
        {"svm.problem.positive", {"auto"}},
        {"svm.problem.kernel", {"linear", "linear", "rbf", "rbf", "polynomial", "precomputed"}},
        {"svm.problem.gamma", {0.1, 1, 10}},
        {"svm.problem.degree", {1, 2, 3}},
        {"svm.problem.bias", {0, 0, 1, 10}},
        {"svm.problem.kernel_memory", {1, 2000}},
        {"svm.problem.folds", {0, 0, 0, 2, 3}},
        {"svm.path.start", {"c-min", "c-min", 1e-3, 0.1}},
        {"svm.path.ratio", {1.05, 1.5, 3, 30}},
        {"svm.path.max_c", {0.05, 1, 10, 1000}},
        {"svm.path.epsilon", {0.5, 0.1, 0.02}},
        {"svm.path.c", {0.1, 1, 100}},
        {"svm.path.max_points", {1, 2, 3, 6, 10}},
        {"svm.lane.every", {1, 3, 10}},
        {"svm.lane.beyond", {1.01, 1.3, 10}},

        {"pu.solver.max_iterations", {5, 300, 20000, 20000, 100000}},
        {"pu.solver.baseline_memory", {1, 4000}},
        {"pu.problem.positive", {"auto"}},
        {"pu.problem.labels", {"classes", "classes", "marked"}},
        {"pu.problem.labelled_share", {0.1, 0.3, 0.6}},
        {"pu.problem.labelled_count", {"share", "share", 3, 10}},
        {"pu.problem.unlabeled", {"all", "all", 12, 25}},
        {"pu.problem.prior_value", {0.1, 0.5, 0.8}},
        {"pu.problem.bootstrap", {10}},
        {"pu.problem.gamma", {0.1, 1, 10}},
        {"pu.problem.degree", {1, 2, 3}},
        {"pu.problem.kernel_memory", {1, 2000}},
        {"pu.path.start", {1, 0.1, 0.01}},
        {"pu.path.ratio", {0.03, 0.3, 0.6}},
        {"pu.path.stop", {0.1, 0.01, 1e-3}},
        {"pu.path.lambda", {0.1, 0.01, 1e-3}},
        {"pu.lane.every", {0.05, 0.2, 0.8}},

        {"ordinal.problem.train", {40, 150}},
        {"ordinal.problem.test", {0, 40}},
        {"ordinal.problem.noise", {0, 0, 0.1}},
        {"ordinal.problem.dimensions", {1, 2, 3}},
        {"ordinal.problem.top", {3}},
        {"ordinal.solver.trials", {1, 1, 2}},
        {"ordinal.solver.polish", {"never", "never", 1, 2}},
        {"ordinal.solver.rank", {}}, // lanes of a fixed rank screen nothing, and are proven by nothing
        {"ordinal.problem.gamma", {0, 0.05, 0.05, 0.3}},
        {"ordinal.path.kind", {"epochs", "epochs", "dimensions", "lambda", "lambda"}},
        {"ordinal.path.epochs", {1, 2, 4}},
        {"ordinal.path.min_lambda", {0}},
        {"ordinal.path.max_points", {1, 3, 5}},
        {"ordinal.path.max_dimensions", {1, 2, 3}},
        {"ordinal.path.folds", {2, 3}},
    };
    return table;
}

/// Draws the document of one experiment.
class Draw {
  public:
    Draw(std::string family, std::uint64_t seed, std::filesystem::path folder)
        : m_family(std::move(family)), m_random(seed, m_family), m_schema(*builtInCatalog().find(m_family)),
          m_folder(std::move(folder)), m_seed(seed) {}

    std::optional<Validated<Experiment>> experiment(const std::function<void(Json&)>& change) {
        Json document = {{"family", m_family}, {"name", "random"}};
        document["data"] = section(builtInCatalog().data);
        document["run"] = section(builtInCatalog().run);
        document["problem"] = section(m_schema.problem);
        document["solver"] = section(m_schema.solver);
        document["path"] = section(m_schema.path);
        document["lanes"] = lanes();
        nameData(document["data"], document["problem"]);
        nameFiles(document);
        namePath(document["path"]);
        nameScreening(document);
        if (change) {
            change(document);
        }
        return mended(std::move(document));
    }

  private:
    template <class T>
    T oneOf(std::initializer_list<T> values) {
        return *(values.begin() + static_cast<std::ptrdiff_t>(m_random.below(values.size())));
    }
    bool happens(double share) { return m_random.uniform() < share; }
    double logUniform(double low, double high) { return low * std::pow(high / low, m_random.uniform()); }

    Json number(const FieldDescription& field) {
        if (!field.emptyWord.empty() && happens(0.3)) {
            return field.emptyWord;
        }
        const double base = field.defaultValue.isNumber() ? field.defaultValue.get<double>() : 1.0;
        double value = base == 0 ? m_random.uniform() : base * logUniform(0.1, 10);
        if (field.kind == FieldKind::Integer) {
            value = base == 0 ? static_cast<double>(m_random.below(4)) : std::round(value);
        }
        value = std::min(std::max(value, field.range.low), field.range.high);
        return field.range.contains(value) ? Json(value) : field.defaultValue;
    }

    Json value(const FieldDescription& field) {
        switch (field.kind) {
        case FieldKind::Boolean: return happens(0.5);
        case FieldKind::Integer:
        case FieldKind::Real: return number(field);
        case FieldKind::Choice: return field.choices[m_random.below(field.choices.size())].value;
        case FieldKind::Choices: {
            Json chosen = Json::array();
            for (const Choice& choice : field.choices) {
                if (happens(0.5)) {
                    chosen.push_back(choice.value);
                }
            }
            return chosen;
        }
        default: return field.defaultValue;
        }
    }

    Json section(const SectionSchema& schema) {
        Json drawn = Json::object();
        for (const FieldDescription& field : schema.fields) {
            const std::string key = schema.key + "." + field.key;
            const auto& table = candidates();
            const auto own = table.find(m_family + "." + key);
            if (const auto known = own != table.end() ? own : table.find(key); known != table.end()) {
                const Json& some = known->second; // none: left at its default
                drawn[field.key] = some.empty() ? field.defaultValue : some[m_random.below(some.size())];
            } else if (field.kind == FieldKind::Choices || !happens(kDefaultShare)) {
                drawn[field.key] = value(field);
            }
        }
        return drawn;
    }

    Json lanes() {
        Json drawn = Json::array();
        const std::size_t count = 1 + m_random.below(3);
        for (std::size_t i = 0; i < count; ++i) {
            Json lane = section(m_schema.lane);
            lane["enabled"] = true;
            lane["name"] = "lane " + std::to_string(i + 1);
            if (happens(0.3)) {
                lane["solver"] = section(m_schema.solver);
            }
            drawn.push_back(std::move(lane));
        }
        return drawn;
    }

    /// Some rows of a generator, or a part of a bundled set. Two classes where a problem separates two.
    void nameData(Json& data, const Json& problem) {
        const bool isPair = m_family == "pu" || (m_family == "svm" && problem.value("classes", "two") == "two");
        data["seed"] = m_seed % 1000;
        if (!isPair && happens(0.2)) {
            data["source"] = oneOf({"iris", "wine"});
            data["subset"] = 0.2;
            return;
        }
        if (isPair && happens(0.1)) {
            data["source"] = "breast-cancer";
            data["subset"] = 0.1;
            return;
        }
        // A few have kernel rows that do not fit one MB together.
        m_rows = isPair && happens(0.04) ? 400 : static_cast<int>(24 + m_random.below(50));
        const std::string n = "?n=" + std::to_string(m_rows);
        const std::string classes = "&classes=" + std::to_string(isPair ? 2 : 2 + m_random.below(2));
        switch (m_random.below(4)) {
        case 0: data["source"] = "toy:two-moons" + n + "&noise=" + oneOf({"0", "0.1", "0.5"}); break;
        case 1: data["source"] = "toy:svm-figure1" + n; break;
        case 2: data["source"] = "toy:spirals" + n + classes; break;
        default:
            data["source"] = "toy:gaussian-classes" + n + classes + "&d=" + oneOf({"1", "2", "5", "70"}) +
                             "&separation=" + oneOf({"0", "2", "20"});
        }
    }

    /// Where a drawn option takes numbers from a file. Files count all rows as they stand.
    void nameFiles(Json& document) {
        Json& problem = document["problem"];
        Json& data = document["data"];
        const auto file = m_folder / (m_family + std::to_string(m_seed) + ".txt");
        if (m_family == "metric" && problem.value("constraints", "") == "file") {
            data["subset"] = 1;
            problem["file"] = file.string();
            writeComparisons(file, static_cast<std::size_t>(m_rows > 0 ? m_rows : 100));
        } else if (m_family == "svm" && problem.value("kernel", "") == "precomputed") {
            data = {{"source", file.string()}, {"scale", "none"}, {"labels", "first"}};
            writeKernelMatrix(file);
        } else if (m_family == "svm" && m_rows > 0 && happens(0.2)) {
            data["subset"] = 1;
            problem["weights"] = file.string();
            writeWeights(file);
        } else if (m_family == "ordinal" && problem.value("comparisons", "") == "file") {
            data = {{"source", "none"}};
            problem["file"] = file.string();
            writeAnswers(file);
        } else if (m_family == "ordinal" && problem.value("comparisons", "") == "distances") {
            data = {{"source", "eurodist"}, {"scale", "none"}};
        }
    }

    /// Linear kernel of points in the plane, two classes of different means.
    void writeKernelMatrix(const std::filesystem::path& file) {
        std::vector<std::pair<double, double>> points(15 + m_random.below(30));
        std::size_t number = 0;
        for (auto& [x, y] : points) {
            x = m_random.normal() + (number++ % 2 == 0 ? 0.7 : -0.7);
            y = m_random.normal();
        }
        std::ofstream out(file);
        out.precision(17);
        for (std::size_t i = 0; i < points.size(); ++i) {
            out << (i % 2 == 0 ? "a" : "b");
            for (const auto& [x, y] : points) {
                out << ',' << points[i].first * x + points[i].second * y;
            }
            out << '\n';
        }
    }

    void writeAnswers(const std::filesystem::path& file) {
        std::ofstream out(file);
        for (int count = 0; count < 150; ++count) {
            const std::vector<std::size_t> row = m_random.permutation(12);
            out << row[0] << ' ' << row[1] << ' ' << row[2] << '\n';
        }
    }

    void writeWeights(const std::filesystem::path& file) {
        std::ofstream out(file);
        for (int i = 0; i < m_rows; ++i) {
            out << oneOf({"0", "1", "1", "0.3", "7"}) << '\n';
        }
    }

    void writeComparisons(const std::filesystem::path& file, std::size_t rows) {
        std::ofstream out(file);
        out << "base 0\n";
        for (std::size_t count = 20 + m_random.below(150); count > 0; --count) {
            const std::vector<std::size_t> row = m_random.permutation(rows);
            switch (m_random.below(5)) {
            case 0: out << "quadruplet " << row[0] << ' ' << row[1] << ' ' << row[2] << ' ' << row[3]; break;
            case 1: out << "similar " << row[0] << ' ' << row[1] << ' ' << logUniform(0.1, 4); break;
            case 2: out << "dissimilar " << row[0] << ' ' << row[1] << ' ' << logUniform(0.1, 4); break;
            default: out << "triplet " << row[0] << ' ' << row[1] << ' ' << row[2];
            }
            out << (happens(0.2) ? " 3\n" : "\n");
        }
        out << "target 0 1\n";
    }

    /// What a path over λ asks of the rest; other paths of objects have nothing to screen.
    void nameScreening(Json& document) const {
        const bool isScreened = m_family == "ordinal" && document["path"].value("kind", "") == "lambda";
        for (std::size_t i = 0; m_family == "ordinal" && i < document["lanes"].size(); ++i) {
            for (const char* key : {"oracle", isScreened ? "solver" : "bounds", isScreened ? "model" : "range"}) {
                document["lanes"][i].erase(key);
            }
        }
        if (isScreened) {
            document["problem"]["model"] = "GNMDS";
            document["solver"] = {{"method", "convex"}, {"max_iterations", 2000}};
        }
    }

    void namePath(Json& path) {
        const std::string kind = path.value("kind", "");
        const bool isSvm = m_family == "svm" && (kind == "list" || kind == "reference");
        const bool isPu = m_family == "pu" && (kind == "prior" || kind == "unlabeled" || happens(0.2));
        if (!isSvm && !isPu) {
            return;
        }
        std::vector<double> values;
        for (std::size_t count = 1 + m_random.below(4); count > 0; --count) {
            values.push_back(kind == "reference"   ? logUniform(0.01, 1)
                             : kind == "list"      ? logUniform(0.01, 100)
                             : kind == "prior"     ? m_random.uniform(0.05, 0.95)
                             : kind == "unlabeled" ? static_cast<double>(5 + m_random.below(20))
                                                   : logUniform(1e-3, 1));
        }
        std::sort(values.begin(), values.end());
        values.erase(std::unique(values.begin(), values.end()), values.end());
        if (isPu && kind != "prior" && kind != "unlabeled") {
            std::reverse(values.begin(), values.end());
        }
        path["values"] = values;
    }

    /// The member or, of an array, the element of that number; null when there is none.
    static Json* memberOf(Json& json, const std::string& name) {
        if (json.isArray()) {
            const auto index = std::stoul(name);
            return index < json.size() ? &json[index] : nullptr;
        }
        return json.contains(name) ? &json[name] : nullptr;
    }

    /// Removes what `key` ("lanes[1].solver.method") names from the document; the section around it where that is not
    /// there; at last the section of all lanes. False when there is nothing to remove.
    static bool remove(Json& document, const std::string& key) {
        std::vector<std::string> words(1);
        for (const char c : key) {
            if (c != '.' && c != '[' && c != ']') {
                words.back() += c;
            } else if (!words.back().empty()) {
                words.emplace_back();
            }
        }
        const std::size_t least = words.front() == "lanes" ? 3 : 1; // a lane has to stay
        for (; words.size() >= least; words.pop_back()) {
            Json* around = &document;
            for (std::size_t k = 0; k + 1 < words.size() && around != nullptr; ++k) {
                around = memberOf(*around, words[k]);
            }
            if (around != nullptr && around->contains(words.back())) {
                around->erase(words.back());
                return true;
            }
        }
        return document.erase("solver") > 0 || document.erase("problem") > 0;
    }

    static std::optional<Validated<Experiment>> mended(Json document) {
        for (int mending = 0; mending < kMostMendings; ++mending) {
            auto checked = validateExperiment(document, builtInCatalog());
            if (checked) {
                return std::move(*checked);
            }
            const std::vector<Fault>& faults = checked.error().faults;
            if (faults.empty() || !remove(document, faults.front().key)) {
                return std::nullopt;
            }
        }
        return std::nullopt;
    }
    std::string m_family;
    RandomStream m_random;
    const FamilySchema& m_schema;
    std::filesystem::path m_folder;
    std::uint64_t m_seed;
    int m_rows = 0; ///< of a generator; 0 for a bundled set
};

} // namespace
std::optional<Validated<Experiment>> randomExperiment(const std::string& family, std::uint64_t seed,
                                                      const std::filesystem::path& folder,
                                                      const std::function<void(Json&)>& change) {
    return Draw(family, seed, folder).experiment(change);
}

} // namespace lambdascope::testing_support
