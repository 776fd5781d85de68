// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/random_stream.h"
#include "core/common/stop_check.h"
#include "core/ordinal/problem/comparison_set.h"
#include "core/ordinal/problem/points.h"
#include "core/ordinal/solver/inner_loop.h"
#include "core/ordinal/solver/lazy_records.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace lambdascope::ordinal {

/// The inner loop of SVRG with a lazy dense term, see runInnerLoop(). After t steps every row has taken the dense term
/// t times, so x = y − t bη ∇F(x̃) with a y that only the comparisons drawn change: a step reads and writes the three or
/// four records of its comparison and nothing else, and those to come are fetched ahead.
template <class Loss, class Records>
class LazyLoop {
  public:
    LazyLoop(const ComparisonSet& set, const Loss& loss, const Snapshot& snapshot, const InnerLoopSettings& settings,
             InnerLoopScratch& scratch)
        : m_set(set), m_loss(loss), m_slopes(snapshot.slopes.data()), m_settings(settings), m_scratch(scratch),
          m_records(snapshot.points, snapshot.gradient, scratch.records),
          m_dense(static_cast<double>(settings.batch) * settings.step),
          m_chunk(std::min(settings.steps, std::max<std::int64_t>(1, kDraws / settings.batch))),
          m_isFetched(m_records.bytes() + set.bytes() + static_cast<double>(set.size()) * sizeof(Slopes) > kNearBytes) {
        const auto batch = static_cast<std::size_t>(settings.batch);
        m_scratch.updates.resize(static_cast<std::size_t>(updateStride()) * batch + kPieceRoom);
        m_updates = alignedRoom(m_scratch.updates);
        m_scratch.chosen.assign(2 * static_cast<std::size_t>(m_chunk) * batch + kItemsAhead, 0);
    }

    /// Leaves the last iterate in `x`. False when `stopCheck` asked to stop.
    bool run(RandomStream& random, Points& x, StopCheck& stopCheck) {
        const std::int64_t work = m_settings.batch * (16 * m_records.width() + 50);
        const std::span<std::uint32_t> chosen(m_scratch.chosen);
        const auto half = static_cast<std::size_t>(m_chunk * m_settings.batch);
        draw(random, 0, chosen.first(half));
        for (std::int64_t t = 0; t < m_settings.steps; t += m_chunk) {
            if (stopCheck.spend(m_chunk * work)) {
                return false;
            }
            draw(random, t + m_chunk, chosen.subspan(half, half));
            const std::uint32_t* at = chosen.data();
            const LazyLoop loop(*this); // for all the compiler knows, writing to records might change this object
            for (std::int64_t now = t; now < std::min(t + m_chunk, m_settings.steps); ++now) {
                loop.step(static_cast<double>(now) * m_dense, at);
                at += loop.m_settings.batch;
            }
            std::copy_n(chosen.data() + half, half, chosen.data());
        }
        m_records.unpack(static_cast<double>(m_settings.steps) * m_dense, x);
        return true;
    }

  private:
    /// Comparisons drawn at once, about.
    static constexpr std::int64_t kDraws = 512;
    /// How many draws before its turn a comparison is fetched, and the records of its objects.
    static constexpr std::size_t kItemsAhead = 16;
    static constexpr std::size_t kRecordsAhead = 8;
    /// What surely stays in the second cache.
    static constexpr double kNearBytes = 600e3;
    static constexpr std::size_t kPieceRoom = Records::kBlock;

    /// Numbers of near and far of one comparison, with room to begin each at a cache line.
    [[nodiscard]] Eigen::Index updateStride() const {
        return (2 * m_records.width() + Records::kBlock - 1) / Records::kBlock * Records::kBlock;
    }

    static double* alignedRoom(std::vector<double>& memory) {
        void* start = memory.data();
        std::size_t room = memory.size() * sizeof(double);
        return static_cast<double*>(std::align(kPieceRoom * sizeof(double), 1, start, room));
    }

    /// The comparisons of the steps from `t` on, as far as there are such steps.
    void draw(RandomStream& random, std::int64_t t, std::span<std::uint32_t> chosen) const {
        const std::int64_t steps = std::clamp<std::int64_t>(m_settings.steps - t, 0, m_chunk);
        random.fillBelow(m_set.items().size(), chosen.first(static_cast<std::size_t>(steps * m_settings.batch)));
    }

