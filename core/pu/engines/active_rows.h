// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/problem/pu_problem.h"

#include <memory>
#include <span>
#include <vector>

namespace lambdascope::pu {

/// Kernel rows over the visited samples alone, by position: contiguous, so that what screening and shrinking have taken
/// away costs nothing. Rows over all unlabeled samples are looked at where they stand; shorter ones are gathered when
/// they are first asked for, and kept while the visited samples stay the same, as far as kMostValues, and the memory
/// for kernel rows once more, reach.
class ActiveRows {
  public:
    static constexpr std::size_t kMostValues = std::size_t{1} << 23; ///< 64 MB

    /// Keeps a row that was handed out valid until the next one is handed out with it.
    struct Hold {
        KernelRow row;
        std::vector<double> made;     ///< rows of the linear kernel
        std::vector<double> gathered; ///< rows that are not kept
    };

    explicit ActiveRows(const PuSpace& space) : m_space(space) {}

    /// Looks at exactly these samples from now on; `active` must stay where it is until the next call.
    void visit(std::span<const SampleIndex> active);
    /// k(x at `position`, x at 0 … active − 1). O(active) the first time, besides making the whole row.
    [[nodiscard]] const double* row(std::int32_t position, Hold& hold);
    [[nodiscard]] double bytes() const;

  private:
    const PuSpace& m_space;
    std::span<const SampleIndex> m_active;
    std::vector<std::int32_t> m_slots;  ///< by position; −1: not kept
    std::unique_ptr<double[]> m_values; ///< kept rows, one after the other
    std::size_t m_room = 0;             ///< values that m_values has room for
    std::size_t m_touched = 0;          ///< of them ever used
    std::size_t m_kept = 0;             ///< rows
};

} // namespace lambdascope::pu
