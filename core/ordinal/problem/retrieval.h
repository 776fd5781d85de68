// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/data/dataset.h"
#include "core/ordinal/problem/comparison.h"
#include "core/ordinal/problem/points.h"

#include <Eigen/Core>

#include <cstdint>
#include <limits>
#include <optional>

namespace lambdascope::ordinal {

/// How well labelled queries find objects of their class, means over queries [O, section 5.4].
struct RetrievalMeasures {
    double meanAveragePrecision = std::numeric_limits<double>::quiet_NaN();
    double precision = std::numeric_limits<double>::quiet_NaN(); ///< @K: share of the K nearest that are of the class
    double recall = std::numeric_limits<double>::quiet_NaN();    ///< @K: share of the class among the K nearest
};

/// Ranks objects by their distance to each query and compares classes. AP = Σ_s precision(s) Δrecall(s) over the whole
/// ranking; equal distances rank by object number. O(queries · n (p + log n)).
[[nodiscard]] RetrievalMeasures rankByDistance(const Points& queries, const std::vector<std::int32_t>& queryClasses,
                                               const Points& objects, const std::vector<std::int32_t>& classes,
                                               std::int64_t top, StopCheck& stopCheck);

/// Maps rows that had no part in the comparisons into the embedding, by kernel ridge regression on their features:
/// x(z) = mean + k(z)ᵀ (K + λI)⁻¹ (X − mean), K the RBF kernel. The factor of K is made once, O(n³/3); a map costs
/// O(n² p + rows · n (d + p)).
class OutOfSampleMap {
  public:
    /// The most rows that are taken; K has their square.
    static constexpr Eigen::Index kMostRows = 5000;

    /// γ by default is 1/(features · mean variance of a feature). Rows of `queries` have the features of `rows`.
    OutOfSampleMap(const DenseRows& rows, const DenseRows& queries, std::optional<double> gamma, double ridge,
                   StopCheck& stopCheck);

    /// False when K + λI was not positive definite, or the making was stopped.
    [[nodiscard]] bool isUsable() const { return m_isUsable; }
    /// The queries in the space of X (one row per row of data).
    [[nodiscard]] Points map(const Points& x) const;

  private:
    Eigen::MatrixXd m_factor; ///< lower triangle: Cholesky factor of K + λI
    DenseRows m_cross;        ///< queries × rows
    bool m_isUsable = false;
};

} // namespace lambdascope::ordinal
