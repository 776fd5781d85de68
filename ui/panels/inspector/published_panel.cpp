// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/published_panel.h"

#include "core/common/number_text.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

namespace {

QString theirs(const PublishedComparison& row) {
    return QString::fromStdString(shortText(row.published.value, 6));
}

QString ours(const PublishedComparison& row) {
    return row.measured ? QString::fromStdString(shortText(*row.measured, 6)) : QStringLiteral("–");
}

/// "mean path rate, PGB"
QString label(const PublishedNumber& number) {
    const QString what = QString::fromStdString(number.label);
    return number.lane.empty() ? what : QStringLiteral("%1, %2").arg(what, QString::fromStdString(number.lane));
}

bool isSame(const PublishedComparison& a, const PublishedComparison& b) {
    return a.published == b.published && a.measured == b.measured;
}

} // namespace

PublishedPanel::PublishedPanel(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 6, 4, 4);
    auto* words = new QLabel(tr("What the paper printed, and what this run gave."), this);
    words->setWordWrap(true);
    m_table = new QTableWidget(0, 3, this);
    m_table->setHorizontalHeaderLabels({tr("Number"), tr("Theirs"), tr("Ours")});
    m_table->setAccessibleName(tr("Published numbers and ours"));
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setAlternatingRowColors(true);
    m_table->setWordWrap(true);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto* copy = new QAction(tr("Copy table"), m_table);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(copy, &QAction::triggered, this, &PublishedPanel::copyText);
    m_table->addAction(copy);
    auto* button = new QPushButton(tr("Copy table"), this);
    button->setToolTip(tr("Copies the table with sources and notes, tab-separated"));
    connect(button, &QPushButton::clicked, this, &PublishedPanel::copyText);
    layout->addWidget(words);
    layout->addWidget(m_table, 1);
    layout->addWidget(button, 0, Qt::AlignLeft);
}

bool PublishedPanel::isEmpty() const {
    return m_rows.empty();
}

void PublishedPanel::setRows(const std::vector<PublishedComparison>& rows) {
    if (std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(), isSame)) {
        return;
    }
    m_rows = rows;
    m_table->setRowCount(static_cast<int>(rows.size()));
    for (int r = 0; r < m_table->rowCount(); ++r) {
        const PublishedComparison& row = rows[static_cast<std::size_t>(r)];
        QString details =
            QStringLiteral("%1\n%2").arg(label(row.published), QString::fromStdString(row.published.source));
        if (!row.published.note.empty()) {
            details += QLatin1Char('\n') + QString::fromStdString(row.published.note);
        }
        const QStringList texts{label(row.published), theirs(row), ours(row)};
        for (int column = 0; column < texts.size(); ++column) {
            auto* item = new QTableWidgetItem(texts[column]);
            item->setToolTip(details);
            item->setTextAlignment(column == 0 ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
            m_table->setItem(r, column, item);
        }
    }
}

QString PublishedPanel::text() const {
    QStringList lines{
        QStringList{tr("Number"), tr("Lane"), tr("Theirs"), tr("Ours"), tr("Source"), tr("Note")}.join('\t')};
    for (const PublishedComparison& row : m_rows) {
        const PublishedNumber& number = row.published;
        lines << QStringList{QString::fromStdString(number.label),
                             QString::fromStdString(number.lane),
                             theirs(row),
                             ours(row),
                             QString::fromStdString(number.source),
                             QString::fromStdString(number.note)}
                     .join('\t');
    }
    return lines.join('\n') + QLatin1Char('\n');
}

void PublishedPanel::copyText() const {
    QGuiApplication::clipboard()->setText(text());
}

} // namespace lambdascope
