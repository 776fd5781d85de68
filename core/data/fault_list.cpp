// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/fault_list.h"

#include <cassert>

namespace lambdascope {

void FaultList::add(std::size_t line, std::size_t column, std::string message, std::string remedy) {
    if (!isFull()) {
        m_faults.push_back({"", std::move(message), std::move(remedy), {m_file, line, column}});
    }
}

void FaultList::addForKey(std::string key, std::string message, std::string remedy) {
    if (!isFull()) {
        m_faults.push_back({std::move(key), std::move(message), std::move(remedy), {m_file, 0, 0}});
    }
}

Failure FaultList::failure(ErrorCode code) const {
    assert(!m_faults.empty());
    if (m_faults.size() == 1) {
        return Failure(singleFault(code, m_faults.front()));
    }
    Error error;
    error.code = code;
    error.message =
        "\"" + m_file + "\" has " + (isFull() ? "at least " : "") + std::to_string(m_faults.size()) + " faults";
    error.faults = m_faults;
    return Failure(std::move(error));
}

Failure fileFailure(ErrorCode code, const std::string& file, std::string message, std::string remedy, std::size_t line,
                    std::size_t column) {
    return Failure(singleFault(code, {"", std::move(message), std::move(remedy), {file, line, column}}));
}

} // namespace lambdascope
