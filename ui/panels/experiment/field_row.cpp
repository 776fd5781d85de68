// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/experiment/field_row.h"

#include "ui/panels/experiment/fault_label.h"
#include "ui/panels/shared/setting_text.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

#include <memory>

namespace lambdascope {

namespace {

constexpr int kLabelWidth = 98; ///< px; labels wrap beyond it, so that editors line up

QString labelText(const FieldDescription& field) {
    return field.unit.empty() ? QString::fromStdString(field.label)
                              : QString::fromStdString(field.label + " (" + field.unit + ")");
}

QString helpText(const FieldDescription& field) {
    return QString::fromStdString(field.help) + "\n" +
           QObject::tr("Takes %1. Default: %2.")
               .arg(QString::fromStdString(field.expectation()), settingText(field, field.defaultValue));
}

} // namespace

FieldRow::FieldRow(ExperimentDocument& document, const QString& keyPath, const QString& group,
                   const std::vector<Suggestion>& suggestions, QWidget* parent)
    : QWidget(parent), m_document(document), m_keyPath(keyPath), m_field(*document.field(keyPath)),
      m_label(new QLabel(labelText(m_field), this)), m_editor(makeFieldEditor(m_field, suggestions, this)),
      m_reset(new QToolButton(this)), m_faults(new FaultLabel(this)), m_vary(new QAction(tr("Vary…"), this)) {
    m_label->setWordWrap(true);
    m_label->setToolTip(helpText(m_field));
    m_label->setBuddy(m_editor->inputs().empty() ? nullptr : m_editor->inputs().front());
    m_reset->setText(QString::fromUtf8("↺"));
    m_reset->setAutoRaise(true);
    m_reset->setFocusPolicy(Qt::TabFocus);
    m_reset->setToolTip(tr("Back to the default"));
    QSizePolicy policy = m_reset->sizePolicy();
    policy.setRetainSizeWhenHidden(true); // values must not jump when they leave their default
    m_reset->setSizePolicy(policy);
    buildLayout();
    nameInputs(group);
    connect(m_editor, &FieldEditor::edited, this, [this](const Json& value) { m_document.setValue(m_keyPath, value); });
    connect(m_reset, &QToolButton::clicked, this, [this] {
        m_document.resetToDefault(m_keyPath);
        m_editor->setFocus();
    });
    m_vary->setToolTip(tr("Gives the field several values, and computes all of them in a study"));
    connect(m_vary, &QAction::triggered, this, [this] { Q_EMIT varyRequested(m_keyPath); });
    for (auto* input : findChildren<QLineEdit*>()) {
        input->installEventFilter(this); // which has a menu of its own
    }
    refresh();
}

void FieldRow::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu;
    menu.addAction(m_vary);
    menu.exec(event->globalPos());
}

bool FieldRow::eventFilter(QObject* watched, QEvent* event) {
    auto* input = qobject_cast<QLineEdit*>(watched);
    if (input == nullptr || event->type() != QEvent::ContextMenu) {
        return QWidget::eventFilter(watched, event);
    }
    const std::unique_ptr<QMenu> menu(input->createStandardContextMenu());
    menu->addSeparator();
    menu->addAction(m_vary);
    menu->exec(static_cast<QContextMenuEvent*>(event)->globalPos());
    return true;
}

void FieldRow::buildLayout() {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 1, 0, 1);
    grid->setHorizontalSpacing(4);
    grid->setVerticalSpacing(1);
    grid->setColumnStretch(1, 1);
    if (m_editor->carriesLabel()) {
        m_label->setVisible(false);
        grid->addWidget(m_editor, 0, 0, 1, 2);
        grid->addWidget(m_reset, 0, 2);
    } else if (m_editor->isWide()) {
        grid->addWidget(m_label, 0, 0, 1, 2);
        grid->addWidget(m_editor, 1, 0, 1, 2);
        grid->addWidget(m_reset, 1, 2, Qt::AlignTop);
    } else {
        m_label->setFixedWidth(kLabelWidth);
        grid->addWidget(m_label, 0, 0);
        grid->addWidget(m_editor, 0, 1);
        grid->addWidget(m_reset, 0, 2);
    }
    grid->addWidget(m_faults, 2, 0, 1, 3);
}

void FieldRow::nameInputs(const QString& group) {
    const QString name = group + ": " + labelText(m_field);
    for (QWidget* input : m_editor->inputs()) {
        // Several inputs of one field are told apart by their own text ("all", "PGB", "Open …").
        const QString own = input->property("text").toString();
        const bool isPart = m_editor->inputs().size() > 1 && !own.isEmpty();
        input->setAccessibleName(isPart ? name + ", " + own : name);
        input->setAccessibleDescription(QString::fromStdString(m_field.help));
        if (input->toolTip().isEmpty()) {
            input->setToolTip(helpText(m_field));
        }
    }
    m_reset->setAccessibleName(tr("Reset %1").arg(name));
    setToolTip(helpText(m_field));
}

void FieldRow::refresh() {
    m_editor->setValue(m_document.value(m_keyPath));
    const bool isChanged = !m_document.isDefault(m_keyPath);
    m_reset->setVisible(isChanged);
    QWidget* bold = m_editor->carriesLabel() ? m_editor->inputs().front() : m_label;
    QFont font = bold->font();
    if (font.bold() != isChanged) {
        font.setBold(isChanged);
        bold->setFont(font);
    }
    m_isRelevant = m_document.isRelevant(m_keyPath);
    updateVisibility();
}

void FieldRow::setFaults(const std::vector<Fault>& faults) {
    m_faults->setFaults(faults);
    QString description = QString::fromStdString(m_field.help);
    for (const Fault& fault : faults) {
        description = tr("Problem: %1. ").arg(QString::fromStdString(fault.message)) + description;
    }
    for (QWidget* input : m_editor->inputs()) {
        input->setAccessibleDescription(description);
    }
    updateVisibility();
}

void FieldRow::updateVisibility() {
    setVisible(m_isRelevant || m_faults->hasMessage());
}

} // namespace lambdascope
