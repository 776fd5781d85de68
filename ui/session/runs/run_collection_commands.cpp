// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/run_collection_commands.h"

#include "ui/session/count_text.h"
#include "ui/session/runs/run_collection_entry.h"

#include <QUndoStack>

#include <algorithm>

namespace lambdascope {

namespace {

/// Pushing runs redo(); without a stack the change is made here and forgotten.
void perform(QUndoStack* stack, std::unique_ptr<QUndoCommand> command) {
    if (stack != nullptr) {
        stack->push(command.release());
    } else {
        command->redo();
    }
}

} // namespace

class RunCollectionCommands::ShowCommand : public QUndoCommand {
  public:
    ShowCommand(RunCollection& runs, std::vector<std::pair<RunId, bool>> states)
        : m_runs(runs), m_states(std::move(states)) {
        setText(m_states.front().second ? QObject::tr("show runs") : QObject::tr("hide runs"));
    }
    void redo() override { m_runs.applyShown(m_states); }
    void undo() override {
        auto before = m_states;
        for (auto& [id, shown] : before) {
            shown = !shown;
        }
        m_runs.applyShown(before);
    }

  private:
    RunCollection& m_runs;
    std::vector<std::pair<RunId, bool>> m_states; ///< only runs whose state differs from what it was
};

class RunCollectionCommands::RenameCommand : public QUndoCommand {
  public:
    RenameCommand(RunCollection& runs, RunId id, QString name)
        : QUndoCommand(QObject::tr("rename run")), m_runs(runs), m_id(id), m_before(runs.display(id).name),
          m_after(std::move(name)) {}
    void redo() override { m_runs.applyName(m_id, m_after); }
    void undo() override { m_runs.applyName(m_id, m_before); }

  private:
    RunCollection& m_runs;
    RunId m_id;
    QString m_before;
    QString m_after;
};

class RunCollectionCommands::RemoveCommand : public QUndoCommand {
  public:
    RemoveCommand(RunCollection& runs, const std::vector<RunId>& ids)
        : QUndoCommand(QObject::tr("delete %1")
                           .arg(countText(static_cast<int>(ids.size()), QObject::tr("run"), QObject::tr("runs")))),
          m_runs(runs) {
        const auto& order = runs.ids();
        for (std::size_t position = 0; position < order.size(); ++position) {
            if (std::find(ids.begin(), ids.end(), order[position]) != ids.end()) {
                m_entries.push_back({position, order[position], runs.m_entries.at(order[position])});
            }
        }
    }
    void redo() override { m_runs.removeEntries(m_entries); }
    void undo() override { m_runs.insertEntries(m_entries); }

  private:
    RunCollection& m_runs;
    std::vector<RunCollection::Placed> m_entries;
};

void RunCollectionCommands::changeShown(RunCollection& runs, QUndoStack* stack,
                                        std::vector<std::pair<RunId, bool>> states) {
    perform(stack, std::make_unique<ShowCommand>(runs, std::move(states)));
}

void RunCollectionCommands::rename(RunCollection& runs, QUndoStack* stack, RunId id, const QString& name) {
    perform(stack, std::make_unique<RenameCommand>(runs, id, name));
}

void RunCollectionCommands::remove(RunCollection& runs, QUndoStack* stack, const std::vector<RunId>& ids) {
    perform(stack, std::make_unique<RemoveCommand>(runs, ids));
}

} // namespace lambdascope
