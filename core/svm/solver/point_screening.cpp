// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/point_screening.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace lambdascope::svm {

namespace {

/// Samples whose ends tell whether it pays to find those of all.
constexpr std::size_t kDrawn = 32;
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

std::shared_ptr<const Nc3Cut> PointScreening::cutFor(const SolvedSvm& start, double c, StopCheck& stopCheck) const {
    if (std::none_of(m_bounds.begin(), m_bounds.end(), needsCut)) {
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
        if (isOpen(i)) {
            gap.add(space.alpha()(i), space.upper(i), margin, error * m_problem.norms()(i));
        }
    }
    return gap;
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
    const bool hasBallOne = std::any_of(m_bounds.begin(), m_bounds.end(), [](BoundKind kind) {
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
    kept.operations = RangeRule::kCost * drawn;
    if (!(points * kJudgingCost > kWorthKeeping * RangeRule::kCost * drawn)) {
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
    kept.operations += RangeRule::kCost * static_cast<double>(fresh.size());
    return kept;
}

double PointScreening::judge(const ScreeningReference& reference, std::span<const SampleIndex> members) {
    std::vector<SampleIndex> open;
    open.reserve(members.size());
    std::copy_if(members.begin(), members.end(), std::back_inserter(open), [this](SampleIndex i) { return isOpen(i); });
    double radius = std::numeric_limits<double>::infinity();
    std::vector<Decision> decisions;
    for (const BoundKind kind : m_bounds) {
        const auto region = makeRegion(kind, m_problem, reference);
        if (!region) {
            continue;
        }
        radius = std::min(radius, region->radius());
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
    return radius;
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
    const Eigen::VectorXd targets = Eigen::Map<const Eigen::VectorXd>(bounds.data(), std::ssize(bounds));
    return {space.move(positions, targets, stopCheck), std::ssize(positions)};
}

} // namespace lambdascope::svm
