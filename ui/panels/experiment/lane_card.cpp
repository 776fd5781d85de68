// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/experiment/lane_card.h"

#include "ui/panels/experiment/fault_label.h"
#include "ui/panels/shared/icon_set.h"
#include "ui/panels/shared/setting_text.h"
#include "ui/session/experiment/key_path.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include <functional>
#include <map>

namespace lambdascope {

namespace {

QToolButton* headerButton(const QString& text, const QString& name, const QString& tip, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setToolTip(tip);
    button->setAccessibleName(name);
    return button;
}

} // namespace

LaneCard::LaneCard(ExperimentDocument& document, int lane, QWidget* parent)
    : QFrame(parent), m_document(document), m_lane(lane), m_fold(new QToolButton(this)), m_enabled(new QCheckBox(this)),
      m_name(new QLineEdit(this)), m_summary(new QLabel(this)), m_faults(new FaultLabel(this)),
      m_body(new QWidget(this)) {
    setFrameShape(QFrame::StyledPanel);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 3, 4, 3);
    layout->setSpacing(1);
    buildHeader();
    m_summary->setWordWrap(true);
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setContentsMargins(26, 0, 0, 0);
    layout->addWidget(m_summary);
    layout->addWidget(m_faults);
    auto* bodyLayout = new QVBoxLayout(m_body);
    bodyLayout->setContentsMargins(6, 2, 0, 2);
    bodyLayout->setSpacing(2);
    layout->addWidget(m_body);
    m_body->setVisible(false);
    refresh();
}

QString LaneCard::prefix() const {
    return QString("lanes[%1]").arg(m_lane);
}

void LaneCard::buildHeader() {
    auto* header = new QHBoxLayout;
    header->setSpacing(0);
    m_fold->setCheckable(true);
    m_fold->setAutoRaise(true);
    m_fold->setArrowType(Qt::RightArrow);
    m_fold->setFocusPolicy(Qt::StrongFocus);
    m_fold->setAccessibleName(tr("Lane %1: show fields").arg(m_lane + 1));
    m_fold->setToolTip(tr("Show or hide the fields of this lane"));
    connect(m_fold, &QToolButton::toggled, this, &LaneCard::setUnfolded);
    header->addWidget(m_fold);
    m_enabled->setAccessibleName(tr("Lane %1: compute").arg(m_lane + 1));
    m_enabled->setToolTip(tr("Compute this lane; without the tick it is kept, but not run"));
    connect(m_enabled, &QCheckBox::clicked, this,
            [this](bool isOn) { m_document.setValue(prefix() + ".enabled", Json(isOn)); });
    header->addWidget(m_enabled);
    m_name->setMinimumWidth(60);
    m_name->setAccessibleName(tr("Lane %1: name").arg(m_lane + 1));
    m_name->setToolTip(tr("Name of the lane, also of its folder and its curves"));
    connect(m_name, &QLineEdit::textEdited, this,
            [this](const QString& text) { m_document.setValue(prefix() + ".name", text.toStdString()); });
    header->addWidget(m_name, 1);
    const auto add = [&](const QString& glyph, const QString& tip, bool isEnabled, const std::function<void()>& act) {
        QToolButton* button = headerButton(glyph, tr("Lane %1: %2").arg(m_lane + 1).arg(tip), tip, this);
        button->setEnabled(isEnabled);
        // Queued: the act rebuilds the cards, this one among them.
        connect(button, &QToolButton::clicked, this, act, Qt::QueuedConnection);
        header->addWidget(button);
        return button;
    };
    const int count = m_document.laneCount();
    add(QString::fromUtf8("↑"), tr("Move up"), m_lane > 0, [this] { m_document.moveLane(m_lane, m_lane - 1); });
    add(QString::fromUtf8("↓"), tr("Move down"), m_lane + 1 < count,
        [this] { m_document.moveLane(m_lane, m_lane + 1); });
    add(QString(), tr("Duplicate"), true, [this] { m_document.duplicateLane(m_lane); })->setIcon(themedIcon("copy"));
    add(QString::fromUtf8("✕"), count > 1 ? tr("Remove") : tr("Remove (an experiment needs a lane)"), count > 1,
        [this] { m_document.removeLane(m_lane); });
    static_cast<QVBoxLayout*>(layout())->addLayout(header);
}

bool LaneCard::isUnfolded() const {
    return m_fold->isChecked();
}

