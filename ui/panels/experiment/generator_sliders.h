// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/experiment/experiment_document.h"

#include <QString>
#include <QWidget>

#include <vector>

class QLabel;
class QSlider;

namespace lambdascope {

struct GeneratorOption;

/// A slider for each option of the generator that the experiment takes its data from: "toy:two-moons?n=200&noise=0.1".
/// Hidden for other sources. Moves of one slider are one step of undo.
class GeneratorSliders : public QWidget {
    Q_OBJECT

  public:
    /// `document` must outlive the widget.
    explicit GeneratorSliders(ExperimentDocument& document, QWidget* parent = nullptr);

    /// Shows the document's source.
    void refresh();

  Q_SIGNALS:
    /// The source has changed by a slider.
    void moved();

  private:
    struct Row {
        const GeneratorOption* option = nullptr;
        QSlider* slider = nullptr;
        QLabel* value = nullptr;
        double low = 0;
        double high = 1;
        double current = 0;
    };

    void build(const QString& generator);
    void take(Row& row);
    [[nodiscard]] QString sourceText() const;

    ExperimentDocument& m_document;
    QString m_generator; ///< name of the one whose sliders there are
    QString m_seed;      ///< that the source gives, kept as it stands
    std::vector<Row> m_rows;
    bool m_isFilling = false;
};

} // namespace lambdascope
