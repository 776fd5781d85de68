// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/runs/log_panel.h"

#include "ui/charts/table_actions.h"
#include "ui/panels/runs/table_setup.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace lambdascope {

namespace {

/// Lines of at least a level whose text holds the filter.
class LogFilter : public QSortFilterProxyModel {
  public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setLowestLevel(int level) {
        m_lowest = level;
        invalidateFilter();
    }

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        const QModelIndex line = sourceModel()->index(row, LogModel::Level, parent);
        return line.data(LogModel::LevelRole).toInt() >= m_lowest &&
               QSortFilterProxyModel::filterAcceptsRow(row, parent);
    }

  private:
    int m_lowest = 0;
};

} // namespace

LogPanel::LogPanel(LogModel& log, QWidget* parent)
    : QWidget(parent), m_log(log), m_proxy(new LogFilter(this)), m_level(new QComboBox(this)),
      m_filter(new QLineEdit(this)), m_table(new QTableView(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->setSpacing(4);
    auto* bar = new QHBoxLayout;
    m_level->addItems({tr("Everything"), tr("Warnings and errors"), tr("Errors")});
    m_level->setAccessibleName(tr("Log: lowest level shown"));
    m_level->setToolTip(tr("Which lines are shown"));
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setAccessibleName(tr("Filter log"));
    m_filter->setClearButtonEnabled(true);
    bar->addWidget(m_level);
    bar->addWidget(m_filter, 1);
    const auto addButton = [&](const QString& text, const QString& tip) {
        auto* button = new QToolButton(this);
        button->setText(text);
        button->setToolTip(tip);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setAccessibleName(tip);
        bar->addWidget(button);
        return button;
    };
    connect(addButton(tr("Copy"), tr("Copy the whole log")), &QToolButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_log.text()); });
    connect(addButton(tr("Clear"), tr("Clear the log")), &QToolButton::clicked, &m_log, &LogModel::clear);
    layout->addLayout(bar);
    layout->addWidget(m_table, 1);
    m_proxy->setSourceModel(&m_log);
    m_proxy->setFilterKeyColumn(-1);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_table->setModel(m_proxy);
    setUpTable(*m_table, tr("Log"));
    new TableActions(*m_table, {}, tr("log"));
    m_table->setColumnWidth(LogModel::Time, 70);
    m_table->setColumnWidth(LogModel::Level, 70);
    m_table->setColumnWidth(LogModel::Source, 130);
    connect(m_level, &QComboBox::currentIndexChanged, this,
            [this](int level) { static_cast<LogFilter*>(m_proxy)->setLowestLevel(level); });
    connect(m_filter, &QLineEdit::textChanged, m_proxy, &QSortFilterProxyModel::setFilterFixedString);
    // Follow new lines only while the user is at the end.
    const QScrollBar* bars = m_table->verticalScrollBar();
    connect(bars, &QScrollBar::valueChanged, this, [this, bars](int value) { m_isAtEnd = value >= bars->maximum(); });
    connect(bars, &QScrollBar::rangeChanged, this, [this] {
        if (m_isAtEnd) {
            m_table->scrollToBottom();
        }
    });
}

LogPanel::~LogPanel() {
    // The table lays itself out once more while it is taken down, after the members of this class are gone.
    m_table->verticalScrollBar()->disconnect(this);
}

} // namespace lambdascope
