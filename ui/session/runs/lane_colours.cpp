// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/lane_colours.h"

#include "core/record/run_record.h"

#include <QSettings>
#include <QVariantMap>

#include <set>

namespace lambdascope {

namespace {

const QString colourKey = QStringLiteral("lanes/colours");
constexpr std::size_t kMostKept = 400; // names; who has had more begins anew

const QStringList& firstLanes() {
    static const QStringList lanes{QStringLiteral("naive"), QStringLiteral("GB"),   QStringLiteral("PGB"),
                                   QStringLiteral("DGB"),   QStringLiteral("RRPB"), QStringLiteral("RRPB+PGB")};
    return lanes;
}

} // namespace

LaneColours::LaneColours() {
    for (int place = 0; place < firstLanes().size(); ++place) {
        m_places[firstLanes()[place]] = place;
    }
    const QVariantMap kept = QSettings().value(colourKey).toMap();
    for (auto lane = kept.begin(); lane != kept.end(); ++lane) {
        m_places[lane.key()] = std::max(0, lane.value().toInt());
    }
}

std::map<QString, int> LaneColours::placesOf(const QStringList& lanes) const {
    std::map<QString, int> places;
    std::set<int> taken;
    for (const QString& lane : lanes) {
        if (const auto known = m_places.find(lane); known != m_places.end()) {
            places.insert(*known);
            taken.insert(known->second);
        }
    }
    for (const QString& lane : lanes) {
        if (places.contains(lane)) {
            continue;
        }
        int place = 0;
        while (taken.contains(place)) {
            ++place;
        }
        places[lane] = place;
        taken.insert(place);
    }
    return places;
}

void LaneColours::learn(const QStringList& lanes) {
    const std::size_t before = m_places.size();
    for (const auto& [lane, place] : placesOf(lanes)) {
        m_places.emplace(lane, place);
    }
    if (m_places.size() == before) {
        return;
    }
    QVariantMap kept;
    if (m_places.size() <= kMostKept) {
        for (const auto& [lane, place] : m_places) {
            kept.insert(lane, place);
        }
    }
    QSettings().setValue(colourKey, kept);
}

int LaneColours::placeOf(const QString& lane) const {
    const auto found = m_places.find(lane);
    return found == m_places.end() ? 0 : found->second;
}

QStringList laneNamesOf(const RunRecord& record) {
    QStringList names;
    const Json& experiment = record.start().experiment;
    if (experiment.isObject() && experiment.contains("lanes") && experiment.at("lanes").isArray()) {
        for (const Json& lane : experiment.at("lanes")) {
            if (lane.isObject()) {
                names << QString::fromStdString(lane.value("name", std::string()));
            }
        }
    }
    if (const QString own = QString::fromStdString(record.start().laneName); !names.contains(own)) {
        names << own;
    }
    return names;
}

} // namespace lambdascope
