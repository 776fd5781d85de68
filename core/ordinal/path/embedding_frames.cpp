// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/path/embedding_frames.h"

#include "core/numeric/classical_scaling.h"
#include "core/numeric/procrustes.h"

#include <algorithm>

namespace lambdascope::ordinal {

namespace {

/// Rows as x0 y0 x1 y1 …
std::vector<float> interleaved(const Eigen::MatrixXd& map) {
    std::vector<float> coordinates;
    coordinates.reserve(static_cast<std::size_t>(map.size()));
    for (Eigen::Index row = 0; row < map.rows(); ++row) {
        coordinates.push_back(static_cast<float>(map(row, 0)));
        coordinates.push_back(static_cast<float>(map(row, 1)));
    }
    return coordinates;
}

} // namespace

EmbeddingFrames::EmbeddingFrames(ObjectLabels labels, const Eigen::MatrixXd& reference) : m_labels(std::move(labels)) {
    if (reference.rows() > 0) {
        m_reference = principalMap(reference, 2);
        m_reference /= std::max(m_reference.norm(), 1e-300);
    }
}

std::shared_ptr<const Embedding> EmbeddingFrames::frame(const Points& x) {
    if (!x.allFinite()) {
        return nullptr;
    }
    Eigen::MatrixXd map = principalMap(x, 2);
    Eigen::MatrixXd target = Eigen::MatrixXd::Zero(map.rows(), 2);
    if (m_previous.rows() == map.rows()) {
        target += m_previous;
    }
    if (m_reference.rows() == map.rows()) {
        target += m_reference;
    }
    if (target.squaredNorm() > 0 && map.allFinite()) {
        map = (map * bestTurn(map, target)).eval();
    }
    m_previous = map / std::max(map.norm(), 1e-300);
    auto embedding = std::make_shared<Embedding>();
    embedding->coordinates = interleaved(map);
    if (m_reference.rows() == map.rows() && map.rows() <= kMostReferences) {
        // The same spread: as the solution approaches the reference, so does this the best scale.
        const std::vector<float> known = interleaved(m_reference * map.norm());
        embedding->coordinates.insert(embedding->coordinates.end(), known.begin(), known.end());
    }
    embedding->classes = m_labels.classes.empty() ? std::vector<std::int32_t>(static_cast<std::size_t>(map.rows()), -1)
                                                  : m_labels.classes;
    embedding->classNames = m_labels.classNames;
    embedding->names = m_labels.names;
    embedding->xLabel = x.cols() > 2 ? "first principal axis of X" : "first axis of X";
    embedding->yLabel = x.cols() > 2 ? "second principal axis of X" : "second axis of X";
    return embedding;
}

} // namespace lambdascope::ordinal
