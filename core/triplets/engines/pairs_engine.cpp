// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/pairs_engine.h"

#include "core/common/state_archive.h"
#include "core/triplets/problem/counted_work.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace lambdascope::triplets {

namespace {

using Four = Eigen::Array4d;
using FourMap = Eigen::Map<const Four>;

/// Sums over one row of triplets: fixed anchor and same-class neighbour.
struct RowSums {
    double alpha = 0;      ///< Σ α
    double squares = 0;    ///< Σ α²
    double alphaOther = 0; ///< Σ α z_il
};

/// α = clip((edge − z)/s, 0, 1) for `count` other-class neighbours, added to their weights; edge = 1 + z_ij.
RowSums sumRow(const double* z, double* weights, std::int64_t count, double edge, double inverseSmoothing) {
    Four alphas = Four::Zero();
    Four squares = Four::Zero();
    Four products = Four::Zero();
    std::int64_t o = 0;
    for (; o + 4 <= count; o += 4) {
        const Four value = FourMap(z + o);
        const Four alpha = ((edge - value) * inverseSmoothing).max(0.0).min(1.0);
        Eigen::Map<Four>(weights + o) += alpha;
        alphas += alpha;
        squares += alpha * alpha;
        products += alpha * value;
    }
    RowSums sums{alphas.sum(), squares.sum(), products.sum()};
    for (; o < count; ++o) {
        const double alpha = std::clamp((edge - z[o]) * inverseSmoothing, 0.0, 1.0);
        weights[o] += alpha;
        sums.alpha += alpha;
        sums.squares += alpha * alpha;
        sums.alphaOther += alpha * z[o];
    }
    return sums;
}

} // namespace

PairsEngine::PairsEngine(const TripletSet& triplets)
    : m_triplets(triplets), m_space(triplets), m_weights(static_cast<std::size_t>(triplets.pairs()), 0.0),
      m_norms(triplets), m_sample(triplets) {}

double PairsEngine::marginError(double size) const {
    return m_triplets.marginError(m_space.valueError(size), size);
}

void PairsEngine::gatherOthers(RowIndex anchor) {
    const std::int64_t begin = m_triplets.otherOffset(anchor);
    m_otherValues.resize(static_cast<std::size_t>(m_triplets.otherCount(anchor)));
    for (std::size_t o = 0; o < m_otherValues.size(); ++o) {
        const PairIndex pair = m_triplets.otherPair(begin + static_cast<std::int64_t>(o));
        m_otherValues[o] = m_values[static_cast<std::size_t>(pair)];
    }
}

void PairsEngine::sumAnchor(RowIndex anchor, LossSums& sums) {
    const std::int64_t others = m_triplets.otherCount(anchor);
    const std::int64_t sames = m_triplets.sameCount(anchor);
    if (others == 0 || sames == 0) {
        return;
    }
    gatherOthers(anchor);
    // One plain pass: std::minmax_element's branches showed up in the profile.
    double lowest = m_otherValues.front();
    double highest = lowest;
    double allSum = 0;
    for (const double z : m_otherValues) {
        lowest = std::min(lowest, z);
        highest = std::max(highest, z);
        allSum += z;
    }
    m_otherWeights.assign(static_cast<std::size_t>(others), 0.0);
    double linearRows = 0;
    const std::int64_t sameBegin = m_triplets.sameOffset(anchor);
    for (std::int64_t s = 0; s < sames; ++s) {
        const auto pair = static_cast<std::size_t>(m_triplets.samePair(sameBegin + s));
        const double edge = 1 + m_values[pair];
        RowSums row;
        if (edge <= lowest) {
            continue; // all of the row in the zero part
        }
        if ((edge - highest) * sums.inverse >= 1) {
            row = {static_cast<double>(others), static_cast<double>(others), allSum};
            linearRows += 1;
        } else {
            sums.inRows += others;
            row = sumRow(m_otherValues.data(), m_otherWeights.data(), others, edge, sums.inverse);
        }
        sums.add(row.alpha, row.squares, edge * row.alpha, row.alphaOther);
        m_weights[pair] -= row.alpha;
    }
    const std::int64_t otherBegin = m_triplets.otherOffset(anchor);
    for (std::int64_t o = 0; o < others; ++o) {
        m_weights[static_cast<std::size_t>(m_triplets.otherPair(otherBegin + o))] +=
            m_otherWeights[static_cast<std::size_t>(o)] + linearRows;
    }
    sums.triplets += sames * others;
    sums.rows += sames + others;
    sums.longestChain = std::max(sums.longestChain, static_cast<double>(others));
}

