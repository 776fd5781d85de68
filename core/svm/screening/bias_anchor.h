// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/numeric/error_bound.h"
#include "core/svm/problem/svm_problem.h"
#include "core/svm/screening/bias_bracket.h"

#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace lambdascope::svm {

class BiasAnchor;

/// What is asked of an anchor.
struct BiasAnchorOrder {
    double least = 0;                              ///< δ without which it is of no use
    double wanted = 0;                             ///< δ beyond which no more samples are taken
    std::span<const SampleIndex> asked = {};       ///< whose distances are needed; empty for all
    std::shared_ptr<const BiasAnchor> likely = {}; ///< one at hand, which is taken where it does as well; may be null
    StopCheck* stopCheck = nullptr;                ///< asked while kernel rows are made; null to go on to the end
};

/// What free samples say of a free bias: they tie it to w much closer than the scores of all samples do.
///
/// Let α be between its bounds, w = Σ αᵢzᵢ, b any bias, and s the balance. For numbers dₖ with 0 ≤ dₖ ≤ min(αₖ, Cωₖ −
/// αₖ) and either sign ±, α' = α ∓ y∘d is between its bounds too. As in imbalanceCost() hinges are at least α'ᵢ(tᵢ −
/// fᵢ*)/C at an optimum (w*, b*), so that
///   P* ≥ ½‖w*‖² + tᵀα' − w*ᵀΣα'ᵢzᵢ − b*(yᵀα' − s).
/// With δ = Σdₖ, c = d/δ, the anchor o = Σ cₖΦ(xₖ) and its edge κ = Σ cₖyₖtₖ, that is
///   ±δ(b* + oᵀw* − κ) ≤ P* − ½‖w*‖² − tᵀα + wᵀw* + b*(yᵀα − s).
/// Together with P(w, b) ≥ P* + ½‖w − w*‖²:
///   ‖w* − w‖² + δ |b* + oᵀw* − κ| ≤ G + (b* − b)(yᵀα − s) ≤ r²,   the r² of GAP;
/// and with α = C/C₀ α₀, from P(w₀, b₀) ≥ P* + ½‖w₀ − w*‖² (δ and r² those at C)
///   ‖w* − m‖² + δ |b* + oᵀw* − κ| ≤ r²,   the m and r² of BT1.
/// So one region bounds w* and b* at once: b* + oᵀw* is as certain as r², not as r, and where w* is at the edge of the
/// ball it has no freedom left at all. Over that region fᵢ = zᵢᵀm + yᵢuᵀ(Φ(xᵢ) − o) + yᵢ(β̄ + β) with u = w* − m, β̄ =
/// κ − oᵀm and ‖u‖² + δ|β| ≤ r²: it stays within
///   zᵢᵀm + yᵢβ̄ ± R,   R = r aᵢ if δaᵢ ≥ 2r, else r²/δ + aᵢ²δ/4,   aᵢ = ‖Φ(xᵢ) − o‖.
/// All of it holds for any d, hence for any free samples, and for samples that are decided already in whatever way.
class BiasAnchor {
  public:
    /// Of the samples of α at `c` that have most room between their bounds, dₖ = min(αₖ, Cωₖ − αₖ), of at most
    /// OriginSize::kMostTerms. Null when these have too little, or stopped. A kernel row and O(n) for each of them, or
    /// O(asked) where few are asked about.
    [[nodiscard]] static std::shared_ptr<const BiasAnchor>
    among(const SvmProblem& problem, const Eigen::VectorXd& alpha, double c, const BiasAnchorOrder& order);

    /// δ that another α at `c` allows for the same c: a lower bound, 0 when one of its samples is at a bound.
    [[nodiscard]] double roomOf(const SvmProblem& problem, const Eigen::VectorXd& alpha, double c) const;
    /// oᵀv for v by its products zᵢᵀv, which are exact up to `error` ‖zᵢ‖.
    [[nodiscard]] Bounded product(const SvmProblem& problem, std::span<const double> products, double error) const;
    [[nodiscard]] Bounded edge() const { return m_edge; } ///< κ
    /// Upper bounds of aᵢ, for all samples or those asked about.
    [[nodiscard]] std::span<const double> distances() const {
        return {m_distances.data(), static_cast<std::size_t>(m_distances.size())};
    }
    [[nodiscard]] double length() const { return m_length; } ///< Σ cₖ‖zₖ‖, which ‖o‖ is at most
    [[nodiscard]] std::size_t size() const { return m_samples.size(); }

  private:
    void choose(const SvmProblem& problem, std::span<const std::pair<double, SampleIndex>> byRoom, double room);
    /// False when stopped: there are no distances then.
    bool measure(const SvmProblem& problem, std::span<const SampleIndex> asked, StopCheck* stopCheck);

    std::vector<SampleIndex> m_samples;
    std::vector<double> m_shares; ///< c > 0: multiples of 2⁻⁴⁰ that add up to 1 exactly
    Bounded m_edge;
    double m_length = 0;
    bool m_isPartial = false; ///< has distances of some samples only
    Eigen::VectorXd m_distances;
};

/// An anchor and the δ that some α allows for it, with what regions need of its vectors u and v.
struct BiasTie {
    std::shared_ptr<const BiasAnchor> anchor;
    double room = 0;    ///< lower bound of δ
    Bounded withFirst;  ///< oᵀu
    Bounded withSecond; ///< oᵀv; of no use without v

    /// Where β̄ is for a centre that a u + b v is up to `error`.
    [[nodiscard]] BiasBracket middle(double a, double b, double error) const {
        const Bounded beta = anchor->edge() - exactly(a) * withFirst - exactly(b) * withSecond;
        const double doubt = error * anchor->length();
        return {beta.lower() - doubt, beta.upper() + doubt};
    }
};

/// R of a ball of radius r, upwards of all its rounding but that of r, δ and a.
[[nodiscard]] inline double tiedReach(double radius, double room, double distance) {
    if (!(room * distance < 2 * radius)) {
        return radius * distance;
    }
    return room > 0 ? radius * radius / room + 0.25 * distance * distance * room
                    : std::numeric_limits<double>::infinity();
}

} // namespace lambdascope::svm
