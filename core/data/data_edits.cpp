// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/data_edits.h"

#include "core/common/number_text.h"
#include "core/common/trimmed_text.h"
#include "core/config/field.h"
#include "core/data/fault_list.h"
#include "core/data/text_encoding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace lambdascope {

namespace {

enum class Kind { Move, Relabel, Omit, Add };

/// One way to change a row. Parser, help and summary go by the table.
struct EditVerb {
    Kind kind;
    std::string_view word;
    std::string_view form;
    std::string_view help;
    std::string_view done;
};

constexpr std::array<EditVerb, 4> kVerbs{{
    {Kind::Move, "move", "move ROW VALUE …", "gives a row other values, one per feature", "moved"},
    {Kind::Relabel, "relabel", "relabel ROW CLASS", "puts a row into another class of the data", "relabelled"},
    {Kind::Omit, "omit", "omit ROW", "leaves a row out", "omitted"},
    {Kind::Add, "add", "add VALUE … CLASS", "adds a row", "added"},
}};

/// One edit as it stands in the text.
struct Statement {
    std::string_view text;
    std::string_view word;
    std::string_view rest;
    const EditVerb* verb = nullptr; ///< null for an unknown word
};

/// Takes the first word off `text`.
std::string_view takeWord(std::string_view& text) {
    text = trimmed(text);
    const std::size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
    const std::string_view word = text.substr(0, end);
    text = trimmed(text.substr(end));
    return word;
}

/// Cut at semicolons and ends of lines that are not in quotes; empty ones go.
std::vector<Statement> statementsOf(std::string_view text) {
    std::vector<Statement> statements;
    std::size_t begin = 0;
    bool isQuoted = false;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        isQuoted = i < text.size() && (text[i] == '"') != isQuoted;
        if (i < text.size() && (isQuoted || (text[i] != ';' && text[i] != '\n'))) {
            continue;
        }
        Statement statement{trimmed(text.substr(begin, i - begin)), {}, {}};
        begin = i + 1;
        if (!statement.text.empty()) {
            statement.rest = statement.text;
            statement.word = takeWord(statement.rest);
            const auto* found =
                std::find_if(kVerbs.begin(), kVerbs.end(), [&](const auto& v) { return v.word == statement.word; });
            statement.verb = found == kVerbs.end() ? nullptr : found;
            statements.push_back(statement);
        }
    }
    return statements;
}

/// A class name that may stand in quotes, in which two quotes are one.
std::string unquoted(std::string_view text) {
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') {
        return std::string(text);
    }
    std::string name;
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
        name += text[i];
        i += text[i] == '"' && text[i + 1] == '"' && i + 2 < text.size() ? 1 : 0;
    }
    return name;
}

std::string quotedWhereNeeded(const std::string& name) {
    if (name.find_first_of(";\n\"") == std::string::npos && trimmed(name).size() == name.size()) {
        return name;
    }
    std::string text = "\"";
    for (const char c : name) {
        text += c == '"' ? std::string("\"\"") : std::string(1, c);
    }
    return text + '"';
}

/// Carries out one edit after the other.
class EditReader {
  public:
    explicit EditReader(const EditableRows& rows) : m_rows(rows) {}

    void take(const Statement& statement) {
        ++m_number;
        m_statement = &statement;
        if (statement.verb == nullptr) {
            std::vector<std::string> words;
            std::string forms;
            for (const EditVerb& verb : kVerbs) {
                words.emplace_back(verb.word);
                forms += (forms.empty() ? "" : ", ") + std::string(verb.form);
            }
            const auto closest = closestWord(statement.word, words);
            fault("there is no edit " + excerpt(statement.word),
                  closest ? "Did you mean \"" + *closest + "\"?" : "Write one of: " + forms + ".");
            return;
        }
        std::string_view rest = statement.rest;
        if (statement.verb->kind == Kind::Add) {
            EditedRow row;
            if (readValues(rest, row) && readClass(rest, row)) {
                m_added.push_back(std::move(row));
            }
            return;
        }
        EditedRow* row = findRow(takeWord(rest));
        if (row == nullptr) {
            return;
        }
        switch (statement.verb->kind) {
        case Kind::Move:
            if (readValues(rest, *row)) {
                checkEnd(rest);
            }
            break;
        case Kind::Relabel: (void)readClass(rest, *row); break;
        case Kind::Omit: row->isOmitted = checkEnd(rest); break;
        case Kind::Add: break;
        }
    }

