// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/cone.h"
#include "core/triplets/problem/pair_quadratic_forms.h"
#include "core/triplets/solver/inner_method.h"
#include "core/triplets/solver/reduced_objective.h"

#include <optional>
#include <utility>
#include <vector>

namespace lambdascope::triplets {

/// The dual problem seen through the triplets near the edges of the loss at a point M₀ alone: the others keep their α
/// of M₀, 0 or 1,
///     max D(α) = Σ α − (s/2) Σ α² − ‖[Σ α H]₊‖²/2λ,    0 ≤ α ≤ 1,    M(α) = [Σ α H]₊/λ.
/// D is the dual value of the whole problem whatever α the set's triplets have. While no margin outside the set
/// crosses an edge, the primal value is that of the whole problem too, at the cost of the few triplets near the edges.
///
/// In the general form (LossTotals) the α here are shares of the weights: a = α/w in [0, 1], and
///     D(a) = Σ w a τ − (s/2) Σ w a² − ‖[Σ w a H − S]₊‖²/2λ.
class WorkingSet {
  public:
    /// The problem at some α of the set's triplets.
    struct State {
        std::vector<double> alphas;
        LossTotals totals;          ///< of the whole problem: Σ α, Σ α², Σ α H; no loss
        ConeProjection cone;        ///< of Σ α H/λ, that is M(α)
        double dual = 0;            ///< D(α)
        std::vector<double> ascent; ///< ∂D/∂a = w (τ − s a − ⟨M, H⟩)
        double value = 0;           ///< of the primal problem at M(α)
        double slack = 0;           ///< s Σ w a (1 − a): what smoothing costs a hinge
        [[nodiscard]] double gap() const { return value - dual; }
    };

    WorkingSet(const PairTable& table, double lambda) : m_table(table), m_space(table), m_lambda(lambda) {}

    enum class Outcome { Collected, TooMany, Stopped };
    /// Collects the active triplets with margins in [1 − s − reach, 1 + reach] at M₀; `alphas` are theirs there.
    Outcome collect(ReducedObjective& objective, const MetricPoint& point, double reach, std::size_t limit,
                    std::vector<double>& alphas);
    /// The α that `known` gives this set's triplets. Those not named there were outside that set, with the α 0 or 1
    /// that they had where it was collected; if that was no set of this object, with the nearer one to `alphas`. False
    /// when stopped.
    bool carryOver(ReducedObjective& objective, const KnownAlphas& known, const std::vector<double>& alphas,
                   std::vector<double>& carried);
    /// The α of the set's triplets at a point. False when stopped.
    bool alphasAt(ReducedObjective& objective, const MetricPoint& point, std::vector<double>& alphas);
    [[nodiscard]] KnownAlphas named(const std::vector<double>& alphas) const;

    /// Sets totals, M and D from the α. False when stopped, or when Σ α H is not finite.
    bool evaluateDual(ReducedObjective& objective, State& state);
    /// Sets the rest, after evaluateDual. False when stopped.
    bool evaluatePrimal(ReducedObjective& objective, State& state);
    /// D(α) of the problem whose loss has smoothing `gamma`, with its error.
    [[nodiscard]] Bounded dual(const State& state, double gamma) const;

    [[nodiscard]] const std::vector<PairedTriplet>& near() const { return m_found.near; }
    /// w and τ of a near triplet.
    [[nodiscard]] double weight(std::size_t at) const { return m_found.weight.empty() ? 1 : m_found.weight[at]; }
    [[nodiscard]] double threshold(std::size_t at) const {
        return m_found.threshold.empty() ? 1 : m_found.threshold[at];
    }
    [[nodiscard]] std::size_t pairs() const { return m_pairs.size(); }
    [[nodiscard]] const PairTable& table() const { return m_table; }
    [[nodiscard]] double smoothing() const { return m_smoothing; }
    [[nodiscard]] double lambda() const { return m_lambda; }

  private:
    void countVisit(CpuLedger& ledger) const;
    void addGeneral(State& state, double rounding) const;
    void listPairs();
    bool setMargins(const MetricPoint& point, StopCheck& stopCheck);
    [[nodiscard]] bool isGeneral() const { return !m_found.weight.empty(); }
    [[nodiscard]] std::vector<double> marginAlphas() const;

    const PairTable& m_table;
    PairQuadraticForms m_space;
    double m_lambda;
    double m_smoothing = 0;
    NearTriplets m_found;
    std::vector<PairIndex> m_pairs;          ///< of the near triplets
    std::optional<MetricPoint> m_origin;     ///< M₀
    std::optional<MetricPoint> m_lastOrigin; ///< of the set before this one
    MatrixSum m_fixedPull;                   ///< Σ α H over the others
    Bounded m_fixedAlphas;                   ///< Σ α = Σ α²/w over the others
    Bounded m_fixedShift;                    ///< Σ α (τ − 1) over the others
    std::vector<double> m_values;            ///< per pair, and 0 for "no pair"
    std::vector<double> m_weights;           ///< per pair, and for "no pair"
    std::vector<double> m_margins;           ///< of the near triplets, less τ − 1
};

} // namespace lambdascope::triplets
