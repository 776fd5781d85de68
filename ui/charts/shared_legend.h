// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/legend_bar.h"

#include <QPointer>
#include <QSet>

#include <vector>

namespace lambdascope {

class FigureView;

/// One legend for charts beside each other that name the same things, so that each keeps its height for its data. It
/// takes the names of the chart that covers most of the others; a chart that names anything else, or the same things in
/// other words, keeps its own legend. What is hidden here is hidden in all charts it serves, also in those that show it
/// later.
class SharedLegend : public LegendBar {
    Q_OBJECT

  public:
    explicit SharedLegend(QWidget* parent);

    /// The charts from now on, in reading order; those hidden from the user do not count.
    void serve(const std::vector<FigureView*>& charts);

  private:
    void refresh();
    void setShown(const QString& id, bool shown);
    void showAlone(const QString& id);
    [[nodiscard]] std::vector<FigureView*> served() const;
    [[nodiscard]] FigureView* widest() const;

    std::vector<QPointer<FigureView>> m_charts;
    QSet<QString> m_hidden;
    bool m_isRefreshing = false;
};

} // namespace lambdascope
