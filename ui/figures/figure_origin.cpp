// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/figure_origin.h"

#include "core/config/json_document.h"
#include "ui/figures/quality_figures.h"
#include "ui/figures/study_figures.h"

#include <algorithm>
#include <array>

namespace lambdascope {

namespace {

constexpr const char* kMark = "lambdascope_figure"; ///< tells recipes from experiments; its value is the version
constexpr int kVersion = 1;

Json jsonOf(const QStringList& texts) {
    Json json = Json::array();
    for (const QString& text : texts) {
        json.push_back(text.toStdString());
    }
    return json;
}

QString textIn(const Json& json, const char* key) {
    return QString::fromStdString(json.value(key, std::string()));
}

QStringList textsIn(const Json& json, const char* key) {
    QStringList texts;
    if (json.contains(key)) {
        for (const Json& text : json.at(key)) {
            texts << QString::fromStdString(text.get<std::string>());
        }
    }
    return texts;
}

Json jsonOf(const FigureStyle& style) {
    return {{"width_mm", style.widthMm}, {"height_mm", style.heightMm},
            {"type_pt", style.fontPt},   {"lines", style.lineScale},
            {"dpi", style.dpi},          {"dark", style.dark},
            {"grey", style.grey},        {"title", style.showTitle},
            {"legend", style.showLegend}};
}

FigureStyle styleIn(const Json& json) {
    FigureStyle style;
    style.widthMm = json.value("width_mm", style.widthMm);
    style.heightMm = json.value("height_mm", style.heightMm);
    style.fontPt = json.value("type_pt", style.fontPt);
    style.lineScale = json.value("lines", style.lineScale);
    style.dpi = json.value("dpi", style.dpi);
    style.dark = json.value("dark", style.dark);
    style.grey = json.value("grey", style.grey);
    style.showTitle = json.value("title", style.showTitle);
    style.showLegend = json.value("legend", style.showLegend);
    return style;
}

Json jsonOf(const FigureOrigin::View& view) {
    Json json{{"view", view.id.toStdString()}, {"chosen", view.state}};
    if (view.chart < 0) {
        return json;
    }
    json["chart"] = view.chart;
    json["hidden"] = jsonOf(view.look.hidden);
    if (view.look.isCurves) {
        json["log"] = Json::array({view.look.isLogX, view.look.isLogY});
    }
    if (view.look.x && view.look.y) {
        json["range"] = Json::array({view.look.x->low, view.look.x->high, view.look.y->low, view.look.y->high});
    }
    return json;
}

FigureOrigin::View viewIn(const Json& json) {
    FigureOrigin::View view{textIn(json, "view"), json.value("chosen", Json()), json.value("chart", -1), {}};
    view.look.hidden = textsIn(json, "hidden");
    if (json.contains("log")) {
        view.look.isCurves = true;
        view.look.isLogX = json.at("log").at(0).get<bool>();
        view.look.isLogY = json.at("log").at(1).get<bool>();
    }
    if (json.contains("range")) {
        const auto end = [&](std::size_t place) { return json.at("range").at(place).get<double>(); };
        view.look.x = ValueRange{end(0), end(1)};
        view.look.y = ValueRange{end(2), end(3)};
    }
    return view;
}

Json jsonOf(const FigureOrigin::Lanes& lanes) {
    Json json = Json::object();
    if (lanes.kept > 0) {
        json["library"] = {{"number", lanes.kept}, {"created_at", lanes.createdAt}};
    }
    if (!lanes.folder.isEmpty()) {
        json["folder"] = lanes.folder.toStdString();
    }
    json["lanes"] = jsonOf(lanes.lanes);
    if (lanes.names != lanes.lanes) {
        json["names"] = jsonOf(lanes.names);
    }
    json["experiment"] = lanes.experiment;
    return json;
}

FigureOrigin::Lanes lanesIn(const Json& json) {
    FigureOrigin::Lanes lanes;
    if (json.contains("library")) {
        lanes.kept = json.at("library").at("number").get<std::int64_t>();
        lanes.createdAt = json.at("library").at("created_at").get<std::string>();
    }
    lanes.folder = textIn(json, "folder");
    lanes.lanes = textsIn(json, "lanes");
    lanes.names = json.contains("names") ? textsIn(json, "names") : lanes.lanes;
    lanes.experiment = json.at("experiment");
    if (!lanes.experiment.isObject() || lanes.names.size() != lanes.lanes.size()) {
        throw JsonError("lanes without an experiment or with other names than lanes");
    }
    return lanes;
}

FigureOrigin originIn(const Json& json) {
    FigureOrigin origin;
    if (!json.contains(kMark)) { // of an older version
        origin.runs.push_back({json, 0, {}, {}, {}, {}});
        return origin;
    }
    for (const Json& lanes : json.at("runs")) {
        origin.runs.push_back(lanesIn(lanes));
    }
    origin.studyFolder = textIn(json, "study_folder");
    origin.study = json.value("study", Json());
    for (const Json& view : json.value("views", Json::array())) {
        origin.views.push_back(viewIn(view));
    }
    origin.point = json.value("point", -1);
    origin.panels = textsIn(json, "panels");
    origin.columns = std::clamp(json.value("columns", 2), 1, 99);
    if (json.contains("style")) {
        origin.style = styleIn(json.at("style"));
    }
    return origin;
}

/// Which choice of which view a figure is.
struct Place {
    const char* figure; ///< with a colon at its end: what follows is what is chosen
    const char* view;
    const char* chooser;
    const char* choice;
};
constexpr std::array kPlaces{Place{"path-rate", "rates", "Rate", "on arrival"},
                             Place{"final-rate", "rates", "Rate", "before solved"},
                             Place{"after-rate", "rates", "Rate", "afterwards"},
                             Place{"cpu", "times", "CPU time", "so far"},
                             Place{"cpu-ratio", "times", "CPU time", "ratio to baseline"},
                             Place{"growth", "times", "CPU time", "by size, log-log"},
                             Place{"totals", "totals", "", ""},
                             Place{"active", "items", "Items", "left to the solver"},
                             Place{"removed", "items", "Items", "removed"},
                             Place{"sets", "items", "Items", "by set"},
                             Place{"iterations", "convergence", "", ""},
                             Place{"convergence", "convergence", "", ""},
                             Place{"measure:", "quality", "Measure", ""},
                             Place{"race:", "race", "Measure", ""},
                             Place{"cost:", "cost", "Lane", ""},
                             Place{"heatmap:", "heatmap", "Lane", ""},
                             Place{"problems:", "problems", "Lane", ""},
                             Place{"matrix:", "solution", "Lane", ""},
                             Place{"embedding:", "map", "Lane", ""},
                             Place{"slice:", "bounds", "Lane", ""},
                             Place{"lifetimes:", "bounds", "Lane", ""},
                             Place{"ranges:", "bounds", "Lane", ""},
                             Place{"plane:", "plane", "Lane", ""}};

/// The view of a study with its choosers as a figure of it has them.
FigureOrigin::View viewOfStudyFigure(const QString& name) {
    const QStringList parts = name.split(':');
    const bool isBy = parts.value(2) == QLatin1String("by");
    Json chosen{{"Measure", parts[0].toStdString()}};
    chosen["Along"] = parts.value(1).toStdString();
    chosen["Over"] = (isBy ? "by:" + parts.value(3) : parts.value(2)).toStdString();
    chosen["Lane"] = (isBy ? QString() : parts.value(3)).toStdString();
    return {QStringLiteral("study"), std::move(chosen), -1, {}};
}

} // namespace

QByteArray recipeText(const FigureOrigin& origin) {
    Json json{{kMark, kVersion}};
    json["runs"] = Json::array();
    for (const FigureOrigin::Lanes& lanes : origin.runs) {
        json["runs"].push_back(jsonOf(lanes));
    }
    if (origin.isOfStudy()) {
        json["study_folder"] = origin.studyFolder.toStdString();
        json["study"] = origin.study;
    }
    json["views"] = Json::array();
    for (const FigureOrigin::View& view : origin.views) {
        json["views"].push_back(jsonOf(view));
    }
    json["point"] = origin.point;
    if (!origin.panels.isEmpty()) {
        json["panels"] = jsonOf(origin.panels);
        json["columns"] = origin.columns;
    }
    if (origin.style) {
        json["style"] = jsonOf(*origin.style);
    }
    return QByteArray::fromStdString(json.dump(2, Json::BadUtf8::Replace));
}

Result<FigureOrigin> readFigureOrigin(const QByteArray& recipe, const QString& file) {
    auto document = parseJsonDocument(recipe.toStdString(), file.toStdString());
    if (!document) {
        return Failure{document.error()};
    }
    try {
        if (document->value.isObject()) {
            return originIn(document->value);
        }
    } catch (const JsonError&) { // said below
    }
    return Failure{singleFault(ErrorCode::InvalidData, {{},
                                                        "the recipe in the figure is damaged",
                                                        "Open the experiment file or the run folder instead",
                                                        {file.toStdString(), 0, 0}})};
}

bool areSameExperiment(const Json& a, const Json& b) {
    const auto plain = [](Json experiment) {
        if (experiment.isObject()) {
            for (const char* word : {"name", "description", "published"}) {
                experiment.erase(word);
            }
        }
        return experiment;
    };
    return equalInAnyOrder(plain(a), plain(b));
}

FigureOrigin::View viewOfFigure(const QString& name) {
    if (const QString figure = studyFigureOfPanel(name); !figure.isEmpty()) {
        return viewOfStudyFigure(figure);
    }
    const QString base = name.section(QLatin1Char('@'), 0, 0);
    for (const Place& place : kPlaces) {
        const QString figure = QString::fromLatin1(place.figure);
        const bool isChosenByName = figure.endsWith(QLatin1Char(':'));
        if (isChosenByName ? !base.startsWith(figure) : base != figure) {
            continue;
        }
        const std::string choice = isChosenByName ? base.mid(figure.size()).toStdString() : place.choice;
        return {
            QString::fromLatin1(place.view), *place.chooser == '\0' ? Json() : Json{{place.chooser, choice}}, -1, {}};
    }
    const bool isQuality = std::any_of(qualities().begin(), qualities().end(),
                                       [&](const Quality& quality) { return base == QLatin1String(quality.name); });
    if (isQuality) {
        return {QStringLiteral("quality"), Json{{"Measure", base.toStdString()}}, -1, {}};
    }
    return {};
}

} // namespace lambdascope
