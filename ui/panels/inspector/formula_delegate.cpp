// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/formula_delegate.h"

#include "ui/charts/chart_theme.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>
#include <QTreeView>
#include <QTreeWidgetItem>

namespace lambdascope {

namespace {

constexpr int kFormulasRole = Qt::UserRole + 40;
constexpr int kWordsRole = kFormulasRole + 1;
constexpr int kClosingRole = kFormulasRole + 2;
constexpr int kMargin = 4; // px around a row of formulas

} // namespace

FormulaDelegate::FormulaDelegate(QTreeView* tree) : QStyledItemDelegate(tree), m_tree(*tree) {
    tree->setItemDelegate(this);
    tree->viewport()->installEventFilter(this);
}

QTreeWidgetItem* FormulaDelegate::addRow(QTreeWidgetItem* parent, const QString& plain, const FormulaLines& lines) {
    auto* row = new QTreeWidgetItem(parent, {plain});
    row->setFirstColumnSpanned(true);
    row->setToolTip(0, plain);
    row->setData(0, kFormulasRole, lines.formulas);
    row->setData(0, kWordsRole, lines.words);
    row->setData(0, kClosingRole, lines.closing);
    row->setData(0, Qt::AccessibleTextRole, plain);
    return row;
}

FormulaLines FormulaDelegate::linesOf(const QModelIndex& index) {
    return {index.data(kFormulasRole).toStringList(), index.data(kWordsRole).toString(),
            index.data(kClosingRole).toStringList()};
}

double FormulaDelegate::roomFor(const QModelIndex& index) const {
    int depth = m_tree.rootIsDecorated() ? 1 : 0;
    for (QModelIndex above = index.parent(); above.isValid(); above = above.parent()) {
        ++depth;
    }
    return m_tree.viewport()->width() - depth * m_tree.indentation() - 2 * kMargin;
}

void FormulaDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const FormulaLines lines = linesOf(index);
    if (lines.formulas.isEmpty()) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem plain = option;
    initStyleOption(&plain, index);
    plain.text.clear();
    m_tree.style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, &m_tree);
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    const QColor ink = option.palette.color(isSelected ? QPalette::HighlightedText : QPalette::Text);
    const QColor muted = isSelected ? ink : ChartTheme::fromPalette(option.palette).mutedText;
    for (const FormulaBlock::Line& line : layoutLines(lines, option.font, roomFor(index)).lines) {
        line.box.paint(*painter, option.rect.topLeft() + QPointF(kMargin, kMargin) + line.at,
                       line.isWords ? muted : ink);
    }
}

QSize FormulaDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const FormulaLines lines = linesOf(index);
    if (lines.formulas.isEmpty()) {
        return QStyledItemDelegate::sizeHint(option, index);
    }
    const FormulaBlock block = layoutLines(lines, option.font, roomFor(index));
    return {0, static_cast<int>(block.height) + 2 * kMargin + 1}; // the width is that of the tree
}

bool FormulaDelegate::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) { // of the tree's viewport: lines break elsewhere
        Q_EMIT sizeHintChanged({});
    }
    return QStyledItemDelegate::eventFilter(watched, event);
}

} // namespace lambdascope
