// SPDX-License-Identifier: GPL-3.0-or-later
// Json from text and to text, which a library does.
#include "core/config/json.h"

#include <nlohmann/json.hpp>

namespace lambdascope {

namespace {

using LibraryJson = nlohmann::ordered_json;

/// Makes a value of what the library reads.
class JsonBuilder : public nlohmann::json_sax<LibraryJson> {
  public:
    bool null() override { return add(Json()); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(std::int64_t{value}); }
    bool number_unsigned(number_unsigned_t value) override { return add(std::uint64_t{value}); }
    bool number_float(number_float_t value, const string_t&) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool key(string_t& name) override {
        m_keys.back() = std::move(name);
        return true;
    }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& problem) override {
        m_complaint = problem.what();
        return false;
    }

    [[nodiscard]] Json take() { return std::move(m_value); }
    [[nodiscard]] const std::string& complaint() const { return m_complaint; }

  private:
    bool open(Json container) {
        m_open.push_back(std::move(container));
        m_keys.emplace_back();
        return true;
    }
    bool close() {
        Json closed = std::move(m_open.back());
        m_open.pop_back();
        m_keys.pop_back();
        return add(std::move(closed));
    }
    bool add(Json element) {
        if (m_open.empty()) {
            m_value = std::move(element);
        } else if (m_open.back().isArray()) {
            m_open.back().push_back(std::move(element));
        } else {
            m_open.back()[m_keys.back()] = std::move(element);
        }
        return true;
    }

    Json m_value;
    std::string m_complaint;
    std::vector<Json> m_open;        ///< arrays and objects that enclose what is read now
    std::vector<std::string> m_keys; ///< of the member that is read now, one for each of them
};

/// Writes a value. Numbers and texts are the library's business, by its own serializer; arrays and objects are walked
/// through here, since the library could only write a copy of them.
class JsonWriter {
  public:
    /// In one line where `indent` is negative, else in lines that are so many blanks deeper at each level.
    JsonWriter(std::string& text, int indent, LibraryJson::error_handler_t badUtf8)
        : m_text(text), m_indent(indent), m_scalars(nlohmann::detail::output_adapter<char>(text), ' ', badUtf8) {}

    void write(const Json& value) {
        switch (value.kind()) {
        case Json::Kind::Null: return writeScalar(nullptr);
        case Json::Kind::Boolean: return writeScalar(value.get<bool>());
        case Json::Kind::Integer: return writeScalar(value.get<std::int64_t>());
        case Json::Kind::Unsigned: return writeScalar(value.get<std::uint64_t>());
        case Json::Kind::Real: return writeScalar(value.get<double>());
        case Json::Kind::Text: return writeScalar(value.text());
        case Json::Kind::Array:
            open('[');
            for (const Json& element : value) {
                beginElement();
                write(element);
            }
            return close(']');
        case Json::Kind::Object:
            open('{');
            for (const auto& [key, member] : value.items()) {
                beginElement();
                writeScalar(key);
                m_text += m_indent < 0 ? ":" : ": ";
                write(member);
            }
            return close('}');
        }
    }

  private:
    void writeScalar(const LibraryJson& value) { m_scalars.dump(value, false, false, 0); }
    void open(char bracket) {
        m_text += bracket;
        m_isEmpty = true;
        ++m_depth;
    }
    void beginElement() {
        if (!m_isEmpty) {
            m_text += ',';
        }
        beginLine();
        m_isEmpty = false;
    }
    void close(char bracket) {
        --m_depth;
        if (!m_isEmpty) {
            beginLine();
        }
        m_text += bracket;
        m_isEmpty = false;
    }
    void beginLine() {
        if (m_indent >= 0) {
            m_text += '\n';
            m_text.append(m_depth * static_cast<std::size_t>(m_indent), ' ');
        }
    }

    std::string& m_text;
    int m_indent;
    nlohmann::detail::serializer<LibraryJson> m_scalars;
    std::size_t m_depth = 0;
    bool m_isEmpty = true; ///< the array or object at work, so far
};

} // namespace

Json Json::parse(std::string_view text) {
    JsonBuilder builder;
    if (!LibraryJson::sax_parse(text.begin(), text.end(), &builder)) {
        throw JsonError(builder.complaint());
    }
    return builder.take();
}

std::optional<Json> Json::tryParse(std::string_view text) {
    JsonBuilder builder;
    if (!LibraryJson::sax_parse(text.begin(), text.end(), &builder)) {
        return std::nullopt;
    }
    return builder.take();
}

std::string Json::dump(int indent, BadUtf8 bad) const {
    std::string text;
    try {
        JsonWriter(text, indent,
                   bad == BadUtf8::Replace ? LibraryJson::error_handler_t::replace
                                           : LibraryJson::error_handler_t::strict)
            .write(*this);
    } catch (const LibraryJson::exception& problem) {
        throw JsonError(problem.what());
    }
    return text;
}

} // namespace lambdascope
