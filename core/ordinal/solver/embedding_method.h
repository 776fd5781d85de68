// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/random_stream.h"
#include "core/common/stop_check.h"
#include "core/ordinal/problem/objective.h"
#include "core/ordinal/problem/ordinal_config.h"
#include "core/ordinal/problem/points.h"
#include "core/ordinal/solver/inner_loop.h"

#include <cstdint>
#include <memory>

namespace lambdascope {
class StateArchive;
}

namespace lambdascope::ordinal {

/// Where one start of a solver has got to. Objective, gradient and slopes always belong to `x`.
struct EmbeddingState {
    Points x; ///< n × p
    Points gradient;
    std::vector<Slopes> slopes;
    ObjectiveValue value;
    double step = 0;         ///< of the last epoch; η of stochastic methods
    std::int64_t epoch = 0;  ///< epochs done
    double gradients = 0;    ///< gradients of a comparison evaluated so far, over their number |Q|
    std::int64_t undone = 0; ///< epochs rolled back
    bool hasFailed = false;  ///< something was not finite; `x` is the last iterate that was
    bool hasSettled = false; ///< no method can lower the objective any further

    void transfer(auto& archive) {
        auto& [points, slope, ofComparisons, f, eta, number, counted, backwards, isLost, isDone] = *this;
        archive(points, slope, ofComparisons, f, eta, number, counted, backwards, isLost, isDone);
    }
};

/// Whole gradients in an epoch, as many as SVRG evaluates with m = |Q|.
inline constexpr int kEvaluationsPerEpoch = 3;

/// A loop that improves an embedding epoch by epoch. One virtual call per epoch.
class EmbeddingMethod {
  public:
    virtual ~EmbeddingMethod() = default;

    /// One epoch: about three gradients per comparison, as SVRG with m = |Q| has them. When `stopCheck` asked to stop
    /// the state is worth nothing.
    virtual void advance(EmbeddingState& state, RandomStream& random, StopCheck& stopCheck) = 0;

    /// What a later epoch depends on besides state and random numbers.
    virtual void transfer(StateArchive& archive) = 0;
};

/// N(0, spread² I), the same for every method.
[[nodiscard]] Points randomStart(ObjectIndex objects, Eigen::Index dimensions, double spread, RandomStream& random);

/// Evaluates the objective at state.x. Counted as no gradient: it only looks.
void refresh(const Objective& objective, EmbeddingState& state, StopCheck& stopCheck);

/// The solver of `config` on `objective`, which must outlive it.
[[nodiscard]] std::unique_ptr<EmbeddingMethod> makeMethod(const SolverConfig& config, const Objective& objective);

/// ε of SBB_ε for |Q| comparisons: the configured one, or 20/m, which limits the step to 0.05.
[[nodiscard]] double stabilizer(const SolverConfig& config, std::int64_t comparisons);

/// η = (1/m) ‖Δx‖² / (|⟨Δx, Δy⟩| + ε‖Δx‖²), Δx and Δy the last changes of snapshot and full gradient [O, (17)]. Nothing
/// when that is no number, as where nothing has moved.
[[nodiscard]] std::optional<double> stabilizedStep(const Points& deltaX, const Points& deltaY, double inner,
                                                   double epsilon);

// The methods, for makeMethod().
[[nodiscard]] std::unique_ptr<EmbeddingMethod> makeSvrg(const SolverConfig& config, const Objective& objective);
[[nodiscard]] std::unique_ptr<EmbeddingMethod> makeSgd(const SolverConfig& config, const Objective& objective);
[[nodiscard]] std::unique_ptr<EmbeddingMethod> makeDescent(const SolverConfig& config, const Objective& objective);
[[nodiscard]] std::unique_ptr<EmbeddingMethod> makeQuasiNewton(const SolverConfig& config, const Objective& objective);
[[nodiscard]] std::unique_ptr<EmbeddingMethod> makeConvex(const SolverConfig& config, const Objective& objective);

} // namespace lambdascope::ordinal
