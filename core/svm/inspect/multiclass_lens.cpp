// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/inspect/multiclass_lens.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope::svm {

namespace {

const MulticlassWarmStart& solutionsOf(const PointReport& report) {
    return dynamic_cast<const MulticlassWarmStart&>(*report.warmStart);
}

} // namespace

MulticlassLens::MulticlassLens(const PreparedMulticlass& prepared, std::size_t lane)
    : SampleInspector([&prepared, lane] { return std::make_unique<MulticlassTask>(prepared, lane); }, prepared.seed()),
      m_prepared(prepared), m_lane(lane), m_openedPoints(prepared.parts().size(), 0) {
    m_first.push_back(0);
    for (const ClassPart& part : prepared.parts()) {
        m_first.push_back(m_first.back() + part.items());
        auto lens = part.prepared->makeLens(lane);
        m_parts.emplace_back(&dynamic_cast<SvmLens&>(*lens));
        (void)lens.release(); // m_parts has it
    }
}

MulticlassLens::Place MulticlassLens::placeOf(std::int64_t item) const {
    const auto after = std::upper_bound(m_first.begin(), m_first.end(), item);
    const auto part = static_cast<std::size_t>(after - m_first.begin() - 1);
    return {part, static_cast<SampleIndex>(item - m_first[part])};
}

const SvmProblem& MulticlassLens::problemOf(std::size_t part) const {
    return m_prepared.parts()[part].prepared->problem();
}

Result<SvmLens*> MulticlassLens::openedLens(std::size_t part, const std::stop_token& stop) {
    SvmLens& lens = *m_parts[part];
    if (m_openedPoints[part] != path().size()) {
        std::vector<double> values;
        for (const RecomputedPoint& point : path()) {
            values.push_back(point.axisValue);
        }
        if (auto placed = lens.computeAt(std::move(values)); !placed) {
            return Failure{placed.error()};
        }
        if (auto opened = lens.open(0, {}, stop); !opened) {
            return Failure{opened.error()};
        }
        m_openedPoints[part] = path().size();
    }
    return &lens;
}

Result<ItemExplanation> MulticlassLens::explain(std::int64_t item, std::int32_t point, std::stop_token stop) {
    if (auto checked = checkPlace(item, point); !checked) {
        return Failure{checked.error()};
    }
    const Place place = placeOf(item);
    const auto lens = openedLens(place.part, stop);
    if (!lens) {
        return Failure{lens.error()};
    }
    auto why = (*lens)->explain(place.sample, point, stop);
    if (why) {
        why->item = item;
        why->title = titleOf(item);
    }
    return why;
}

std::vector<std::int64_t> MulticlassLens::itemsOfRow(std::int64_t row) const {
    std::vector<std::int64_t> found;
    for (std::size_t p = 0; p < m_parts.size(); ++p) {
        const std::vector<Eigen::Index>& rows = m_prepared.parts()[p].rows;
        if (rows.empty()) {
            found.push_back(m_first[p] + row);
        } else if (const auto at = std::lower_bound(rows.begin(), rows.end(), row); at != rows.end() && *at == row) {
            found.push_back(m_first[p] + (at - rows.begin()));
        }
    }
    return found;
}

Result<ItemSet> MulticlassLens::itemsOf(const ItemSet& samples, std::stop_token /*stop*/) {
    ItemSet found(items());
    samples.visit([&](std::int64_t row) {
        for (const std::int64_t item : itemsOfRow(row)) {
            found.insert(item);
        }
    });
    return found;
}

Result<ItemSet> MulticlassLens::samplesOf(const ItemSet& items, std::stop_token /*stop*/) {
    ItemSet found(m_prepared.data().rows());
    items.visit([&](std::int64_t item) {
        const Place place = placeOf(item);
        found.insert(m_prepared.parts()[place.part].rowOf(place.sample));
    });
    return found;
}

NotableItem MulticlassLens::notable(std::int64_t item, Decision decision, const PointReport& report) const {
    const Place place = placeOf(item);
    return {item,
            {},
            SvmSamples::nameOf(decision),
            slackAt(problemOf(place.part), solutionsOf(report).solution(place.part), decision, place.sample)};
}

std::string MulticlassLens::titleOf(std::int64_t item) const {
    const Place place = placeOf(item);
    const ClassPart& part = m_prepared.parts()[place.part];
    const auto row = static_cast<std::size_t>(part.rowOf(place.sample));
    std::string title = "sample " + std::to_string(item) + ", row " + std::to_string(row); // the number comes first
    if (!data().rowNames().empty()) {
        title += " " + data().rowNames()[row];
    }
    return title + (problemOf(place.part).y()(place.sample) > 0 ? " (+) of " : " (−) of ") + part.name;
}

