// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/field_table.h"
#include "core/run/family.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lambdascope {

/// What lists and About say of a family; see FamilySchema.
struct FamilyTexts {
    std::string id;
    std::string title;
    std::string summary;
    std::string reference;
};

/// The field tables of a family's configuration: an aggregate with members `problem`, `solver`, `path` and `lanes`, a
/// vector of aggregates with `name`, `solver` (of the same type) and `settings`.
template <class Config>
struct FamilyTables {
    const FieldTable<decltype(Config::problem)>& problem;
    const FieldTable<decltype(Config::solver)>& solver;
    const FieldTable<decltype(Config::path)>& path;
    const FieldTable<decltype(Config::lanes.front().settings)>& lane;
};

template <class Config>
struct HeldConfig final : FamilyConfig {
    Config value;
};

/// What the family has read of its experiment.
template <class Config>
[[nodiscard]] const Config& configOf(const Experiment& experiment) {
    return dynamic_cast<const HeldConfig<Config>&>(*experiment.config).value;
}

/// Replaces the names of files by paths that can be opened, found as data files are. Errors: FileNotFound with the
/// field's key.
Result<void> locateFiles(const std::vector<NamedFile>& files, const DataPlaces& places);

/// The fields of a lane of a family and those that lanes of all families have: LaneRunConfig.
[[nodiscard]] SectionSchema withLaneRunFields(SectionSchema lane);

/// A family from its tables, which must live as long as the program. `crossCheck(config, data, faults)` appends what
/// is wrong between fields; `prepare(config, input)` see Family::prepare, with files of the problem section located.
template <class Config>
[[nodiscard]] Family
makeFamily(FamilyTexts texts, FamilyTables<Config> tables, Json defaultLanes,
           void (*crossCheck)(const Config& config, const DataConfig& data, std::vector<Fault>& faults),
           Result<std::shared_ptr<const PreparedProblem>> (*prepare)(const std::shared_ptr<const Config>& config,
                                                                     const PreparationInput& input)) {
    Family family;
    family.schema = {std::move(texts.id),      std::move(texts.title),
                     std::move(texts.summary), std::move(texts.reference),
                     tables.problem.schema(),  tables.solver.schema(),
                     tables.path.schema(),     withLaneRunFields(tables.lane.schema()),
                     std::move(defaultLanes),  nullptr};
    family.schema.configure = [tables, crossCheck](const ResolvedSections& sections, const DataConfig& data,
                                                   std::vector<Fault>& faults) {
        auto held = std::make_shared<HeldConfig<Config>>();
        Config& config = held->value;
        config.problem = tables.problem.readResolved(sections.problem);
        config.solver = tables.solver.readResolved(sections.solver);
        config.path = tables.path.readResolved(sections.path);
        for (const ResolvedLane& lane : sections.lanes) {
            auto& read = config.lanes.emplace_back();
            read.name = lane.name;
            read.solver = tables.solver.readResolved(lane.solver);
            read.settings = tables.lane.readResolved(lane.settings);
        }
        crossCheck(config, data, faults);
        return held;
    };
    family.prepare = [tables, prepare](const Experiment& experiment, std::shared_ptr<const Dataset> data,
                                       const DataPlaces& places, const ProgressFunction& progress,
                                       std::stop_token stop) -> Result<std::shared_ptr<const PreparedProblem>> {
        auto config = std::make_shared<Config>(configOf<Config>(experiment));
        if (auto located = locateFiles(tables.problem.files(config->problem), places); !located) {
            return Failure{located.error()};
        }
        return prepare(config, {std::move(data), experiment.data, experiment.run, progress, std::move(stop)});
    };
    return family;
}

} // namespace lambdascope
