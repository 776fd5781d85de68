// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/solver/embedding_method.h"

#include "core/common/state_archive.h"

#include <cmath>

namespace lambdascope::ordinal {

namespace {

/// One method until an epoch, then another.
class Polished final : public EmbeddingMethod {
  public:
    Polished(std::unique_ptr<EmbeddingMethod> first, std::unique_ptr<EmbeddingMethod> last, std::int64_t change)
        : m_first(std::move(first)), m_last(std::move(last)), m_change(change) {}

    void advance(EmbeddingState& state, RandomStream& random, StopCheck& stopCheck) override {
        (state.epoch < m_change ? m_first : m_last)->advance(state, random, stopCheck);
    }
    void transfer(StateArchive& archive) override {
        m_first->transfer(archive);
        m_last->transfer(archive);
    }

  private:
    std::unique_ptr<EmbeddingMethod> m_first;
    std::unique_ptr<EmbeddingMethod> m_last;
    std::int64_t m_change;
};

std::unique_ptr<EmbeddingMethod> plainMethod(const SolverConfig& config, const Objective& objective) {
    switch (config.method) {
    case MethodKind::Batch: return makeDescent(config, objective);
    case MethodKind::Sgd: return makeSgd(config, objective);
    case MethodKind::Lbfgs: return makeQuasiNewton(config, objective);
    case MethodKind::Convex: return makeConvex(config, objective);
    case MethodKind::Svrg:
    case MethodKind::SvrgSbb0:
    case MethodKind::SvrgSbb:
    case MethodKind::Modular: break;
    }
    return makeSvrg(config, objective);
}

} // namespace

Points randomStart(ObjectIndex objects, Eigen::Index dimensions, double spread, RandomStream& random) {
    Points x(objects, dimensions);
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        x.data()[i] = spread * random.normal();
    }
    return x;
}

void refresh(const Objective& objective, EmbeddingState& state, StopCheck& stopCheck) {
    state.value = objective.evaluate(state.x, &state.gradient, &state.slopes, stopCheck);
}

std::unique_ptr<EmbeddingMethod> makeMethod(const SolverConfig& config, const Objective& objective) {
    auto method = plainMethod(config, objective);
    if (!config.polish) {
        return method;
    }
    return std::make_unique<Polished>(std::move(method), makeQuasiNewton(config, objective), *config.polish);
}

double stabilizer(const SolverConfig& config, std::int64_t comparisons) {
    if (config.method == MethodKind::SvrgSbb0) {
        return 0;
    }
    constexpr double kAutomatic = 20; // steps per comparison up to 0.05, for distances of the order of 1
    return config.epsilon.value_or(kAutomatic / (config.inner * static_cast<double>(comparisons)));
}

std::optional<double> stabilizedStep(const Points& deltaX, const Points& deltaY, double inner, double epsilon) {
    const double moved = deltaX.squaredNorm();
    const double curvature = std::abs(deltaX.cwiseProduct(deltaY).sum());
    const double step = moved / (curvature + epsilon * moved) / inner;
    return std::isfinite(step) && step > 0 ? std::optional(step) : std::nullopt;
}

} // namespace lambdascope::ordinal
