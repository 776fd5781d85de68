// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/solver/point_screening.h"

#include "core/common/clocks.h"
#include "core/triplets/engines/lasting_decisions.h"
#include "core/triplets/problem/counted_work.h"
#include "core/triplets/screening/path_ball.h"
#include "core/triplets/screening/sphere_bounds.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::triplets {

namespace {

/// Radius of a ball round the point, over that of its gap's, that lies in what lasts where a ball of the lane may,
/// about.
constexpr double kInnerRadius = 0.5;
/// Evaluations of an item, for each dimension, that judging it by more than a ball takes, and the share of the items
/// that a ball leaves which that may decide.
constexpr double kEvaluationsByCone = 60;
constexpr double kSparedByCone = 0.5;
/// Share of an evaluation that a ball for a forecast may take.
constexpr double kForecastShare = 0.02;

} // namespace

bool PointScreening::decide(BoundReference reference, std::int32_t check, std::int64_t iteration,
                            ScreeningObserver* observer, const std::function<bool()>& goesOn) {
    m_radius = std::numeric_limits<double>::infinity();
    if (reference.path.point != nullptr && !useRanges(reference.path, reference.lambda)) {
        return false;
    }
    DualPoint dual;
    const bool wantsDual = needsDualPoint();
    if (wantsDual && !m_objective.dualPoint(*reference.totals, m_settings.gamma, dual)) {
        return false;
    }
    if (!wantsDual && observer != nullptr && !dualPointAside(*reference.totals, dual)) {
        return false; // who watches wants to hear of all bounds
    }
    reference.dual = dual.point.matrix.size() > 0 ? &dual : nullptr;
    const TripletIndex decided = m_objective.screened.decided();
    const double workBefore = m_engine.countedWork();
    std::vector<Region> regions;
    bool done = true;
    if (mayRecallAt(reference)) {
        regions = regionsOf(reference);
        done = m_lasting->recall(regions, m_settings.gamma, m_stopCheck, m_objective.screened);
    }
    const bool recalled = m_objective.screened.decided() > decided;
    const bool looks = done && goesOn();
    if (looks) {
        if (regions.empty()) {
            regions = regionsOf(reference);
        }
        done = m_engine.screen(regions, m_settings.gamma, m_stopCheck, m_objective.screened);
    }
    m_objective.ledger().work += m_engine.countedWork() - workBefore;
    if (!done) {
        return false;
    }
    if (!looks && m_objective.screened.decided() == decided) {
        return true; // nothing happened
    }
    // A ball that was judged by lies in the capsule of what was recalled.
    m_lastRecalled = recalled && !looks;
    m_hasRecalled = m_hasRecalled || m_lastRecalled;
    if (m_objective.screened.decided() > decided) {
        m_certificate.add(m_lastRecalled ? std::span<const Region>() : std::span<const Region>(regions));
    }
    if (observer != nullptr) {
        const CpuCharge watching(m_cpuWatching);
        observer->checked({check, iteration, reference, std::span<const Region>(regions)});
    }
    return true;
}

LookForecast PointScreening::forecast(const Capsule& capsule) {
    const double before = m_engine.countedWork();
    const LookForecast found = m_engine.forecast(capsule, m_settings.gamma);
    m_objective.ledger().work += m_engine.countedWork() - before;
    return found;
}

LookForecast PointScreening::forecast(const BoundReference& reference) {
    std::optional<Sphere> ball;
    const auto offer = [&ball](Sphere other) {
        if (!ball || other.radius < ball->radius) {
            ball = std::move(other);
        }
    };
    const Eigen::Index size = reference.point->matrix.rows();
    const double ofEigen = isDiagonal(reference.point->matrix) ? 0 : work::ofEigen(size);
    for (const auto& bound : m_bounds) {
        const double cost = bound->decompositions() * ofEigen;
        const bool isDear = bound->needsDualPoint() || cost > kForecastShare * m_objective.wholeVisit;
        offer(isDear ? dualityGapBound(reference) : bound->sphere(reference));
        m_objective.ledger().work += isDear ? 0 : cost;
    }
    return forecast(Capsule{ball->centre, {}, ball->radius});
}

