// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/problem/svm_problem.h"

#include <limits>
#include <span>

namespace lambdascope::svm {

/// Where some number lies; ends may be infinite.
struct BiasBracket {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    [[nodiscard]] double middle() const; ///< some finite member, inside where it can be
};

/// A sample as a free bias sees it: its score s = wᵀφ lies in [low, high].
struct BiasSample {
    double y = 1;
    double low = 0;
    double high = 0;
    double weight = 1; ///< ω
    double threshold = 1;
};

/// A sum that knows what it has rounded: 0 for whole numbers, and whatever else doubles can add up.
class CheckedSum {
  public:
    void add(double term);
    /// The term that was added last was off by at most so much.
    void doubt(double error) { m_error += error; }
    [[nodiscard]] double value() const { return m_sum; }
    [[nodiscard]] double error() const { return m_error; }

  private:
    double m_sum = 0;
    double m_error = 0;
};

/// All best biases of known scores (low = high): the minimizers of
///   φ(b) = Σ ωᵢ max(0, tᵢ − yᵢ(sᵢ + b)) − p b,   p = (Σ yⱼαⱼ − s)/C of the samples whose α is given.
/// φ is convex and piecewise linear: its slope is −p − Σ₊ω far to the left and rises by ωᵢ at the kink yᵢtᵢ − sᵢ, so
/// that the smallest minimizer is the first kink at which the ω up to there reach p + Σ₊ω, and the largest the first at
/// which they exceed it; where ω round, the first that may. O(n) on average.
[[nodiscard]] BiasBracket bestBiases(std::span<const BiasSample> samples, const CheckedSum& pull);

/// Where one optimal bias lies, when the optimal scores lie anywhere between their bounds. A score that rises moves its
/// kink, of whichever class, to the left, so that φ'(b) rises at every b and the minimizers fall: with all scores at
/// their upper bounds the smallest minimizer is at most the smallest optimal bias, with all at their lower bounds at
/// least; likewise the largest. Of both brackets the narrower: one optimal bias is enough to fix α at all dual optima,
/// by complementarity. What the sums of ω round is paid for. O(n) on average.
[[nodiscard]] BiasBracket bracketBias(std::span<const BiasSample> samples, const CheckedSum& pull);

/// −s/C: the pull where no α is given.
[[nodiscard]] CheckedSum pullOfBalance(const SvmProblem& problem, double c);

/// All best biases for all samples at `c`, whose zᵢᵀw these are; 0 alone without a free bias. O(n) on average.
[[nodiscard]] BiasBracket bestBiases(const SvmProblem& problem, double c, const Eigen::VectorXd& margins);

/// What the gap owes to δ = yᵀα − s, which rounding keeps from being 0. For any α between its bounds, w = Σ αᵢzᵢ and b,
/// with G = Σ αᵢ(fᵢ − tᵢ) + Cωᵢ max(0, tᵢ − fᵢ) ≥ 0: hinges are at least αᵢ(tᵢ − fᵢ) at the optimum (w*, b*) as
/// anywhere, so that
///   P* ≥ ½‖w*‖² + tᵀα − w*ᵀw − b*δ,   P(w, b) ≥ P* + ½‖w − w*‖²,
/// and by P(w, b) = G − ‖w‖²/2 + tᵀα − bδ
///   P(w, b) − P* ≤ G + (b* − b)δ,   ‖w − w*‖² ≤ G + (b* − b)δ.
/// Some b* is a kink yᵢtᵢ − φᵢᵀw*: |b*| ≤ T + (‖w‖ + r)R with r = ‖w − w*‖, R = max ‖zᵢ‖ and T = max |tᵢ|. With A = G +
/// |δ|(T + |b| + ‖w‖R) and E = |δ|R that is r² ≤ A + Er, hence r² and P − P* are at most A + E² + E A^½: what is
/// returned beyond G. `norm` and `gap` are upper bounds of ‖w‖ and G. 0 without a free bias. O(n).
[[nodiscard]] double imbalanceCost(const SvmProblem& problem, const Eigen::VectorXd& alpha, double bias, double norm,
                                   double gap);

/// The same for an upper bound of |δ|.
[[nodiscard]] double imbalanceCostOf(const SvmProblem& problem, double delta, double bias, double norm, double gap);

/// An upper bound of |yᵀα − s|.
[[nodiscard]] double imbalanceBound(const SvmProblem& problem, const Eigen::VectorXd& alpha);

/// yᵀα − s, as exact as doubles hold it.
[[nodiscard]] double imbalanceOf(const SvmProblem& problem, const Eigen::VectorXd& alpha);

} // namespace lambdascope::svm
