// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lambdascope {

struct RawData;

/// One number that a generator can be told, "toy:NAME?key=value&key=value".
struct GeneratorOption {
    std::string_view key;
    double fallback;
    double low;
    double high;
    bool isWhole;
    std::string_view help;
};

/// Artificial data, the same on every machine for the same options and seed.
struct Generator {
    std::string_view name;
    std::string_view title;
    std::string_view summary;
    std::vector<GeneratorOption> options;
};
[[nodiscard]] const std::vector<Generator>& generators();

/// Makes the data of a source text such as "toy:gaussian-classes?n=600&d=2&classes=3". Each generator also takes
/// seed, which otherwise is `seed`. Errors: InvalidConfiguration (key data.source), all faults at once.
Result<RawData> generateData(std::string_view source, std::uint64_t seed);

} // namespace lambdascope
