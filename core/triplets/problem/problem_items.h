// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/triplets/problem/comparison_set.h"
#include "core/triplets/problem/triplet_set.h"

namespace lambdascope::triplets {

/// One item of a problem by its pairs: t = z_far − z_near, R beyond τ and L below τ − γ [T, §6.3]. A pair that is
/// missing (bounds on one pair) has the number ProblemItems::noPair().
struct ProblemItem {
    PairIndex far = 0;
    PairIndex near = 0;
    double threshold = 1; ///< τ
    double weight = 1;    ///< w
};

/// The items of a problem, whether triplets of neighbours or comparisons from a file, for whoever looks at them one by
/// one: audits, explanations, samples, counts of ranges. Refers to the set, which must stay alive; cheap to copy.
class ProblemItems {
  public:
    ProblemItems(const TripletSet& triplets) : m_triplets(&triplets) {} // a view: conversion is its purpose
    ProblemItems(const ComparisonSet& comparisons) : m_comparisons(&comparisons) {}

    /// Null for comparisons.
    [[nodiscard]] const TripletSet* triplets() const { return m_triplets; }
    /// Null for triplets of neighbours.
    [[nodiscard]] const ComparisonSet* comparisons() const { return m_comparisons; }

    [[nodiscard]] const PairTable& table() const {
        return m_triplets != nullptr ? static_cast<const PairTable&>(*m_triplets) : *m_comparisons;
    }
    [[nodiscard]] TripletIndex size() const {
        return m_triplets != nullptr ? m_triplets->triplets() : m_comparisons->size();
    }
    /// One beyond the last pair; stands for "no pair here".
    [[nodiscard]] PairIndex noPair() const { return table().pairs(); }
    /// The rows of a pair; two equal ones for noPair().
    [[nodiscard]] RowPair rows(PairIndex p) const { return table().rowsOf(p); }
    /// Largest |τ|; for error bounds.
    [[nodiscard]] double largestThreshold() const {
        return m_triplets != nullptr ? 1 : m_comparisons->largestThreshold();
    }

    /// O(log rows).
    [[nodiscard]] ProblemItem at(TripletIndex number) const;

    /// visit(number, item) for all items in rising order of number; `operations` is what a visit costs. False when
    /// stopped.
    template <class Visit>
    bool visitAll(std::int64_t operations, StopCheck& stopCheck, Visit&& visit) const;

    /// The same for the items that begin at a row: triplets by their anchor, comparisons by any of their rows.
    template <class Visit>
    bool visitOfRow(RowIndex row, std::int64_t operations, StopCheck& stopCheck, Visit&& visit) const;

  private:
    /// Comparisons between two stop checks.
    static constexpr TripletIndex kBlock = 1024;

    template <class Visit>
    void visitAnchor(RowIndex anchor, Visit& visit) const;
    [[nodiscard]] ProblemItem comparison(std::size_t at) const {
        const ComparisonSet::Items items = m_comparisons->items();
        return {items.far[at], items.near[at], items.threshold[at], items.weight[at]};
    }

    const TripletSet* m_triplets = nullptr;
    const ComparisonSet* m_comparisons = nullptr;
};

template <class Visit>
void ProblemItems::visitAnchor(RowIndex anchor, Visit& visit) const {
    const TripletSet& set = *m_triplets;
    TripletIndex number = set.tripletOffset(anchor);
    for (std::int64_t s = set.sameOffset(anchor); s < set.sameOffset(anchor + 1); ++s) {
        for (std::int64_t o = set.otherOffset(anchor); o < set.otherOffset(anchor + 1); ++o, ++number) {
            visit(number, ProblemItem{set.otherPair(o), set.samePair(s)});
        }
    }
}

template <class Visit>
bool ProblemItems::visitAll(std::int64_t operations, StopCheck& stopCheck, Visit&& visit) const {
    if (m_triplets != nullptr) {
        for (RowIndex i = 0; i < m_triplets->rows(); ++i) {
            visitAnchor(i, visit);
            if (stopCheck.spend(operations * m_triplets->sameCount(i) * m_triplets->otherCount(i))) {
                return false;
            }
        }
        return true;
    }
    for (TripletIndex number = 0; number < size(); ++number) {
        visit(number, comparison(static_cast<std::size_t>(number)));
        if (number % kBlock == 0 && stopCheck.spend(operations * kBlock)) {
            return false;
        }
    }
    return true;
}

template <class Visit>
bool ProblemItems::visitOfRow(RowIndex row, std::int64_t operations, StopCheck& stopCheck, Visit&& visit) const {
    if (m_triplets != nullptr) {
        visitAnchor(row, visit);
        return !stopCheck.spend(operations * m_triplets->sameCount(row) * m_triplets->otherCount(row));
    }
    const auto names = [&](PairIndex p) {
        return p != noPair() && (table().first(p) == row || table().second(p) == row);
    };
    return visitAll(operations, stopCheck, [&](TripletIndex number, const ProblemItem& item) {
        if (names(item.far) || names(item.near)) {
            visit(number, item);
        }
    });
}

inline ProblemItem ProblemItems::at(TripletIndex number) const {
    if (m_comparisons != nullptr) {
        return comparison(static_cast<std::size_t>(number));
    }
    const RowIndex anchor = m_triplets->triplet(number).anchor;
    const TripletIndex within = number - m_triplets->tripletOffset(anchor);
    const std::int64_t others = m_triplets->otherCount(anchor);
    return {m_triplets->otherPair(m_triplets->otherOffset(anchor) + within % others),
            m_triplets->samePair(m_triplets->sameOffset(anchor) + within / others)};
}

} // namespace lambdascope::triplets
