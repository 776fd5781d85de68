// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/solver/placement.h"

#include "core/numeric/lbfgs.h"
#include "core/ordinal/problem/objective.h"

#include <limits>
#include <map>
#include <set>
#include <vector>

namespace lambdascope::ordinal {

namespace {

constexpr int kMostIterations = 200;
/// Starts beyond the mean; more of them find nothing better in practice.
constexpr std::size_t kMostStarts = 8;

/// Points from which the search begins: the mean of what the object was called close to, and some of them.
std::vector<Eigen::RowVectorXd> startsFor(const Points& x, const WeightedComparisons& answers) {
    const auto self = static_cast<ObjectIndex>(x.rows());
    std::set<ObjectIndex> close;
    for (const Comparison& c : answers.items) {
        if (c.i == self && c.j != self) {
            close.insert(c.j);
        } else if (c.j == self && c.i != self) {
            close.insert(c.i);
        }
    }
    std::vector<Eigen::RowVectorXd> starts(1, x.colwise().mean());
    if (!close.empty()) {
        Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(x.cols());
        for (const ObjectIndex object : close) {
            mean += x.row(object) / static_cast<double>(close.size());
        }
        starts.push_back(mean);
    }
    for (const ObjectIndex object : close) {
        if (starts.size() >= kMostStarts) {
            break;
        }
        // A little off, since some slopes vanish where two points meet.
        starts.push_back(0.9 * x.row(object) + 0.1 * starts.front());
    }
    return starts;
}

} // namespace

Placement placeObject(const Points& x, const WeightedComparisons& answers, const ModelSpec& model,
                      StopCheck& stopCheck) {
    const auto self = static_cast<ObjectIndex>(x.rows());
    // Only the objects that the answers speak of matter; the new one comes last.
    std::map<ObjectIndex, ObjectIndex> places;
    for (const Comparison& c : answers.items) {
        for (const ObjectIndex object : {c.i, c.j, c.l, c.k}) {
            places.try_emplace(object, 0);
        }
    }
    places.try_emplace(self, 0);
    Points all(static_cast<Eigen::Index>(places.size()), x.cols());
    ObjectIndex count = 0;
    for (auto& [object, place] : places) {
        place = count++;
        if (object != self) {
            all.row(place) = x.row(object);
        }
    }
    WeightedComparisons mapped = answers;
    for (Comparison& c : mapped.items) {
        c = {places.at(c.i), places.at(c.j), places.at(c.l), places.at(c.k)};
    }
    const ComparisonSet set(std::move(mapped), count);
    const Objective objective(set, model);
    const ObjectIndex last = count - 1;
    Points gradient;
    const auto function = [&](const Eigen::VectorXd& y, Eigen::VectorXd& slope) {
        all.row(last) = y.transpose();
        const ObjectiveValue value = objective.evaluate(all, &gradient, nullptr, stopCheck);
        slope = gradient.row(last).transpose();
        return value.loss;
    };
    Placement best;
    best.loss = std::numeric_limits<double>::infinity();
    for (const Eigen::RowVectorXd& start : startsFor(x, answers)) {
        Lbfgs search(function, start.transpose());
        for (int iteration = 0; iteration < kMostIterations && !stopCheck.isStopped() && search.iterate();
             ++iteration) {
        }
        if (search.value() < best.loss || best.point.size() == 0) {
            best.loss = search.value();
            best.point = search.point().transpose();
        }
    }
    all.row(last) = best.point;
    best.error = objective.evaluate(all, nullptr, nullptr, stopCheck).error;
    return best;
}

} // namespace lambdascope::ordinal
