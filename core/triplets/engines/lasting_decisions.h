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
    Eigen::MatrixXd far;    ///< Q′; empty for Q, so that it is a ball
    double radius = -1;     ///< negative for the empty set

    /// Whether the ball lies in it, for sure.
    [[nodiscard]] bool holds(const Sphere& sphere) const;
    /// Whether all that M may be lies in it, for sure.
    [[nodiscard]] bool holds(const MetricPoint& point) const {
        return holds(Sphere{point.matrix, point.matrixError()});
    }

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
        return gamma == m_gamma && m_capsule.holds(point);
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
    [[nodiscard]] double gamma() const { return m_gamma; }
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

/// What engines share whose decisions may last over several λ. They judge a capsule and keep what that leaves open; of
/// that, for one λ, they judge a smaller capsule.
///
/// Lasting decisions may be taken before a ball proves them: sums at points where they hold are right.
class LastingEngine : public Engine {
  public:
    [[nodiscard]] LastingEngine* lasting() override { return this; }

    /// Decides all items by the sphere rule for every M of a capsule; the decisions last until the next ones. Nothing
    /// is taken out yet.
    bool makeLasting(const Capsule& capsule, double gamma, StopCheck& stopCheck);
    /// The capsule of lasting decisions; of negative radius while there are none.
    [[nodiscard]] const Capsule& capsule() const { return m_lasting.capsule(); }
    /// Whether they hold at a point, or in all of one of the regions.
    [[nodiscard]] bool lastsAt(const MetricPoint& point, double gamma) const { return m_lasting.holdAt(point, gamma); }
    [[nodiscard]] bool lastsIn(std::span<const Region> regions, double gamma) const;
    /// Takes them out of the active set, which is whole.
    void takeLasting(ScreenedPart& screened);
    /// They hold at the optimum: counts that, and writes them down in the record, if there is one.
    bool confirmLasting(double gamma, StopCheck& stopCheck);
    /// Both, where one of the regions proves them and all items are active; no item is looked at.
    bool recall(std::span<const Region> regions, double gamma, StopCheck& stopCheck, ScreenedPart& screened);

    /// Takes out besides what the sphere rule says for every M of a smaller capsule of the items that lasting
    /// decisions, which were taken, leave.
    bool narrow(const Capsule& capsule, double gamma, StopCheck& stopCheck, ScreenedPart& screened);
    /// Takes that back.
    void widen(ScreenedPart& screened);
    /// The smaller capsule; null where there is none.
    [[nodiscard]] const Capsule* narrowed() const { return m_narrowed ? &*m_narrowed : nullptr; }
    /// What it decides holds at the optimum: writes it down in the record, if there is one.
    bool confirmNarrowed(double gamma, StopCheck& stopCheck);

    void activateAll() override {
        m_narrowed.reset();
        activate(Kept::All);
    }

  protected:
    enum class Kept {
        All,      ///< items
        Lasting,  ///< what lasting decisions leave open
        Narrowed, ///< of that, what is left open by the smaller capsule
    };
    /// Adds to `part` what the balls at both ends of the capsule decide alike of all items, or of those that lasting
    /// decisions leave. Keeps what is left as `to`, Lasting or Narrowed; with `states`, writes down the decisions
    /// instead and counts no work: who watches pays. False when stopped.
    virtual bool judgeCapsule(const Capsule& capsule, double gamma, Kept to, TripletStates* states,
                              StopCheck& stopCheck, ScreenedPart& part) = 0;
    /// What was kept becomes the active set.
    virtual void activate(Kept kept) = 0;
    /// Whether all items are active.
    [[nodiscard]] virtual bool isComplete() const = 0;

    bool recallLasting(double gamma, StopCheck& stopCheck, ScreenedPart& screened);

    LastingDecisions m_lasting;

  private:
    std::optional<Capsule> m_narrowed;
};

} // namespace lambdascope::triplets
