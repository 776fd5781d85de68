// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/inspect/rule_decision.h"

#include "core/triplets/problem/cone.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope::triplets {

namespace {

/// One side of an item: −H and −(τ − γ) stand for L.
struct Side {
    double sign; ///< 1 for R, −1 for L
    double edge; ///< τ, or −(τ − γ)
    const char* set;
};

/// Numbers that all rules share.
struct Shared {
    Bounded q;
    Bounded h;
    double r;
    double threshold;
    const char* matrixMeaning; ///< what ‖H‖ is
    [[nodiscard]] double padding() const { return q.error + r * h.error + 4 * kUnitRoundoff * std::abs(threshold); }
    /// Those of all rules; what the last one counts is the rule's own matter.
    [[nodiscard]] std::vector<NamedValue> terms(double delta) const {
        std::vector<NamedValue> values = {{"⟨H,Q⟩", "margin at the centre of the ball", q.value},
                                          {"r", "radius of the ball", r},
                                          {"‖H‖", matrixMeaning, h.value},
                                          {"δ", "bound on rounding errors", delta}};
        if (threshold != 1) {
            values.push_back({"τ", "margin from which on there is no loss", threshold});
        }
        return values;
    }
    /// "left > 1", "left < 1 − γ", with τ where it is not 1.
    [[nodiscard]] std::string inequality(const Side& side, const char* ofZero, const char* ofLinear) const {
        const std::string edge = threshold == 1 ? "1" : "τ";
        return side.sign > 0 ? ofZero + (" > " + edge) : ofLinear + (" < " + edge) + " − γ";
    }
};

BoundDecision sphereSide(const Shared& shared, const Side& side) {
    const double least = side.sign * shared.q.value - shared.r * shared.h.value;
    BoundDecision decision;
    decision.left = side.sign * least;
    decision.room = least - side.edge - shared.padding();
    decision.values = {least - shared.padding(), 0}; // of this side; the other one gives the other end
    decision.inequality = shared.inequality(side, "⟨H,Q⟩ − r‖H‖", "⟨H,Q⟩ + r‖H‖");
    decision.terms = shared.terms(shared.padding());
    return decision;
}

BoundDecision linearSide(const Shared& shared, const Side& side, const ItemGeometry& probe, const Region& region) {
    const Eigen::MatrixXd& normal = region.normal;
    const double squares = normal.squaredNorm();
    const double p = normal.cwiseProduct(region.sphere.centre).sum();
    const Bounded s = probe.margin(normal);
    const double k = std::sqrt(std::max(shared.h.value * shared.h.value * squares - s.value * s.value, 0.0));
    const double root = std::sqrt(shared.r * shared.r * squares - p * p);
    const double best = (side.sign * s.value - p * k / root) / squares;
    const double beta = best > 0 && std::isfinite(best) ? best : 0;
    const double reach = std::sqrt(
        std::max(shared.h.value * shared.h.value - 2 * beta * side.sign * s.value + beta * beta * squares, 0.0));
    const double least = side.sign * shared.q.value - beta * p - shared.r * reach;
    const double size = std::abs(shared.q.value) + beta * std::abs(p) + shared.r * reach;
    const double padding = shared.padding() + 64 * kUnitRoundoff * size;
    BoundDecision decision;
    decision.left = side.sign * least;
    decision.room = least - side.edge - padding;
    decision.values = {least - padding, 0};
    decision.inequality = shared.inequality(side, "⟨H,Q⟩ − β⟨P,Q⟩ − r‖H − βP‖", "⟨H,Q⟩ + β⟨P,Q⟩ + r‖H + βP‖");
    decision.terms = shared.terms(padding);
    decision.terms.push_back({"β", "multiplier of the half-space ⟨P,M⟩ ≥ 0", beta});
    decision.terms.push_back({"⟨P,Q⟩", "side of the centre", p});
    decision.terms.push_back({"⟨P,H⟩", "angle of the matrix to the half-space", s.value});
    decision.terms.push_back({"‖P‖", "norm of the half-space's normal", std::sqrt(squares)});
    return decision;
}

/// D of one side of an item; each value costs an eigen-decomposition, and is not a number once `stopCheck` says stop.
class DualFunction {
  public:
    DualFunction(const Shared& shared, const Side& side, Eigen::MatrixXd h, const Eigen::MatrixXd& centre,
                 StopCheck* stopCheck)
        : m_shared(shared), m_side(side), m_h(std::move(h)), m_centre(centre), m_stopCheck(stopCheck) {}

