// SPDX-License-Identifier: GPL-3.0-or-later
// Methods on whole gradients: gradient descent with backtracking, and L-BFGS.
#include "core/common/state_archive.h"
#include "core/numeric/lbfgs.h"
#include "core/ordinal/solver/embedding_method.h"

#include <cmath>

namespace lambdascope::ordinal {

namespace {

/// Share of the promised decrease that a step has to keep (Armijo).
constexpr double kDecrease = 1e-4;

class Descent final : public EmbeddingMethod {
  public:
    Descent(const SolverConfig& config, const Objective& objective)
        : m_objective(objective), m_step(config.step * static_cast<double>(objective.set().size())) {}

    void advance(EmbeddingState& state, RandomStream&, StopCheck& stopCheck) override {
        ++state.epoch;
        for (int used = 0; used < kEvaluationsPerEpoch && !state.hasSettled && !stopCheck.isStopped(); ++used) {
            const double slope = state.gradient.squaredNorm();
            if (!std::isfinite(slope) || slope == 0) {
                state.hasSettled = true;
                return;
            }
            m_trial.x = state.x - m_step * state.gradient;
            refresh(m_objective, m_trial, stopCheck);
            state.gradients += 1;
            if (m_trial.value.loss <= state.value.loss - kDecrease * m_step * slope) {
                state.step = m_step;
                state.x.swap(m_trial.x);
                state.gradient.swap(m_trial.gradient);
                state.slopes.swap(m_trial.slopes);
                state.value = m_trial.value;
                m_step *= 1.5;
            } else {
                m_step /= 2;
                state.hasSettled = m_step < 1e-300;
            }
        }
    }
    void transfer(StateArchive& archive) override {
        auto& [objective, step, trial] = *this;
        archive(step);
    }

  private:
    const Objective& m_objective;
    double m_step;
    EmbeddingState m_trial;
};

class QuasiNewton final : public EmbeddingMethod {
  public:
    explicit QuasiNewton(const Objective& objective) : m_objective(objective) {}

    void advance(EmbeddingState& state, RandomStream&, StopCheck& stopCheck) override {
        ++state.epoch;
        const Eigen::Index rows = state.x.rows();
        const Eigen::Index columns = state.x.cols();
        m_stopCheck = &stopCheck;
        if (!m_search) {
            begin(state.x);
        }
        const std::int64_t before = m_search->evaluations();
        while (!state.hasSettled && !stopCheck.isStopped() && m_search->evaluations() - before < kEvaluationsPerEpoch) {
            state.hasSettled = !m_search->iterate();
        }
        state.gradients += static_cast<double>(m_search->evaluations() - before);
        state.step = m_search->lastStep();
        state.x = Eigen::Map<const Points>(m_search->point().data(), rows, columns);
        refresh(m_objective, state, stopCheck);
        m_stopCheck = nullptr;
    }
    void transfer(StateArchive& archive) override {
        auto& [objective, search, scratch, asked] = *this;
        bool hasBegun = search.has_value();
        archive(hasBegun, scratch.x);
        if (archive.isReading() && hasBegun) {
            StopCheck never;
            asked = &never;
            begin(Points(scratch.x));
            asked = nullptr;
        }
        if (hasBegun) {
            archive(*search);
        }
    }

  private:
    /// Starts the search at x.
    void begin(const Points& start) {
        const auto function = [this, rows = start.rows(), columns = start.cols()](const Eigen::VectorXd& x,
                                                                                  Eigen::VectorXd& gradient) {
            m_scratch.x = Eigen::Map<const Points>(x.data(), rows, columns);
            refresh(m_objective, m_scratch, *m_stopCheck);
            gradient = Eigen::Map<const Eigen::VectorXd>(m_scratch.gradient.data(), m_scratch.gradient.size());
            return m_scratch.value.loss;
        };
        m_search.emplace(function, Eigen::Map<const Eigen::VectorXd>(start.data(), start.size()));
    }

    const Objective& m_objective;
    std::optional<Lbfgs> m_search;
    EmbeddingState m_scratch;
    StopCheck* m_stopCheck = nullptr;
};

} // namespace

std::unique_ptr<EmbeddingMethod> makeDescent(const SolverConfig& config, const Objective& objective) {
    return std::make_unique<Descent>(config, objective);
}

std::unique_ptr<EmbeddingMethod> makeQuasiNewton(const SolverConfig&, const Objective& objective) {
    return std::make_unique<QuasiNewton>(objective);
}

} // namespace lambdascope::ordinal
