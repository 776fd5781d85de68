// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/number_line.h"

#include "core/common/number_text.h"
#include "ui/charts/chart_theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStringList>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope {

namespace {

constexpr int kLineMargin = 8; // px beside the line, for arrows
constexpr double kBar = 5;     // px, height
constexpr int kDigits = 4;     // of the ends of intervals
constexpr double kWidest = 3;  // how much wider than the edges and the solution the line may become, on either side

QString valueText(double value) {
    const QString size =
        std::isinf(value) ? QStringLiteral("∞") : QString::fromStdString(shortText(std::abs(value), kDigits));
    return value < 0 ? QChar(0x2212) + size : size;
}

} // namespace

NumberLine::NumberLine(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Intervals of the bounds"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    hide();
}

void NumberLine::setExplanation(const ItemExplanation& why) {
    m_scale = why.scale;
    m_rows.clear();
    const auto add = [this](const BoundDecision& decision, bool isUsed, const QString& source = {}) {
        if (decision.values) {
            m_rows.push_back(
                {QStringLiteral("%1, %2%3")
                     .arg(QString::fromStdString(decision.bound), QString::fromStdString(decision.rule), source),
                 *decision.values, QString::fromStdString(decision.set), isUsed});
        }
    };
    if (why.reference) {
        add(why.reference->decision, true,
            why.reference->point < 0 ? tr(", from the start of the path")
                                     : tr(", from point %1").arg(why.reference->point + 1));
    }
    std::for_each(why.used.begin(), why.used.end(), [&](const BoundDecision& decision) { add(decision, true); });
    std::for_each(why.rivals.begin(), why.rivals.end(), [&](const BoundDecision& decision) { add(decision, false); });
    if (m_scale.edges.empty()) {
        m_rows.clear();
    }
    chooseRange();
    QStringList words;
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row) {
        words << rowText(row);
    }
    setAccessibleDescription(words.join('\n'));
    setVisible(!m_rows.empty());
    updateGeometry();
    update();
}

void NumberLine::clear() {
    setExplanation({});
}

void NumberLine::chooseRange() {
    if (m_rows.empty()) {
        return;
    }
    double low = m_scale.edges.front().value;
    double high = m_scale.edges.back().value;
    if (m_scale.atSolution) {
        low = std::min(low, *m_scale.atSolution);
        high = std::max(high, *m_scale.atSolution);
    }
    const double least = high - low > 0 ? high - low : std::max(0.5, 0.5 * std::abs(high));
    const double lowest = low - kWidest * least;
    const double highest = high + kWidest * least;
    const bool hasOwn = std::any_of(m_rows.begin(), m_rows.end(), [](const Row& row) { return row.isUsed; });
    for (const Row& row : m_rows) {
        if (row.isUsed || !hasOwn) {
            low = std::min(low, std::max(row.values.low, lowest));
            high = std::max(high, std::min(row.values.high, highest));
        }
    }
    const double margin = 0.08 * std::max(high - low, least);
    m_low = low - margin;
    m_high = high + margin;
}

double NumberLine::placeOf(double value) const {
    return kLineMargin + (value - m_low) / (m_high - m_low) * (width() - 2 * kLineMargin);
}

int NumberLine::rowHeight() const {
    return fontMetrics().height() + 12;
}

int NumberLine::headHeight() const {
    return 2 * fontMetrics().height() + 6;
}

QRectF NumberLine::barOf(int row) const {
    const ValueInterval& values = m_rows[static_cast<std::size_t>(row)].values;
    const double left = std::clamp(placeOf(values.low), 0.0, static_cast<double>(width()));
    const double right = std::clamp(placeOf(values.high), 0.0, static_cast<double>(width()));
    const double top = headHeight() + (row + 1) * rowHeight() - kBar - 3;
    return {left, top, std::max(right - left, 1.0), kBar};
}

QString NumberLine::rowText(int row) const {
    const Row& shown = m_rows[static_cast<std::size_t>(row)];
    return tr("%1: %2, %3 … %4")
        .arg(shown.name, shown.set.isEmpty() ? tr("undecided") : shown.set, valueText(shown.values.low),
             valueText(shown.values.high));
}

QSize NumberLine::sizeHint() const {
    const int foot = m_scale.atSolution ? fontMetrics().height() + 6 : 4;
    return {260, headHeight() + static_cast<int>(m_rows.size()) * rowHeight() + foot};
}

QSize NumberLine::minimumSizeHint() const {
    return {120, sizeHint().height()};
}

int NumberLine::rowAt(int y) const {
    const int row = (y - headHeight()) / rowHeight();
    return y >= headHeight() && row < static_cast<int>(m_rows.size()) ? row : -1;
}

