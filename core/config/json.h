// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <iterator>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace lambdascope {

class Json;
struct JsonMember;

/// A value that is not there or of another type than it was asked for. Its words are for programmers.
class JsonError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Goes over the elements of an array or the values of an object.
template <class Element, class Member>
class JsonIterator {
  public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Json;
    using difference_type = std::ptrdiff_t;
    using pointer = Element*;
    using reference = Element&;

    JsonIterator() = default;
    explicit JsonIterator(Element* element) : m_element(element) {}
    explicit JsonIterator(Member* member) : m_member(member) {}

    reference operator*() const { return m_member != nullptr ? m_member->value : *m_element; }
    pointer operator->() const { return &**this; }
    JsonIterator& operator++() {
        if (m_member != nullptr) {
            ++m_member;
        } else {
            ++m_element;
        }
        return *this;
    }
    JsonIterator operator++(int) {
        JsonIterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const JsonIterator&) const = default;

  private:
    Element* m_element = nullptr;
    Member* m_member = nullptr;
};

/// A JSON value: null, truth value, number, text, array or object. Objects keep the order in which keys were written,
/// so that files stay as their authors arranged them; equality heeds it. Functions throw JsonError where a value is not
/// there or of another type.
///
/// A type of our own because everything sees it: the library that reads and writes the text takes a second to include
/// and stays in core/config.
class Json {
  public:
    enum class Kind { Null, Boolean, Integer, Unsigned, Real, Text, Array, Object };
    enum class BadUtf8 { Throw, Replace };
    using Array = std::vector<Json>;
    using Object = std::vector<JsonMember>;
    using value_type = Json;
    using iterator = JsonIterator<Json, JsonMember>;
    using const_iterator = JsonIterator<const Json, const JsonMember>;

    Json();
    Json(std::nullptr_t);
    Json(const Json& other);
    Json(Json&& other) noexcept;
    /// By value, so that a value may take the place of what it is part of.
    Json& operator=(Json other) noexcept;
    ~Json();

    Json(std::string text);
    Json(std::string_view text) : Json(std::string(text)) {}
    Json(const char* text) : Json(std::string(text)) {}
    template <std::same_as<bool> Boolean>
    Json(Boolean value) : Json() {
        assign(value);
    }
    template <std::signed_integral Integer>
    Json(Integer value) : Json() {
        assign(static_cast<std::int64_t>(value));
    }
    template <std::unsigned_integral Integer>
    requires(!std::same_as<Integer, bool>) Json(Integer value) : Json() { assign(static_cast<std::uint64_t>(value)); }
    template <std::floating_point Real>
    Json(Real value) : Json() {
        assign(static_cast<double>(value));
    }
    /// The elements of a container.
    template <class Container>
    requires(!std::same_as<Container, Json> && !std::convertible_to<Container, std::string_view> &&
             requires(const Container& c) {
                 Json(*c.begin());
                 c.end();
             }) Json(const Container& container)
        : Json(array()) {
        for (const auto& element : container) {
            push_back(Json(element));
        }
    }
    /// An object when all elements are pairs of a text and a value, else an array.
    Json(std::initializer_list<Json> elements);

    [[nodiscard]] static Json array(std::initializer_list<Json> elements = {});
    [[nodiscard]] static Json object();

    /// Throws JsonError when `text` is not JSON.
    [[nodiscard]] static Json parse(std::string_view text);
    [[nodiscard]] static std::optional<Json> tryParse(std::string_view text);
    /// As text, on one line or with an indent per level.
    [[nodiscard]] std::string dump(int indent = -1, BadUtf8 bad = BadUtf8::Throw) const;

    [[nodiscard]] Kind kind() const { return static_cast<Kind>(m_value.index()); }
    [[nodiscard]] bool isNull() const { return kind() == Kind::Null; }
    [[nodiscard]] bool isBoolean() const { return kind() == Kind::Boolean; }
    [[nodiscard]] bool isNumber() const { return isInteger() || kind() == Kind::Real; }
    [[nodiscard]] bool isInteger() const { return kind() == Kind::Integer || kind() == Kind::Unsigned; }
    [[nodiscard]] bool isText() const { return kind() == Kind::Text; }
    [[nodiscard]] bool isArray() const { return kind() == Kind::Array; }
    [[nodiscard]] bool isObject() const { return kind() == Kind::Object; }

    /// The value as a bool, a number, a text or a container of such.
    template <class T>
    [[nodiscard]] T get() const {
        if constexpr (std::same_as<T, Json>) {
            return *this;
        } else if constexpr (std::same_as<T, bool>) {
            return boolean();
        } else if constexpr (std::is_arithmetic_v<T>) {
            return number<T>();
        } else if constexpr (std::same_as<T, std::string>) {
            return text();
        } else {
            return elements<T>();
        }
    }
    [[nodiscard]] const std::string& text() const;

