// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope {

/// A number with the name it has in the paper: {"‖H‖", "norm of the triplet's matrix", 3.2}.
struct NamedValue {
    std::string symbol;
    std::string meaning;
    double value = 0;
};

/// Between which values a quantity provably lies, rounding errors included; ends may be infinite.
struct ValueInterval {
    double low = 0;
    double high = 0;
};

/// The quantity that an item's set hangs on, and the values at which it passes from one set into the next.
struct SetScale {
    struct Edge {
        double value = 0;
        std::string name; ///< "1 − γ"
    };
    std::string quantity;             ///< "⟨H,M⟩"
    std::optional<double> atSolution; ///< its value at the solution of the point
    std::vector<Edge> edges;          ///< rising
    std::vector<std::string> sets;    ///< from low to high, one more than edges
};

/// What one bound with one rule says about one item: `left` < or > `threshold`, with the numbers it is made of.
struct BoundDecision {
    std::string bound;             ///< "PGB"
    std::string rule;              ///< "sphere"
    std::string set;               ///< "R", "L"; empty when it does not decide the item
    std::string inequality;        ///< for people: "⟨H,Q⟩ − r‖H‖ > 1"
    double left = 0;               ///< left side of the inequality, or of the closer one when none holds
    double threshold = 0;          ///< its right side
    double room = 0;               ///< how far the inequality holds (> 0) or fails (< 0), error bounds taken off
    std::vector<NamedValue> terms; ///< from which `left` can be recomputed
    /// Where the quantity of the item's SetScale lies over the region; nothing for rules that tell no such interval.
    std::optional<ValueInterval> values = {};
};

/// A solution further up the path that decides an item for a whole interval of the path parameter, so that nothing has
/// to look at the item in there.
struct FixingReference {
    double axisValue = 0;   ///< λ₀, where it is the solution
    std::int32_t point = 0; ///< path point it is the solution of; −1 for a start of the path that is none
    double low = 0;         ///< ends of the interval, which holds λ₀; `high` may be infinite
    double high = 0;
    BoundDecision decision; ///< what it says at the point that is explained
};

/// Why an item was, or was not, taken out of the problem at one path point.
struct ItemExplanation {
    std::int64_t item = 0;
    std::string title;                        ///< "triplet (4, 9, 71)"
    std::vector<NamedValue> facts;            ///< of the item alone: distances, norm, margin at the solution
    std::string set;                          ///< where it was fixed; empty when it stayed in the problem
    SetScale scale;                           ///< what sets are told by; no edges where there is no such quantity
    std::string trueSet;                      ///< where it lies at the solution: "R", "C", "L"
    std::optional<FixingReference> reference; ///< what fixed it before the first screening here
    std::int32_t check = -1;                  ///< screening that fixed it, counted from 0; −1 when none did
    std::int64_t iteration = 0;               ///< of that screening (0: the path screening); else of the last one
    bool isAfterwards = false;       ///< that judgement was made with the finished solution, too late to save anything
    std::int32_t checks = 0;         ///< judgements at this point, late ones too; 0: the lane screens nothing
    std::vector<BoundDecision> used; ///< what the lane's own bounds said then
    std::vector<BoundDecision> rivals; ///< what all other bounds would have said at the same reference
};

/// An item that is worth a look at a point.
struct NotableItem {
    std::int64_t item = 0;
    std::string title;
    std::string set;  ///< where it was fixed; empty when it stayed in the problem
    double slack = 0; ///< distance of its value at the solution from the edge of its set; negative beyond it
};

} // namespace lambdascope
