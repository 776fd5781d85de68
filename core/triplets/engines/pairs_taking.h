// SPDX-License-Identifier: GPL-3.0-or-later
// What all rules of the pairs engine share: for its sources alone.
#pragma once

#include "core/triplets/engines/pairs_engine.h"
#include "core/triplets/problem/counted_work.h"

#include <utility>

namespace lambdascope::triplets {

/// Hands what a test decides to a sink, and the rest back.
template <class Test>
class TakingJudge {
  public:
    TakingJudge(Test& test, DecisionSink& sink) : m_test(test), m_sink(sink) {}

    std::span<const std::uint32_t> beginAnchor(const PackedTriplets::AnchorView& anchor,
                                               std::span<const PackedTriplets::Row> rows) {
        const JudgedRows judged = m_test.beginAnchor(anchor, rows);
        m_sink.beginAnchor(anchor);
        m_sink.takeRows(rows, judged);
        return judged.tested;
    }
    void beginRow(const PackedTriplets::Row& row, std::uint32_t number) {
        m_test.beginRow(row, number);
        m_sink.beginRow(row);
        m_tested += row.count;
    }
    std::uint32_t rest(std::uint32_t group, std::uint32_t bits) {
        const GroupDecisions decisions = m_test.test(group, bits);
        m_sink.take(group, decisions);
        return bits & ~(decisions.zero | decisions.linear);
    }
    void endRow() { m_sink.endRow(); }
    void endAnchor() { m_sink.endAnchor(); }

    /// Groups of rows that were not decided as a whole.
    [[nodiscard]] std::int64_t tested() const { return m_tested; }

  private:
    Test& m_test;
    DecisionSink& m_sink;
    std::int64_t m_tested = 0;
};

template <class Test>
bool PairsEngine::take(const PackedTriplets& from, PackedTriplets& to, Test& test, StopCheck& stopCheck,
                       ScreenedPart& screened) {
    clearWeights(from.pairs());
    DecisionSink sink(m_triplets, m_weights, m_states);
    TakingJudge<Test> judge(test, sink);
    const std::int64_t norms = m_norms.computed();
    if (!to.takeFrom(from, m_triplets, judge, stopCheck)) {
        return false;
    }
    m_work += work::ofLook({from.rows(), judge.tested(), from.columns(), to.rows(), to.groups()}) +
              work::ofNorms(m_norms.computed() - norms, m_triplets.stride());
    screened.zero += from.triplets() - to.triplets() - sink.linear();
    return addLinear(sink, from.pairs(), stopCheck, screened);
}

} // namespace lambdascope::triplets
