// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/progress_widget.h"

#include "core/common/number_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

/// Whole seconds: an estimate has no tenths.
QString etaText(double seconds) {
    return seconds < 60 ? ProgressWidget::tr("%1 s").arg(std::max(1L, std::lround(seconds)))
                        : QString::fromStdString(durationText(seconds));
}

} // namespace

ProgressWidget::ProgressWidget(RunController& controller, QWidget* parent) : QWidget(parent), m_controller(controller) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 0, 6, 0);
    m_bar = new QProgressBar;
    m_bar->setTextVisible(false);
    m_bar->setMinimumWidth(60);
    m_bar->setMaximumWidth(220);
    m_bar->setMaximumHeight(12);
    m_bar->setRange(0, 1000);
    m_bar->setAccessibleName(tr("Progress of the experiment"));
    m_label = new QLabel(tr("idle"));
    m_label->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("100 % · 00:00 left ")));
    m_label->setAccessibleName(tr("Progress"));
    layout->addWidget(m_bar, 1);
    layout->addWidget(m_label);
    connect(&controller, &RunController::stateChanged, this, &ProgressWidget::follow);
    connect(&controller, &RunController::progressChanged, this,
            [this](double share, const QString&, double eta) { showProgress(share, eta); });
    follow(controller.state());
}

void ProgressWidget::follow(RunState state) {
    switch (state) {
    case RunState::Idle:
        m_share = -1;
        m_bar->setRange(0, 1000);
        m_bar->setValue(0);
        m_label->setText(tr("idle"));
        Q_EMIT shareChanged(m_share);
        break;
    case RunState::Preparing:
        m_bar->setRange(0, 0);
        m_label->setText(tr("preparing"));
        break;
    case RunState::Paused:
        m_label->setText(m_share >= 0 ? tr("%1 % · paused").arg(std::lround(100 * m_share)) : tr("paused"));
        break;
    case RunState::Stopping: m_label->setText(tr("stopping")); break;
    case RunState::Running: showProgress(m_share, -1); break;
    }
}

void ProgressWidget::showProgress(double share, double etaSeconds) {
    if (m_controller.state() != RunState::Running && m_controller.state() != RunState::Preparing) {
        return;
    }
    const bool isNewPercent = std::lround(100 * share) != std::lround(100 * m_share);
    m_share = share;
    if (share < 0) {
        m_bar->setRange(0, 0);
        m_label->setText(m_controller.state() == RunState::Preparing ? tr("preparing") : tr("running"));
    } else {
        m_bar->setRange(0, 1000);
        m_bar->setValue(static_cast<int>(std::lround(1000 * std::min(share, 1.0))));
        QString text = tr("%1 %").arg(std::lround(100 * share));
        if (etaSeconds >= 0) {
            text += tr(" · %1 left").arg(etaText(etaSeconds));
        }
        m_label->setText(text);
    }
    if (isNewPercent) {
        Q_EMIT shareChanged(share);
    }
}

QString ProgressWidget::text() const {
    return m_label->text();
}

} // namespace lambdascope
