// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/experiment/experiment_command.h"

namespace lambdascope {

namespace {

constexpr int kCommandId = 1; ///< QUndoStack asks only commands of one id to merge

} // namespace

ExperimentCommand::ExperimentCommand(ExperimentDocument& document, Change change, const QString& text)
    : QUndoCommand(text), m_document(document), m_change(std::move(change)) {
    m_age.start();
}

void ExperimentCommand::redo() {
    m_document.apply(m_change.after, m_change.kind, m_change.keyPath);
}

void ExperimentCommand::undo() {
    m_document.apply(m_change.before, m_change.kind, m_change.keyPath);
}

int ExperimentCommand::id() const {
    return m_change.merges ? kCommandId : -1;
}

bool ExperimentCommand::mergeWith(const QUndoCommand* next) {
    const auto* other = static_cast<const ExperimentCommand*>(next);
    const bool isSameValue = other->m_change.kind == ExperimentDocument::ChangeKind::Value &&
                             m_change.kind == ExperimentDocument::ChangeKind::Value &&
                             other->m_change.keyPath == m_change.keyPath && &other->m_document == &m_document;
    if (!isSameValue || m_age.elapsed() > kTypingPause) {
        return false;
    }
    m_change.after = other->m_change.after;
    m_age.restart();
    // Typing something and taking it back is no change.
    setObsolete(m_change.after == m_change.before);
    return true;
}

} // namespace lambdascope
