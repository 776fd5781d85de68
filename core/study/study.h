// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/config/json_document.h"
#include "core/study/study_published.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace lambdascope {

struct SchemaCatalog;

/// One axis of a study: fields of the experiment that take one list of values after the other.
struct StudyAxis {
    std::vector<std::string> fields; ///< as --set names them: "problem.k", "lanes[0].every"
    std::vector<std::string> labels; ///< of the fields, as forms have them: "Neighbours k", "Every (sweeps) of GAP"
    std::vector<std::vector<Json>> values; ///< each with one value per field; at least one
    bool isSeeds = false;                  ///< the values are seeds, and `fields` all seeds of the experiment
    bool isOptional = false;               ///< values whose data are not there may be left out: leaveOutAbsentData()
    std::string key;                       ///< of the axis in the file, for messages: "axes[1]"

    /// What columns call it: the field, or "seed". Of an axis with several fields one name each.
    [[nodiscard]] std::vector<std::string> columnNames() const;
};

/// The same experiment for every combination of values of some fields.
struct Study {
    std::string name;
    Json experiment;                            ///< what all cells begin from; not checked by itself
    std::vector<StudyAxis> axes;                ///< no field twice
    std::string measure;                        ///< that is drawn first, as in study.csv: "recall"; may be empty
    std::vector<StudyPublished> published;      ///< of the paper it repeats; may be empty
    std::vector<std::filesystem::path> folders; ///< where relative data paths are looked for, in this order
    PlaceMap places;                            ///< of `experiment`'s values in the file that it came from

    /// Product of the lengths of the axes.
    [[nodiscard]] std::size_t cellCount() const;
    /// A file that reads as this study, with the experiment and all values in it. `version` is the program's.
    [[nodiscard]] Json document(const std::string& version) const;
};

/// The experiment that a study calls by a name: a preset or a file, with its folder, if it has one.
struct NamedExperiment {
    JsonDocument document;
    std::filesystem::path folder;
};
using ExperimentLookup = std::function<Result<NamedExperiment>(const std::string& name)>;

namespace layout {
inline constexpr const char* kStudyFormat = "lambdascope-study"; ///< member "format" of study.json
inline constexpr const char* kStudyFile = "study.json";
inline constexpr const char* kCells = "cells";
inline constexpr const char* kFailedCells = "failed";
inline constexpr const char* kCellsAtWork = "work";
inline constexpr const char* kCellFile = "cell.json";
inline constexpr const char* kCellsTable = "cells.csv";
inline constexpr const char* kStudyTable = "study.csv";
} // namespace layout

/// Reads a study: all faults of the file at once, with key, line and column. Whether each cell is a valid experiment is
/// up to studyCells(). `folder` is where the file is. Errors: InvalidConfiguration, and those of `lookup`.
Result<Study> readStudy(const JsonDocument& document, const std::filesystem::path& folder, const SchemaCatalog& catalog,
                        const ExperimentLookup& lookup);

/// For readStudy() and the reader of one axis: that of "axes[i]", checked against the schema of the experiment. Appends
/// faults; what it returns is worth something only when it adds none.
StudyAxis readStudyAxis(const Json& given, const std::string& key, const Json& experiment, const SchemaCatalog& catalog,
                        std::vector<Fault>& faults);

/// Takes out of the optional axes the values whose data file is in none of the study's folders: sets that cannot be
/// shipped, which others may have. Bundled and generated data are always there. Returns the files that were not found.
/// Error: InvalidConfiguration when nothing is left of an axis.
Result<std::vector<std::string>> leaveOutAbsentData(Study& study);

} // namespace lambdascope
