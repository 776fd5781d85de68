// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/screening/bounds.h"

#include "core/svm/problem/work_units.h"

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

/// ‖½(w₀ + C z_ŝ)‖² + C(ξ₀ − Σŝωt), with a free bias for the best b₀.
Ball ballTwo(const SolvedSvm& reference, const Nc3Cut& cut, double c, double owed) {
    const Bounded exactC = exactly(c);
    const Bounded centre =
        reference.squaredNorm + exactC * (exactly(2) * cut.withReference() + exactC * cut.squaredNorm());
    const Bounded square = exactly(0.25) * centre + exactC * (reference.hingeSum - cut.weight());
    Ball ball;
    ball.a = 0.5;
    ball.b = 0.5 * c;
    ball.squaredRadius = (std::max(square.upper(), 0.0) + owed) * (1 + kPad) + kUnderflow;
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
        return hasCut ? std::optional(ballTwo(*reference.path, *reference.cut, reference.c, reference.cutOwed))
                      : std::nullopt;
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
    if (reference.pathTie) {
        sights.pathDistances = reference.pathTie->anchor->distances();
    }
    if (reference.currentTie) {
        sights.currentDistances = reference.currentTie->anchor->distances();
    }
    if (reference.cut != nullptr) {
        sights.cut = direction(reference.cut->products(), reference.cut->error());
    }
    return makeRegion(kind, problem, reference, sights);
}

namespace {

/// A free bias over a ball with the centre a u + b v.
FreeBias tiedBias(const BiasTie& tie, const Ball& ball, std::span<const double> distances) {
    return {tie.middle(ball.a, ball.b, ball.centreError), distances, tie.room};
}

/// What bounds the bias over the ball of BT1 or GAP; nothing when nothing does.
std::optional<FreeBias> biasOver(BoundKind kind, const Ball& ball, const ScreeningReference& reference,
                                 const RegionSights& sights) {
    const bool isCurrent = kind == BoundKind::Gap;
    const std::optional<BiasTie>& tie = isCurrent ? reference.currentTie : reference.pathTie;
    const std::span<const double> distances = isCurrent ? sights.currentDistances : sights.pathDistances;
    if (tie && !distances.empty()) {
        return tiedBias(*tie, ball, distances);
    }
    const std::optional<BiasBracket>& bracket = isCurrent ? reference.currentBias : reference.pathBias;
    return bracket ? std::optional(FreeBias{*bracket, sights.reaches}) : std::nullopt;
}

std::unique_ptr<Region> makeLens(const SvmProblem& probes, const ScreeningReference& reference,
                                 const RegionSights& sights) {
    const auto first = makeBall(BoundKind::BallOne, reference);
    const auto second = makeBall(BoundKind::BallTwo, reference);
    if (!first || !second || reference.path == nullptr || reference.cut == nullptr) {
        return nullptr;
    }
    const Bounded distance = squaredDistance(*first, *second, *reference.path, *reference.cut);
    LensRegion::Biases biases;
    if (probes.hasFreeBias()) {
        biases = {tiedBias(*reference.pathTie, *first, sights.pathDistances),
                  tiedBias(*reference.pathTie, *second, sights.pathDistances)};
    }
    return std::make_unique<LensRegion>(std::string(boundName(BoundKind::Intersection)), probes, sights.path,
                                        sights.cut, *first, *second, distance, biases);
}

/// BT2's ball knows nothing of the bias; what BT1's proof ties it to, it cannot leave: |β| ≤ r²/δ of that.
std::unique_ptr<Region> makeBallTwo(const SvmProblem& probes, const ScreeningReference& reference,
                                    const RegionSights& sights) {
    const std::string name(boundName(BoundKind::BallTwo));
    const auto ball = makeBall(BoundKind::BallTwo, reference);
    if (!ball || !probes.hasFreeBias()) {
        return ball ? std::make_unique<BallRegion>(name, probes, sights.path, sights.cut, *ball) : nullptr;
    }
    const BiasTie& tie = *reference.pathTie;
    const double freedom =
        makeBall(BoundKind::BallOne, reference)->squaredRadius / tie.room * (1 + kPad); // infinite without room
    const BiasBracket middle = tie.middle(ball->a, ball->b, ball->centreError);
    return std::make_unique<BallRegion>(name, probes, sights.path, sights.cut, *ball,
                                        FreeBias{{middle.low - freedom, middle.high + freedom}, sights.pathDistances});
}

} // namespace

