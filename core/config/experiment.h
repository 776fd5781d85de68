// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/config/field.h"
#include "core/config/json_document.h"
#include "core/config/published_number.h"
#include "core/config/validated.h"

#include <functional>
#include <string>
#include <vector>

namespace lambdascope {

/// What a problem family lets the user configure, and how its fields hang together. No code of the family is needed
/// to read, check, show or write an experiment.
struct FamilySchema {
    std::string id;        ///< "metric"; JSON "family", folder name in every layer
    std::string title;     ///< "Triplet metric learning"
    std::string summary;   ///< one sentence
    std::string reference; ///< the paper, for lists and About
    SectionSchema problem;
    SectionSchema solver;
    SectionSchema path;
    SectionSchema lane; ///< fields of one lane besides "name" and "solver"
    Json defaultLanes;  ///< array used when an experiment gives no lanes
    /// Rules between fields, over a resolved experiment document; appends faults. May be empty.
    std::function<void(const Json& resolved, std::vector<Fault>& faults)> crossCheck;
};

/// All sections an experiment file may have. Built once in core/families.cpp from the rooms' field tables.
struct SchemaCatalog {
    SectionSchema data; ///< where the data come from and how they are prepared (core/data)
    SectionSchema run;  ///< order of lanes, seed, time limit (core/run)
    std::vector<FamilySchema> families;

    [[nodiscard]] const FamilySchema* find(std::string_view familyId) const;
};

/// One variant that is compared: same problem, seed and grid as its siblings, other screening or solver settings.
struct Lane {
    std::string name; ///< unique in the experiment; also the name of its folder
    Json settings;    ///< resolved fields of FamilySchema::lane
    Json solver;      ///< resolved solver section: the experiment's, overlaid by the lane's own "solver" object
    bool operator==(const Lane&) const = default;
};

/// One problem on one data set and the lanes that run on it. All sections are resolved: every field is present and
/// valid, so FieldTable::readResolved applies.
struct Experiment {
    std::string family;
    std::string name;
    std::string description; ///< a sentence or two for lists; may be empty
    Json data;
    Json problem;
    Json solver;
    Json path;
    Json run;
    std::vector<Lane> lanes;
    std::vector<PublishedNumber> published; ///< of the paper it repeats; may be empty
    bool operator==(const Experiment&) const = default;
};

/// Checks a whole document and reports all faults at once, each with its key and, when `places` is given, line and
/// column. Unknown keys are faults.
Result<Validated<Experiment>> validateExperiment(const Json& document, const SchemaCatalog& catalog,
                                                 const PlaceMap* places = nullptr);

/// Parses and checks the text of an experiment file.
Result<Validated<Experiment>> readExperiment(std::string_view text, const std::string& fileName,
                                             const SchemaCatalog& catalog);

/// The resolved document: reading it gives the same experiment. Lanes carry "solver" only where they differ.
[[nodiscard]] Json writeExperiment(const Experiment& experiment);

} // namespace lambdascope
