// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/pair_search.h"

#include <Eigen/Core>

#include <algorithm>

namespace lambdascope {

namespace {

/// Samples that are updated and searched together, so that all of them stay in the nearest cache.
constexpr std::size_t kSamplesPerBlock = 256;
/// Above 0, so that zero vectors have a finite gain.
constexpr double kTiny = 1e-290;

using ConstArrayMap = Eigen::Map<const Eigen::ArrayXd>;

ConstArrayMap part(const double* values, std::size_t from, std::size_t count) {
    return {values + from, static_cast<Eigen::Index>(count)};
}

/// Block by block, and only then the place within the best block.
class Search {
  public:
    explicit Search(const PairSamples& samples) : m_samples(samples) {}

    /// The extremes of a block of positions.
    void takeBlock(std::size_t from, std::size_t count) {
        const auto scores = part(m_samples.scores, from, count);
        if (const double up = (scores + part(m_samples.up, from, count)).maxCoeff(); up > m_best.highest) {
            m_best.highest = up;
            m_raiseBlock = from;
            m_best.raise = 0;
        }
        if (const double down = (scores + part(m_samples.down, from, count)).minCoeff(); down < m_best.lowest) {
            m_best.lowest = down;
            m_lowerBlock = from;
            m_best.lower = 0;
        }
    }

    /// With the samples that the extremes belong to.
    [[nodiscard]] PairPick best() {
        if (m_best.raise >= 0) {
            std::size_t k = m_raiseBlock;
            while (m_samples.scores[k] + m_samples.up[k] < m_best.highest) {
                ++k;
            }
            m_best.raise = static_cast<std::int32_t>(k);
        }
        if (m_best.lower >= 0) {
            std::size_t k = m_lowerBlock;
            while (m_samples.scores[k] + m_samples.down[k] > m_best.lowest) {
                ++k;
            }
            m_best.lower = static_cast<std::int32_t>(k);
        }
        return m_best;
    }

  private:
    const PairSamples& m_samples;
    PairPick m_best;
    std::size_t m_raiseBlock = 0;
    std::size_t m_lowerBlock = 0;
};

} // namespace

PairPick pickPair(const PairSamples& samples) {
    Search search(samples);
    for (std::size_t from = 0; from < samples.size; from += kSamplesPerBlock) {
        search.takeBlock(from, std::min(kSamplesPerBlock, samples.size - from));
    }
    return search.best();
}

std::int32_t pairPartner(const PairSamples& samples, std::int32_t raise, const double* row) {
    const auto i = static_cast<std::size_t>(raise);
    const double slope = samples.scores[i] + samples.up[i];
    const double own = samples.diagonal[i];
    const double least = std::max(kLeastPairCurvature * own, kTiny);
    const auto worth = [&](std::size_t from, std::size_t count) {
        const auto gains = (slope - part(samples.scores, from, count) - part(samples.down, from, count)).max(0.0);
        const auto curvatures = (own + part(samples.diagonal, from, count) - 2 * part(row, from, count)).max(least);
        return Eigen::Array<double, Eigen::Dynamic, 1, 0, kSamplesPerBlock, 1>(gains * gains / curvatures);
    };
    double best = 0;
    std::size_t block = samples.size;
    for (std::size_t from = 0; from < samples.size; from += kSamplesPerBlock) {
        if (const double most = worth(from, std::min(kSamplesPerBlock, samples.size - from)).maxCoeff(); most > best) {
            best = most;
            block = from;
        }
    }
    if (block == samples.size) {
        return -1;
    }
    const auto found = worth(block, std::min(kSamplesPerBlock, samples.size - block));
    Eigen::Index place = 0;
    (void)found.maxCoeff(&place);
    return static_cast<std::int32_t>(block) + static_cast<std::int32_t>(place);
}

PairPick movePair(const PairSamples& samples, double raised, double lowered, const double* raiseRow,
                  const double* lowerRow) {
    Search search(samples);
    for (std::size_t from = 0; from < samples.size; from += kSamplesPerBlock) {
        const std::size_t count = std::min(kSamplesPerBlock, samples.size - from);
        Eigen::Map<Eigen::ArrayXd> scores(samples.scores + from, static_cast<Eigen::Index>(count));
        const auto first = part(raiseRow, from, count);
        const auto second = part(lowerRow, from, count);
        if (raised == lowered) {
            scores -= raised * (first - second);
        } else {
            scores -= raised * first - lowered * second;
        }
        search.takeBlock(from, count);
    }
    return search.best();
}

} // namespace lambdascope
