// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/json.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace lambdascope::testing_support {

/// Gives an experiment of a family data that rounding is hard on, and extreme settings, drawn at random: twins 1e-15
/// apart, of one class or of two, offsets of 1e7, scales of 1e±150, rank one, one feature, ties and duplicates, an
/// outlier, more features than rows; C to 1e12, λ to 1e-12, weights of 1e±6. Files go to `folder`. Returns what was
/// drawn, in words.
std::string makeAdversarial(Json& document, std::uint64_t seed, const std::filesystem::path& folder);

} // namespace lambdascope::testing_support
