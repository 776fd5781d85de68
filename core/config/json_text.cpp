// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>
#include <utility>
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

constexpr const char* kAtEnd = "unexpected end of input";
constexpr const char* kBehindEnd = "behind the end";

struct Complaint {
    const char* sign; ///< a part of what the JSON library says
    const char* message;
    const char* remedy;
};

/// The first sign that occurs decides. None of the library's own words is shown.
constexpr std::array kComplaints = {
    Complaint{"missing closing quote", "a text in quotes is not closed", "Add the closing quote."},
    Complaint{"control character", "a text in quotes holds a line break or another control character",
              "Close the text on its line; write \\n for a line break."},
    Complaint{"surrogate", "one half of a surrogate pair stands alone", "Write both halves, or the character itself."},
    Complaint{"backslash", "a backslash stands before a character that it cannot stand before",
              "Write \\\\ for a backslash."},
    Complaint{"\\u", "\\u needs four hexadecimal digits", "Write for example \\u03bb, or \\\\ for a backslash."},
    Complaint{"UTF-8", "a text in quotes is not UTF-8", "Save the file as UTF-8."},
    Complaint{kAtEnd, "the text ends before the document does", "Add what is missing, or restore the file."},
    Complaint{"invalid number", "this is not how JSON writes a number",
              "Write for example 0.5 or 1e-3, without + or 0 in front."},
    Complaint{"object separator", "expected ':' behind the key", "Write \"key\": value."},
    Complaint{"object key", "expected a key in double quotes", "Write \"key\": value, with no comma after the last."},
    Complaint{"parsing array", "expected ',' or ']' behind an element", "Mend the text at this place."},
    Complaint{"parsing object", "expected ',' or '}' behind a value", "Mend the text at this place."},
    Complaint{kBehindEnd, "the document has ended before this", "Remove what follows it."},
    Complaint{"parsing value", "expected a value", "Write a number, true, false, null, a text in quotes, [ or {."},
};

/// Follows a parse, notes the place of each key and array element and all duplicate keys, and ends it at a limit.
class PlaceRecorder : public nlohmann::json_sax<nlohmann::json> {
  public:
    PlaceRecorder(const Cursor& cursor, std::string file) : m_cursor(cursor), m_file(std::move(file)) {}

    bool null() override { return noteValue(); }
    bool boolean(bool) override { return noteValue(); }
    bool number_integer(number_integer_t) override { return noteValue(); }
    bool number_unsigned(number_unsigned_t) override { return noteValue(); }
    bool number_float(number_float_t, const string_t&) override { return noteValue(); }
    bool string(string_t&) override { return noteValue(); }
    bool binary(binary_t&) override { return noteValue(); }
    bool start_object(std::size_t) override { return open(false); }
    bool start_array(std::size_t) override { return open(true); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        Level& level = m_levels.back();
        if (level.keys.size() == kJsonKeys) {
            return stop("an object has more than " + std::to_string(kJsonKeys) + " keys", "Use fewer keys.");
        }
        m_keyPath = pathOf(level, name);
        const SourcePlace place = here();
        if (!level.keys.insert(name).second) {
            duplicates.push_back({m_keyPath, "the key stands twice", "Keep one of the two.", place});
        }
        notePlace(m_keyPath);
        return true;
    }
    bool parse_error(std::size_t, const std::string& token, const nlohmann::detail::exception& problem) override {
        // Behind "last read" the text itself is quoted, which may hold any of the signs.
        const std::string whole = problem.what();
        const bool isBehindEnd = whole.ends_with("; expected end of input");
        const std::string reason = isBehindEnd ? kBehindEnd : whole.substr(0, whole.find("; last read"));
        if (problem.id == 406) { // the only complaint of the library that is not about syntax
            return stop("the number " + token.substr(0, 40) + " is beyond what can be computed with",
                        "Write a number between -1.7e308 and 1.7e308.");
        }
        Complaint told{"", "the text cannot be read from here on", "Mend the text at this place."};
        for (const Complaint& complaint : kComplaints) {
            if (reason.find(complaint.sign) != std::string::npos) {
                told = complaint;
                break;
            }
        }
        stop(std::string("not valid JSON: ") + told.message, told.remedy);
        // The lexer may have read one character past the offending token; only at the end there is no token to blame.
        // Of a bracket, comma or colon that must not stand there it has read just that.
        const std::size_t found = reason.find("unexpected '");
        const bool isMark =
            found != std::string::npos && std::string_view("]},:").find(reason[found + 12]) != std::string_view::npos;
        if (reason.find(kAtEnd) != std::string::npos) {
            fault.place = {m_file, m_cursor.line, m_cursor.column + 1};
        } else if (isMark) {
            fault.place = {m_file, m_cursor.line, m_cursor.column};
        }
        return false;
    }

    PlaceMap places;
    std::vector<Fault> duplicates;
    Fault fault; ///< why the parse ended early

  private:
    struct Level {
        std::string path;
        bool isArray = false;
        std::size_t count = 0;
        std::unordered_set<std::string> keys;
    };

