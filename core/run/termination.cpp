// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/termination.h"

#include <array>
#include <utility>

namespace lambdascope {

namespace {

constexpr std::array<std::pair<Termination, std::string_view>, 8> kNames = {{
    {Termination::Converged, "converged"},
    {Termination::ConvergedLoosely, "converged loosely"},
    {Termination::NotProven, "not proven"},
    {Termination::PathEnded, "path ended"},
    {Termination::IterationLimit, "iteration limit"},
    {Termination::TimeLimit, "time limit"},
    {Termination::StoppedByUser, "stopped by user"},
    {Termination::NumericalTrouble, "numerical trouble"},
}};

/// How much it spoils the promise that all points are converged.
int severity(Termination termination) {
    switch (termination) {
    case Termination::ConvergedLoosely: return 1;
    case Termination::NotProven: return 2;
    case Termination::IterationLimit: return 3;
    case Termination::NumericalTrouble: return 4;
    default: return 0;
    }
}

} // namespace

Termination worse(Termination first, Termination second) {
    return severity(second) > severity(first) ? second : first;
}

std::string_view terminationName(Termination termination) {
    for (const auto& [value, name] : kNames) {
        if (value == termination) {
            return name;
        }
    }
    return "unknown";
}

std::optional<Termination> terminationFromName(std::string_view name) {
    for (const auto& [value, text] : kNames) {
        if (text == name) {
            return value;
        }
    }
    return std::nullopt;
}

} // namespace lambdascope
