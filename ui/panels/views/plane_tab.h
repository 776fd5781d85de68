// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/decision_plane.h"
#include "ui/panels/views/run_tab.h"

#include <deque>

class QComboBox;
class QLabel;

namespace lambdascope {

class RunLensSession;
class ShapeView;

/// The data in a plane of two features as the chosen lane sees them at the cursor: what its bounds prove about every
/// place, where the decision changes, and the samples by state. Computed in the background when the cursor has come to
/// rest, for runs that have ended; planes seen last come back at once.
class PlaneTab : public RunTab {
    Q_OBJECT

  public:
    PlaneTab(RunCollection& runs, PathCursor& cursor, RunLensSession& session, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<FigureView*> charts() const override;
    [[nodiscard]] std::vector<FigureView*> computedCharts() const override { return charts(); }
    [[nodiscard]] ShapeView* plane() const { return m_plane; }
    [[nodiscard]] QComboBox* xChooser() const { return m_x; }
    [[nodiscard]] QComboBox* yChooser() const { return m_y; }
    [[nodiscard]] QString statusText() const;
    [[nodiscard]] Json detail() const override; ///< numbers of the features that were chosen by hand
    void restoreDetail(const Json& detail) override;

    static QString topic() { return QStringLiteral("plane"); }

  protected:
    void rebuild(const std::vector<ShownRun>& runs) override;
    void moveCursor(const std::vector<ShownRun>& runs) override;

  private:
    /// What is asked about: a lane at one of its points, and two features.
    struct Place {
        RunId run;
        int point = -1;
        PlaneAxes axes;
        bool operator==(const Place&) const = default;
    };
    struct Seen {
        Place place;
        DecisionPlane plane;
    };

    QComboBox* addAxisChooser(QHBoxLayout& row, const QString& text, const QString& name);
    void ask();
    void take(const Place& place, DecisionPlane plane);
    void draw(const Seen& seen);
    void forget(const QString& why);
    void chooseAxes(bool isX);
    void fillAxes(const DecisionPlane& plane);
    void forgetAxesOfOtherData(const ShownRun& run);
    [[nodiscard]] const Seen* seenAt(const Place& place) const;
    void refreshStatus();

    RunLensSession& m_session;
    QComboBox* m_x;
    QComboBox* m_y;
    QLabel* m_status;
    ShapeView* m_plane;
    QTimer m_wait; ///< until the cursor has come to rest
    Place m_wanted;
    PlaneAxes m_axes;        ///< chosen by hand; open until then
    std::string m_data;      ///< that they are features of
    std::deque<Seen> m_seen; ///< the last one first
    QString m_summary;
};

} // namespace lambdascope
