// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/triplets/problem/problem_items.h"

#include <string>

namespace lambdascope::triplets {

/// How people write an item, rows counted from 0: "triplet (4, 9, 71)" (4 is closer to 9 than to 71; of neighbours:
/// anchor, same class, other class), "quadruplet (1, 2, 3, 4)" (1 and 2 are closer than 3 and 4), "pair (3, 8) ≤ 0.5"
/// and "pair (3, 8) ≥ 2" for bounds on a squared distance. Comparisons of two pairs that share a row are triplets.
[[nodiscard]] std::string itemTitle(const ProblemItems& items, TripletIndex number);

/// The number of the item that `text` names: a title, with or without its first word and brackets, rows separated by
/// blanks, commas, semicolons or slashes ("4, 9, 71", "3 8 <= 0.5"); a bound may leave its number out where the pair
/// has no other. Errors (BadUsage) say which part is no row, no neighbour or no comparison. O(comparisons), or
/// O(neighbours of a row).
[[nodiscard]] Result<TripletIndex> findItem(const ProblemItems& items, const std::string& text);

} // namespace lambdascope::triplets
