// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/problem/sample_weights.h"

#include "core/common/number_text.h"
#include "core/data/fault_list.h"
#include "core/data/input_reader.h"
#include "core/data/text_encoding.h"

#include <cmath>
#include <string_view>
#include <vector>

namespace lambdascope::svm {

namespace {

constexpr double kMostWeight = 1e30; // times C it is still a number whose square is one
constexpr std::string_view kBlanks = " \t\r";

/// The number of a line without its comment; what is wrong with it becomes a fault.
void readLine(std::string_view line, std::size_t lineNumber, std::vector<double>& weights, FaultList& faults) {
    line = line.substr(0, line.find('#'));
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) {
        return;
    }
    const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
    const std::string_view word = line.substr(begin, end - begin);
    const auto weight = parseNumber(word);
    if (!weight) {
        faults.add(lineNumber, begin + 1, "the weight is " + excerpt(word) + ", which is no number",
                   "Write one number per line, in the order of the rows.");
    } else if (!std::isfinite(*weight) || *weight < 0) {
        faults.add(lineNumber, begin + 1, "the weight is " + excerpt(word),
                   "Give finite numbers above 0, or 0 for samples that are to be left out.");
    } else if (*weight > kMostWeight) {
        faults.add(lineNumber, begin + 1, "the weight is " + excerpt(word) + ", more than " + shortText(kMostWeight),
                   "Give weights as shares of their mean: C carries what they have in common.");
    } else if (const std::size_t rest = line.find_first_not_of(kBlanks, end); rest != std::string_view::npos) {
        faults.add(lineNumber, rest + 1, "the line goes on with " + excerpt(line.substr(rest)),
                   "Write one number per line, in the order of the rows.");
    }
    weights.push_back(weight.value_or(0));
}

} // namespace

Result<SampleWeights> readSampleWeights(const std::filesystem::path& file, Eigen::Index rows,
                                        const DataProgress& progress, std::stop_token stop) {
    auto source = ByteSource::open(file, progress, stop);
    if (!source) {
        return Failure(std::move(source).error());
    }
    InputReader input(std::move(*source));
    FaultList faults(input.file());
    std::vector<double> weights;
    std::string_view line;
    bool isTooLong = false;
    while (!faults.isFull() && !isTooLong && input.nextLine(line)) {
        readLine(line, input.lineNumber(), weights, faults);
        isTooLong = std::ssize(weights) > rows;
    }
    if (input.failure()) {
        return Failure(*input.failure());
    }
    if (faults.isEmpty() && std::ssize(weights) != rows) {
        faults.add(isTooLong ? input.lineNumber() : 0, 0,
                   "the file has " + (isTooLong ? "more than " + groupedText(rows) : groupedText(std::ssize(weights))) +
                       " weights, but the data have " + groupedText(rows) + " rows",
                   "Write one number per row of the data.");
    }
    const Eigen::VectorXd values = Eigen::Map<const Eigen::VectorXd>(weights.data(), std::ssize(weights));
    if (faults.isEmpty() && !(values.maxCoeff() > 0)) {
        faults.add(0, 0, "all weights are 0, which leaves no sample", "Give at least one number above 0 per class.");
    }
    if (!faults.isEmpty()) {
        return faults.failure();
    }
    auto hash = input.source().sha256();
    if (!hash) {
        return Failure(std::move(hash).error());
    }
    return SampleWeights{values, std::move(*hash)};
}

} // namespace lambdascope::svm
