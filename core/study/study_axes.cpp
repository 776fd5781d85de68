// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"
#include "core/run/experiment.h"
#include "core/study/study.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

namespace lambdascope {

namespace {

constexpr std::size_t kMostValues = 10'000;
/// Of computed values: as many digits as people write, so that 0.1 + 2 · 0.1 is 0.3.
constexpr int kDigits = 12;

class AxisReader {
  public:
    AxisReader(const Json& given, std::string key, const Json& experiment, const SchemaCatalog& catalog,
               std::vector<Fault>& faults)
        : m_given(given), m_experiment(experiment), m_catalog(catalog), m_faults(faults) {
        m_axis.key = std::move(key);
        const auto family = experiment.find("family");
        if (family != experiment.end() && family->isText()) {
            m_family = catalog.find(family->text());
        }
    }

    StudyAxis read() {
        if (!m_given.isObject()) {
            fault("", "an axis is an object in braces, not " + m_given.dump(),
                  "Write {\"field\": \"problem.k\", \"values\": [3, 5, 10]}.");
            return m_axis;
        }
        checkKeys();
        if (m_given.contains("seeds")) {
            readSeeds();
        } else {
            readFields();
            readValues();
            readOptional();
        }
        return m_axis;
    }

  private:
    void fault(const std::string& member, std::string message, std::string remedy) {
        m_faults.push_back(
            {m_axis.key + (member.empty() ? "" : "." + member), std::move(message), std::move(remedy), {}});
    }

    void checkKeys() {
        static const std::vector<std::string> known = {"field", "fields", "values", "from",    "to",
                                                       "count", "scale",  "seeds",  "optional"};
        for (const auto& [key, value] : m_given.items()) {
            if (std::find(known.begin(), known.end(), key) == known.end()) {
                const auto guess = closestWord(key, known);
                fault(key, "unknown key",
                      guess ? "Did you mean \"" + *guess + "\"?"
                            : "Remove it; known here: field, fields, values, from, to, count, scale, seeds, optional.");
            } else if (key != "seeds" && m_given.contains("seeds")) {
                fault(key, "cannot stand beside \"seeds\"", "Give the seeds an axis of their own.");
            }
        }
    }

    // ── Seeds ──

    void addSeedsOf(const SectionSchema& section) {
        for (const FieldDescription& field : section.fields) {
            if (field.key == "seed") {
                m_axis.fields.push_back(section.key + "." + field.key);
            }
        }
    }

    void readSeeds() {
        m_axis.isSeeds = true;
        addSeedsOf(m_catalog.data);
        addSeedsOf(m_catalog.run);
        if (m_family != nullptr) {
            addSeedsOf(m_family->problem);
            addSeedsOf(m_family->solver);
            addSeedsOf(m_family->path);
        }
        const Json& seeds = m_given.at("seeds");
        const auto isSeed = [](const Json& value) {
            return value.isInteger() && value.get<double>() >= 0 && value.get<double>() <= 9007199254740992.0;
        };
        if (isSeed(seeds) && seeds.get<double>() >= 1 && seeds.get<double>() <= double{kMostValues}) {
            for (std::int64_t seed = 1; seed <= seeds.get<std::int64_t>(); ++seed) {
                addValue({Json(seed)});
            }
        } else if (seeds.isArray() && !seeds.empty() && std::all_of(seeds.begin(), seeds.end(), isSeed)) {
            for (const Json& seed : seeds) {
                addValue({seed});
            }
            checkDistinct("seeds");
        } else {
            fault("seeds",
                  seeds.isArray() && seeds.empty()
                      ? "is empty"
                      : "takes how many seeds there are, from 1 on, or a list of seeds, not " + seeds.dump(),
                  "Write for example 5, which stands for the seeds 1 to 5, or [7, 8].");
        }
    }

    /// One value for all fields of an axis of seeds; for others one per field.
    void addValue(std::vector<Json> values) {
        if (m_axis.isSeeds) {
            values.resize(m_axis.fields.size(), values.front());
        }
        m_axis.values.push_back(std::move(values));
    }

    void checkDistinct(const std::string& member) {
        std::set<std::string> seen;
        for (const std::vector<Json>& value : m_axis.values) {
            const std::string text = value.size() == 1 || m_axis.isSeeds ? value.front().dump() : Json(value).dump();
            if (!seen.insert(text).second) {
                fault(member, "has " + text + " twice", "Give each value once.");
                return;
            }
        }
    }

    // ── Fields ──

