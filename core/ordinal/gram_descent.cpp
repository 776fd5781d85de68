// SPDX-License-Identifier: GPL-3.0-or-later
// The convex baseline of [O, section 5]: projected gradients on the Gram matrix.
#include "core/ordinal/gram_descent.h"

#include "core/numeric/psd_projection.h"
#include "core/ordinal/embedding_method.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::ordinal {

namespace {

constexpr int kEvaluationsPerEpoch = 3;
constexpr std::int64_t kBlock = 4096;

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

    void advance(EmbeddingState& state, RandomStream&, WorkPoll& poll) override {
        ++state.epoch;
        if (m_gram.size() == 0) {
            m_gram = centred(state.x * state.x.transpose());
            m_value = evaluateGram(m_objective, m_gram, &m_gradient, poll);
        }
        for (int used = 0; used < kEvaluationsPerEpoch && !state.hasSettled && !poll.isStopped(); ++used) {
            tryStep(state, poll);
        }
        state.x = pointsOfGram(m_gram, state.x.cols());
        refresh(m_objective, state, poll); // the truncated points are what is measured
    }

  private:
    void tryStep(EmbeddingState& state, WorkPoll& poll) {
        const Eigen::MatrixXd trial = projectedGram(m_gram - m_step * m_gradient);
        const Eigen::MatrixXd move = trial - m_gram;
        Eigen::MatrixXd gradient;
        const ObjectiveValue value = evaluateGram(m_objective, trial, &gradient, poll);
        state.gradients += 1;
        // Sufficient decrease of projected gradients: F(G⁺) ≤ F(G) + ⟨∇F, ΔG⟩ + ‖ΔG‖²/2η.
        const double model = m_value.loss + m_gradient.cwiseProduct(move).sum() + move.squaredNorm() / (2 * m_step);
        if (value.loss <= model + 1e-15 * std::abs(m_value.loss)) {
            state.hasSettled = move.squaredNorm() == 0;
            state.step = m_step;
            m_gram = trial;
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
    Eigen::MatrixXd m_gradient;
    ObjectiveValue m_value;
};

} // namespace

ObjectiveValue evaluateGram(const Objective& objective, const Eigen::MatrixXd& gram, Eigen::MatrixXd* gradient,
                            WorkPoll& poll) {
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
            if (q % kBlock == 0 && poll.spend(kBlock * 60)) {
                break;
            }
            const Comparison& c = set.items()[q];
            const double near = squared(c.i, c.j);
            const double far = squared(c.l, c.k);
            const double weight = share * set.relativeWeight(q);
            result.loss += weight * loss.value(near, far);
            result.error += near < far ? 0 : weight;
            if (gradient != nullptr) {
                const Slopes slopes = loss.slopes(near, far);
                addPair(c.i, c.j, weight * slopes.near);
                addPair(c.l, c.k, weight * slopes.far);
            }
        }
        return result;
    });
}

Eigen::MatrixXd projectedGram(const Eigen::MatrixXd& gram) {
    // The projections commute: [JGJ]₊ has its range in that of J.
    return splitPsd(centred((gram + gram.transpose()) / 2)).positive;
}

Points pointsOfGram(const Eigen::MatrixXd& gram, Eigen::Index p) {
    const EigenSystem system = symmetricEigenSystem(gram, true);
    Points x = Points::Zero(gram.rows(), p);
    if (!system.succeeded) {
        return x;
    }
    for (Eigen::Index axis = 0; axis < std::min(p, gram.rows()); ++axis) {
        const Eigen::Index column = gram.rows() - 1 - axis;
        x.col(axis) = std::sqrt(std::max(0.0, system.values(column))) * system.vectors.col(column);
    }
    return x;
}

std::unique_ptr<EmbeddingMethod> makeConvex(const SolverConfig& config, const Objective& objective) {
    return std::make_unique<GramDescent>(config, objective);
}

} // namespace lambdascope::ordinal
