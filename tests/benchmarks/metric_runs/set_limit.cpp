// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/metric_runs/set_limit.h"

#include "core/metric/path/prepared_metric.h"
#include "core/triplets/problem/counted_work.h"
#include "core/triplets/solver/lambda_max_solution.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace lambdascope::benchmarks {

namespace {

using triplets::Decision;
using triplets::TripletIndex;
using triplets::TripletStates;

/// λ that a set serves at most, and the work of an evaluation of it over that of all triplets from which on it does not
/// serve more.
constexpr std::size_t kMostPoints = 24;
constexpr double kHardlyLess = 0.9;
/// Relative gap of the solutions.
constexpr double kAccuracy = 1e-9;

/// What is read and written of a set, in rows, groups of four and other-class neighbours.
struct SetSize {
    std::int64_t rows = 0;
    std::int64_t groups = 0;
    std::int64_t columns = 0;
};

SetSize sizeOf(const triplets::TripletSet& set, const TripletStates& decided) {
    SetSize size;
    std::vector<std::uint64_t> used;
    for (triplets::RowIndex i = 0; i < set.rows(); ++i) {
        const std::int64_t others = set.otherCount(i);
        used.assign(static_cast<std::size_t>((others + 3) / 4), 0);
        for (std::int64_t s = 0; s < set.sameCount(i); ++s) {
            const TripletIndex first = set.tripletOffset(i) + s * others;
            const std::int64_t before = size.groups;
            for (std::int64_t o = 0; o < others; o += 4) {
                const std::uint64_t mask = (std::uint64_t{1} << std::min<std::int64_t>(4, others - o)) - 1;
                const std::uint64_t open =
                    ~(decided.bits(Decision::Zero, first + o) | decided.bits(Decision::Linear, first + o)) & mask;
                used[static_cast<std::size_t>(o / 4)] |= open;
                size.groups += open != 0 ? 1 : 0;
            }
            size.rows += size.groups > before ? 1 : 0;
        }
        size.columns += 4 * std::count_if(used.begin(), used.end(), [](std::uint64_t bits) { return bits != 0; });
    }
    return size;
}

/// `width`: numbers of a row that are read for the value of a pair; 0 where none is computed.
double workOfTaking(const SetSize& from, const SetSize& to, std::int64_t width) {
    const double values = width > 0 ? triplets::work::ofValues(from.rows + from.columns, width) : 0;
    return values + triplets::work::ofLook({from.rows, to.groups, from.columns, to.rows, to.groups});
}

/// What both say alike.
TripletStates commonOf(const TripletStates& one, const TripletStates& other) {
    TripletStates common(one.size());
    for (TripletIndex t = 0; t < one.size(); t += 64) {
        for (const Decision decision : {Decision::Zero, Decision::Linear}) {
            common.set(t, one.bits(decision, t) & other.bits(decision, t), decision);
        }
    }
    return common;
}

/// A set for some λ in a row.
struct SharedSet {
    SetSize size;
    std::vector<double> evaluations; ///< work of all evaluations of each λ
    double best = 0;                 ///< work of these λ where this set is at hand
};

/// A path whose solutions are known, with the sets that λ in a row may share.
class KnownPath {
  public:
    KnownPath(const metric::PreparedMetric& problem, std::size_t lane, const LaneMeasurement& oracle)
        : m_engine(problem.makeEngine(problem.lane(lane).solver.engine, 1)), m_set(*m_engine->productSets()),
          m_gamma(problem.gamma()), m_oracle(oracle) {
        solve(problem, problem.lane(lane).solver);
    }

    KnownSetWork work() {
        m_shared.resize(m_points.size());
        for (std::size_t first = 0; first < m_points.size(); ++first) {
            addSets(first);
        }
        return {workWith(0), workWith(m_set.features())};
    }

  private:
    /// Least counted work: first of the λ of each set, those that serve few λ before those that hold them; then of the
    /// whole path, where all triplets are at hand.
    double workWith(std::int64_t width) {
        const std::size_t count = m_points.size();
        m_width = width;
        for (std::size_t length = 1; length <= kMostPoints; ++length) {
            for (std::size_t first = 0; first < count; ++first) {
                if (length <= m_shared[first].size()) {
                    SharedSet& set = m_shared[first][length - 1];
                    set.best = cheapest(set, first);
                }
            }
        }
        m_engine->activateAll();
        SharedSet all{sizeOf(m_set, TripletStates(m_set.triplets())), {}, 0};
        for (std::size_t at = 0; at < count; ++at) {
            all.evaluations.push_back(workAt(at));
        }
        double rest = 0; // beside evaluations
        for (std::size_t at = 0; at < count; ++at) {
            const MeasuredPoint& known = m_oracle.points[at];
            rest += known.countedWork - static_cast<double>(known.evaluations) * known.evaluationWork;
        }
        return cheapest(all, 0) + rest;
    }

