// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/engine.h"

#include "core/triplets/engines/pairs_engine.h"
#include "core/triplets/engines/sorted_engine.h"
#include "core/triplets/engines/triplets_engine.h"

namespace lambdascope::triplets {

std::unique_ptr<Engine> makeEngine(EngineKind kind, const TripletSet& triplets, int threads) {
    if (kind == EngineKind::Triplets) {
        return std::make_unique<TripletsEngine>(triplets);
    }
    if (kind == EngineKind::Sorted) {
        return std::make_unique<SortedEngine>(triplets, threads);
    }
    return std::make_unique<PairsEngine>(triplets);
}

} // namespace lambdascope::triplets
