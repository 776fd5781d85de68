// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/run_library.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <memory>
#include <vector>

class QUndoStack;

namespace lambdascope {

/// What the user says of experiments in the run library, and which of them are deleted, each as a step that can be
/// undone. GUI thread only.
class LibraryEdits : public QObject {
    Q_OBJECT

  public:
    /// `stack` must outlive it; `library` may be null: then nothing can be changed.
    LibraryEdits(std::shared_ptr<RunLibrary> library, QUndoStack& stack, QObject* parent = nullptr);

    void setStarred(const LibraryExperiment& experiment, bool isStarred);
    /// Words; those that cannot be tags are told, and nothing is changed.
    void setTags(const LibraryExperiment& experiment, const QStringList& tags);
    void setNotes(const LibraryExperiment& experiment, const QString& notes);
    void rename(const LibraryExperiment& experiment, const QString& name);
    void discard(const std::vector<LibraryExperimentId>& ids);

  Q_SIGNALS:
    void changed();
    void warned(const lambdascope::Error& error);

  private:
    using Step = std::function<Result<void>(RunLibrary& library)>;
    class Command;
    void push(const QString& text, Step redo, Step undo);
    bool apply(const Step& step);

    std::shared_ptr<RunLibrary> m_library;
    QUndoStack& m_stack;
};

} // namespace lambdascope
