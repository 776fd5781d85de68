// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/inspect/plane_maker.h"

#include "core/inspect/plane_axes.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::pu {

namespace {

/// Numbers in DecisionPlane::states: those of Decision first.
enum State : std::int32_t {
    CertainlyZero,
    CertainlyHalf,
    CertainlyFull,
    AtZero,
    AtHalf,
    AtFull,
    Between,
    Unlabeled,
    Labelled
};

/// `s` < 0 for methods whose coefficients are no σ.
State stateOf(Decision decision, double s) {
    if (decision != Decision::Keep) {
        return static_cast<State>(decision);
    }
    return s < 0 ? Unlabeled : s == 0 ? AtZero : s == 1 ? AtHalf : s == 2 ? AtFull : Between;
}

/// ω = (m/p) Σ_P φ − Σ sφ as a function without bias.
PuModel functionOf(const PuProblem& problem, const Eigen::VectorXd& s) {
    PuModel model;
    model.alpha = -s;
    model.alpha.head(problem.positives()).setConstant(problem.pull());
    if (problem.space().isLinear()) {
        const FeatureRows rows = problem.space().features();
        model.weights = Eigen::VectorXd::Zero(rows.features());
        for (SampleIndex i = 0; i < problem.size(); ++i) {
            rows.addTo(i, model.alpha(i), model.weights.data());
        }
    }
    return model;
}

} // namespace

void PlaneEvidence::take(const ScreeningCheck& check, SampleIndex samples) {
    m_decisions.assign(check.decisions.begin(), check.decisions.end());
    if (check.isAfterwards) {
        m_isLate = true;
    } else {
        m_inTime = m_decisions;
    }
    m_s = Eigen::Map<const Eigen::VectorXd>(check.view.s, samples);
    m_radius = check.radius;
    // Any one optimal bias fixes σ of a sample. Of a place without one something is said of f with every optimal bias.
    const BiasBracket bracket = bracketBias(check.view, check.radius);
    const BiasRange every{bracket.smallest.low, bracket.largest.high};
    m_bracket = {every, every};
}

std::string sampleTitle(const PuSamples& samples, std::int64_t item) {
    const auto place = static_cast<std::size_t>(samples.positives + item);
    std::string title = "sample " + std::to_string(item) + ", row " + std::to_string(samples.sourceRows[place]);
    if (!samples.truth.empty()) {
        title += samples.truth[static_cast<std::size_t>(item)] != 0 ? " (positive)" : " (negative)";
    }
    return title;
}

Eigen::VectorXd sidesOfRows(const PreparedPu& prepared) {
    const PuSamples& samples = prepared.samples();
    Eigen::VectorXd sides = Eigen::VectorXd::Zero(prepared.data().rows());
    double sum = 0;
    for (SampleIndex i = 0; i < samples.size(); ++i) {
        const bool isPositive =
            i < samples.positives ||
            (!samples.truth.empty() && samples.truth[static_cast<std::size_t>(i - samples.positives)] != 0);
        sides(samples.sourceRows[static_cast<std::size_t>(i)]) = isPositive ? 1 : -1;
        sum += isPositive ? 1 : -1;
    }
    const double mean = sum / static_cast<double>(samples.size());
    return sides.unaryExpr([mean](double side) { return side != 0 ? side : mean; });
}

DecisionPlane PlaneMaker::frame(bool isJudgedLate) const {
    DecisionPlane plane = planeFrame(m_prepared.data(), m_axes, m_prepared.config().kernel == KernelKind::Linear);
    const bool hasTruth = !m_prepared.samples().truth.empty();
    plane.sides =
        hasTruth ? std::vector<std::string>{"positive", "negative"} : std::vector<std::string>{"labelled", "unlabeled"};
    plane.areas = {{"σ = 0: f < −1", 1, true}, {"σ = c₂/2: −1 < f < 1", -1, true}, {"σ = c₂: f > 1", 0, true}};
    plane.states = {"σ = 0", "σ = c₂/2", "σ = c₂", "σ = 0", "σ = c₂/2", "σ = c₂", "σ between", "unlabeled", "labelled"};
    for (const State state : {CertainlyZero, CertainlyHalf, CertainlyFull}) {
        plane.states[state] += isJudgedLate ? ", certain" : ", screened";
    }
    plane.screenedStates = 3;
    return plane;
}

