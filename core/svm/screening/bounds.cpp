// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/screening/bounds.h"

#include <cmath>

namespace lambdascope::svm {

namespace {

constexpr double kPad = 16 * kUnitRoundoff;

Direction direction(const Eigen::VectorXd& products, double error) {
    return {{products.data(), static_cast<std::size_t>(products.size())}, error};
}

Ball ballOne(const SolvedSvm& reference, double c, double owed) {
    const double rise = (c - reference.c) / reference.c;
    const double norm = reference.squaredNorm.upper();
    Ball ball;
    ball.a = 1 + rise / 2;
    ball.squaredRadius = (0.25 * norm * rise * rise + c / reference.c * reference.gap + owed) * (1 + kPad) + kUnderflow;
    ball.centreError = kPad * ball.a * std::sqrt(norm);
    return ball;
}

/// BT1 holds with a free bias too. With s = α₀/C₀, ρ = C/C₀ and δ = yᵀα₀, its two inequalities
///   P(w₀, b₀) ≥ P(w*, b*) + ½‖w₀ − w*‖²,   Σ ωᵢ max(0, tᵢ − fᵢ*) ≥ (tᵀα₀ − w₀ᵀw* − b*δ)/C₀
/// give r² = ¼‖w₀‖²(ρ − 1)² + ρ(G₀ + (b* − b₀)δ), G₀ = P − D of the reference less what it owes to δ. That is
/// imbalanceCost() with ρδ in place of δ: |b*| ≤ T + (½(1 + ρ)‖w₀‖ + r)R.
double owedToImbalance(const SvmProblem& problem, const SolvedSvm& reference, double c) {
    const double ratio = c / reference.c;
    const double delta = ratio * imbalanceBound(problem, reference.alpha);
    const Ball ball = ballOne(reference, c, 0);
    const double norm = ball.a * std::sqrt(reference.squaredNorm.upper()) * (1 + kPad);
    return imbalanceCostOf(problem, delta * (1 + kPad), reference.bias, norm, ball.squaredRadius);
}

/// ‖½(w₀ + C z_ŝ)‖² + C(ξ₀ − Σŝωt).
Ball ballTwo(const SolvedSvm& reference, const Nc3Cut& cut, double c) {
    const Bounded exactC = exactly(c);
    const Bounded centre =
        reference.squaredNorm + exactC * (exactly(2) * cut.withReference() + exactC * cut.squaredNorm());
    const Bounded square = exactly(0.25) * centre + exactC * (reference.hingeSum - cut.weight());
    Ball ball;
    ball.a = 0.5;
    ball.b = 0.5 * c;
    ball.squaredRadius = std::max(square.upper(), 0.0) + kUnderflow;
    ball.centreError = kPad * ball.b * std::sqrt(std::max(cut.squaredNorm().upper(), 0.0));
    return ball;
}

/// ‖m₁ − m₂‖² = ‖(a₁ − a₂) w₀ + (b₁ − b₂) z_ŝ‖², of the centres as they are meant: those that are used lie within
/// their errors of them.
Bounded squaredDistance(const Ball& first, const Ball& second, const SolvedSvm& reference, const Nc3Cut& cut) {
    const Bounded a = exactly(first.a) - exactly(second.a);
    const Bounded b = exactly(first.b) - exactly(second.b);
    Bounded square =
        a * a * reference.squaredNorm + exactly(2) * a * b * cut.withReference() + b * b * cut.squaredNorm();
    const double moved = first.centreError + second.centreError;
    square.error += (2 * std::sqrt(std::max(square.upper(), 0.0)) + moved) * moved * (1 + kPad);
    return square;
}

} // namespace

const std::vector<BoundKind>& allBounds() {
    static const std::vector<BoundKind> kinds = {BoundKind::BallOne, BoundKind::BallTwo, BoundKind::Intersection,
                                                 BoundKind::Delta, BoundKind::Gap};
    return kinds;
}

ScreeningReference referenceAt(const SolvedSvm& solved) {
    ScreeningReference reference;
    reference.c = solved.c;
    reference.current = direction(solved.margins, solved.marginError);
    reference.gap = solved.gap;
    reference.alpha = &solved.alpha;
    reference.squaredNorm = solved.squaredNorm.value;
    return reference;
}

bool needsCut(BoundKind kind) {
    return kind == BoundKind::BallTwo || kind == BoundKind::Intersection;
}

bool isDynamic(BoundKind kind) {
    return kind == BoundKind::Gap;
}

std::optional<Ball> makeBall(BoundKind kind, const ScreeningReference& reference) {
    const bool hasCut = reference.path != nullptr && reference.cut != nullptr;
    switch (kind) {
    case BoundKind::BallOne:
        return reference.path != nullptr ? std::optional(ballOne(*reference.path, reference.c, reference.pathOwed))
                                         : std::nullopt;
    case BoundKind::BallTwo:
        return hasCut ? std::optional(ballTwo(*reference.path, *reference.cut, reference.c)) : std::nullopt;
    case BoundKind::Gap:
        return std::isfinite(reference.gap) ? std::optional(Ball{1, 0, reference.gap * (1 + kPad) + kUnderflow, 0})
                                            : std::nullopt;
    default: return std::nullopt;
    }
}

/// ‖w*(C)‖ grows with C, and w*(C) has a smaller hinge sum than w*(C₀), which is the shortest vector with its own.
std::optional<Cap> makeCap(const ScreeningReference& reference) {
    const bool isPossible = reference.path != nullptr && reference.beyond != nullptr &&
                            reference.path->c <= reference.c && reference.c <= reference.beyond->c;
    if (!isPossible) {
        return std::nullopt;
    }
    const SolvedSvm& low = *reference.path;
    const double length = std::sqrt(std::max(reference.beyond->squaredNorm.upper(), 0.0)) +
                          std::sqrt(std::max(reference.beyond->gap, 0.0));
    // With an inexact w₀: w₀ᵀw ≥ ½‖w₀‖² − gap₀ + ½(‖w₀‖ − gap₀^½)².
    const Bounded norm = squareRoot(low.squaredNorm);
    const double shortest = std::max(norm.lower() - std::sqrt(low.gap), 0.0);
    const Bounded height = exactly(0.5) * (low.squaredNorm + exactly(shortest) * exactly(shortest)) - exactly(low.gap);
    return Cap{height.lower() - kPad * std::abs(height.value), length * length * (1 + kPad) + kUnderflow};
}

std::unique_ptr<Region> makeRegion(BoundKind kind, const SvmProblem& problem, const ScreeningReference& reference) {
    RegionSights sights;
    sights.current = reference.current;
    sights.reaches = problem.reaches();
    if (reference.path != nullptr) {
        sights.path = direction(reference.path->margins, reference.path->marginError);
    }
    if (reference.cut != nullptr) {
        sights.cut = direction(reference.cut->products(), reference.cut->error());
    }
    return makeRegion(kind, problem, reference, sights);
}

std::unique_ptr<Region> makeRegion(BoundKind kind, const SvmProblem& probes, const ScreeningReference& reference,
                                   const RegionSights& sights) {
    const std::string name(boundName(kind));
    const std::optional<BiasBracket>& bias = kind == BoundKind::Gap ? reference.currentBias : reference.pathBias;
    if (probes.hasFreeBias() && (!allowsFreeBias(kind) || !bias)) {
        return nullptr;
    }
    if (kind == BoundKind::Delta) {
        const auto cap = makeCap(reference);
        return cap ? std::make_unique<CapRegion>(name, probes, sights.path, reference.path->squaredNorm, cap->height,
                                                 cap->squaredRadius)
                   : nullptr;
    }
    if (kind == BoundKind::Intersection) {
        const auto first = makeBall(BoundKind::BallOne, reference);
        const auto second = makeBall(BoundKind::BallTwo, reference);
        if (!first || !second) {
            return nullptr;
        }
        return std::make_unique<LensRegion>(name, probes, sights.path, sights.cut, *first, *second,
                                            squaredDistance(*first, *second, *reference.path, *reference.cut));
    }
    const auto ball = makeBall(kind, reference);
    if (!ball) {
        return nullptr;
    }
    if (kind == BoundKind::Gap) {
        return std::make_unique<BallRegion>(name, probes, sights.current, Direction{}, *ball, sights.reaches, bias);
    }
    return std::make_unique<BallRegion>(
        name, probes, sights.path, kind == BoundKind::BallTwo ? sights.cut : Direction{}, *ball, sights.reaches, bias);
}

namespace {

/// Where β of an optimal bias lies when fᵢ − yᵢβ lie where the region says.
BiasBracket bracketOver(const Region& products, const SvmProblem& problem, std::span<const SampleIndex> open,
                        const CheckedSum& pull) {
    std::vector<MarginRange> ranges(open.size());
    products.ranges(open, ranges);
    std::vector<BiasSample> samples;
    samples.reserve(open.size());
    for (std::size_t k = 0; k < open.size(); ++k) {
        const double y = problem.y()(open[k]);
        const MarginRange& range = ranges[k];
        samples.push_back({y, y > 0 ? range.lower : -range.upper, y > 0 ? range.upper : -range.lower,
                           problem.weights()(open[k]), problem.thresholds()(open[k])});
    }
    return bracketBias(samples, pull);
}

} // namespace

void bracketBiases(const SvmProblem& problem, std::span<const Decision> decisions, ScreeningReference& reference) {
    if (!problem.hasFreeBias()) {
        return;
    }
    std::vector<SampleIndex> open;
    CheckedSum pull = pullOfBalance(problem, reference.c);
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const Decision decision = decisions.empty() ? Decision::Keep : decisions[static_cast<std::size_t>(i)];
        if (decision == Decision::Keep) {
            open.push_back(i);
        } else if (decision == Decision::Full) {
            pull.add(problem.y()(i) * problem.weights()(i));
        }
    }
    if (const auto ball = makeBall(BoundKind::Gap, reference)) {
        const BallRegion products("", problem, reference.current, Direction{}, *ball, problem.reaches());
        reference.currentBias = bracketOver(products, problem, open, pull);
    }
    if (reference.path != nullptr && problem.balance() == 0) {
        reference.pathOwed = owedToImbalance(problem, *reference.path, reference.c);
        const auto ball = makeBall(BoundKind::BallOne, reference);
        const Direction centre = direction(reference.path->margins, reference.path->marginError);
        const BallRegion products("", problem, centre, Direction{}, *ball, problem.reaches());
        reference.pathBias = bracketOver(products, problem, open, pull);
    }
}

} // namespace lambdascope::svm