std::unique_ptr<Region> makeRegion(BoundKind kind, const SvmProblem& probes, const ScreeningReference& reference,
                                   const RegionSights& sights) {
    const std::string name(boundName(kind));
    if (probes.hasFreeBias() && !allowsFreeBias(kind)) {
        return nullptr;
    }
    if (kind == BoundKind::Delta) {
        const auto cap = makeCap(reference);
        return cap ? std::make_unique<CapRegion>(name, probes, sights.path, reference.path->squaredNorm, cap->height,
                                                 cap->squaredRadius)
                   : nullptr;
    }
    const bool isTied = reference.pathTie && !sights.pathDistances.empty();
    if (needsCut(kind) && (isTied || !probes.hasFreeBias())) {
        return kind == BoundKind::BallTwo ? makeBallTwo(probes, reference, sights)
                                          : makeLens(probes, reference, sights);
    }
    // Where nothing ties the bias to w, IT is no more than BT1.
    const BoundKind own = kind == BoundKind::Intersection ? BoundKind::BallOne : kind;
    const auto ball = own == BoundKind::BallTwo ? std::nullopt : makeBall(own, reference);
    if (!ball) {
        return nullptr;
    }
    const Direction centre = own == BoundKind::Gap ? sights.current : sights.path;
    if (!probes.hasFreeBias()) {
        return std::make_unique<BallRegion>(name, probes, centre, Direction{}, *ball);
    }
    const auto bias = biasOver(own, *ball, reference, sights);
    return bias ? std::make_unique<BallRegion>(name, probes, centre, Direction{}, *ball, *bias) : nullptr;
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

/// A tie is good when it leaves the bias next to no freedom beyond what the ball leaves w.
constexpr double kGoodTie = 1.15;
/// δ, as a multiple of 2r/a, beyond which no more samples are taken into an anchor.
constexpr double kEnoughRoom = 1.5;

/// oᵀw₀, oᵀz_ŝ, and what BT2 owes: its radius holds with Σ yᵢŝᵢωᵢ = 0, and otherwise as imbalanceCost() for C times
/// that sum, |b*| ≤ T + (‖m‖ + r)R.
void addProducts(const SvmProblem& problem, ScreeningReference& reference, BiasTie& tie) {
    tie.withFirst =
        tie.anchor->product(problem, {reference.path->margins.data(), static_cast<std::size_t>(problem.size())},
                            reference.path->marginError);
    if (reference.cut == nullptr) {
        return;
    }
    const Nc3Cut& cut = *reference.cut;
    tie.withSecond =
        tie.anchor->product(problem, {cut.products().data(), static_cast<std::size_t>(problem.size())}, cut.error());
    const Ball ball = ballTwo(*reference.path, cut, reference.c, 0);
    const double norm = 0.5 *
                        (std::sqrt(std::max(reference.path->squaredNorm.upper(), 0.0)) +
                         reference.c * std::sqrt(std::max(cut.squaredNorm().upper(), 0.0))) *
                        (1 + kPad);
    reference.cutOwed =
        imbalanceCostOf(problem, reference.c * cut.imbalance() * (1 + kPad), 0, norm, ball.squaredRadius);
}

/// What is asked about one ball, with the solution that it is made from.
struct TieRequest {
    const Eigen::VectorXd& alpha;
    double c;     ///< its own
    double ratio; ///< C of the ball, by that
    double radius;
    double wanted; ///< multiples of kEnoughRoom
    std::span<const SampleIndex> asked;
    StopCheck* stopCheck;
};

/// Nothing when no samples tie the bias well enough: δ ≥ r/a, for the typical a.
std::optional<BiasTie> makeTie(const SvmProblem& problem, const TieRequest& request,
                               std::shared_ptr<const BiasAnchor>& anchor, double& operations) {
    const double typical = problem.meanReach();
    if (request.alpha.size() != problem.size() || !(typical > 0) || !std::isfinite(request.radius)) {
        return std::nullopt;
    }
    const double least = request.radius / (typical * request.ratio);
    const auto found =
        BiasAnchor::among(problem, request.alpha, request.c,
                          {least, 2 * kEnoughRoom * request.wanted * least, request.asked, anchor, request.stopCheck});
    operations += work_units::kTie * static_cast<double>(problem.size());
    if (!found) {
        return std::nullopt;
    }
    if (found != anchor) {
        const auto each =
            request.asked.empty() ? static_cast<double>(problem.rowCount()) : static_cast<double>(request.asked.size());
        operations += work_units::kLoneRow * static_cast<double>(found->size()) *
                      std::min(work_units::kPick * each, static_cast<double>(problem.rowCount()));
    }
    anchor = found;
    const double room = request.ratio * found->roomOf(problem, request.alpha, request.c) * (1 - kPad);
    return BiasTie{found, room, {}, {}};
}

/// Takes the tie away where the bracket decides the typical sample better.
void keepBetter(double radius, double typical, const BiasBracket& bracket, std::optional<BiasTie>& tie) {
    if (tiedReach(radius, tie->room, typical) > radius * typical + 0.5 * (bracket.high - bracket.low)) {
        tie.reset();
    }
}

} // namespace