void LaneCard::setUnfolded(bool unfolded) {
    m_fold->setChecked(unfolded);
    m_fold->setArrowType(unfolded ? Qt::DownArrow : Qt::RightArrow);
    if (unfolded && m_fields == nullptr) {
        buildFields();
    }
    m_body->setVisible(unfolded);
    m_summary->setVisible(!unfolded && !m_summary->text().isEmpty());
}

void LaneCard::buildFields() {
    const FamilySchema* family = m_document.family();
    if (family == nullptr) {
        return;
    }
    const QString group = tr("Lane %1").arg(m_lane + 1);
    m_fields = new SectionBox(m_document, family->lane, prefix(), {}, group, {}, m_body);
    m_solver = new SectionBox(m_document, family->solver, prefix() + ".solver", tr("Solver of this lane only"),
                              group + tr(", solver"), {}, m_body);
    for (const SectionBox* box : {m_fields, m_solver}) {
        connect(box, &SectionBox::varyRequested, this, &LaneCard::varyRequested);
    }
    m_fields->addAdvanced(m_solver);
    m_body->layout()->addWidget(m_fields);
    setFaults(m_currentFaults);
    Q_EMIT fieldsBuilt();
}

FieldRow* LaneCard::row(const QString& keyPath) {
    if (!keyPath.startsWith(prefix() + ".") || m_document.field(keyPath) == nullptr) {
        return nullptr;
    }
    if (m_fields == nullptr) {
        buildFields();
    }
    for (const SectionBox* box : {m_fields, m_solver}) {
        for (FieldRow* candidate : box->rows()) {
            if (candidate->keyPath() == keyPath) {
                return candidate;
            }
        }
    }
    return nullptr;
}

void LaneCard::uncover(const FieldRow* row) {
    setUnfolded(true);
    if (!m_fields->uncover(row) && m_solver->uncover(row)) {
        m_fields->setMoreShown(true);
    }
}

QString LaneCard::summary() const {
    const FamilySchema* family = m_document.family();
    if (family == nullptr) {
        return {};
    }
    QStringList parts;
    const auto collect = [&](const SectionSchema& schema, const QString& place) {
        for (const FieldDescription& field : schema.fields) {
            const QString path = place + "." + QString::fromStdString(field.key);
            const Json value = m_document.value(path);
            // A lane without bounds is the one that others are compared with: that is told though it is the default.
            const bool isEmptyList = field.kind == FieldKind::Choices && value.empty();
            const bool isTold = isEmptyList || !m_document.isDefault(path);
            if (m_document.isRelevant(path) && isTold && field.key != "enabled") { // which the tick tells
                parts << (field.key == "note" ? settingText(field, value) : settingPhrase(field, value));
            }
        }
    };
    collect(family->lane, prefix());
    collect(family->solver, prefix() + ".solver");
    return parts.isEmpty() ? tr("default settings") : parts.join(QString::fromUtf8(" · "));
}

void LaneCard::refresh() {
    const QString name = m_document.laneName(m_lane);
    if (name != m_name->text()) {
        m_name->setText(name);
    }
    const Json enabled = m_document.value(prefix() + ".enabled");
    m_enabled->setChecked(!enabled.isBoolean() || enabled.get<bool>());
    m_summary->setText(summary());
    m_summary->setVisible(!isUnfolded());
    if (m_fields != nullptr) {
        m_solver->refresh();
        m_fields->refresh();
    }
}

void LaneCard::setFaults(const std::vector<Fault>& faults) {
    m_currentFaults = faults;
    std::vector<Fault> own;
    std::map<FieldRow*, std::vector<Fault>> ofRows;
    for (const Fault& fault : faults) {
        QString key = QString::fromStdString(fault.key);
        if (key != prefix()) {
            key = holderOf(key);
        }
        FieldRow* target = row(key);
        if (target == nullptr) {
            own.push_back(fault);
        } else {
            ofRows[target].push_back(fault);
        }
    }
    m_faults->setFaults(own);
    if (m_fields == nullptr) {
        return;
    }
    for (const SectionBox* box : {m_solver, m_fields}) {
        for (FieldRow* candidate : box->rows()) {
            candidate->setFaults(ofRows[candidate]);
        }
    }
    m_solver->updateMore();
    m_fields->updateMore();
    for (const auto& [target, list] : ofRows) {
        if (!list.empty()) {
            uncover(target);
        }
    }
}

} // namespace lambdascope