void PlaneMaker::addItems(DecisionPlane& plane, const SolvedPu& solved, const PuModel& model,
                          const PlaneEvidence& evidence) const {
    const PuSamples& samples = m_prepared.samples();
    const Eigen::VectorXd x = featureColumn(m_prepared.data(), m_axes.x);
    const Eigen::VectorXd y = featureColumn(m_prepared.data(), m_axes.y);
    const auto draw = [](SampleIndex all, const auto& take) {
        const SampleIndex shown = std::min(all, kMostItems);
        for (SampleIndex k = 0; k < shown; ++k) {
            take(static_cast<SampleIndex>(static_cast<std::int64_t>(k) * all / shown));
        }
    };
    plane.total = samples.unlabeled;
    draw(samples.unlabeled, [&](SampleIndex k) {
        const SampleIndex u = samples.positives + k;
        const auto row = samples.sourceRows[static_cast<std::size_t>(u)];
        const bool isPositive = !samples.truth.empty() && samples.truth[static_cast<std::size_t>(k)] != 0;
        const double s = solved.s.size() > 0 ? solved.s(u) : -1.0;
        plane.items.push_back({k, x(row), y(row), model.values(u), isPositive ? 0 : 1, stateOf(evidence.decision(k), s),
                               sampleTitle(samples, k) + (evidence.isLate(k) ? ", judged afterwards" : "")});
    });
    draw(samples.positives, [&](SampleIndex i) {
        const auto row = samples.sourceRows[static_cast<std::size_t>(i)];
        plane.items.push_back(
            {-1, x(row), y(row), model.values(i), 0, Labelled, "labelled positive, row " + std::to_string(row)});
    });
}

void PlaneMaker::addCells(DecisionPlane& plane, const PuProblem& problem, const DenseRows& places, double lambda,
                          const PlaneEvidence& evidence, StopCheck& stopCheck) const {
    const PuModel function = functionOf(problem, evidence.s());
    const Eigen::VectorXd scores = valuesOn(problem.space(), function, places, stopCheck);
    if (stopCheck.isStopped()) {
        return;
    }
    const double length = function.alpha.cwiseAbs().dot(problem.space().norms());
    const auto terms = static_cast<double>(problem.size()) + static_cast<double>(places.cols());
    const Eigen::VectorXd squares = places.rowwise().squaredNorm();
    const double longest = std::max(squares.maxCoeff(), problem.space().features().squaredNorms().maxCoeff());
    const double error =
        (kernelError(problem.space().kernel(), places.cols(), longest) + 2 * roundingFactor(terms + 8)) * length;
    const double epsilon = problem.epsilon(lambda);
    for (Eigen::Index k = 0; k < places.rows(); ++k) {
        const double norm = std::sqrt(kernelDiagonal(problem.space().kernel(), squares(k)) *
                                      (1 + roundingFactor(static_cast<double>(places.cols()) + 8)));
        const double reach = (evidence.radius() + error) * norm + 8 * kUnitRoundoff * (std::abs(scores(k)) + epsilon);
        plane.cells.push_back(static_cast<std::int8_t>(judge(scores(k), reach, epsilon, evidence.bracket())));
    }
}

DecisionPlane PlaneMaker::make(const PuProblem& problem, const SolvedPu& solved, const PuModel& model,
                               const PlaneEvidence& evidence, StopCheck& stopCheck) const {
    DecisionPlane plane = frame(evidence.isLate());
    addItems(plane, solved, model, evidence);
    const DenseRows places = planePlaces(m_prepared.data(), plane);
    const Eigen::VectorXd values = valuesOn(problem.space(), model, places, stopCheck);
    if (stopCheck.isStopped()) {
        return plane;
    }
    const std::span<const double> heights(values.data(), static_cast<std::size_t>(values.size()));
    plane.levels.push_back({"decision boundary", true, levelLines(plane, heights, 0)});
    plane.levels.push_back({"kinks of the loss, f = ±1", false, levelLines(plane, heights, 1)});
    for (auto& line : levelLines(plane, heights, -1)) {
        plane.levels.back().lines.push_back(std::move(line));
    }
    if (evidence.isThere()) {
        addCells(plane, problem, places, solved.lambda, evidence, stopCheck);
    } else {
        plane.cells.assign(static_cast<std::size_t>(places.rows()), std::int8_t{-1});
    }
    return plane;
}

} // namespace lambdascope::pu
