// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/run/run_event.h"

namespace lambdascope {

/// A number as JSON: JSON knows no NaN and no infinities, they are written "nan", "inf", "-inf".
[[nodiscard]] Json numberToJson(double value);

/// The event as one flat object: {"run": 3, "seq": 17, "event": "screened", …}. Numbers read back exactly. The
/// solution and ranges of a PointFinished are left out: they are too large for a log and are kept apart
/// (solution-<index>.csv and library, ranges.csv).
[[nodiscard]] Json eventToJson(const RunEvent& event);

/// Reverses eventToJson. Error: InvalidData that says which member is missing or of the wrong type. Members that are
/// unknown are ignored, so that logs of later versions stay readable.
Result<RunEvent> eventFromJson(const Json& object);

/// The embedding alone, as eventToJson writes it and for the library.
[[nodiscard]] Json embeddingToJson(const Embedding& embedding);
/// Throws std::invalid_argument on malformed input, with what is wrong.
[[nodiscard]] Embedding embeddingFromJson(const Json& object);

} // namespace lambdascope
