// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/point_screening.h"

#include "core/svm/problem/work_units.h"
#include "core/svm/screening/bias_bracket.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace lambdascope::svm {

namespace {

/// Samples whose ends tell whether it pays to find those of all.
constexpr std::size_t kDrawn = 32;
/// Samples that tell what a later look is likely to decide.
constexpr std::size_t kDrawnLater = 64;
/// Points that an end is counted for at most, as paths come to an end themselves.
constexpr double kFarthestPoints = 16;
/// What is saved has to be so many times what it costs.
constexpr double kWorthKeeping = 1.25;

} // namespace

PointScreening::PointScreening(const SvmProblem& problem, const std::vector<BoundKind>& bounds)
    : m_problem(problem), m_bounds(bounds), m_decisions(static_cast<std::size_t>(problem.size()), Decision::Keep) {}

bool PointScreening::hasDynamicBounds() const {
    return std::any_of(m_bounds.begin(), m_bounds.end(), isDynamic);
}

bool PointScreening::hasPathBounds() const {
    return !std::all_of(m_bounds.begin(), m_bounds.end(), isDynamic);
}

bool PointScreening::needsCuts() const {
    return std::any_of(m_bounds.begin(), m_bounds.end(), needsCut);
}

std::shared_ptr<const Nc3Cut> PointScreening::cutFor(const SolvedSvm& start, double c, StopCheck& stopCheck) const {
    if (!needsCuts()) {
        return nullptr;
    }
    auto cut = start.cut ? std::make_shared<Nc3Cut>(*start.cut) : std::make_shared<Nc3Cut>(m_problem);
    cut->update(start, c, stopCheck);
    return cut;
}

Eigen::VectorXd PointScreening::marginsBySample(const DualIterate& space) const {
    Eigen::VectorXd bySample = Eigen::VectorXd::Zero(m_problem.size());
    bySample(space.members()) = space.margins();
    return bySample;
}

GapSum PointScreening::openGap(const DualIterate& space, const Eigen::VectorXd& margins) const {
    const double error = space.marginError();
    GapSum gap;
    Eigen::Index k = 0;
    for (const SampleIndex i : space.members()) {
        const double margin = margins(k++);
        if (!isOpen(i)) {
            continue;
        }
        if (m_problem.hasFreeBias()) {
            const double full = margin + m_problem.y()(i) * space.bias();
            gap.addShortfall(space.alpha()(i), space.upper(i), m_problem.thresholds()(i) - full,
                             error * m_problem.norms()(i) + 2 * kUnitRoundoff * std::abs(full));
        } else {
            gap.addShortfall(space.alpha()(i), space.upper(i), m_problem.thresholds()(i) - margin,
                             error * m_problem.norms()(i));
        }
    }
    const double upper = gap.upper(static_cast<double>(margins.size()));
    gap.owe(imbalanceCost(m_problem, space.alpha(), space.bias(), space.norm(), upper));
    return gap;
}

Eigen::VectorXd PointScreening::measured(DualIterate& space) const {
    Eigen::VectorXd margins = space.margins();
    if (!m_problem.hasFreeBias()) {
        return margins;
    }
    std::vector<BiasSample> samples;
    std::vector<bool> isAsked(static_cast<std::size_t>(m_problem.size()), false);
    Eigen::Index k = 0;
    for (const SampleIndex i : space.members()) {
        const double score = m_problem.y()(i) * margins(k++);
        if (isOpen(i)) {
            isAsked[static_cast<std::size_t>(i)] = true;
            samples.push_back({m_problem.y()(i), score, score, m_problem.weights()(i), m_problem.thresholds()(i)});
        }
    }
    CheckedSum pull = pullOfBalance(m_problem, space.c());
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        const double alpha = space.alpha()(i);
        if (!isAsked[static_cast<std::size_t>(i)] && alpha > 0) {
            pull.add(m_problem.y()(i) * (alpha >= space.upper(i) ? m_problem.weights()(i) : alpha / space.c()));
        }
    }
    space.setBias(bestBiases(samples, pull).middle());
    return margins;
}

Direction PointScreening::currentMargins(const DualIterate& space, const Eigen::VectorXd& margins) {
    m_current.setZero(m_problem.size());
    m_current(space.members()) = margins;
    return {{m_current.data(), static_cast<std::size_t>(m_current.size())}, space.marginError()};
}

void PointScreening::decide(SampleIndex i, Decision decision) {
    m_decisions[static_cast<std::size_t>(i)] = decision;
    m_decided.zero += decision == Decision::Zero ? 1 : 0;
    m_decided.full += decision == Decision::Full ? 1 : 0;
}

std::int64_t PointScreening::carry(const DecisionRanges& ranges, double c) {
    const std::int64_t before = m_decided.sum();
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        if (const Decision decision = ranges.at(i, c); decision != Decision::Keep && isOpen(i)) {
            decide(i, decision);
        }
    }
    return m_decided.sum() - before;
}

