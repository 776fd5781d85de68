// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/arff_header.h"

#include "core/common/trimmed_text.h"
#include "core/data/label_column.h"
#include "core/data/text_encoding.h"

#include <algorithm>

namespace lambdascope {

namespace {

/// Takes the name of an attribute, quoted or not, off the front of `rest`. Nothing when a quote stays open.
std::optional<std::string> takeName(std::string_view& rest) {
    rest = trimmed(rest);
    std::string name;
    std::size_t at = 0;
    if (!rest.empty() && (rest.front() == '\'' || rest.front() == '"')) {
        const char quote = rest.front();
        for (at = 1; at < rest.size() && rest[at] != quote; ++at) {
            at += rest[at] == '\\' && at + 1 < rest.size() ? 1 : 0;
            name += rest[at];
        }
        if (at >= rest.size()) {
            return std::nullopt;
        }
        ++at;
    } else {
        at = std::min(rest.find_first_of(" \t{"), rest.size());
        name = rest.substr(0, at);
    }
    rest = trimmed(rest.substr(at));
    return utf8Text(name);
}

class HeaderReader {
  public:
    HeaderReader(LineSource& lines, FaultList& faults) : m_lines(lines), m_faults(faults) {}

    std::optional<std::vector<TableColumn>> read() {
        std::string_view line;
        while (!m_faults.isFull() && m_lines.nextLine(line)) {
            const std::string_view content = trimmed(line);
            if (content.empty() || content.front() == '%') {
                continue;
            }
            const std::string keyword = lowerCase(content.substr(0, content.find_first_of(" \t")));
            if (keyword == "@data") {
                return finish();
            }
            if (keyword == "@attribute") {
                readAttribute(line, content.substr(keyword.size()));
            } else if (keyword != "@relation") {
                fault(line, content, excerpt(content) + " is not expected before @data",
                      "Write @attribute lines, then @data.");
            }
        }
        if (m_faults.isEmpty()) {
            m_faults.add(m_lines.lineNumber(), 0, "the file ends before @data", "Add @data and the samples.");
        }
        return std::nullopt;
    }

  private:
    void fault(std::string_view line, std::string_view at, std::string message, std::string remedy) {
        const auto column = static_cast<std::size_t>(at.data() - line.data()) + 1;
        m_faults.add(m_lines.lineNumber(), column, std::move(message), std::move(remedy));
    }

    std::optional<std::vector<TableColumn>> finish() {
        if (m_faults.isEmpty() && m_columns.empty()) {
            m_faults.add(m_lines.lineNumber(), 0, "no @attribute comes before @data", "Declare the attributes.");
        }
        return m_faults.isEmpty() ? std::optional(std::move(m_columns)) : std::nullopt;
    }

    void readAttribute(std::string_view line, std::string_view rest) {
        const auto name = takeName(rest);
        if (!name || name->empty() || rest.empty()) {
            fault(line, rest, "the attribute needs a name and a type", "Write @attribute name numeric, or {a,b,c}.");
            return;
        }
        if (rest.front() == '{') {
            readNominal(line, *name, rest);
            return;
        }
        const std::string type = lowerCase(rest.substr(0, rest.find_first_of(" \t[")));
        if (type != "numeric" && type != "real" && type != "integer") {
            const bool isKnown = type == "string" || type == "date" || type == "relational";
            fault(line, rest,
                  "attribute " + excerpt(*name) + " has the type " + excerpt(type) +
                      (isKnown ? ", which is not read here" : ", which ARFF does not know"),
                  "Declare it numeric or list its values in braces, or remove it.");
            return;
        }
        m_columns.push_back({*name, false, true, {}});
    }

    void readNominal(std::string_view line, const std::string& name, std::string_view rest) {
        const std::size_t close = rest.rfind('}');
        if (close == std::string_view::npos) {
            fault(line, rest, "the values of attribute " + excerpt(name) + " are not closed by }", "Add the brace.");
            return;
        }
        FieldSplitter splitter({',', "'\"", true});
        std::vector<TextField> fields;
        if (splitter.split(rest.substr(1, close - 1), fields) != FieldSplitter::Status::Complete) {
            fault(line, rest, "the values of attribute " + excerpt(name) + " have a quote that is wrong",
                  "Put quotes around whole values.");
            return;
        }
        TableColumn column{name, true, true, {}};
        for (const TextField& field : fields) {
            const std::string value = utf8Text(field.text);
            if (std::find(column.values.begin(), column.values.end(), value) != column.values.end()) {
                fault(line, rest, "attribute " + excerpt(name) + " declares " + excerpt(value) + " twice",
                      "Declare each value once.");
                return;
            }
            column.values.push_back(value);
        }
        m_columns.push_back(std::move(column));
    }

    LineSource& m_lines;
    FaultList& m_faults;
    std::vector<TableColumn> m_columns;
};

} // namespace

std::optional<std::vector<TableColumn>> readArffHeader(LineSource& lines, FaultList& faults) {
    return HeaderReader(lines, faults).read();
}

std::vector<std::string> columnNames(const std::vector<TableColumn>& columns) {
    std::vector<std::string> names;
    for (const TableColumn& column : columns) {
        names.push_back(column.name);
    }
    return names;
}

std::optional<std::size_t> classAttribute(const std::vector<TableColumn>& attributes) {
    if (const auto named = columnNamedLikeLabels(columnNames(attributes))) {
        return named;
    }
    for (std::size_t i = attributes.size(); i-- > 0;) {
        if (attributes[i].isNominal) {
            return i;
        }
    }
    return std::nullopt;
}

} // namespace lambdascope
