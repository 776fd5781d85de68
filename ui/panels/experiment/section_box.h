// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/experiment/field_row.h"

#include <QWidget>

#include <vector>

class QToolButton;
class QVBoxLayout;

namespace lambdascope {

/// The fields of one section: heading, rows, and the advanced ones behind "More".
class SectionBox : public QWidget {
    Q_OBJECT

  public:
    /// `prefix` is the section's key path ("problem", "lanes[1]", "lanes[1].solver"). Without a title there is no
    /// heading. `group` goes before labels for assistive readers.
    SectionBox(ExperimentDocument& document, const SectionSchema& schema, const QString& prefix, const QString& title,
               const QString& group, const std::vector<Suggestion>& fileSuggestions, QWidget* parent);

    [[nodiscard]] const std::vector<FieldRow*>& rows() const { return m_rows; }
    [[nodiscard]] const QString& prefix() const { return m_prefix; }
    /// Puts `widget` under the rows that are always shown, above "More".
    void addBelowRows(QWidget* widget);
    /// Puts `widget` among the advanced rows.
    void addAdvanced(QWidget* widget);
    void setMoreShown(bool shown);
    /// Shows what hides `row`; false when the row is not here.
    bool uncover(const FieldRow* row);
    void refresh();
    /// Refreshes the text of "More", which says how many hidden values differ or are wrong.
    void updateMore();

  Q_SIGNALS:
    void varyRequested(const QString& keyPath); ///< by one of its rows

  private:
    void addRows(ExperimentDocument& document, const SectionSchema& schema, const QString& group,
                 const std::vector<Suggestion>& fileSuggestions);

    QString m_prefix;
    std::vector<FieldRow*> m_rows;
    std::vector<FieldRow*> m_advancedRows;
    QVBoxLayout* m_plain;
    QWidget* m_advanced;
    QVBoxLayout* m_advancedLayout;
    QToolButton* m_more;
};

} // namespace lambdascope
