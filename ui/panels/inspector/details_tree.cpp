// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/details_tree.h"

#include <QHeaderView>
#include <QLocale>
#include <QResizeEvent>
#include <QStyledItemDelegate>

#include <algorithm>

namespace lambdascope {

namespace {

constexpr int kFoldedRole = Qt::UserRole; // whether a group opens and closes
constexpr int kTitleRole = Qt::UserRole + 1;

/// Rows as high as their texts need when they wrap at the width of their columns, which trees do not see to.
class WrappingDelegate : public QStyledItemDelegate {
  public:
    explicit WrappingDelegate(QTreeWidget* tree) : QStyledItemDelegate(tree), m_tree(*tree) {}

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        constexpr int kMargin = 6; // beside the text
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        const bool isSpanned = m_tree.isFirstColumnSpanned(index.row(), index.parent());
        const int inset = index.column() == 0 && index.parent().isValid() ? m_tree.indentation() : 0;
        const int width = isSpanned ? m_tree.viewport()->width() : m_tree.columnWidth(index.column());
        const QRect room(0, 0, std::max(40, width - inset - kMargin), 10000);
        const QString words = index.data().toString();
        const int line = option.fontMetrics.height();
        const int needed = option.fontMetrics.boundingRect(room, Qt::TextWordWrap, words).height();
        size.setHeight(size.height() + std::max(0, needed - line));
        return size;
    }

  private:
    const QTreeWidget& m_tree;
};

} // namespace

DetailsTree::DetailsTree(QWidget* parent) : QTreeWidget(parent) {
    setColumnCount(2);
    setHeaderHidden(true);
    setRootIsDecorated(false);
    setIndentation(8);
    setItemDelegate(new WrappingDelegate(this));
    setWordWrap(true);
    setAlternatingRowColors(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // A hidden header does not hear that the view became narrower, so the columns are fitted here.
    header()->setStretchLastSection(false);
    setExpandsOnDoubleClick(false);
    const auto sign = [](QTreeWidgetItem* item) { // the branch has no room for an arrow
        if (item->data(0, kFoldedRole).toBool()) {
            item->setText(0, (item->isExpanded() ? QStringLiteral("▾ ") : QStringLiteral("▸ ")) +
                                 item->data(0, kTitleRole).toString());
        }
    };
    connect(this, &QTreeWidget::itemExpanded, this, sign);
    connect(this, &QTreeWidget::itemCollapsed, this, sign);
    connect(this, &QTreeWidget::itemClicked, this, [](QTreeWidgetItem* item) {
        if (item->data(0, kFoldedRole).toBool()) {
            item->setExpanded(!item->isExpanded());
        }
    });
}

void DetailsTree::fill(const std::vector<DetailGroup>& groups) {
    QFont heading = font();
    heading.setBold(true);
    while (topLevelItemCount() > static_cast<int>(groups.size())) {
        delete takeTopLevelItem(topLevelItemCount() - 1);
    }
    for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
        QTreeWidgetItem* top = topLevelItem(g);
        if (top == nullptr) {
            top = new QTreeWidgetItem(this);
            top->setFont(0, heading);
            top->setFirstColumnSpanned(true);
            top->setExpanded(true);
        }
        fillGroup(*top, groups[static_cast<std::size_t>(g)]);
    }
    fitColumns();
}

void DetailsTree::fillGroup(QTreeWidgetItem& top, const DetailGroup& group) {
    const bool wasFolded = top.data(0, kFoldedRole).toBool();
    top.setData(0, kFoldedRole, group.isFolded);
    top.setData(0, kTitleRole, group.title);
    if (group.isFolded != wasFolded) {
        top.setExpanded(!group.isFolded);
    }
    const QString sign = !group.isFolded ? QString() : top.isExpanded() ? QStringLiteral("▾ ") : QStringLiteral("▸ ");
    top.setText(0, sign + group.title);
    top.setToolTip(0, group.title);
    while (top.childCount() > static_cast<int>(group.rows.size())) {
        delete top.takeChild(top.childCount() - 1);
    }
    for (int r = 0; r < static_cast<int>(group.rows.size()); ++r) {
        QTreeWidgetItem* row = r < top.childCount() ? top.child(r) : new QTreeWidgetItem(&top);
        const auto& [what, value] = group.rows[static_cast<std::size_t>(r)];
        row->setFirstColumnSpanned(group.isCompact);
        row->setText(0, group.isCompact ? QStringLiteral("%1:  %2").arg(what, value) : what);
        row->setText(1, group.isCompact ? QString() : value);
        const QString whole = QStringLiteral("%1: %2").arg(what, value); // columns may be too narrow for it
        row->setToolTip(0, whole);
        row->setToolTip(1, whole);
    }
}

void DetailsTree::resizeEvent(QResizeEvent* event) {
    QTreeWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) {
        fitColumns();
    }
}

std::pair<int, int> DetailsTree::widestTexts() const {
    const QFontMetrics metrics = fontMetrics();
    int label = 0;
    int number = 0;
    for (int g = 0; g < topLevelItemCount(); ++g) {
        const QTreeWidgetItem* top = topLevelItem(g);
        for (int r = 0; r < top->childCount(); ++r) {
            const QTreeWidgetItem* row = top->child(r);
            if (row->isFirstColumnSpanned()) {
                continue;
            }
            label = std::max(label, metrics.horizontalAdvance(row->text(0)));
            const QString value = row->text(1);
            bool isNumber = false;
            (void)QLocale::c().toDouble(value, &isNumber);
            number = std::max(number, isNumber ? metrics.horizontalAdvance(value) : 0);
        }
    }
    return {label, number};
}

void DetailsTree::fitColumns() {
    constexpr int kPadding = 26; // indentation, and air between the columns
    constexpr int kLeast = 90;
    const int whole = viewport()->width();
    const auto [label, number] = widestTexts();
    // What is wider wraps, and tooltips tell what a single long word loses; the values keep two fifths, and numbers
    // all they need.
    const int room = std::min(whole * 3 / 5, whole - number - kPadding / 2);
    const int labels = std::clamp(label + kPadding, kLeast, std::max(kLeast, room));
    const int values = std::max(1, whole - labels);
    if (labels != columnWidth(0) || values != columnWidth(1)) {
        setColumnWidth(0, labels);
        setColumnWidth(1, values);
        scheduleDelayedItemsLayout(); // heights of rows whose text now wraps otherwise
    }
}

} // namespace lambdascope
