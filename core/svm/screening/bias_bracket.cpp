// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/screening/bias_bracket.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace lambdascope::svm {

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kKinkPad = 4 * kUnitRoundoff;
/// Multiples of 1/kGrid whose sum is below kLargestWhole / kGrid are added without rounding.
constexpr double kGrid = 1 << 20;
constexpr double kLargestWhole = 4503599627370496; // 2⁵²

/// The kinks about the place where the slope has made up for what is on its left: those alone are put in order.
class Kinks {
  public:
    /// Of scores at their lower or upper bounds. O(n) on average.
    Kinks(std::span<const BiasSample> samples, const CheckedSum& pull, bool atUpper) {
        m_kinks.reserve(samples.size());
        CheckedSum target = pull;
        double sum = 0;
        bool isOnGrid = true; // then ω add up exactly in any order
        for (const BiasSample& sample : samples) {
            if (sample.weight > 0) {
                m_kinks.push_back({sample.y * sample.threshold - (atUpper ? sample.high : sample.low), sample.weight});
                sum += sample.weight;
                isOnGrid = isOnGrid && std::floor(kGrid * sample.weight) == kGrid * sample.weight;
                if (sample.y > 0) {
                    target.add(sample.weight);
                }
            }
        }
        m_target = target.value();
        if (!isOnGrid || kGrid * sum > kLargestWhole || target.error() > 0) {
            const double terms = static_cast<double>(m_kinks.size()) + 4;
            m_error = (target.error() + roundingFactor(terms) * (std::abs(m_target) + sum)) * (1 + 8 * kKinkPad);
        }
        narrow();
        std::sort(m_kinks.begin() + m_first, m_kinks.begin() + m_end,
                  [](const Kink& a, const Kink& b) { return a.at < b.at; });
        double upTo = m_before;
        for (auto kink = m_kinks.begin() + m_first; kink != m_kinks.begin() + m_end; ++kink) {
            upTo += kink->weight;
            kink->weight = upTo;
        }
    }

    /// The first kink at which the ω up to there reach the target (exceed it when `isStrict`), if that is off by `side`
    /// times its rounding. −∞ when that is so from the beginning.
    [[nodiscard]] double first(bool isStrict, double side) const {
        const double target = m_target + side * m_error;
        const auto isEnough = [&](double sum) { return isStrict ? sum > target : sum >= target; };
        if (isEnough(0)) {
            return -kUnbounded;
        }
        const auto end = m_kinks.begin() + m_end;
        const auto found =
            std::partition_point(m_kinks.begin() + m_first, end, [&](const Kink& k) { return !isEnough(k.weight); });
        return found != end ? found->at : kUnbounded;
    }

  private:
    struct Kink {
        double at;
        double weight; ///< of it; in the narrowed range of all up to here
    };

    /// Splits the range before its k-th kink: true when all that first() may be asked for lies on one side, which the
    /// range then is.
    bool splitAt(std::ptrdiff_t k) {
        const auto begin = m_kinks.begin() + m_first;
        std::nth_element(begin, begin + k, m_kinks.begin() + m_end,
                         [](const Kink& a, const Kink& b) { return a.at < b.at; });
        double sum = m_before;
        for (auto kink = begin; kink != begin + k; ++kink) {
            sum += kink->weight;
        }
        if (sum > m_target + m_error) {
            m_end = m_first + k;
            return true;
        }
        if (sum < m_target - m_error) {
            m_before = sum;
            m_first += k;
            return true;
        }
        return false;
    }

    /// Halves the range of kinks until few are left.
    void narrow() {
        constexpr std::ptrdiff_t kFew = 24;
        m_end = std::ssize(m_kinks);
        for (std::ptrdiff_t size = m_end; size > kFew; size = m_end - m_first) {
            // Where the middle is right at the place that is looked for, as with classes of one size, look beside it.
            const bool isSplit = splitAt(size / 2) || splitAt(size / 4) || splitAt(3 * size / 4);
            if (!isSplit) {
                return;
            }
        }
    }

