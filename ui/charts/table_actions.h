// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/typed_table.h"

#include <QModelIndexList>
#include <QObject>
#include <QString>

#include <functional>
#include <vector>

class QAbstractItemModel;
class QAbstractItemView;
class QAction;
class QMenu;
class QTableView;

namespace lambdascope {

/// How the cells of a model are typed.
struct ModelColumns {
    int numberRole = Qt::EditRole;       ///< a finite double there is the number of a cell
    std::vector<TypedTable::Kind> kinds; ///< by column; empty: numbers where all cells of a column are some
};

/// The rows of `model`, those of a tree from the top down, as a typed table: its first column is the vertical header
/// where that holds names. `rows`: only these, one index each; empty: all. `isShown`: of a column; without: all.
[[nodiscard]] TypedTable typedTable(const QAbstractItemModel& model, const ModelColumns& columns,
                                    const QModelIndexList& rows = {},
                                    const std::function<bool(int column)>& isShown = {});

/// The look of a table of exact numbers that stands in the place of a chart; the menu is that of the chart.
void styleValueTable(QTableView& table);

/// What can be done with any table or tree: Ctrl+C copies it tab-separated, as shown; the context menu copies or saves
/// it as CSV, LaTeX or Markdown, with a chosen number of digits, which is remembered for all tables. Of a table with
/// two or more selected rows these are taken, else all of it; columns that are hidden stay away.
class TableActions : public QObject {
    Q_OBJECT

  public:
    /// Gives `view` the key, and a context menu if it has none of its own. `name` becomes that of files.
    TableActions(QAbstractItemView& view, ModelColumns columns, QString name);

    /// Called before the model of the view is read.
    void setRefresh(std::function<void()> refresh) { m_refresh = std::move(refresh); }

    /// "Copy table" (objectName "copyTable"), where the view has no such action of its own; then null.
    [[nodiscard]] QAction* copyAction() const { return m_copy; }
    /// Adds "Copy as" and "Save table…" to a menu.
    void addTo(QMenu& menu);

    [[nodiscard]] QString shownText() const; ///< as Ctrl+C copies it
    [[nodiscard]] QString text(TableFormat format) const;
    /// What is remembered; nothing: automatic (all in CSV, few for people).
    [[nodiscard]] static std::optional<int> digits();
    static void setDigits(std::optional<int> digits);
    /// Writes the form of the ending (.csv, .tex, .md); returns what went wrong, empty when nothing did.
    [[nodiscard]] QString saveTo(const QString& path) const;

  public slots:
    void copy() const;
    void copyAs(lambdascope::TableFormat format) const;
    /// Asks for a file.
    void save();

  private:
    [[nodiscard]] const QAbstractItemModel* model() const;
    [[nodiscard]] QModelIndexList chosenRows() const;
    [[nodiscard]] bool isShown(int column) const;

    QAbstractItemView& m_view;
    ModelColumns m_columns;
    QString m_name;
    std::function<void()> m_refresh;
    QAction* m_copy = nullptr;
};

} // namespace lambdascope
