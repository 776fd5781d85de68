// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/json.h"

#include <algorithm>
#include <ostream>

namespace lambdascope {

namespace {

const char* nameOf(Json::Kind kind) {
    switch (kind) {
    case Json::Kind::Null: return "null";
    case Json::Kind::Boolean: return "a boolean";
    case Json::Kind::Integer:
    case Json::Kind::Unsigned:
    case Json::Kind::Real: return "a number";
    case Json::Kind::Text: return "a text";
    case Json::Kind::Array: return "an array";
    case Json::Kind::Object: return "an object";
    }
    return "";
}

[[noreturn]] void refuse(const char* wanted, Json::Kind found) {
    throw JsonError(std::string("JSON value is not ") + wanted + " but " + nameOf(found));
}

[[noreturn]] void refuseKey(std::string_view key) {
    throw JsonError("JSON object has no key '" + std::string(key) + "'");
}

[[noreturn]] void refuseIndex(std::size_t index) {
    throw JsonError("JSON array has no element " + std::to_string(index));
}

} // namespace

Json::Json() = default;
Json::Json(std::nullptr_t) {}
Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(Json other) noexcept {
    m_value.swap(other.m_value);
    return *this;
}
Json::~Json() = default;

Json::Json(Value value) : m_value(std::move(value)) {}
Json::Json(std::string text) : m_value(std::move(text)) {}

template <class Scalar>
void Json::assign(Scalar value) {
    m_value = value;
}
template void Json::assign(bool);
template void Json::assign(std::int64_t);
template void Json::assign(std::uint64_t);
template void Json::assign(double);

Json::Json(std::initializer_list<Json> elements) {
    const bool areMembers = std::all_of(elements.begin(), elements.end(), [](const Json& element) {
        return element.isArray() && element.size() == 2 && element.front().isText();
    });
    if (!areMembers) {
        m_value = Array(elements);
        return;
    }
    m_value = Object();
    for (const Json& element : elements) {
        (*this)[element.front().text()] = element.back();
    }
}

Json Json::array(std::initializer_list<Json> elements) {
    return Json(Value(Array(elements)));
}

Json Json::object() {
    return Json(Value(Object()));
}

bool Json::boolean() const {
    if (!isBoolean()) {
        refuse("a boolean", kind());
    }
    return std::get<bool>(m_value);
}

const std::string& Json::text() const {
    if (!isText()) {
        refuse("a text", kind());
    }
    return std::get<std::string>(m_value);
}

const Json::Array& Json::elements() const {
    if (!isArray()) {
        refuse("an array", kind());
    }
    return std::get<Array>(m_value);
}

void Json::refuseNumber() const {
    refuse("a number", kind());
}

std::size_t Json::size() const {
    switch (kind()) {
    case Kind::Null: return 0;
    case Kind::Array: return std::get<Array>(m_value).size();
    case Kind::Object: return std::get<Object>(m_value).size();
    default: return 1;
    }
}

template <class Iterator, class Self>
Iterator Json::iteratorAt(Self& self, std::size_t place) {
    switch (self.kind()) {
    case Kind::Null: return Iterator();
    case Kind::Array: return Iterator(std::get<Array>(self.m_value).data() + place);
    case Kind::Object: return Iterator(std::get<Object>(self.m_value).data() + place);
    default: return Iterator(&self + place);
    }
}

Json::const_iterator Json::begin() const {
    return iteratorAt<const_iterator>(*this, 0);
}

Json::const_iterator Json::end() const {
    return iteratorAt<const_iterator>(*this, size());
}

Json::iterator Json::begin() {
    return iteratorAt<iterator>(*this, 0);
}

Json::iterator Json::end() {
    return iteratorAt<iterator>(*this, size());
}

const Json& Json::at(std::size_t index) const {
    const Array& array = elements();
    if (index >= array.size()) {
        refuseIndex(index);
    }
    return array[index];
}

Json& Json::at(std::size_t index) {
    return const_cast<Json&>(std::as_const(*this).at(index));
}

void Json::push_back(Json element) {
    if (isNull()) {
        m_value = Array();
    }
    (void)elements();
    std::get<Array>(m_value).push_back(std::move(element));
}

void Json::insert(std::size_t index, Json element) {
    if (index > elements().size()) {
        refuseIndex(index);
    }
    auto& array = std::get<Array>(m_value);
    array.insert(array.begin() + static_cast<std::ptrdiff_t>(index), std::move(element));
}

void Json::erase(std::size_t index) {
    (void)at(index);
    auto& array = std::get<Array>(m_value);
    array.erase(array.begin() + static_cast<std::ptrdiff_t>(index));
}

const Json::Object& Json::items() const {
    static const Object none;
    if (isNull()) {
        return none;
    }
    if (!isObject()) {
        refuse("an object", kind());
    }
    return std::get<Object>(m_value);
}

std::size_t Json::placeOf(std::string_view key) const {
    const Object& members = items();
    const auto found = std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.key == key; });
    return static_cast<std::size_t>(found - members.begin());
}

