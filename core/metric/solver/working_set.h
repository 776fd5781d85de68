// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/problem/cone.h"
#include "core/metric/problem/pair_quadratic_forms.h"
#include "core/metric/solver/reduced_objective.h"

#include <optional>
#include <utility>
#include <vector>

namespace lambdascope::metric {

/// The dual problem seen through the triplets near the edges of the loss at a point M₀ alone: the others keep their α
/// of M₀, 0 or 1,
///     max D(α) = Σ α − (s/2) Σ α² − ‖[Σ α H]₊‖²/2λ,    0 ≤ α ≤ 1,    M(α) = [Σ α H]₊/λ.
/// D is the dual value of the whole problem whatever α the set's triplets have. While no margin outside the set
/// crosses an edge, the primal value is that of the whole problem too, at the cost of the few triplets near the edges.
class WorkingSet {
  public:
    using KnownAlphas = std::vector<std::pair<PairedTriplet, double>>; ///< sorted by triplet

    /// The problem at some α of the set's triplets.
    struct State {
        std::vector<double> alphas;
        LossTotals totals;          ///< of the whole problem: Σ α, Σ α², Σ α H; no loss
        ConeProjection cone;        ///< of Σ α H/λ, that is M(α)
        double dual = 0;            ///< D(α)
        std::vector<double> ascent; ///< ∂D/∂α = 1 − s α − ⟨M, H⟩
        double value = 0;           ///< of the primal problem at M(α)
        double slack = 0;           ///< s Σ α(1 − α): what smoothing costs a hinge
        [[nodiscard]] double gap() const { return value - dual; }
    };

    WorkingSet(const TripletSet& triplets, double lambda) : m_triplets(triplets), m_space(triplets), m_lambda(lambda) {}

    enum class Outcome { Collected, TooMany, Stopped };
    /// Collects the active triplets with margins in [1 − s − reach, 1 + reach] at M₀; `alphas` are theirs there.
    Outcome collect(ReducedObjective& objective, const MetricPoint& point, double reach, std::size_t limit,
                    std::vector<double>& alphas);
    /// The α that `known` gives this set's triplets. Those not named there were outside that set, with the α 0 or 1
    /// that they had where it was collected; if that was no set of this object, with the nearer one to `alphas`. False
    /// when stopped.
    bool carryOver(ReducedObjective& objective, const KnownAlphas& known, const std::vector<double>& alphas,
                   std::vector<double>& carried);
    [[nodiscard]] KnownAlphas named(const std::vector<double>& alphas) const;

    /// Sets totals, M and D from the α. False when stopped, or when Σ α H is not finite.
    bool evaluateDual(ReducedObjective& objective, State& state);
    /// Sets the rest, after evaluateDual. False when stopped.
    bool evaluatePrimal(ReducedObjective& objective, State& state);
    /// D(α) of the problem whose loss has smoothing `gamma`, with its error.
    [[nodiscard]] Bounded dual(const State& state, double gamma) const;

    [[nodiscard]] const std::vector<PairedTriplet>& near() const { return m_found.near; }
    [[nodiscard]] std::size_t pairs() const { return m_pairs.size(); }
    [[nodiscard]] const TripletSet& triplets() const { return m_triplets; }
    [[nodiscard]] double smoothing() const { return m_smoothing; }
    [[nodiscard]] double lambda() const { return m_lambda; }

  private:
    void countVisit(CpuLedger& ledger) const;
    void listPairs();
    void setMargins();
    [[nodiscard]] std::vector<double> marginAlphas() const;

    const TripletSet& m_triplets;
    PairQuadraticForms m_space;
    double m_lambda;
    double m_smoothing = 0;
    NearTriplets m_found;
    std::vector<PairIndex> m_pairs;          ///< of the near triplets
    std::optional<MetricPoint> m_origin;     ///< M₀
    std::optional<MetricPoint> m_lastOrigin; ///< of the set before this one
    MatrixSum m_fixedPull;                   ///< Σ α H over the others
    Bounded m_fixedAlphas;                   ///< Σ α = Σ α² over the others
    std::vector<double> m_values;            ///< per pair
    std::vector<double> m_weights;           ///< per pair
    std::vector<double> m_margins;           ///< of the near triplets
};

} // namespace lambdascope::metric
