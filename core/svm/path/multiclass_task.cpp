// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/path/multiclass_task.h"

#include "core/common/number_text.h"
#include "core/common/state_archive.h"
#include "core/run/part_events.h"
#include "core/svm/path/prepared_multiclass.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

namespace lambdascope::svm {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// Columns of two classes that several have not: there is no one f whose ranking or bias could be told.
bool isOfTwoClasses(const ColumnDescription& column) {
    return column.role == ColumnRole::HeldOutMeasure || column.key == "bias";
}

/// Whether a column says where the point is, not what came out there.
bool isPlace(const ColumnDescription& column) {
    return column.role == ColumnRole::Index || column.role == ColumnRole::Axis;
}

std::vector<ColumnDescription> without(std::vector<ColumnDescription> columns,
                                       bool (*isLeftOut)(const ColumnDescription&)) {
    std::erase_if(columns, isLeftOut);
    return columns;
}

double valueOf(const PointReport& report, const std::vector<ColumnDescription>& columns, std::string_view key) {
    return report.values[placeOfColumn(columns, key)];
}

} // namespace

std::vector<const SolvedSvm*> MulticlassWarmStart::solutions() const {
    std::vector<const SolvedSvm*> all;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        all.push_back(&solution(p));
    }
    return all;
}

double MulticlassWarmStart::bytes() const {
    double sum = 0;
    for (const auto& part : parts) {
        sum += part->bytes();
    }
    return sum;
}

/// Puts what a part decides among what all decide.
class MulticlassTask::PartObserver final : public ScreeningObserver {
  public:
    PartObserver(MulticlassTask& task, std::size_t first) : m_task(task), m_first(first) {}

    void checked(const ScreeningCheck& check) override {
        std::copy(check.decisions.begin(), check.decisions.end(),
                  m_task.m_decisions.begin() + static_cast<std::ptrdiff_t>(m_first));
        m_task.m_observer->checked({m_task.m_decisions});
    }

  private:
    MulticlassTask& m_task;
    std::size_t m_first;
};

MulticlassTask::MulticlassTask(const PreparedMulticlass& prepared, std::size_t lane) : m_prepared(prepared) {
    std::size_t first = 0;
    for (const ClassPart& part : prepared.parts()) {
        m_parts.push_back(std::make_unique<SvmTask>(*part.prepared, part.prepared->lane(lane)));
        m_observers.push_back(std::make_unique<PartObserver>(*this, first));
        first += static_cast<std::size_t>(part.items());
    }
    m_decisions.resize(first, Decision::Keep);
    m_ofPart = m_parts.front()->describe();
    m_columns = without(m_ofPart.columns, isOfTwoClasses);
}

MulticlassTask::~MulticlassTask() = default;

LaneDescription MulticlassTask::describe() const {
    LaneDescription description = m_ofPart;
    description.hasPlane = false;
    description.itemNoun = "samples of " + groupedText(std::ssize(m_parts)) + " problems";
    description.columns = m_columns;
    description.facts = m_prepared.facts(m_ofPart.facts);
    description.parts.noun = m_prepared.isOfPairs() ? "pairs of classes" : "classes";
    for (const ClassPart& part : m_prepared.parts()) {
        description.parts.names.push_back(part.name);
    }
    description.parts.columns = without(m_ofPart.columns, isPlace);
    return description;
}

void MulticlassTask::observe(MulticlassObserver* observer) {
    m_observer = observer;
    for (std::size_t p = 0; p < m_parts.size(); ++p) {
        m_parts[p]->observe(observer != nullptr ? m_observers[p].get() : nullptr);
    }
}

Result<PointReport> MulticlassTask::solvePoint(const PathPoint& point,
                                               const std::shared_ptr<const WarmStart>& warmStart, RunContext& context) {
    const auto* previous = dynamic_cast<const MulticlassWarmStart*>(warmStart.get());
    std::fill(m_decisions.begin(), m_decisions.end(), Decision::Keep);
    PartEvents events(m_parts.size());
    std::vector<PartEnd> ends;
    std::vector<PointReport> reports;
    auto warm = std::make_shared<MulticlassWarmStart>();
    for (std::size_t p = 0; p < m_parts.size(); ++p) {
        const RunContext::Diverted diverted(context, events.of(p));
        auto report = m_parts[p]->solvePoint(point, previous != nullptr ? previous->parts[p] : nullptr, context);
        if (!report || isInterruption(report->termination)) {
            return report;
        }
        warm->parts.push_back(report->warmStart);
        ends.push_back({valueOf(*report, m_ofPart.columns, "primal"), valueOf(*report, m_ofPart.columns, "gap"),
                        m_prepared.parts()[p].items()});
        reports.push_back(std::move(*report));
    }
    events.publish(point.index, ends, context);
    m_values.clear();
    for (const PointReport& report : reports) {
        m_values.push_back(report.values);
    }
    if (!context.wishes().measures) { // else evaluate() knows more
        publishParts(point.index, context);
    }
    PointReport sum = sumOf(reports);
    sum.warmStart = std::move(warm);
    return sum;
}

