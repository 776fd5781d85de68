// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace lambdascope {

/// Fusion, with frames that can be seen in the dark: tick boxes, radio buttons, text fields, choosers and number fields
/// get an outline in the palette's Mid, which the themes keep 3 : 1 or more from what lies round it.
class FramedStyle : public QProxyStyle {
    Q_OBJECT

  public:
    FramedStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget = nullptr) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget = nullptr) const override;
};

} // namespace lambdascope
