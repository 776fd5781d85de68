// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/random_stream.h"
#include "core/common/work_poll.h"
#include "core/ordinal/comparison_set.h"
#include "core/ordinal/inner_loop.h"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace lambdascope::ordinal {

/// The inner loop of SVRG with a lazy dense term, see runInnerLoop(). What belongs to an object lies together, x | x̃ |
/// ∇F | count of dense terms taken, each part padded by zeros to Width numbers: a comparison touches three or four such
/// records and nothing else, and the ones to come are fetched ahead.
template <class Loss, int Width>
class LazyLoop {
  public:
    /// Numbers per part for p dimensions; 0 for what is known at run time only.
    LazyLoop(const ComparisonSet& set, const Loss& loss, const Snapshot& snapshot, const InnerLoopSettings& settings,
             InnerLoopScratch& scratch)
        : m_set(set), m_loss(loss), m_slopes(snapshot.slopes.data()), m_settings(settings), m_scratch(scratch),
          m_width(Width > 0 ? Width : snapshot.points.cols()), m_stride((3 * m_width + 8) / 8 * 8),
          m_dense(static_cast<double>(settings.batch) * settings.step) {
        pack(snapshot);
        const auto batch = static_cast<std::size_t>(settings.batch);
        m_scratch.updates.resize(2 * static_cast<std::size_t>(m_width) * batch);
        m_scratch.chosen.resize(batch * kAhead);
    }

    /// Leaves the last iterate in `x`. False when `poll` asked to stop.
    bool run(RandomStream& random, Points& x, WorkPoll& poll) {
        const std::int64_t work = m_settings.batch * (16 * m_width + 50);
        const std::int64_t block = std::max<std::int64_t>(1, WorkPoll::kOperationsPerQuestion / (8 * work));
        for (std::int64_t t = 0; t < std::min<std::int64_t>(kAhead, m_settings.steps); ++t) {
            draw(t, random);
        }
        for (std::int64_t t = 0; t < m_settings.steps; ++t) {
            if (t % block == 0 && poll.spend(std::min(block, m_settings.steps) * work)) {
                return false;
            }
            step(static_cast<double>(t), chosenAt(t));
            if (t + kAhead < m_settings.steps) {
                draw(t + kAhead, random);
            }
        }
        for (Eigen::Index row = 0; row < x.rows(); ++row) {
            double* const record = recordOf(static_cast<ObjectIndex>(row));
            catchUp(record, static_cast<double>(m_settings.steps));
            std::copy_n(record, x.cols(), x.data() + row * x.cols());
        }
        return true;
    }

  private:
    /// Steps whose comparisons are drawn, and fetched, before their turn.
    static constexpr std::int64_t kAhead = 8;

    static constexpr int kSize = Width > 0 ? Width : Eigen::Dynamic;
    using Part = Eigen::Matrix<double, kSize, 1>;
    using PartMap = Eigen::Map<Part>;

    [[nodiscard]] PartMap part(double* start) const { return PartMap(start, width()); }
    [[nodiscard]] Eigen::Index width() const { return Width > 0 ? Width : m_width; }
    [[nodiscard]] Eigen::Index stride() const { return Width > 0 ? (3 * Width + 8) / 8 * 8 : m_stride; }
    [[nodiscard]] double* recordOf(ObjectIndex object) const { return m_records + object * stride(); }
    [[nodiscard]] std::size_t* chosenAt(std::int64_t t) {
        return m_scratch.chosen.data() + static_cast<std::size_t>(t % kAhead * m_settings.batch);
    }

    void pack(const Snapshot& snapshot) {
        constexpr std::size_t kLine = 64;
        const Eigen::Index p = snapshot.points.cols();
        const Eigen::Index objects = snapshot.points.rows();
        m_scratch.records.assign(static_cast<std::size_t>(objects * stride()) + kLine / sizeof(double), 0.0);
        void* start = m_scratch.records.data();
        std::size_t room = m_scratch.records.size() * sizeof(double);
        m_records = static_cast<double*>(std::align(kLine, 1, start, room));
        for (Eigen::Index row = 0; row < objects; ++row) {
            double* const record = recordOf(static_cast<ObjectIndex>(row));
            std::copy_n(snapshot.points.data() + row * p, p, record);
            std::copy_n(snapshot.points.data() + row * p, p, record + width());
            std::copy_n(snapshot.gradient.data() + row * p, p, record + 2 * width());
        }
    }

