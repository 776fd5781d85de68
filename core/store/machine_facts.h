// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace lambdascope {

/// What measured times depend on.
struct MachineFacts {
    std::string cpu; ///< model name; empty when the system does not tell
    unsigned cores = 0;
};
[[nodiscard]] MachineFacts machineFacts();

/// Now in UTC: "2031-04-05T06:07:08Z".
[[nodiscard]] std::string utcNow();

} // namespace lambdascope