    /// Bytes that all places may take; a hostile text of nested long keys would make paths of any length.
    static constexpr std::size_t kPlaceBytes = std::size_t{16} << 20U;
    static constexpr std::size_t kDuplicates = 20; ///< that are worth naming

    SourcePlace here() const { return {m_file, m_cursor.tokenLine, m_cursor.tokenColumn}; }

    bool stop(std::string message, std::string remedy) {
        fault = {"", std::move(message), std::move(remedy), here()};
        return false;
    }
    /// Paths are no longer made once there is no room for places: they would cost as much as the places do.
    [[nodiscard]] bool hasRoom() const { return m_placeBytes < kPlaceBytes; }
    [[nodiscard]] std::string pathOf(const Level& level, const std::string& name) const {
        if (!hasRoom()) {
            return {};
        }
        return level.path.empty() ? name : level.path + "." + name;
    }
    void notePlace(const std::string& path) {
        if (hasRoom()) {
            m_placeBytes += path.size() + m_file.size() + sizeof(PlaceMap::value_type);
            places.emplace(path, here());
        }
    }

    bool open(bool isArray) {
        if (!noteValue()) {
            return false;
        }
        if (m_levels.size() == kJsonNesting) {
            return stop("brackets stand within each other more than " + std::to_string(kJsonNesting) + " deep",
                        "Check that this is the file you mean; nothing in it needs such a depth.");
        }
        m_levels.push_back({m_nextPath, isArray, 0, {}});
        return true;
    }
    bool close() {
        m_levels.pop_back();
        return duplicates.size() < kDuplicates;
    }

    bool noteValue() {
        if (++m_values > kJsonValues) {
            return stop("there are more than " + std::to_string(kJsonValues) + " values",
                        "Check that this is the file you mean.");
        }
        if (m_levels.empty()) {
            m_nextPath.clear();
            notePlace("");
        } else if (Level& level = m_levels.back(); level.isArray) {
            m_nextPath = hasRoom() ? level.path + "[" + std::to_string(level.count++) + "]" : std::string();
            if (hasRoom()) {
                notePlace(m_nextPath);
            }
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
    std::size_t m_values = 0;
    std::size_t m_placeBytes = 0;
};

/// NUL bytes, which the JSON library would take for the end of the text.
std::optional<Fault> faultOfNul(std::string_view text, const std::string& file) {
    const std::size_t nul = text.find('\0');
    if (nul == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view before = text.substr(0, nul);
    const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t lineBegin = line == 0 ? 0 : before.rfind('\n') + 1;
    return Fault{"",
                 "this is not text: it holds a NUL byte",
                 "Check that this is the file you mean.",
                 {file, line + 1, nul - lineBegin + 1}};
}

} // namespace

Result<JsonDocument> parseJsonDocument(std::string_view text, const std::string& fileName) {
    if (auto nul = faultOfNul(text, fileName)) {
        return Failure{singleFault(ErrorCode::InvalidConfiguration, std::move(*nul))};
    }
    Cursor cursor;
    PlaceRecorder recorder(cursor, fileName);
    const bool isParsed = nlohmann::json::sax_parse(CountingIterator(text.data(), &cursor),
                                                    CountingIterator(text.data() + text.size(), &cursor), &recorder,
                                                    nlohmann::detail::input_format_t::json);
    if (!recorder.duplicates.empty()) {
        Error error = plainError(ErrorCode::InvalidConfiguration, "the file gives a key more than once");
        error.faults = std::move(recorder.duplicates);
        return Failure{std::move(error)};
    }
    if (!isParsed) {
        return Failure{singleFault(ErrorCode::InvalidConfiguration, std::move(recorder.fault))};
    }
    return JsonDocument{Json::parse(text), std::move(recorder.places)};
}

bool isNestedTooDeeply(std::string_view text) {
    std::size_t depth = 0;
    bool isQuoted = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (isQuoted) {
            at += c == '\\' ? 1 : 0;
            isQuoted = c != '"';
        } else if (c == '[' || c == '{') {
            if (++depth > kJsonNesting) {
                return true;
            }
        } else if (c == ']' || c == '}') {
            depth -= depth > 0 ? 1 : 0;
        } else {
            isQuoted = c == '"';
        }
    }
    return false;
}

Result<Json> parseOwnJson(std::string_view text, const SourcePlace& place) {
    if (!isNestedTooDeeply(text) && text.find('\0') == std::string_view::npos) {
        if (auto value = Json::tryParse(text)) {
            return std::move(*value);
        }
    }
    auto document = parseJsonDocument(text, {});
    if (document) { // only the quick look above thought it too deep
        return std::move(document->value);
    }
    Fault fault = document.error().faults.front();
    fault.place = {place.file, place.line, fault.place.line == 1 ? fault.place.column : 0};
    fault.remedy = "Restore the file from a copy, or run the experiment again.";
    return Failure{singleFault(ErrorCode::InvalidData, std::move(fault))};
}

} // namespace lambdascope
