// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/data_input.h"
#include "app/cli/interrupt.h"
#include "app/cli/opened_run.h"
#include "app/cli/run_choices.h"
#include "core/common/number_text.h"
#include "core/store/append_file.h"
#include "core/store/stored_path.h"

#include <cstdio>

namespace lambdascope::cli {

namespace {

std::string placementTable(const PlacedObjects& placed) {
    std::string table = "object";
    for (std::size_t axis = 0; axis < placed.objects.front().coordinates.size(); ++axis) {
        table += ",x" + std::to_string(axis + 1);
    }
    table += ",answers,loss,error\n";
    for (const PlacedObject& object : placed.objects) {
        table += object.name;
        for (const double coordinate : object.coordinates) {
            table += "," + exactText(coordinate);
        }
        table +=
            "," + std::to_string(object.answers) + "," + exactText(object.loss) + "," + exactText(object.error) + "\n";
    }
    return table;
}

} // namespace

ExitStatus placeCommand(const PlaceOptions& options) {
    if (!options.output.empty()) {
        if (auto checked = checkOutput(options.output, options.force); !checked) {
            return report(checked.error());
        }
    }
    InterruptWatch interrupt;
    ProgressSink progress(progressStyle("auto"));
    const std::vector<std::string> lanes =
        options.lane.empty() ? std::vector<std::string>() : std::vector{options.lane};
    const auto run = openRun(options.folder, lanes, options.data, progress, interrupt.token());
    if (!run) {
        return report(run.error());
    }
    const auto point = finishedPoint(*run, run->runner->laneNames().front(), options.point);
    if (!point) {
        return report(point.error());
    }
    const auto placed =
        run->runner->placeObjects(0, *point, options.answers, progress.preparation(), interrupt.token());
    progress.clear();
    if (!placed) {
        return report(placed.error());
    }
    if (!options.output.empty()) {
        if (auto written = writeFileAtomically(options.output, placementTable(*placed)); !written) {
            return report(written.error());
        }
        std::printf("%s: %s new objects in %s\n", options.output.c_str(),
                    groupedText(static_cast<std::int64_t>(placed->objects.size())).c_str(), placed->where.c_str());
        return ExitStatus::Done;
    }
    std::fprintf(stderr, "%s\n", placed->where.c_str());
    std::printf("%s", placementTable(*placed).c_str());
    return ExitStatus::Done;
}

} // namespace lambdascope::cli
