// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_cells.h"

#include "core/data/sha256.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace lambdascope {

namespace {

constexpr std::size_t kFaultsTold = 50;
constexpr std::size_t kReadableBytes = 60; ///< of a folder's name
constexpr std::size_t kDigestDigits = 12;  ///< 48 bits: a clash among 20,000 cells has probability 1e-6

/// "k" for "problem.k".
std::string lastPart(const std::string& field) {
    return field.substr(field.rfind('.') + 1);
}

/// Name and value of each axis, as short as they can be told apart.
std::vector<std::pair<std::string, std::string>> shortValues(const Study& study,
                                                             const std::vector<std::size_t>& choices) {
    std::map<std::string, int> uses;
    for (const StudyAxis& axis : study.axes) {
        for (const std::string& column : axis.columnNames()) {
            ++uses[lastPart(column)];
        }
    }
    std::vector<std::pair<std::string, std::string>> values;
    for (std::size_t a = 0; a < study.axes.size(); ++a) {
        const std::vector<std::string> columns = study.axes[a].columnNames();
        for (std::size_t f = 0; f < columns.size(); ++f) {
            const std::string part = lastPart(columns[f]);
            values.emplace_back(uses[part] > 1 ? columns[f] : part, valueText(study.axes[a].values[choices[a]][f]));
        }
    }
    return values;
}

std::string labelOf(const Study& study, const std::vector<std::size_t>& choices) {
    std::string label;
    for (const auto& [name, value] : shortValues(study, choices)) {
        label += (label.empty() ? "" : ", ") + name + " = " + value;
    }
    return label;
}

/// What of a label can stand in the name of a folder everywhere.
std::string readablePart(const Study& study, const std::vector<std::size_t>& choices) {
    std::string text;
    for (const auto& [name, value] : shortValues(study, choices)) {
        text += (text.empty() ? "" : "_") + name + "-" + value;
    }
    for (char& c : text) {
        const auto byte = static_cast<unsigned char>(c);
        c = std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.' ? c : '-';
    }
    return text.substr(0, kReadableBytes);
}

/// Of everything that an experiment computes: not its name, nor texts and published numbers.
std::string digestOf(const Experiment& experiment) {
    Json document = experiment.document;
    document.erase("name");
    document.erase("description");
    document.erase("published");
    const std::string text = document.dump();
    Sha256 digest;
    digest.add(text.data(), text.size());
    return digest.hexDigest().substr(0, kDigestDigits);
}

/// Sets the values of a cell in a copy of the experiment.
Result<Json> cellDocument(const Study& study, const std::vector<std::size_t>& choices, PlaceMap& places) {
    Json document = study.experiment;
    for (std::size_t a = 0; a < study.axes.size(); ++a) {
        const StudyAxis& axis = study.axes[a];
        for (std::size_t f = 0; f < axis.fields.size(); ++f) {
            const std::string& field = axis.fields[f];
            if (auto set = setByKeyPath(document, field, axis.values[choices[a]][f].dump()); !set) {
                return Failure{set.error()};
            }
            places.erase(field); // does not stand in the experiment's file
        }
    }
    document["name"] = study.name + ": " + labelOf(study, choices);
    document.erase("published"); // of one experiment, not of all
    return document;
}

/// The faults of all cells, each once.
class FaultList {
  public:
    void add(const Error& error, const std::string& label) {
        std::vector<Fault> faults = error.faults;
        if (faults.empty()) {
            faults.push_back({{}, error.message, {}, {}});
        }
        for (Fault& fault : faults) {
            const auto [place, isNew] = m_places.emplace(fault.text(), m_entries.size());
            if (isNew) {
                m_entries.push_back({std::move(fault), label, 0});
            }
            ++m_entries[place->second].cells;
        }
        ++m_cells;
    }
    [[nodiscard]] bool isEmpty() const { return m_entries.empty(); }

    [[nodiscard]] Error error(std::size_t cellCount) const {
        Error error =
            plainError(ErrorCode::InvalidConfiguration, std::to_string(m_cells) + " of " + std::to_string(cellCount) +
                                                            " cells have faults; nothing was run");
        for (std::size_t i = 0; i < std::min(kFaultsTold, m_entries.size()); ++i) {
            Fault fault = m_entries[i].fault;
            const std::string count = m_entries[i].cells == cellCount ? "all " + std::to_string(cellCount) + " cells"
                                      : m_entries[i].cells == 1       ? "the cell " + m_entries[i].label
                                                                      : std::to_string(m_entries[i].cells) +
                                                                      " cells, the first being " + m_entries[i].label;
            fault.message += " (in " + count + ")";
            error.faults.push_back(std::move(fault));
        }
        return error;
    }

  private:
    struct Entry {
        Fault fault;
        std::string label; ///< of the first cell that has it
        std::size_t cells = 0;
    };
    std::vector<Entry> m_entries;
    std::map<std::string, std::size_t> m_places; ///< in m_entries, by text
    std::size_t m_cells = 0;
};

} // namespace

std::string valueText(const Json& value) {
    return value.isText() ? value.text() : value.dump();
}

std::vector<std::size_t> choicesOf(const Study& study, std::size_t number) {
    std::vector<std::size_t> choices(study.axes.size());
    for (std::size_t a = study.axes.size(); a-- > 0;) {
        choices[a] = number % study.axes[a].values.size();
        number /= study.axes[a].values.size();
    }
    return choices;
}

Result<Validated<Experiment>> cellExperiment(const Study& study, const std::vector<std::size_t>& choices,
                                             const SchemaCatalog& catalog) {
    PlaceMap places = study.places;
    const auto document = cellDocument(study, choices, places);
    if (!document) {
        return Failure{document.error()};
    }
    return validateExperiment(*document, catalog, &places);
}

StudyCell cellOf(const Study& study, std::size_t number, const Experiment& experiment) {
    StudyCell cell;
    cell.number = number;
    cell.choices = choicesOf(study, number);
    for (std::size_t a = 0; a < study.axes.size(); ++a) {
        if (!study.axes[a].isSeeds) {
            cell.combination = cell.combination * study.axes[a].values.size() + cell.choices[a];
        }
    }
    cell.label = labelOf(study, cell.choices);
    cell.name = readablePart(study, cell.choices) + "-" + digestOf(experiment);
    cell.laneNames = enabledLanes(experiment);
    return cell;
}

Result<std::vector<StudyCell>> studyCells(const Study& study, const SchemaCatalog& catalog) {
    std::vector<StudyCell> cells;
    FaultList faults;
    const std::size_t count = study.cellCount();
    cells.reserve(count);
    for (std::size_t number = 0; number < count; ++number) {
        const std::vector<std::size_t> choices = choicesOf(study, number);
        const auto experiment = cellExperiment(study, choices, catalog);
        if (experiment) {
            cells.push_back(cellOf(study, number, **experiment));
        } else {
            faults.add(experiment.error(), labelOf(study, choices));
        }
    }
    if (!faults.isEmpty()) {
        return Failure{faults.error(count)};
    }
    return cells;
}

} // namespace lambdascope
