// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure.h"
#include "ui/session/experiment/live_path.h"
#include "ui/session/experiment/point_editor.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <memory>
#include <string>
#include <vector>

class QBoxLayout;
class QButtonGroup;
class QComboBox;
class QLabel;
class QLayout;
class QPushButton;
class QSlider;

namespace lambdascope {

class PlotView;
class ShapeView;

/// The rows of the experiment in the plane of two features, to be moved, painted, erased and put into other classes by
/// mouse or keys, while the path of one lane is computed anew beside them. Each stroke is a step that can be undone;
/// rows of real data stay as they are in their file, and the run says "what if".
///
/// Keys in the plane: arrows go from row to row, with Ctrl they move the row, with Ctrl and Shift ten times as far;
/// Insert adds one beside it, Delete takes it away, C puts it into the class that is chosen; Esc takes back a stroke.
class PaintPage : public QWidget {
    Q_OBJECT

  public:
    enum class Tool { Move, Paint, Erase, Relabel };

    /// `document` must outlive the page.
    PaintPage(ExperimentDocument& document, LivePath::Options options, QWidget* parent = nullptr);
    ~PaintPage() override;

    void setTool(Tool tool);
    [[nodiscard]] Tool tool() const { return m_tool; }
    [[nodiscard]] PointEditor& editor() { return m_editor; }
    [[nodiscard]] LivePath& live() { return m_live; }
    [[nodiscard]] ShapeView& plane() { return *m_plane; }
    [[nodiscard]] PlotView& chart() { return *m_chart; }
    [[nodiscard]] QString statusText() const;
    void setBrush(int pixels);                            ///< radius; 0: one row
    void setClass(const QString& name);                   ///< that is painted
    [[nodiscard]] int frames() const { return m_frames; } ///< pictures made so far

  Q_SIGNALS:
    void runRequested();
    void dataRequested();

  protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void buildHeader(QBoxLayout* layout);
    void buildTools(QBoxLayout* layout);
    void buildViews(QBoxLayout* layout);
    QPushButton* makeButton(const QString& name, const QString& hint, std::function<void()> act);
    QComboBox* makeChooser(const QString& name, const QString& hint, std::function<void()> act);
    QWidget* addPart(QLayout* row, const QString& name, QWidget* part); ///< with its name before it
    void beginStroke(const QPointF& pixel);
    void continueStroke(const QPointF& pixel);
    void endStroke();
    void cancelStroke();
    void paintAt(const QPointF& pixel);
    [[nodiscard]] std::vector<std::int64_t> rowsUnder(const QPointF& pixel) const;
    [[nodiscard]] std::int64_t rowAt(const QPointF& pixel) const; ///< the nearest within reach; −1 for none
    [[nodiscard]] QPointF rounded(const QPointF& value) const;
    void nudge(int right, int up, double percent);
    void addBesideProbed();
    void eraseProbed();
    void relabelProbed();
    /// What a key in the plane does; nothing when it means nothing here.
    [[nodiscard]] std::function<void()> actionOf(const QKeyEvent& event);
    [[nodiscard]] std::int64_t probedRow() const; ///< −1 for none, or one that is left out
    void probeRow(std::int64_t row);
    [[nodiscard]] std::string chosenClass() const;
    [[nodiscard]] bool hasClass(); ///< says what to do when none is chosen
    void refreshSoon();
    void refresh();
    void refreshChoosers();
    void refreshChart();
    void refreshStatus();
    void refreshPointer();
    void fitRange(bool isAnew);
    void request();
    void choosePoint(double axisValue);
    [[nodiscard]] QString stepText() const;

    ExperimentDocument& m_document;
    PointEditor m_editor;
    LivePath m_live;
    std::shared_ptr<const LivePath::Path> m_asRead; ///< of the rows without edits
    Json m_unedited;                                ///< document that it is of, or was asked for
    Tool m_tool = Tool::Move;
    PlaneAxes m_axes{0, 1};
    ValueRange m_x;
    ValueRange m_y;
    int m_point = -1;
    bool m_isDragging = false;
    std::int64_t m_row = -1; ///< that is dragged
    QPointF m_grabbedBeside; ///< from the row to the pointer, in pixels
    QPointF m_last;          ///< place of the brush, in pixels
    std::string m_before;    ///< edits when the stroke began
    int m_touched = 0;       ///< rows of the stroke
    QString m_hint;          ///< what to do first
    Json m_asked;            ///< document of the last wish
    int m_frames = 0;
    QTimer m_frame;
    QElapsedTimer m_sinceFrame;
    QLabel* m_title = nullptr;
    QLabel* m_sentence = nullptr;
    QLabel* m_status = nullptr;
    QPushButton* m_run = nullptr;
    QPushButton* m_discard = nullptr;
    QPushButton* m_fresh = nullptr; ///< an empty set
    QButtonGroup* m_tools = nullptr;
    QComboBox* m_class = nullptr;
    QSlider* m_brush = nullptr;
    QComboBox* m_xFeature = nullptr;
    QComboBox* m_yFeature = nullptr;
    std::vector<QWidget*> m_features; ///< choosers of the axes
    QComboBox* m_lane = nullptr;
    QBoxLayout* m_views = nullptr;
    ShapeView* m_plane = nullptr;
    PlotView* m_chart = nullptr;
};

} // namespace lambdascope
