// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/item_explanation.h"

#include <QRectF>
#include <QWidget>

#include <vector>

namespace lambdascope {

/// An explanation as intervals on a number line: for each bound, between which values the item's quantity lies over
/// the region, against the edges of the sets. An interval that lies between two edges as a whole decides the item. The
/// lane's own bounds stand above those that would have been possible. Rules without such an interval are left out.
class NumberLine : public QWidget {
    Q_OBJECT

  public:
    struct Row {
        QString name; ///< "PGB, sphere"
        ValueInterval values;
        QString set; ///< that the bound decides; empty for none
        bool isUsed = true;
    };

    explicit NumberLine(QWidget* parent = nullptr);

    void setExplanation(const ItemExplanation& why);
    void clear();
    [[nodiscard]] bool isEmpty() const { return m_rows.empty(); }

    [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }
    [[nodiscard]] const SetScale& scale() const { return m_scale; }
    /// Where a value is drawn, from left to right; beyond the ends for values that are not in view.
    [[nodiscard]] double placeOf(double value) const;
    /// The bar of a row as it is drawn, cut at the ends of the line.
    [[nodiscard]] QRectF barOf(int row) const;
    /// What a row says in words: "PGB, sphere: R, 1.02 … 1.31".
    [[nodiscard]] QString rowText(int row) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    void chooseRange();
    [[nodiscard]] int rowHeight() const;
    [[nodiscard]] int headHeight() const;
    [[nodiscard]] int rowAt(int y) const;
    void paintSets(QPainter& painter) const;
    void paintRow(QPainter& painter, int row) const;

    SetScale m_scale;
    std::vector<Row> m_rows;
    double m_low = 0;
    double m_high = 1;
};

} // namespace lambdascope
