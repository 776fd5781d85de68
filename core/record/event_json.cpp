// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/event_json.h"

#include "core/common/number_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace lambdascope {

namespace {

/// What is wrong with an event; the text completes "this is no run event: …".
class BadEvent : public std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

const Json& memberOf(const Json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end()) {
        throw BadEvent("it has no \"" + std::string(key) + "\"");
    }
    return *found;
}

/// The member as a `Value`; the JSON library's own complaint does not say which member it is about.
template <class Value>
Value valueAt(const Json& object, const char* key) {
    try {
        return memberOf(object, key).get<Value>();
    } catch (const JsonError&) {
        throw BadEvent("\"" + std::string(key) + "\" is of the wrong type");
    }
}

double numberOf(const Json& value, const char* key) {
    if (value.isText()) {
        const auto& text = value.text();
        if (text == "nan") {
            return std::numeric_limits<double>::quiet_NaN();
        }
        if (text == "inf" || text == "-inf") {
            return text.front() == '-' ? -std::numeric_limits<double>::infinity()
                                       : std::numeric_limits<double>::infinity();
        }
    }
    if (!value.isNumber()) {
        throw BadEvent("\"" + std::string(key) + "\" takes numbers");
    }
    return value.get<double>();
}

double numberAt(const Json& object, const char* key) {
    return numberOf(memberOf(object, key), key);
}

/// get() would cut off what does not fit.
template <class Integer>
Integer wholeNumberAt(const Json& object, const char* key) {
    const Json& value = memberOf(object, key);
    const bool fits = value.kind() == Json::Kind::Unsigned
                          ? std::in_range<Integer>(value.get<std::uint64_t>())
                          : value.isInteger() && std::in_range<Integer>(value.get<std::int64_t>());
    if (!fits) {
        throw BadEvent("\"" + std::string(key) + "\" takes a whole number");
    }
    return value.get<Integer>();
}

std::string textAt(const Json& object, const char* key) {
    return valueAt<std::string>(object, key);
}

/// `value` as the double whose shortest text is that of the float ("0.1", not "0.10000000149011612"), provided it
/// rounds back to the same float.
Json shortFloat(float value) {
    if (!std::isfinite(value)) {
        return numberToJson(value);
    }
    std::array<char, 32> text{};
    const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
    double number = 0;
    std::from_chars(text.data(), written.ptr, number);
    return static_cast<float>(number) == value ? Json(number) : Json(static_cast<double>(value));
}

constexpr std::array kKinds = {OptimalityKind::DualityGap, OptimalityKind::GradientNorm, OptimalityKind::KktViolation};

constexpr std::array kRoles = {
    ColumnRole::Index,        ColumnRole::Axis,           ColumnRole::Iterations, ColumnRole::Objective,
    ColumnRole::Optimality,   ColumnRole::ItemsTotal,     ColumnRole::PathRate,   ColumnRole::FinalRate,
    ColumnRole::AfterRate,    ColumnRole::AfterFixed,     ColumnRole::PathFixed,  ColumnRole::FinalFixed,
    ColumnRole::CpuSolve,     ColumnRole::CpuScreen,      ColumnRole::CpuPart,    ColumnRole::Wall,
    ColumnRole::HeldOutError, ColumnRole::HeldOutMeasure, ColumnRole::CrossError, ColumnRole::CrossMeasure,
    ColumnRole::OtherMeasure, ColumnRole::SetSize,        ColumnRole::Other};

OptimalityKind optimalityKindOf(const std::string& name) {
    for (const OptimalityKind kind : kKinds) {
        if (optimalityKindName(kind) == name) {
            return kind;
        }
    }
    return OptimalityKind::DualityGap;
}

ColumnRole columnRoleOf(const std::string& name) {
    for (const ColumnRole role : kRoles) {
        if (columnRoleName(role) == name) {
            return role;
        }
    }
    return ColumnRole::Other;
}

Termination terminationOf(const std::string& name) {
    const auto termination = terminationFromName(name);
    if (!termination) {
        throw BadEvent("unknown termination \"" + name + "\"");
    }
    return *termination;
}

/// `Given` is a `Type`, to be written, or one to be read into.
template <class Given, class Type>
concept Any = std::same_as<std::remove_const_t<Given>, Type>;

// The members of each event with their keys, in the order in which they are written: one list for writing and reading.
// `member(key, value)` is for those that are always there, `optional` for those that need not be.

void listMembers(Any<ColumnDescription> auto& column, const auto& member) {
    member("key", column.key);
    member("label", column.label);
    member("unit", column.unit);
    member("role", column.role);
    member("integer", column.isInteger);
}

