// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/json_document.h"

#include "core/common/number_text.h"

#include <cstddef>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

namespace lambdascope {

namespace {

/// Input iterator over a text that counts lines and columns in a shared cursor, so that a SAX handler knows how far
/// the lexer has read when it is told of a key or a value.
struct Cursor {
    std::size_t line = 1;
    std::size_t column = 0;
    std::size_t tokenLine = 1; ///< where the last quote or non-blank token began, see CountingIterator::operator++
    std::size_t tokenColumn = 1;
    bool insideString = false;
    bool escaped = false;
    bool insideToken = false;
};

class CountingIterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, Cursor* cursor) : m_at(at), m_cursor(cursor) {}

    const char& operator*() const { return *m_at; }
    CountingIterator& operator++() {
        advance(*m_at, *m_cursor);
        ++m_at;
        return *this;
    }
    CountingIterator operator++(int) {
        CountingIterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const CountingIterator& other) const { return m_at == other.m_at; }
    bool operator!=(const CountingIterator& other) const { return m_at != other.m_at; }

  private:
    static void advance(char c, Cursor& cursor) {
        if (c == '\n') {
            ++cursor.line;
            cursor.column = 0;
            cursor.insideToken = false;
            return;
        }
        ++cursor.column;
        if (cursor.insideString) {
            if (cursor.escaped) {
                cursor.escaped = false;
            } else if (c == '\\') {
                cursor.escaped = true;
            } else if (c == '"') {
                cursor.insideString = false;
            }
            return;
        }
        const bool separates = c == ' ' || c == '\t' || c == '\r' || c == ',' || c == ':' || c == ']' || c == '}';
        if (separates) {
            cursor.insideToken = false;
            return;
        }
        const bool begins = c == '"' || c == '[' || c == '{' || !cursor.insideToken;
        if (begins) {
            cursor.tokenLine = cursor.line;
            cursor.tokenColumn = cursor.column;
        }
        cursor.insideString = c == '"';
        cursor.insideToken = c != '"' && c != '[' && c != '{';
    }

    const char* m_at;
    Cursor* m_cursor;
};

/// Follows a parse and notes the place of each key and array element, and the first duplicate key.
class PlaceRecorder : public nlohmann::json_sax<Json> {
  public:
    PlaceRecorder(const Cursor& cursor, std::string file) : m_cursor(cursor), m_file(std::move(file)) {}

    bool null() override { return noteValue(); }
    bool boolean(bool) override { return noteValue(); }
    bool number_integer(number_integer_t) override { return noteValue(); }
    bool number_unsigned(number_unsigned_t) override { return noteValue(); }
    bool number_float(number_float_t, const string_t&) override { return noteValue(); }
    bool string(string_t&) override { return noteValue(); }
    bool binary(binary_t&) override { return noteValue(); }
    bool start_object(std::size_t) override {
        noteValue();
        m_levels.push_back({m_nextPath, false, 0});
        return true;
    }
    bool start_array(std::size_t) override {
        noteValue();
        m_levels.push_back({m_nextPath, true, 0});
        return true;
    }
    bool end_object() override {
        m_levels.pop_back();
        return true;
    }
    bool end_array() override {
        m_levels.pop_back();
        return true;
    }
    bool key(string_t& name) override {
        const std::string& parent = m_levels.back().path;
        m_keyPath = parent.empty() ? name : parent + "." + name;
        const SourcePlace place = here();
        if (!places.emplace(m_keyPath, place).second) {
            duplicates.push_back({m_keyPath, "the key stands twice", "Keep one of the two.", place});
        }
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& problem) override {
        // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while …": keep the reason.
        std::string reason = problem.what();
        const auto at = reason.find("column ");
        const auto colon = at == std::string::npos ? at : reason.find(": ", at);
        if (colon != std::string::npos) {
            reason = reason.substr(colon + 2);
        }
        // The lexer may have read one character past the offending token; only at the end there is no token to blame.
        const bool atEnd = reason.find("end of input") != std::string::npos;
        const SourcePlace place = atEnd ? SourcePlace{m_file, m_cursor.line, m_cursor.column + 1} : here();
        syntaxFault = {"", "not valid JSON: " + reason, "Mend the text at this place.", place};
        return false;
    }

    PlaceMap places;
    std::vector<Fault> duplicates;
    Fault syntaxFault;

  private:
    struct Level {
        std::string path;
        bool isArray;
        std::size_t count;
    };

    SourcePlace here() const { return {m_file, m_cursor.tokenLine, m_cursor.tokenColumn}; }

