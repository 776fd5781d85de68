// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/data_source.h"
#include "core/run/experiment.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lambdascope::cli {

/// A checked experiment and where the paths in it are relative to.
struct ExperimentInput {
    Validated<Experiment> experiment;
    DataPlaces places;
};

/// Reads an experiment file ("-" for standard input), the experiment in a run.json, or a preset, applies the
/// "key=value" of --set, and checks all.
Result<ExperimentInput> readExperimentInput(const std::string& fileOrPreset, const std::vector<std::string>& settings);

/// The document that readExperimentInput() begins with, and the folder of its file; empty for standard input.
struct ExperimentDocument {
    JsonDocument document;
    std::filesystem::path folder;
};
Result<ExperimentDocument> readExperimentDocument(const std::string& fileOrPreset);

/// Applies "key=value" texts to a document. Faults of all of them at once.
Result<void> applySettings(Json& document, const std::vector<std::string>& settings, PlaceMap* places);

/// The file that a word on the command line stands for.
Result<std::string> experimentFile(const std::string& fileOrPreset);

} // namespace lambdascope::cli
