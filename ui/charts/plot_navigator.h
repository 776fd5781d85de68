// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCursor>
#include <QObject>
#include <QPointF>
#include <QRectF>

#include <functional>
#include <optional>

class QKeyEvent;
class QMouseEvent;
class QWheelEvent;
class QWidget;

namespace lambdascope {

struct ValueRange;

/// Mouse and keys of a plot, the same for all views: turns them into requests in fractions of the plot rectangle (0, 0
/// at the left bottom, 1, 1 at the right top).
class PlotNavigator : public QObject {
    Q_OBJECT

  public:
    /// `surface` gets the mouse, `keys` the keyboard (the same widget, or a viewport and its view).
    PlotNavigator(QWidget* surface, QWidget* keys);

    void setPlotRect(const QRectF& rect) { m_plot = rect; }
    /// Says whether a press at a pixel grabs something, such as the cursor line, rather than beginning a rectangle;
    /// over it the pointer looks so.
    void setGrab(std::function<bool(const QPointF&)> grab, const QCursor& pointer = Qt::SizeHorCursor);

    /// Whether a drag draws a box (boxDrawn) in place of a rectangle to zoom to, as it does with Shift at any time.
    void setMarking(bool marking) { m_isMarking = marking; }

    /// Says whether a double click asks for more room rather than for the whole range.
    void setEnlarge(std::function<bool()> enlarge) { m_enlarge = std::move(enlarge); }

    [[nodiscard]] std::optional<QRectF> rubberBand() const; ///< pixels
    [[nodiscard]] std::optional<QPointF> hover() const { return m_hover; }
    [[nodiscard]] bool isGrabbing() const { return m_drag == Drag::Cursor; } ///< a press grabbed something
    [[nodiscard]] bool grabsAt(const QPointF& pixel) const { return m_grab && m_grab(pixel); }
    [[nodiscard]] QPointF fractionAt(const QPointF& pixel) const;

  signals:
    void zoomRequested(const QPointF& fraction, double factorX, double factorY); ///< factor < 1: closer
    void panRequested(const QPointF& fractions);                                 ///< the content moves by this much
    void rectangleChosen(const QRectF& fractions);
    void boxDrawn(const QRectF& pixels);
    void clicked(const QPointF& pixel);
    void cursorGrabbed(const QPointF& pixel);
    void cursorDragged(const QPointF& pixel);
    void cursorReleased();
    void stepped(int right, int up); ///< arrow keys
    void resetRequested();
    void enlargeRequested(); ///< double click, or Enter
    void hoverChanged();
    void rubberBandChanged();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    enum class Drag { None, Rectangle, Box, Pan, Cursor };

    bool press(const QMouseEvent& event);
    bool move(const QMouseEvent& event);
    bool release(const QMouseEvent& event);
    bool wheel(const QWheelEvent& event);
    bool key(const QKeyEvent& event);
    void updateShape();

    QWidget* m_surface;
    QRectF m_plot;
    std::function<bool(const QPointF&)> m_grab;
    QCursor m_grabPointer = Qt::SizeHorCursor;
    std::function<bool()> m_enlarge;
    std::optional<QPointF> m_hover;
    QPointF m_pressed;
    QPointF m_last;
    Drag m_drag = Drag::None;
    bool m_space = false;
    bool m_isMarking = false;
};

/// `range` zoomed about the point at `fraction` of it.
[[nodiscard]] ValueRange zoomedRange(const ValueRange& range, double fraction, double factor);

} // namespace lambdascope
