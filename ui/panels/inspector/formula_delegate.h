// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/inspector/formula_layout.h"

#include <QStyledItemDelegate>

class QTreeView;
class QTreeWidgetItem;

namespace lambdascope {

/// Draws items of a tree that have formulas as formulas, over the whole row; others as usual. Their text, which is
/// copied and read aloud, is the plain one.
class FormulaDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    /// Becomes the delegate of `tree` and its child; rows are laid out anew when its width changes.
    explicit FormulaDelegate(QTreeView* tree);

    /// Makes a row of formulas below `parent`: `plain` is its text.
    static QTreeWidgetItem* addRow(QTreeWidgetItem* parent, const QString& plain, const FormulaLines& lines);
    /// The formulas of a row; none for other rows.
    [[nodiscard]] static FormulaLines linesOf(const QModelIndex& index);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    [[nodiscard]] double roomFor(const QModelIndex& index) const;

    QTreeView& m_tree;
};

} // namespace lambdascope
