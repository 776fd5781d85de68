// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/published_comparison.h"

#include <QWidget>

#include <vector>

class QTableWidget;

namespace lambdascope {

/// Numbers printed in the paper that an experiment repeats, beside those of the run: a table that can be copied.
class PublishedPanel : public QWidget {
    Q_OBJECT

  public:
    explicit PublishedPanel(QWidget* parent = nullptr);

    void setRows(const std::vector<PublishedComparison>& rows);
    [[nodiscard]] bool isEmpty() const;
    /// The table with a header line, tab-separated, with sources and notes.
    [[nodiscard]] QString text() const;

  public Q_SLOTS:
    void copyText() const;

  private:
    std::vector<PublishedComparison> m_rows;
    QTableWidget* m_table;
};

} // namespace lambdascope