bool PointScreening::mayRecallAt(const BoundReference& reference) const {
    if (m_settings.schedule == ScheduleKind::Every || !hasLasting()) {
        return hasLasting();
    }
    Region inner;
    inner.sphere = dualityGapBound(reference);
    inner.sphere.radius *= kInnerRadius;
    return m_lasting->lastsIn({&inner, 1}, m_settings.gamma);
}

std::vector<Region> PointScreening::regionsOf(const BoundReference& reference) {
    std::vector<Region> regions = makeRegions(m_bounds, ruleToJudgeBy(reference.point->matrix.rows()), reference);
    countBalls(reference.point->matrix);
    if (m_settings.schedule == ScheduleKind::Auto) {
        // Balls of about one size decide about the same: what a second one adds does not pay for judging by it.
        const auto smallest = std::min_element(regions.begin(), regions.end(), [](const Region& a, const Region& b) {
            return a.sphere.radius < b.sphere.radius;
        });
        std::iter_swap(regions.begin(), smallest);
        regions.resize(1);
    }
    for (const Region& region : regions) {
        m_radius = std::min(m_radius, region.sphere.radius);
    }
    return regions;
}

RuleKind PointScreening::ruleToJudgeBy(Eigen::Index size) const {
    const bool isDear = m_settings.rule == RuleKind::Semidefinite || m_settings.rule == RuleKind::Analytic;
    if (!isDear || m_isFree || m_settings.schedule == ScheduleKind::Every) {
        return m_settings.rule;
    }
    const double cost = kEvaluationsByCone * static_cast<double>(size);
    return kSparedByCone * m_visits >= cost ? m_settings.rule : RuleKind::Sphere;
}

bool PointScreening::trustAt(const MetricPoint& point) {
    if (!lastsAt(point)) {
        return false;
    }
    m_lasting->takeLasting(m_objective.screened);
    m_trusts = true;
    return true;
}

bool PointScreening::makeLasting(const Capsule& capsule) {
    const double before = m_engine.countedWork();
    const bool done = m_lasting->makeLasting(capsule, m_settings.gamma, m_stopCheck);
    m_objective.ledger().work += m_engine.countedWork() - before;
    return done;
}

bool PointScreening::narrow(const Capsule& capsule) {
    m_beforeNarrow.zero = m_objective.screened.zero;
    m_beforeNarrow.linear = m_objective.screened.linear;
    const double before = m_engine.countedWork();
    m_trustsNarrow = m_lasting->narrow(capsule, m_settings.gamma, m_stopCheck, m_objective.screened);
    m_objective.ledger().work += m_engine.countedWork() - before;
    return m_trustsNarrow;
}

void PointScreening::retreatTo(const MetricPoint& point) {
    if (m_trustsNarrow) {
        m_lasting->widen(m_objective.screened);
        m_trustsNarrow = false;
    }
    if (isAstray(point)) {
        m_engine.activateAll();
        m_objective.screened = {};
        m_trusts = false;
    }
}

ScreenedPart PointScreening::proven() const {
    return m_trusts ? ScreenedPart() : m_trustsNarrow ? m_beforeNarrow : m_objective.screened;
}

bool PointScreening::prove(BoundReference reference, std::int32_t check, std::int64_t iteration,
                           ScreeningObserver* observer) {
    bool provesLasting = m_trusts;
    bool provesNarrow = m_trustsNarrow;
    const auto askBalls = [&](const std::vector<Region>& balls) {
        provesLasting = provesLasting && m_lasting->lastsIn(balls, m_settings.gamma);
        provesNarrow = provesNarrow && m_trusts == provesLasting &&
                       std::any_of(balls.begin(), balls.end(),
                                   [&](const Region& ball) { return m_lasting->narrowed()->holds(ball.sphere); });
        return provesLasting || provesNarrow;
    };
    // The ball of the gap tells at once where no ball of this point can lie in the capsule, about.
    std::vector<Region> balls(1);
    balls.front().sphere = dualityGapBound(reference);
    if (!askBalls(balls) || !askBalls(balls = regionsOf(reference))) {
        return true;
    }
    DualPoint dual;
    if ((provesLasting && !m_lasting->confirmLasting(m_settings.gamma, m_stopCheck)) ||
        (provesNarrow && !m_lasting->confirmNarrowed(m_settings.gamma, m_stopCheck)) ||
        (observer != nullptr && !dualPointAside(*reference.totals, dual))) {
        return false;
    }
    if (provesLasting) {
        m_trusts = false;
        m_hasRecalled = true;
        m_lastRecalled = true;
    }
    m_trustsNarrow = m_trustsNarrow && !provesNarrow;
    if (observer != nullptr) {
        reference.dual = dual.point.matrix.size() > 0 ? &dual : nullptr;
        const CpuCharge watching(m_cpuWatching);
        observer->checked({check, iteration, reference, std::span<const Region>(balls)});
    }
    return true;
}

