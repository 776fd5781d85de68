// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"
#include "core/svm/inspect/libsvm_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>

namespace lambdascope::svm {

namespace {

/// Reads line by line; the first fault ends it.
class ModelReader {
  public:
    ModelReader(const std::string& text, std::string file) : m_lines(text), m_file(std::move(file)) {}

    Result<LibsvmModel> read() {
        while (!m_fault && std::getline(m_lines, m_text)) {
            ++m_line;
            std::istringstream words(m_text);
            std::string key;
            if (!(words >> key)) {
                continue;
            }
            m_isBody ? readSupport(key, words) : readHeader(key, words);
        }
        if (!m_fault) {
            checkWhole();
        }
        if (m_fault) {
            return Failure{singleFault(ErrorCode::InvalidData, *m_fault)};
        }
        m_model.supports = supports();
        m_model.coefficients =
            Eigen::Map<const Eigen::VectorXd>(m_coefficients.data(), static_cast<Eigen::Index>(m_coefficients.size()));
        return std::move(m_model);
    }

  private:
    /// Filled row by row, in memory that goes with the values: the largest index may be any.
    [[nodiscard]] SparseRows supports() const {
        SparseRows supports(m_rows, m_columns);
        supports.reserve(static_cast<Eigen::Index>(m_values.size()));
        auto value = m_values.begin();
        for (std::int32_t row = 0; row < m_rows; ++row) {
            supports.startVec(row);
            for (; value != m_values.end() && value->row() == row; ++value) {
                supports.insertBack(row, value->col()) = value->value();
            }
        }
        supports.finalize();
        return supports;
    }

    void fail(std::string message, std::string remedy = "Write the model with svm-train or export-model.") {
        if (!m_fault) {
            m_fault = Fault{{}, std::move(message), std::move(remedy), {m_file, m_line, 0}};
        }
    }

    std::optional<double> number(const std::string& word, const std::string& what) {
        const auto value = parseNumber(word);
        if (!value || !std::isfinite(*value)) {
            fail(what + " is no number: \"" + word + "\"");
            return std::nullopt;
        }
        return value;
    }

    std::int64_t whole(const std::string& word, const std::string& what, std::int64_t least, std::int64_t most) {
        const auto value = parseInteger(word);
        if (!value || *value < least || *value > most) {
            fail(what + " is no whole number from " + std::to_string(least) + " to " + std::to_string(most) + ": \"" +
                 word + "\"");
            return least;
        }
        return *value;
    }

    void readHeader(const std::string& key, std::istringstream& words) {
        constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
        std::string word;
        const auto next = [&] {
            word.clear();
            words >> word;
            return word;
        };
        if (key == "SV") {
            m_isBody = true;
        } else if (key == "svm_type") {
            m_hasType = true;
            next();
            if (word == "epsilon_svr" || word == "nu_svr") {
                m_model.task = TaskKind::Regression;
            } else if (word == "one_class") {
                m_model.task = TaskKind::Novelty;
            } else if (word != "c_svc") {
                fail("only c_svc, epsilon_svr, nu_svr and one_class models can be read, not " + word,
                     "Train a model of such a type.");
            }
        } else if (key == "kernel_type") {
            readKernel(next());
        } else if (key == "degree") {
            m_model.kernel.degree = static_cast<int>(whole(next(), key, 1, 1000));
        } else if (key == "gamma") {
            m_hasGamma = true;
            m_model.kernel.gamma = number(next(), key).value_or(0);
            if (!(m_model.kernel.gamma > 0)) {
                fail("gamma is " + word + ", but must be above 0");
            }
        } else if (key == "coef0") {
            m_model.kernel.offset = number(next(), key).value_or(0);
        } else if (key == "nr_class") {
            if (whole(next(), key, 0, kMost) != 2) {
                fail("only models of two classes can be read, not of " + word, "Train one class against the rest.");
            }
        } else if (key == "total_sv") {
            m_total = whole(next(), key, 0, kMost);
        } else if (key == "rho") {
            m_model.rho = number(next(), key).value_or(0);
        } else if (key == "label") {
            for (std::int32_t& label : m_model.labels) {
                label = static_cast<std::int32_t>(whole(next(), key, -kMost, kMost));
            }
        } else if (key == "nr_sv") {
            for (std::int64_t& count : m_model.counts) {
                count = whole(next(), key, 0, kMost);
            }
        } else if (key != "probA" && key != "probB" && key != "prob_density_marks") {
            fail("unknown line of the header: " + key);
        }
    }

    void readKernel(const std::string& name) {
        m_hasKernel = true;
        if (name == "linear") {
            m_model.kernel.kind = KernelKind::Linear;
        } else if (name == "polynomial") {
            m_model.kernel.kind = KernelKind::Polynomial;
        } else if (name == "rbf") {
            m_model.kernel.kind = KernelKind::Rbf;
        } else {
            fail("only linear, polynomial and rbf kernels can be read, not " + name, "Train with another kernel.");
        }
    }

    void readSupport(const std::string& first, std::istringstream& words) {
        m_coefficients.push_back(number(first, "the coefficient").value_or(0));
        std::string word;
        std::int64_t last = 0;
        while (!m_fault && words >> word) {
            const auto colon = word.find(':');
            if (colon == std::string::npos) {
                fail("a feature is written index:value, not \"" + word + "\"");
                return;
            }
            const std::int64_t index =
                whole(word.substr(0, colon), "a feature's index", last + 1, std::numeric_limits<std::int32_t>::max());
            const auto value = number(word.substr(colon + 1), "a feature");
            if (value && !m_fault) {
                m_values.emplace_back(m_rows, static_cast<std::int32_t>(index - 1), *value);
                m_columns = std::max<Eigen::Index>(m_columns, index);
                last = index;
            }
        }
        ++m_rows;
    }

    void checkWhole() {
        m_line = 0;
        if (!m_hasType || !m_hasKernel || !m_isBody) {
            fail("this is no LIBSVM model: svm_type, kernel_type or SV is missing");
        } else if (m_model.kernel.kind != KernelKind::Linear && !m_hasGamma) {
            fail("gamma is missing, which the kernel needs");
        } else if (m_model.task == TaskKind::Classification && m_model.labels[0] == m_model.labels[1]) {
            fail("both classes have the label " + std::to_string(m_model.labels[0]));
        } else if (m_total >= 0 && m_total != m_rows) {
            fail("the header says " + std::to_string(m_total) + " support vectors, but there are " +
                     std::to_string(m_rows),
                 "The file may have been cut short; write it again.");
        }
    }

    std::istringstream m_lines;
    std::string m_file;
    std::string m_text;
    std::size_t m_line = 0;
    std::optional<Fault> m_fault;
    LibsvmModel m_model;
    bool m_hasType = false;
    bool m_hasKernel = false;
    bool m_hasGamma = false;
    bool m_isBody = false;
    std::int64_t m_total = -1;
    std::int32_t m_rows = 0;
    Eigen::Index m_columns = 0;
    std::vector<Eigen::Triplet<double, std::int32_t>> m_values;
    std::vector<double> m_coefficients;
};

} // namespace

Result<LibsvmModel> readLibsvmModel(const std::string& text, const std::string& file) {
    return ModelReader(text, file).read();
}

} // namespace lambdascope::svm
