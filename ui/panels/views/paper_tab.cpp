// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/paper_tab.h"

#include "core/common/number_text.h"
#include "ui/charts/elided_label.h"
#include "ui/charts/table_actions.h"
#include "ui/panels/views/headline_bar.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

enum Column { Number, Theirs, Ours, Ratio, Note, Source, ColumnCount };

constexpr int kLeastForAll = 560; // px; in a narrower table numbers and reasons come first

bool hasPublished(const RunRecord& record) {
    const Json& experiment = record.start().experiment;
    const auto published = experiment.isObject() ? experiment.find("published") : experiment.end();
    return experiment.isObject() && published != experiment.end() && published->isArray() && !published->empty();
}

QString ratioText(const PublishedComparison& row) {
    if (!row.measured || row.published.value == 0) {
        return QStringLiteral("–");
    }
    const double ratio = *row.measured / row.published.value;
    return std::isfinite(ratio) ? QString::fromStdString(shortText(ratio, 3)) : QStringLiteral("–");
}

/// Counts as they are, other numbers shortened.
QString numberText(double value, int digits) {
    const bool isCount = value == std::round(value) && std::abs(value) < 1e6;
    return QString::fromStdString(isCount ? groupedText(std::llround(value)) : shortText(value, digits));
}

QString cellText(const PublishedComparison& row, int column) {
    switch (column) {
    case Number:
        return QString::fromStdString(row.published.label.find(row.published.lane) != std::string::npos
                                          ? row.published.label
                                          : row.published.label + ", " + row.published.lane);
    case Theirs: return numberText(row.published.value, 6);
    case Ours:
        return row.measured          ? numberText(*row.measured, 3)
               : row.missing.empty() ? QStringLiteral("–")
                                     : QString::fromStdString(row.missing);
    case Ratio: return ratioText(row);
    case Note: return QString::fromStdString(row.published.note);
    default: return QString::fromStdString(row.published.source);
    }
}

QStringList headers() {
    return {PaperTab::tr("Number"), PaperTab::tr("Theirs"), PaperTab::tr("Ours"),
            PaperTab::tr("Ratio"),  PaperTab::tr("Reason"), PaperTab::tr("Source")};
}

bool isSame(const PublishedComparison& a, const PublishedComparison& b) {
    return a.published == b.published && a.measured == b.measured && a.missing == b.missing;
}

} // namespace

PaperTab::PaperTab(RunCollection& runs, PathCursor& cursor, QWidget* parent)
    : RunTab(runs, cursor, parent), m_table(new QTableWidget(0, ColumnCount, this)) {
    const auto [layout, row] = makeFrame();
    auto* words = new HintLabel(tr("Printed in the paper, and found here"), this);
    auto* button = new QToolButton(this);
    button->setText(tr("Copy table"));
    button->setToolTip(tr("Copies the table, tab-separated"));
    connect(button, &QToolButton::clicked, this, &PaperTab::copyText);
    row->addWidget(words, 1);
    row->addWidget(button);
    m_table->setHorizontalHeaderLabels(headers());
    m_table->setAccessibleName(tr("Published numbers and ours"));
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setAlternatingRowColors(true);
    m_table->setWordWrap(true);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    new TableActions(*m_table, {}, tr("published numbers"));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(Number, QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionResizeMode(Note, QHeaderView::Stretch);
    m_table->horizontalHeader()->setHighlightSections(false);
    layout->addWidget(m_table, 1);
}

bool PaperTab::fits(const std::vector<ShownRun>& runs) {
    return std::any_of(runs.begin(), runs.end(), [](const ShownRun& run) { return hasPublished(*run.record); });
}

QString PaperTab::summary(const std::vector<ShownRun>& runs) {
    std::size_t most = 0; // lanes of one experiment carry the same ones
    for (const ShownRun& run : runs) {
        most = std::max(most, hasPublished(*run.record) ? run.record->start().experiment.at("published").size() : 0);
    }
    return tr("%n published number(s) beside ours", nullptr, static_cast<int>(most));
}

void PaperTab::rebuild(const std::vector<ShownRun>& shown) {
    std::vector<const RunRecord*> lanes;
    if (!shown.empty()) {
        const int batch = runs().display(newestShownBatch(runs()).front()).batch;
        for (const RunId id : runs().ids()) {
            if (runs().display(id).batch == batch) {
                lanes.push_back(runs().record(id));
            }
        }
    }
    std::vector<PublishedComparison> rows = comparePublished(lanes);
    if (!std::all_of(lanes.begin(), lanes.end(), [](const RunRecord* lane) { return lane->hasEnded(); })) {
        for (PublishedComparison& row : rows) {
            row.measured.reset();
            row.missing.clear();
        }
    }
    if (std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(), isSame)) {
        return;
    }
    m_rows = std::move(rows);
    m_table->setRowCount(static_cast<int>(m_rows.size()));
    for (int r = 0; r < m_table->rowCount(); ++r) {
        for (int column = 0; column < ColumnCount; ++column) {
            auto* item = new QTableWidgetItem(cellText(m_rows[static_cast<std::size_t>(r)], column));
            item->setToolTip(item->text());
            const bool isNumber = column >= Theirs && column <= Ratio;
            item->setTextAlignment(isNumber ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
            m_table->setItem(r, column, item);
        }
    }
}

void PaperTab::resizeEvent(QResizeEvent* event) {
    RunTab::resizeEvent(event);
    for (const int column : {Ratio, Source}) {
        m_table->setColumnHidden(column, width() < kLeastForAll);
    }
}

QString PaperTab::text() const {
    QStringList lines{headers().join('\t')};
    for (const PublishedComparison& row : m_rows) {
        QStringList cells;
        for (int column = 0; column < ColumnCount; ++column) {
            cells << cellText(row, column);
        }
        lines << cells.join('\t');
    }
    return lines.join('\n') + QLatin1Char('\n');
}

void PaperTab::copyText() const {
    QGuiApplication::clipboard()->setText(text());
}

} // namespace lambdascope