void PairsEngine::countAnchor(RowIndex anchor, double edge, SetCounts& setCounts) const {
    const std::int64_t sameBegin = m_triplets.sameOffset(anchor);
    for (std::int64_t s = 0; s < m_triplets.sameCount(anchor); ++s) {
        const double z = m_values[static_cast<std::size_t>(m_triplets.samePair(sameBegin + s))];
        TripletIndex above = 0;
        TripletIndex below = 0;
        for (const double other : m_otherValues) {
            const double margin = other - z;
            above += margin > 1 ? 1 : 0;
            below += margin < 1 - edge ? 1 : 0;
        }
        setCounts.above += above;
        setCounts.below += below;
    }
}

bool PairsEngine::sumAll(LossSums& sums, StopCheck& stopCheck, const double* edge, SetCounts* setCounts) {
    std::fill(m_weights.begin(), m_weights.end(), 0.0);
    for (RowIndex i = 0; i < m_triplets.rows(); ++i) {
        sumAnchor(i, sums);
        if (setCounts != nullptr && m_triplets.sameCount(i) > 0 && m_triplets.otherCount(i) > 0) {
            countAnchor(i, *edge, *setCounts);
        }
        if (stopCheck.spend(4 * m_triplets.sameCount(i) * m_triplets.otherCount(i))) {
            return false;
        }
    }
    m_inRows = sums.inRows;
    return true;
}

bool PairsEngine::finish(const LossSums& sums, const MetricPoint& point, PairQuadraticForms::PairList pairs,
                         StopCheck& stopCheck, LossTotals& totals) {
    const auto longest = static_cast<double>(m_triplets.longestList());
    const double rowError = roundingFactor(sums.longestChain + 8);
    totals.smoothing = sums.smoothing;
    totals.triplets = sums.triplets;
    totals.marginError = m_triplets.marginError(m_space.distanceError(point.spectralBound()), point.spectralBound());
    const double alpha = sums.alpha.value();
    // A margin off by e moves ℓ by e·α, and by e·min(1, e/s) where the computed α is 0.
    const double e = totals.marginError;
    const double hidden = static_cast<double>(sums.triplets) * e * std::min(1.0, e / sums.smoothing);
    totals.loss = {sums.loss.value(), rowError * sums.magnitude + e * alpha + hidden};
    totals.alphaSum = {alpha, rowError * alpha};
    totals.alphaSquares = {sums.squares.value(), rowError * sums.squares.value()};
    MatrixSum pull;
    // A weight collects a list of row sums from either end of its pair.
    if (!m_space.weightedSum(m_weights, roundingFactor(3 * longest + 8), pairs, stopCheck, pull)) {
        return false;
    }
    totals.pull = std::move(pull.value);
    totals.pullError = pull.error;
    m_work += work::ofTriplets(sums.rows, sums.inRows, sums.packed);
    return true;
}

void PairsEngine::clearWeights(PairQuadraticForms::PairList pairs) {
    const auto count = pairs == nullptr ? std::ssize(m_weights) : std::ssize(*pairs);
    std::fill_n(m_weights.begin(), count, 0.0);
}

/// Null stands for all triplets.
bool PairsEngine::sumOver(PackedTriplets* active, const MetricPoint& point, double smoothing, StopCheck& stopCheck,
                          LossTotals& totals) {
    LossSums sums(smoothing);
    const PairList pairs = active == nullptr ? PairList() : active->pairs();
    if (!m_space.distances(point, pairs, stopCheck, m_values)) {
        return false;
    }
    if (active == nullptr) {
        return sumAll(sums, stopCheck, nullptr, nullptr) && finish(sums, point, pairs, stopCheck, totals);
    }
    clearWeights(pairs);
    sums.triplets = active->triplets();
    return active->sum(m_values, m_weights, stopCheck, sums) && finish(sums, point, pairs, stopCheck, totals);
}

bool PairsEngine::evaluate(const MetricPoint& point, double smoothing, StopCheck& stopCheck, LossTotals& totals) {
    return sumOver(m_active, point, smoothing, stopCheck, totals);
}

bool PairsEngine::evaluateNoting(const MetricPoint& point, double smoothing, bool keepsNotes, StopCheck& stopCheck,
                                 LossTotals& totals) {
    return evaluate(point, smoothing, stopCheck, totals) && note(keepsNotes && m_hasNotes, stopCheck);
}

bool PairsEngine::evaluateNoted(const MetricPoint& point, double smoothing, StopCheck& stopCheck, LossTotals& totals) {
    return sumOver(m_hasNotes ? &m_noted : m_active, point, smoothing, stopCheck, totals);
}

namespace {

/// Leaves the triplets with a loss at given values of their pairs, and those noted before.
class LossyTest {
  public:
    LossyTest(const TripletSet& triplets, const std::vector<double>& values, const TripletStates* noted)
        : m_triplets(triplets), m_values(values), m_noted(noted) {}

