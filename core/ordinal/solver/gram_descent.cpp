// SPDX-License-Identifier: GPL-3.0-or-later
// The convex baseline of [O, section 5]: projected gradients on the Gram matrix.
#include "core/ordinal/solver/gram_descent.h"

#include "core/common/state_archive.h"
#include "core/numeric/psd_projection.h"
#include "core/ordinal/solver/embedding_method.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::ordinal {

namespace {

constexpr std::int64_t kComparisonsPerStopCheck = 4096;

Eigen::MatrixXd centred(const Eigen::MatrixXd& gram) {
    const Eigen::VectorXd means = gram.colwise().mean();
    Eigen::MatrixXd result = gram;
    result.colwise() -= means;
    result.rowwise() -= means.transpose();
    result.array() += means.mean();
    return result;
}

class GramDescent final : public EmbeddingMethod {
  public:
    GramDescent(const SolverConfig& config, const Objective& objective)
        : m_objective(objective), m_step(config.step * static_cast<double>(objective.set().size())) {}

    void advance(EmbeddingState& state, RandomStream&, StopCheck& stopCheck) override {
        ++state.epoch;
        if (m_gram.size() == 0) {
            m_gram = centred(state.x * state.x.transpose());
            stopCheck.ask();
            m_value = evaluateGram(m_objective, m_gram, &m_gradient, stopCheck);
        }
        for (int used = 0; used < kEvaluationsPerEpoch && !state.hasSettled && !stopCheck.isStopped(); ++used) {
            tryStep(state, stopCheck);
        }
        if (stopCheck.isStopped()) {
            return;
        }
        if (m_points.size() > 0) {
            state.x = m_points;
        }
        refresh(m_objective, state, stopCheck); // the truncated points are what is measured
    }
    void transfer(StateArchive& archive) override {
        auto& [objective, step, gram, points, gradient, value] = *this;
        archive(step, gram, points, gradient, value);
    }

  private:
    void tryStep(EmbeddingState& state, StopCheck& stopCheck) {
        // Passes over a matrix of 3,000 rows take a tenth of a second when its memory is new.
        const Eigen::MatrixXd target = m_gram - m_step * m_gradient;
        stopCheck.ask();
        PsdSplit projected = projectedGram(target, stopCheck);
        if (!projected.isFinite) {
            m_step /= 2; // or the stop check asked to stop
            state.hasSettled = m_step < 1e-300;
            return;
        }
        const Eigen::MatrixXd& trial = projected.positive;
        const Eigen::MatrixXd move = trial - m_gram;
        stopCheck.ask();
        Eigen::MatrixXd gradient;
        const ObjectiveValue value = evaluateGram(m_objective, trial, &gradient, stopCheck);
        state.gradients += 1;
        // Sufficient decrease of projected gradients: F(G⁺) ≤ F(G) + ⟨∇F, ΔG⟩ + ‖ΔG‖²/2η.
        const double model = m_value.loss + m_gradient.cwiseProduct(move).sum() + move.squaredNorm() / (2 * m_step);
        if (value.loss <= model + 1e-15 * std::abs(m_value.loss)) {
            state.hasSettled = move.squaredNorm() == 0;
            state.step = m_step;
            m_points = longestAxes(projected.factor, state.x.cols());
            m_gram = std::move(projected.positive);
            m_gradient = std::move(gradient);
            m_value = value;
            m_step *= 1.5;
        } else {
            m_step /= 2;
            state.hasSettled = m_step < 1e-300;
        }
    }

    const Objective& m_objective;
    double m_step;
    Eigen::MatrixXd m_gram;
    Points m_points; ///< of the p longest axes of G; empty before the first step
    Eigen::MatrixXd m_gradient;
    ObjectiveValue m_value;
};

} // namespace

ObjectiveValue evaluateGram(const Objective& objective, const Eigen::MatrixXd& gram, Eigen::MatrixXd* gradient,
                            StopCheck& stopCheck) {
    const ComparisonSet& set = objective.set();
    if (gradient != nullptr) {
        gradient->setZero(gram.rows(), gram.cols());
    }
    const auto squared = [&gram](ObjectIndex a, ObjectIndex b) {
        return std::max(0.0, gram(a, a) + gram(b, b) - 2 * gram(a, b));
    };
    const auto addPair = [gradient](ObjectIndex a, ObjectIndex b, double slope) {
        (*gradient)(a, a) += slope;
        (*gradient)(b, b) += slope;
        (*gradient)(a, b) -= slope;
        (*gradient)(b, a) -= slope;
    };
    return withLoss(objective.model(), [&](const auto& loss) {
        ObjectiveValue result;
        const double share = 1 / static_cast<double>(set.size());
        for (std::size_t q = 0; q < set.items().size(); ++q) {
            if (q % kComparisonsPerStopCheck == 0 && stopCheck.spend(kComparisonsPerStopCheck * 60)) {
                break;
            }
            const Comparison& c = set.items()[q];
            const double near = squared(c.i, c.j);
            const double far = squared(c.l, c.k);
            const double weight = share * set.relativeWeight(q);
            const auto [value, slopes] = loss.at(near, far);
            result.loss += weight * value;
            result.error += near < far ? 0 : weight;
            if (gradient != nullptr) {
                addPair(c.i, c.j, weight * slopes.near);
                addPair(c.l, c.k, weight * slopes.far);
            }
        }
        return result;
    });
}

PsdSplit projectedGram(const Eigen::MatrixXd& gram, StopCheck& stopCheck) {
    // The projections commute: [JGJ]₊ has its range in that of J.
    const Eigen::MatrixXd matrix = centred(gram);
    stopCheck.ask();
    return splitPsd(matrix, stopCheck);
}

Points longestAxes(const Eigen::MatrixXd& factor, Eigen::Index p) {
    Points x = Points::Zero(factor.rows(), p);
    const Eigen::Index axes = std::min(p, factor.cols());
    x.leftCols(axes) = factor.rightCols(axes).rowwise().reverse();
    return x;
}

std::unique_ptr<EmbeddingMethod> makeConvex(const SolverConfig& config, const Objective& objective) {
    return std::make_unique<GramDescent>(config, objective);
}

} // namespace lambdascope::ordinal
