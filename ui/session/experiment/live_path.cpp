// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/experiment/live_path.h"

#include "core/inspect/plane_sampler.h"

#include <utility>

namespace lambdascope {

namespace {

constexpr std::int64_t kLargestSolution = std::int64_t{64} * 64;

struct RecordSink : EventSink {
    RunRecord record;
    void publish(const RunEvent& event) noexcept override { record.apply(event); }
};

} // namespace

LivePath::LivePath(Options options, QObject* parent) : QObject(parent), m_options(std::move(options)) {
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, &LivePath::advance);
}

std::string LivePath::usualLane(const Json& document) {
    std::string last;
    std::string screening;
    const Json lanes = document.isObject() ? document.value("lanes", Json::array()) : Json::array();
    for (const Json& lane : lanes.isArray() ? lanes : Json::array()) {
        if (lane.isObject() && lane.value("name", Json()).isText()) {
            last = lane.value("name", std::string());
            const Json bounds = lane.value("bounds", Json::array());
            screening = bounds.isArray() && !bounds.empty() ? last : screening;
        }
    }
    return screening.empty() ? last : screening;
}

void LivePath::request(Wish wish) {
    m_wanted = std::move(wish);
    m_sinceWish.start();
    advance();
}

void LivePath::lookAt(std::int32_t point, PlaneAxes axes) {
    if (point != m_point || !(axes == m_axes)) {
        m_point = point;
        m_axes = axes;
        m_isPlaneDue = m_path != nullptr;
        advance();
    }
}

void LivePath::clear() {
    m_wanted.reset();
    m_jobs.stopAll();
    m_current.reset();
    m_runner.reset();
    m_path.reset();
    m_plane.reset();
    m_trouble.clear();
    m_isPlaneDue = false;
    Q_EMIT pathChanged();
    Q_EMIT planeChanged();
    Q_EMIT activityChanged();
}

void LivePath::advance() {
    if (m_current != nullptr) {
        const qint64 left = kPatience - m_sinceStart.elapsed();
        if (m_wanted && left <= 0) {
            m_jobs.stopAll();
        } else if (m_wanted && !m_patience.isActive()) {
            m_patience.start(static_cast<int>(left));
        }
        return;
    }
    const bool isQuick = m_planeTook < kPatience;
    if (m_isPlaneDue && m_runner != nullptr && (!m_wanted || isQuick)) {
        startPlane();
    } else if (m_wanted) {
        startPath();
    }
}

void LivePath::startPath() {
    m_wishAge = 1e-3 * static_cast<double>(m_sinceWish.elapsed());
    m_isPath = true;
    Wish wish = std::move(*m_wanted);
    m_wanted.reset();
    m_places = wish.places;
    const Json data = wish.document.isObject() ? wish.document.value("data", Json()) : Json();
    const Json edits = data.isObject() ? data.value("edits", Json()) : Json();
    m_edits = edits.isText() ? edits.get<std::string>() : std::string();
    m_sinceStart.start();
    m_current = m_jobs.start([options = m_options, wish = std::move(wish)](const std::stop_token& stop) {
        return compute(options, wish, stop);
    });
    Q_EMIT activityChanged();
}

Result<LivePath::Outcome> LivePath::compute(const Options& options, const Wish& wish, const std::stop_token& stop) {
    Json document = wish.document;
    document["run"]["timing_repeats"] = 1;
    auto experiment = validateExperiment(document, *options.catalog);
    if (!experiment) {
        return Failure{experiment.error()};
    }
    const Family* family = options.findFamily((*experiment)->family);
    if (family == nullptr) {
        return Failure{plainError(ErrorCode::InvalidConfiguration, "the family cannot be computed here")};
    }
    ExperimentOptions choices;
    choices.wishes = {.solutions = true, .solutionLimit = kLargestSolution, .threads = 1};
    choices.places = wish.places;
    choices.lanes = {wish.lane.empty() ? usualLane((*experiment)->document) : wish.lane};
    auto runner = std::make_shared<ExperimentRunner>(std::move(*experiment), *family, std::move(choices));
    if (auto ready = runner->prepare({}, stop); !ready) {
        return Failure{ready.error()};
    }
    RecordSink sink;
    const auto outcome = runner->run(sink, stop);
    if (!outcome) {
        return Failure{outcome.error()};
    }
    if (outcome->lanes.front().error) {
        return Failure{*outcome->lanes.front().error};
    }
    auto path = std::make_shared<Path>();
    path->record = std::move(sink.record);
    path->isWhole = outcome->lanes.front().termination != Termination::StoppedByUser;
    return Outcome{std::move(runner), std::move(path), nullptr};
}

