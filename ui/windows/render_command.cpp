// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/render_command.h"

#include "core/store/run_folder.h"
#include "ui/panels/views/figure_export.h"

#include <algorithm>
#include <iostream>

namespace lambdascope {

namespace {

constexpr int badUse = 2;

int complain(std::ostream& errors, const Error& error) {
    errors << "lambdascope: " << error.describe() << '\n';
    return badUse;
}

} // namespace

int renderFigures(const RenderRequest& request, std::ostream& output, std::ostream& errors) {
    const auto preset = std::find_if(stylePresets().begin(), stylePresets().end(),
                                     [&](const StylePreset& candidate) { return candidate.key == request.size; });
    if (preset == stylePresets().end()) {
        return complain(errors,
                        singleFault(ErrorCode::BadUsage, {"size",
                                                          "There is no size '" + request.size.toStdString() + "'.",
                                                          "Use single, double or slide.",
                                                          {}}));
    }
    const auto records = readRunFolder(request.folder.toStdString());
    if (!records) {
        return complain(errors, records.error());
    }
    const std::vector<ShownRun> runs = shownRuns(*records);
    if (request.figure == QLatin1String("list")) {
        for (const QString& name : figureNames(runs)) {
            output << name.toStdString() << '\n';
        }
        return 0;
    }
    if (request.out.isEmpty()) {
        return complain(errors, singleFault(ErrorCode::BadUsage, {"out",
                                                                  "It is not said where the figure goes.",
                                                                  "Add --out FILE.pdf, .svg, .png or .csv; with "
                                                                  "--figure all, a folder.",
                                                                  {}}));
    }
    if (request.figure == QLatin1String("all")) {
        const auto written =
            exportAllFigures(runs, request.out, {QStringLiteral("pdf"), QStringLiteral("png")}, preset->style);
        if (!written) {
            return complain(errors, written.error());
        }
        for (const QString& path : *written) {
            output << path.toStdString() << '\n';
        }
        return 0;
    }
    if (auto done = exportFigure(runs, request.figure, request.out, preset->style); !done) {
        return complain(errors, done.error());
    }
    output << request.out.toStdString() << '\n';
    return 0;
}

} // namespace lambdascope