PointScreening::Kept PointScreening::keep(const SolvedSvm& reference, double c) const {
    Kept kept{reference.ranges, 0};
    const bool hasBallOne =
        !m_problem.hasFreeBias() && std::any_of(m_bounds.begin(), m_bounds.end(), [](BoundKind kind) {
            return kind == BoundKind::BallOne || kind == BoundKind::Intersection;
        });
    const RangeRule rule(m_problem, reference, c);
    if (!hasBallOne || !rule.isUsable()) {
        return kept;
    }
    std::vector<SampleIndex> fresh;
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        if (!isOpen(i) && (kept.ranges == nullptr || kept.ranges->at(i, c) == Decision::Keep)) {
            fresh.push_back(i);
        }
    }
    // The points further up that the ends of a few reach.
    const double step = std::log(c / reference.c);
    const std::size_t stride = fresh.size() / kDrawn + 1;
    double points = 0;
    double drawn = 0;
    Decision decision = Decision::Keep;
    for (std::size_t k = 0; k < fresh.size(); k += stride) {
        const auto end = static_cast<double>(rule.end(fresh[k], decision));
        points += end > c ? std::min(std::floor(std::log(end / c) / step), kFarthestPoints) : 0;
        ++drawn;
    }
    kept.operations = work_units::kRangeEnd * drawn;
    if (!(points * work_units::kJudging > kWorthKeeping * work_units::kRangeEnd * drawn)) {
        return kept;
    }
    auto ranges = kept.ranges != nullptr ? std::make_shared<DecisionRanges>(*kept.ranges)
                                         : std::make_shared<DecisionRanges>(m_decisions.size());
    for (const SampleIndex i : fresh) {
        const auto at = static_cast<std::size_t>(i);
        ranges->ends[at] = rule.end(i, ranges->decisions[at]);
    }
    ranges->from = c;
    kept.ranges = std::move(ranges);
    kept.operations += work_units::kRangeEnd * static_cast<double>(fresh.size());
    return kept;
}

double PointScreening::likelyShare(const LikelyBall& ball) const {
    const SampleIndex stride = m_problem.size() / kProbed + 1;
    const std::span<const double> reaches = m_problem.reaches();
    double decided = 0;
    double probed = 0;
    for (SampleIndex i = 0; i < m_problem.size(); i += stride) {
        const double margin = ball.scale * ball.margins(i) + m_problem.y()(i) * ball.bias;
        const double reach = ball.radius * reaches[static_cast<std::size_t>(i)];
        decided += std::abs(margin - m_problem.thresholds()(i)) > reach ? 1 : 0;
        ++probed;
    }
    return decided / std::max(probed, 1.0);
}

PointScreening::Likely PointScreening::likelyLater(const DualIterate& space, double radius) const {
    const std::span<const SampleIndex> members = space.members();
    const std::size_t stride = members.size() / kDrawnLater + 1;
    Likely likely;
    for (std::size_t k = 0; k < members.size(); k += stride) {
        const SampleIndex i = members[k];
        if (isOpen(i)) {
            const double margin = space.margin(static_cast<std::int32_t>(k)) + m_problem.y()(i) * space.bias();
            const double reach = radius * m_problem.reaches()[static_cast<std::size_t>(i)];
            likely.share += std::abs(margin - m_problem.thresholds()(i)) > reach ? 1 : 0;
            ++likely.drawn;
        }
    }
    likely.share /= std::max(likely.drawn, 1.0);
    return likely;
}

PointScreening::Judged PointScreening::judge(ScreeningReference& reference, std::span<const SampleIndex> members) {
    reference.anchor = m_anchor;
    Judged judged{std::numeric_limits<double>::infinity(), 0};
    judged.operations = bracketBiases(m_problem, m_decisions, reference, BiasDetail::Needed);
    m_anchor = reference.anchor;
    std::vector<SampleIndex> open;
    open.reserve(members.size());
    std::copy_if(members.begin(), members.end(), std::back_inserter(open), [this](SampleIndex i) { return isOpen(i); });
    std::vector<Decision> decisions;
    for (const BoundKind kind : m_bounds) {
        const auto region = makeRegion(kind, m_problem, reference);
        if (!region) {
            continue;
        }
        judged.radius = std::min(judged.radius, region->radius());
        judged.operations += work_units::kJudging * static_cast<double>(open.size());
        decisions.resize(open.size());
        region->judge(open, decisions);
        std::size_t kept = 0;
        for (std::size_t k = 0; k < open.size(); ++k) {
            decide(open[k], decisions[k]);
            if (decisions[k] == Decision::Keep) {
                open[kept++] = open[k];
            }
        }
        open.resize(kept);
    }
    return judged;
}