    [[nodiscard]] double at(double z) const {
        const Eigen::MatrixXd shifted = m_side.sign * z * m_h - m_centre; // its positive part is −[Q − zH]₋
        return 2 * z * excess() - z * z * m_shared.h.value * m_shared.h.value +
               squaredNormInCone(shifted, m_stopCheck).value;
    }
    /// Where D, which is concave, is largest among all z ≥ 0, as found by doubling and golden section from `scale` on.
    [[nodiscard]] double bestMultiplier(double scale) const;

  private:
    [[nodiscard]] double excess() const { return m_side.sign * m_shared.q.value - m_side.edge; }
    /// Whether D rises at 0, where D'/2 = ⟨H,Q⟩ − C + ⟨H,[−Q]₊⟩.
    [[nodiscard]] bool rises() const {
        const PsdSplit split = splitByCone(-m_centre, m_stopCheck);
        return split.isFinite && excess() + m_side.sign * m_h.cwiseProduct(split.positive).sum() > 0;
    }

    const Shared& m_shared;
    const Side& m_side;
    Eigen::MatrixXd m_h;
    const Eigen::MatrixXd& m_centre;
    StopCheck* m_stopCheck;
};

double DualFunction::bestMultiplier(double scale) const {
    constexpr int kMostDoublings = 60;
    constexpr int kSections = 44; // leave 6e-10 of the interval, where D is flat
    constexpr double kGolden = 0.6180339887498949;
    if (!rises()) {
        return 0;
    }
    double value = at(scale);
    double high = 2 * scale;
    for (int i = 0; i < kMostDoublings; ++i, high *= 2) {
        const double next = at(high);
        if (!(next > value)) {
            break;
        }
        value = next;
    }
    double low = 0;
    double left = high - kGolden * (high - low);
    double right = low + kGolden * (high - low);
    double atLeft = at(left);
    double atRight = at(right);
    for (int i = 0; i < kSections && !std::isnan(atLeft + atRight); ++i) {
        if (atLeft < atRight) {
            low = std::exchange(left, right);
            atLeft = atRight;
            right = low + kGolden * (high - low);
            atRight = at(right);
        } else {
            high = std::exchange(right, left);
            atRight = atLeft;
            left = high - kGolden * (high - low);
            atLeft = at(left);
        }
    }
    return 0.5 * (low + high);
}

BoundDecision semidefiniteSide(const Shared& shared, const Side& side, const ItemGeometry& probe, const Region& region,
                               StopCheck* stopCheck) {
    const DualFunction dual(shared, side, probe.matrix(), region.sphere.centre, stopCheck);
    const double squares = shared.h.value * shared.h.value;
    const double scale = squares > 0 ? std::max(std::abs(shared.q.value - shared.threshold), 1e-3) / squares : 1;
    const double z = dual.bestMultiplier(scale);
    BoundDecision decision;
    decision.left = dual.at(z);
    const double size = region.sphere.centre.squaredNorm() + z * z * squares;
    const double padding = 2 * z * (shared.q.error + 4 * kUnitRoundoff * std::abs(side.edge)) +
                           roundingFactor(16.0 * std::pow(static_cast<double>(region.sphere.centre.rows()), 2)) * size;
    decision.threshold = shared.r * shared.r;
    decision.room = decision.left - decision.threshold - padding;
    decision.inequality = side.sign > 0 ? "D(z) > r²" : "D(z) > r², for −H";
    decision.terms = shared.terms(padding);
    decision.terms.push_back({"z", "multiplier of the dual", z});
    decision.terms.push_back({"D(z)", "least squared distance of the centre to M ⪰ 0 beyond the edge", decision.left});
    return decision;
}

std::vector<NamedValue> gradientTerms(const BoundReference& reference) {
    const double slack = subgradientSlack(*reference.totals, reference.gamma).value;
    const double norm = (reference.lambda * reference.point->matrix - reference.totals->pull).norm();
    if (slack == 0) {
        return {{"‖∇P‖", "norm of the gradient at M; r = ‖∇P‖/2λ", norm}};
    }
    return {{"slack", "by how much −α is no subgradient, summed", slack},
            {"‖∇P‖", "norm of the gradient at M; r² = ‖∇P‖²/4λ² + slack/λ", norm}};
}

std::vector<NamedValue> projectedTerms(const BoundReference& reference) {
    const Sphere ball = gradientBound(reference);
    return {{"r of GB", "radius of the ball that is projected", ball.radius},
            {"‖[Q of GB]₋‖", "negative part of its centre; r² = (r of GB)² − ‖[Q of GB]₋‖²",
             splitByCone(ball.centre, reference.stopCheck).negativeNorm.value}};
}

std::vector<NamedValue> midpointTerms(const BoundReference& reference) {
    const PrimalDualPair pair = midpointPair(reference);
    const double apart = (pair.point->matrix - pair.pull / reference.lambda).norm();
    return {{"‖M − M(α)‖", "distance of the two points between which Q lies half-way", apart},
            {"gap", "duality gap of M and α; r² = gap/λ − ¼‖M − M(α)‖²",
             0.5 * reference.lambda * apart * apart + pair.sigma}};
}

std::vector<NamedValue> relaxedPathTerms(const BoundReference& reference, bool takesAsExact) {
    const PathReference& path = reference.path;
    std::vector<NamedValue> terms = {{"λ₀", "where the reference M₀ was solved", path.lambda}};
    const double norm = path.point->matrix.norm();
    if (takesAsExact) {
        terms.push_back({"‖M₀‖", "norm of the reference; r = |λ₀ − λ|/2λ · ‖M₀‖", norm});
        return terms;
    }
    terms.push_back({"‖M₀‖", "norm of the reference", norm});
    terms.push_back({"ε", "distance of M₀ to its optimum, at most; r = |λ₀ − λ|/2λ · ‖M₀‖ + (|λ₀ − λ| + λ₀ + λ)/2λ · ε",
                     std::sqrt(2 * std::max(path.gap, 0.0) / path.lambda)});
    return terms;
}

std::vector<NamedValue> ballTerms(BoundKind kind, const BoundReference& reference) {
    const NamedValue gap{"gap", "duality gap of M; r = √(2 gap/λ)", reference.gap};
    std::vector<NamedValue> terms = {{"λ", "where the ball holds the optimum", reference.lambda}};
    std::vector<NamedValue> own;
    switch (kind) {
    case BoundKind::Gradient: own = gradientTerms(reference); break;
    case BoundKind::ProjectedGradient: own = projectedTerms(reference); break;
    case BoundKind::DualityGap: own = {gap}; break;
    case BoundKind::ConstrainedDualityGap:
        if (reference.dual != nullptr) {
            own = {{"gap of M(α)", "duality gap of M(α) and α; r = √(gap/λ)", reference.dual->gap}};
        }
        break;
    case BoundKind::MidpointGap: own = midpointTerms(reference); break;
    case BoundKind::Path:
    case BoundKind::RelaxedPath:
        own = reference.path.point != nullptr ? relaxedPathTerms(reference, kind == BoundKind::Path) : std::vector{gap};
        break;
    }
    terms.insert(terms.end(), own.begin(), own.end());
    return terms;
}

} // namespace

