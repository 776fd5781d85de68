// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/data_input.h"
#include "app/cli/interrupt.h"
#include "app/cli/learned_solution.h"
#include "app/cli/run_choices.h"
#include "core/common/csv_text.h"
#include "core/common/number_text.h"
#include "core/common/text_file.h"
#include "core/data/dataset.h"
#include "core/numeric/psd_projection.h"
#include "core/store/append_file.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <utility>

namespace lambdascope::cli {

namespace {

constexpr std::size_t kPairsBytes = std::size_t{1} << 30U;

/// Two row numbers a line, with blanks or a comma between them.
Result<std::vector<std::pair<Eigen::Index, Eigen::Index>>> readPairs(const std::string& file, Eigen::Index rows) {
    const auto text = readTextFile(file, kPairsBytes, "a list of pairs");
    if (!text) {
        return Failure{text.error()};
    }
    std::vector<std::pair<Eigen::Index, Eigen::Index>> pairs;
    std::istringstream lines(*text);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream words(line);
        std::string first;
        std::string second;
        std::string more;
        if (!(words >> first)) {
            continue; // an empty line
        }
        words >> second;
        const auto a = parseInteger(first);
        const auto b = parseInteger(second);
        const auto isRow = [rows](const auto& row) { return row && *row >= 0 && *row < rows; };
        if (words >> more || !isRow(a) || !isRow(b)) {
            return Failure{
                singleFault(ErrorCode::InvalidData, {{},
                                                     "takes two row numbers from 0 to " + std::to_string(rows - 1),
                                                     "Correct the line.",
                                                     {file, number, 1}})};
        }
        pairs.emplace_back(*a, *b);
    }
    return pairs;
}

/// The metric of a solution, M or a column with its diagonal.
Result<MatrixValues> metricOf(const LearnedSolution& learned) {
    for (const NamedMatrix& matrix : *learned.solution) {
        if (matrix.name == "M" || matrix.name == "m") {
            return matrix.values;
        }
    }
    return Failure{singleFault(ErrorCode::BadUsage,
                               {{},
                                "the run learned no metric: its family is " + learned.run.runner->experiment().family,
                                "Choose a run of the family metric.",
                                {}})};
}

Eigen::Map<const Eigen::MatrixXd> mapped(const MatrixValues& matrix) {
    return {matrix.data(), matrix.rows(), matrix.cols()};
}

std::string coordinateTable(const Dataset& rows, const MatrixValues& factor) {
    const DenseRows z = rows.toDense() * mapped(factor).transpose();
    std::string text = "row";
    for (Eigen::Index c = 0; c < z.cols(); ++c) {
        text += ",x" + std::to_string(c + 1);
    }
    text += rows.isLabelled() ? ",class\n" : "\n";
    for (Eigen::Index i = 0; i < z.rows(); ++i) {
        text += std::to_string(i);
        for (Eigen::Index c = 0; c < z.cols(); ++c) {
            text += "," + exactText(z(i, c));
        }
        const auto row = static_cast<std::size_t>(i);
        text += rows.isLabelled() ? "," + csvCell(rows.classNames()[static_cast<std::size_t>(rows.labels()[row])]) : "";
        text += "\n";
    }
    return text;
}

std::string distanceTable(const Dataset& rows, const std::vector<std::pair<Eigen::Index, Eigen::Index>>& pairs,
                          const MatrixValues& metric) {
    const DenseRows x = rows.toDense();
    const auto m = mapped(metric);
    std::string text = "first,second,distance\n";
    for (const auto& [a, b] : pairs) {
        const Eigen::VectorXd difference = (x.row(a) - x.row(b)).transpose();
        const double distance = metric.cols() == 1 && metric.rows() == x.cols() ? difference.cwiseAbs2().dot(m.col(0))
                                                                                : difference.dot(m * difference);
        text += std::to_string(a) + "," + std::to_string(b) + "," + exactText(std::max(distance, 0.0)) + "\n";
    }
    return text;
}

} // namespace

Result<MatrixValues> factorOf(const MatrixValues& metric) {
    Eigen::MatrixXd matrix = mapped(metric);
    if (metric.cols() == 1 && metric.rows() > 1) {
        matrix = Eigen::MatrixXd(mapped(metric).col(0).asDiagonal());
    }
    const EigenSystem system = symmetricEigenSystem(matrix, true);
    if (!system.succeeded) {
        return Failure{plainError(ErrorCode::Internal, "the metric could not be decomposed")};
    }
    const Eigen::Index rank = (system.values.array() > 0).count();
    Eigen::MatrixXd factor(rank, matrix.cols());
    for (Eigen::Index r = 0; r < rank; ++r) {
        const Eigen::Index column = matrix.cols() - 1 - r; // eigenvalues rise
        factor.row(r) = std::sqrt(system.values(column)) * system.vectors.col(column).transpose();
        Eigen::Index largest = 0;
        factor.row(r).cwiseAbs().maxCoeff(&largest);
        if (factor(r, largest) < 0) {
            factor.row(r) *= -1;
        }
    }
    return MatrixValues(factor);
}

ExitStatus transformCommand(const TransformOptions& options) {
    if (auto checked = checkOutput(options.output, options.force); !checked) {
        return report(checked.error());
    }
    InterruptWatch interrupt;
    ProgressSink progress(progressStyle("auto"));
    const auto learned =
        readLearnedSolution(options.folder, options.lane, options.point, options.data, progress, interrupt.token());
    if (!learned) {
        return report(learned.error());
    }
    const auto metric = metricOf(*learned);
    if (!metric) {
        return report(metric.error());
    }
    const auto rows = rowsFor(learned->run, "transform", options.input, options.settings, interrupt.token());
    if (!rows) {
        return report(rows.error());
    }
    std::string table;
    if (options.pairs.empty()) {
        const auto factor = factorOf(*metric);
        if (!factor) {
            return report(factor.error());
        }
        table = coordinateTable(**rows, *factor);
    } else {
        const auto pairs = readPairs(options.pairs, (*rows)->rows());
        if (!pairs) {
            return report(pairs.error());
        }
        table = distanceTable(**rows, *pairs, *metric);
    }
    if (auto written = writeFileAtomically(options.output, table); !written) {
        return report(written.error());
    }
    std::printf("%s: lane %s, point %d, %s rows\n", options.output.c_str(), learned->lane.c_str(), learned->point,
                groupedText((*rows)->rows()).c_str());
    return ExitStatus::Done;
}

} // namespace lambdascope::cli
