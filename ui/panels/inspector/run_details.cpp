// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/run_details.h"

#include "core/common/number_text.h"
#include "core/record/time_comparison.h"
#include "ui/panels/shared/setting_text.h"
#include "ui/session/runs/shown_runs.h"

#include <QCoreApplication>

#include <cmath>
#include <map>

namespace lambdascope {

namespace {

QString detailText(const char* source) {
    return QCoreApplication::translate("Inspector", source);
}

QString fromView(std::string_view view) {
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

QString percentText(double share) {
    return QStringLiteral("%1 %").arg(100 * share, 0, 'f', 1);
}

/// Snake-case keys of facts as words: "data_sha256" → "SHA-256 of the data", "kernel_bytes" → "Kernel, memory"; single
/// letters are symbols and stay as they are.
QString keyWords(const std::string& key) {
    static const std::map<std::string, QString> symbols = {
        {"gamma", detailText("γ")}, {"lambda_max", detailText("λ max")}, {"c_min", detailText("C min")}};
    if (const auto symbol = symbols.find(key); symbol != symbols.end()) {
        return symbol->second;
    }
    QString words = QString::fromStdString(key);
    words.replace(QLatin1Char('_'), QLatin1Char(' '));
    if (words.size() == 1 || words.startsWith(QLatin1String("n "))) {
        return words;
    }
    if (words.endsWith(QLatin1String(" sha256"))) {
        return detailText("SHA-256 of the %1").arg(words.chopped(7));
    }
    if (words.endsWith(QLatin1String(" bytes"))) {
        words = detailText("%1, memory").arg(words.chopped(6));
    }
    words[0] = words[0].toUpper();
    return words;
}

QString jsonText(const Json& value) {
    if (value.isText()) {
        return QString::fromStdString(value.get<std::string>());
    }
    if (value.isBoolean()) {
        return value.get<bool>() ? detailText("yes") : detailText("no");
    }
    if (value.isInteger()) {
        return QString::fromStdString(groupedText(value.get<std::int64_t>()));
    }
    if (value.isNumber()) {
        return QString::fromStdString(shortText(value.get<double>(), 6));
    }
    if (value.isArray()) {
        QStringList parts;
        for (const Json& element : value) {
            parts << jsonText(element);
        }
        return parts.isEmpty() ? detailText("none") : parts.join(QStringLiteral(", "));
    }
    return QString::fromStdString(value.dump());
}

QString factText(const std::string& key, const Json& value) {
    return key.ends_with("_bytes") && value.isNumber() ? QString::fromStdString(byteText(value.get<double>()))
                                                       : jsonText(value);
}

bool isAboutScreening(ColumnRole role) {
    return role == ColumnRole::PathRate || role == ColumnRole::FinalRate || role == ColumnRole::AfterRate ||
           role == ColumnRole::PathFixed || role == ColumnRole::FinalFixed || role == ColumnRole::AfterFixed ||
           role == ColumnRole::CpuScreen;
}

QString columnText(const RunRecord& record, const PointRecord& point, ColumnRole role) {
    const auto column = record.columnWithRole(role);
    return column && *column < point.values.size() ? valueText(record.start().columns[*column], point.values[*column])
                                                   : QString();
}

/// The finished point `index`; while the lane computes and is not there yet, its latest one, so that numbers do not
/// flicker as lanes take turns.
const PointRecord* pointNear(const RunRecord& record, int index) {
    const PointRecord* point = record.finishedPoint(index);
    const std::size_t count = record.finishedPointCount();
    if (point == nullptr && !record.hasEnded() && count > 0 && index > record.points()[count - 1].index) {
        return &record.points()[count - 1];
    }
    return point;
}

bool isScreened(const RunRecord& record, const PointRecord& point) {
    return !point.screenings.empty() || record.columnWithRole(ColumnRole::AfterRate);
}

/// The columns that one looks for first, or all others, without those that have no value here.
void addColumns(DetailGroup& group, const RunRecord& record, const PointRecord& point, bool areFirst) {
    const std::vector<ColumnDescription>& columns = record.start().columns;
    const auto isSecond = [](ColumnRole role) {
        return role == ColumnRole::CpuPart || role == ColumnRole::Wall || role == ColumnRole::SetSize ||
               role == ColumnRole::PathFixed || role == ColumnRole::FinalFixed || role == ColumnRole::AfterFixed ||
               role == ColumnRole::Other;
    };
    for (std::size_t i = 0; i < columns.size() && i < point.values.size(); ++i) {
        const bool isToBeSaid = isScreened(record, point) || !isAboutScreening(columns[i].role);
        if (isToBeSaid && isSecond(columns[i].role) != areFirst && !std::isnan(point.values[i])) {
            group.rows.emplace_back(QString::fromStdString(columns[i].label), valueText(columns[i], point.values[i]));
        }
    }
}

/// The lane as the resolved experiment has it, or null.
const Json* laneSettings(const RunStarted& start) {
    const auto lanes = start.experiment.find("lanes");
    if (lanes == start.experiment.end() || !lanes->isArray()) {
        return nullptr;
    }
    for (const Json& lane : *lanes) {
        if (lane.isObject() && lane.value("name", std::string()) == start.laneName) {
            return &lane;
        }
    }
    return nullptr;
}

/// Why a lane has no point at the cursor.
QString absenceText(const RunRecord& record) {
    const std::size_t points = record.finishedPointCount();
    return points == 0         ? detailText("no point is finished yet")
           : record.hasEnded() ? detailText("ended at point %1").arg(points)
                               : detailText("not there yet");
}

} // namespace

QString valueText(const ColumnDescription& column, double value) {
    if (std::isnan(value)) {
        return detailText("none");
    }
    if (column.role == ColumnRole::PathRate || column.role == ColumnRole::FinalRate ||
        column.role == ColumnRole::AfterRate || column.role == ColumnRole::HeldOutError ||
        column.role == ColumnRole::CrossError) {
        return percentText(value);
    }
    if (column.unit == "B") {
        return QString::fromStdString(byteText(value));
    }
    if (column.role == ColumnRole::Index) {
        return QString::fromStdString(groupedText(std::llround(value) + 1)); // people count points from 1
    }
    if (column.isInteger) {
        return QString::fromStdString(groupedText(std::llround(value)));
    }
    if (column.unit == "s") {
        return QString::fromStdString(durationText(value));
    }
    const QString number = QString::fromStdString(shortText(value, 6));
    return column.unit.empty() ? number : number + QLatin1Char(' ') + QString::fromStdString(column.unit);
}

DetailGroup laneDetails(const NamedRun& run, const RunRecord* baseline, const SchemaCatalog& catalog) {
    const RunRecord& record = *run.record;
    const RunStarted& start = record.start();
    DetailGroup group{detailText("Lane: %1").arg(run.name), {}, false};
    const auto add = [&](const QString& what, const QString& value) { group.rows.emplace_back(what, value); };
    add(detailText("Experiment"), QString::fromStdString(start.experimentName));
    QString state = fromView(recordStateName(record.state()));
    if (record.termination()) {
        state = endText(record);
    }
    add(detailText("State"), state);
    if (!record.failure().empty()) {
        add(detailText("Failure"), QString::fromStdString(record.failure()));
    }
    add(detailText("Points"), QString::number(record.finishedPointCount()));
    add(detailText("CPU solving"), QString::fromStdString(durationText(record.cpuSolve())));
    add(detailText("CPU screening"), QString::fromStdString(durationText(record.cpuScreen())));
    if (start.isBaseline) {
        add(detailText("Baseline"), detailText("yes: CPU ratios refer to this lane"));
    } else if (baseline != nullptr) {
        const auto ratio = tellingCpuRatio(record, *baseline);
        if (ratio || totalCpuRatio(record, *baseline)) {
            add(detailText("CPU ratio, total"),
                ratio ? QString::number(*ratio, 'f', 2) : detailText("too short to tell"));
        }
    }
    const FamilySchema* family = catalog.find(start.family);
    if (const Json* settings = laneSettings(start)) {
        for (const auto& [key, value] : settings->items()) {
            const FieldDescription* field = family == nullptr ? nullptr : family->lane.find(key);
            const bool isSaid = key == "name" || key == "enabled" || value.isObject(); // elsewhere, or by being here
            if (isSaid || (value.isText() && value.text().empty()) ||
                (field != nullptr && !isRelevant(family->lane, *field, *settings))) {
                continue;
            }
            if (field == nullptr) {
                add(keyWords(key), jsonText(value));
            } else {
                const QString unit = QString::fromStdString(field->unit.empty() ? "" : " " + field->unit);
                add(QString::fromStdString(field->label),
                    value.isArray() && value.empty() ? detailText("none") : settingText(*field, value) + unit);
            }
        }
    }
    return group;
}

DetailGroup pointDetails(const RunRecord& record, int index) {
    const RunStarted& start = record.start();
    const PointRecord* point = pointNear(record, index);
    const QString axis = QString::fromStdString(start.axisLabel);
    if (point == nullptr) {
        return {detailText("At the cursor"), {{axis, absenceText(record)}}, false};
    }
    DetailGroup group{detailText("%1 at %2 = %3")
                          .arg(QString::fromStdString(record.start().laneName), axis,
                               QString::fromStdString(shortText(point->axisValue))),
                      {},
                      false};
    addColumns(group, record, *point, true);
    if (!isScreened(record, *point) && !start.itemNoun.empty()) {
        group.rows.emplace_back(detailText("Screening"), detailText("no screening"));
    }
    // Where a point is a step of the solver, an epoch say, nothing was to converge within it.
    if (point->termination != Termination::Converged || record.columnWithRole(ColumnRole::Iterations)) {
        group.rows.emplace_back(detailText("Ended"), fromView(terminationName(point->termination)));
    }
    if (!start.itemNoun.empty()) {
        group.rows.emplace_back(detailText("Decidable %1").arg(QString::fromStdString(start.itemNoun)),
                                QString::fromStdString(groupedText(point->decidableItems)));
    }
    return group;
}

DetailGroup otherDetails(const RunRecord& record, int index) {
    DetailGroup group{{}, {}, false, true};
    if (const PointRecord* point = pointNear(record, index)) {
        addColumns(group, record, *point, false);
        if (!record.start().itemNoun.empty()) {
            group.rows.emplace_back(detailText("Screenings"), QString::number(point->screenings.size()));
        }
    }
    group.title = detailText("%1 more numbers of it").arg(group.rows.size());
    return group;
}

DetailGroup lanesAtPoint(const std::vector<NamedRun>& runs, int index) {
    DetailGroup group{detailText("All shown lanes here"), {}, true};
    for (const NamedRun& run : runs) {
        const PointRecord* point = pointNear(*run.record, index);
        if (point == nullptr) {
            group.rows.emplace_back(run.name, absenceText(*run.record));
            continue;
        }
        QStringList parts;
        const QString rate = columnText(*run.record, *point, ColumnRole::FinalRate);
        const bool isJudged = !point->screenings.empty() || run.record->columnWithRole(ColumnRole::AfterRate);
        if (!rate.isEmpty() && isJudged) {
            parts << detailText("%1 screened").arg(rate);
        }
        if (const QString iterations = columnText(*run.record, *point, ColumnRole::Iterations); !iterations.isEmpty()) {
            parts << detailText("%1 it").arg(iterations);
        }
        if (const auto solve = run.record->columnWithRole(ColumnRole::CpuSolve)) {
            double seconds = point->values[*solve];
            if (const auto screen = run.record->columnWithRole(ColumnRole::CpuScreen)) {
                seconds += point->values[*screen];
            }
            parts << QString::fromStdString(durationText(seconds));
        }
        group.rows.emplace_back(run.name, parts.join(QStringLiteral(" · ")));
    }
    return group;
}

DetailGroup problemFacts(const RunRecord& record) {
    DetailGroup group{detailText("Problem"), {}, false, true};
    if (record.start().facts.isObject()) {
        for (const auto& [key, value] : record.start().facts.items()) {
            group.rows.emplace_back(keyWords(key), factText(key, value));
        }
    }
    return group;
}

QString detailText(const std::vector<DetailGroup>& groups) {
    QString result;
    for (const DetailGroup& group : groups) {
        result += group.title + QLatin1Char('\n');
        for (const auto& [what, value] : group.rows) {
            result += QStringLiteral("  %1: %2\n").arg(what, value);
        }
    }
    return result;
}

} // namespace lambdascope