BoundDecision regionDecision(const ItemGeometry& probe, const Region& region, std::string_view bound, double gamma,
                             StopCheck* stopCheck) {
    const double threshold = probe.threshold();
    const Shared shared{probe.margin(region.sphere.centre), probe.norm(), region.sphere.radius, threshold,
                        probe.isTriplet() ? "norm of the triplet's matrix" : "norm of the comparison's matrix"};
    const bool isLinear = region.rule == RuleKind::Linear && region.normal.size() > 0;
    const bool usesCone = region.rule == RuleKind::Semidefinite || region.rule == RuleKind::Analytic;
    const bool isSemidefinite = usesCone && std::isfinite(shared.r);
    BoundDecision chosen;
    std::optional<ValueInterval> values;
    bool isFirst = true;
    for (const Side& side : {Side{1, threshold, "R"}, Side{-1, gamma - threshold, "L"}}) {
        BoundDecision decision = isSemidefinite ? semidefiniteSide(shared, side, probe, region, stopCheck)
                                 : isLinear     ? linearSide(shared, side, probe, region)
                                                : sphereSide(shared, side);
        if (!isSemidefinite) {
            decision.threshold = side.sign > 0 ? threshold : threshold - gamma;
        }
        if (decision.room > 0) {
            decision.set = side.set;
        }
        if (decision.values && isFirst) {
            values = decision.values;
        } else if (decision.values && values) {
            values->high = -decision.values->low; // least of −⟨H,M⟩
        }
        if (isFirst || decision.room > chosen.room) {
            chosen = std::move(decision);
        }
        isFirst = false;
    }
    chosen.values = values;
    chosen.bound = bound;
    chosen.rule = region.rule == RuleKind::Linear         ? "linear"
                  : region.rule == RuleKind::Semidefinite ? "semidefinite"
                  : region.rule == RuleKind::Analytic     ? "analytic"
                                                          : "sphere";
    return chosen;
}

BoundDecision boundDecision(const ItemGeometry& probe, BoundKind kind, const Region& region,
                            const BoundReference& reference) {
    BoundDecision decision =
        regionDecision(probe, region, makeBound(kind)->name(), reference.gamma, reference.stopCheck);
    const std::vector<NamedValue> ball = ballTerms(kind, reference);
    decision.terms.insert(decision.terms.end(), ball.begin(), ball.end());
    return decision;
}

} // namespace lambdascope::triplets
