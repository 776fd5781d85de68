// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lambdascope {

/// Where a new object belongs among those of a finished run, by its own answers alone.
struct PlacedObject {
    std::string name;
    std::vector<double> coordinates;
    std::int64_t answers = 0;
    double loss = 0;  ///< mean loss of its answers there
    double error = 0; ///< share of its answers that are violated there
};

/// New objects and the embedding they are placed in.
struct PlacedObjects {
    std::string where; ///< for people: "lane STE after epoch 40"
    std::vector<PlacedObject> objects;
};

} // namespace lambdascope
