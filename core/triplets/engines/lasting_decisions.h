// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/engines/engine.h"
#include "core/triplets/problem/loss_totals.h"
#include "core/triplets/screening/region.h"

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

/// What engines share whose decisions may last over several λ. They judge a capsule and keep what that leaves open.
class LastingEngine : public Engine {
  public:
    bool recall(std::span<const Region> regions, double gamma, StopCheck& stopCheck, ScreenedPart& screened) override;
    [[nodiscard]] bool mayRecall() const override { return m_lasting.capsule().radius >= 0; }
    bool makeLasting(const Capsule& capsule, double gamma, StopCheck& stopCheck) override;
    [[nodiscard]] bool canLast() const override { return true; }
    [[nodiscard]] bool lastsAt(const MetricPoint& point, double gamma) const override {
        return m_lasting.holdAt(point, gamma);
    }
    [[nodiscard]] bool lastsIn(std::span<const Region> regions, double gamma) const override;
    void takeLasting(ScreenedPart& screened) override;

  protected:
    /// Adds to `part` what the balls at both ends of the capsule decide alike of all items, which are active. Keeps
    /// what is left for activateLasting(); with `states`, writes down the decisions instead and counts no work: who
    /// watches pays. False when stopped.
    virtual bool judgeCapsule(const Capsule& capsule, double gamma, TripletStates* states, StopCheck& stopCheck,
                              ScreenedPart& part) = 0;
    /// What was kept becomes the active set.
    virtual void activateLasting() = 0;
    /// Whether all items are active.
    [[nodiscard]] virtual bool isComplete() const = 0;

    bool recallLasting(double gamma, StopCheck& stopCheck, ScreenedPart& screened);

    LastingDecisions m_lasting;
};

} // namespace lambdascope::triplets
