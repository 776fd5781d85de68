// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/inspect/plane_maker.h"

#include "core/common/number_text.h"
#include "core/inspect/plane_axes.h"
#include "core/svm/inspect/plane_states.h"
#include "core/svm/problem/decision_functions.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

namespace lambdascope::svm {

namespace {

constexpr double kMargin = 0.06; ///< beyond targets and tube, as a share of their extent

/// Places by what is known there; the order is that of DecisionPlane::areas.
enum Area : std::int8_t { Unknown = -1, PositiveSide, NegativeSide, Between, NegativeFull, PositiveFull };

Area areaOf(const MarginRange& range) {
    const bool positiveFull = range.upper < 1;
    const bool negativeFull = range.lower > -1;
    return range.lower > 1                ? PositiveSide
           : range.upper < -1             ? NegativeSide
           : positiveFull && negativeFull ? Between
           : negativeFull                 ? NegativeFull
           : positiveFull                 ? PositiveFull
                                          : Unknown;
}

/// The number of a row, with its name if the data have names.
std::string withName(const PreparedSvm& prepared, SampleIndex row) {
    const std::vector<std::string>& names = prepared.data().rowNames();
    return std::to_string(row) + (names.empty() ? std::string() : " " + names[static_cast<std::size_t>(row)]);
}

/// What sums of these numbers round; infinite where one is.
double roundingOf(double t, double bound, double epsilon) {
    return 4 * kUnitRoundoff * (std::abs(t) + std::abs(bound) + epsilon);
}

std::string negativeName(const PreparedSvm& prepared) {
    const std::vector<std::string>& names = prepared.data().classNames();
    const std::string& positive = prepared.positive();
    return names.size() == 2 ? (names[0] == positive ? names[1] : names[0]) : "not " + positive;
}

} // namespace

std::string sampleTitle(const PreparedSvm& prepared, SampleIndex i) {
    const bool isPositive = prepared.problem().y()(i) > 0;
    const std::string row = withName(prepared, prepared.problem().rowOf(i));
    if (prepared.config().isNovelty()) {
        return "sample " + row;
    }
    return prepared.config().isRegression()
               ? "side of row " + row + (isPositive ? " above the tube" : " below the tube")
               : "sample " + row + (isPositive ? " (+)" : " (−)");
}

void PlaneEvidence::take(const ScreeningCheck& check) {
    const ScreeningReference& reference = check.reference;
    m_c = reference.c;
    if (reference.path != nullptr) {
        m_path = *reference.path;
        m_cut = reference.cut != nullptr ? std::make_shared<Nc3Cut>(*reference.cut) : nullptr;
        m_beyond = reference.beyond != nullptr ? std::optional(*reference.beyond) : std::nullopt;
        m_pathBias = reference.pathBias;
        m_pathOwed = reference.pathOwed;
    } else {
        m_current.emplace();
        m_current->c = reference.c;
        m_current->alpha = *reference.alpha;
        m_current->squaredNorm = exactly(reference.squaredNorm);
        m_current->gap = reference.gap;
        m_currentBias = reference.currentBias;
    }
}

/// Vectors of the feature space as functions of the plane, with bounds of what their values round.
struct PlaneMaker::Vectors {
    explicit Vectors(const SvmProblem& all) : problem(all) {}

    /// w of a point; its place among the columns.
    Eigen::Index add(const SolvedSvm& solved) {
        if (problem.isLinear() && solved.weights.size() > 0) {
            columns.push_back(solved.weights);
            lengths.push_back(solved.weights.norm());
            return static_cast<Eigen::Index>(columns.size()) - 1;
        }
        return add(solved.alpha);
    }
    /// Σ cᵢzᵢ.
    Eigen::Index add(const Eigen::VectorXd& coefficients) {
        Eigen::VectorXd ofRows = problem.rowCoefficients(coefficients);
        lengths.push_back(coefficients.cwiseAbs().dot(problem.norms()));
        if (problem.isLinear()) {
            Eigen::VectorXd w = Eigen::VectorXd::Zero(problem.features().features());
            for (SampleIndex i = 0; i < problem.rowCount(); ++i) {
                problem.features().addTo(i, ofRows(i), w.data());
            }
            ofRows = std::move(w);
        }
        columns.push_back(std::move(ofRows));
        return static_cast<Eigen::Index>(columns.size()) - 1;
    }
    [[nodiscard]] Eigen::MatrixXd matrix() const {
        Eigen::MatrixXd all(columns.front().size(), static_cast<Eigen::Index>(columns.size()));
        for (std::size_t k = 0; k < columns.size(); ++k) {
            all.col(static_cast<Eigen::Index>(k)) = columns[k];
        }
        return all;
    }
    /// Column `k` of `values` and the error of each, per length of the row asked about.
    [[nodiscard]] Direction sight(const Eigen::MatrixXd& values, Eigen::Index k, double productError) const {
        const double rounding = roundingFactor(static_cast<double>(problem.size() + problem.features().features()) + 4);
        return {{values.col(k).data(), static_cast<std::size_t>(values.rows())},
                (productError + 2 * rounding) * lengths[static_cast<std::size_t>(k)]};
    }

