// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/event_log.h"

#include "core/config/json_text.h"
#include "core/record/event_check.h"
#include "core/record/event_json.h"

#include <algorithm>
#include <fstream>

namespace lambdascope {

std::string eventLine(const RunEvent& event) {
    // Texts such as names may hold bytes that are not UTF-8; a log must not fail over them.
    return eventToJson(event).dump(-1, Json::BadUtf8::Replace) + '\n';
}

namespace {

Error faultOfLine(const std::filesystem::path& file, std::size_t line, const std::string& message) {
    Fault fault;
    fault.message = message;
    fault.remedy = "Restore the file from a copy, or run the experiment again.";
    fault.place = {file.string(), line, 0};
    return singleFault(ErrorCode::InvalidData, std::move(fault));
}

} // namespace

Result<std::vector<RunEvent>> readEventLog(const std::filesystem::path& file) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) { // a device or a pipe may have no end
        return Failure{singleFault(ErrorCode::FileUnreadable, {"",
                                                               "is not an ordinary file",
                                                               "Restore it from a copy, or run the experiment again.",
                                                               {file.string(), 0, 0}})};
    }
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
        return Failure{plainError(ErrorCode::FileUnreadable, "cannot read " + file.string())};
    }
    std::vector<RunEvent> events;
    EventCheck check;
    std::string text;
    for (std::size_t line = 1; std::getline(stream, text); ++line) {
        const bool hasNewline = !stream.eof();
        if (text.empty()) {
            continue;
        }
        const auto object = parseOwnJson(text, {file.string(), line, 0});
        if (!object) {
            if (!hasNewline) {
                break;
            }
            return Failure{object.error()};
        }
        auto event = eventFromJson(*object);
        const Result<void> checked = event ? check.take(*event) : Failure{event.error()};
        if (!checked) {
            return Failure{faultOfLine(file, line, checked.error().message)};
        }
        events.push_back(std::move(*event));
    }
    return events;
}

void replay(const std::vector<RunEvent>& events, EventSink& sink) {
    for (const RunEvent& event : events) {
        sink.publish(event);
    }
}

void PointBuffer::add(const RunEvent& event) {
    if (std::holds_alternative<Iterated>(event.body)) {
        appendThinned(m_iterations, event, m_thinning, kKeptIterations);
    } else {
        m_others.push_back(event);
    }
}

std::vector<RunEvent> PointBuffer::take() {
    std::vector<RunEvent> merged;
    merged.reserve(m_others.size() + m_iterations.size());
    std::merge(std::make_move_iterator(m_others.begin()), std::make_move_iterator(m_others.end()),
               std::make_move_iterator(m_iterations.begin()), std::make_move_iterator(m_iterations.end()),
               std::back_inserter(merged),
               [](const RunEvent& a, const RunEvent& b) { return a.sequence < b.sequence; });
    m_others.clear();
    m_iterations.clear();
    m_thinning = {};
    return merged;
}

} // namespace lambdascope
