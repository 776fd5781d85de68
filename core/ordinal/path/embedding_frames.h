// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ordinal/problem/comparison.h"
#include "core/ordinal/problem/points.h"
#include "core/run/run_event.h"

#include <Eigen/Core>

#include <memory>
#include <string>
#include <vector>

namespace lambdascope::ordinal {

/// What is known of the objects besides comparisons.
struct ObjectLabels {
    std::vector<std::int32_t> classes; ///< empty for none
    std::vector<std::string> classNames;
    std::shared_ptr<const std::vector<std::string>> names; ///< null for none
};

/// Plane pictures of embeddings as they change: the two longest axes of X, turned (and mirrored) so that each picture
/// is as near to the one before as it can be, and to the reference if there is one. X is known up to such turns only.
class EmbeddingFrames {
  public:
    /// `reference` has a row per object, or none; pictures of up to kMostReferences objects show it too, in the same
    /// frame and with the same spread: behind the coordinates of all objects stand those of their known places.
    EmbeddingFrames(ObjectLabels labels, const Eigen::MatrixXd& reference);

    static constexpr Eigen::Index kMostReferences = 500;

    /// The next picture. O(n p²). Null when X is not finite.
    std::shared_ptr<const Embedding> frame(const Points& x);

    void transfer(auto& archive) {
        auto& [labels, reference, previous] = *this;
        archive(previous);
    }

  private:
    ObjectLabels m_labels;
    Eigen::MatrixXd m_reference; ///< n × 2, of length 1, or empty
    Eigen::MatrixXd m_previous;  ///< the same of the picture before
};

} // namespace lambdascope::ordinal