    const SvmProblem& problem;
    std::vector<Eigen::VectorXd> columns;
    std::vector<double> lengths; ///< upper bounds of the lengths
    Eigen::Index path = -1;
    Eigen::Index cut = -1;
    Eigen::Index current = -1;
    Eigen::Index origin = -1; ///< of a free bias
};

DecisionPlane PlaneMaker::frame() const {
    DecisionPlane plane = planeFrame(m_prepared.data(), m_axes, m_prepared.problem().isLinear());
    const std::string other = negativeName(m_prepared);
    plane.sides = {m_prepared.positive(), other};
    plane.areas = {{"R for " + plane.sides[0], 0, true},
                   {"R for " + other, 1, true},
                   {"L for both", -1, true},
                   {"L for " + other, 0, false},
                   {"L for " + plane.sides[0], 1, false}};
    plane.states = {"R, screened", "L, screened", "R", "L", "E"};
    plane.screenedStates = 2;
    return plane;
}

DecisionPlane PlaneMaker::noveltyFrame() const {
    DecisionPlane plane = planeFrame(m_prepared.data(), m_axes, m_prepared.problem().isLinear());
    plane.areas = {{"inside", -1, true}, {"outside", 1, true}};
    plane.sides = {""};
    plane.states = {"inside, screened", "outside, screened", "inside", "outside", "on the boundary"};
    plane.screenedStates = 2;
    return plane;
}

DecisionPlane PlaneMaker::tubeFrame() const {
    DecisionPlane plane = planeFrame(m_prepared.data(), m_axes, m_prepared.problem().isLinear());
    const std::string epsilon = shortText(m_prepared.config().epsilon);
    if (m_axes.y < 0) {
        const std::string& name = m_prepared.data().targetName();
        plane.yLabel = name.empty() ? "target" : name;
        plane.areas = {{"inside the tube", -1, true}, {"above the tube", 0, true}, {"below the tube", 1, true}};
    } else {
        plane.areas = {{"within " + epsilon + " of the optimum", -1, true}};
    }
    plane.valueLabel = "target − f(x)";
    plane.sides = {""};
    plane.states = {"inside the tube, screened", "beyond the tube, screened", "inside the tube", "beyond the tube",
                    "on its edge"};
    plane.screenedStates = 2;
    return plane;
}

void PlaneMaker::addRows(DecisionPlane& plane, const SolvedSvm& solved, std::span<const Decision> decisions) const {
    const SvmProblem& problem = m_prepared.problem();
    const Eigen::VectorXd x = featureColumn(m_prepared.data(), m_axes.x);
    const Eigen::VectorXd y = m_axes.y < 0 ? m_prepared.targets() : featureColumn(m_prepared.data(), m_axes.y);
    const SampleIndex rows = problem.rowCount();
    const SampleIndex shown = std::min(rows, kMostItems);
    plane.total = rows;
    for (SampleIndex k = 0; k < shown; ++k) {
        const auto row = static_cast<SampleIndex>(static_cast<std::int64_t>(k) * rows / shown);
        const double off = m_prepared.targets()(row) - m_prepared.targetMean() - solved.marginOf(row, 1);
        plane.items.push_back({off >= 0 ? row : row + rows, x(row), y(row), off, 0,
                               stateOfRow(problem, solved, decisions, row), "row " + withName(m_prepared, row)});
    }
}

void PlaneMaker::drawClasses(DecisionPlane& plane, std::span<const double> f,
                             std::span<const MarginRange> known) const {
    plane.levels.push_back({"decision boundary", true, levelLines(plane, f, 0)});
    plane.levels.push_back({"margins, f = ±1", false, levelLines(plane, f, 1)});
    for (auto& line : levelLines(plane, f, -1)) {
        plane.levels.back().lines.push_back(std::move(line));
    }
    std::transform(known.begin(), known.end(), std::back_inserter(plane.cells), areaOf);
}

void PlaneMaker::drawTube(DecisionPlane& plane, std::span<const double> f, std::span<const MarginRange> known) const {
    const double epsilon = m_prepared.config().epsilon;
    const auto [least, most] = std::minmax_element(f.begin(), f.end());
    const double low = std::min(m_prepared.targets().minCoeff(), *least - epsilon);
    const double high = std::max(m_prepared.targets().maxCoeff(), *most + epsilon);
    const double room = high > low ? kMargin * (high - low) : std::max(1.0, std::abs(high));
    plane.yLow = low - room;
    plane.yHigh = high + room;
    const auto curve = [&](double above) {
        std::vector<DecisionPlane::Place> line;
        for (std::int32_t column = 0; column < plane.columns; ++column) {
            line.push_back({columnCentre(plane, column), f[static_cast<std::size_t>(column)] + above});
        }
        return line;
    };
    plane.levels.push_back({"fitted curve f(x)", true, {curve(0)}});
    plane.levels.push_back({"tube, f ± " + shortText(epsilon), false, {curve(epsilon), curve(-epsilon)}});
    const std::vector<DecisionPlane::Place> centres = cellCentres(plane);
    for (std::size_t k = 0; k < centres.size(); ++k) {
        const double t = centres[k].y;
        const auto [lower, upper] = known[k % static_cast<std::size_t>(plane.columns)];
        const double above = roundingOf(t, upper, epsilon);
        const double below = roundingOf(t, lower, epsilon);
        const bool isInside = t > upper - epsilon + above && t < lower + epsilon - below;
        const int beyond = t > upper + epsilon + above ? 1 : t < lower - epsilon - below ? 2 : -1;
        plane.cells.push_back(static_cast<std::int8_t>(isInside ? 0 : beyond));
    }
}

void PlaneMaker::drawContours(DecisionPlane& plane, std::span<const double> f,
                              std::span<const MarginRange> known) const {
    constexpr int kMostLines = 6;
    const double epsilon = m_prepared.config().epsilon;
    const auto [least, most] = std::minmax_element(f.begin(), f.end());
    for (const double level : roundNumbers(*least, *most, kMostLines)) {
        plane.levels.push_back({"f = " + shortText(level), false, levelLines(plane, f, level)});
    }
    for (std::size_t k = 0; k < known.size(); ++k) {
        const bool isWithin = known[k].upper <= f[k] + epsilon - roundingOf(f[k], known[k].upper, epsilon) &&
                              known[k].lower >= f[k] - epsilon + roundingOf(f[k], known[k].lower, epsilon);
        plane.cells.push_back(static_cast<std::int8_t>(isWithin ? 0 : -1));
    }
}

void PlaneMaker::drawNovelty(DecisionPlane& plane, std::span<const double> f, std::span<const MarginRange> known) {
    plane.levels.push_back({"boundary, f = 0", true, levelLines(plane, f, 0)});
    std::transform(known.begin(), known.end(), std::back_inserter(plane.cells), [](const MarginRange& range) {
        return static_cast<std::int8_t>(range.lower > 0 ? 0 : range.upper < 0 ? 1 : -1);
    });
}

void PlaneMaker::addItems(DecisionPlane& plane, const SolvedSvm& solved, std::span<const Decision> decisions) const {
    const SvmProblem& problem = m_prepared.problem();
    const Eigen::VectorXd x = featureColumn(m_prepared.data(), m_axes.x);
    const Eigen::VectorXd y = featureColumn(m_prepared.data(), m_axes.y);
    const SampleIndex shown = std::min(problem.size(), kMostItems);
    plane.total = problem.size();
    for (SampleIndex k = 0; k < shown; ++k) {
        const auto i = static_cast<SampleIndex>(static_cast<std::int64_t>(k) * problem.size() / shown);
        plane.items.push_back({i, x(i), y(i), problem.y()(i) * solved.marginOf(i, problem.y()(i)),
                               problem.y()(i) > 0 ? 0 : 1, // one class is the first
                               stateOf(problem, solved, decisions[static_cast<std::size_t>(i)], i),
                               sampleTitle(m_prepared, i)});
    }
}

std::vector<MarginRange> PlaneMaker::rangesOver(const SvmProblem& probes, const Vectors& vectors,
                                                const Eigen::MatrixXd& values, const PlaneEvidence& evidence) const {
    const Eigen::Index features = m_prepared.data().features();
    const KernelFunction kernel = m_prepared.config().kernelFor(features);
    const double longest = std::max(probes.features().squaredNorms().maxCoeff(),
                                    m_prepared.problem().features().squaredNorms().maxCoeff());
    const double error = probes.isLinear() ? 0 : kernelError(kernel, features, longest);
    std::vector<SampleIndex> all(static_cast<std::size_t>(probes.size()));
    std::iota(all.begin(), all.end(), SampleIndex{0});
    std::vector<MarginRange> known(
        all.size(), MarginRange{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()});
    std::vector<MarginRange> ranges(all.size());
    const auto narrow = [&](BoundKind kind, const ScreeningReference& reference, const RegionSights& sights) {
        const auto region = makeRegion(kind, probes, reference, sights);
        if (!region) {
            return;
        }
        region->ranges(all, ranges);
        for (std::size_t k = 0; k < known.size(); ++k) {
            known[k] = {std::max(known[k].lower, ranges[k].lower), std::min(known[k].upper, ranges[k].upper)};
        }
    };
    ScreeningReference path;
    path.c = evidence.c();
    path.path = evidence.path();
    path.cut = evidence.cut();
    path.beyond = evidence.beyond();
    path.gap = std::numeric_limits<double>::infinity();
    path.pathBias = evidence.pathBias();
    path.pathOwed = evidence.pathOwed();
    ScreeningReference current;
    current.c = evidence.c();
    current.gap = path.gap;
    RegionSights sights;
    const Eigen::VectorXd reaches =
        vectors.origin >= 0 ? m_prepared.problem().reachesOf(probes.diagonal(), values.col(vectors.origin), error)
                            : probes.norms();
    sights.reaches = {reaches.data(), static_cast<std::size_t>(reaches.size())};
    // What the solver keeps may be off by its own errors besides.
    if (vectors.path >= 0) {
        sights.path = vectors.sight(values, vectors.path, error);
        sights.path.error += evidence.path()->marginError;
    }
    if (vectors.cut >= 0) {
        sights.cut = vectors.sight(values, vectors.cut, error);
        sights.cut.error += evidence.cut()->error();
    }
    if (vectors.current >= 0) {
        current.gap = evidence.current()->gap;
        current.currentBias = evidence.currentBias();
        sights.current = vectors.sight(values, vectors.current, error);
    }
    for (const BoundKind kind : evidence.bounds()) {
        narrow(kind, path, sights);
        narrow(kind, current, sights);
    }
    return known;
}

FeatureRows::Dense PlaneMaker::placesOf(const DecisionPlane& plane) const {
    const Eigen::Index features = m_prepared.data().features();
    FeatureRows::Dense places = planePlaces(m_prepared.data(), plane);
    const Eigen::Index all = m_prepared.problem().features().features();
    if (all > features) { // the constant feature of a bias
        places.conservativeResize(Eigen::NoChange, all);
        places.col(features).setConstant(m_prepared.config().kernelFor(features).bias);
    }
    return places;
}

DecisionPlane PlaneMaker::make(const SolvedSvm& solved, std::span<const Decision> decisions,
                               const PlaneEvidence& evidence, StopCheck& stopCheck) const {
    const bool isRegression = m_prepared.config().isRegression();
    const bool isNovelty = m_prepared.config().isNovelty();
    DecisionPlane plane = isRegression ? tubeFrame() : isNovelty ? noveltyFrame() : frame();
    isRegression ? addRows(plane, solved, decisions) : addItems(plane, solved, decisions);
    const SvmProblem& problem = m_prepared.problem();
    const KernelFunction kernel = m_prepared.config().kernelFor(m_prepared.data().features());
    const FeatureRows::Dense places = placesOf(plane);
    const Eigen::Index cells = places.rows();
    Vectors vectors(problem);
    vectors.add(solved);
    if (evidence.path() != nullptr) {
        vectors.path = vectors.add(*evidence.path());
    }
    if (evidence.cut() != nullptr) {
        vectors.cut = vectors.add(evidence.cut()->coefficients());
    }
    if (evidence.current() != nullptr) {
        vectors.current = vectors.add(*evidence.current());
    }
    if (problem.hasFreeBias()) {
        vectors.origin = vectors.add(Eigen::VectorXd(problem.origin().cwiseProduct(problem.y())));
    }
    const DecisionFunctions functions = problem.isLinear()
                                            ? DecisionFunctions(vectors.matrix())
                                            : DecisionFunctions(kernel, problem.features(), vectors.matrix());
    const Eigen::MatrixXd values = functions.values(places, stopCheck);
    if (stopCheck.isStopped()) {
        return plane;
    }
    const Eigen::VectorXd f = values.col(0).array() + solved.bias + m_prepared.targetMean();
    const std::span<const double> heights(f.data(), static_cast<std::size_t>(f.size()));
    const auto store = problem.isLinear()
                           ? nullptr
                           : std::make_shared<const KernelRows>(kernel, places, KernelRows::bytesPerRow(cells));
    const SvmProblem probes(places, Eigen::VectorXd::Ones(cells), Eigen::VectorXd::Ones(cells), store,
                            problem.hasFreeBias());
    std::vector<MarginRange> known = rangesOver(probes, vectors, values, evidence);
    for (MarginRange& range : known) { // of f as it is told
        range = {range.lower + m_prepared.targetMean(), range.upper + m_prepared.targetMean()};
    }
    isRegression ? m_axes.y < 0 ? drawTube(plane, heights, known) : drawContours(plane, heights, known)
    : isNovelty ? drawNovelty(plane, heights, known)
                 : drawClasses(plane, heights, known);
    return plane;
}

} // namespace lambdascope::svm
