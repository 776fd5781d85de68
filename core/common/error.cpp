// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/error.h"

#include <algorithm>
#include <utility>

namespace lambdascope {

std::string SourcePlace::text() const {
    std::string result = file;
    if (line > 0) {
        result += (result.empty() ? "line " : ":") + std::to_string(line);
        if (column > 0) {
            result += ":" + std::to_string(column);
        }
    }
    return result;
}

std::string Fault::text() const {
    std::string result = place.text();
    if (!result.empty()) {
        result += ": ";
    }
    if (!key.empty()) {
        result += key + ": ";
    }
    result += message;
    if (!remedy.empty()) {
        const bool hasStop = !result.empty() && (result.back() == '.' || result.back() == '!' || result.back() == '?');
        result += (hasStop ? " " : ". ") + remedy;
    }
    return result;
}

std::span<const Fault> Error::told() const {
    return std::span(faults).first(std::min(faults.size(), kMostTold));
}

std::string Error::untold() const {
    return faults.size() > kMostTold ? "and " + std::to_string(faults.size() - kMostTold) + " more" : std::string();
}

std::string Error::describe() const {
    if (faults.size() == 1 && faults.front().message == message) {
        return faults.front().text();
    }
    std::string result = message;
    for (const Fault& fault : told()) {
        result += "\n  " + fault.text();
    }
    const std::string more = untold();
    return more.empty() ? result : result + "\n  " + more;
}

Error singleFault(ErrorCode code, Fault fault) {
    Error error{code, fault.message, {}};
    error.faults.push_back(std::move(fault));
    return error;
}

Error plainError(ErrorCode code, std::string message) {
    return Error{code, std::move(message), {}};
}

} // namespace lambdascope