void LivePath::startPlane() {
    m_isPlaneDue = false;
    m_isPath = false;
    auto plane = std::make_shared<Plane>();
    const auto finished = static_cast<std::int32_t>(m_path->record.finishedPointCount());
    plane->edits = m_path->edits;
    plane->point = m_point < 0 || m_point >= finished ? finished - 1 : m_point;
    m_sinceStart.start();
    m_current = m_jobs.start([runner = m_runner, places = m_places, plane, axes = m_axes](const std::stop_token& stop) {
        return draw(*runner, places, plane, axes, stop);
    });
    Q_EMIT activityChanged();
}

Result<LivePath::Outcome> LivePath::draw(ExperimentRunner& runner, const DataPlaces& places,
                                         std::shared_ptr<Plane> plane, PlaneAxes axes, const std::stop_token& stop) {
    const DataConfig& config = runner.experiment().data;
    if (config.pca || config.scale == Scaling::UnitNorm || plane->point < 0) {
        return Outcome{}; // no plane of the features as they were read
    }
    const auto alike = loadAlike(config, nullptr, places, {}, stop);
    if (!alike) {
        return Failure{alike.error()};
    }
    plane->scaling = alike->scaling;
    const auto lens = runner.makeLens(0);
    if (lens == nullptr || !capability<PlaneSampler>(*lens)) {
        return Outcome{nullptr, nullptr, std::move(plane)};
    }
    if (auto opened = lens->open(plane->point + 1, {}, stop); !opened) {
        return Failure{opened.error()};
    }
    auto drawn = askLens(*lens, &PlaneSampler::plane, plane->point, axes, stop);
    if (!drawn) {
        return Failure{drawn.error()};
    }
    if (drawn->axes.y >= 0) { // else it is no plane of two features
        plane->drawn = std::move(*drawn);
    }
    return Outcome{nullptr, nullptr, std::move(plane)};
}

void LivePath::takeFinished() {
    const auto job = m_jobs.takeFinished();
    if (job == nullptr || job != m_current) {
        return; // taken by an earlier call, or dropped
    }
    m_current.reset();
    m_planeTook = m_isPath ? m_planeTook : m_sinceStart.elapsed();
    if (Result<Outcome>& result = job->result()) {
        take(std::move(*result));
    } else if (m_isPath && result.error().code != ErrorCode::Stopped) {
        const Error& error = result.error();
        m_trouble = error.faults.empty() ? error.message : error.faults.front().text();
        m_isPlaneDue = false;
        Q_EMIT pathChanged();
    }
    advance();
    Q_EMIT activityChanged();
}

void LivePath::take(Outcome outcome) {
    if (!m_isPath) {
        m_plane = std::move(outcome.plane);
        Q_EMIT planeChanged();
        return;
    }
    if (outcome.path->record.finishedPointCount() == 0) {
        return; // stopped before there was anything to see
    }
    outcome.path->edits = m_edits;
    outcome.path->seconds = m_wishAge + 1e-3 * static_cast<double>(m_sinceStart.elapsed());
    m_trouble.clear();
    m_runner = std::move(outcome.runner);
    m_path = std::move(outcome.path);
    m_isPlaneDue = true;
    Q_EMIT pathChanged();
}

} // namespace lambdascope