    std::span<const std::uint32_t> beginAnchor(const PackedTriplets::AnchorView& anchor,
                                               std::span<const PackedTriplets::Row> rows) {
        m_anchor = anchor;
        m_others.resize(anchor.columns.size());
        std::transform(anchor.columns.begin(), anchor.columns.end(), m_others.begin(),
                       [this](PairIndex pair) { return m_values[static_cast<std::size_t>(pair)]; });
        return m_every.of(rows);
    }
    void beginRow(const PackedTriplets::Row& row, std::uint32_t /*number*/) {
        m_edge = 1 + m_values[static_cast<std::size_t>(row.same)]; // as sums see it: α > 0
        m_number = m_triplets.tripletOffset(m_anchor.row) + row.place * m_triplets.otherCount(m_anchor.row);
    }
    std::uint32_t rest(std::uint32_t group, std::uint32_t bits) const {
        std::uint32_t kept = bitsBelow(m_others.data() + kGroupSize * group, m_edge);
        if (m_noted != nullptr) {
            const auto first = m_number + static_cast<TripletIndex>(kGroupSize * m_anchor.origins[group]);
            kept |= static_cast<std::uint32_t>(m_noted->bits(Decision::Linear, first)) & kGroupBits;
        }
        return bits & kept;
    }
    void endRow() {}
    void endAnchor() {}

  private:
    const TripletSet& m_triplets;
    const std::vector<double>& m_values;
    const TripletStates* m_noted;
    EveryRow m_every;
    PackedTriplets::AnchorView m_anchor;
    std::vector<double> m_others;
    double m_edge = 0;
    TripletIndex m_number = 0;
};

} // namespace

bool PairsEngine::note(bool keepsNotes, StopCheck& stopCheck) {
    std::optional<TripletStates> before;
    if (keepsNotes) {
        before.emplace(m_triplets.triplets());
        const auto mark = [&](const PackedTriplets::AnchorView& anchor, const PackedTriplets::Row& row,
                              std::uint32_t group, std::uint32_t bits) {
            before->set(m_triplets.tripletOffset(anchor.row) + row.place * m_triplets.otherCount(anchor.row) +
                            static_cast<TripletIndex>(kGroupSize * anchor.origins[group]),
                        bits, Decision::Linear);
        };
        if (!m_noted.visitGroups(mark, stopCheck)) {
            m_hasNotes = false;
            return false;
        }
    }
    LossyTest test(m_triplets, m_values, before ? &*before : nullptr);
    m_hasNotes = m_noted.takeFrom(active(), m_triplets, test, stopCheck);
    return m_hasNotes;
}

void PairsEngine::activate(PackedTriplets* active) {
    m_active = active;
    m_hasNotes = false;
    m_activeLists.reset();
}

bool PairsEngine::evaluateCounting(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck,
                                   LossTotals& totals, SetCounts& setCounts) {
    if (isComplete()) {
        return evaluateAll(point, smoothing, edge, stopCheck, totals, setCounts);
    }
    setCounts = {};
    if (!sumOver(m_active, point, smoothing, stopCheck, totals)) {
        return false;
    }
    m_active->count(m_values, edge, setCounts);
    return true;
}

bool PairsEngine::evaluateAll(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck,
                              LossTotals& totals, SetCounts& setCounts) {
    setCounts = {};
    LossSums sums(smoothing);
    return m_space.distances(point, nullptr, stopCheck, m_values) && sumAll(sums, stopCheck, &edge, &setCounts) &&
           finish(sums, point, nullptr, stopCheck, totals);
}

const ProductLists* PairsEngine::productLists() const {
    if (!isComplete()) {
        if (!m_activeLists) {
            m_activeLists = m_active->hulls(m_triplets);
        }
        return &*m_activeLists;
    }
    if (!m_lists) {
        m_lists = ProductLists::all(m_triplets);
    }
    return &*m_lists;
}

std::int64_t PairsEngine::pairsOf(const PackedTriplets* active) const {
    const PairList pairs = active == nullptr ? PairList() : active->pairs();
    return pairs == nullptr ? m_triplets.pairs() : static_cast<std::int64_t>(pairs.size());
}

/// Lasting decisions spare judgements at later λ, as norms that are known spare computing them.
void PairsEngine::transfer(StateArchive& archive) {
    archive(m_lasting, m_lastingOpen, m_norms, m_inRows);
}

std::size_t PairsEngine::bytes() const {
    return m_space.bytes() + m_whole.bytes() + m_lastingOpen.bytes() + m_left.bytes() + m_spare.bytes() +
           m_noted.bytes() +
           (m_values.capacity() + m_nearForms.capacity() + m_farForms.capacity() + m_weights.capacity() +
            m_otherValues.capacity() + m_normalValues.capacity() + m_otherWeights.capacity()) *
               sizeof(double) +
           (m_lists ? m_lists->bytes() : 0) + (m_activeLists ? m_activeLists->bytes() : 0) + m_norms.bytes() +
           m_lasting.bytes();
}

} // namespace lambdascope::triplets
