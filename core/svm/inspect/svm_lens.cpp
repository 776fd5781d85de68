// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/inspect/svm_lens.h"

#include "core/common/clocks.h"
#include "core/common/number_text.h"
#include "core/inspect/audit_report.h"
#include "core/inspect/function_observer.h"
#include "core/inspect/notable_items.h"
#include "core/inspect/plane_axes.h"
#include "core/svm/inspect/decision_audit.h"
#include "core/svm/inspect/libsvm_model.h"
#include "core/svm/inspect/plane_maker.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace lambdascope::svm {

namespace {

Failure stopped() {
    return Failure{plainError(ErrorCode::Stopped, "stopped while looking into the lane")};
}

const SolvedSvm& solutionOf(const PointReport& report) {
    return dynamic_cast<const SvmWarmStart&>(*report.warmStart).solution();
}

std::string nameOf(Decision decision) {
    switch (decision) {
    case Decision::Zero: return "R";
    case Decision::Full: return "L";
    default: return {};
    }
}

/// How far inside its set a sample of this margin lies, or how far from the edge between them when it stayed.
double slackOf(Decision set, double margin) {
    const double above = margin - 1;
    return set == Decision::Zero ? above : set == Decision::Full ? -above : std::abs(above);
}

/// What columns may say when so many samples may lie in R and in L.
std::vector<CountLimit> limitsOf(const std::vector<std::int64_t>& possible) {
    return {{"path_R", possible[0]}, {"final_R", possible[0]}, {"path_L", possible[1]}, {"final_L", possible[1]}};
}

using CheckObserver = FunctionObserver<ScreeningObserver, ScreeningCheck>;

PathReplay::Listen listenWith(ScreeningObserver& observer) {
    return [&observer](PathTask& task, bool isOn) { dynamic_cast<SvmTask&>(task).observe(isOn ? &observer : nullptr); };
}

} // namespace

SvmLens::SvmLens(const PreparedSvm& prepared, const Lane& lane, std::shared_ptr<AccuratePoints> accurate)
    : m_prepared(prepared), m_problem(prepared.problem()), m_lane(lane.settings),
      m_replay([&prepared, &lane] { return std::make_unique<SvmTask>(prepared, lane); }, prepared.seed()),
      m_accurate(std::move(accurate)) {}

Result<void> SvmLens::open(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) {
    return m_replay.walk(mostPoints, {}, {}, progress, stop);
}

Result<std::int64_t> SvmLens::findItem(const std::string& text) {
    return itemNumber(text, items(), "a sample");
}

Result<PointReport> SvmLens::replay(std::int32_t point, const OnCheck& observer, const std::stop_token& stop) {
    CheckObserver calling(observer);
    return m_replay.replay(point, listenWith(calling), {}, stop);
}

Result<std::shared_ptr<const SvmWarmStart>> SvmLens::reference(std::int32_t point, const std::stop_token& stop) {
    auto found = m_replay.solution(point, stop);
    if (!found) {
        return Failure{found.error()};
    }
    return std::dynamic_pointer_cast<const SvmWarmStart>(*found);
}

Result<ItemExplanation> SvmLens::explain(std::int64_t item, std::int32_t point, std::stop_token stop) {
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    if (item < 0 || item >= items()) {
        return Failure{plainError(ErrorCode::BadUsage, "there is no sample " + std::to_string(item))};
    }
    const auto i = static_cast<SampleIndex>(item);
    ItemExplanation why;
    // Rivals need ŝ, whether or not the lane's own tests do.
    Nc3Cut cut(m_problem);
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    const auto report = replay(
        point,
        [&](const ScreeningCheck& check) {
            ++why.checks;
            if (!why.set.empty()) {
                return;
            }
            why.set = nameOf(check.decisions[static_cast<std::size_t>(i)]);
            why.check = why.set.empty() ? -1 : check.check;
            why.iteration = check.sweep;
            why.used.clear();
            why.rivals.clear();
            ScreeningReference reference = check.reference;
            if (reference.path != nullptr && reference.cut == nullptr) {
                cut.update(*reference.path, reference.c, stopCheck);
                reference.cut = &cut;
            }
            for (const BoundKind kind : allBounds()) {
                const bool isOwn = std::find(m_lane.bounds.begin(), m_lane.bounds.end(), kind) != m_lane.bounds.end();
                if (const auto region = makeRegion(kind, m_problem, reference)) {
                    (isOwn ? why.used : why.rivals).push_back(region->explain(i));
                }
            }
        },
        stop);
    if (!report) {
        return Failure{report.error()};
    }
    if (stopCheck.isStopped()) {
        return stopped();
    }
    const SolvedSvm& solved = solutionOf(*report);
    why.item = item;
    why.title = sampleTitle(m_prepared, i);
    const double margin = solved.margins(i);
    why.facts = {{"f", "margin at the solution", margin},
                 {"‖z‖", "length of the sample", m_problem.norms()(i)},
                 {"Cω", "largest α", solved.c * m_problem.weights()(i)},
                 {"√gap", "distance of the solution to the optimum, at most", std::sqrt(solved.gap)}};
    if (solved.alpha.size() > 0) {
        why.facts.insert(why.facts.begin() + 1, {"α", "coefficient at the solution", solved.alpha(i)});
    }
    const bool isFree =
        solved.alpha.size() > 0 && solved.alpha(i) > 0 && solved.alpha(i) < solved.c * m_problem.weights()(i);
    why.trueSet = isFree ? "E" : margin > 1 ? "R" : margin < 1 ? "L" : "E";
    return why;
}

Result<PointReport> SvmLens::lastDecisions(std::int32_t point, std::vector<Decision>& decisions,
                                           const std::stop_token& stop) {
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    decisions.assign(static_cast<std::size_t>(items()), Decision::Keep);
    return replay(
        point, [&](const ScreeningCheck& check) { decisions.assign(check.decisions.begin(), check.decisions.end()); },
        stop);
}