bool NumberLine::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int row = rowAt(help->pos().y());
        const bool isUsed = row >= 0 && m_rows[static_cast<std::size_t>(row)].isUsed;
        const QString who = isUsed ? tr("A bound of this lane.") : tr("What this bound would have said.");
        QToolTip::showText(help->globalPos(), row < 0 ? QString() : rowText(row) + '\n' + who, this);
        return true;
    }
    return QWidget::event(event);
}

void NumberLine::paintSets(QPainter& painter) const {
    const ChartTheme theme = ChartTheme::fromPalette(palette());
    const int line = fontMetrics().height();
    const double bottom = headHeight() + static_cast<double>(m_rows.size()) * rowHeight();
    painter.setPen(theme.text);
    for (std::size_t i = 0; i < m_scale.sets.size(); ++i) {
        const double left = i == 0 ? 0 : placeOf(m_scale.edges[i - 1].value);
        const double right = i == m_scale.edges.size() ? width() : placeOf(m_scale.edges[i].value);
        const QString name = QString::fromStdString(m_scale.sets[i]);
        const double room = std::max(right - left, static_cast<double>(fontMetrics().horizontalAdvance(name)));
        const double from = std::clamp((left + right - room) / 2, 0.0, std::max(0.0, width() - room));
        painter.drawText(QRectF(from, 0, room, line), Qt::AlignCenter, name);
    }
    for (std::size_t i = 0; i < m_scale.edges.size(); ++i) {
        const double x = placeOf(m_scale.edges[i].value);
        painter.setPen(QPen(theme.axis, 1));
        painter.drawLine(QPointF(x, line), QPointF(x, bottom));
        // Two edges that are close write their names to either side.
        const QString name = QString::fromStdString(m_scale.edges[i].name);
        const double wide = fontMetrics().horizontalAdvance(name);
        const double from = i + 1 < m_scale.edges.size() ? x - wide - 3 : x + 3;
        painter.setPen(theme.mutedText);
        painter.drawText(
            QPointF(std::clamp(from, 0.0, std::max(0.0, width() - wide)), line + fontMetrics().ascent() + 2.0), name);
    }
    if (m_scale.atSolution) {
        const double x = std::clamp(placeOf(*m_scale.atSolution), 0.0, static_cast<double>(width()));
        painter.setPen(QPen(theme.accent, 1.5, Qt::DotLine));
        painter.drawLine(QPointF(x, line), QPointF(x, bottom + 2));
        painter.setPen(theme.accent);
        const QString words =
            tr("%1 = %2 at the solution").arg(QString::fromStdString(m_scale.quantity), valueText(*m_scale.atSolution));
        const double wide = fontMetrics().horizontalAdvance(words);
        painter.drawText(
            QPointF(std::clamp(x - wide / 2, 0.0, std::max(0.0, width() - wide)), bottom + fontMetrics().ascent() + 3),
            words);
    }
}

void NumberLine::paintRow(QPainter& painter, int row) const {
    const ChartTheme theme = ChartTheme::fromPalette(palette());
    const Row& shown = m_rows[static_cast<std::size_t>(row)];
    const QRectF bar = barOf(row);
    const QColor colour = shown.set.isEmpty() ? theme.mutedText : theme.series[2];
    const QRectF words(0, headHeight() + row * rowHeight(), width(), fontMetrics().height());
    painter.setPen(shown.isUsed ? theme.text : theme.mutedText);
    const QString ends = QStringLiteral("%1 … %2").arg(valueText(shown.values.low), valueText(shown.values.high));
    const QString verdict = shown.set.isEmpty() ? tr("undecided") : shown.set;
    const int room = width() - fontMetrics().horizontalAdvance(ends) - 8;
    const QString says =
        fontMetrics().elidedText(QStringLiteral("%1: %2").arg(shown.name, verdict), Qt::ElideRight, room);
    for (const auto& [text, side] : {std::pair(says, Qt::AlignLeft), std::pair(ends, Qt::AlignRight)}) {
        const auto alignment = side | Qt::AlignVCenter;
        painter.fillRect(painter.boundingRect(words, alignment, text), palette().window()); // no line through words
        painter.drawText(words, alignment, text);
    }
    painter.setPen(shown.isUsed ? Qt::NoPen : QPen(colour, 1));
    painter.setBrush(shown.isUsed ? QBrush(colour) : Qt::NoBrush);
    painter.drawRect(bar);
    // Beyond the end of the line: an arrow.
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    const double middle = bar.center().y();
    if (placeOf(shown.values.low) < 0) {
        painter.drawPolygon(QPolygonF({{0.0, middle}, {7.0, middle - 5}, {7.0, middle + 5}}));
    }
    if (placeOf(shown.values.high) > width()) {
        const double end = width();
        painter.drawPolygon(QPolygonF({{end, middle}, {end - 7, middle - 5}, {end - 7, middle + 5}}));
    }
}

void NumberLine::paintEvent(QPaintEvent*) {
    if (m_rows.empty()) {
        return;
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintSets(painter);
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row) {
        paintRow(painter, row);
    }
}

} // namespace lambdascope
