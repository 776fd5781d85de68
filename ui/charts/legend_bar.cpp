// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/legend_bar.h"

#include "ui/charts/painter_canvas.h"

#include <QMenu>
#include <QPainter>
#include <QStyleOption>
#include <QToolButton>

#include <algorithm>

namespace lambdascope {

namespace {

constexpr int kLineSample = 30;
constexpr int kPointSample = 12;
constexpr int kPadding = 5;
constexpr int kSpacing = 2;
constexpr int kWidestName = 220; // longer ones are shortened in their middle: their ends tell lanes apart

} // namespace

LegendChip::LegendChip(const QString& id, QWidget* parent) : QAbstractButton(parent), m_id(id) {
    setCheckable(true);
    setChecked(true);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
}

void LegendChip::setEntry(const QString& name, const ResolvedStyle& style, bool line, std::optional<PatchLook> patch,
                          const ChartTheme& theme) {
    if (text() != name) {
        setText(QString(name).replace('&', "&&"));
        setToolTip(name + '\n' + tr("Click: hide or show. Double click: show alone."));
        updateGeometry();
    }
    m_style = style;
    m_line = line;
    m_patch = patch;
    m_theme = theme;
    setAccessibleName(tr("Curve %1").arg(name));
    setAccessibleDescription(isChecked() ? tr("shown") : tr("hidden"));
    update();
}

QSize LegendChip::sizeHint() const {
    const QString shown = QString(text()).replace("&&", "&");
    const int sample = m_line ? kLineSample : kPointSample;
    const int width = std::min(fontMetrics().horizontalAdvance(shown), kWidestName);
    return {sample + 3 * kPadding + width, fontMetrics().height() + kPadding};
}

void LegendChip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (underMouse() || hasFocus()) {
        painter.setPen(hasFocus() ? QPen(m_theme.accent, 1.5) : QPen(Qt::NoPen));
        painter.setBrush(m_theme.grid);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.75, 0.75, -0.75, -0.75), 4, 4);
    }
    PainterCanvas canvas(painter, font(), PainterCanvas::Fonts::Hinted);
    painter.setOpacity(isChecked() ? 1 : 0.45);
    const double middle = height() / 2.0;
    const int sample = m_line ? kLineSample : kPointSample;
    if (m_line && m_style.dash != DashStyle::NoLine) {
        canvas.drawLine({kPadding, middle}, {double(kPadding + sample), middle},
                        {m_style.colour, m_style.width, dashPattern(m_style.dash)});
    }
    if (m_patch) {
        drawPatch(canvas, QRectF(kPadding, middle - kPointSample / 2.0, kPointSample, kPointSample), m_style.colour,
                  *m_patch, m_theme);
    }
    drawStyledMarkers(canvas, m_style, {{kPadding + sample / 2.0, middle}}, 8, m_theme);
    QFont textFont = font();
    textFont.setStrikeOut(!isChecked());
    painter.setFont(textFont);
    painter.setPen(m_theme.text);
    const QRect room = rect().adjusted(sample + 2 * kPadding, 0, 0, 0);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(QString(text()).replace("&&", "&"), Qt::ElideMiddle, room.width()));
}

void LegendChip::mouseDoubleClickEvent(QMouseEvent*) {
    emit soloRequested();
}

void LegendChip::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    emit hovered(true);
}

void LegendChip::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    emit hovered(false);
}

LegendLayout::LegendLayout(QWidget* parent, QWidget* more) : QLayout(parent), m_more(more) {
    setContentsMargins(0, 0, 0, 0);
}

void LegendLayout::setMostRows(int rows) {
    if (rows != m_mostRows) {
        m_mostRows = rows;
        invalidate();
    }
}

LegendLayout::~LegendLayout() {
    qDeleteAll(m_items);
}

void LegendLayout::addItem(QLayoutItem* item) {
    m_items.append(item);
}

int LegendLayout::count() const {
    return int(m_items.size());
}

QLayoutItem* LegendLayout::itemAt(int index) const {
    return m_items.value(index);
}