Result<std::vector<NotableItem>> SvmLens::itemsOfSample(std::int64_t sample, std::int32_t point, std::size_t /*count*/,
                                                        std::stop_token stop) {
    if (sample < 0 || sample >= items()) {
        return Failure{plainError(ErrorCode::BadUsage, "there is no sample " + std::to_string(sample))};
    }
    std::vector<Decision> decisions;
    const auto report = lastDecisions(point, decisions, stop);
    if (!report) {
        return Failure{report.error()};
    }
    const auto i = static_cast<SampleIndex>(sample);
    const Decision set = decisions[static_cast<std::size_t>(sample)];
    const double slack = slackOf(set, solutionOf(*report).margins(i));
    return std::vector<NotableItem>{{sample, sampleTitle(m_prepared, i), nameOf(set), slack}};
}

Result<std::vector<NotableItem>> SvmLens::notableItems(std::int32_t point, std::size_t count, std::stop_token stop) {
    std::vector<Decision> decisions;
    const auto report = lastDecisions(point, decisions, stop);
    if (!report) {
        return Failure{report.error()};
    }
    const SolvedSvm& solved = solutionOf(*report);
    std::vector<NotableItem> result;
    for (const Decision set : {Decision::Zero, Decision::Full, Decision::Keep}) {
        std::vector<NotableItem> few;
        for (SampleIndex i = 0; i < m_problem.size(); ++i) {
            if (decisions[static_cast<std::size_t>(i)] == set) {
                few.push_back({i, {}, nameOf(set), slackOf(set, solved.margins(i))});
            }
        }
        addMostNotable(
            std::move(few), set == Decision::Keep, count / 3,
            [&](std::int64_t item) { return sampleTitle(m_prepared, static_cast<SampleIndex>(item)); }, result);
    }
    return result;
}

Result<void> SvmLens::auditPoint(const PathPoint& point, const PointReport& report, std::span<const Decision> decisions,
                                 AuditReport& sum, const std::stop_token& stop) {
    ++sum.points;
    if (m_lane.bounds.empty() && report.bounds.hasLower()) { // nothing was decided, and the values prove themselves
        sum.proven.push_back({point.index, {}, limitsOf({0, 0})});
        return {};
    }
    const SolvedSvm& solved = solutionOf(report);
    const auto tight = m_accurate->at(solved.c, solved.alpha.size() > 0 ? solved : m_prepared.bottom(), stop);
    if (tight == nullptr) {
        return stopped();
    }
    sum.noteGap(tight->solved.gap / std::max(1.0, std::abs(tight->primal.value)), point.index);
    const DecisionAudit audit = auditDecisions(m_problem, decisions, tight->solved);
    sum.add(audit, point.index);
    sum.proven.push_back(
        {point.index,
         ValueBounds::from(tight->primal.value, std::max(tight->primal.error, tight->dual.error), tight->solved.gap),
         limitsOf(m_lane.bounds.empty() ? std::vector<std::int64_t>{0, 0} : audit.possible)});
    return {};
}

Result<AuditReport> SvmLens::audit(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) {
    const double start = wallSeconds();
    AuditReport sum;
    sum.promisedGap = AccuratePoints::kPromisedGap;
    std::vector<Decision> decisions(static_cast<std::size_t>(items()), Decision::Keep);
    CheckObserver observer(
        [&](const ScreeningCheck& check) { decisions.assign(check.decisions.begin(), check.decisions.end()); });
    const auto visit = [&](const PathPoint& point, const PointReport& report) {
        auto audited = auditPoint(point, report, decisions, sum, stop);
        std::fill(decisions.begin(), decisions.end(), Decision::Keep);
        return audited;
    };
    if (auto seen = m_replay.visit(mostPoints, listenWith(observer), visit, progress, stop); !seen) {
        return Failure{seen.error()};
    }
    sum.seconds = wallSeconds() - start;
    return sum;
}

Result<DecisionPlane> SvmLens::plane(std::int32_t point, const PlaneAxes& axes, std::stop_token stop) {
    if (const std::string obstacle =
            planeObstacle(m_prepared.data(), m_prepared.config().kernel == KernelKind::Precomputed);
        !obstacle.empty()) {
        return Failure{plainError(ErrorCode::BadUsage, obstacle)};
    }
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    const auto chosen = chosenAxes(m_prepared.data(), m_prepared.problem().y(), axes);
    if (!chosen) {
        return Failure{chosen.error()};
    }
    std::vector<Decision> decisions(static_cast<std::size_t>(items()), Decision::Keep);
    PlaneEvidence evidence(m_lane.bounds);
    const auto report = replay(
        point,
        [&](const ScreeningCheck& check) {
            decisions.assign(check.decisions.begin(), check.decisions.end());
            evidence.take(check);
        },
        stop);
    if (!report) {
        return Failure{report.error()};
    }
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    DecisionPlane plane =
        PlaneMaker(m_prepared, *chosen)
            .make(dynamic_cast<const SvmWarmStart&>(*report->warmStart).solution(), decisions, evidence, stopCheck);
    if (stopCheck.isStopped()) {
        return Failure{plainError(ErrorCode::Stopped, "stopped while drawing the plane")};
    }
    return plane;
}

Result<std::string> SvmLens::exportModel(std::int32_t point, std::stop_token stop) {
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    const auto solution = reference(point, stop);
    if (!solution) {
        return Failure{solution.error()};
    }
    const auto model = libsvmModel(m_prepared, (*solution)->solution());
    return model ? Result<std::string>(writeLibsvmModel(*model)) : Failure{model.error()};
}

} // namespace lambdascope::svm
