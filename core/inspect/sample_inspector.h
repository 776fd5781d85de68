// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/clocks.h"
#include "core/common/stop_check.h"
#include "core/inspect/certifier.h"
#include "core/inspect/decision_auditor.h"
#include "core/inspect/decision_recorder.h"
#include "core/inspect/function_observer.h"
#include "core/inspect/item_explainer.h"
#include "core/inspect/notable_items.h"
#include "core/inspect/path_replay.h"
#include "core/inspect/plane_axes.h"
#include "core/inspect/plane_sampler.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lambdascope {

/// What lenses share whose items are single samples: finding notable ones, telling decisions, walking the path again
/// and watching it, adding up an audit or a certificate. `Kind` names the types of the family:
///   Task, Observer, Check   its PathTask, its ScreeningObserver and what that is shown
///   Decision                with Keep for samples that stay
///   kSets                   its decisions in the order in which notable samples are listed, Keep last
///   kNoun                   "a sample"
///   nameOf(decision)        its set: "R"; empty for Keep
/// A lens fills in the functions at the end.
template <class Kind>
class SampleInspector : public RunLens,
                        public ItemExplainer,
                        public DecisionAuditor,
                        public DecisionRecorder,
                        public Certifier,
                        public PlaneSampler {
  public:
    using Decision = typename Kind::Decision;
    using Decisions = std::vector<Decision>;
    using Check = typename Kind::Check;

    Result<void> open(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) final {
        return m_replay.walk(mostPoints, {}, {}, progress, stop);
    }
    Result<void> computeAt(std::vector<double> axisValues) final { return m_replay.computeAt(std::move(axisValues)); }
    [[nodiscard]] const LaneDescription& lane() const final { return m_replay.description(); }
    [[nodiscard]] const std::vector<RecomputedPoint>& path() const final { return m_replay.path(); }
    [[nodiscard]] Result<std::int64_t> findItem(const std::string& text) final {
        return itemNumber(text, items(), Kind::kNoun);
    }

    /// The samples of that row of the data.
    Result<std::vector<NotableItem>> itemsOfSample(std::int64_t sample, std::int32_t point, std::size_t /*count*/,
                                                   std::stop_token stop) final {
        if (auto checked = checkPlace(sample, point, rows()); !checked) {
            return Failure{checked.error()};
        }
        Decisions decisions;
        const auto report = replay(point, keepLast(decisions), stop);
        if (!report) {
            return Failure{report.error()};
        }
        std::vector<NotableItem> found;
        for (const std::int64_t item : itemsOfRow(sample)) {
            found.push_back(notable(item, decisions[static_cast<std::size_t>(item)], *report));
            found.back().title = titleOf(item);
        }
        return found;
    }

    Result<std::vector<NotableItem>> notableItems(std::int32_t point, std::size_t count, std::stop_token stop) final {
        if (auto checked = m_replay.checkPoint(point); !checked) {
            return Failure{checked.error()};
        }
        Decisions decisions;
        const auto report = replay(point, keepLast(decisions), stop);
        if (!report) {
            return Failure{report.error()};
        }
        std::vector<NotableItem> result;
        for (const Decision set : Kind::kSets) {
            std::vector<NotableItem> few;
            for (std::size_t k = 0; k < decisions.size(); ++k) {
                if (decisions[k] == set) {
                    few.push_back(notable(static_cast<std::int64_t>(k), set, *report));
                }
            }
            addMostNotable(
                std::move(few), set == Decision::Keep, count / std::size(Kind::kSets),
                [this](std::int64_t item) { return titleOf(item); }, result);
        }
        return result;
    }

    Result<AuditReport> audit(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) final {
        const double start = wallSeconds();
        AuditReport sum;
        sum.promisedGap = promisedGap();
        const auto visit = [&](const PathPoint& point, const PointReport& report, const Decisions& decisions) {
            ++sum.points;
            return auditPoint(point, report, decisions, sum, stop);
        };
        if (auto seen = visitDecided(mostPoints, visit, progress, stop); !seen) {
            return Failure{seen.error()};
        }
        sum.seconds = wallSeconds() - start;
        return sum;
    }

    Result<void> certify(Range range, std::int32_t mostPoints, const Take& take, const Progress& progress,
                         std::stop_token stop) final {
        if (!screens()) {
            return {};
        }
        const auto visit = [&](const PathPoint& point, const PointReport& report,
                               const Decisions& decisions) -> Result<void> {
            if (!range.holds(point.index)) {
                return {};
            }
            auto certified = certifiedPoint(report, decisions, point.value, stop);
            if (!certified) {
                return Failure{certified.error()};
            }
            certified->index = point.index;
            certified->axisValue = point.value;
            return take(std::move(*certified));
        };
        return visitDecided(mostPoints, visit, progress, stop);
    }

    /// Samples are the items.
    Result<ItemSet> itemsOf(const ItemSet& samples, std::stop_token /*stop*/) override {
        ItemSet found(items());
        samples.visit([&found](std::int64_t sample) {
            if (sample < found.size()) {
                found.insert(sample);
            }
        });
        return found;
    }
    Result<ItemSet> samplesOf(const ItemSet& items, std::stop_token stop) override {
        return itemsOf(items, std::move(stop));
    }
    [[nodiscard]] std::string belonging() const override { return {}; }

    Result<DecisionHistory> decisions(const Progress& progress, std::stop_token stop) final {
        constexpr std::size_t kSettled = std::size(Kind::kSets) - 1; // the last one keeps
        std::vector<std::string> names;
        for (std::size_t set = 0; set < kSettled; ++set) {
            names.push_back(Kind::nameOf(Kind::kSets[set]));
        }
        DecisionHistory history(names);
        if (!screens()) {
            return history;
        }
        const auto visit = [&](const PathPoint&, const PointReport&, const Decisions& decisions) -> Result<void> {
            if (stop.stop_requested()) {
                return stopped();
            }
            std::vector<ItemSet> sets(kSettled, ItemSet(items()));
            for (std::size_t k = 0; k < decisions.size(); ++k) {
                for (std::size_t set = 0; set < kSettled; ++set) {
                    if (decisions[k] == Kind::kSets[set]) {
                        sets[set].insert(static_cast<std::int64_t>(k));
                    }
                }
            }
            return history.add(std::move(sets));
        };
        if (auto seen = visitDecided(0, visit, progress, stop); !seen) {
            return Failure{seen.error()};
        }
        return history;
    }

    Result<DecisionPlane> plane(std::int32_t point, const PlaneAxes& axes, std::stop_token stop) final {
        if (const std::string obstacle = planeObstacle(data(), isPrecomputed(), fitsNumbers()); !obstacle.empty()) {
            return Failure{plainError(ErrorCode::BadUsage, obstacle)};
        }
        if (auto checked = m_replay.checkPoint(point); !checked) {
            return Failure{checked.error()};
        }
        const bool isLine = fitsNumbers() && data().features() == 1;
        const auto chosen = isLine ? Result<PlaneAxes>(PlaneAxes{0, -1}) : chosenAxes(data(), sides(), axes);
        if (!chosen) {
            return Failure{chosen.error()};
        }
        StopCheck stopCheck([&stop] { return stop.stop_requested(); });
        auto drawn = drawPlane(point, *chosen, stop, stopCheck);
        if (drawn && stopCheck.isStopped()) {
            return Failure{plainError(ErrorCode::Stopped, "stopped while drawing the plane")};
        }
        return drawn;
    }

  protected:
    using OnCheck = std::function<void(const Check&)>;

    SampleInspector(PathReplay::MakeTask makeTask, std::uint64_t seed) : m_replay(std::move(makeTask), seed) {}

    /// BadUsage when there is no such sample or no such point.
    [[nodiscard]] Result<void> checkPlace(std::int64_t item, std::int32_t point) const {
        return checkPlace(item, point, items());
    }
    [[nodiscard]] Result<void> checkPlace(std::int64_t item, std::int32_t point, std::int64_t end) const {
        if (auto checked = m_replay.checkPoint(point); !checked) {
            return checked;
        }
        if (item < 0 || item >= end) {
            return Failure{plainError(ErrorCode::BadUsage, "there is no sample " + std::to_string(item))};
        }
        return {};
    }
    /// Solves a point again, showing every check to `watch`.
    Result<PointReport> replay(std::int32_t point, const OnCheck& watch, const std::stop_token& stop) {
        Watcher watcher(watch);
        return m_replay.replay(point, listenWith(watcher), {}, stop);
    }
    [[nodiscard]] static Failure stopped() {
        return Failure{plainError(ErrorCode::Stopped, "stopped while looking into the lane")};
    }
    /// Sets `decisions` to Keep, and from then on to what a check decided.
    [[nodiscard]] OnCheck keepLast(Decisions& decisions) const {
        decisions.assign(static_cast<std::size_t>(items()), Decision::Keep);
        return [&decisions](const Check& check) { decisions.assign(check.decisions.begin(), check.decisions.end()); };
    }

    PathReplay m_replay;

  private:
    using Watcher = FunctionObserver<typename Kind::Observer, Check>;

    static PathReplay::Listen listenWith(Watcher& watcher) {
        return [&watcher](PathTask& task, bool isOn) {
            dynamic_cast<typename Kind::Task&>(task).observe(isOn ? &watcher : nullptr);
        };
    }

    /// Walks the lane (see PathReplay::visit) and shows each point with the last decisions that were made there.
    template <class Visit>
    Result<void> visitDecided(std::int32_t mostPoints, const Visit& visit, const Progress& progress,
                              const std::stop_token& stop) {
        Decisions decisions;
        Watcher watcher(keepLast(decisions));
        const auto visitPoint = [&](const PathPoint& point, const PointReport& report) {
            auto visited = visit(point, report, decisions);
            std::fill(decisions.begin(), decisions.end(), Decision::Keep);
            return visited;
        };
        return m_replay.visit(mostPoints, listenWith(watcher), visitPoint, progress, stop);
    }

    /// Rows that itemsOfSample() may be asked about.
    [[nodiscard]] virtual std::int64_t rows() const { return items(); }
    /// Samples of a row of the data, where there is more than one for each.
    [[nodiscard]] virtual std::vector<std::int64_t> itemsOfRow(std::int64_t row) const { return {row}; }
    /// Without its title.
    [[nodiscard]] virtual NotableItem notable(std::int64_t item, Decision decision,
                                              const PointReport& report) const = 0;
    [[nodiscard]] virtual std::string titleOf(std::int64_t item) const = 0;

    /// What reference solutions promise of their relative gap.
    [[nodiscard]] virtual double promisedGap() const = 0;
    /// Adds what the accurate solution of a point says of its last decisions.
    virtual Result<void> auditPoint(const PathPoint& point, const PointReport& report, const Decisions& decisions,
                                    AuditReport& sum, const std::stop_token& stop) = 0;

    /// Whether the lane decides anything.
    [[nodiscard]] virtual bool screens() const = 0;
    /// What proves the last decisions at a point; without its place on the path.
    virtual Result<CertifiedPoint> certifiedPoint(const PointReport& report, const Decisions& decisions,
                                                  double axisValue, const std::stop_token& stop) = 0;

    [[nodiscard]] virtual const Dataset& data() const = 0;
    [[nodiscard]] virtual bool isPrecomputed() const = 0; ///< the kernel's values are the data
    /// ±1 of each row, for chosenAxes(); the numbers to fit where fitsNumbers().
    [[nodiscard]] virtual Eigen::VectorXd sides() const = 0;
    /// Rows have numbers to fit in place of classes.
    [[nodiscard]] virtual bool fitsNumbers() const { return false; }
    virtual Result<DecisionPlane> drawPlane(std::int32_t point, const PlaneAxes& axes, const std::stop_token& stop,
                                            StopCheck& stopCheck) = 0;
};

} // namespace lambdascope
