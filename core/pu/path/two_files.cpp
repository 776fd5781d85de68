// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/path/two_files.h"

#include "core/common/number_text.h"
#include "core/data/content_hash.h"
#include "core/data/data_faults.h"
#include "core/data/scaling.h"

namespace lambdascope::pu {

namespace {

/// Faults of reading the second file stand under the field that names it.
Error underItsField(Error error) {
    for (Fault& fault : error.faults) {
        if (fault.key.empty() || fault.key == "data.source") {
            fault.key = "problem.unlabeled_file";
        }
    }
    return error;
}

void append(std::vector<Eigen::Triplet<double, std::int32_t>>& values, const SparseRows& rows, Eigen::Index from) {
    for (Eigen::Index i = 0; i < rows.outerSize(); ++i) {
        for (SparseRows::Base::InnerIterator it(rows, i); it; ++it) {
            values.emplace_back(static_cast<std::int32_t>(from + i), static_cast<std::int32_t>(it.col()), it.value());
        }
    }
}

/// One block of rows; sparse when both are.
RawData stacked(const Dataset& upper, const Dataset& lower) {
    RawData both;
    both.isSparse = upper.isSparse() && lower.isSparse();
    if (!both.isSparse) {
        both.dense.resize(upper.rows() + lower.rows(), upper.features());
        both.dense.topRows(upper.rows()) = upper.isSparse() ? upper.toDense() : upper.dense();
        both.dense.bottomRows(lower.rows()) = lower.isSparse() ? lower.toDense() : lower.dense();
    } else {
        std::vector<Eigen::Triplet<double, std::int32_t>> values;
        append(values, upper.sparse(), 0);
        append(values, lower.sparse(), upper.rows());
        both.sparse = SparseRows(upper.rows() + lower.rows(), upper.features());
        both.sparse.setFromTriplets(values.begin(), values.end());
        both.sparse.makeCompressed();
    }
    both.featureNames = upper.featureNames();
    return both;
}

} // namespace

Result<std::shared_ptr<const Dataset>> withUnlabeledFile(const Dataset& labelled, const ProblemConfig& config,
                                                         const DataConfig& reading, const DataProgress& progress,
                                                         std::stop_token stop) {
    DataConfig second = reading;
    second.source = config.unlabeledFile;
    second.format = DataFormat::Guess;
    second.edits.clear(); // they are of rows of the first file
    const auto unlabeled = loadDataset(second, {}, progress, stop);
    if (!unlabeled) {
        return Failure{underItsField(unlabeled.error())};
    }
    if ((*unlabeled)->features() != labelled.features()) {
        return dataFault("problem.unlabeled_file",
                         "has rows of " + groupedText((*unlabeled)->features()) + " features, but those of " +
                             labelled.name() + " have " + groupedText(labelled.features()),
                         "Give both files the same columns; data.labels says which one is a label, in both.");
    }
    RawData both = stacked(labelled, **unlabeled);
    if (auto scaled = scaleFeatures(both, config.scale, stop); !scaled) {
        return Failure{scaled.error()};
    }
    auto hash = contentSha256(both, stop);
    if (!hash) {
        return Failure{hash.error()};
    }
    Dataset::Parts parts;
    parts.name = labelled.name() + " + " + (*unlabeled)->name();
    parts.labels.assign(static_cast<std::size_t>(both.rows()), 1);
    std::fill_n(parts.labels.begin(), labelled.rows(), 0);
    parts.classNames = {"labelled", "unlabeled"};
    parts.featureNames = std::move(both.featureNames);
    parts.isSparse = both.isSparse;
    parts.dense = std::move(both.dense);
    parts.sparse = std::move(both.sparse);
    parts.sourceSha256 = labelled.sourceSha256();
    parts.contentSha256 = *hash;
    parts.description = groupedText(labelled.rows()) + " labelled rows (" + labelled.description() + "), " +
                        groupedText((*unlabeled)->rows()) + " unlabeled rows (" + (*unlabeled)->description() + ")";
    return std::shared_ptr<const Dataset>(std::make_shared<Dataset>(std::move(parts)));
}

} // namespace lambdascope::pu