    /// Elements of an array, members of an object; 0 of null, 1 of any other value.
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] iterator begin();
    [[nodiscard]] iterator end();
    [[nodiscard]] const_iterator begin() const;
    [[nodiscard]] const_iterator end() const;

    [[nodiscard]] const Json& at(std::size_t index) const;
    [[nodiscard]] Json& at(std::size_t index);
    /// Of an array.
    [[nodiscard]] const Json& front() const { return at(0); }
    [[nodiscard]] const Json& back() const { return at(size() - 1); }
    template <std::integral Index>
    [[nodiscard]] const Json& operator[](Index index) const {
        return at(static_cast<std::size_t>(index));
    }
    template <std::integral Index>
    [[nodiscard]] Json& operator[](Index index) {
        return at(static_cast<std::size_t>(index));
    }
    void push_back(Json element); ///< of an array; null becomes one
    void insert(std::size_t index, Json element);
    void erase(std::size_t index);

    /// Members of an object in their order; none of null.
    [[nodiscard]] const Object& items() const;
    [[nodiscard]] bool contains(std::string_view key) const; ///< false for what is no object
    [[nodiscard]] const_iterator find(std::string_view key) const;
    [[nodiscard]] const Json& at(std::string_view key) const;
    [[nodiscard]] Json& at(std::string_view key);
    [[nodiscard]] const Json& operator[](std::string_view key) const { return at(key); }
    [[nodiscard]] Json& operator[](std::string_view key); ///< added as null if absent; null becomes an object
    /// The member, or `otherwise` when there is none or it is null.
    template <class T>
    [[nodiscard]] T value(std::string_view key, const T& otherwise) const {
        const Json* member = memberOf(key);
        return member != nullptr && !member->isNull() ? member->get<T>() : otherwise;
    }
    [[nodiscard]] std::string value(std::string_view key, const char* otherwise) const {
        return value(key, std::string(otherwise));
    }
    std::size_t erase(std::string_view key); ///< how many members went
    void update(const Json& other);          ///< members of `other` are added or take the place of those here
    void mergePatch(const Json& patch);      ///< as update(), object in object; null erases (RFC 7396)

    friend bool operator==(const Json& a, const Json& b);
    friend std::ostream& operator<<(std::ostream& stream, const Json& value);

  private:
    using Value = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object>;

    explicit Json(Value value);
    // Not by a Value in the constructors above: there, members of objects are no complete type yet.
    template <class Scalar>
    void assign(Scalar value);

    [[nodiscard]] bool boolean() const;
    [[nodiscard]] const Array& elements() const;
    /// At element or member number `place`, or behind the last.
    template <class Iterator, class Self>
    [[nodiscard]] static Iterator iteratorAt(Self& self, std::size_t place);
    [[nodiscard]] std::size_t placeOf(std::string_view key) const;  ///< among items(); size() when there is none
    [[nodiscard]] const Json* memberOf(std::string_view key) const; ///< throws for what is no object
    [[noreturn]] void refuseNumber() const;

    template <class T>
    [[nodiscard]] T number() const {
        switch (kind()) {
        case Kind::Integer: return static_cast<T>(std::get<std::int64_t>(m_value));
        case Kind::Unsigned: return static_cast<T>(std::get<std::uint64_t>(m_value));
        case Kind::Real:
            if constexpr (std::is_integral_v<T>) {
                const double value = std::get<double>(m_value);
                const double end = std::ldexp(1.0, std::numeric_limits<T>::digits); // one more than the largest
                if (!(value >= static_cast<double>(std::numeric_limits<T>::min()) && value < end)) {
                    refuseNumber();
                }
            }
            return static_cast<T>(std::get<double>(m_value));
        default: refuseNumber();
        }
    }
    template <class Container>
    [[nodiscard]] Container elements() const {
        Container container{};
        const Array& given = elements();
        for (std::size_t i = 0; i < given.size(); ++i) {
            if constexpr (requires { container.push_back(given[i].get<typename Container::value_type>()); }) {
                container.push_back(given[i].get<typename Container::value_type>());
            } else {
                container.at(i) = given[i].get<typename Container::value_type>();
            }
        }
        return container;
    }

    Value m_value;
};

struct JsonMember {
    std::string key;
    Json value;
    bool operator==(const JsonMember&) const = default;
};

/// Whether two values are equal but for the order of keys.
[[nodiscard]] bool equalInAnyOrder(const Json& a, const Json& b);

} // namespace lambdascope
