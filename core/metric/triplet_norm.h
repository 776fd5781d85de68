// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/triplet_set.h"

#include <Eigen/Core>

namespace lambdascope::metric {

/// ‖H‖² of single triplets in O(d), for either structure. Keeps the difference of the same-class pair, so triplets that
/// share it should come one after the other. Not thread-safe.
class TripletNorm {
  public:
    explicit TripletNorm(const TripletSet& triplets);

    /// An upper bound of ‖H‖², exact up to rounding, of the triplet of an anchor and its two pairs.
    [[nodiscard]] double squared(RowIndex anchor, PairIndex samePair, PairIndex otherPair);

  private:
    const TripletSet& m_triplets;
    double m_error;
    RowIndex m_anchor = -1;
    PairIndex m_pair = -1;
    Eigen::VectorXd m_difference; ///< b = x_i − x_j, padded
};

} // namespace lambdascope::metric
