// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/point_screening.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace lambdascope::svm {

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

void PointScreening::take(std::span<const Decision> decisions) {
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        if (isOpen(i)) {
            decide(i, decisions[static_cast<std::size_t>(i)]);
        }
    }
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
