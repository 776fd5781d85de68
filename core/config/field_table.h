// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/field.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace lambdascope {

/// Key, label, unit and help of a field, the texts every field has.
struct FieldText {
    std::string key;
    std::string label;
    std::string unit;
    std::string help;
};

/// A choice of an enumeration: its value and the texts for JSON, form and help.
template <class Enum>
struct EnumChoice {
    Enum value;
    Choice text;
};

/// A file that a configuration names, with the key of its field ("problem.file").
struct NamedFile {
    std::string key;
    std::string* name = nullptr;
};

/// The one description of a configuration aggregate: which members it has, what they are called, what they may hold.
/// Validation, JSON, command-line help and the form all follow it. Defaults are the aggregate's own.
///
///     const FieldTable<PathConfig>& pathFields() {
///         static const FieldTable<PathConfig> table = [] {
///             FieldTable<PathConfig> t("path", "Path", "Which values of the regularization parameter are solved.");
///             t.real(&PathConfig::ratio, {"ratio", "Ratio", "", "Each λ is this times the one before."},
///                    Range::strictlyBetween(0, 1));
///             return t;
///         }();
///         return table;
///     }
template <class Config>
class FieldTable {
  public:
    FieldTable(std::string key, std::string title, std::string help = {})
        : m_schema{std::move(key), std::move(title), std::move(help), {}} {}

    FieldTable& boolean(bool Config::*member, FieldText text) {
        return plain(member, std::move(text), FieldKind::Boolean, {});
    }
    template <class Integer>
    requires std::is_integral_v<Integer> FieldTable& integer(Integer Config::*member, FieldText text,
                                                             Range range = {}) {
        return add(
            std::move(text), FieldKind::Integer, range, [member](const Config& c) { return Json(c.*member); },
            [member](Config& c, const Json& v) { c.*member = static_cast<Integer>(v.get<double>()); });
    }
    /// A whole number, or `emptyWord` for none.
    FieldTable& integer(std::optional<std::int64_t> Config::*member, FieldText text, Range range,
                        std::string emptyWord) {
        return optionalNumber(member, std::move(text), FieldKind::Integer, range, std::move(emptyWord));
    }
    FieldTable& real(double Config::*member, FieldText text, Range range = {}) {
        return plain(member, std::move(text), FieldKind::Real, range);
    }
    /// A number, or `emptyWord` for none.
    FieldTable& real(std::optional<double> Config::*member, FieldText text, Range range, std::string emptyWord) {
        return optionalNumber(member, std::move(text), FieldKind::Real, range, std::move(emptyWord));
    }
    FieldTable& reals(std::vector<double> Config::*member, FieldText text, Range range = {}) {
        return plain(member, std::move(text), FieldKind::RealList, range);
    }
    FieldTable& text(std::string Config::*member, FieldText text) {
        return plain(member, std::move(text), FieldKind::Text, {});
    }
    FieldTable& file(std::string Config::*member, FieldText text) {
        m_files.push_back({m_accessors.size(), member});
        return plain(member, std::move(text), FieldKind::File, {});
    }
    template <class Enum>
    FieldTable& choice(Enum Config::*member, FieldText text, std::vector<EnumChoice<Enum>> choices) {
        add(
            std::move(text), FieldKind::Choice, {},
            [member, choices](const Config& c) { return Json(wordOf(c.*member, choices)); },
            [member, choices](Config& c, const Json& v) { c.*member = valueOf(v, choices); });
        m_schema.fields.back().choices = textsOf(choices);
        return *this;
    }
    /// A choice whose words are only known at run time (names of presets, …); stored as the word itself.
    FieldTable& word(std::string Config::*member, FieldText text, std::vector<Choice> choices) {
        plain(member, std::move(text), FieldKind::Choice, {});
        m_schema.fields.back().choices = std::move(choices);
        return *this;
    }
    template <class Enum>
    FieldTable& choices(std::vector<Enum> Config::*member, FieldText text, std::vector<EnumChoice<Enum>> choices) {
        add(
            std::move(text), FieldKind::Choices, {},
            [member, choices](const Config& c) {
                Json words = Json::array();
                for (const Enum value : c.*member) {
                    words.push_back(wordOf(value, choices));
                }
                return words;
            },
            [member, choices](Config& c, const Json& v) {
                (c.*member).clear();
                for (const Json& word : v) {
                    (c.*member).push_back(valueOf(word, choices));
                }
            });
        m_schema.fields.back().choices = textsOf(choices);
        return *this;
    }

    /// The field added last matters only while `key` holds one of `values`.
    /// The last field was once another key, with other values.
    FieldTable& formerly(FormerKey former) {
        m_schema.fields.back().former = std::move(former);
        return *this;
    }
    FieldTable& relevantWhen(std::string key, std::vector<std::string> values) {
        m_schema.fields.back().relevantWhen = Relevance{std::move(key), std::move(values)};
        return *this;
    }
    /// The field added last is one that few people change.
    FieldTable& advanced() {
        m_schema.fields.back().isAdvanced = true;
        return *this;
    }

    [[nodiscard]] const SectionSchema& schema() const { return m_schema; }
    [[nodiscard]] std::size_t size() const { return m_accessors.size(); }

