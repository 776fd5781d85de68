// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): the name that the library has
class App;
}

namespace lambdascope::cli {

// Adds commands, with the options that they fill, to the program. `options` and `chosen`, which is set to what the
// arguments ask for, must outlive `app`.

void addSweepCommand(CLI::App& app, SweepOptions& options, std::function<ExitStatus()>& chosen);

struct ModelOptions {
    ExportOptions exporting;
    ExportModelOptions exportModel;
    TransformOptions transform;
    PredictOptions predict;
};
void addModelCommands(CLI::App& app, ModelOptions& options, std::function<ExitStatus()>& chosen);

/// `completion`, which knows all commands of `app`.
void addCompletionCommand(CLI::App& app, std::function<ExitStatus()>& chosen);

/// --set of a command.
void addSettingsOption(CLI::App& command, std::vector<std::string>& settings);

/// --format and --digits of a table; with JSON where that is one of its forms.
void addTableOptions(CLI::App& command, std::string& format, std::optional<int>& digits, bool hasJson);

} // namespace lambdascope::cli
