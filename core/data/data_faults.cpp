// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/data_faults.h"

#include <algorithm>
#include <utility>

namespace lambdascope {

Failure dataFault(const char* key, std::string message, std::string remedy) {
    return Failure{singleFault(ErrorCode::InvalidData, {key, std::move(message), std::move(remedy), {}})};
}

std::string listOf(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 10;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
        text += (i > 0 ? ", " : "") + names[i];
    }
    return names.size() > kMost ? text + ", …" : text;
}

} // namespace lambdascope