    std::vector<Kink> m_kinks;
    std::ptrdiff_t m_first = 0; ///< the range
    std::ptrdiff_t m_end = 0;
    double m_before = 0; ///< sum of the ω of all kinks on its left
    double m_target = 0;
    double m_error = 0;
};

double widthOf(const BiasBracket& bracket) {
    return std::isfinite(bracket.low) && std::isfinite(bracket.high) ? bracket.high - bracket.low : kUnbounded;
}

} // namespace

double BiasBracket::middle() const {
    if (std::isfinite(low) && std::isfinite(high)) {
        return low + 0.5 * (high - low);
    }
    return std::isfinite(low) ? low + 1 : std::isfinite(high) ? high - 1 : 0;
}

void CheckedSum::add(double term) {
    const double sum = m_sum + term;
    const double added = sum - m_sum;
    m_error += std::abs((m_sum - (sum - added)) + (term - added)) * (1 + kKinkPad);
    m_sum = sum;
}

BiasBracket bestBiases(std::span<const BiasSample> samples, const CheckedSum& pull) {
    const Kinks kinks(samples, pull, true);
    return {kinks.first(false, -1), kinks.first(true, 1)};
}

BiasBracket bracketBias(std::span<const BiasSample> samples, const CheckedSum& pull) {
    const Kinks upper(samples, pull, true);
    const Kinks lower(samples, pull, false);
    const BiasBracket smallest{upper.first(false, -1), lower.first(false, 1)};
    const BiasBracket largest{upper.first(true, -1), lower.first(true, 1)};
    const BiasBracket& best = widthOf(smallest) <= widthOf(largest) ? smallest : largest;
    // Kinks are differences, each rounded once.
    return {best.low - kKinkPad * (1 + std::abs(best.low)), best.high + kKinkPad * (1 + std::abs(best.high))};
}

CheckedSum pullOfBalance(const SvmProblem& problem, double c) {
    CheckedSum pull;
    if (problem.balance() != 0) {
        const double share = problem.balance() / c;
        pull.add(-share);
        pull.doubt(2 * kUnitRoundoff * std::abs(share));
    }
    return pull;
}

BiasBracket bestBiases(const SvmProblem& problem, double c, const Eigen::VectorXd& margins) {
    if (!problem.hasFreeBias()) {
        return {0, 0};
    }
    std::vector<BiasSample> samples;
    samples.reserve(static_cast<std::size_t>(problem.size()));
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const double score = problem.y()(i) * margins(i);
        samples.push_back({problem.y()(i), score, score, problem.weights()(i), problem.thresholds()(i)});
    }
    return bestBiases(samples, pullOfBalance(problem, c));
}

double imbalanceOf(const SvmProblem& problem, const Eigen::VectorXd& alpha) {
    CompensatedSum sum;
    sum.add(-problem.balance());
    for (Eigen::Index i = 0; i < alpha.size(); ++i) {
        sum.add(problem.y()(i) * alpha(i));
    }
    return sum.value();
}

double imbalanceBound(const SvmProblem& problem, const Eigen::VectorXd& alpha) {
    const double n = static_cast<double>(alpha.size()) * kUnitRoundoff;
    return std::abs(imbalanceOf(problem, alpha)) * (1 + kKinkPad) +
           8 * n * n * (alpha.sum() + std::abs(problem.balance()));
}

double imbalanceCost(const SvmProblem& problem, const Eigen::VectorXd& alpha, double bias, double norm, double gap) {
    return problem.hasFreeBias() ? imbalanceCostOf(problem, imbalanceBound(problem, alpha), bias, norm, gap) : 0;
}

double imbalanceCostOf(const SvmProblem& problem, double delta, double bias, double norm, double gap) {
    const double longest = problem.size() > 0 ? problem.norms().maxCoeff() : 0;
    const double whole = delta * (problem.largestThreshold() + std::abs(bias) + norm * longest);
    const double each = delta * longest;
    return (whole + each * each + each * std::sqrt(std::max(gap, 0.0) + whole)) * (1 + 8 * kUnitRoundoff);
}

} // namespace lambdascope::svm
