// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/scaling.h"

#include "core/common/number_text.h"
#include "core/data/fault_list.h"

#include <cmath>

namespace lambdascope {

namespace {

/// Rewrites each column of `x` so that its values run from −1 to 1; constant columns become 0. So does `alike`, by the
/// extremes of `x`.
void toUnitRange(DenseRows& x, DenseRows* alike, FeatureScaling& found, const std::stop_token& stop) {
    // Halves, so that max − min cannot overflow.
    const Eigen::RowVectorXd low = 0.5 * x.colwise().minCoeff();
    const Eigen::RowVectorXd half = 0.5 * x.colwise().maxCoeff() - low;
    for (Eigen::Index c = 0; c < x.cols(); ++c) {
        found.centre.push_back(2 * low[c] + half[c]);
        found.spread.push_back(half[c]);
    }
    for (DenseRows* rows : {&x, alike}) {
        for (Eigen::Index i = 0; rows != nullptr && i < rows->rows() && !stop.stop_requested(); ++i) {
            for (Eigen::Index c = 0; c < rows->cols(); ++c) {
                (*rows)(i, c) = half[c] > 0 ? 2 * ((0.5 * (*rows)(i, c) - low[c]) / half[c]) - 1 : 0;
            }
        }
    }
}

void toStandardUnits(DenseRows& x, DenseRows* alike, FeatureScaling& found, const std::stop_token& stop) {
    toUnitRange(x, alike, found, stop); // an affine change first: sums and squares then neither overflow nor cancel
    const auto count = static_cast<double>(x.rows());
    const Eigen::RowVectorXd mean = x.colwise().sum() / count;
    Eigen::RowVectorXd variance = Eigen::RowVectorXd::Zero(x.cols());
    for (Eigen::Index i = 0; i < x.rows() && !stop.stop_requested(); ++i) {
        variance += (x.row(i) - mean).cwiseAbs2() / count;
    }
    for (Eigen::Index c = 0; c < x.cols(); ++c) {
        const auto place = static_cast<std::size_t>(c);
        found.centre[place] += found.spread[place] * mean[c];
        found.spread[place] *= std::sqrt(variance[c]);
    }
    for (DenseRows* rows : {&x, alike}) {
        for (Eigen::Index i = 0; rows != nullptr && i < rows->rows() && !stop.stop_requested(); ++i) {
            for (Eigen::Index c = 0; c < rows->cols(); ++c) {
                (*rows)(i, c) = variance[c] > 0 ? ((*rows)(i, c) - mean[c]) / std::sqrt(variance[c]) : 0;
            }
        }
    }
}

void toUnitNorm(RawData& data, const std::stop_token& stop) {
    for (Eigen::Index i = 0; i < data.rows() && !stop.stop_requested(); ++i) {
        if (!data.isSparse) {
            const double largest = data.dense.row(i).cwiseAbs().maxCoeff();
            if (largest > 0) {
                data.dense.row(i) /= largest; // squares of what is left neither overflow nor vanish
                data.dense.row(i) /= data.dense.row(i).norm();
            }
            continue;
        }
        double largest = 0;
        for (SparseRows::InnerIterator it(data.sparse, i); it; ++it) {
            largest = std::max(largest, std::abs(it.value()));
        }
        double squares = 0;
        for (SparseRows::InnerIterator it(data.sparse, i); it && largest > 0; ++it) {
            it.valueRef() /= largest;
            squares += it.value() * it.value();
        }
        for (SparseRows::InnerIterator it(data.sparse, i); it && squares > 0; ++it) {
            it.valueRef() /= std::sqrt(squares);
        }
    }
}

} // namespace

void makeDense(RawData& data) {
    if (data.isSparse) {
        data.dense = DenseRows(data.sparse);
        data.sparse = SparseRows();
        data.isSparse = false;
    }
}

Result<void> scaleFeatures(RawData& data, Scaling scaling, const std::stop_token& stop, RawData* alike,
                           FeatureScaling* found) {
    FeatureScaling ignored;
    FeatureScaling& change = found != nullptr ? *found : ignored;
    const bool byFeature = scaling == Scaling::MinMax || scaling == Scaling::Standardize;
    if (byFeature && data.isSparse) {
        const double cells = static_cast<double>(data.rows()) * static_cast<double>(data.features());
        if (cells > static_cast<double>(kMostScaledCells)) {
            return Failure(singleFault(ErrorCode::InvalidConfiguration,
                                       {"data.scale",
                                        "min–max and standardize would make the sparse data a dense matrix of " +
                                            byteText(8 * cells) + ", above the limit of " +
                                            byteText(8.0 * static_cast<double>(kMostScaledCells)),
                                        "Use \"unit-norm\" or \"none\", or a smaller subset.",
                                        {}}));
        }
        makeDense(data);
    }
    if (byFeature && alike != nullptr) {
        makeDense(*alike);
    }
    DenseRows* alikeRows = alike != nullptr ? &alike->dense : nullptr;
    switch (scaling) {
    case Scaling::None: break;
    case Scaling::MinMax:
        toUnitRange(data.dense, alikeRows, change, stop);
        data.notes.push_back("min–max to [−1, 1]");
        break;
    case Scaling::Standardize:
        toStandardUnits(data.dense, alikeRows, change, stop);
        data.notes.push_back("standardized");
        break;
    case Scaling::UnitNorm:
        toUnitNorm(data, stop);
        if (alike != nullptr) {
            toUnitNorm(*alike, stop);
        }
        data.notes.push_back("unit norm");
        break;
    }
    if (stop.stop_requested()) {
        return Failure(plainError(ErrorCode::Stopped, "Scaling was stopped."));
    }
    return {};
}

} // namespace lambdascope
