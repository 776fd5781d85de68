// SPDX-License-Identifier: GPL-3.0-or-later
// Stochastic methods: SVRG with a fixed, plain or stabilized Barzilai–Borwein step [O, Alg 1 and 2], and SGD.
#include "core/common/state_archive.h"
#include "core/ordinal/solver/embedding_method.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::ordinal {

namespace {

/// m/b inner steps, at least one.
InnerLoopSettings loopSettings(const SolverConfig& config, const Objective& objective, double share) {
    InnerLoopSettings settings;
    settings.batch = std::min(config.batch, std::max<std::int64_t>(1, objective.set().size()));
    const double drawn = share * config.inner * static_cast<double>(objective.set().size());
    settings.steps = std::max<std::int64_t>(1, std::llround(drawn / static_cast<double>(settings.batch)));
    settings.isLazy = config.lazy;
    return settings;
}

double drawnShare(const InnerLoopSettings& settings, const Objective& objective) {
    return static_cast<double>(settings.steps * settings.batch) / static_cast<double>(objective.set().size());
}

class Svrg final : public EmbeddingMethod {
  public:
    Svrg(const SolverConfig& config, const Objective& objective)
        : m_config(config), m_objective(objective), m_settings(loopSettings(config, objective, 1)),
          m_epsilon(stabilizer(config, objective.set().size())) {}

    void advance(EmbeddingState& state, RandomStream& random, StopCheck& stopCheck) override {
        if (state.hasFailed) {
            ++state.epoch;
            return;
        }
        m_base = chooseStep(state);
        state.step = m_factor * m_base;
        m_settings.step = state.step;
        m_next = state.x;
        const Snapshot snapshot{state.x, state.gradient, state.slopes};
        if (!runInnerLoop(m_objective, snapshot, m_settings, random, m_next, m_scratch, stopCheck)) {
            return;
        }
        // The full gradient of the snapshot, and two gradients per comparison drawn.
        state.gradients += 1 + 2 * drawnShare(m_settings, m_objective);
        ++state.epoch;
        accept(state, stopCheck);
    }
    void transfer(StateArchive& archive) override {
        auto& [config, objective, settings, epsilon, base, factor, next, previousX, previousGradient, oldGradient,
               scratch] = *this;
        archive(base, factor, previousX, previousGradient);
    }

  private:
    [[nodiscard]] bool startsModule(const EmbeddingState& state) const {
        return m_previousX.size() == 0 ||
               (m_config.method == MethodKind::Modular && state.epoch % m_config.module == 0);
    }

    [[nodiscard]] double chooseStep(const EmbeddingState& state) const {
        if (m_config.method == MethodKind::Svrg || startsModule(state)) {
            return m_config.step; // η₀, only in the first epoch of SVRG-SBB
        }
        const double inner = static_cast<double>(m_settings.steps * m_settings.batch);
        const Points deltaX = state.x - m_previousX;
        const Points deltaY = state.gradient - m_previousGradient;
        return stabilizedStep(deltaX, deltaY, inner, m_epsilon).value_or(m_base);
    }

    /// Makes the last iterate the snapshot, unless it is no use.
    void accept(EmbeddingState& state, StopCheck& stopCheck) {
        std::swap(state.x, m_next); // m_next: the old snapshot
        m_oldGradient.swap(state.gradient);
        const double before = state.value.loss;
        bool isUseful = state.x.allFinite();
        if (isUseful) {
            refresh(m_objective, state, stopCheck);
            isUseful = std::isfinite(state.value.loss) && state.gradient.allFinite() &&
                       !(m_config.rollback && state.value.loss > before);
        }
        if (isUseful) {
            m_previousX.swap(m_next);
            m_previousGradient.swap(m_oldGradient);
            return;
        }
        std::swap(state.x, m_next);
        refresh(m_objective, state, stopCheck);
        if (m_config.rollback) {
            m_factor /= 2;
            ++state.undone;
        } else {
            state.hasFailed = true;
        }
    }

    SolverConfig m_config;
    const Objective& m_objective;
    InnerLoopSettings m_settings;
    double m_epsilon;
    double m_base = 0;   ///< the step before rollbacks
    double m_factor = 1; ///< halved by every rollback
    Points m_next;
    Points m_previousX; ///< the snapshot before the present one; empty at first
    Points m_previousGradient;
    Points m_oldGradient;
    InnerLoopScratch m_scratch;
};

class Sgd final : public EmbeddingMethod {
  public:
    Sgd(const SolverConfig& config, const Objective& objective)
        : m_config(config), m_objective(objective), m_settings(loopSettings(config, objective, 3)) {}

    void advance(EmbeddingState& state, RandomStream& random, StopCheck& stopCheck) override {
        if (!state.hasFailed) {
            state.step = m_config.step / (1 + m_config.decay * static_cast<double>(state.epoch));
            m_settings.step = state.step;
            Points next = state.x;
            if (!runSgdLoop(m_objective, m_settings, random, next, m_scratch, stopCheck)) {
                return;
            }
            state.gradients += drawnShare(m_settings, m_objective);
            state.hasFailed = !next.allFinite();
            if (!state.hasFailed) {
                state.x = std::move(next);
                refresh(m_objective, state, stopCheck);
            }
        }
        ++state.epoch;
    }
    void transfer(StateArchive& /*archive*/) override {
        [[maybe_unused]] auto& [config, objective, settings, scratch] = *this; // nothing of it lasts
    }

  private:
    SolverConfig m_config;
    const Objective& m_objective;
    InnerLoopSettings m_settings;
    InnerLoopScratch m_scratch;
};

} // namespace

std::unique_ptr<EmbeddingMethod> makeSvrg(const SolverConfig& config, const Objective& objective) {
    return std::make_unique<Svrg>(config, objective);
}

std::unique_ptr<EmbeddingMethod> makeSgd(const SolverConfig& config, const Objective& objective) {
    return std::make_unique<Sgd>(config, objective);
}

} // namespace lambdascope::ordinal