bool MulticlassLens::screens() const {
    return !m_prepared.parts().front().prepared->lane(m_lane).settings.bounds.empty();
}

Result<void> MulticlassLens::auditPoint(const PathPoint& point, const PointReport& report, const Decisions& decisions,
                                        AuditReport& sum, const std::stop_token& stop) {
    std::vector<std::int64_t> possible = {0, 0};
    if (!screens() && report.bounds.hasLower()) { // nothing was decided, and the values prove themselves
        sum.proven.push_back({point.index, {}, SvmLens::limitsOf(possible)});
        return {};
    }
    std::vector<ValueBounds> values;
    for (std::size_t p = 0; p < m_parts.size(); ++p) {
        const std::span<const Decision> own(decisions.data() + m_first[p],
                                            static_cast<std::size_t>(m_first[p + 1] - m_first[p]));
        auto found = m_parts[p]->audited(solutionsOf(report).solution(p), own, stop);
        if (!found) {
            return Failure{found.error()};
        }
        sum.noteGap(found->gap, point.index);
        DecisionAudit& audit = found->audit;
        audit.closest += audit.closest >= 0 ? m_first[p] : 0;
        for (std::string& example : audit.examples) {
            example = m_prepared.parts()[p].name + ": " + example;
        }
        sum.add(audit, point.index);
        values.push_back(found->value);
        for (std::size_t set = 0; set < possible.size(); ++set) {
            possible[set] += audit.possible[set];
        }
    }
    sum.proven.push_back({point.index, ValueBounds::sumOf(values), SvmLens::limitsOf(possible)});
    return {};
}

std::string MulticlassLens::certificateObstacle() const {
    return "several classes, which are a problem for each of their " + m_replay.description().parts.noun;
}

Result<CertifiedPoint> MulticlassLens::certifiedPoint(const PointReport& /*report*/, const Decisions& /*decisions*/,
                                                      double /*axisValue*/, const std::stop_token& /*stop*/) {
    return Failure{plainError(ErrorCode::BadUsage, certificateObstacle())};
}

/// The first class and all others.
Eigen::VectorXd MulticlassLens::sides() const {
    Eigen::VectorXd sides(data().rows());
    for (Eigen::Index i = 0; i < sides.size(); ++i) {
        sides(i) = data().labels()[static_cast<std::size_t>(i)] == 0 ? 1 : -1;
    }
    return sides;
}

Result<DecisionPlane> MulticlassLens::drawPlane(std::int32_t /*point*/, const PlaneAxes& /*axes*/,
                                                const std::stop_token& /*stop*/, StopCheck& /*stopCheck*/) {
    return Failure{singleFault(ErrorCode::BadUsage, {"problem.classes",
                                                     "planes are drawn of one problem, and several classes have "
                                                     "several of them",
                                                     "Run the experiment with classes \"two\".",
                                                     {}})};
}

Result<std::shared_ptr<const WarmStart>> MulticlassLens::solutionsAt(std::int32_t point, const std::stop_token& stop) {
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    return m_replay.solution(point, stop);
}

Result<std::string> MulticlassLens::exportModel(std::int32_t point, std::stop_token stop) {
    const auto solutions = solutionsAt(point, stop);
    if (!solutions) {
        return Failure{solutions.error()};
    }
    return libsvmModelOfPairs(m_prepared, dynamic_cast<const MulticlassWarmStart&>(**solutions).solutions());
}

Result<Predictions> MulticlassLens::predict(std::int32_t point, const Dataset& rows, std::stop_token stop) {
    if (isPrecomputed()) {
        return Failure{
            singleFault(ErrorCode::BadUsage, {"problem.kernel",
                                              "a precomputed kernel says nothing of rows that are not in its matrix",
                                              "Run the experiment with a linear, RBF or polynomial kernel.",
                                              {}})};
    }
    const auto solutions = solutionsAt(point, stop);
    if (!solutions) {
        return Failure{solutions.error()};
    }
    StopCheck stopCheck([stop] { return stop.stop_requested(); });
    const auto solved = dynamic_cast<const MulticlassWarmStart&>(**solutions).solutions();
    const std::vector<std::int32_t> classes = m_prepared.classesOf(m_prepared.values(solved, rows, stopCheck));
    if (stopCheck.isStopped()) {
        return stopped();
    }
    return Predictions{data().classNames(),
                       classes,
                       {},
                       m_prepared.isOfPairs() ? "the votes of pairs of classes" : "the largest f of a class"};
}

} // namespace lambdascope::svm
