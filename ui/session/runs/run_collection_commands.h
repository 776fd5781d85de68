// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/runs/run_collection.h"

#include <QUndoCommand>

namespace lambdascope {

/// The undoable changes of a RunCollection: made as a command on `stack`, or at once when there is no stack.
class RunCollectionCommands {
  public:
    static void changeShown(RunCollection& runs, QUndoStack* stack, std::vector<std::pair<RunId, bool>> states);
    static void rename(RunCollection& runs, QUndoStack* stack, RunId id, const QString& name);
    static void remove(RunCollection& runs, QUndoStack* stack, const std::vector<RunId>& ids);

  private:
    class ShowCommand;
    class RenameCommand;
    class RemoveCommand;
};

} // namespace lambdascope