std::int64_t PointScreening::judgeByDistance(const SolvedSvm& here, const SolvedSvm& optimum,
                                             const DualIterate& space) {
    const double square = here.squaredNorm.value + optimum.squaredNorm.value - 2 * here.alpha.dot(optimum.margins);
    const double radius = std::sqrt(std::max(square, 0.0)) + std::sqrt(optimum.gap); // what is known of it
    // As a region sees a sample from some vector o: ‖Φ(x) − o‖ and β = b* + oᵀu, u = w* − w.
    struct View {
        std::span<const double> distances;
        double bias;
    };
    std::vector<View> views = {{{m_problem.norms().data(), m_decisions.size()}, optimum.bias}};
    const Eigen::VectorXd moved = optimum.margins - here.margins;
    std::shared_ptr<const BiasAnchor> anchor;
    if (m_problem.hasFreeBias()) {
        const double ofOrigin = m_problem.origin().dot(m_problem.y().cwiseProduct(moved));
        views.push_back({m_problem.reaches(), optimum.bias + ofOrigin});
        const double much = m_problem.size() * optimum.c * m_problem.weights().maxCoeff();
        anchor = BiasAnchor::among(m_problem, optimum.alpha, optimum.c, {.least = 0, .wanted = much});
    }
    if (anchor != nullptr) {
        const std::span<const double> products(moved.data(), m_decisions.size());
        views.push_back({anchor->distances(), optimum.bias + anchor->product(m_problem, products, 0).value});
    }
    std::vector<bool> isMember(m_decisions.size(), false);
    for (const SampleIndex i : space.members()) {
        isMember[static_cast<std::size_t>(i)] = true;
    }
    const std::int64_t before = m_decided.sum();
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        for (const View& view : views) {
            const double beyond = here.margins(i) + m_problem.y()(i) * view.bias - m_problem.thresholds()(i);
            const double bound = beyond > 0 ? 0.0 : space.upper(i);
            if (isOpen(i) && std::abs(beyond) > radius * view.distances[at] &&
                (isMember[at] || space.alpha()(i) == bound)) {
                decide(i, beyond > 0 ? Decision::Zero : Decision::Full);
            }
        }
    }
    return m_decided.sum() - before;
}

PointScreening::Settled PointScreening::settle(DualIterate& space, StopCheck& stopCheck) const {
    const std::span<const SampleIndex> members = space.members();
    std::vector<std::int32_t> positions;
    std::vector<double> bounds;
    for (std::size_t k = 0; k < members.size(); ++k) {
        const SampleIndex i = members[k];
        const double bound = m_decisions[static_cast<std::size_t>(i)] == Decision::Zero ? 0.0 : space.upper(i);
        if (!isOpen(i) && bound != space.alpha()(i)) {
            positions.push_back(static_cast<std::int32_t>(k));
            bounds.push_back(bound);
        }
    }
    if (m_problem.hasFreeBias() && !positions.empty()) {
        balance(space, positions, bounds);
    }
    const Eigen::VectorXd targets = Eigen::Map<const Eigen::VectorXd>(bounds.data(), std::ssize(bounds));
    return {space.move(positions, targets, stopCheck), std::ssize(positions)};
}

void PointScreening::balance(const DualIterate& space, std::vector<std::int32_t>& positions,
                             std::vector<double>& targets) const {
    const std::span<const SampleIndex> members = space.members();
    CompensatedSum excess; // of yᵀα after the moves
    excess.add(imbalanceOf(m_problem, space.alpha()));
    for (std::size_t k = 0; k < positions.size(); ++k) {
        const SampleIndex i = members[static_cast<std::size_t>(positions[k])];
        excess.add(m_problem.y()(i) * (targets[k] - space.alpha()(i)));
    }
    const Eigen::VectorXd margins = space.margins();
    std::vector<std::pair<double, std::int32_t>> byEdge; // those near the edge are free at the optimum, if any is
    for (std::size_t k = 0; k < members.size(); ++k) {
        if (const SampleIndex i = members[k]; isOpen(i)) {
            const double margin = margins(static_cast<Eigen::Index>(k)) + m_problem.y()(i) * space.bias();
            byEdge.emplace_back(std::abs(margin - m_problem.thresholds()(i)), static_cast<std::int32_t>(k));
        }
    }
    std::sort(byEdge.begin(), byEdge.end());
    for (const auto& [distance, k] : byEdge) {
        const SampleIndex i = members[static_cast<std::size_t>(k)];
        const double alpha = space.alpha()(i);
        const double target = std::clamp(alpha - m_problem.y()(i) * excess.value(), 0.0, space.upper(i));
        if (target != alpha) {
            positions.push_back(k);
            targets.push_back(target);
            excess.add(m_problem.y()(i) * (target - alpha));
        }
        if (std::abs(excess.value()) <= 4 * kUnitRoundoff * space.upper(i)) {
            break;
        }
    }
}

} // namespace lambdascope::svm
