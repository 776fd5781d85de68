// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/data/dataset.h"
#include "core/metric/problem/metric_config.h"
#include "core/triplets/problem/pair_table.h"

#include <cstdint>
#include <vector>

namespace lambdascope::metric {

/// How well a metric classifies rows that training has not seen, [T, 7.5]: each held-out row x takes the class that
/// most of its `neighbours` nearest training rows have, nearest by (x − y)ᵀM(x − y). Equal distances go by row number,
/// equal votes to the class that comes first among the neighbours. Immutable, shared by lanes.
class HeldOutTest {
  public:
    /// Above this many multiplications per λ only every so manyth held-out row is classified; some tens of
    /// milliseconds.
    static constexpr double kMostWork = 1e8;

    /// `training` must outlive the test and be the rows of `table`; without held-out rows there is nothing to test.
    HeldOutTest(const PairTable& table, const Dataset& training, std::int64_t neighbours);

    [[nodiscard]] Eigen::Index rows() const { return m_x.rows(); } ///< classified per λ; 0 when there are none

    /// Share of the rows that get a wrong class, in [0, 1]; NaN without rows, or when `stopCheck` asked to stop.
    /// `metric` is d × d, or the diagonal as d × 1. Cost O(n d² + rows · n · d).
    [[nodiscard]] double error(const Eigen::MatrixXd& metric, StopCheck& stopCheck) const;

    /// The class of each of `rows`, which have the features of the training rows; `training` must have classes. Empty
    /// when `stopCheck` asked to stop.
    [[nodiscard]] std::vector<std::int32_t> classesOf(const Dataset& rows, const Eigen::MatrixXd& metric,
                                                      StopCheck& stopCheck) const;
    [[nodiscard]] std::int64_t neighbours() const { return m_neighbours; }

  private:
    /// Of rows less the mean of the training rows.
    [[nodiscard]] std::vector<std::int32_t> classify(const DenseRows& x, const Eigen::MatrixXd& metric,
                                                     StopCheck& stopCheck) const;
    [[nodiscard]] std::int32_t vote(const Eigen::RowVectorXd& distances, std::vector<RowIndex>& order,
                                    std::vector<std::int64_t>& votes) const;

    const PairTable& m_table;
    const Dataset& m_training;
    std::int64_t m_neighbours;
    DenseRows m_x; ///< held-out rows less the mean of the training rows
    std::vector<std::int32_t> m_classes;
};

} // namespace lambdascope::metric
