// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/shape_painter.h"

#include <QAbstractButton>
#include <QLayout>
#include <QWidget>

#include <optional>

class QMenu;
class QToolButton;

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

/// Chips in rows that wrap at the width there is, as many rows as may be; then comes `more`, for the rest.
class LegendLayout : public QLayout {
  public:
    LegendLayout(QWidget* parent, QWidget* more);
    ~LegendLayout() override;

    void setMostRows(int rows);
    /// How many chips had no room when they were placed last.
    [[nodiscard]] int leftOver() const { return m_leftOver; }

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
    struct Plan {
        QList<QRect> chips; ///< those that have room
        QRect more;         ///< null when all have
        int height = 0;
    };
    [[nodiscard]] Plan plan(const QRect& rect) const;
    [[nodiscard]] QList<QRect> wrapped(const QRect& rect, int reserved) const;

    QList<QLayoutItem*> m_items;
    QWidget* m_more;
    int m_mostRows = 99;
    int m_leftOver = 0;
};

/// The legend of a chart. It keeps to a few rows, so that room for the chart is left; entries beyond them are in a menu
/// at its end.
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

        bool operator==(const Entry&) const = default;
    };

    explicit LegendBar(QWidget* parent);

    /// Keeps chips whose ids stay, so that focus and hovering survive an update. Fewer than two entries: no legend.
    void setEntries(const QVector<Entry>& entries, const ChartTheme& theme);
    [[nodiscard]] QVector<LegendChip*> chips() const { return m_chips; }
    void setMostRows(int rows);
    /// The button with the menu of entries that have no room; hidden when all have.
    [[nodiscard]] QToolButton* moreButton() const { return m_more; }

  signals:
    void toggled(const QString& id, bool visible);
    void soloRequested(const QString& id);
    void hovered(const QString& id, bool inside);

  private:
    void fillMenu(QMenu* menu);

    QVector<LegendChip*> m_chips;
    QToolButton* m_more;
    LegendLayout* m_layout;
};

} // namespace lambdascope
