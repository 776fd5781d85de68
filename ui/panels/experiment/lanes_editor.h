// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/experiment/experiment_document.h"

#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace lambdascope {

class FaultLabel;
class FieldRow;
class LaneCard;

/// All lanes of the experiment as cards, with a button that adds one.
class LanesEditor : public QWidget {
    Q_OBJECT

  public:
    LanesEditor(ExperimentDocument& document, QWidget* parent);

    [[nodiscard]] const std::vector<LaneCard*>& cards() const { return m_cards; }
    [[nodiscard]] QPushButton* addButton() const { return m_add; }
    [[nodiscard]] FieldRow* row(const QString& keyPath) const;
    [[nodiscard]] LaneCard* cardOf(const QString& keyPath) const;

    /// Makes the cards anew; those of lanes with the same names stay unfolded.
    void rebuild();
    void refresh();
    void setFaults(const std::vector<Fault>& faults);

  Q_SIGNALS:
    /// Widgets came or went: the tab order has to be set again.
    void rebuilt();
    void varyRequested(const QString& keyPath); ///< by a field of a lane

  private:
    void sayWhatLanesAre();

    ExperimentDocument& m_document;
    QVBoxLayout* m_layout;
    QLabel* m_heading;
    FaultLabel* m_faults;
    QPushButton* m_add;
    std::vector<LaneCard*> m_cards;
};

} // namespace lambdascope