    // Not inlined by force, the compiler takes a function that only fetches for one that does nothing, and drops it.
    [[gnu::always_inline]] void fetchAhead(const std::uint32_t* chosen) const {
        const std::uint32_t later = chosen[kItemsAhead];
        __builtin_prefetch(m_set.items().data() + later);
        __builtin_prefetch(m_slopes + later);
        const Comparison& c = m_set.items()[chosen[kRecordsAhead]];
        m_records.prefetch(c.i);
        m_records.prefetch(c.j);
        m_records.prefetch(c.k);
        if (!c.isTriplet()) {
            m_records.prefetch(c.l);
        }
    }

    /// `owed`: the dense terms of all steps so far, as a multiple of ∇F(x̃).
    void step(double owed, const std::uint32_t* chosen) const {
        // All gradients of a mini-batch belong to the same x, so they come before any of them moves it.
        double* update = m_updates;
        for (std::int64_t b = 0; b < m_settings.batch; ++b) {
            if (m_isFetched) {
                fetchAhead(chosen + b);
            }
            takeGradient(owed, chosen[b], update);
            update += updateStride();
        }
        update = m_updates;
        for (std::int64_t b = 0; b < m_settings.batch; ++b) {
            move(chosen[b], update);
            update += updateStride();
        }
    }

    template <int Size>
    using Map = typename Records::template PieceMap<Size>;

    /// Calls work(pair, size, piece of the update, piece of a record, of the other) for x_i − x_j (pair 0, near) and
    /// x_l − x_k (pair 1, far), piece by piece.
    template <class Work>
    void forBothPairs(const Comparison& c, double* update, Work&& work) const {
        m_records.forEachPiece(
            [&](auto size, double* i, double* j, double* l, double* k, Eigen::Index from) {
                constexpr Eigen::Index kSize = decltype(size)::value;
                work(std::integral_constant<int, 0>{}, size, Map<kSize>(update + 2 * from), i, j);
                work(std::integral_constant<int, 1>{}, size, Map<kSize>(update + 2 * from + kSize), l, k);
            },
            m_records.of(c.i), m_records.of(c.j), m_records.of(c.l), m_records.of(c.k));
    }

    /// near and far of ∇f_q(x) − ∇f_q(x̃), times bη w_q / b, pieces of both in turn.
    void takeGradient(double owed, std::uint32_t q, double* update) const {
        const Comparison& c = m_set.items()[q];
        Eigen::Array2d squares[2] = {{0, 0}, {0, 0}}; // of each pair, still in two parts
        forBothPairs(c, update, [&](auto pair, auto size, auto piece, double* a, double* b) {
            constexpr Eigen::Index kSize = decltype(size)::value;
            using M = Map<kSize>;
            piece = (M(a) - M(b)) - owed * (M(a + 2 * kSize) - M(b + 2 * kSize));
            squares[pair] += Records::folded(piece.square().eval());
        });
        const Slopes now = m_loss.slopes(squares[0].sum(), squares[1].sum());
        const Slopes& then = m_slopes[q];
        // ∂d²(a,b)/∂x_a = 2 (x_a − x_b).
        const double factor = 2 * m_settings.step * m_set.relativeWeight(q);
        const double at[2] = {factor * now.near, factor * now.far};
        const double before[2] = {factor * then.near, factor * then.far};
        forBothPairs(c, update, [&](auto pair, auto size, auto piece, double* a, double* b) {
            constexpr Eigen::Index kSize = decltype(size)::value;
            using M = Map<kSize>;
            piece = at[pair] * piece - before[pair] * (M(a + kSize) - M(b + kSize));
        });
    }

    void move(std::uint32_t q, double* update) const {
        const Comparison& c = m_set.items()[q];
        const bool isTriplet = c.isTriplet();
        m_records.forEachPiece(
            [&](auto size, double* i, double* j, double* l, double* k, Eigen::Index from) {
                constexpr Eigen::Index kSize = decltype(size)::value;
                using M = Map<kSize>;
                const M near(update + 2 * from);
                const M far(update + 2 * from + kSize);
                if (isTriplet) {
                    M(i) -= near + far;
                } else {
                    M(i) -= near;
                    M(l) -= far;
                }
                M(j) += near;
                M(k) += far;
            },
            m_records.of(c.i), m_records.of(c.j), m_records.of(c.l), m_records.of(c.k));
    }

    const ComparisonSet& m_set;
    Loss m_loss;
    const Slopes* m_slopes;
    InnerLoopSettings m_settings;
    InnerLoopScratch& m_scratch;
    Records m_records;
    double m_dense;       ///< bη
    std::int64_t m_chunk; ///< steps whose comparisons are drawn at once
    bool m_isFetched;     ///< ahead of its turn: what does not stay in a cache near to the core anyway
    double* m_updates = nullptr;
};

} // namespace lambdascope::ordinal
