// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/library_edits.h"

#include "ui/session/count_text.h"

#include <QPointer>
#include <QUndoStack>

#include <algorithm>
#include <utility>

namespace lambdascope {

class LibraryEdits::Command : public QUndoCommand {
  public:
    Command(LibraryEdits& edits, const QString& text, Step redo, Step undo)
        : QUndoCommand(text), m_edits(&edits), m_redo(std::move(redo)), m_undo(std::move(undo)) {}
    void redo() override { take(m_redo); }
    void undo() override { take(m_undo); }

  private:
    /// What the library refuses, because another program removed it, leaves the list of steps.
    void take(const Step& step) {
        if (m_edits == nullptr || !m_edits->apply(step)) {
            setObsolete(true);
        }
    }

    QPointer<LibraryEdits> m_edits;
    Step m_redo;
    Step m_undo;
};

LibraryEdits::LibraryEdits(std::shared_ptr<RunLibrary> library, QUndoStack& stack, QObject* parent)
    : QObject(parent), m_library(std::move(library)), m_stack(stack) {}

bool LibraryEdits::apply(const Step& step) {
    const Result<void> done = step(*m_library);
    if (!done) {
        Q_EMIT warned(done.error());
    }
    Q_EMIT changed();
    return static_cast<bool>(done);
}

void LibraryEdits::push(const QString& text, Step redo, Step undo) {
    if (m_library != nullptr) {
        m_stack.push(new Command(*this, text, std::move(redo), std::move(undo)));
    }
}

void LibraryEdits::setStarred(const LibraryExperiment& experiment, bool isStarred) {
    if (experiment.isStarred != isStarred) {
        push(
            isStarred ? tr("star run") : tr("take star off run"),
            [id = experiment.id, isStarred](RunLibrary& library) { return library.setStarred(id, isStarred); },
            [id = experiment.id, isStarred](RunLibrary& library) { return library.setStarred(id, !isStarred); });
    }
}

void LibraryEdits::setTags(const LibraryExperiment& experiment, const QStringList& tags) {
    std::vector<std::string> added;
    for (const QString& tag : tags) {
        added.push_back(tag.toStdString());
    }
    std::vector<std::string> removed = experiment.tags;
    std::erase_if(removed, [&](const std::string& tag) { return tags.contains(QString::fromStdString(tag)); });
    std::erase_if(added, [&](const std::string& tag) {
        return std::find(experiment.tags.begin(), experiment.tags.end(), tag) != experiment.tags.end();
    });
    if (!added.empty() || !removed.empty()) {
        push(
            tr("change tags"),
            [id = experiment.id, added, removed](RunLibrary& library) {
                return library.changeTags(id, added, removed);
            },
            [id = experiment.id, added, removed](RunLibrary& library) {
                return library.changeTags(id, removed, added);
            });
    }
}

void LibraryEdits::setNotes(const LibraryExperiment& experiment, const QString& notes) {
    if (notes.toStdString() != experiment.notes) {
        push(
            tr("change notes"),
            [id = experiment.id, text = notes.toStdString()](RunLibrary& library) {
                return library.setNotes(id, text);
            },
            [id = experiment.id, text = experiment.notes](RunLibrary& library) { return library.setNotes(id, text); });
    }
}

void LibraryEdits::rename(const LibraryExperiment& experiment, const QString& name) {
    if (!name.trimmed().isEmpty() && name.toStdString() != experiment.name) {
        push(
            tr("rename run"),
            [id = experiment.id, text = name.toStdString()](RunLibrary& library) {
                return library.renameExperiment(id, text);
            },
            [id = experiment.id, text = experiment.name](RunLibrary& library) {
                return library.renameExperiment(id, text);
            });
    }
}

void LibraryEdits::discard(const std::vector<LibraryExperimentId>& ids) {
    if (!ids.empty()) {
        push(
            tr("delete %1").arg(countText(static_cast<int>(ids.size()), tr("kept run"), tr("kept runs"))),
            [ids](RunLibrary& library) { return library.discard(ids); },
            [ids](RunLibrary& library) { return library.restore(ids); });
    }
}

} // namespace lambdascope