    bool noteValue() {
        if (m_levels.empty()) {
            m_nextPath.clear();
            places.emplace("", here());
        } else if (m_levels.back().isArray) {
            m_nextPath = m_levels.back().path + "[" + std::to_string(m_levels.back().count++) + "]";
            places.emplace(m_nextPath, here());
        } else {
            m_nextPath = m_keyPath;
        }
        return true;
    }

    const Cursor& m_cursor;
    std::string m_file;
    std::vector<Level> m_levels;
    std::string m_keyPath;
    std::string m_nextPath;
};

Failure badKeyPath(std::string_view keyPath, std::string message) {
    return Failure{
        singleFault(ErrorCode::BadUsage,
                    {std::string(keyPath), std::move(message), "Write key=value, for example problem.k=20.", {}})};
}

/// One step of a key path: an object key or an array index.
struct Step {
    std::string key;
    std::size_t index = 0;
    bool isIndex = false;
};

std::optional<std::vector<Step>> splitKeyPath(std::string_view keyPath) {
    std::vector<Step> steps;
    for (std::size_t at = 0; at < keyPath.size();) {
        if (keyPath[at] == '[') {
            const auto close = keyPath.find(']', at);
            const auto index =
                close == std::string_view::npos ? std::nullopt : parseInteger(keyPath.substr(at + 1, close - at - 1));
            if (!index || *index < 0) {
                return std::nullopt;
            }
            steps.push_back({"", static_cast<std::size_t>(*index), true});
            at = close + 1;
            continue;
        }
        if (keyPath[at] == '.') {
            ++at;
        }
        const auto end = std::min(keyPath.find_first_of(".[", at), keyPath.size());
        if (end == at) {
            return std::nullopt;
        }
        steps.push_back({std::string(keyPath.substr(at, end - at)), 0, false});
        at = end;
    }
    if (steps.empty()) {
        return std::nullopt;
    }
    return steps;
}

} // namespace

Result<JsonDocument> parseJsonDocument(std::string_view text, const std::string& fileName) {
    Cursor cursor;
    PlaceRecorder recorder(cursor, fileName);
    const bool parsed =
        Json::sax_parse(CountingIterator(text.data(), &cursor), CountingIterator(text.data() + text.size(), &cursor),
                        &recorder, nlohmann::detail::input_format_t::json);
    if (!parsed) {
        return Failure{singleFault(ErrorCode::InvalidConfiguration, recorder.syntaxFault)};
    }
    if (!recorder.duplicates.empty()) {
        Error error = plainError(ErrorCode::InvalidConfiguration, "the file gives a key more than once");
        error.faults = std::move(recorder.duplicates);
        return Failure{std::move(error)};
    }
    return JsonDocument{Json::parse(text.begin(), text.end()), std::move(recorder.places)};
}

Result<JsonDocument> readJsonDocument(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) {
        return Failure{singleFault(ErrorCode::FileUnreadable,
                                   {"", "cannot read the file", "Check the name and the permissions.", {path, 0, 0}})};
    }
    return parseJsonDocument(text.str(), path);
}

void locateFaults(std::vector<Fault>& faults, const PlaceMap& places) {
    for (Fault& fault : faults) {
        std::string path = fault.key;
        while (fault.place == SourcePlace{}) {
            if (const auto found = places.find(path); found != places.end()) {
                fault.place = found->second;
                break;
            }
            if (path.empty()) {
                break;
            }
            const auto cut = path.find_last_of(".[");
            path.resize(cut == std::string::npos ? 0 : cut);
        }
    }
}

Result<void> setByKeyPath(Json& document, std::string_view keyPath, std::string_view valueText) {
    const auto steps = splitKeyPath(keyPath);
    if (!steps) {
        return badKeyPath(keyPath, "not a key path");
    }
    Json changed = document; // so that a path that leads nowhere leaves no half-made objects behind
    Json* at = &changed;
    for (const Step& step : *steps) {
        if (step.isIndex) {
            if (!at->is_array() || step.index >= at->size()) {
                return badKeyPath(keyPath, "there is no element [" + std::to_string(step.index) + "]");
            }
            at = &(*at)[step.index];
        } else {
            if (!at->is_null() && !at->is_object()) {
                return badKeyPath(keyPath, "'" + step.key + "' is not inside an object");
            }
            at = &(*at)[step.key];
        }
    }
    Json value = Json::parse(valueText.begin(), valueText.end(), nullptr, false);
    *at = value.is_discarded() ? Json(std::string(valueText)) : std::move(value);
    document = std::move(changed);
    return {};
}

} // namespace lambdascope