    /// All fields of `config` as a JSON object, in table order.
    [[nodiscard]] Json write(const Config& config) const {
        Json object = Json::object();
        for (std::size_t i = 0; i < m_accessors.size(); ++i) {
            object[m_schema.fields[i].key] = m_accessors[i].read(config);
        }
        return object;
    }

    /// Reads `given`; missing keys keep their defaults; faults are reported under `keyPrefix`, and a faulty field too
    /// keeps its default.
    [[nodiscard]] Config read(const Json& given, const std::string& keyPrefix, std::vector<Fault>& faults) const {
        return readResolved(m_schema.resolve(given, keyPrefix, faults));
    }

    /// Reads an object that SectionSchema::resolve made, so that nothing can be wrong with it.
    [[nodiscard]] Config readResolved(const Json& resolved) const {
        Config config;
        for (std::size_t i = 0; i < m_accessors.size(); ++i) {
            m_accessors[i].write(config, resolved.at(m_schema.fields[i].key));
        }
        return config;
    }

    /// The word that the field `key`, a choice or a text, has in JSON.
    [[nodiscard]] std::string word(const Config& config, std::string_view key) const {
        return m_accessors[placeOf(key)].read(config).template get<std::string>();
    }

    /// The files that `config` names in fields that matter.
    [[nodiscard]] std::vector<NamedFile> files(Config& config) const {
        std::vector<NamedFile> named;
        for (const auto& [place, member] : m_files) {
            const FieldDescription& field = m_schema.fields[place];
            if (matters(field, config) && !(config.*member).empty()) {
                named.push_back({m_schema.key + "." + field.key, &(config.*member)});
            }
        }
        return named;
    }

    /// Faults of a config that was filled in C++ rather than read.
    [[nodiscard]] std::vector<Fault> validate(const Config& config) const {
        std::vector<Fault> faults;
        (void)m_schema.resolve(write(config), m_schema.key, faults);
        return faults;
    }

  private:
    struct Accessor {
        std::function<Json(const Config&)> read;
        std::function<void(Config&, const Json&)> write;
    };

    FieldTable& add(FieldText text, FieldKind kind, Range range, std::function<Json(const Config&)> read,
                    std::function<void(Config&, const Json&)> write) {
        FieldDescription field;
        field.key = std::move(text.key);
        field.label = std::move(text.label);
        field.unit = std::move(text.unit);
        field.help = std::move(text.help);
        field.kind = kind;
        field.range = range;
        field.defaultValue = read(Config{});
        m_schema.fields.push_back(std::move(field));
        m_accessors.push_back({std::move(read), std::move(write)});
        return *this;
    }

    template <class Value>
    FieldTable& plain(Value Config::*member, FieldText text, FieldKind kind, Range range) {
        return add(
            std::move(text), kind, range, [member](const Config& c) { return Json(c.*member); },
            [member](Config& c, const Json& v) { c.*member = v.template get<Value>(); });
    }

    template <class Number>
    FieldTable& optionalNumber(std::optional<Number> Config::*member, FieldText text, FieldKind kind, Range range,
                               std::string emptyWord) {
        add(
            std::move(text), kind, range,
            [member, emptyWord](const Config& c) { return c.*member ? Json(*(c.*member)) : Json(emptyWord); },
            [member](Config& c, const Json& v) {
                c.*member = v.isText() ? std::nullopt : std::optional(static_cast<Number>(v.get<double>()));
            });
        m_schema.fields.back().emptyWord = std::move(emptyWord);
        return *this;
    }

    [[nodiscard]] std::size_t placeOf(std::string_view key) const {
        const FieldDescription* field = m_schema.find(key);
        assert(field != nullptr);
        return static_cast<std::size_t>(field - m_schema.fields.data());
    }

    [[nodiscard]] bool matters(const FieldDescription& field, const Config& config) const {
        if (!field.relevantWhen) {
            return true;
        }
        const Json deciding = m_accessors[placeOf(field.relevantWhen->key)].read(config);
        const auto& values = field.relevantWhen->values;
        return deciding.isText() &&
               std::find(values.begin(), values.end(), deciding.template get<std::string>()) != values.end();
    }

    template <class Enum>
    static std::string wordOf(Enum value, const std::vector<EnumChoice<Enum>>& choices) {
        for (const auto& choice : choices) {
            if (choice.value == value) {
                return choice.text.value;
            }
        }
        assert(!"every enumerator needs a choice");
        return {};
    }
    template <class Enum>
    static Enum valueOf(const Json& word, const std::vector<EnumChoice<Enum>>& choices) {
        for (const auto& choice : choices) {
            if (choice.text.value == word.text()) {
                return choice.value;
            }
        }
        assert(!"resolve() checks the words");
        return choices.front().value;
    }
    template <class Enum>
    static std::vector<Choice> textsOf(const std::vector<EnumChoice<Enum>>& choices) {
        std::vector<Choice> texts;
        for (const auto& choice : choices) {
            texts.push_back(choice.text);
        }
        return texts;
    }

    SectionSchema m_schema;
    std::vector<Accessor> m_accessors;
    std::vector<std::pair<std::size_t, std::string Config::*>> m_files; ///< places in m_accessors
};

} // namespace lambdascope