    void readFields() {
        const auto field = m_given.find("field");
        const auto fields = m_given.find("fields");
        if ((field == m_given.end()) == (fields == m_given.end())) {
            fault("", field == m_given.end() ? "has no field" : "has both \"field\" and \"fields\"",
                  "Give \"field\", or \"fields\" for several that go together, or \"seeds\".");
            return;
        }
        if (field != m_given.end()) {
            addField("field", *field);
            return;
        }
        if (!fields->isArray() || fields->empty()) {
            fault("fields", "takes a list of at least one field", "Write [\"data.source\", \"problem.k\"].");
            return;
        }
        for (std::size_t i = 0; i < fields->size(); ++i) {
            addField("fields[" + std::to_string(i) + "]", (*fields)[i]);
        }
    }

    void addField(const std::string& member, const Json& name) {
        if (!name.isText()) {
            fault(member, "takes the key of a field in quotes, not " + name.dump(), "Write for example \"problem.k\".");
            return;
        }
        m_axis.fields.push_back(name.text());
        m_descriptions.push_back(find(member, name.text()));
        m_axis.labels.push_back(labelOf(name.text(), m_descriptions.back()));
    }

    /// The words of the form for a field, with its unit, and with the lane that it is of.
    [[nodiscard]] std::string labelOf(const std::string& name, const FieldDescription* field) const {
        if (field == nullptr) {
            return name;
        }
        std::string label = field->label + (field->unit.empty() ? "" : " (" + field->unit + ")");
        if (name.starts_with("lanes[")) {
            const std::string number = name.substr(6, name.find(']') - 6);
            const Json& lane = m_experiment.at("lanes")[static_cast<std::size_t>(*parseInteger(number))];
            const auto called = lane.isObject() ? lane.find("name") : lane.end();
            label += " of " + (called != lane.end() && called->isText() ? called->text() : "lane " + number);
        }
        return label;
    }

    /// The section that a key begins with, and the field's key within it; null when there is none.
    const SectionSchema* sectionOf(const std::string& member, const std::string& name, std::string& rest) {
        const std::size_t dot = name.find('.');
        const std::string head = name.substr(0, dot);
        rest = dot == std::string::npos ? "" : name.substr(dot + 1);
        if (head == "data") {
            return &m_catalog.data;
        }
        if (head == "run") {
            return &m_catalog.run;
        }
        if (m_family == nullptr) {
            return nullptr; // the cells tell what is wrong with the family
        }
        if (head == "problem" || head == "solver" || head == "path") {
            return head == "problem" ? &m_family->problem : head == "solver" ? &m_family->solver : &m_family->path;
        }
        if (!head.starts_with("lanes[") || !head.ends_with(']')) {
            fault(
                member, "the experiment has no field \"" + name + "\"",
                "Begin with data., problem., solver., path., run. or lanes[0].; \"lambdascope-cli help fields\" lists "
                "all.");
            return nullptr;
        }
        const auto lanes = m_experiment.find("lanes");
        const std::size_t count = lanes != m_experiment.end() && lanes->isArray() ? lanes->size() : 0;
        const auto number = parseInteger(head.substr(6, head.size() - 7));
        if (!number || *number < 0 || static_cast<std::size_t>(*number) >= count) {
            fault(member,
                  "the experiment lists " + std::to_string(count) + " lanes, and \"" + head + "\" is none of them",
                  "Lanes are counted from 0; write the ones to vary into the experiment.");
            return nullptr;
        }
        if (rest.starts_with("solver.")) {
            rest = rest.substr(7);
            return &m_family->solver;
        }
        return &m_family->lane;
    }

    const FieldDescription* find(const std::string& member, const std::string& name) {
        std::string rest;
        const std::size_t before = m_faults.size();
        const SectionSchema* section = sectionOf(member, name, rest);
        if (section == nullptr) {
            if (m_faults.size() == before && m_family != nullptr) {
                fault(member, "the experiment has no field \"" + name + "\"", "Check the key.");
            }
            return nullptr;
        }
        if (const FieldDescription* field = section->find(rest)) {
            return field;
        }
        if (const FieldDescription* field = section->findFormer(rest)) {
            return field;
        }
        std::vector<std::string> known;
        for (const FieldDescription& field : section->fields) {
            known.push_back(field.key);
        }
        const auto guess = closestWord(rest, known);
        fault(member, "the experiment has no field \"" + name + "\"",
              guess ? "Did you mean \"" + name.substr(0, name.size() - rest.size()) + *guess + "\"?"
                    : "\"lambdascope-cli help fields\" lists all.");
        return nullptr;
    }

    // ── Values ──

    void readValues() {
        const auto values = m_given.find("values");
        const bool hasRange = m_given.contains("from") || m_given.contains("to") || m_given.contains("count") ||
                              m_given.contains("scale");
        if (values != m_given.end() && hasRange) {
            fault("values", "cannot stand beside \"from\", \"to\", \"count\" and \"scale\"", "Leave one of them out.");
        } else if (hasRange) {
            readRange();
        } else if (values == m_given.end() || !values->isArray() || values->empty()) {
            fault(values == m_given.end() ? "" : "values",
                  values == m_given.end() ? "has no values"
                  : values->isArray()     ? "is empty"
                                          : "takes a list in brackets",
                  "Give \"values\", or \"from\", \"to\" and \"count\".");
        } else if (values->size() > kMostValues) {
            fault("values", "has " + std::to_string(values->size()) + " values", "Give at most 10,000.");
        } else {
            readList(*values);
        }
    }

