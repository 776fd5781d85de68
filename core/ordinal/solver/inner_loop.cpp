// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/solver/inner_loop.h"

#include "core/ordinal/solver/lazy_loop.h"

namespace lambdascope::ordinal {

namespace {

/// Both differences of a comparison and their squared lengths.
template <int P>
struct Differences {
    double* near; ///< x_i − x_j
    double* far;  ///< x_l − x_k
    double nearSquared = 0;
    double farSquared = 0;

    void take(const Points& x, const Comparison& c) {
        const Eigen::Index p = P > 0 ? P : x.cols();
        const double* xi = x.data() + c.i * p;
        const double* xj = x.data() + c.j * p;
        const double* xl = x.data() + c.l * p;
        const double* xk = x.data() + c.k * p;
        nearSquared = 0;
        farSquared = 0;
        for (Eigen::Index d = 0; d < p; ++d) {
            near[d] = xi[d] - xj[d];
            far[d] = xl[d] - xk[d];
            nearSquared += near[d] * near[d];
            farSquared += far[d] * far[d];
        }
    }
};

/// Turns the differences at x into those of the gradients, without the factor 2 of squared distances:
/// near ← s_n (x_i − x_j) − s̃_n (x̃_i − x̃_j), and so for far.
template <int P>
void subtractSnapshot(const Differences<P>& at, const Slopes& now, const Slopes& then, const Points& snapshot,
                      const Comparison& c) {
    const Eigen::Index p = P > 0 ? P : snapshot.cols();
    const double* si = snapshot.data() + c.i * p;
    const double* sj = snapshot.data() + c.j * p;
    const double* sl = snapshot.data() + c.l * p;
    const double* sk = snapshot.data() + c.k * p;
    for (Eigen::Index d = 0; d < p; ++d) {
        at.near[d] = now.near * at.near[d] - then.near * (si[d] - sj[d]);
        at.far[d] = now.far * at.far[d] - then.far * (sl[d] - sk[d]);
    }
}

/// x −= factor · gradient rows given by near (rows i, j) and far (rows l, k).
template <int P>
void moveRows(double factor, const double* near, const double* far, Points& x, const Comparison& c) {
    const Eigen::Index p = P > 0 ? P : x.cols();
    double* xi = x.data() + c.i * p;
    double* xj = x.data() + c.j * p;
    double* xk = x.data() + c.k * p;
    if (c.isTriplet()) {
        for (Eigen::Index d = 0; d < p; ++d) {
            xi[d] -= factor * (near[d] + far[d]);
        }
    } else {
        double* xl = x.data() + c.l * p;
        for (Eigen::Index d = 0; d < p; ++d) {
            xi[d] -= factor * near[d];
        }
        for (Eigen::Index d = 0; d < p; ++d) {
            xl[d] -= factor * far[d];
        }
    }
    for (Eigen::Index d = 0; d < p; ++d) {
        xj[d] += factor * near[d];
    }
    for (Eigen::Index d = 0; d < p; ++d) {
        xk[d] += factor * far[d];
    }
}

/// The loop that moves all rows in every step of SVRG, and that of SGD, which has no dense term.
template <class Loss, int P, bool IsVarianceReduced>
class Loop {
  public:
    Loop(const ComparisonSet& set, const Loss& loss, const Snapshot* snapshot, const InnerLoopSettings& settings,
         Points& x, InnerLoopScratch& scratch)
        : m_set(set), m_loss(loss), m_snapshot(snapshot), m_settings(settings), m_x(x), m_scratch(scratch),
          m_p(P > 0 ? P : x.cols()), m_dense(static_cast<double>(settings.batch) * settings.step) {
        m_scratch.updates.resize(static_cast<std::size_t>(2 * m_p * settings.batch));
        m_scratch.chosen.resize(static_cast<std::size_t>(settings.batch));
    }

