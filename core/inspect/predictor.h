// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/capability.h"

#include <string>
#include <utility>
#include <vector>

namespace lambdascope {

class Dataset;

/// What a solution says of rows that it was not made from.
struct Predictions {
    std::vector<std::string> names;    ///< of classes; empty where f(x) is a number that is no class
    std::vector<std::int32_t> classes; ///< per row, position in `names`
    std::vector<double> values;        ///< per row f(x), whose sign is the class; empty where there is no such function
    std::string what;                  ///< how rows are classified, in words
};

/// A lens whose solutions classify rows, or give each a number.
class Predictor {
  public:
    static constexpr const char* kMissing = "runs of this family classify nothing";

    virtual ~Predictor() = default;

    /// By the solution at a path point; `rows` have the features of the prepared data. Errors: BadUsage when the
    /// solution cannot classify, Stopped.
    virtual Result<Predictions> predict(std::int32_t point, const Dataset& rows, std::stop_token stop) = 0;
};

/// Classes by the sign of f: `positive` above 0, `negative` otherwise.
[[nodiscard]] inline Predictions predictionsBySign(std::vector<double> values, std::string positive,
                                                   std::string negative) {
    Predictions predictions{{std::move(positive), std::move(negative)}, {}, std::move(values), "the sign of f"};
    for (const double value : predictions.values) {
        predictions.classes.push_back(value > 0 ? 0 : 1);
    }
    return predictions;
}

} // namespace lambdascope
