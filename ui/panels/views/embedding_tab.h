// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/point_relations.h"
#include "ui/figures/embedding_figures.h"
#include "ui/panels/views/run_tab.h"

#include <optional>

class QComboBox;
class QLabel;
class QToolButton;

namespace lambdascope {

class PointCloudView;
class RunLensSession;

/// The data as the chosen lane's solution at the cursor sees them, on principal or chosen axes, beside the places where
/// they are known to be. A click on a point shows what is said about it as arcs. Where the run keeps its solutions,
/// they come while it computes, and each picture stays until that of a newer point has its arcs; else they come when
/// the run has ended: its lane is computed again in the background.
class EmbeddingTab : public RunTab {
    Q_OBJECT

  public:
    EmbeddingTab(RunCollection& runs, PathCursor& cursor, RunLensSession& session, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<FigureView*> charts() const override;
    /// With arcs, or on chosen axes.
    [[nodiscard]] std::vector<FigureView*> computedCharts() const override;
    [[nodiscard]] PointCloudView* cloud() const { return m_cloud; }
    [[nodiscard]] QComboBox* xChooser() const { return m_x; }
    [[nodiscard]] QComboBox* yChooser() const { return m_y; }
    [[nodiscard]] QString statusText() const;
    /// The point whose relations are shown or asked for; −1 for none.
    [[nodiscard]] int chosenPoint() const { return m_point; }
    void choosePoint(int point);
    /// What the colours of the arcs tell apart; there is a choice where it is known what screening decided.
    [[nodiscard]] QComboBox* coloursChooser() const { return m_colours; }
    [[nodiscard]] Json detail() const override { return m_point < 0 ? Json() : Json(m_point); }
    void restoreDetail(const Json& detail) override { choosePoint(detail.get<int>()); }

    static QString topic() { return QStringLiteral("relations"); }

  protected:
    void rebuild(const std::vector<ShownRun>& runs) override;
    void moveCursor(const std::vector<ShownRun>& runs) override;

  private:
    void buildChoosers(QHBoxLayout& row);
    void takeClick(const QString& className, int point);
    /// Why the chosen lane has nothing to show; null for no lane.
    [[nodiscard]] static QString noEmbedding(const ShownRun* run);
    void draw(const ShownRun& run, int index);
    void fillAxes(const ShownRun& run, int index);
    void chooseAxes(bool isX);
    void redraw();
    /// Asks for the relations of the chosen point at the drawn path point, after a rest.
    void askLater();
    void ask();
    /// Whether a run has ended whose lane, computed again, tells what was screened; what it keeps does not.
    [[nodiscard]] bool tellsDecisions(const ShownRun& run) const;
    /// Whether the arcs of a run that computes are asked for point by point.
    [[nodiscard]] static bool isLive(const ShownRun& run, int index);
    void take(RunId run, int index, int point, PointRelations relations);
    void setTrouble(const QString& words);
    void refreshStatus();

    RunLensSession& m_session;
    PointCloudView* m_cloud;
    QComboBox* m_x;
    QComboBox* m_y;
    QWidget* m_axesBox;
    QComboBox* m_colours;
    QLabel* m_status;
    QToolButton* m_forget;
    QTimer m_wait;                      ///< until the cursor has come to rest
    const Embedding* m_drawn = nullptr; ///< only compared, never followed
    RunId m_drawnRun;
    int m_drawnIndex = -1;
    int m_wantedIndex = -1; ///< the drawn one, or a newer one that waits for its arcs
    bool m_isKept = false;  ///< the solution of what is drawn
    EmbeddingAxes m_axes;
    int m_point = -1;
    std::optional<PointRelations> m_relations; ///< of m_point at what is drawn
    QString m_trouble;
};

} // namespace lambdascope