void listMembers(Any<PartsDescription> auto& parts, const auto& member) {
    member("noun", parts.noun);
    member("names", parts.names);
    member("columns", parts.columns);
}

void listMembers(Any<RunStarted> auto& e, const auto& member) {
    member("experiment_name", e.experimentName);
    member("family", e.family);
    member("lane", e.laneName);
    member.optional("group", e.laneGroup, !e.laneGroup.empty());
    member("lane_index", e.laneIndex);
    member("lane_count", e.laneCount);
    member("baseline", e.isBaseline);
    member("axis_key", e.axisKey);
    member("axis_label", e.axisLabel);
    member("axis_falls", e.axisFalls);
    member("items", e.itemNoun);
    member("fixed_low", e.fixedLowName);
    member("fixed_high", e.fixedHighName);
    member.optional("has_plane", e.hasPlane, true); // logs of earlier versions have none
    member("columns", e.columns);
    member.optional("parts", e.parts, !e.parts.names.empty());
    member.optional("feature_names", e.featureNames, !e.featureNames.empty());
    member("experiment", e.experiment);
    member("facts", e.facts);
}

void listMembers(Any<PointStarted> auto& e, const auto& member) {
    member("index", e.index);
    member("axis", e.axisValue);
    member("estimated_points", e.estimatedPointCount);
}

void listMembers(Any<Iterated> auto& e, const auto& member) {
    member("index", e.pointIndex);
    member("iteration", e.iteration);
    member("objective", e.objective);
    member("optimality_kind", e.optimality.kind);
    member("optimality", e.optimality.value);
    member("tolerance", e.tolerance);
    member("active", e.activeItems);
    member("cpu", e.cpu);
}

void listMembers(Any<Screened> auto& e, const auto& member) {
    member("index", e.pointIndex);
    member("check", e.check);
    member("iteration", e.iteration);
    member("low", e.fixedLow);
    member("high", e.fixedHigh);
    member("total", e.total);
    member("rate", e.rate);
    member("optimality", e.optimality);
    member("radius", e.radius);
    member("cpu", e.cpu);
}

void listMembers(Any<PartsSolved> auto& e, const auto& member) {
    member("index", e.pointIndex);
    member("values", e.values);
}

void listMembers(Any<PointFinished> auto& e, const auto& member) {
    member("index", e.index);
    member("axis", e.axisValue);
    member("termination", e.termination);
    member("values", e.values);
    member("decidable", e.decidableItems);
    member.optional("embedding", e.embedding, e.embedding != nullptr);
}

void listMembers(Any<RunFinished> auto& e, const auto& member) {
    member("termination", e.termination);
    member("points", e.finishedPoints);
    member("cpu_solve", e.cpuSolve);
    member("cpu_screen", e.cpuScreen);
    member("wall", e.wall);
}

void listMembers(Any<RunFailed> auto& e, const auto& member) {
    member("message", e.message);
}

struct MemberWriter {
    Json& object;

    template <class Value>
    void operator()(const char* key, const Value& value) const {
        object[key] = toJson(value);
    }
    template <class Value>
    void optional(const char* key, const Value& value, bool isThere) const {
        if (isThere) {
            (*this)(key, value);
        }
    }

    static Json toJson(double value) { return numberToJson(value); }
    static Json toJson(OptimalityKind kind) { return optimalityKindName(kind); }
    static Json toJson(ColumnRole role) { return columnRoleName(role); }
    static Json toJson(Termination termination) { return terminationName(termination); }
    static Json toJson(const std::shared_ptr<const Embedding>& embedding) { return embeddingToJson(*embedding); }
    static Json toJson(const ColumnDescription& column) { return objectOf(column); }
    static Json toJson(const PartsDescription& parts) { return objectOf(parts); }
    template <class Value>
    static Json toJson(const std::vector<Value>& values) {
        Json list = Json::array();
        for (const Value& value : values) {
            list.push_back(toJson(value));
        }
        return list;
    }
    template <class Value>
    static Json toJson(const Value& value) {
        return value;
    }
    static Json objectOf(const auto& members) {
        Json object = Json::object();
        listMembers(members, MemberWriter{object});
        return object;
    }
};

struct MemberReader {
    const Json& object;