    void draw(std::int64_t t, RandomStream& random) {
        std::size_t* const chosen = chosenAt(t);
        for (std::int64_t b = 0; b < m_settings.batch; ++b) {
            const std::size_t q = random.below(m_set.items().size());
            chosen[b] = q;
            const Comparison& c = m_set.items()[q];
            __builtin_prefetch(m_slopes + q);
            for (const ObjectIndex object : {c.i, c.j, c.k}) {
                const auto* const record = reinterpret_cast<const char*>(recordOf(object));
                for (std::size_t line = 0; line < static_cast<std::size_t>(stride()) * sizeof(double); line += 64) {
                    __builtin_prefetch(record + line);
                }
            }
        }
    }

    /// The record takes the dense terms of the steps it has not been looked at.
    void catchUp(double* record, double t) const {
        double& taken = record[3 * width()];
        if (taken == t) {
            return;
        }
        const double amount = (t - taken) * m_dense;
        part(record) -= amount * part(record + 2 * width());
        taken = t;
    }

    void step(double t, const std::size_t* chosen) {
        // All gradients of a mini-batch belong to the same x, so they come before any of them moves it.
        for (std::int64_t b = 0; b < m_settings.batch; ++b) {
            takeGradient(t, chosen[b], m_scratch.updates.data() + 2 * width() * b);
        }
        for (std::int64_t b = 0; b < m_settings.batch; ++b) {
            move(chosen[b], m_scratch.updates.data() + 2 * width() * b);
        }
    }

    /// near | far of ∇f_q(x) − ∇f_q(x̃), without the factor 2 of squared distances.
    void takeGradient(double t, std::size_t q, double* update) const {
        const Comparison& c = m_set.items()[q];
        double* const i = recordOf(c.i);
        double* const j = recordOf(c.j);
        double* const l = recordOf(c.l);
        double* const k = recordOf(c.k);
        catchUp(i, t);
        catchUp(j, t);
        catchUp(l, t);
        catchUp(k, t);
        const Eigen::Index w = width();
        PartMap near(update, w);
        PartMap far(update + w, w);
        near = part(i) - part(j);
        far = part(l) - part(k);
        const Slopes now = m_loss.slopes(near.squaredNorm(), far.squaredNorm());
        const Slopes& then = m_slopes[q];
        near = now.near * near - then.near * (part(i + w) - part(j + w));
        far = now.far * far - then.far * (part(l + w) - part(k + w));
    }

    void move(std::size_t q, double* update) const {
        const Comparison& c = m_set.items()[q];
        const double factor = 2 * m_settings.step * m_set.relativeWeight(q);
        double* const near = update;
        double* const far = update + width();
        double* const i = recordOf(c.i);
        double* const j = recordOf(c.j);
        double* const l = recordOf(c.l);
        double* const k = recordOf(c.k);
        if (c.isTriplet()) {
            part(i) -= factor * (part(near) + part(far));
        } else {
            part(i) -= factor * part(near);
            part(l) -= factor * part(far);
        }
        part(j) += factor * part(near);
        part(k) += factor * part(far);
    }

    const ComparisonSet& m_set;
    Loss m_loss;
    const Slopes* m_slopes;
    InnerLoopSettings m_settings;
    InnerLoopScratch& m_scratch;
    Eigen::Index m_width;
    Eigen::Index m_stride;
    double m_dense; ///< bη
    double* m_records = nullptr;
};

/// Calls `work` with the padded number of dimensions where that is known at compile time, else with 0.
template <class Work>
decltype(auto) withWidth(Eigen::Index p, Work&& work) {
    if (p <= 2) {
        return work(std::integral_constant<int, 2>{});
    }
    if (p <= 4) {
        return work(std::integral_constant<int, 4>{});
    }
    if (p > 8 && p <= 12) {
        return work(std::integral_constant<int, 12>{});
    }
    return work(std::integral_constant<int, 0>{});
}

} // namespace lambdascope::ordinal
