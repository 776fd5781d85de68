// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/adversary.h"

#include "core/common/random_stream.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <utility>
#include <vector>

namespace lambdascope::testing_support {

namespace {

class Adversary {
  public:
    Adversary(Json& document, std::uint64_t seed, std::filesystem::path folder)
        : m_document(document), m_family(document.at("family").text()), m_random(seed, "adversary " + m_family),
          m_folder(std::move(folder)) {}

    std::string draw() {
        drawRows();
        bend();
        writeRows();
        nameFiles();
        stretchPath();
        return m_words;
    }

  private:
    using Row = std::vector<double>;

    bool happens(double share) { return m_random.uniform() < share; }
    double power(double low, double high) { return std::pow(10.0, m_random.uniform(low, high)); }
    std::size_t some(std::size_t below) { return m_random.below(below); }
    void say(const std::string& word) { m_words += (m_words.empty() ? "" : ", ") + word; }
    [[nodiscard]] std::string file(const std::string& name) const { return (m_folder / name).string(); }

    /// Two classes (or three, where a family takes them) whose means differ.
    void drawRows() {
        const std::size_t rows = 8 + some(20);
        const std::size_t features = happens(0.2) ? 1 : happens(0.15) ? rows + 5 : 2 + some(4);
        const std::size_t classes = m_family == "metric" && happens(0.3) ? 3 : 2;
        const double apart = happens(0.3) ? 4 : happens(0.3) ? 0 : 1;
        for (std::size_t i = 0; i < rows; ++i) {
            m_labels.push_back(i < classes ? i : happens(0.1) ? 0 : some(classes)); // every class is there
            Row row(features);
            for (double& value : row) {
                value = m_random.normal() + apart * static_cast<double>(m_labels.back());
            }
            m_rows.push_back(std::move(row));
        }
        if (features == 1) {
            say("one feature");
        }
    }

    void each(const std::function<double(double, std::size_t)>& change) {
        for (Row& row : m_rows) {
            for (std::size_t k = 0; k < row.size(); ++k) {
                row[k] = change(row[k], k);
            }
        }
    }

    /// One or two ways in which data are hard.
    void bend() {
        const std::size_t ways = 1 + some(2);
        for (std::size_t way = 0; way < ways; ++way) {
            switch (some(10)) {
            case 0: addTwins(1e-15); break;
            case 1: addTwins(0); break;
            case 2:
                say("offset 1e7");
                each([](double x, std::size_t) { return x + 1e7; });
                break;
            case 3: scaleAll(); break;
            case 4: scaleSome(); break;
            case 5: makeRankOne(); break;
            case 6:
                say("ties");
                each([](double x, std::size_t) { return std::round(x); });
                break;
            case 7:
                say("an outlier");
                for (double& value : m_rows[some(m_rows.size())]) {
                    value *= 1e8;
                }
                break;
            case 8:
                say("all close to one point");
                each([](double x, std::size_t k) { return 1 + static_cast<double>(k) + 1e-8 * x; });
                break;
            default:
                say("a row of zeros, a constant feature");
                each([](double x, std::size_t k) { return k == 0 ? 3.0 : x; });
                std::fill(m_rows.back().begin(), m_rows.back().end(), 0.0);
            }
        }
    }

    void addTwins(double apart) {
        say(apart > 0 ? "twins" : "duplicates");
        const std::size_t count = m_rows.size();
        for (std::size_t i = 0; i < count; i += 2) {
            Row twin = m_rows[i];
            for (double& value : twin) {
                value *= 1 + apart * static_cast<double>(some(5));
            }
            m_rows.push_back(std::move(twin));
            m_labels.push_back(happens(0.3) ? (m_labels[i] + 1) % 2 : m_labels[i]);
        }
    }

    void scaleAll() {
        const double scale = happens(0.3) ? (happens(0.5) ? 1e150 : 1e-150) : power(-12, 12);
        say("scaled");
        each([scale](double x, std::size_t) { return x * scale; });
    }

    void scaleSome() {
        say("features of differing scales");
        std::vector<double> scales;
        for (std::size_t k = 0; k < m_rows.front().size(); ++k) {
            scales.push_back(power(-9, 9));
        }
        each([&scales](double x, std::size_t k) { return x * scales[k]; });
    }

    void makeRankOne() {
        say("rank one");
        for (Row& row : m_rows) {
            const double along = row[0];
            for (std::size_t k = 0; k < row.size(); ++k) {
                row[k] = along * (1 + 0.5 * static_cast<double>(k));
            }
        }
    }

