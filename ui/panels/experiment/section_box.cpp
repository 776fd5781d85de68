// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/experiment/section_box.h"

#include "ui/panels/experiment/fault_label.h"

#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

namespace {

QVBoxLayout* plainLayout(QWidget* parent) {
    auto* layout = new QVBoxLayout(parent);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    return layout;
}

} // namespace

SectionBox::SectionBox(ExperimentDocument& document, const SectionSchema& schema, const QString& prefix,
                       const QString& title, const QString& group, const std::vector<Suggestion>& fileSuggestions,
                       QWidget* parent)
    : QWidget(parent), m_prefix(prefix), m_advanced(new QWidget(this)), m_more(new QToolButton(this)) {
    QVBoxLayout* layout = plainLayout(this);
    if (!title.isEmpty()) {
        auto* heading = new QLabel(title, this);
        QFont font = heading->font();
        font.setBold(true);
        font.setPointSizeF(font.pointSizeF() * 1.1);
        heading->setFont(font);
        heading->setToolTip(QString::fromStdString(schema.help));
        layout->addWidget(heading);
    }
    auto* plain = new QWidget(this);
    m_plain = plainLayout(plain);
    layout->addWidget(plain);
    m_more->setAutoRaise(true);
    m_more->setCheckable(true);
    m_more->setFocusPolicy(Qt::StrongFocus);
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_more->setAccessibleName(tr("%1: more fields").arg(group));
    layout->addWidget(m_more);
    m_advancedLayout = plainLayout(m_advanced);
    m_advancedLayout->setContentsMargins(10, 0, 0, 0);
    layout->addWidget(m_advanced);
    addRows(document, schema, group, fileSuggestions);
    connect(m_more, &QToolButton::toggled, this, &SectionBox::setMoreShown);
    setMoreShown(false);
}

void SectionBox::addRows(ExperimentDocument& document, const SectionSchema& schema, const QString& group,
                         const std::vector<Suggestion>& fileSuggestions) {
    for (const FieldDescription& field : schema.fields) {
        QWidget* home = field.isAdvanced ? m_advanced : m_plain->parentWidget();
        auto* row =
            new FieldRow(document, m_prefix + "." + QString::fromStdString(field.key), group, fileSuggestions, home);
        (field.isAdvanced ? m_advancedLayout : m_plain)->addWidget(row);
        connect(row, &FieldRow::varyRequested, this, &SectionBox::varyRequested);
        m_rows.push_back(row);
        if (field.isAdvanced) {
            m_advancedRows.push_back(row);
        }
    }
}

void SectionBox::addBelowRows(QWidget* widget) {
    m_plain->addWidget(widget);
}

void SectionBox::addAdvanced(QWidget* widget) {
    m_advancedLayout->addWidget(widget);
    updateMore();
}

void SectionBox::setMoreShown(bool shown) {
    m_more->setChecked(shown);
    m_more->setArrowType(shown ? Qt::DownArrow : Qt::RightArrow);
    m_advanced->setVisible(shown);
    updateMore();
}

bool SectionBox::uncover(const FieldRow* row) {
    if (std::find(m_rows.begin(), m_rows.end(), row) == m_rows.end()) {
        return false;
    }
    if (std::find(m_advancedRows.begin(), m_advancedRows.end(), row) != m_advancedRows.end()) {
        setMoreShown(true);
    }
    return true;
}

void SectionBox::refresh() {
    for (FieldRow* row : m_rows) {
        row->refresh();
    }
    updateMore();
}

void SectionBox::updateMore() {
    const auto changed = std::count_if(m_advancedRows.begin(), m_advancedRows.end(), [](const FieldRow* row) {
        return row->isRelevant() && row->resetButton()->isVisibleTo(row);
    });
    const bool isFaulty = std::any_of(m_advancedRows.begin(), m_advancedRows.end(),
                                      [](const FieldRow* row) { return row->faultLabel()->hasMessage(); });
    // What is hidden must not be a surprise.
    m_more->setText(isFaulty      ? tr("More (⚠ has a problem)")
                    : changed > 0 ? tr("More (%n changed)", nullptr, static_cast<int>(changed))
                                  : tr("More"));
    m_more->setVisible(m_advancedLayout->count() > 0);
}

} // namespace lambdascope
