// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/run_record.h"
#include "tests/ui/session/tiny_family.h"

#include <memory>

namespace lambdascope {

/// A whole experiment without running one: a baseline lane of 2 s per point, and one of 1 s that screens half. With
/// embeddings, point p of the second lane shows four samples at distance p + 1 from the origin.
[[nodiscard]] inline std::vector<RunEvent> sampleEvents(int points = 5, bool withEmbeddings = false) {
    const TinyRun plain{RunId{901}, "plain", true, points, 6, 0.0, 2.0, true};
    const TinyRun half{RunId{902}, "half", false, points, 3, 0.6, 1.0, true};
    std::vector<RunEvent> events = tinyEvents(plain);
    for (RunEvent& event : tinyEvents(half)) {
        if (auto* finished = std::get_if<PointFinished>(&event.body); finished != nullptr && withEmbeddings) {
            auto embedding = std::make_shared<Embedding>();
            const auto r = static_cast<float>(finished->index + 1);
            embedding->coordinates = {r, 0, 0, r, -r, 0, 0, -r};
            embedding->classes = {0, 0, 1, 1};
            embedding->classNames = {"a", "b"};
            embedding->xLabel = "first direction";
            embedding->yLabel = "second direction";
            finished->embedding = embedding;
        }
        events.push_back(event);
    }
    return events;
}

} // namespace lambdascope
