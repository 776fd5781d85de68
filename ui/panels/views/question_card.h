// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure.h"

#include <QAbstractButton>
#include <QPixmap>

namespace lambdascope {

/// A question that the charts answer, with a small picture of its answer as it is now: a small multiple that opens the
/// large chart.
class QuestionCard : public QAbstractButton {
    Q_OBJECT

  public:
    QuestionCard(const QString& question, QWidget* parent);

    /// The picture, painted as it would be on paper but for title, legend and axis titles. An empty figure leaves the
    /// words alone.
    void setPicture(const Figure& figure);
    /// What stands in place of a picture.
    void setWords(const QString& words);
    [[nodiscard]] bool hasPicture() const { return !isEmpty(m_figure); }
    /// The question alone, where there is no room for pictures.
    void setCompact(bool compact);
    [[nodiscard]] bool isCompact() const { return m_isCompact; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    [[nodiscard]] QRect pictureRect() const;
    void repaintPicture();

    Figure m_figure;
    QString m_words;
    QPixmap m_picture;
    bool m_isCompact = false;
};

} // namespace lambdascope
