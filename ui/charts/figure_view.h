// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_theme.h"
#include "ui/charts/figure.h"
#include "ui/charts/legend_bar.h"

#include <QWidget>

#include <functional>
#include <memory>

class QAbstractItemModel;
class QAction;
class QKeySequence;
class QMenu;

namespace lambdascope {

class ExportDialog;

/// What all chart widgets share: a header line (title, legend chips, notes, tools), the drawing, a table with the same
/// values in its place on demand, the context menu, copying and exporting, the theme, and the words for screen
/// readers. Not used alone.
class FigureView : public QWidget {
    Q_OBJECT
    Q_MOC_INCLUDE("ui/charts/export_dialog.h")

  public:
    ~FigureView() override;

    /// The picture as shown now (hidden curves are marked invisible), for export and comparison.
    [[nodiscard]] virtual Figure figure() const = 0;

    /// Text in the middle of an empty chart; default "Runs appear here. Press F5."
    void setEmptyText(const QString& text);
    [[nodiscard]] QString emptyText() const;

    /// The table twin: the same values, exact, one row per x (curves), per cell row (heatmap) or per point (cloud).
    void setTableShown(bool shown);
    [[nodiscard]] bool isTableShown() const;
    [[nodiscard]] QAbstractItemModel* tableModel() const;
    /// All rows of the table with a header line, tab-separated, C locale, exact numbers.
    [[nodiscard]] QString tableText() const;

    /// Remark of the header line, such as "1 in 12 shown"; empty if there is nothing to say.
    [[nodiscard]] QString note() const;

    /// The line of values at the cursor or under the pointer, in plain words.
    [[nodiscard]] QString readout() const;

    [[nodiscard]] const ChartTheme& theme() const;

    /// The drawing as on the screen, at the device's pixel ratio.
    [[nodiscard]] QImage drawnImage();

    /// Actions of the context menu (objectNames "logX", "logY", "resetZoom", "follow", "showTable", "copyImage",
    /// "copyTable", "export"), for menus of a window too. Null if the view has no such action.
    [[nodiscard]] QAction* action(const QString& objectName) const;

    /// What the legend names, hidden entries included; nothing for charts without a legend.
    [[nodiscard]] virtual QVector<LegendBar::Entry> legendEntries() const { return {}; }
    /// Off for charts that name the same entries, when one legend beside them serves all (SharedLegend).
    void setLegendShown(bool shown);
    /// Whether this chart shows a legend of its own when it has something to name.
    [[nodiscard]] bool isLegendShown() const;
    [[nodiscard]] virtual bool isEntryVisible(const QString& id) const;
    virtual void setEntryVisible(const QString& id, bool visible);
    /// Hides all others; again: shows all.
    virtual void soloEntry(const QString& id);
    /// Brings out what an entry stands for; an empty id: nothing.
    virtual void emphasizeEntry(const QString& id);

    /// Which items of a chart are marked, by number.
    using Marks = std::function<bool(qint64)>;
    /// From now on boxes mark what lies in them: with Shift, or while the action "mark" is on; "markShown" marks all
    /// that is in view.
    void setMarkable();
    /// The items of the drawing within a box of its pixels.
    [[nodiscard]] QVector<qint64> itemsWithin(const QRectF& pixels) const;
    /// Outlines the marked items and lets the others stand back; empty: none is marked.
    void setMarks(const Marks& marks);
    [[nodiscard]] Marks marks() const;

    /// The context menu, filled; the caller may add to it before it is shown.
    [[nodiscard]] QMenu* createMenu(QWidget* parent);

  public slots:
    void resetZoom();
    void copyImage();
    void copyTable();
    /// Opens the export dialog (format, size preset, file).
    void exportFigure();
    /// Tells what lies in a box, or says that there is nothing to mark.
    void takeBox(const QRectF& pixels);

  signals:
    /// The plot was clicked, on something or not; comes before all that the click does.
    void placeClicked();
    /// A double click on a plot that is not zoomed, or Enter: the chart is to have all the room there is, or no longer.
    void enlargeRequested();
    void cursorMoved(double x);
    /// A click where no item is.
    void emptyPlaceClicked();
    /// The numbers of the items in a box; none for a box without items.
    void itemsMarked(const QVector<qint64>& items);
    /// A point was clicked: curve or class id, index into its points (cell: row * columns + column).
    void itemActivated(const QString& id, int index);
    /// The dialog that exports the chart opens; it may be told more before it is seen.
    void exportOpened(lambdascope::ExportDialog* dialog);
    void exported(const QString& path);
    /// legendEntries() may be others, or look otherwise, from now on.
    void legendChanged();

  protected:
    explicit FigureView(QWidget* parent);

    [[nodiscard]] virtual QWidget* canvas() const = 0;
    virtual void applyTheme() = 0;
    virtual void doResetZoom() = 0;

    /// Puts the drawing into place; once, at the end of the constructor of a view.
    void attachCanvas(QWidget* drawing);
    void setTitle(const QString& title);
    void setNote(const QString& note);
    /// A line of values below the title, as rich text: what all entries have at one place. `isReserved`: its room stays
    /// when it is empty, so that the drawing does not jump.
    void setReadout(const QStringList& parts, bool isReserved);
    /// To be called after each change of the values: the table and the words for screen readers follow.
    void valuesChanged();
    /// To be called after each change of legendEntries().
    void refreshLegend();
    /// Makes an action that the context menu shows and a single key triggers while the drawing has the focus.
    QAction* makeAction(const QString& objectName, const QString& text, const QKeySequence& key, bool checkable);
    /// Adds a small button for an action to the header line.
    void addTool(QAction* tool, const QString& shortText);

    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void styleHeader();
    void fitTools();

    class Private;
    std::unique_ptr<Private> m_base;
};

} // namespace lambdascope
