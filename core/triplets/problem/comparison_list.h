// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/item_numbers.h"

#include <optional>
#include <string>
#include <vector>

namespace lambdascope::triplets {

/// One term of the general problem [T, §6.3]: weight · ℓ(t − threshold + 1) with the margin t = ⟨M, H⟩ and, for
/// squared distances d(p) = δ_pᵀ M δ_p,
///
/// | form                                  | H                 | t                 | threshold |
/// |---------------------------------------|-------------------|-------------------|-----------|
/// | triplet, quadruplet: near below far   | δ_f δ_fᵀ − δ_n δ_nᵀ | d(far) − d(near)  | 1         |
/// | dissimilar: d(far) at least L         | δ_f δ_fᵀ            | d(far)            | L         |
/// | similar: d(near) at most U            | −δ_n δ_nᵀ           | −d(near)          | −U        |
///
/// so that the loss is 0 from the threshold on and falls in a straight line below threshold − γ.
struct Comparison {
    std::optional<RowPair> far;  ///< the pair that should be far apart
    std::optional<RowPair> near; ///< the pair that should be close; at least one of the two is there
    double threshold = 1;
    double weight = 1;     ///< above 0
    std::int64_t line = 0; ///< where it stands in its file; 0 for nowhere
    bool operator==(const Comparison&) const = default;
};

/// A pair of the linear term Σ weight · d(pair).
struct TargetPair {
    RowPair rows;
    double weight = 1; ///< above 0
    bool operator==(const TargetPair&) const = default;
};

/// What a user wants compared.
struct ComparisonList {
    std::vector<Comparison> comparisons;
    std::vector<TargetPair> targets;
    std::string name;   ///< of the file
    std::string sha256; ///< of the file as it stands on disk
};

} // namespace lambdascope::triplets
