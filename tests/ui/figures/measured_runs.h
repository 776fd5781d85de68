// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/figures/sample_runs.h"

#include <cmath>
#include <limits>

namespace lambdascope {

inline constexpr int kStartsPoints = 6;

/// sampleEvents() of several starts: at point p an error of 0.5 / (p + 1), quartiles a tenth of it below and a fifth
/// above, a step of 10^−p, seconds 3 p; with `areSizes` the path goes over sizes and a point takes (axis value)^1.5 s.
[[nodiscard]] inline std::vector<RunEvent> startsEvents(bool areSizes = false) {
    constexpr std::size_t kItems = 5; // place of the number of items among the columns
    std::vector<RunEvent> events = sampleEvents(kStartsPoints);
    for (RunEvent& event : events) {
        if (auto* started = std::get_if<RunStarted>(&event.body)) {
            auto& columns = started->columns;
            columns.push_back({"test_error", "Error on held-out rows", "", ColumnRole::HeldOutError, false});
            columns.push_back({"test_error_q1", "lower", "", ColumnRole::Other, false});
            columns.push_back({"test_error_q3", "upper", "", ColumnRole::Other, false});
            columns.push_back({"step", "Step", "", ColumnRole::Other, false});
            columns.push_back({"seconds", "So far", "s", ColumnRole::Other, false});
        } else if (auto* finished = std::get_if<PointFinished>(&event.body)) {
            const double error = 0.5 / (finished->index + 1);
            finished->values.insert(finished->values.end(), {error, 0.9 * error, 1.2 * error,
                                                             std::pow(10.0, -finished->index), 3.0 * finished->index});
            if (areSizes) {
                finished->values[kItems] = finished->axisValue;
                finished->values[12] = std::pow(finished->axisValue, 1.5);
                finished->values[13] = 0;
            }
        }
    }
    return events;
}

/// sampleEvents() whose points know errors and AUC on held-out rows and by cross-validation, and the sizes of two sets:
/// at point p an error of |p − 2| / 10 held-out and |p − 3| / 10 crossed, 1 minus them as AUC; 10 p and 100 − 10 p
/// items.
[[nodiscard]] inline std::vector<RunEvent> judgedEvents(bool isCrossed = true) {
    std::vector<RunEvent> events = sampleEvents();
    for (RunEvent& event : events) {
        if (auto* started = std::get_if<RunStarted>(&event.body)) {
            auto& columns = started->columns;
            columns.push_back({"test_error", "Error on held-out rows", "", ColumnRole::HeldOutError, false});
            columns.push_back({"auc", "AUC on held-out rows", "", ColumnRole::HeldOutMeasure, false});
            columns.push_back({"cv_error", "Error by cross-validation", "", ColumnRole::CrossError, false});
            columns.push_back({"cv_auc", "AUC by cross-validation", "", ColumnRole::CrossMeasure, false});
            columns.push_back({"n_R", "Samples in R", "", ColumnRole::SetSize, true});
            columns.push_back({"n_L", "Samples in L", "", ColumnRole::SetSize, true});
        } else if (auto* finished = std::get_if<PointFinished>(&event.body)) {
            const double held = std::abs(finished->index - 2) / 10.0;
            const double crossed =
                isCrossed ? std::abs(finished->index - 3) / 10.0 : std::numeric_limits<double>::quiet_NaN();
            finished->values.insert(finished->values.end(), {held, 1 - held, crossed, 1 - crossed,
                                                             10.0 * finished->index, 100.0 - 10 * finished->index});
        }
    }
    return events;
}

/// sampleEvents() whose points consist of three problems: at point p problem k has a rate of (p + k) / 10, an error of
/// (k + 1) / 10, and no AUC; the baseline screens nothing.
[[nodiscard]] inline std::vector<RunEvent> problemEvents() {
    std::vector<RunEvent> events;
    for (RunEvent event : sampleEvents()) {
        if (std::holds_alternative<Screened>(event.body) && event.run == RunId{901}) {
            continue; // the baseline does not screen
        }
        if (auto* started = std::get_if<RunStarted>(&event.body)) {
            started->parts = {"pairs of classes",
                              {"b against a", "c against a", "c against b"},
                              {{"test_error", "Error on held-out rows", "", ColumnRole::HeldOutError, false},
                               {"final_rate", "Screening rate (before solved)", "", ColumnRole::FinalRate, false},
                               {"auc", "AUC", "", ColumnRole::HeldOutMeasure, false},
                               {"n_R", "Samples in R", "", ColumnRole::SetSize, true}}};
        } else if (const auto* finished = std::get_if<PointFinished>(&event.body)) {
            PartsSolved parts{finished->index, {}};
            for (int k = 0; k < 3; ++k) {
                parts.values.insert(parts.values.end(), {(k + 1) / 10.0, (finished->index + k) / 10.0,
                                                         std::numeric_limits<double>::quiet_NaN(), 5.0});
            }
            events.push_back({event.run, event.sequence, parts});
        }
        events.push_back(event);
    }
    return events;
}

} // namespace lambdascope
