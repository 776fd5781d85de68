// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/form_remark.h"

#include "core/record/run_record.h"
#include "ui/panels/views/headline_bar.h"
#include "ui/session/experiment/experiment_changes.h"
#include "ui/session/experiment/experiment_document.h"

#include <QCoreApplication>

namespace lambdascope {

namespace {

QString remarkText(const char* source) {
    return QCoreApplication::translate("FormRemark", source);
}

/// "problem.k" as the form calls it, "PGB: screen every", "lane PGB".
QString settingName(const ExperimentDocument& document, const QString& key) {
    const qsizetype close = key.indexOf(QLatin1Char(']'));
    if (key.startsWith(QLatin1String("lanes[")) && close > 0) {
        const QString lane = key.mid(6, close - 6);
        const QString rest = key.mid(close + 2);
        const FamilySchema* family = document.family();
        const FieldDescription* field = family == nullptr ? nullptr : family->lane.find(rest.toStdString());
        return rest.isEmpty()
                   ? remarkText("lane %1").arg(lane)
                   : QStringLiteral("%1: %2").arg(lane, field == nullptr ? rest : QString::fromStdString(field->label));
    }
    const FieldDescription* field = document.field(key);
    return field == nullptr ? key : QString::fromStdString(field->label);
}

} // namespace

QString formRemark(const ExperimentDocument& document, const RunCollection& runs) {
    const std::vector<RunId> lanes = newestShownBatch(runs);
    if (lanes.empty() || !document.validated()) {
        return {};
    }
    const QStringList changed =
        changedSettings(runs.record(lanes.front())->start().experiment, (*document.validated())->document);
    if (changed.isEmpty()) {
        return {};
    }
    if (changed.contains(QLatin1String("family")) || changed.contains(QLatin1String("data.source"))) {
        return remarkText("The charts show another experiment than the form. F5 computes the one in the form.");
    }
    constexpr qsizetype kMostNamed = 3;
    QStringList names;
    for (const QString& key : changed.mid(0, kMostNamed)) {
        names << settingName(document, key);
    }
    const qsizetype more = changed.size() - names.size();
    return (more > 0 ? remarkText("The form was changed after this run: %1 and %2 more. F5 computes it.")
                           .arg(names.join(QStringLiteral(", ")))
                           .arg(more)
                     : remarkText("The form was changed after this run: %1. F5 computes it.")
                           .arg(names.join(QStringLiteral(", "))));
}

} // namespace lambdascope
