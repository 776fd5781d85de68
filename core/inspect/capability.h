// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_lens.h"

#include <utility>

namespace lambdascope {

/// The lens as a `Capability`, such as an ItemExplainer; BadUsage, with the words of Capability::kMissing, when it is
/// none.
template <class Capability>
[[nodiscard]] Result<Capability*> capability(RunLens& lens) {
    if (auto* able = dynamic_cast<Capability*>(&lens)) {
        return able;
    }
    return Failure{singleFault(ErrorCode::BadUsage, {{}, Capability::kMissing, "Choose another run.", {}})};
}

/// Asks a question of the capability that it belongs to: `askLens(lens, &PlaneSampler::plane, point, axes, stop)`.
template <class Capability, class Answer, class... Wanted, class... Given>
[[nodiscard]] Answer askLens(RunLens& lens, Answer (Capability::*question)(Wanted...), Given&&... given) {
    const Result<Capability*> able = capability<Capability>(lens);
    return able ? ((*able)->*question)(std::forward<Given>(given)...) : Answer(Failure{able.error()});
}

} // namespace lambdascope
