// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure.h"

#include <QWidget>

#include <vector>

class QGridLayout;

namespace lambdascope {

class FigureView;
class PlotView;

/// Small multiples: some charts of equal size, in as many columns as make them largest.
class StudyPanels : public QWidget {
    Q_OBJECT

  public:
    explicit StudyPanels(QWidget* parent = nullptr);

    /// Shows the first kMostPanels of them.
    void setFigures(const QList<CurveFigure>& figures);
    [[nodiscard]] std::vector<FigureView*> charts() const;

    static constexpr int kMostPanels = 12;

  Q_SIGNALS:
    void chartMade(const lambdascope::FigureView* chart);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    [[nodiscard]] int bestColumns() const;
    void arrange();

    QGridLayout* m_grid;
    std::vector<PlotView*> m_plots; ///< those not shown last, for later
    int m_shown = 0;
    int m_columns = 0; ///< as they are arranged
};

} // namespace lambdascope
