// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/framed_style.h"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

namespace lambdascope {

namespace {

bool isDark(const QPalette& palette) {
    return palette.color(QPalette::Base).lightness() < 128;
}

void drawOutline(const QStyleOption& option, QPainter& painter, bool isRound) {
    const bool hasFocus = option.state & QStyle::State_HasFocus;
    const QColor colour = option.palette.color(hasFocus ? QPalette::Highlight : QPalette::Mid);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, isRound);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, 1));
    const QRectF frame = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5);
    if (isRound) {
        painter.drawEllipse(frame);
    } else {
        painter.drawRoundedRect(frame, 2, 2);
    }
    painter.restore();
}

} // namespace

FramedStyle::FramedStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void FramedStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const {
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    const bool isBox = element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck;
    const bool isFrame = element == PE_FrameLineEdit;
    if (isDark(option->palette) && (isBox || isFrame || element == PE_IndicatorRadioButton)) {
        drawOutline(*option, *painter, element == PE_IndicatorRadioButton);
    }
}

void FramedStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                     const QWidget* widget) const {
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (isDark(option->palette) && (control == CC_ComboBox || control == CC_SpinBox)) {
        drawOutline(*option, *painter, false);
    }
}

} // namespace lambdascope
