// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/capability.h"
#include "core/inspect/decision_history.h"

#include <string>

namespace lambdascope {

/// A lens that tells what its lane decided about all items, so that those of any choice of items can be counted, and
/// which items a choice of samples stands for.
class DecisionRecorder {
  public:
    static constexpr const char* kMissing = "runs of this family screen nothing that could be counted";

    virtual ~DecisionRecorder() = default;

    /// The items that belong to some samples (points of the lane's embeddings), see belonging(). Errors: Stopped.
    virtual Result<ItemSet> itemsOf(const ItemSet& samples, std::stop_token stop) = 0;
    /// The samples that some items belong to. Errors: Stopped.
    virtual Result<ItemSet> samplesOf(const ItemSet& items, std::stop_token stop) = 0;
    /// Which items belong to chosen samples: "whose anchor is among them"; empty where an item is a sample.
    [[nodiscard]] virtual std::string belonging() const = 0;
    /// The last decisions at each point, as explain() tells them; of no point for a lane without bounds. Computes the
    /// lane again. Errors: Stopped, OutOfMemory.
    virtual Result<DecisionHistory> decisions(const RunLens::Progress& progress, std::stop_token stop) = 0;
};

} // namespace lambdascope
