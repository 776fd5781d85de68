// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_choices.h"

#include "core/common/trimmed_text.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>

namespace lambdascope::cli {

std::vector<std::string> splitLanes(const std::vector<std::string>& given, const Experiment& experiment) {
    const auto isLane = [&](std::string_view name) {
        return std::find(experiment.laneNames.begin(), experiment.laneNames.end(), name) != experiment.laneNames.end();
    };
    std::vector<std::string> names;
    for (const std::string_view list : given) {
        std::size_t begin = 0;
        while (begin <= list.size()) {
            // The longest piece that is a lane; a piece up to the next comma when none is.
            const std::size_t shortest = std::min(list.find(',', begin), list.size());
            std::size_t end = shortest;
            for (std::size_t comma = shortest;; comma = std::min(list.find(',', comma + 1), list.size())) {
                if (isLane(trimmed(list.substr(begin, comma - begin)))) {
                    end = comma;
                }
                if (comma == list.size()) {
                    break;
                }
            }
            names.emplace_back(trimmed(list.substr(begin, end - begin)));
            begin = end + 1;
        }
    }
    return names;
}

ProgressStyle progressStyle(const std::string& word) {
    if (word == "none") {
        return ProgressStyle::None;
    }
    if (word == "plain") {
        return ProgressStyle::Plain;
    }
    return isatty(STDERR_FILENO) == 1 ? ProgressStyle::Bar : ProgressStyle::Calm;
}

} // namespace lambdascope::cli
