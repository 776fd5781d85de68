// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <map>
#include <vector>

class QAbstractItemView;
class QHeaderView;

namespace lambdascope {

/// Keeps columns of a table or tree whole: as many as the width allows are shown, the most important ones first, rather
/// than one cut at the edge. The context menu of the header shows and hides columns by hand, and that stays; a table
/// that is then too narrow scrolls.
class ColumnFitter : public QObject {
    Q_OBJECT

  public:
    struct Column {
        int number = 0;
        int width = 0; ///< that it needs; the last one shown gets what is left, too
    };
    /// `byImportance`: the columns of the table, the most important first; the first one is always shown.
    ColumnFitter(QAbstractItemView& table, QHeaderView& header, std::vector<Column> byImportance);

    void fit();
    /// As by the menu.
    void setChosen(int column, bool shown);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void showMenu(const QPoint& place);

    QAbstractItemView& m_table;
    QHeaderView& m_header;
    std::vector<Column> m_byImportance;
    std::map<int, bool> m_chosen; ///< by hand
};

} // namespace lambdascope
