// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/pair_descent.h"

#include <algorithm>

namespace lambdascope::svm {

namespace {

/// In place of 1/0: the step of a zero vector goes to its bound.
constexpr double kHuge = 1e300;
/// Least 1 − cos² of two samples, below which they count as parallel.
constexpr double kParallel = 1e-12;

double inverseOf(double diagonal) {
    return diagonal > 0 ? 1 / diagonal : kHuge;
}

} // namespace

PairDescent::PairDescent(const Array& y, const Array& diagonal, const Array& thresholds,
                         const Eigen::Ref<Eigen::VectorXd>& images, Array alpha, Array upper,
                         const std::vector<std::int32_t>& visit)
    : m_y(y), m_diagonal(diagonal), m_thresholds(thresholds), m_images(images),
      m_inverse(diagonal.unaryExpr(&inverseOf)), m_alpha(std::move(alpha)), m_upper(std::move(upper)),
      m_below(Array::Zero(y.size())), m_above(Array::Zero(y.size())) {
    for (const std::int32_t k : visit) {
        m_below(k) = -m_alpha(k);
        m_above(k) = m_upper(k) - m_alpha(k);
    }
    sumAndSearch(0, nullptr, 0, nullptr);
}

void PairDescent::sumAndSearch(double firstFactor, const double* firstRow, double secondFactor,
                               const double* secondRow) {
    m_best = -1;
    double most = 0;
    const Eigen::Index size = m_y.size();
    for (Eigen::Index at = 0; at < size; at += kBlock) {
        const Eigen::Index count = std::min(kBlock, size - at);
        auto images = m_images.segment(at, count).array();
        if (secondRow != nullptr) {
            images += firstFactor * Eigen::Map<const Array>(firstRow + at, count) +
                      secondFactor * Eigen::Map<const Array>(secondRow + at, count);
        } else if (firstRow != nullptr) {
            images += firstFactor * Eigen::Map<const Array>(firstRow + at, count);
        }
        const Block slopes = m_y.segment(at, count) * images - m_thresholds.segment(at, count);
        const Block steps =
            (-slopes * m_inverse.segment(at, count)).max(m_below.segment(at, count)).min(m_above.segment(at, count));
        const Block gains = -steps * (slopes + 0.5 * m_diagonal.segment(at, count) * steps);
        if (gains.maxCoeff() > most) {
            Eigen::Index place = 0;
            most = gains.maxCoeff(&place);
            m_best = at + place;
        }
    }
}

PairStep PairDescent::plan(const double* row) const {
    PairStep step;
    const Eigen::Index i = step.first = m_best;
    const double slope = m_y(i) * m_images(i) - m_thresholds(i);
    const double below = m_below(i);
    const double above = m_above(i);
    const double own = m_diagonal(i);
    const double inverse = m_inverse(i);
    step.firstChange = std::clamp(-slope * inverse, below, above);
    step.gain = -step.firstChange * (slope + 0.5 * own * step.firstChange);
    const Eigen::Index size = m_y.size();
    for (Eigen::Index at = 0; at < size; at += kBlock) {
        const Eigen::Index count = std::min(kBlock, size - at);
        const auto others = m_diagonal.segment(at, count);
        const Block products = m_y(i) * m_y.segment(at, count) * Eigen::Map<const Array>(row + at, count);
        const Block slopes =
            m_y.segment(at, count) * m_images.segment(at, count).array() - m_thresholds.segment(at, count);
        // The best of both without bounds, the second cut to its bounds, and the first as good as it can be then.
        const Block determinants = (own * others - products.square()).max(kParallel * own * others + 1 / kHuge);
        const Block seconds = ((slope * products - own * slopes) / determinants)
                                  .max(m_below.segment(at, count))
                                  .min(m_above.segment(at, count));
        const Block firsts = (-(slope + products * seconds) * inverse).max(below).min(above);
        Block gains =
            -(firsts * (slope + 0.5 * own * firsts + products * seconds) + seconds * (slopes + 0.5 * others * seconds));
        if (i >= at && i < at + count) {
            gains(i - at) = 0;
        }
        if (gains.maxCoeff() > step.gain) {
            Eigen::Index place = 0;
            step.gain = gains.maxCoeff(&place);
            step.second = at + place;
            step.firstChange = firsts(place);
            step.secondChange = seconds(place);
        }
    }
    return step;
}

double PairDescent::move(Eigen::Index i, double change) {
    const double before = m_alpha(i);
    // A bound that is reached is reached to the last bit.
    m_alpha(i) = change <= m_below(i)   ? 0
                 : change >= m_above(i) ? m_upper(i)
                                        : std::clamp(before + change, 0.0, m_upper(i));
    m_below(i) = -m_alpha(i);
    m_above(i) = m_upper(i) - m_alpha(i);
    return m_alpha(i) - before;
}

void PairDescent::take(PairStep& step, const double* firstRow, const double* secondRow) {
    step.firstChange = move(step.first, step.firstChange);
    double secondFactor = 0;
    if (step.second >= 0) {
        step.secondChange = move(step.second, step.secondChange);
        secondFactor = m_y(step.second) * step.secondChange;
    }
    sumAndSearch(m_y(step.first) * step.firstChange, firstRow, secondFactor, secondRow);
}

} // namespace lambdascope::svm
