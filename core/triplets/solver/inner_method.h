// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/engines/engine.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace lambdascope::triplets {

struct MethodRecord;

enum class StepOutcome {
    Advanced,
    Stalled, ///< no step changes M any more, or none lowers the function: rounding has the last word
    Stopped, ///< the evaluation was interrupted; point and state are those before the step
};

/// Triplets, sorted, and their α.
using KnownAlphas = std::vector<std::pair<PairedTriplet, double>>;

/// What a method learned at one λ that is worth knowing at the next.
struct MethodMemory {
    double step = 0;          ///< last step length of projected gradient; 0 when unknown
    double reach = 0;         ///< how far beyond the edges of the loss a working set went; 0 when unknown
    std::int64_t between = 0; ///< entries of product sets with a triplet between the edges; 0 when unknown
    /// Of the last working set; never null. Shared, as they may be many.
    std::shared_ptr<const KnownAlphas> alphas = std::make_shared<const KnownAlphas>();
    std::shared_ptr<const MethodRecord> record; ///< of a method that chooses; null without

    void transfer(auto& archive) {
        auto& [length, beyond, entries, set, last] = *this;
        archive(length, beyond, entries, set, last);
    }
};

/// A method that minimizes a smooth convex function over the feasible M, step by step. The loop around it, its checks
/// and its stop rules are the caller's. `State` is what an evaluation of the function yields.
template <class State>
class InnerMethod {
  public:
    virtual ~InnerMethod() = default;

    /// Takes a point with its state; forgets the history.
    virtual void start(MetricPoint point, State state, const MethodMemory& memory) = 0;
    /// The function changed (but not the point): takes its state, keeps the step.
    virtual void restart(State state) = 0;
    /// The function was summed anew at the point: takes its state, keeps step and history.
    virtual void refresh(State state) { restart(std::move(state)); }
    /// Goes on from another point, found elsewhere; forgets the steps, but not where the λ began.
    virtual void moveTo(MetricPoint point, State state) = 0;
    virtual void scaleStep(double factor) = 0;
    virtual StepOutcome advance() = 0;

    [[nodiscard]] virtual const MetricPoint& point() const = 0;
    [[nodiscard]] virtual const State& state() const = 0;
    [[nodiscard]] virtual MethodMemory memory() const = 0;
    /// A value of the dual problem with a loss of smoothing `gamma` that the last advance() came by, if it did.
    [[nodiscard]] virtual std::optional<Bounded> dualValue(double /*gamma*/) const { return std::nullopt; }
    /// Sums of the dual variables of dualValue(); null where that is nothing.
    [[nodiscard]] virtual const LossTotals* dualTotals() const { return nullptr; }
    /// Iterations that the last advance() made.
    [[nodiscard]] virtual std::int64_t lastIterations() const { return 1; }
};

} // namespace lambdascope::triplets
