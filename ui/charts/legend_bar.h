// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/shape_painter.h"

#include <QAbstractButton>
#include <QLayout>
#include <QWidget>

#include <optional>

namespace lambdascope {

/// One entry of a legend: a sample of the line with its marker, or of the filled area, and the name. A click hides or
/// shows, a double click shows it alone; hidden entries are struck out and faded.
class LegendChip : public QAbstractButton {
    Q_OBJECT

  public:
    LegendChip(const QString& id, QWidget* parent);

    void setEntry(const QString& name, const ResolvedStyle& style, bool line, std::optional<PatchLook> patch,
                  const ChartTheme& theme);
    [[nodiscard]] const QString& id() const { return m_id; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

  signals:
    void soloRequested();
    void hovered(bool inside);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

  private:
    QString m_id;
    ResolvedStyle m_style;
    ChartTheme m_theme;
    bool m_line = true;
    std::optional<PatchLook> m_patch;
};

/// Chips in rows that wrap at the width there is.
class LegendLayout : public QLayout {
  public:
    explicit LegendLayout(QWidget* parent);
    ~LegendLayout() override;

    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override;
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

  private:
    int arrange(const QRect& rect, bool move) const;

    QList<QLayoutItem*> m_items;
};

/// The legend of a chart.
class LegendBar : public QWidget {
    Q_OBJECT

  public:
    struct Entry {
        QString id;
        QString name;
        ResolvedStyle style;
        bool line = true;
        bool visible = true;
        std::optional<PatchLook> patch = {}; ///< a filled box in place of line and marker
    };

    explicit LegendBar(QWidget* parent);

    /// Keeps chips whose ids stay, so that focus and hovering survive an update. Fewer than two entries: no legend.
    void setEntries(const QVector<Entry>& entries, const ChartTheme& theme);
    [[nodiscard]] QVector<LegendChip*> chips() const { return m_chips; }

  signals:
    void toggled(const QString& id, bool visible);
    void soloRequested(const QString& id);
    void hovered(const QString& id, bool inside);

  private:
    QVector<LegendChip*> m_chips;
};

} // namespace lambdascope
