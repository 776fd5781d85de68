// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/screening/bias_bracket.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lambdascope::svm {

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kKinkPad = 4 * kUnitRoundoff;

/// Kinks in ascending order, and the sum of ω that the slope has to make up for.
class Kinks {
  public:
    /// Of scores at their lower or upper bounds.
    Kinks(std::span<const BiasSample> samples, const CheckedSum& pull, bool atUpper) {
        m_kinks.reserve(samples.size());
        CheckedSum target = pull;
        for (const BiasSample& sample : samples) {
            if (sample.weight > 0) {
                m_kinks.push_back({sample.y - (atUpper ? sample.high : sample.low), sample.weight});
                if (sample.y > 0) {
                    target.add(sample.weight);
                }
            }
        }
        std::sort(m_kinks.begin(), m_kinks.end(), [](const Kink& a, const Kink& b) { return a.at < b.at; });
        CheckedSum sum;
        for (Kink& kink : m_kinks) {
            sum.add(kink.weight);
            kink.weight = sum.value();
        }
        m_target = target.value();
        const double error = sum.error() + target.error();
        m_error = error > 0 ? (error + 4 * kUnitRoundoff * (std::abs(m_target) + sum.value())) * (1 + kKinkPad) : 0;
    }

    /// The first kink at which the ω up to there reach the target (exceed it when `isStrict`), if that is off by `side`
    /// times its rounding. −∞ when that is so from the beginning.
    [[nodiscard]] double first(bool isStrict, double side) const {
        const double target = m_target + side * m_error;
        const auto isEnough = [&](double sum) { return isStrict ? sum > target : sum >= target; };
        if (isEnough(0)) {
            return -kUnbounded;
        }
        const auto found =
            std::partition_point(m_kinks.begin(), m_kinks.end(), [&](const Kink& k) { return !isEnough(k.weight); });
        return found != m_kinks.end() ? found->at : kUnbounded;
    }

  private:
    struct Kink {
        double at;
        double weight; ///< of all up to here
    };
    std::vector<Kink> m_kinks;
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

double bestBias(const SvmProblem& problem, const Eigen::VectorXd& margins) {
    if (!problem.hasFreeBias()) {
        return 0;
    }
    std::vector<BiasSample> samples;
    samples.reserve(static_cast<std::size_t>(problem.size()));
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const double score = problem.y()(i) * margins(i);
        samples.push_back({problem.y()(i), score, score, problem.weights()(i)});
    }
    return bestBiases(samples, {}).middle();
}

double imbalanceOf(const SvmProblem& problem, const Eigen::VectorXd& alpha) {
    CompensatedSum sum;
    for (Eigen::Index i = 0; i < alpha.size(); ++i) {
        sum.add(problem.y()(i) * alpha(i));
    }
    return sum.value();
}

double imbalanceBound(const SvmProblem& problem, const Eigen::VectorXd& alpha) {
    const double n = static_cast<double>(alpha.size()) * kUnitRoundoff;
    return std::abs(imbalanceOf(problem, alpha)) * (1 + kKinkPad) + 4 * n * n * alpha.sum();
}

double imbalanceCost(const SvmProblem& problem, const Eigen::VectorXd& alpha, double bias, double norm, double gap) {
    return problem.hasFreeBias() ? imbalanceCostOf(problem, imbalanceBound(problem, alpha), bias, norm, gap) : 0;
}

double imbalanceCostOf(const SvmProblem& problem, double delta, double bias, double norm, double gap) {
    const double longest = problem.size() > 0 ? problem.norms().maxCoeff() : 0;
    const double whole = delta * (1 + std::abs(bias) + norm * longest);
    const double each = delta * longest;
    return (whole + each * each + each * std::sqrt(std::max(gap, 0.0) + whole)) * (1 + 8 * kUnitRoundoff);
}

} // namespace lambdascope::svm