void PointScreening::countBalls(const Eigen::MatrixXd& matrix) {
    if (!isDiagonal(matrix)) {
        int decompositions = m_settings.rule == RuleKind::Linear ? 1 : 0;
        for (const auto& bound : m_bounds) {
            decompositions += bound->decompositions();
        }
        m_objective.ledger().work += decompositions * work::ofEigen(matrix.rows());
    }
}

BoundReference PointScreening::referenceAt(const MetricPoint& point, const LossTotals& totals, double gap) const {
    BoundReference reference;
    reference.point = &point;
    reference.totals = &totals;
    reference.lambda = m_objective.lambda;
    reference.gamma = m_settings.gamma;
    reference.gap = gap;
    reference.stopCheck = &m_stopCheck;
    return reference;
}

bool PointScreening::takeOver(const SolvedPoint& known, ScreeningObserver* observer, double& cpu) {
    const CpuCharge charge(cpu);
    BoundReference reference = referenceAt(known.point, known.totals, known.gap);
    reference.gapDual = known.dual.pull.size() > 0 ? &known.dual : nullptr;
    const CpuLedger before = m_objective.ledger();
    m_isFree = true;
    const bool done = decide(reference, 0, 0, observer, [] { return true; });
    m_isFree = false;
    m_objective.ledger() = before;
    return done;
}

bool PointScreening::judgeByDistance(const BoundReference& reference, const SolvedPoint& known, double& cpu) {
    const CpuCharge charge(cpu);
    std::vector<Region> regions = makeRegions(m_bounds, RuleKind::Sphere, reference);
    regions.emplace_back().sphere.centre = reference.point->matrix;
    m_radius = std::numeric_limits<double>::infinity();
    for (Region& region : regions) {
        region.sphere = ballOfDistance(std::move(region.sphere.centre), pathReference(known));
        m_radius = std::min(m_radius, region.sphere.radius);
    }
    const TripletIndex decided = m_objective.screened.decided();
    const bool done = m_engine.screen(regions, m_settings.gamma, m_stopCheck, m_objective.screened);
    if (m_objective.screened.decided() > decided) {
        m_certificate.add(regions);
    }
    return done;
}

/// The dual point by an objective of its own, so that neither work nor time of it is in the ledger. It may lie outside
/// of a capsule that is trusted only round the iterates.
bool PointScreening::dualPointAside(const LossTotals& totals, DualPoint& dual) {
    const CpuCharge watching(m_cpuWatching);
    CpuLedger notCounted;
    ReducedObjective aside(m_engine, m_stopCheck, notCounted, m_objective.lambda);
    aside.smoothing = m_objective.smoothing;
    aside.screened = m_objective.screened;
    return aside.dualPoint(totals, m_settings.gamma, dual, m_trustsNarrow);
}

bool PointScreening::useRanges(const PathReference& path, double lambda) {
    if (m_ranges == nullptr) {
        return true;
    }
    m_certificate.spoil();
    // What earlier references still fix, and what this one fixes for λ to come.
    RangeScreening& engine = *m_engine.ranges();
    m_ranges->moveTo(lambda);
    const double workBefore = m_engine.countedWork();
    const bool done = engine.activateExcept(m_ranges->fixed(), m_stopCheck, m_objective.screened) &&
                      engine.screenRanges(PathBall(path, *m_settings.ranges, m_settings.gamma, &m_stopCheck), lambda,
                                          m_settings.gamma, m_stopCheck, *m_ranges, m_objective.screened);
    m_objective.ledger().work += m_engine.countedWork() - workBefore;
    return done;
}

} // namespace lambdascope::triplets
