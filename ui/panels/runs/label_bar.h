// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/run_library.h"

#include <QWidget>

#include <optional>

class QLineEdit;
class QToolButton;

namespace lambdascope {

class LibraryEdits;

/// Star, tags and notes of one experiment of the run library; hidden while there is none.
class LabelBar : public QWidget {
    Q_OBJECT

  public:
    explicit LabelBar(QWidget* parent = nullptr);

    /// What is changed goes there, which must outlive the bar.
    void setEdits(LibraryEdits* edits) { m_edits = edits; }
    /// What is being typed is kept while the experiment stays the same.
    void setExperiment(const LibraryExperiment* experiment);

    [[nodiscard]] QToolButton* star() const { return m_star; }
    [[nodiscard]] QLineEdit* tags() const { return m_tags; }
    [[nodiscard]] QLineEdit* notes() const { return m_notes; }

  private:
    void takeTags();
    void takeNotes();

    LibraryEdits* m_edits = nullptr;
    std::optional<LibraryExperiment> m_experiment;
    QToolButton* m_star;
    QLineEdit* m_tags;
    QLineEdit* m_notes;
};

} // namespace lambdascope