QLayoutItem* LegendLayout::takeAt(int index) {
    return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

int LegendLayout::heightForWidth(int width) const {
    return plan(QRect(0, 0, width, 0)).height;
}

QSize LegendLayout::sizeHint() const {
    QSize size;
    for (const QLayoutItem* item : m_items) {
        size.rwidth() += item->sizeHint().width() + kSpacing;
        size.setHeight(std::max(size.height(), item->sizeHint().height()));
    }
    return size;
}

QSize LegendLayout::minimumSize() const {
    QSize size;
    for (const QLayoutItem* item : m_items) {
        size = size.expandedTo(item->minimumSize());
    }
    return size;
}

void LegendLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    const Plan places = plan(rect);
    for (qsizetype index = 0; index < m_items.size(); ++index) {
        const bool hasRoom = index < places.chips.size();
        // Out of sight rather than hidden: hiding would ask for another layout, and so on.
        m_items[index]->setGeometry(hasRoom ? places.chips[index]
                                            : QRect(QPoint(-10000, 0), m_items[index]->sizeHint()));
        m_items[index]->widget()->setFocusPolicy(hasRoom ? Qt::TabFocus : Qt::NoFocus);
    }
    m_leftOver = static_cast<int>(m_items.size() - places.chips.size());
    m_more->setGeometry(places.more.isNull() ? QRect(-10000, 0, 10, 10) : places.more);
    m_more->setFocusPolicy(places.more.isNull() ? Qt::NoFocus : Qt::TabFocus);
}

QList<QRect> LegendLayout::wrapped(const QRect& rect, int reserved) const {
    QList<QRect> places;
    int left = rect.left();
    int top = rect.top();
    int rowHeight = 0;
    int row = 1;
    for (const QLayoutItem* item : m_items) {
        const QSize size = item->sizeHint();
        const int room = rect.width() - (row == m_mostRows ? reserved : 0);
        if (left > rect.left() && left + size.width() > rect.left() + room) {
            left = rect.left();
            top += rowHeight;
            rowHeight = 0;
            if (++row > m_mostRows) {
                break;
            }
        }
        places.append(QRect(QPoint(left, top), size));
        left += size.width() + kSpacing;
        rowHeight = std::max(rowHeight, size.height());
    }
    return places;
}

LegendLayout::Plan LegendLayout::plan(const QRect& rect) const {
    Plan plan;
    plan.chips = wrapped(rect, 0);
    if (plan.chips.size() < m_items.size()) {
        const QSize size = m_more->sizeHint();
        plan.chips = wrapped(rect, size.width() + kSpacing);
        const QRect last = plan.chips.isEmpty() ? QRect(rect.topLeft(), QSize(0, size.height())) : plan.chips.last();
        plan.more = QRect(last.right() + 1 + kSpacing, last.top(), size.width(), last.height());
    }
    plan.height = plan.chips.isEmpty() ? 0 : plan.chips.last().bottom() + 1 - rect.top();
    return plan;
}

LegendBar::LegendBar(QWidget* parent)
    : QWidget(parent), m_more(new QToolButton(this)), m_layout(new LegendLayout(nullptr, m_more)) {
    setLayout(m_layout);
    m_more->setText(tr("more …"));
    m_more->setAutoRaise(true);
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setToolTip(tr("Curves that have no room here"));
    m_more->setAccessibleName(tr("More curves of the legend"));
    auto* menu = new QMenu(m_more);
    m_more->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillMenu(menu); });
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    hide();
}

void LegendBar::setMostRows(int rows) {
    m_layout->setMostRows(rows);
    updateGeometry();
}

void LegendBar::fillMenu(QMenu* menu) {
    menu->clear();
    for (LegendChip* chip : m_chips.mid(m_chips.size() - m_layout->leftOver())) {
        QAction* entry = menu->addAction(chip->text());
        entry->setCheckable(true);
        entry->setChecked(chip->isChecked());
        connect(entry, &QAction::triggered, chip, &QAbstractButton::click);
    }
}

void LegendBar::setEntries(const QVector<Entry>& entries, const ChartTheme& theme) {
    const bool same = entries.size() == m_chips.size() &&
                      std::equal(entries.begin(), entries.end(), m_chips.begin(),
                                 [](const Entry& entry, const LegendChip* chip) { return entry.id == chip->id(); });
    if (!same) {
        qDeleteAll(m_chips);
        m_chips.clear();
        for (const Entry& entry : entries) {
            auto* chip = new LegendChip(entry.id, this);
            const QString id = entry.id;
            connect(chip, &QAbstractButton::clicked, this, [this, id](bool checked) { emit toggled(id, checked); });
            connect(chip, &LegendChip::soloRequested, this, [this, id] { emit soloRequested(id); });
            connect(chip, &LegendChip::hovered, this, [this, id](bool inside) { emit hovered(id, inside); });
            layout()->addWidget(chip);
            m_chips.append(chip);
        }
    }
    for (qsizetype index = 0; index < entries.size(); ++index) {
        m_chips[index]->setChecked(entries[index].visible);
        m_chips[index]->setEntry(entries[index].name, entries[index].style, entries[index].line, entries[index].patch,
                                 theme);
    }
    // One thing needs no name, but what is hidden needs a way back.
    setVisible(entries.size() > 1 ||
               std::any_of(entries.begin(), entries.end(), [](const Entry& entry) { return !entry.visible; }));
}

} // namespace lambdascope
