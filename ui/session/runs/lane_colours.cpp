// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/lane_colours.h"

#include "core/record/run_record.h"

#include <QSettings>
#include <QVariantMap>

#include <algorithm>
#include <array>
#include <iterator>
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
    std::array<int, kCount> uses{}; // of each colour
    const auto take = [&](const QString& lane, int place) {
        places[lane] = place;
        taken.insert(place);
        ++uses[static_cast<std::size_t>(place % kCount)];
    };
    const auto usesAt = [&uses](int place) { return uses[static_cast<std::size_t>(place % kCount)]; };
    QStringList known;
    std::copy_if(lanes.begin(), lanes.end(), std::back_inserter(known),
                 [this](const QString& lane) { return m_places.contains(lane); });
    std::stable_sort(known.begin(), known.end(),
                     [this](const QString& a, const QString& b) { return m_places.at(a) < m_places.at(b); });
    for (const QString& lane : known) {
        if (const int own = m_places.at(lane); usesAt(own) == 0) {
            take(lane, own);
        }
    }
    for (const QString& lane : lanes) {
        if (places.contains(lane)) {
            continue;
        }
        const int fewest = *std::min_element(uses.begin(), uses.end());
        int place = 0;
        while (taken.contains(place) || usesAt(place) > fewest) {
            ++place;
        }
        take(lane, place);
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
