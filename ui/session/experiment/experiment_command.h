// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/experiment/experiment_document.h"

#include <QElapsedTimer>
#include <QUndoCommand>

namespace lambdascope {

/// One undoable change of an experiment document: the whole document before and after (they are small).
class ExperimentCommand : public QUndoCommand {
  public:
    struct Change {
        Json before;
        Json after;
        ExperimentDocument::ChangeKind kind;
        QString keyPath;
        bool merges = true; ///< with another change of the same value
    };
    ExperimentCommand(ExperimentDocument& document, Change change, const QString& text);

    void redo() override;
    void undo() override;
    int id() const override;
    /// Takes over a change of the same value that follows within `kTypingPause`.
    bool mergeWith(const QUndoCommand* next) override;

  private:
    static constexpr qint64 kTypingPause = 3000; ///< ms
    ExperimentDocument& m_document;
    Change m_change;
    QElapsedTimer m_age;
};

} // namespace lambdascope
