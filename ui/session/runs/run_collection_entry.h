// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/run_record.h"
#include "ui/session/runs/run_collection.h"

namespace lambdascope {

/// A run in the collection; private to it and its undo commands.
struct RunCollection::Entry {
    std::shared_ptr<RunRecord> record;
    RunDisplay display;
    LaneSettings settings;
};

/// An entry and where it stands, so that undo puts it back there. Lists of them are in ascending order of position.
struct RunCollection::Placed {
    std::size_t position = 0;
    RunId id;
    std::shared_ptr<Entry> entry;
};

} // namespace lambdascope
