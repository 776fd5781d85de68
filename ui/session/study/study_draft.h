// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/config/json.h"

#include <QObject>
#include <QString>

#include <vector>

namespace lambdascope {

class ExperimentDocument;

/// Fields of the experiment in the form that are to take several values: the study that it would be. GUI thread only.
class StudyDraft : public QObject {
    Q_OBJECT

  public:
    struct Axis {
        QString field; ///< "problem.k", "lanes[0].every"
        QString text;  ///< its values as typed: "3, 5, 10" or "2..20"

        bool operator==(const Axis&) const = default;
    };

    /// `document` must outlive the draft.
    explicit StudyDraft(const ExperimentDocument& document, QObject* parent = nullptr);

    [[nodiscard]] const std::vector<Axis>& axes() const { return m_axes; }
    [[nodiscard]] int seeds() const { return m_seeds; } ///< 1: those of the experiment
    [[nodiscard]] bool isEmpty() const { return m_axes.empty() && m_seeds == 1; }

    /// Makes a field an axis, with its value now as the only one, unless it is one already.
    void vary(const QString& field);
    void setText(std::size_t axis, const QString& text);
    void remove(std::size_t axis);
    void setSeeds(int seeds);

    /// The study as a file holds it, with the experiment of the form. Error: InvalidConfiguration with all that is
    /// wrong, in the axes or in the cells.
    [[nodiscard]] Result<Json> study() const;
    /// How many cells that has.
    [[nodiscard]] Result<std::size_t> cellCount() const;

    /// Values separated by commas, each as in a file or a plain word; FROM..TO stands for all whole numbers between.
    [[nodiscard]] static Json valuesOf(const QString& text);

  Q_SIGNALS:
    void axesChanged(); ///< one came or went
    void changed();     ///< that, or what an axis says

  private:
    [[nodiscard]] Json draft() const;

    const ExperimentDocument& m_document;
    std::vector<Axis> m_axes;
    int m_seeds = 1;
};

} // namespace lambdascope
