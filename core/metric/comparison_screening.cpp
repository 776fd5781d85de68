// SPDX-License-Identifier: GPL-3.0-or-later
// Screening of the comparison engine; sums are in comparison_engine.cpp.
#include "core/metric/comparison_engine.h"
#include "core/metric/triplet_norm.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {

struct ComparisonEngine::Found {
    TripletIndex zero = 0;
    TripletIndex linear = 0;
    CompensatedSum weight;     ///< Σ w over the newly linear
    CompensatedSum shift;      ///< Σ w (τ − 1)
    double shiftMagnitude = 0; ///< Σ w |τ − 1|
    double lengths = 0;        ///< Σ w (‖a‖² + ‖b‖²)
};

double ComparisonEngine::squaredNorm(PairIndex far, PairIndex near) {
    const double a = m_set.lengthOf(far);
    const double b = m_set.lengthOf(near);
    if (far == m_set.noPair() || near == m_set.noPair()) {
        return squaredNormBound(a, b, 0, m_set.features()); // a or b is 0
    }
    const Eigen::Index stride = m_set.stride();
    const double* rows = m_set.paddedRows().data();
    using Row = Eigen::Map<const Eigen::VectorXd>;
    m_difference = Row(rows + m_set.first(near) * stride, stride) - Row(rows + m_set.second(near) * stride, stride);
    return squaredNormBound(a, b,
                            pairProduct(rows + m_set.first(far) * stride, rows + m_set.second(far) * stride,
                                        m_difference.data(), stride, m_set.structure()),
                            m_set.features());
}

template <class Rule>
bool ComparisonEngine::screenWith(const Rule& rule, WorkPoll& poll, Found& found) {
    const std::size_t count = m_far.size();
    const Eigen::Index stride = m_set.stride();
    std::size_t kept = 0;
    for (std::size_t c = 0; c < count; ++c) {
        if (poll.spend(20 + 6 * stride)) {
            return false;
        }
        const PairIndex far = m_far[c];
        const PairIndex near = m_near[c];
        // The rule's constants are those of triplets, 1 and 1 − γ: shift the margin rather than the rule.
        const double margin =
            m_values[static_cast<std::size_t>(far)] - m_values[static_cast<std::size_t>(near)] - m_threshold[c] + 1;
        Verdict verdict = rule.look(margin, m_set.lengthOf(far), m_set.lengthOf(near));
        if (verdict == Verdict::Unsure) {
            verdict = rule.judge(margin, squaredNorm(far, near));
        }
        if (verdict == Verdict::Keep) {
            keepAt(c, kept++);
            continue;
        }
        if (m_states != nullptr) {
            m_states->set(m_number[c], verdict);
        }
        if (verdict == Verdict::Zero) {
            ++found.zero;
            continue;
        }
        const double weight = m_weight[c];
        ++found.linear;
        found.weight.add(weight);
        found.shift.add(weight * (m_threshold[c] - 1));
        found.shiftMagnitude += weight * std::abs(m_threshold[c] - 1);
        found.lengths += weight * m_length[c];
        m_weights[static_cast<std::size_t>(far)] += weight;
        m_weights[static_cast<std::size_t>(near)] -= weight;
    }
    resizeItems(kept);
    return true;
}

bool ComparisonEngine::screen(std::span<const Region> regions, double gamma, WorkPoll& poll, ScreenedPart& screened) {
    if (regions.empty()) {
        return true;
    }
    if (m_isComplete) {
        listAll();
    }
    const std::vector<PairIndex> pairs = m_pairs; // of the items that the regions see
    std::fill(m_weights.begin(), m_weights.end(), 0.0);
    Found found;
    for (const Region& region : regions) {
        const Sphere& sphere = region.sphere;
        if (!std::isfinite(sphere.radius) || !m_space.forms(sphere.centre, &pairs, poll, m_values)) {
            if (poll.isStopped()) {
                return false;
            }
            continue; // a ball of infinite radius decides nothing
        }
        m_values.resize(m_weights.size(), 0.0);
        const SphereRule rule(sphere.radius, gamma, marginError(spectralBound(sphere.centre)));
        if (!screenWith(rule, poll, found)) {
            return false;
        }
    }
    screened.zero += found.zero;
    screened.linear += found.linear;
    if (found.linear > 0) {
        MatrixSum sum;
        if (!m_space.weightedSum(m_weights, 0, &pairs, poll, sum)) {
            return false;
        }
        if (!screened.weights) {
            screened.weights.emplace();
        }
        screened.addLinearSum(sum.value, sum.error + weightError() * found.lengths * (1 + 1e-9));
        const double perTerm = roundingFactor(8);
        LinearWeights& weights = *screened.weights;
        weights.weight = weights.weight + Bounded{found.weight.value(), perTerm * found.weight.value()};
        weights.shift = weights.shift + Bounded{found.shift.value(), perTerm * found.shiftMagnitude};
    }
    if (m_far.size() == static_cast<std::size_t>(m_set.size())) {
        activateAll(); // nothing was taken away
    } else {
        listPairs();
    }
    return true;
}

void ComparisonEngine::listAll() {
    const ComparisonSet::Items items = m_set.items();
    m_isComplete = false;
    m_far.assign(items.far.begin(), items.far.end());
    m_near.assign(items.near.begin(), items.near.end());
    m_threshold.assign(items.threshold.begin(), items.threshold.end());
    m_weight.assign(items.weight.begin(), items.weight.end());
    m_length.assign(items.length.begin(), items.length.end());
    m_number.resize(items.size());
    for (std::size_t c = 0; c < items.size(); ++c) {
        m_number[c] = static_cast<TripletIndex>(c);
    }
    listPairs();
}

void ComparisonEngine::keepAt(std::size_t from, std::size_t to) {
    m_far[to] = m_far[from];
    m_near[to] = m_near[from];
    m_threshold[to] = m_threshold[from];
    m_weight[to] = m_weight[from];
    m_length[to] = m_length[from];
    m_number[to] = m_number[from];
}

void ComparisonEngine::resizeItems(std::size_t count) {
    m_far.resize(count);
    m_near.resize(count);
    m_threshold.resize(count);
    m_weight.resize(count);
    m_length.resize(count);
    m_number.resize(count);
}

void ComparisonEngine::listPairs() {
    m_isUsed.assign(static_cast<std::size_t>(m_set.pairs()) + 1, false);
    for (std::size_t c = 0; c < m_far.size(); ++c) {
        m_isUsed[static_cast<std::size_t>(m_far[c])] = true;
        m_isUsed[static_cast<std::size_t>(m_near[c])] = true;
    }
    m_pairs.clear();
    for (PairIndex p = 0; p < m_set.pairs(); ++p) {
        if (m_isUsed[static_cast<std::size_t>(p)]) {
            m_pairs.push_back(p);
        }
    }
}

} // namespace lambdascope::metric