    Result<RowEdits> finish() {
        if (m_faults.size() == 1) {
            return Failure{singleFault(ErrorCode::InvalidData, m_faults.front())};
        }
        if (!m_faults.empty()) {
            return Failure{Error{ErrorCode::InvalidData, "the edits of the data have faults", std::move(m_faults)}};
        }
        std::erase_if(m_added, [](const EditedRow& row) { return row.isOmitted; });
        return RowEdits{std::move(m_changed), std::move(m_added)};
    }

    [[nodiscard]] bool hasEnough() const { return m_faults.size() >= FaultList::kMost; }

  private:
    void fault(const std::string& message, std::string remedy) {
        m_faults.push_back({"data.edits",
                            "edit " + std::to_string(m_number) + " (" + excerpt(m_statement->text) + "): " + message,
                            std::move(remedy),
                            {}});
    }

    bool checkEnd(std::string_view rest) {
        if (!rest.empty()) {
            fault("nothing may follow, but " + excerpt(rest) + " does",
                  "Write " + std::string(m_statement->verb->form) + "; edits are separated by semicolons.");
        }
        return rest.empty();
    }

    EditedRow* findRow(std::string_view word) {
        const auto number = parseInteger(word);
        const auto all = m_rows.rows + static_cast<std::int64_t>(m_added.size());
        if (!number || *number < 0 || *number >= all) {
            fault(number ? "there is no row " + std::to_string(*number)
                         : "the number of a row is missing" + (word.empty() ? "" : ", not " + excerpt(word)),
                  all == 0 ? "Add rows first: add VALUE … CLASS."
                           : "Rows count from 0 to " + groupedText(all - 1) + " here.");
            return nullptr;
        }
        EditedRow& row =
            *number < m_rows.rows ? m_changed[*number] : m_added[static_cast<std::size_t>(*number - m_rows.rows)];
        if (row.isOmitted) {
            fault("row " + std::to_string(*number) + " was omitted by an edit before", "Remove one of the two edits.");
            return nullptr;
        }
        return &row;
    }

    bool readValues(std::string_view& rest, EditedRow& row) {
        std::vector<double> values;
        for (std::int64_t i = 0; i < m_rows.features; ++i) {
            const std::string_view word = takeWord(rest);
            const auto value = parseNumber(word);
            if (!value || !std::isfinite(*value)) {
                fault(word.empty() ? "has " + std::to_string(values.size()) + " values, but the data have " +
                                         groupedText(m_rows.features) + " features"
                                   : "value " + std::to_string(i + 1) + " of " + groupedText(m_rows.features) + " is " +
                                         excerpt(word) + ", which is no finite number",
                      "Write " + std::string(m_statement->verb->form) + ", with a value for each feature.");
                return false;
            }
            values.push_back(*value == 0 ? 0.0 : *value);
        }
        row.values = std::move(values);
        return true;
    }