    void readOptional() {
        const auto given = m_given.find("optional");
        const bool hasData =
            std::find(m_axis.fields.begin(), m_axis.fields.end(), "data.source") != m_axis.fields.end();
        if (given == m_given.end()) {
            return;
        }
        if (!given->isBoolean() || !hasData) {
            fault("optional", given->isBoolean() ? "only an axis of data.source has it" : "takes true or false",
                  "It leaves out data files that are not there; remove it otherwise.");
            return;
        }
        m_axis.isOptional = given->get<bool>();
    }

    void readList(const Json& values) {
        const bool isSingle = m_given.contains("field");
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (isSingle) {
                m_axis.values.push_back({values[i]});
            } else if (values[i].isArray() && values[i].size() == m_axis.fields.size()) {
                m_axis.values.emplace_back(values[i].begin(), values[i].end());
            } else {
                fault("values[" + std::to_string(i) + "]",
                      "takes a list with a value for each of the " + std::to_string(m_axis.fields.size()) +
                          " fields, not " + values[i].dump(),
                      "Write for example [[\"iris\", 3], [\"wine\", 5]].");
                return;
            }
        }
        checkDistinct("values");
    }

    std::optional<double> number(const char* member) {
        const auto found = m_given.find(member);
        if (found == m_given.end() || !found->isNumber()) {
            fault(member, found == m_given.end() ? "missing" : "takes a number, not " + found->dump(),
                  "Give \"from\", \"to\" and \"count\".");
            return std::nullopt;
        }
        return found->get<double>();
    }

    void readRange() {
        const auto from = number("from");
        const auto to = number("to");
        const auto count = number("count");
        const std::string scale = m_given.contains("scale") && m_given.at("scale").isText() ? m_given.at("scale").text()
                                  : m_given.contains("scale")                               ? "?"
                                                                                            : "linear";
        if (scale != "linear" && scale != "log") {
            fault("scale", "takes \"linear\" or \"log\", not " + m_given.at("scale").dump(), "Choose one of them.");
            return;
        }
        if (!from || !to || !count) {
            return;
        }
        if (*count != std::floor(*count) || *count < 2 || *count > double{kMostValues}) {
            fault("count", "takes a whole number from 2 to 10,000, not " + shortText(*count, 6), "Correct it.");
            return;
        }
        if (scale == "log" && !(*from > 0 && *to > 0)) {
            fault("scale", "\"log\" needs \"from\" and \"to\" above 0", "Take \"linear\", or other ends.");
            return;
        }
        const FieldDescription* field = m_descriptions.size() == 1 ? m_descriptions.front() : nullptr;
        const bool isNumber = field != nullptr && (field->kind == FieldKind::Integer || field->kind == FieldKind::Real);
        if (!isNumber) {
            if (field != nullptr || m_descriptions.size() > 1) {
                fault("from", "only a single field that takes a number can go from one to another",
                      "Give \"values\" in place of \"from\", \"to\" and \"count\".");
            }
            return;
        }
        addRange(*from, *to, static_cast<std::size_t>(*count), scale == "log", field->kind == FieldKind::Integer);
        checkDistinct("count");
    }

    void addRange(double from, double to, std::size_t count, bool isLog, bool isWhole) {
        for (std::size_t i = 0; i < count; ++i) {
            const double share = static_cast<double>(i) / static_cast<double>(count - 1);
            double value =
                isLog ? std::exp((1 - share) * std::log(from) + share * std::log(to)) : (1 - share) * from + share * to;
            value = i == 0 ? from : i + 1 == count ? to : value;
            if (isWhole) {
                m_axis.values.push_back({Json(static_cast<std::int64_t>(std::llround(value)))});
            } else {
                const bool isEnd = i == 0 || i + 1 == count;
                m_axis.values.push_back({Json(isEnd ? value : parseNumber(shortText(value, kDigits)).value_or(value))});
            }
        }
    }

    const Json& m_given;
    const Json& m_experiment;
    const SchemaCatalog& m_catalog;
    std::vector<Fault>& m_faults;
    const FamilySchema* m_family = nullptr;
    std::vector<const FieldDescription*> m_descriptions; ///< of the fields; null for unknown ones
    StudyAxis m_axis;
};

} // namespace

StudyAxis readStudyAxis(const Json& given, const std::string& key, const Json& experiment, const SchemaCatalog& catalog,
                        std::vector<Fault>& faults) {
    return AxisReader(given, key, experiment, catalog, faults).read();
}

} // namespace lambdascope
