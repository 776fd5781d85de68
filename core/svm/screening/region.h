// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/item_explanation.h"
#include "core/numeric/error_bound.h"
#include "core/svm/problem/svm_problem.h"
#include "core/svm/screening/bias_bracket.h"

#include <Eigen/Core>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lambdascope::svm {

enum class Decision : std::uint8_t {
    Keep,
    Zero, ///< R: α = 0
    Full, ///< L: α = Cω
};

/// Bounds of the margin zᵢᵀw over a region, all errors included: the optimum's margin lies between.
struct MarginRange {
    double lower = 0;
    double upper = 0;

    /// ℓ > t → R, u < t → L [S, (9)]. Without a branch: nobody can foresee which way it would go.
    [[nodiscard]] Decision decision(double threshold) const {
        const int isZero = static_cast<int>(lower > threshold);
        const int isFull = static_cast<int>(upper < threshold) & ~isZero;
        return static_cast<Decision>(isZero * static_cast<int>(Decision::Zero) +
                                     isFull * static_cast<int>(Decision::Full));
    }
};

/// A set that holds the optimum w*.
class Region {
  public:
    /// `problem` holds the samples that are asked about and must outlive the region.
    Region(std::string name, const SvmProblem& problem) : m_problem(problem), m_name(std::move(name)) {}
    virtual ~Region() = default;

    [[nodiscard]] const std::string& name() const { return m_name; }
    /// Margins over the region of the samples listed. O(1) each.
    virtual void ranges(std::span<const SampleIndex> samples, std::span<MarginRange> out) const = 0;
    /// Decides the samples listed: what ranges() say, but no more is computed than it takes. O(1) each.
    virtual void judge(std::span<const SampleIndex> samples, std::span<Decision> out) const;
    /// Radius, of the smaller ball when there are two.
    [[nodiscard]] virtual double radius() const = 0;
    /// The inequality that decides a sample, or fails by less than the other, with the numbers it is made of.
    [[nodiscard]] BoundDecision explain(SampleIndex i) const;

  protected:
    /// What the bounds of sample i are computed from.
    [[nodiscard]] virtual std::vector<NamedValue> terms(SampleIndex i) const = 0;
    [[nodiscard]] virtual std::string formula(SampleIndex i, bool isLower) const = 0;
    [[nodiscard]] double threshold(SampleIndex i) const { return m_problem.thresholds()(i); }

    const SvmProblem& m_problem;

  private:
    std::string m_name;
};

/// A vector of the feature space by its products with all samples, exact up to error ‖zᵢ‖.
struct Direction {
    std::span<const double> products;
    double error = 0;
};

/// Ball with its centre m = a u + b v in the plane of two directions, in the numbers that samples need.
struct Ball {
    double a = 0;
    double b = 0;
    double squaredRadius = 0; ///< upper bound of r²
    double centreError = 0;   ///< rounding of a and b, times the lengths of u and v
};

/// What a region knows of a free bias. An optimum is w* = m + u and b*: fᵢ = zᵢᵀm + yᵢuᵀ(Φ(xᵢ) − o) + yᵢβ for any
/// vector o, with β = b* + uᵀo.
struct FreeBias {
    BiasBracket bracket;               ///< where β lies, or the β̄ that a BiasAnchor o ties it to
    std::span<const double> distances; ///< upper bounds of ‖Φ(xᵢ) − o‖
    /// δ of ‖u‖² + δ|β − β̄| ≤ r², a lower bound; infinite where β is nowhere but in the bracket.
    double room = std::numeric_limits<double>::infinity();
};

/// Lemma 1 of [S]: zᵢᵀm ∓ r‖zᵢ‖. With a free bias zᵢᵀm ∓ r‖Φ(xᵢ) − o‖ + yᵢβ, for the β of a bracket that makes it least
/// or largest; tied by an anchor, zᵢᵀm + yᵢβ̄ ∓ R with the R of tiedReach().
class BallRegion final : public Region {
  public:
    /// What the directions and `bias` look at must outlive the region; `v` may be empty when b = 0. `bias` is given
    /// where there is a free one.
    BallRegion(std::string name, const SvmProblem& problem, Direction u, Direction v, const Ball& ball,
               std::optional<FreeBias> bias = std::nullopt);

    void ranges(std::span<const SampleIndex> samples, std::span<MarginRange> out) const override;
    void judge(std::span<const SampleIndex> samples, std::span<Decision> out) const override;
    [[nodiscard]] double radius() const override { return m_radius; }
    [[nodiscard]] const Ball& ball() const { return m_ball; }

  protected:
    [[nodiscard]] std::vector<NamedValue> terms(SampleIndex i) const override;
    [[nodiscard]] std::string formula(SampleIndex i, bool isLower) const override;

  private:
    [[nodiscard]] double centre(SampleIndex i) const;
    [[nodiscard]] bool isTied() const { return m_bias && std::isfinite(m_bias->room); }
    /// R, or r times the distance that counts.
    [[nodiscard]] double reachOf(SampleIndex i) const;
    [[nodiscard]] MarginRange range(SampleIndex i) const;

    Direction m_u;
    Direction m_v;
    Ball m_ball;
    std::optional<FreeBias> m_bias;
    double m_radius;
    double m_error; ///< all errors that grow with ‖zᵢ‖
};