    void solve(const metric::PreparedMetric& problem, const triplets::SolverConfig& config) {
        triplets::PointSolver solver(*m_engine, {},
                                     {.gamma = m_gamma,
                                      .tolerance = kAccuracy,
                                      .toleranceKind = config.toleranceKind,
                                      .maxIterations = config.maxIterations,
                                      .method = triplets::MethodKind::Automatic});
        NullSink sink;
        RunContext context(RunId{0}, sink);
        const triplets::LambdaMaxSolution& top = problem.top();
        triplets::SolvedPoint last = triplets::topPoint(top, std::max(m_oracle.points.front().lambda, top.lambdaMax),
                                                        m_gamma, *m_engine, m_never);
        for (const MeasuredPoint& point : m_oracle.points) {
            last = solver.solve(point.lambda, last, static_cast<std::int32_t>(m_points.size()), context).solved;
            m_points.push_back(last.point);
        }
        for (const triplets::MetricPoint& point : m_points) {
            TripletStates states(m_set.triplets());
            triplets::Region region;
            region.sphere.centre = point.matrix;
            triplets::ScreenedPart part;
            m_engine->activateAll();
            m_engine->record(&states);
            (void)m_engine->screen({&region, 1}, m_gamma, m_never, part);
            m_engine->record(nullptr);
            m_states.push_back(std::move(states));
        }
    }

    /// All evaluations at a λ, of the active triplets.
    double workAt(std::size_t at) {
        const double before = m_engine->countedWork();
        triplets::LossTotals totals;
        (void)m_engine->evaluate(m_points[at], m_gamma, m_never, totals);
        const MeasuredPoint& known = m_oracle.points[at];
        const double work = std::max(m_engine->countedWork() - before, known.evaluationWork);
        return static_cast<double>(known.evaluations) * work;
    }

    void addSets(std::size_t first) {
        TripletStates decided = m_states[first];
        m_engine->activateAll();
        const double whole = workAt(first);
        for (std::size_t length = 1; length <= kMostPoints && first + length <= m_points.size(); ++length) {
            decided = length == 1 ? decided : commonOf(decided, m_states[first + length - 1]);
            triplets::ScreenedPart part;
            (void)m_engine->ranges()->activateExcept(decided, m_never, part);
            SharedSet set{sizeOf(m_set, decided), {}, 0};
            for (std::size_t at = 0; at < length; ++at) {
                set.evaluations.push_back(workAt(first + at));
            }
            const bool isLast = set.evaluations.front() > kHardlyLess * whole;
            m_shared[first].push_back(std::move(set));
            if (isLast) {
                return;
            }
        }
    }

    /// The least work of the λ of a set: by it, or by smaller ones for some of them.
    [[nodiscard]] double cheapest(const SharedSet& set, std::size_t first) const {
        const std::size_t count = set.evaluations.size();
        std::vector<double> best(count + 1, std::numeric_limits<double>::infinity());
        best[0] = 0;
        for (std::size_t at = 0; at < count; ++at) {
            best[at + 1] = std::min(best[at + 1], best[at] + set.evaluations[at]);
            const std::vector<SharedSet>& smaller = m_shared[first + at];
            for (std::size_t length = 1; length <= smaller.size() && at + length <= count; ++length) {
                if (length < count) {
                    const SharedSet& part = smaller[length - 1];
                    best[at + length] =
                        std::min(best[at + length], best[at] + workOfTaking(set.size, part.size, m_width) + part.best);
                }
            }
        }
        return best[count];
    }

    std::unique_ptr<triplets::Engine> m_engine;
    const triplets::TripletSet& m_set;
    double m_gamma;
    const LaneMeasurement& m_oracle;
    StopCheck m_never;
    std::int64_t m_width = 0; ///< see workOfTaking
    std::vector<triplets::MetricPoint> m_points;
    std::vector<TripletStates> m_states;          ///< what each solution decides
    std::vector<std::vector<SharedSet>> m_shared; ///< by first λ, then by number of λ
};

} // namespace

KnownSetWork workOfKnownSets(const metric::PreparedMetric& problem, std::size_t lane, const LaneMeasurement& oracle) {
    return KnownPath(problem, lane, oracle).work();
}

} // namespace lambdascope::benchmarks