    bool run(RandomStream& random, StopCheck& stopCheck) {
        const std::int64_t work = m_settings.batch * (16 * m_p + 50) + (IsVarianceReduced ? 2 * m_x.size() : 0);
        const std::int64_t block = std::max<std::int64_t>(1, StopCheck::kOperationsPerQuestion / (8 * work));
        for (std::int64_t t = 0; t < m_settings.steps; ++t) {
            if (t % block == 0 && stopCheck.spend(std::min(block, m_settings.steps) * work)) {
                return false;
            }
            step(random);
        }
        return true;
    }

  private:
    void step(RandomStream& random) {
        random.fillBelow(m_set.items().size(), m_scratch.chosen);
        // All gradients of a mini-batch belong to the same x, so they come before any of them moves it.
        for (std::int64_t b = 0; b < m_settings.batch; ++b) {
            const std::size_t q = m_scratch.chosen[static_cast<std::size_t>(b)];
            const Comparison& c = m_set.items()[q];
            double* const room = m_scratch.updates.data() + 2 * m_p * b;
            Differences<P> at{room, room + m_p};
            at.take(m_x, c);
            const Slopes now = m_loss.slopes(at.nearSquared, at.farSquared);
            subtractSnapshot<P>(at, now, IsVarianceReduced ? m_snapshot->slopes[q] : Slopes{},
                                IsVarianceReduced ? m_snapshot->points : m_x, c);
        }
        if constexpr (IsVarianceReduced) {
            m_x.noalias() -= m_dense * m_snapshot->gradient;
        }
        for (std::int64_t b = 0; b < m_settings.batch; ++b) {
            const std::size_t q = m_scratch.chosen[static_cast<std::size_t>(b)];
            const double* const room = m_scratch.updates.data() + 2 * m_p * b;
            moveRows<P>(2 * m_settings.step * m_set.relativeWeight(q), room, room + m_p, m_x, m_set.items()[q]);
        }
    }

    const ComparisonSet& m_set;
    Loss m_loss;
    const Snapshot* m_snapshot;
    InnerLoopSettings m_settings;
    Points& m_x;
    InnerLoopScratch& m_scratch;
    Eigen::Index m_p;
    double m_dense; ///< bη
};

template <bool IsVarianceReduced>
bool runLoop(const Objective& objective, const Snapshot* snapshot, const InnerLoopSettings& settings,
             RandomStream& random, Points& x, InnerLoopScratch& scratch, StopCheck& stopCheck) {
    return withLoss(objective.model(), [&](const auto& loss) {
        return withDimension(x.cols(), [&](auto dimension) {
            using Loss = std::decay_t<decltype(loss)>;
            return Loop<Loss, decltype(dimension)::value, IsVarianceReduced>(objective.set(), loss, snapshot, settings,
                                                                             x, scratch)
                .run(random, stopCheck);
        });
    });
}

} // namespace

bool runInnerLoop(const Objective& objective, const Snapshot& snapshot, const InnerLoopSettings& settings,
                  RandomStream& random, Points& x, InnerLoopScratch& scratch, StopCheck& stopCheck) {
    if (settings.isLazy) {
        return withLoss(objective.model(), [&](const auto& loss) {
            return withRecords(x.cols(), [&](auto records) {
                using Loss = std::decay_t<decltype(loss)>;
                return LazyLoop<Loss, typename decltype(records)::type>(objective.set(), loss, snapshot, settings,
                                                                        scratch)
                    .run(random, x, stopCheck);
            });
        });
    }
    return runLoop<true>(objective, &snapshot, settings, random, x, scratch, stopCheck);
}

bool runSgdLoop(const Objective& objective, const InnerLoopSettings& settings, RandomStream& random, Points& x,
                InnerLoopScratch& scratch, StopCheck& stopCheck) {
    return runLoop<false>(objective, nullptr, settings, random, x, scratch, stopCheck);
}

} // namespace lambdascope::ordinal