double bracketBiases(const SvmProblem& problem, std::span<const Decision> decisions, ScreeningReference& reference,
                     BiasDetail detail) {
    if (!problem.hasFreeBias()) {
        return 0;
    }
    double operations = 0;
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
    const bool isNeeded = detail == BiasDetail::Needed;
    const std::span<const SampleIndex> asked =
        isNeeded ? std::span<const SampleIndex>(open) : std::span<const SampleIndex>();
    const double typical = problem.meanReach();
    const auto bracket = [&](const Direction& centre, const Ball& ball, std::optional<BiasTie>& tie, bool isTieNeeded) {
        const double radius = std::sqrt(ball.squaredRadius);
        const bool isGood = tie && tiedReach(radius, tie->room, typical) <= kGoodTie * radius * typical;
        if (isNeeded && isGood) {
            return std::optional<BiasBracket>();
        }
        const BallRegion products("", problem, centre, Direction{}, ball, FreeBias{{0, 0}, problem.reaches()});
        const BiasBracket found = bracketOver(products, problem, open, pull);
        operations += work_units::kBracket * static_cast<double>(open.size());
        if (tie && !isGood && !isTieNeeded) {
            keepBetter(radius, typical, found, tie);
        }
        return std::optional(found);
    };
    if (reference.path != nullptr && problem.balance() == 0) {
        const SolvedSvm& path = *reference.path;
        const Direction centre = direction(path.margins, path.marginError);
        reference.pathOwed = owedToImbalance(problem, path, reference.c);
        const Ball ball = *makeBall(BoundKind::BallOne, reference);
        const double radius = std::sqrt(ball.squaredRadius);
        const double wanted = reference.cut != nullptr ? 2 : 1; // between two balls it is a share of δ that counts
        reference.pathTie =
            makeTie(problem, {path.alpha, path.c, reference.c / path.c, radius, wanted, asked, reference.stopCheck},
                    reference.anchor, operations);
        if (reference.pathTie) {
            addProducts(problem, reference, *reference.pathTie);
        }
        reference.pathBias = bracket(centre, ball, reference.pathTie, reference.cut != nullptr);
    }
    if (const auto ball = makeBall(BoundKind::Gap, reference); ball && reference.alpha != nullptr) {
        const double radius = std::sqrt(ball->squaredRadius);
        reference.currentTie =
            makeTie(problem, {*reference.alpha, reference.c, 1, radius, 1, asked, reference.stopCheck},
                    reference.anchor, operations);
        if (reference.currentTie) {
            reference.currentTie->withFirst =
                reference.currentTie->anchor->product(problem, reference.current.products, reference.current.error);
        }
        reference.currentBias = bracket(reference.current, *ball, reference.currentTie, false);
    }
    return operations;
}

} // namespace lambdascope::svm