const Json* Json::memberOf(std::string_view key) const {
    if (!isObject()) {
        refuse("an object", kind());
    }
    const std::size_t place = placeOf(key);
    return place < size() ? &items()[place].value : nullptr;
}

bool Json::contains(std::string_view key) const {
    return isObject() && placeOf(key) < size();
}

Json::const_iterator Json::find(std::string_view key) const {
    return isObject() ? iteratorAt<const_iterator>(*this, placeOf(key)) : end();
}

const Json& Json::at(std::string_view key) const {
    const Json* member = memberOf(key);
    if (member == nullptr) {
        refuseKey(key);
    }
    return *member;
}

Json& Json::at(std::string_view key) {
    return const_cast<Json&>(std::as_const(*this).at(key));
}

Json& Json::operator[](std::string_view key) {
    if (isNull()) {
        m_value = Object();
    }
    if (const Json* member = memberOf(key)) {
        return const_cast<Json&>(*member);
    }
    auto& members = std::get<Object>(m_value);
    members.push_back({std::string(key), Json()});
    return members.back().value;
}

std::size_t Json::erase(std::string_view key) {
    (void)memberOf(key);
    return std::erase_if(std::get<Object>(m_value), [&](const JsonMember& member) { return member.key == key; });
}

void Json::update(const Json& other) {
    for (const auto& [key, member] : other.items()) {
        (*this)[key] = member;
    }
}

void Json::mergePatch(const Json& patch) {
    if (!patch.isObject()) {
        *this = patch;
        return;
    }
    if (!isObject()) {
        *this = object();
    }
    for (const auto& [key, member] : patch.items()) {
        if (member.isNull()) {
            erase(key);
        } else {
            (*this)[key].mergePatch(member);
        }
    }
}

bool operator==(const Json& a, const Json& b) {
    if (a.isNumber() && b.isNumber() && a.kind() != b.kind()) {
        if (a.isInteger() && b.isInteger()) {
            return a.get<std::int64_t>() == b.get<std::int64_t>() && // one is signed, so both have to be positive
                   (a.kind() == Json::Kind::Integer ? a : b).get<std::int64_t>() >= 0;
        }
        return a.get<double>() == b.get<double>();
    }
    return a.m_value == b.m_value;
}

std::ostream& operator<<(std::ostream& stream, const Json& value) {
    return stream << value.dump(-1, Json::BadUtf8::Replace);
}

bool equalInAnyOrder(const Json& a, const Json& b) {
    if (a.isObject() && b.isObject()) {
        return a.size() == b.size() && std::all_of(a.items().begin(), a.items().end(), [&](const JsonMember& member) {
                   return b.contains(member.key) && equalInAnyOrder(member.value, b.at(member.key));
               });
    }
    if (a.isArray() && b.isArray()) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(), equalInAnyOrder);
    }
    return a == b;
}

} // namespace lambdascope
