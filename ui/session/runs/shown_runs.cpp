// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/shown_runs.h"

#include "core/record/run_record.h"

#include <algorithm>

namespace lambdascope {

namespace {

/// For each run the settings that are not those of all the others, in a few words.
std::vector<QString> differingWords(const RunCollection& runs, const std::vector<RunId>& alike) {
    constexpr std::size_t kMostNamed = 3;
    std::vector<const LaneSettings*> settings;
    for (const RunId id : alike) {
        settings.push_back(&runs.settings(id));
    }
    std::vector<SettingDifference> differences = settingDifferences(settings);
    differences.resize(std::min(differences.size(), kMostNamed));
    std::vector<QString> words;
    for (std::size_t k = 0; k < alike.size(); ++k) {
        QStringList parts;
        for (const SettingDifference& difference : differences) {
            if (!difference.values[k].isNull()) {
                parts << briefSetting(difference.key, difference.values[k]);
            }
        }
        words.push_back(parts.join(QStringLiteral(" · ")));
    }
    return words;
}

} // namespace

QString runLabel(const RunCollection& runs, RunId id) {
    const QString& name = runs.display(id).name;
    std::vector<RunId> alike;
    for (const RunId other : runs.ids()) {
        const RunDisplay& display = runs.display(other);
        if (display.name == name && (display.isShown || other == id)) {
            alike.push_back(other);
        }
    }
    if (alike.size() < 2) {
        return name;
    }
    const std::vector<QString> words = differingWords(runs, alike);
    const auto own = static_cast<std::size_t>(std::find(alike.begin(), alike.end(), id) - alike.begin());
    const QString label = words[own].isEmpty() ? name : QStringLiteral("%1 · %2").arg(name, words[own]);
    const auto use = std::count(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(own) + 1, words[own]);
    return use <= 1 ? label : QStringLiteral("%1 (%2)").arg(label).arg(use);
}

RunsByAxis runsByAxis(const RunCollection& runs) {
    RunsByAxis found;
    const std::vector<RunId> shown = runs.shownIds();
    if (shown.empty()) {
        return found;
    }
    const std::string& axis = runs.record(shown.back())->start().axisKey;
    for (const RunId id : shown) {
        (runs.record(id)->start().axisKey == axis ? found.drawn : found.leftOut).push_back(id);
    }
    return found;
}

QString pathEndReason(const RunStarted& start) {
    return start.facts.isObject() ? QString::fromStdString(start.facts.value("path_end", std::string())) : QString();
}

QString endText(Termination termination, const QString& reason) {
    const std::string_view name = terminationName(termination);
    const QString words = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    return termination == Termination::PathEnded && !reason.isEmpty() ? QStringLiteral("%1: %2").arg(words, reason)
                                                                      : words;
}

QString endText(const RunRecord& record) {
    return record.termination() ? endText(*record.termination(), pathEndReason(record.start())) : QString();
}

PathLength pathLengthOf(const RunCollection& runs, RunId id) {
    const RunRecord& record = *runs.record(id);
    if (record.hasEnded()) {
        return {static_cast<std::int32_t>(record.finishedPointCount()), true};
    }
    std::vector<LanePlace> places;
    for (const RunId other : runs.ids()) {
        if (runs.display(other).batch == runs.display(id).batch) {
            places.push_back(placeOf(*runs.record(other)));
        }
    }
    return pathLength(places);
}

} // namespace lambdascope
