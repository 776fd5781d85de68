// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/data_input.h"
#include "app/cli/interrupt.h"
#include "app/cli/learned_solution.h"
#include "app/cli/run_choices.h"
#include "core/common/csv_text.h"
#include "core/common/number_text.h"
#include "core/common/text_file.h"
#include "core/data/alike_rows.h"
#include "core/numeric/psd_factor.h"
#include "core/store/append_file.h"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <utility>

namespace lambdascope::cli {

namespace {

constexpr std::size_t kPairsBytes = std::size_t{1} << 30U;

using Pair = std::pair<std::int64_t, std::int64_t>;

/// Two row numbers a line, with blanks or a comma between them.
Result<std::vector<Pair>> readPairs(const std::string& file, std::int64_t rows) {
    const auto text = readTextFile(file, kPairsBytes, "a list of pairs");
    if (!text) {
        return Failure{text.error()};
    }
    std::vector<Pair> pairs;
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

struct LearnedMetric {
    MatrixValues values;
    bool isColumn = false; ///< the diagonal alone
};

Result<LearnedMetric> metricOf(const LearnedSolution& learned) {
    for (const NamedMatrix& matrix : *learned.solution) {
        if (matrix.name == "M" || matrix.name == "m") {
            return LearnedMetric{matrix.values, matrix.name == "m"};
        }
    }
    return Failure{singleFault(ErrorCode::BadUsage,
                               {{},
                                "the run learned no metric: its family is " + learned.run.runner->experiment().family,
                                "Choose a run of the family metric.",
                                {}})};
}

std::string coordinateTable(const PlainRows& rows, const MatrixValues& factor) {
    std::string text = "row";
    for (std::int64_t r = 0; r < factor.rows(); ++r) {
        text += ",x" + std::to_string(r + 1);
    }
    text += rows.classes.empty() ? "\n" : ",class\n";
    for (std::int64_t i = 0; i < rows.values.rows(); ++i) {
        text += std::to_string(i);
        for (std::int64_t r = 0; r < factor.rows(); ++r) {
            double sum = 0;
            for (std::int64_t c = 0; c < factor.cols(); ++c) {
                sum += factor(r, c) * rows.values(i, c);
            }
            text += "," + exactText(sum);
        }
        text += (rows.classes.empty() ? "" : "," + csvCell(rows.classes[static_cast<std::size_t>(i)])) + "\n";
    }
    return text;
}

/// (x − y)ᵀM(x − y), not below 0.
double distance(const MatrixValues& x, const Pair& pair, const MatrixValues& metric, bool isColumn) {
    double sum = 0;
    for (std::int64_t i = 0; i < x.cols(); ++i) {
        const double left = x(pair.first, i) - x(pair.second, i);
        if (isColumn) {
            sum += metric(i, 0) * left * left;
            continue;
        }
        for (std::int64_t j = 0; j < x.cols(); ++j) {
            sum += left * metric(i, j) * (x(pair.first, j) - x(pair.second, j));
        }
    }
    return std::max(sum, 0.0);
}

std::string distanceTable(const PlainRows& rows, const std::vector<Pair>& pairs, const LearnedMetric& metric) {
    std::string text = "first,second,distance\n";
    for (const Pair& pair : pairs) {
        text += std::to_string(pair.first) + "," + std::to_string(pair.second) + "," +
                exactText(distance(rows.values, pair, metric.values, metric.isColumn)) + "\n";
    }
    return text;
}

} // namespace

Result<MatrixValues> factorOf(const NamedMatrix& metric) {
    MatrixValues whole = metric.values;
    if (metric.name == "m") {
        whole = MatrixValues(metric.values.rows(), metric.values.rows());
        for (std::int64_t i = 0; i < whole.rows(); ++i) {
            whole(i, i) = metric.values(i, 0);
        }
    }
    auto factor = psdFactor(whole);
    return factor ? Result<MatrixValues>(std::move(*factor))
                  : Failure{plainError(ErrorCode::Internal, "the metric could not be decomposed")};
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
    const auto data = rowsFor(learned->run, "transform", options.input, options.settings, interrupt.token());
    if (!data) {
        return report(data.error());
    }
    const PlainRows rows = plainRows(**data);
    std::string table;
    if (options.pairs.empty()) {
        const auto factor = factorOf({metric->isColumn ? "m" : "M", metric->values});
        if (!factor) {
            return report(factor.error());
        }
        table = coordinateTable(rows, *factor);
    } else {
        const auto pairs = readPairs(options.pairs, rows.values.rows());
        if (!pairs) {
            return report(pairs.error());
        }
        table = distanceTable(rows, *pairs, *metric);
    }
    if (auto written = writeFileAtomically(options.output, table); !written) {
        return report(written.error());
    }
    std::printf("%s: lane %s, point %d, %s rows\n", options.output.c_str(), learned->lane.c_str(), learned->point,
                groupedText(rows.values.rows()).c_str());
    return ExitStatus::Done;
}

} // namespace lambdascope::cli
