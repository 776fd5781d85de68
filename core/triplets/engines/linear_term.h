// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/engines/engine.h"
#include "core/triplets/problem/pair_quadratic_forms.h"
#include "core/triplets/problem/pair_table.h"

#include <memory>
#include <vector>

namespace lambdascope::triplets {

/// S = factor · Σ_p weights[p] δ_p δ_pᵀ, the matrix of the linear term ⟨M, S⟩ that draws target neighbours together
/// (LMNN, [T, eq. 6.11] with C = −S). What comes out, as rounded, is the S of the problem. Empty when stopped.
/// Cost O(pairs d + rows d²).
[[nodiscard]] Eigen::MatrixXd linearTerm(const PairTable& table, const std::vector<double>& weights, double factor,
                                         StopCheck& stopCheck);

/// An engine of a problem with a linear term: the sums of another engine, with ⟨M, S⟩ added to the loss and −S to the
/// pull, once per evaluation whatever is active. Screening knows no linear term, so it passes through. Cost O(d²).
class LinearTermEngine final : public Engine {
  public:
    /// `term` symmetric, of the shape of M.
    LinearTermEngine(std::unique_ptr<Engine> engine, Eigen::MatrixXd term)
        : m_engine(std::move(engine)), m_term(std::move(term)) {}

    bool evaluate(const MetricPoint& point, double smoothing, StopCheck& stopCheck, LossTotals& totals) override;
    bool evaluateCounting(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck,
                          LossTotals& totals, SetCounts& setCounts) override;
    bool evaluateAll(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck, LossTotals& totals,
                     SetCounts& setCounts) override;
    bool screen(std::span<const Region> regions, double gamma, StopCheck& stopCheck, ScreenedPart& screened) override {
        return m_engine->screen(regions, gamma, stopCheck, screened);
    }
    [[nodiscard]] RangeScreening* ranges() override { return m_engine->ranges(); }
    bool nearTriplets(const MetricPoint& point, double lowest, double highest, std::size_t limit, StopCheck& stopCheck,
                      NearTriplets& found) override {
        return m_engine->nearTriplets(point, lowest, highest, limit, stopCheck, found);
    }
    [[nodiscard]] const PairTable* collectable() const override { return m_engine->collectable(); }
    [[nodiscard]] const Eigen::MatrixXd* linearTerm() const override { return &m_term; }
    [[nodiscard]] const ProductLists* productLists() const override { return m_engine->productLists(); }
    [[nodiscard]] const TripletSet* productSets() const override { return m_engine->productSets(); }
    void activateAll() override { m_engine->activateAll(); }
    [[nodiscard]] TripletIndex activeTriplets() const override { return m_engine->activeTriplets(); }
    [[nodiscard]] std::int64_t pairsPerEvaluation() const override { return m_engine->pairsPerEvaluation(); }
    [[nodiscard]] double countedWork() const override { return m_engine->countedWork(); }
    [[nodiscard]] std::size_t bytes() const override {
        return m_engine->bytes() + static_cast<std::size_t>(m_term.size()) * sizeof(double);
    }
    void record(TripletStates* states) override { m_engine->record(states); }
    void transfer(StateArchive& archive) override { m_engine->transfer(archive); }

  private:
    void add(const MetricPoint& point, LossTotals& totals) const;

    std::unique_ptr<Engine> m_engine;
    Eigen::MatrixXd m_term; ///< S
};

inline Eigen::MatrixXd linearTerm(const PairTable& table, const std::vector<double>& weights, double factor,
                                  StopCheck& stopCheck) {
    PairQuadraticForms space(table);
    MatrixSum sum;
    if (!space.weightedSum(weights, 0, nullptr, stopCheck, sum)) {
        return {};
    }
    return factor * sum.value;
}

inline void LinearTermEngine::add(const MetricPoint& point, LossTotals& totals) const {
    totals.loss = totals.loss + innerProduct(point.matrix, point.matrixError(), m_term, 0);
    totals.pull -= m_term;
    totals.pullError += kUnitRoundoff * totals.pull.norm();
}

inline bool LinearTermEngine::evaluate(const MetricPoint& point, double smoothing, StopCheck& stopCheck,
                                       LossTotals& totals) {
    if (!m_engine->evaluate(point, smoothing, stopCheck, totals)) {
        return false;
    }
    add(point, totals);
    return true;
}

inline bool LinearTermEngine::evaluateCounting(const MetricPoint& point, double smoothing, double edge,
                                               StopCheck& stopCheck, LossTotals& totals, SetCounts& setCounts) {
    if (!m_engine->evaluateCounting(point, smoothing, edge, stopCheck, totals, setCounts)) {
        return false;
    }
    add(point, totals);
    return true;
}

inline bool LinearTermEngine::evaluateAll(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck,
                                          LossTotals& totals, SetCounts& setCounts) {
    if (!m_engine->evaluateAll(point, smoothing, edge, stopCheck, totals, setCounts)) {
        return false;
    }
    add(point, totals);
    return true;
}

} // namespace lambdascope::triplets