PointReport MulticlassTask::sumOf(const std::vector<PointReport>& parts) const {
    PointReport sum;
    sum.values.assign(m_columns.size(), 0.0);
    std::vector<ValueBounds> bounds;
    for (const PointReport& part : parts) {
        sum.termination = worse(sum.termination, part.termination);
        sum.decidableItems += part.decidableItems;
        sum.cpuSolve += part.cpuSolve;
        sum.cpuScreen += part.cpuScreen;
        bounds.push_back(part.bounds);
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            const double value = valueOf(part, m_ofPart.columns, m_columns[c].key);
            sum.values[c] = isPlace(m_columns[c]) ? value : sum.values[c] + value;
        }
    }
    sum.bounds = ValueBounds::sumOf(bounds);
    const auto value = [&](std::string_view key) -> double& { return sum.values[placeOfColumn(m_columns, key)]; };
    // An upper bound stays one.
    value("gap") *= 1 + static_cast<double>(parts.size()) * std::numeric_limits<double>::epsilon();
    for (const char* look : {"path", "final"}) {
        const std::string name = look;
        value(name + "_rate") =
            screeningRate(static_cast<std::int64_t>(value(name + "_R") + value(name + "_L")), sum.decidableItems);
    }
    return sum;
}

void MulticlassTask::publishParts(std::int32_t point, RunContext& context) const {
    PartsSolved parts;
    parts.pointIndex = point;
    for (const std::vector<double>& values : m_values) {
        for (std::size_t c = 0; c < values.size(); ++c) {
            if (!isPlace(m_ofPart.columns[c])) {
                parts.values.push_back(values[c]);
            }
        }
    }
    context.publish(std::move(parts));
}

PointEvaluation MulticlassTask::evaluate(const PathPoint& point, const PointReport& report, RunContext& context) {
    PointEvaluation evaluation;
    const auto* warm = dynamic_cast<const MulticlassWarmStart*>(report.warmStart.get());
    if (warm == nullptr) {
        return evaluation;
    }
    const std::vector<const SolvedSvm*> solved = warm->solutions();
    if (context.wishes().measures) {
        StopCheck stopCheck([&context] { return context.shouldStop(); });
        evaluation.measures.push_back(
            {placeOfColumn(m_columns, "test_error"), m_prepared.heldOutError(solved, stopCheck)});
        NullSink sink;
        RunContext ofParts(context.run(), sink, context.stopToken(), nullptr, {.measures = true}, context.seed());
        for (std::size_t p = 0; p < m_parts.size(); ++p) {
            PointReport own;
            own.warmStart = warm->parts[p];
            for (const MeasuredValue& measured : m_parts[p]->evaluate(point, own, ofParts).measures) {
                m_values[p][measured.column] = measured.value;
            }
        }
        publishParts(point.index, context);
    }
    const std::int64_t numbers = std::max<std::int64_t>(solved.front()->weights.size(), m_prepared.data().rows());
    if (context.wishes().wantsSolution(numbers * std::ssize(m_parts))) {
        evaluation.solution = std::make_shared<const Solution>(solutionOf(solved));
    }
    return evaluation;
}

Solution MulticlassTask::solutionOf(const std::vector<const SolvedSvm*>& solved) const {
    const auto parts = std::ssize(m_parts);
    Solution solution;
    if (const Eigen::Index size = solved.front()->weights.size(); size > 0) { // first: what views show of a solution
        Eigen::MatrixXd weights(size, parts);
        for (Eigen::Index p = 0; p < parts; ++p) {
            weights.col(p) = solved[static_cast<std::size_t>(p)]->weights;
        }
        solution.push_back({"w", weights});
    }
    if (solved.front()->alpha.size() > 0) {
        solution.push_back({"coefficients", m_prepared.coefficients(solved)});
    }
    if (m_prepared.config().hasFreeBias()) {
        Eigen::VectorXd biases(parts);
        for (Eigen::Index p = 0; p < parts; ++p) {
            biases(p) = solved[static_cast<std::size_t>(p)]->bias;
        }
        solution.push_back({"b", biases});
    }
    return solution;
}

void MulticlassTask::transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& warmStart, RunContext& context) {
    const auto* given = dynamic_cast<const MulticlassWarmStart*>(warmStart.get());
    auto warm = std::make_shared<MulticlassWarmStart>();
    for (std::size_t p = 0; p < m_parts.size(); ++p) {
        std::shared_ptr<const WarmStart> own = given != nullptr ? given->parts[p] : nullptr;
        m_parts[p]->transfer(archive, own, context);
        warm->parts.push_back(std::move(own));
    }
    warmStart = std::move(warm);
}

} // namespace lambdascope::svm
