// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace lambdascope {

/// What is said about one point of an embedding, each time "a pair is closer than another pair", and what the solution
/// makes of it.
struct PointRelations {
    struct Relation {
        std::int32_t nearFrom = 0; ///< the pair that is to be closer
        std::int32_t nearTo = 0;
        std::int32_t farFrom = 0; ///< than this one
        std::int32_t farTo = 0;
        bool isHeldOut = false; ///< training has not seen it
        bool holds = false;
        double room = 0; ///< distance of the far pair less that of the near one
        int set = -1;    ///< the one of `sets` that screening put it into; −1 for none
    };
    struct Count {
        std::int64_t holding = 0;
        std::int64_t violated = 0;
        double error = std::numeric_limits<double>::quiet_NaN(); ///< weighted share that is violated; NaN for none
    };
    std::vector<Relation> relations; ///< all, or evenly drawn ones: of the violated, then of those that hold
    std::int64_t drawnViolated = 0;  ///< how many of them are violated
    Count training;
    Count heldOut;
    std::string noun;                  ///< "comparisons"
    std::vector<std::string> sets;     ///< that screening decides for, "R" and "L"; empty where it is not known
    std::vector<std::int64_t> decided; ///< how many of training are in each of them
};

} // namespace lambdascope
