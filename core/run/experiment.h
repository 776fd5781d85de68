// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/config/field.h"
#include "core/config/json_document.h"
#include "core/config/published_number.h"
#include "core/data/data_config.h"
#include "core/run/run_config.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lambdascope {

/// What a family has read of an experiment, its lanes included, as those see it who know no family; the family gets
/// its own type back by configOf() of make_family.h.
struct FamilyConfig {
    virtual ~FamilyConfig() = default;
};

/// One lane of a document, with every field.
struct ResolvedLane {
    std::string name; ///< unique in the experiment; also the name of its folder
    Json settings;    ///< fields of FamilySchema::lane
    Json solver;      ///< the experiment's solver section, overlaid by the lane's own "solver" object
};

/// The sections of a document that belong to its family. Every field is present and valid by itself.
struct ResolvedSections {
    Json problem;
    Json solver;
    Json path;
    std::vector<ResolvedLane> lanes;
};

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
    SectionSchema lane; ///< fields of one lane besides "name" and "solver", those of LaneRunConfig among them
    Json defaultLanes;  ///< array used when an experiment gives no lanes
    /// The typed configuration of the sections; checks rules between fields and appends faults.
    std::function<std::shared_ptr<const FamilyConfig>(const ResolvedSections& sections, const DataConfig& data,
                                                      std::vector<Fault>& faults)>
        configure;
};

/// All sections an experiment file may have. Built once in core/families.cpp from the rooms' field tables.
struct SchemaCatalog {
    explicit SchemaCatalog(std::vector<FamilySchema> families);

    SectionSchema data; ///< where the data come from and how they are prepared (core/data)
    SectionSchema run;  ///< order of lanes, seed, time limit (core/run)
    std::vector<FamilySchema> families;

    [[nodiscard]] const FamilySchema* find(std::string_view familyId) const;
};

/// One problem on one data set and the lanes that run on it: variants that are compared, with the same problem, seed
/// and grid, but other screening or solver settings.
struct Experiment {
    std::string family;
    std::string name;        ///< experimentTitle()
    std::string description; ///< a sentence or two for lists; may be empty
    DataConfig data;
    RunConfig run;
    std::shared_ptr<const FamilyConfig> config; ///< problem, solver, path and lanes
    std::vector<std::string> laneNames;         ///< in the order of the lanes of `config`
    std::vector<LaneRunConfig> laneRuns;        ///< in the same order
    std::vector<PublishedNumber> published;     ///< of the paper it repeats; may be empty
    Json document; ///< with all defaults filled in: reading it gives the same experiment; for files and displays
};

/// The lanes that are computed where none are named, in their order; at least one.
[[nodiscard]] std::vector<std::string> enabledLanes(const Experiment& experiment);

/// The name of a resolved document, and what was changed by hand: "iris (what if: 1 moved)".
[[nodiscard]] std::string experimentTitle(const Json& document);

/// Proof in the type that a value passed its checks. Only the functions that check it make one.
template <class T>
class Validated {
  public:
    const T& operator*() const { return m_value; }
    const T* operator->() const { return &m_value; }

  private:
    friend struct ExperimentChecker;
    explicit Validated(T value) : m_value(std::move(value)) {}
    T m_value;
};

/// Checks a whole document and reports all faults at once, each with its key and, when `places` is given, line and
/// column. Unknown keys are faults.
Result<Validated<Experiment>> validateExperiment(const Json& document, const SchemaCatalog& catalog,
                                                 const PlaceMap* places = nullptr);

/// Parses and checks the text of an experiment file.
Result<Validated<Experiment>> readExperiment(std::string_view text, const std::string& fileName,
                                             const SchemaCatalog& catalog);

} // namespace lambdascope
