// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/event_json.h"

#include "core/common/number_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
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
    const bool fits = value.isInteger() ? std::in_range<Integer>(value.get<std::uint64_t>())
                                        : value.isInteger() && std::in_range<Integer>(value.get<std::int64_t>());
    if (!fits) {
        throw BadEvent("\"" + std::string(key) + "\" takes a whole number");
    }
    return value.get<Integer>();
}

std::int64_t integerAt(const Json& object, const char* key) {
    return wholeNumberAt<std::int64_t>(object, key);
}

std::int32_t smallIntegerAt(const Json& object, const char* key) {
    return wholeNumberAt<std::int32_t>(object, key);
}

bool flagAt(const Json& object, const char* key) {
    return valueAt<bool>(object, key);
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

Json numbersToJson(const std::vector<double>& values) {
    Json list = Json::array();
    for (const double value : values) {
        list.push_back(numberToJson(value));
    }
    return list;
}

constexpr std::array kKinds = {OptimalityKind::DualityGap, OptimalityKind::GradientNorm, OptimalityKind::KktViolation};

constexpr std::array kRoles = {
    ColumnRole::Index,        ColumnRole::Axis,           ColumnRole::Iterations, ColumnRole::Objective,
    ColumnRole::Optimality,   ColumnRole::ItemsTotal,     ColumnRole::PathRate,   ColumnRole::FinalRate,
    ColumnRole::AfterRate,    ColumnRole::AfterFixed,     ColumnRole::PathFixed,  ColumnRole::FinalFixed,
    ColumnRole::CpuSolve,     ColumnRole::CpuScreen,      ColumnRole::CpuPart,    ColumnRole::Wall,
    ColumnRole::HeldOutError, ColumnRole::HeldOutMeasure, ColumnRole::CrossError, ColumnRole::CrossMeasure,
    ColumnRole::SetSize,      ColumnRole::Other};

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

Termination terminationAt(const Json& object, const char* key) {
    const auto termination = terminationFromName(textAt(object, key));
    if (!termination) {
        throw BadEvent("unknown termination \"" + textAt(object, key) + "\"");
    }
    return *termination;
}

Json columnToJson(const ColumnDescription& column) {
    return {{"key", column.key},
            {"label", column.label},
            {"unit", column.unit},
            {"role", columnRoleName(column.role)},
            {"integer", column.isInteger}};
}

ColumnDescription columnOf(const Json& object) {
    return {textAt(object, "key"), textAt(object, "label"), textAt(object, "unit"),
            columnRoleOf(textAt(object, "role")), flagAt(object, "integer")};
}

/// Writes the members of each event body; the name is the value of "event".
struct BodyWriter {
    Json& object;

    void operator()(const RunStarted& e) const {
        object["event"] = "run-started";
        object["experiment_name"] = e.experimentName;
        object["family"] = e.family;
        object["lane"] = e.laneName;
        object["lane_index"] = e.laneIndex;
        object["lane_count"] = e.laneCount;
        object["baseline"] = e.isBaseline;
        object["axis_key"] = e.axisKey;
        object["axis_label"] = e.axisLabel;
        object["axis_falls"] = e.axisFalls;
        object["items"] = e.itemNoun;
        object["fixed_low"] = e.fixedLowName;
        object["fixed_high"] = e.fixedHighName;
        object["has_plane"] = e.hasPlane;
        object["columns"] = Json::array();
        for (const ColumnDescription& column : e.columns) {
            object["columns"].push_back(columnToJson(column));
        }
        if (!e.featureNames.empty()) {
            object["feature_names"] = e.featureNames;
        }
        object["experiment"] = e.experiment;
        object["facts"] = e.facts;
    }
    void operator()(const PointStarted& e) const {
        object["event"] = "point-started";
        object["index"] = e.index;
        object["axis"] = numberToJson(e.axisValue);
        object["estimated_points"] = e.estimatedPointCount;
    }
    void operator()(const Iterated& e) const {
        object["event"] = "iterated";
        object["index"] = e.pointIndex;
        object["iteration"] = e.iteration;
        object["objective"] = numberToJson(e.objective);
        object["optimality_kind"] = optimalityKindName(e.optimality.kind);
        object["optimality"] = numberToJson(e.optimality.value);
        object["tolerance"] = numberToJson(e.tolerance);
        object["active"] = e.activeItems;
        object["cpu"] = numberToJson(e.cpu);
    }
    void operator()(const Screened& e) const {
        object["event"] = "screened";
        object["index"] = e.pointIndex;
        object["check"] = e.check;
        object["iteration"] = e.iteration;
        object["low"] = e.fixedLow;
        object["high"] = e.fixedHigh;
        object["total"] = e.total;
        object["rate"] = numberToJson(e.rate);
        object["optimality"] = numberToJson(e.optimality);
        object["radius"] = numberToJson(e.radius);
        object["cpu"] = numberToJson(e.cpu);
    }
    void operator()(const PointFinished& e) const {
        object["event"] = "point-finished";
        object["index"] = e.index;
        object["axis"] = numberToJson(e.axisValue);
        object["termination"] = terminationName(e.termination);
        object["values"] = numbersToJson(e.values);
        object["decidable"] = e.decidableItems;
        if (e.embedding) {
            object["embedding"] = embeddingToJson(*e.embedding);
        }
    }
    void operator()(const RunFinished& e) const {
        object["event"] = "run-finished";
        object["termination"] = terminationName(e.termination);
        object["points"] = e.finishedPoints;
        object["cpu_solve"] = numberToJson(e.cpuSolve);
        object["cpu_screen"] = numberToJson(e.cpuScreen);
        object["wall"] = numberToJson(e.wall);
    }
    void operator()(const RunFailed& e) const {
        object["event"] = "run-failed";
        object["message"] = e.message;
    }
};

RunStarted runStartedOf(const Json& o) {
    RunStarted e;
    e.experimentName = textAt(o, "experiment_name");
    e.family = textAt(o, "family");
    e.laneName = textAt(o, "lane");
    e.laneIndex = smallIntegerAt(o, "lane_index");
    e.laneCount = smallIntegerAt(o, "lane_count");
    e.isBaseline = flagAt(o, "baseline");
    e.axisKey = textAt(o, "axis_key");
    e.axisLabel = textAt(o, "axis_label");
    e.axisFalls = flagAt(o, "axis_falls");
    e.itemNoun = textAt(o, "items");
    e.fixedLowName = textAt(o, "fixed_low");
    e.fixedHighName = textAt(o, "fixed_high");
    e.hasPlane = o.value("has_plane", false);
    for (const Json& column : memberOf(o, "columns")) {
        e.columns.push_back(columnOf(column));
    }
    if (o.contains("feature_names")) {
        e.featureNames = valueAt<std::vector<std::string>>(o, "feature_names");
    }
    e.experiment = memberOf(o, "experiment");
    e.facts = memberOf(o, "facts");
    if (!e.facts.isObject() && !e.facts.isNull()) {
        throw BadEvent("\"facts\" takes an object");
    }
    return e;
}

Iterated iteratedOf(const Json& o) {
    Iterated e;
    e.pointIndex = smallIntegerAt(o, "index");
    e.iteration = integerAt(o, "iteration");
    e.objective = numberAt(o, "objective");
    e.optimality = {optimalityKindOf(textAt(o, "optimality_kind")), numberAt(o, "optimality")};
    e.tolerance = numberAt(o, "tolerance");
    e.activeItems = integerAt(o, "active");
    e.cpu = numberAt(o, "cpu");
    return e;
}

Screened screenedOf(const Json& o) {
    Screened e;
    e.pointIndex = smallIntegerAt(o, "index");
    e.check = smallIntegerAt(o, "check");
    e.iteration = integerAt(o, "iteration");
    e.fixedLow = integerAt(o, "low");
    e.fixedHigh = integerAt(o, "high");
    e.total = integerAt(o, "total");
    e.rate = numberAt(o, "rate");
    e.optimality = numberAt(o, "optimality");
    e.radius = numberAt(o, "radius");
    e.cpu = numberAt(o, "cpu");
    return e;
}

PointFinished pointFinishedOf(const Json& o) {
    PointFinished e;
    e.index = smallIntegerAt(o, "index");
    e.axisValue = numberAt(o, "axis");
    e.termination = terminationAt(o, "termination");
    for (const Json& value : memberOf(o, "values")) {
        e.values.push_back(numberOf(value, "values"));
    }
    e.decidableItems = integerAt(o, "decidable");
    if (const auto embedding = o.find("embedding"); embedding != o.end()) {
        e.embedding = std::make_shared<const Embedding>(embeddingFromJson(*embedding));
    }
    return e;
}

RunEventBody bodyOf(const Json& o) {
    const std::string name = textAt(o, "event");
    if (name == "iterated") {
        return iteratedOf(o);
    }
    if (name == "screened") {
        return screenedOf(o);
    }
    if (name == "point-finished") {
        return pointFinishedOf(o);
    }
    if (name == "point-started") {
        return PointStarted{smallIntegerAt(o, "index"), numberAt(o, "axis"), smallIntegerAt(o, "estimated_points")};
    }
    if (name == "run-started") {
        return runStartedOf(o);
    }
    if (name == "run-finished") {
        return RunFinished{terminationAt(o, "termination"), smallIntegerAt(o, "points"), numberAt(o, "cpu_solve"),
                           numberAt(o, "cpu_screen"), numberAt(o, "wall")};
    }
    if (name == "run-failed") {
        return RunFailed{textAt(o, "message")};
    }
    throw BadEvent("unknown event \"" + name + "\"");
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
    std::visit(BodyWriter{object}, event.body);
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
        return RunEvent{RunId{integerAt(object, "run")}, integerAt(object, "seq"), bodyOf(object)};
    } catch (const BadEvent& problem) {
        return refused(problem.what());
    } catch (const JsonError&) {
        return refused("a value is of the wrong type");
    }
}

} // namespace lambdascope