    template <class Value>
    void operator()(const char* key, Value& value) const {
        value = valueAt<Value>(object, key);
    }
    void operator()(const char* key, double& value) const { value = numberAt(object, key); }
    void operator()(const char* key, std::int32_t& value) const { value = wholeNumberAt<std::int32_t>(object, key); }
    void operator()(const char* key, std::int64_t& value) const { value = wholeNumberAt<std::int64_t>(object, key); }
    void operator()(const char* key, Json& value) const { value = memberOf(object, key); }
    void operator()(const char* key, OptimalityKind& kind) const { kind = optimalityKindOf(textAt(object, key)); }
    void operator()(const char* key, ColumnRole& role) const { role = columnRoleOf(textAt(object, key)); }
    void operator()(const char* key, Termination& value) const { value = terminationOf(textAt(object, key)); }
    void operator()(const char* key, std::shared_ptr<const Embedding>& embedding) const {
        embedding = std::make_shared<const Embedding>(embeddingFromJson(memberOf(object, key)));
    }
    void operator()(const char* key, PartsDescription& parts) const {
        listMembers(parts, MemberReader{memberOf(object, key)});
    }
    void operator()(const char* key, std::vector<double>& values) const {
        for (const Json& value : memberOf(object, key)) {
            values.push_back(numberOf(value, key));
        }
    }
    void operator()(const char* key, std::vector<ColumnDescription>& columns) const {
        for (const Json& column : memberOf(object, key)) {
            listMembers(columns.emplace_back(), MemberReader{column});
        }
    }
    template <class Value>
    void optional(const char* key, Value& value, bool) const {
        if (object.contains(key)) {
            (*this)(key, value);
        }
    }
};

/// The value of "event", in the order of RunEventBody.
constexpr std::array kEventNames = {"run-started",  "point-started",  "iterated",     "screened",
                                    "parts-solved", "point-finished", "run-finished", "run-failed"};
static_assert(kEventNames.size() == std::variant_size_v<RunEventBody>);

RunEventBody bodyOf(const Json& object) {
    const std::string name = textAt(object, "event");
    RunEventBody body;
    const auto readIf = [&]<std::size_t place>(std::integral_constant<std::size_t, place>) {
        if (name != kEventNames[place]) {
            return false;
        }
        listMembers(body.emplace<place>(), MemberReader{object});
        return true;
    };
    const bool isKnown = [&]<std::size_t... places>(std::index_sequence<places...>) {
        return (readIf(std::integral_constant<std::size_t, places>()) || ...);
    }
    (std::make_index_sequence<kEventNames.size()>());
    if (!isKnown) {
        throw BadEvent("unknown event \"" + name + "\"");
    }
    if (const auto* start = std::get_if<RunStarted>(&body);
        start != nullptr && !start->facts.isObject() && !start->facts.isNull()) {
        throw BadEvent("\"facts\" takes an object");
    }
    return body;
}

} // namespace

Json numberToJson(double value) {
    return std::isfinite(value) ? Json(value) : Json(exactText(value));
}

Json embeddingToJson(const Embedding& embedding) {
    Json object = Json::object();
    object["x"] = embedding.xLabel;
    object["y"] = embedding.yLabel;
    object["class_names"] = embedding.classNames;
    object["classes"] = embedding.classes;
    Json coordinates = Json::array();
    for (const float value : embedding.coordinates) {
        coordinates.push_back(shortFloat(value));
    }
    object["coordinates"] = std::move(coordinates);
    if (embedding.names) {
        object["names"] = *embedding.names;
    }
    return object;
}

Embedding embeddingFromJson(const Json& object) {
    Embedding embedding;
    embedding.xLabel = textAt(object, "x");
    embedding.yLabel = textAt(object, "y");
    embedding.classNames = valueAt<std::vector<std::string>>(object, "class_names");
    embedding.classes = valueAt<std::vector<std::int32_t>>(object, "classes");
    for (const Json& value : memberOf(object, "coordinates")) {
        embedding.coordinates.push_back(static_cast<float>(numberOf(value, "coordinates")));
    }
    if (object.contains("names")) {
        embedding.names =
            std::make_shared<const std::vector<std::string>>(valueAt<std::vector<std::string>>(object, "names"));
    }
    return embedding;
}

Json eventToJson(const RunEvent& event) {
    Json object = Json::object();
    object["run"] = event.run.value;
    object["seq"] = event.sequence;
    object["event"] = kEventNames[event.body.index()];
    std::visit([&object](const auto& body) { listMembers(body, MemberWriter{object}); }, event.body);
    return object;
}

Result<RunEvent> eventFromJson(const Json& object) {
    const auto refused = [](const std::string& why) {
        return Failure{plainError(ErrorCode::InvalidData, "this is no run event: " + why)};
    };
    if (!object.isObject()) {
        return refused("it is no object in braces");
    }
    try {
        return RunEvent{RunId{wholeNumberAt<std::int64_t>(object, "run")}, wholeNumberAt<std::int64_t>(object, "seq"),
                        bodyOf(object)};
    } catch (const BadEvent& problem) {
        return refused(problem.what());
    } catch (const JsonError&) {
        return refused("a value is of the wrong type");
    }
}

} // namespace lambdascope
