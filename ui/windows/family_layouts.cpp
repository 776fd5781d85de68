// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/family_layouts.h"

#include "core/record/run_record.h"
#include "ui/panels/views/view_stage.h"
#include "ui/session/settings.h"

#include <QByteArray>

#include <string>
#include <utility>

namespace lambdascope {

namespace {

QString keyOf(const QString& family) {
    return QStringLiteral("views-") + family;
}

} // namespace

FamilyLayouts::FamilyLayouts(RunCollection& runs, ViewStage& stage, Settings& settings, QObject* parent)
    : QObject(parent), m_runs(runs), m_stage(stage), m_settings(settings) {
    connect(&runs, &RunCollection::runsAdded, this, &FamilyLayouts::follow);
    connect(&runs, &RunCollection::runsAdded, this, &FamilyLayouts::openView);
    connect(&runs, &RunCollection::visibilityChanged, this, &FamilyLayouts::follow);
}

void FamilyLayouts::follow() {
    const std::vector<RunId> shown = m_runs.shownIds();
    const QString family =
        shown.empty() ? m_family : QString::fromStdString(m_runs.record(shown.back())->start().family);
    if (family == m_family) {
        return;
    }
    keep();
    m_family = family;
    if (const QByteArray kept = m_settings.windowState(keyOf(family)); !kept.isEmpty()) {
        m_stage.arrange(kept);
    }
}

void FamilyLayouts::openView() {
    const std::vector<RunId> shown = m_runs.shownIds();
    if (shown.empty()) {
        return;
    }
    const RunStarted& start = m_runs.record(shown.back())->start();
    const QString name = QString::fromStdString(start.experimentName);
    if (name == std::exchange(m_experiment, name) || !start.experiment.isObject()) {
        return;
    }
    if (const std::string view = start.experiment.value("view", std::string()); !view.empty()) {
        m_stage.open(QString::fromStdString(view));
    }
}

void FamilyLayouts::keep() {
    if (!m_family.isEmpty()) {
        m_settings.setWindowState(keyOf(m_family), m_stage.arrangement());
    }
}

void FamilyLayouts::reset() {
    m_stage.setBeside({});
    if (!m_family.isEmpty()) {
        m_settings.setWindowState(keyOf(m_family), {});
    }
}

} // namespace lambdascope