    bool readClass(std::string_view rest, EditedRow& row) {
        const std::string name = unquoted(rest);
        const std::vector<std::string>& known = m_rows.classNames;
        if (known.empty() && !m_rows.takesNewClasses) {
            if (name.empty() && m_statement->verb->kind == Kind::Add) {
                return true;
            }
            fault("the data have no classes", "Choose the column of the labels by data.labels.");
            return false;
        }
        auto found = std::find(known.begin(), known.end(), name);
        if (const auto number = parseNumber(name); found == known.end() && number) {
            found = std::find_if(known.begin(), known.end(),
                                 [&](const std::string& other) { return parseNumber(other) == number; });
        }
        if (name.empty() || (found == known.end() && !m_rows.takesNewClasses)) {
            const auto closest = closestWord(name, known);
            std::string all;
            for (std::size_t i = 0; i < std::min<std::size_t>(known.size(), 10); ++i) {
                all += (i > 0 ? ", " : "") + known[i];
            }
            fault(name.empty() ? "the class is missing" : "there is no class " + excerpt(name),
                  closest       ? "Did you mean " + excerpt(*closest) + "?"
                  : all.empty() ? "Name one, such as A."
                                : "Classes are " + all + (known.size() > 10 ? ", …." : "."));
            return false;
        }
        row.className = found == known.end() ? name : *found;
        return true;
    }

    const EditableRows& m_rows;
    std::vector<Fault> m_faults;
    std::map<std::int64_t, EditedRow> m_changed;
    std::vector<EditedRow> m_added;
    const Statement* m_statement = nullptr;
    int m_number = 0;
};

std::string valuesText(const std::vector<double>& values) {
    std::string text;
    for (const double value : values) {
        text += ' ' + exactText(value);
    }
    return text;
}

} // namespace

std::string editsHelp() {
    std::string text = "Changes to the rows as they were read, before anything is scaled, separated by semicolons";
    for (const EditVerb& verb : kVerbs) {
        text += (verb.kind == Kind::Move ? ": \"" : ", \"") + std::string(verb.form) + "\" " + std::string(verb.help);
    }
    return text + ". Rows count from 0, added ones on from the last.";
}

Result<RowEdits> readEdits(std::string_view text, const EditableRows& rows) {
    EditReader reader(rows);
    for (const Statement& statement : statementsOf(text)) {
        if (!reader.hasEnough()) {
            reader.take(statement);
        }
    }
    return reader.finish();
}

bool RowEdits::changeValues() const {
    return !added.empty() ||
           std::any_of(changed.begin(), changed.end(), [](const auto& row) { return !row.second.values.empty(); });
}

std::string editsText(const RowEdits& edits) {
    std::string text;
    const auto add = [&text](const std::string& edit) { text += (text.empty() ? "" : "; ") + edit; };
    for (const auto& [number, row] : edits.changed) {
        const std::string place = std::to_string(number);
        if (row.isOmitted) {
            add("omit " + place);
            continue;
        }
        if (!row.values.empty()) {
            add("move " + place + valuesText(row.values));
        }
        if (!row.className.empty()) {
            add("relabel " + place + ' ' + quotedWhereNeeded(row.className));
        }
    }
    for (const EditedRow& row : edits.added) {
        add("add" + valuesText(row.values) + (row.className.empty() ? "" : ' ' + quotedWhereNeeded(row.className)));
    }
    return text;
}

std::string editsSummary(std::string_view text) {
    std::array<int, kVerbs.size()> counts{};
    for (const Statement& statement : statementsOf(text)) {
        if (statement.verb != nullptr) {
            ++counts[static_cast<std::size_t>(statement.verb - kVerbs.data())];
        }
    }
    std::string summary;
    for (std::size_t i = 0; i < kVerbs.size(); ++i) {
        if (counts[i] > 0) {
            summary += (summary.empty() ? "" : ", ") + groupedText(counts[i]) + ' ' + std::string(kVerbs[i].done);
        }
    }
    return summary;
}

std::string whatIfText(std::string_view source, std::string_view edits) {
    const std::string summary = source == kPaintedSource ? std::string() : editsSummary(edits);
    return summary.empty() ? summary : "what if: " + summary;
}

std::string whatIfText(const Json& data) {
    return data.isObject() ? whatIfText(data.value("source", std::string()), data.value("edits", std::string()))
                           : std::string();
}

} // namespace lambdascope
