// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/loss_totals.h"
#include "core/triplets/screening/region.h"

#include <algorithm>
#include <optional>
#include <span>

namespace lambdascope::triplets {

/// The points within `radius` of the segment from Q to Q′: where the optima of falling λ are to be expected. It is the
/// convex hull of the balls at its two ends, so what the sphere rule decides by both of them holds at every M in it.
struct Capsule {
    Eigen::MatrixXd centre; ///< Q
    Eigen::MatrixXd far;    ///< Q′
    double radius = -1;     ///< negative for the empty set

    /// Whether the ball lies in it, for sure.
    [[nodiscard]] bool holds(const Sphere& sphere) const;

    void transfer(auto& archive) {
        auto& [q, end, r] = *this;
        archive(q, end, r);
    }
};

/// Decisions that last over several λ: what the sphere rule says about every M in a capsule round the ball of one λ. As
/// long as the balls of later λ lie in the capsule, they decide at least that, so none of those triplets need be judged
/// again, nor their pairs visited; and at a point in it, the losses of those triplets are 0 or linear.
class LastingDecisions {
  public:
    /// The capsule to decide by, round a ball that holds the optimum; nothing when those have not lasted of late.
    [[nodiscard]] std::optional<Capsule> propose(const Sphere& sphere);
    /// Takes what was decided by the proposed one.
    void set(Capsule capsule, double gamma, ScreenedPart part);
    /// Whether they hold at the point.
    [[nodiscard]] bool holdAt(const MetricPoint& point, double gamma) const {
        return gamma == m_gamma && m_capsule.holds({point.matrix, point.matrixError()});
    }
    /// There are none any more.
    void forget() { m_capsule = {}; }

    /// Whether the decisions hold in all of the ball.
    [[nodiscard]] bool hold(const Sphere& sphere, double gamma) const {
        return gamma == m_gamma && m_capsule.holds(sphere);
    }
    /// Or in all of one of the regions.
    [[nodiscard]] bool holdIn(std::span<const Region> regions, double gamma) const {
        return std::any_of(regions.begin(), regions.end(),
                           [&](const Region& region) { return hold(region.sphere, gamma); });
    }
    /// They are used for one more λ.
    void count() { ++m_uses; }

    [[nodiscard]] const Capsule& capsule() const { return m_capsule; }
    [[nodiscard]] const ScreenedPart& part() const { return m_part; }
    [[nodiscard]] std::size_t bytes() const;

    void transfer(auto& archive) {
        auto& [capsule, gamma, part, uses, wait, delay] = *this;
        archive(capsule, gamma, part, uses, wait, delay);
    }

  private:
    Capsule m_capsule;
    double m_gamma = 0;
    ScreenedPart m_part;
    int m_uses = 0;
    int m_wait = 0;  ///< λ to pass before the next proposal
    int m_delay = 1; ///< the wait after the next one that does not last
};

} // namespace lambdascope::triplets