    void writeRows() {
        Json& data = m_document["data"];
        const bool isKernel = m_family == "svm" && happens(0.12);
        data = Json{{"source", file("rows.csv")}, {"labels", "first"}, {"scale", "none"}, {"seed", 1}};
        if (!isKernel && happens(0.4)) {
            data["scale"] = "minmax";
        }
        const bool isFitted = m_family == "svm" && m_document["problem"].value("task", "") == "regression";
        const double scale = isFitted ? power(-6, 6) : 1; // of numbers to fit
        const double offset = isFitted && happens(0.3) ? 1e7 * scale : 0;
        if (isFitted) {
            say("numbers to fit");
            m_document["problem"]["epsilon"] = happens(0.2) ? 0 : scale * power(-3, 0);
        }
        std::ofstream out(file("rows.csv"));
        out.precision(17);
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            if (isFitted) {
                out << scale * (m_random.normal() + static_cast<double>(m_labels[i])) + offset;
            } else {
                out << "class" << m_labels[i];
            }
            for (std::size_t k = 0; k < (isKernel ? m_rows.size() : m_rows[i].size()); ++k) {
                out << ',' << (isKernel ? product(std::min(i, k), std::max(i, k)) : m_rows[i][k]);
            }
            out << '\n';
        }
        if (m_family != "svm") {
            return;
        }
        Json& problem = m_document["problem"];
        problem.erase("positive");
        if (isKernel) {
            say("precomputed");
            problem["kernel"] = "precomputed";
        } else if (problem.value("kernel", "") == "precomputed") {
            problem["kernel"] = "rbf";
        }
    }

    [[nodiscard]] double product(std::size_t i, std::size_t j) const {
        double sum = 0;
        for (std::size_t k = 0; k < m_rows[i].size(); ++k) {
            sum += m_rows[i][k] * m_rows[j][k];
        }
        return sum;
    }

    void nameFiles() {
        Json& problem = m_document["problem"];
        if (m_family == "svm") {
            problem.erase("weights");
            if (happens(0.3)) {
                say("weights");
                std::ofstream out(file("weights.txt"));
                for (std::size_t i = 0; i < m_rows.size(); ++i) {
                    out << (i > 3 && happens(0.1) ? 0 : power(-6, 6)) << '\n';
                }
                problem["weights"] = file("weights.txt");
            }
        } else if (m_family == "metric") {
            problem["constraints"] = "neighbours";
            problem.erase("file");
            if (happens(0.3)) {
                writeComparisons();
                problem["constraints"] = "file";
                problem["file"] = file("comparisons.txt");
            }
        } else if (m_family == "ordinal") {
            problem["comparisons"] = "points";
            problem.erase("file");
        }
    }

    void writeComparisons() {
        say("comparisons");
        std::ofstream out(file("comparisons.txt"));
        out << "base 0\ntarget 0 1\n";
        for (int count = 0; count < 80; ++count) {
            const std::vector<std::size_t> row = m_random.permutation(m_rows.size());
            switch (some(5)) {
            case 0: out << "quadruplet " << row[0] << ' ' << row[1] << ' ' << row[2] << ' ' << row[3]; break;
            case 1: out << "similar " << row[0] << ' ' << row[1] << ' ' << power(-3, 3); break;
            case 2: out << "dissimilar " << row[0] << ' ' << row[1] << ' ' << power(-3, 3); break;
            default: out << "triplet " << row[0] << ' ' << row[1] << ' ' << row[2];
            }
            out << ' ' << power(-6, 6) << '\n';
        }
    }

    /// Few points, often at the ends of what numbers allow.
    void stretchPath() {
        Json& path = m_document["path"];
        if (m_family == "svm" && happens(0.6)) {
            say("C to 1e12");
            path = Json{{"kind", "list"}, {"values", values(-6, 12, false)}};
        } else if (m_family == "pu" && path.value("kind", "") != "prior" && happens(0.5)) {
            say("lambda to 1e-12");
            path = Json{{"kind", "lambda"}, {"values", values(-12, 2, true)}};
        } else if (m_family == "metric") {
            path["max_points"] = 1 + some(4);
            if (happens(0.4)) {
                say("lambda to 1e-12");
                path["start"] = power(-12, 6);
            }
        }
        m_document["run"]["time_limit"] = 0;
    }

    /// One to three, in rising or falling order.
    std::vector<double> values(double low, double high, bool isFalling) {
        std::vector<double> drawn;
        for (std::size_t count = 1 + some(3); count > 0; --count) {
            drawn.push_back(power(low, high));
        }
        std::sort(drawn.begin(), drawn.end());
        if (isFalling) {
            std::reverse(drawn.begin(), drawn.end());
        }
        return drawn;
    }

    Json& m_document;
    std::string m_family;
    RandomStream m_random;
    std::filesystem::path m_folder;
    std::vector<Row> m_rows;
    std::vector<std::size_t> m_labels;
    std::string m_words;
};

} // namespace

std::string makeAdversarial(Json& document, std::uint64_t seed, const std::filesystem::path& folder) {
    return Adversary(document, seed, folder).draw();
}

} // namespace lambdascope::testing_support
