// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ExperimentDocument that edits the list of lanes.
#include "ui/session/experiment/experiment_document.h"

#include <set>

namespace lambdascope {

namespace {

Json lanesOf(const Json& document) {
    const auto lanes = document.isObject() ? document.find("lanes") : document.end();
    return lanes != document.end() && lanes->isArray() ? *lanes : Json::array();
}

std::set<std::string> laneNames(const Json& lanes) {
    std::set<std::string> names;
    for (const Json& lane : lanes) {
        if (lane.isObject() && lane.contains("name") && lane["name"].isText()) {
            names.insert(lane["name"].get<std::string>());
        }
    }
    return names;
}

/// "PGB" → "PGB 2", "PGB 2" → "PGB 3": the first of them that is free.
std::string freeName(std::string stem, const std::set<std::string>& taken) {
    if (const auto blank = stem.rfind(' '); blank != std::string::npos && blank + 1 < stem.size() &&
                                            stem.find_first_not_of("0123456789", blank + 1) == std::string::npos) {
        stem.resize(blank);
    }
    std::string name = stem;
    for (int number = 2; taken.contains(name); ++number) {
        name = stem + " " + std::to_string(number);
    }
    return name;
}

} // namespace

int ExperimentDocument::laneCount() const {
    return static_cast<int>(lanesOf(m_json).size());
}

QString ExperimentDocument::laneName(int lane) const {
    const Json name = value(QString("lanes[%1].name").arg(lane));
    return name.isText() ? QString::fromStdString(name.get<std::string>()) : QString();
}

void ExperimentDocument::addLane() {
    Json lanes = lanesOf(m_json);
    lanes.push_back({{"name", freeName("lane", laneNames(lanes))}});
    pushLanes(std::move(lanes), tr("add lane"));
}

void ExperimentDocument::duplicateLane(int lane) {
    Json lanes = lanesOf(m_json);
    if (lane < 0 || lane >= static_cast<int>(lanes.size())) {
        return;
    }
    Json copy = lanes[static_cast<std::size_t>(lane)];
    if (copy.isObject()) {
        copy["name"] = freeName(laneName(lane).toStdString(), laneNames(lanes));
    }
    lanes.insert(static_cast<std::size_t>(lane) + 1, std::move(copy));
    pushLanes(std::move(lanes), tr("duplicate lane"));
}

void ExperimentDocument::removeLane(int lane) {
    Json lanes = lanesOf(m_json);
    if (lane < 0 || lane >= static_cast<int>(lanes.size()) || lanes.size() == 1) {
        return;
    }
    lanes.erase(static_cast<std::size_t>(lane));
    pushLanes(std::move(lanes), tr("remove lane"));
}

void ExperimentDocument::moveLane(int from, int to) {
    Json lanes = lanesOf(m_json);
    const int count = static_cast<int>(lanes.size());
    if (from < 0 || from >= count || to < 0 || to >= count || from == to) {
        return;
    }
    Json lane = lanes[static_cast<std::size_t>(from)];
    lanes.erase(static_cast<std::size_t>(from));
    lanes.insert(static_cast<std::size_t>(to), std::move(lane));
    pushLanes(std::move(lanes), tr("move lane"));
}

void ExperimentDocument::pushLanes(Json lanes, const QString& text) {
    Json next = m_json;
    next["lanes"] = std::move(lanes);
    push(std::move(next), ChangeKind::Lanes, "lanes", text);
}

} // namespace lambdascope
