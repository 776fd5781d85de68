// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/figure_catalogue.h"

#include <QCoreApplication>

#include <algorithm>
#include <functional>

namespace lambdascope {

namespace {

QString text(const char* source) {
    return QCoreApplication::translate("Figures", source);
}

using Runs = std::vector<ShownRun>;

/// A figure of all runs together.
struct CommonFigure {
    const char* name;
    const char* description;
    CurveFigure (*build)(const Runs& runs, int index);
};

const std::vector<CommonFigure>& commonFigures() {
    static const std::vector<CommonFigure> figures = {
        {"path-rate", QT_TRANSLATE_NOOP("Figures", "Screening rate on arrival at each path point"),
         [](const Runs& runs, int) { return rateFigure(runs, ScreeningStage::Path); }},
        {"final-rate", QT_TRANSLATE_NOOP("Figures", "Screening rate at the end of each path point"),
         [](const Runs& runs, int) { return rateFigure(runs, ScreeningStage::Final); }},
        {"cpu-ratio", QT_TRANSLATE_NOOP("Figures", "CPU time relative to the lane without screening"),
         [](const Runs& runs, int) { return cpuRatioFigure(runs); }},
        {"cpu", QT_TRANSLATE_NOOP("Figures", "CPU seconds per path point"),
         [](const Runs& runs, int) { return cpuFigure(runs); }},
        {"active", QT_TRANSLATE_NOOP("Figures", "Items left to the solver"),
         [](const Runs& runs, int) { return itemsFigure(runs, ItemSide::LeftToSolver); }},
        {"removed", QT_TRANSLATE_NOOP("Figures", "Items removed by screening"),
         [](const Runs& runs, int) { return itemsFigure(runs, ItemSide::Removed); }},
        {"iterations", QT_TRANSLATE_NOOP("Figures", "Iterations per path point"),
         [](const Runs& runs, int) { return iterationsFigure(runs); }},
        {"convergence", QT_TRANSLATE_NOOP("Figures", "Optimality by iteration at one path point"),
         [](const Runs& runs, int index) { return convergenceFigure(runs, index); }},
    };
    return figures;
}

const QString heatmapPrefix = QStringLiteral("heatmap:");
const QString embeddingPrefix = QStringLiteral("embedding:");

const ShownRun* findLane(const Runs& runs, const QString& lane) {
    const auto found = std::find_if(runs.begin(), runs.end(), [&](const ShownRun& run) { return run.name == lane; });
    return found == runs.end() ? nullptr : &*found;
}

int latestEmbedding(const RunRecord& record) {
    int latest = -1;
    for (const PointRecord& point : record.points()) {
        latest = point.embedding ? static_cast<int>(point.index) : latest;
    }
    return latest;
}

Failure noSuchFigure(const Runs& runs, const QString& name) {
    return Failure{singleFault(ErrorCode::BadUsage,
                               {"figure",
                                "There is no figure '" + name.toStdString() + "' for these runs.",
                                "Use one of: " + figureNames(runs).join(QStringLiteral(", ")).toStdString() + ".",
                                {}})};
}

Result<Figure> nonEmpty(Figure figure, const QString& name) {
    if (isEmpty(figure)) {
        return Failure{
            singleFault(ErrorCode::InvalidData, {"figure",
                                                 "The runs hold nothing to draw '" + name.toStdString() + "' from.",
                                                 "Those that can be drawn are listed by --figure list.",
                                                 {}})};
    }
    return figure;
}

} // namespace

QStringList figureNames(const std::vector<ShownRun>& runs) {
    QStringList names;
    const int last = lastFinishedIndex(runs);
    for (const CommonFigure& figure : commonFigures()) {
        if (!isEmpty(Figure(figure.build(runs, last)))) {
            names << QString::fromLatin1(figure.name);
        }
    }
    for (const ShownRun& run : runs) {
        if (screens(*run.record)) {
            names << heatmapPrefix + run.name;
        }
    }
    for (const ShownRun& run : runs) {
        if (hasEmbeddings(*run.record)) {
            names << embeddingPrefix + run.name;
        }
    }
    return names;
}

QString figureDescription(const QString& name) {
    if (name.startsWith(heatmapPrefix)) {
        return text("Dynamic screening rate of %1 by path point and check").arg(name.mid(heatmapPrefix.size()));
    }
    if (name.startsWith(embeddingPrefix)) {
        return text("Embedding learned by %1").arg(name.mid(embeddingPrefix.size()));
    }
    for (const CommonFigure& figure : commonFigures()) {
        if (name == QLatin1String(figure.name)) {
            return text(figure.description);
        }
    }
    return name;
}

Result<Figure> figureByName(const std::vector<ShownRun>& runs, const QString& name, int index) {
    QString base = name;
    if (const qsizetype at = name.indexOf(QLatin1Char('@')); at > 0 && name.startsWith(QLatin1String("convergence"))) {
        bool isNumber = false;
        index = name.mid(at + 1).toInt(&isNumber);
        if (!isNumber) {
            return noSuchFigure(runs, name);
        }
        base = name.left(at);
    }
    if (base.startsWith(heatmapPrefix)) {
        const ShownRun* run = findLane(runs, base.mid(heatmapPrefix.size()));
        return run == nullptr ? Result<Figure>(noSuchFigure(runs, name)) : nonEmpty(heatmapFigure(*run), name);
    }
    if (base.startsWith(embeddingPrefix)) {
        const ShownRun* run = findLane(runs, base.mid(embeddingPrefix.size()));
        if (run == nullptr) {
            return noSuchFigure(runs, name);
        }
        return nonEmpty(embeddingFigure(*run, index >= 0 ? index : latestEmbedding(*run->record)), name);
    }
    for (const CommonFigure& figure : commonFigures()) {
        if (base == QLatin1String(figure.name)) {
            return nonEmpty(figure.build(runs, index >= 0 ? index : lastFinishedIndex(runs)), name);
        }
    }
    return noSuchFigure(runs, name);
}

QString figureFileStem(const QString& name) {
    QString stem = name;
    for (QChar& letter : stem) {
        if (!letter.isLetterOrNumber() && !QStringLiteral("-_+.").contains(letter)) {
            letter = QLatin1Char('-');
        }
    }
    return stem;
}

} // namespace lambdascope
