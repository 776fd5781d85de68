// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/matrix_values.h"
#include "core/common/result.h"
#include "core/config/json.h"
#include "core/inspect/capability.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace lambdascope {

/// What a lane decided at one path point, and what proves it to somebody who trusts nothing but exact arithmetic.
struct CertifiedPoint {
    std::int32_t index = 0; ///< path point
    double axisValue = 0;
    std::vector<std::uint8_t> sets; ///< of each item: 0 undecided, else the number of its set, from 1
    Json proof;                     ///< members of the point's file, see resources/docs/certificate.md
    double gap = 0;                 ///< of the proof, as near as doubles tell: the smaller, the more it proves
    std::int64_t decided = 0;
    std::int64_t unsure = 0; ///< decisions that the proof may be too weak for
};

/// A lens that makes certificates of its lane's decisions.
class Certifier {
  public:
    static constexpr const char* kMissing = "runs of this family screen nothing that could be certified";

    /// Called with each point in turn; an error ends the walk.
    using Take = std::function<Result<void>(CertifiedPoint point)>;

    struct Range {
        std::int32_t first = 0;
        std::int32_t last = std::numeric_limits<std::int32_t>::max(); ///< included
        [[nodiscard]] bool holds(std::int32_t point) const { return first <= point && point <= last; }
    };

    virtual ~Certifier() = default;

    /// What of the problem no certificate can state yet, in words; empty when there is nothing.
    [[nodiscard]] virtual std::string certificateObstacle() const = 0;
    /// The problem as the checker has to know it: member "problem" of a certificate.
    [[nodiscard]] virtual Json certificateProblem() const = 0;
    /// Files besides the data that this statement names, which the checker has to see.
    [[nodiscard]] virtual std::vector<std::filesystem::path> certificateFiles() const { return {}; }
    /// Computes the lane again and proves its decisions at the points in `range`, of at most the first `mostPoints`.
    /// Lanes that screen nothing have none. Errors: Stopped.
    virtual Result<void> certify(Range range, std::int32_t mostPoints, const Take& take,
                                 const RunLens::Progress& progress, std::stop_token stop) = 0;
};

/// Path points as they are written: "3-7", "3-" or "3", counted from 0; all when empty. Nothing when it is no range.
[[nodiscard]] std::optional<Certifier::Range> pointRange(std::string_view text);

/// The rows of a matrix as decimals with one common number of places, so many that the largest entry has 15 digits.
[[nodiscard]] Json decimalRows(const MatrixValues& matrix);
/// A number of about 1 with so many decimal places, as text since JSON numbers are doubles; whole numbers as they are.
[[nodiscard]] Json decimalShare(long double value, int places = 20);

} // namespace lambdascope
