// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QStyledItemDelegate>

#include <functional>
#include <map>

namespace lambdascope {

/// Draws the style of a run (colour, dash, marker) before its name.
class SwatchDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    /// `styleRole` gives the style index of a row.
    explicit SwatchDelegate(int styleRole, QObject* parent = nullptr);

    void setSwatch(std::function<QIcon(int styleIndex)> swatch);
    /// Swatches are asked for again.
    void forget() { m_icons.clear(); }

  protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

  private:
    int m_styleRole;
    std::function<QIcon(int)> m_swatch;
    mutable std::map<int, QIcon> m_icons;
};

} // namespace lambdascope