/// Both balls at once [S, theorem 8]. The points of both balls lie in every ball of the pencil
///   t‖w − m₁‖² + (1 − t)‖w − m₂‖² ≤ t r₁² + (1 − t) r₂²,  0 ≤ t ≤ 1,
/// whose best member for a sample gives the theorem's bound: t = 1 is its first case, t = 0 its second, and
/// t‖φ‖ = ζ ± κ p/(‖z‖² − p²)^½, p = zᵀφ/‖φ‖, its third. Any t is safe, so that neither rounding of t nor the
/// degenerate cases φ = 0 and κ² ≤ 0 can do harm.
///
/// With a free bias whose anchor ties it to the first ball by δ, the pencil is
///   t(‖w − m₁‖² + δ|b + oᵀw − κ|) + (1 − t)‖w − m₂‖² ≤ t r₁² + (1 − t) r₂²:
/// the same balls in the space of the Φ(xᵢ) − o, each with β̄ = tβ̄₁ + (1 − t)β̄₂ tied by tδ.
class LensRegion final : public Region {
  public:
    struct Biases {
        std::optional<FreeBias> first = {};  ///< β̄₁
        std::optional<FreeBias> second = {}; ///< β̄₂; the same anchor and δ
    };
    /// `squaredDistance` is ‖m₁ − m₂‖². `biases` are given where there is a free one.
    LensRegion(std::string name, const SvmProblem& problem, Direction u, Direction v, const Ball& first,
               const Ball& second, Bounded squaredDistance, const Biases& biases);

    void ranges(std::span<const SampleIndex> samples, std::span<MarginRange> out) const override;
    void judge(std::span<const SampleIndex> samples, std::span<Decision> out) const override;
    [[nodiscard]] double radius() const override;

  protected:
    [[nodiscard]] std::vector<NamedValue> terms(SampleIndex i) const override;
    [[nodiscard]] std::string formula(SampleIndex i, bool isLower) const override;

  private:
    /// A sample's margins at both centres with their β̄, the size of the terms they are made of, and its distance from
    /// the anchor and from 0: without a free bias that is one.
    struct Centres {
        double first;
        double second;
        double firstSize;
        double secondSize;
        double distance;
        double norm;
    };
    [[nodiscard]] Centres centresFor(SampleIndex i) const;
    /// How far margins can be from that at a centre, its size and rounding included.
    [[nodiscard]] double reachOf(double radius, double error, double size, double distance, double norm) const;
    /// Lower bound of sign · fᵢ by the ball at t.
    [[nodiscard]] double lowerAt(double t, double sign, const Centres& centres) const;
    [[nodiscard]] double bestShare(double sign, const Centres& centres) const;
    [[nodiscard]] double lower(SampleIndex i, double sign) const;
    [[nodiscard]] bool hasCut() const { return m_distance > 0 && m_kappa > 0; }
    /// Decides what the first ball does by itself. Puts the positions of the others into `open`; says how many.
    std::size_t judgeByFirst(std::span<const SampleIndex> samples, std::span<Decision> out,
                             std::span<std::uint16_t> open) const;
    /// The same for those of `open` by the second ball, and by where the edge meets the cut of both.
    std::size_t judgeByCut(std::span<const SampleIndex> samples, std::span<Decision> out,
                           std::span<std::uint16_t> open) const;
    [[nodiscard]] Decision decisionByLens(SampleIndex i) const;

    Direction m_u;
    Direction m_v;
    Ball m_first;
    Ball m_second;
    Bounded m_squaredDistance;
    Biases m_biases;
    double m_room;          ///< δ; infinite without a free bias
    double m_firstBias = 0; ///< β̄₁
    double m_biasError = 0; ///< of β̄₁ and β̄₂
    double m_distance;      ///< ‖φ‖
    double m_perDistance;   ///< 1/‖φ‖, or 0
    double m_zeta;
    double m_firstRadius;
    double m_secondRadius;
    double m_firstError; ///< all errors that grow with ‖zᵢ‖
    double m_secondError;
    double m_kappa; ///< 0 when the spheres do not cut each other
    bool m_isSharp; ///< ζ and κ are known well enough to tell where the edge passes
};

/// The part of the ball ‖w‖² ≤ γ_b with w₀ᵀw ≥ h [S, theorem 11, corrected: the ball's radius is γ_b^½]. For any μ ≥ 0
/// its least margin is at least μh − γ_b^½ ‖z − μw₀‖; the best μ gives the theorem's bound.
class CapRegion final : public Region {
  public:
    /// `u` is w₀, `squaredNorm` ‖w₀‖², `height` a lower bound of h and `squaredRadius` an upper bound of γ_b.
    CapRegion(std::string name, const SvmProblem& problem, Direction u, Bounded squaredNorm, double height,
              double squaredRadius);

    void ranges(std::span<const SampleIndex> samples, std::span<MarginRange> out) const override;
    [[nodiscard]] double radius() const override { return m_radius; }

  protected:
    [[nodiscard]] std::vector<NamedValue> terms(SampleIndex i) const override;
    [[nodiscard]] std::string formula(SampleIndex i, bool isLower) const override;

  private:
    [[nodiscard]] double lower(SampleIndex i, double sign) const;
    [[nodiscard]] double lowerAt(double mu, double margin, double norm) const;

    Direction m_u;
    Bounded m_squaredNorm;
    double m_height;
    double m_squaredRadius;
    double m_radius;
};

} // namespace lambdascope::svm
