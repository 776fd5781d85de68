// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ordinal/solver/embedding_method.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace lambdascope::ordinal {

/// One start of a solver, with its own random numbers: start and draws depend on seed and number alone, so lanes with
/// the same seed begin at the same points, and trials may run in any thread.
class Trial {
  public:
    /// `objective` must outlive the trial.
    Trial(const SolverConfig& config, const Objective& objective, Eigen::Index dimensions, std::uint64_t seed,
          std::int64_t number);

    /// Begins at `x` instead, which took `seconds` of CPU time to find; before the first advance().
    void startAt(Points x, double seconds) {
        m_state.x = std::move(x);
        m_seconds = seconds;
    }

    /// Epoch 0 evaluates the start; later ones advance the solver. The trial is worth nothing once `stopCheck` asked to
    /// stop.
    void advance(StopCheck& stopCheck);

    [[nodiscard]] const EmbeddingState& state() const { return m_state; }
    [[nodiscard]] double seconds() const { return m_seconds; }         ///< CPU of all epochs so far
    [[nodiscard]] double lastSeconds() const { return m_lastSeconds; } ///< CPU of the last one

    void transfer(auto& archive) {
        auto& [objective, method, random, state, hasStarted, seconds, lastSeconds] = *this;
        method->transfer(archive);
        archive(random, state, hasStarted, seconds, lastSeconds);
    }

  private:
    const Objective& m_objective;
    std::unique_ptr<EmbeddingMethod> m_method;
    RandomStream m_random;
    EmbeddingState m_state;
    bool m_hasStarted = false;
    double m_seconds = 0;
    double m_lastSeconds = 0;
};

/// Memory of one trial, about, in bytes: embeddings and gradients, slopes of all comparisons, and what the method keeps
/// besides (records of the lazy loop and the updates of a mini-batch, the pairs of L-BFGS, matrices n × n).
[[nodiscard]] double trialBytes(const SolverConfig& config, double objects, double dimensions, double comparisons);

} // namespace lambdascope::ordinal
