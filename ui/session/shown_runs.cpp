// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/shown_runs.h"

#include "core/run/run_record.h"

namespace lambdascope {

QString runLabel(const RunCollection& runs, RunId id) {
    const QString& name = runs.display(id).name;
    int use = 0;
    for (const RunId other : runs.ids()) {
        use += runs.display(other).name == name ? 1 : 0;
        if (other == id) {
            break;
        }
    }
    return use <= 1 ? name : QStringLiteral("%1 (%2)").arg(name).arg(use);
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

} // namespace lambdascope
