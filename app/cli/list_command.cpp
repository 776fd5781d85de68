// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/experiment_input.h"
#include "app/cli/presets.h"
#include "app/cli/study_input.h"
#include "core/common/resource_folder.h"
#include "core/common/text_table.h"
#include "core/config/json.h"
#include "core/config/json_document.h"
#include "core/families.h"
#include "core/study/study_cells.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <vector>

namespace lambdascope::cli {

namespace {

/// An array with an object per row; keys are the titles, with underscores for blanks.
std::string jsonText(const TextTable& table) {
    Json rows = Json::array();
    for (const std::vector<std::string>& cells : table.rows()) {
        Json row = Json::object();
        for (std::size_t column = 0; column < cells.size(); ++column) {
            std::string key = table.columns()[column].title;
            std::replace(key.begin(), key.end(), ' ', '_');
            row[key] = cells[column];
        }
        rows.push_back(std::move(row));
    }
    return rows.dump(1, Json::BadUtf8::Replace) + "\n";
}

void print(const TextTable& table, bool asJson) {
    std::fputs((asJson ? jsonText(table) : table.text()).c_str(), stdout);
}

void listPresets(bool asJson) {
    TextTable table({{"preset"}, {"family"}, {"name"}, {"what it shows"}});
    for (const Preset& preset : listedPresets()) {
        table.addRow({preset.id, preset.family, preset.name, preset.description});
    }
    print(table, asJson);
}

/// The sources of data that a study computes on.
std::string dataOf(const Study& study) {
    std::vector<std::string> sources;
    for (const StudyAxis& axis : study.axes) {
        for (std::size_t field = 0; field < axis.fields.size(); ++field) {
            for (const std::vector<Json>& values : axis.values) {
                if (axis.fields[field] == "data.source") {
                    sources.push_back(std::filesystem::path(valueText(values[field])).filename().string());
                }
            }
        }
    }
    const auto data = study.experiment.find("data");
    if (sources.empty() && data != study.experiment.end() && data->isObject() && data->contains("source")) {
        sources.push_back(valueText(data->at("source")));
    }
    std::string text;
    for (const std::string& source : sources) {
        text += (text.empty() ? "" : ", ") + source;
    }
    return text;
}

void listStudies(bool asJson) {
    TextTable table({{"study"}, {"cells", TextTable::Align::Right}, {"data"}, {"what it shows"}});
    for (const std::string& id : listedStudies()) {
        const auto study = readStudyInput(id, {});
        const auto document = readJsonDocument((resourceFolder() / "studies" / (id + ".json")).string());
        if (study && document) {
            table.addRow({id, std::to_string(study->cellCount()), dataOf(*study),
                          document->value.value("description", std::string())});
        }
    }
    print(table, asJson);
}

void listData(bool asJson) {
    TextTable table({{"source"}, {"title"}, {"about"}});
    for (const DataListing& data : listedData()) {
        table.addRow({data.source, data.title, data.summary});
    }
    print(table, asJson);
}

void listFamilies(bool asJson) {
    TextTable table({{"family"}, {"title"}, {"about"}, {"reference"}});
    for (const Family& family : builtInFamilies()) {
        table.addRow({family.schema.id, family.schema.title, family.schema.summary, family.schema.reference});
    }
    print(table, asJson);
}

/// The words that fields of one section of each family take.
void listChoices(const char* heading, const std::vector<const char*>& keys, const SectionSchema FamilySchema::*section,
                 bool asJson) {
    TextTable table({{"family"}, {heading}, {"name"}, {"about"}});
    for (const Family& family : builtInFamilies()) {
        for (const char* key : keys) {
            const FieldDescription* field = (family.schema.*section).find(key);
            if (field == nullptr) {
                continue;
            }
            for (const Choice& choice : field->choices) {
                table.addRow({family.schema.id, choice.value, choice.label, choice.help});
            }
        }
    }
    print(table, asJson);
}

/// What there is to list, for a command without a word.
void listLists(bool asJson) {
    TextTable table({{"what"}, {"about"}});
    table.addRow({"presets", "experiments that are ready to run"});
    table.addRow({"studies", "studies that are ready to compute: lambdascope-cli sweep NAME --out DIR"});
    table.addRow({"data", "data sets and generators that data.source takes by name"});
    table.addRow({"families", "the problems that can be solved"});
    table.addRow({"bounds", "the bounds that a lane can screen by"});
    table.addRow({"rules", "the rules that decide about an item by a bound"});
    table.addRow({"solvers", "the solvers and engines of each family"});
    print(table, asJson);
    if (!asJson) {
        std::printf("\nFor example: lambdascope-cli list presets\n");
    }
}

} // namespace

ExitStatus listCommand(const ListOptions& options) {
    if (options.what.empty()) {
        listLists(options.json);
    } else if (options.what == "presets") {
        listPresets(options.json);
    } else if (options.what == "studies") {
        listStudies(options.json);
    } else if (options.what == "data") {
        listData(options.json);
    } else if (options.what == "families") {
        listFamilies(options.json);
    } else if (options.what == "bounds") {
        listChoices("bound", {"bounds"}, &FamilySchema::lane, options.json);
    } else if (options.what == "rules") {
        listChoices("rule", {"rule"}, &FamilySchema::lane, options.json);
    } else {
        listChoices("solver", {"engine", "method"}, &FamilySchema::solver, options.json);
    }
    return ExitStatus::Done;
}

ExitStatus showCommand(const ShowOptions& options) {
    if (options.resolved) {
        const auto input = readExperimentInput(options.preset, {});
        if (!input) {
            return report(input.error());
        }
        std::printf("%s\n", input->experiment->document.dump(2).c_str());
        return ExitStatus::Done;
    }
    const auto file = experimentFile(options.preset);
    if (!file) {
        return report(file.error());
    }
    std::ostringstream text;
    text << std::ifstream(*file).rdbuf();
    std::fputs(text.str().c_str(), stdout);
    return ExitStatus::Done;
}

} // namespace lambdascope::cli
