// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/engines/linear_engine.h"

#include "core/data/gather_rows.h"
#include "core/numeric/symmetric_products.h"
#include "core/pu/engines/face_newton.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::pu {

namespace {

/// H_μ'(x): 0 below −μ/2, 1 above μ/2, linear between.
double ramp(double x, double width) {
    return std::clamp(x / width + 0.5, 0.0, 1.0);
}

constexpr double kWidthFactor = 0.2;
constexpr int kMostSteps = 60;
constexpr int kMostPolishes = 20;
constexpr std::size_t kLargestFace = 300;
/// Operations of a search along a step, per sample.
constexpr double kSearching = 80;

} // namespace

LinearEngine::LinearEngine(const PuProblem& problem) : PuEngine(problem), m_rows(problem.space().features()) {}

double LinearEngine::bytes() const {
    return PuEngine::bytes() + static_cast<double>(sizeof(double)) * static_cast<double>(m_z.size());
}

double LinearEngine::kinkSlope(double z, double width) const {
    return ramp(z + m_epsilon, width) + ramp(z - m_epsilon, width);
}

void LinearEngine::load(double epsilon, const SolvedPu& start) {
    PuEngine::load(epsilon, start);
    m_weights = start.weights;
    m_iterate = m_weights;
    m_target = m_problem.pull() * m_problem.space().positiveSum();
    m_mass = sumOf(m_s, m_members);
    m_bias = optimalBias(view()).middle();
    m_width = 0;
    m_kinks.clear();
}

void LinearEngine::evaluate(StopCheck& stopCheck) {
    m_z.resize(static_cast<Eigen::Index>(m_members.size()));
    const bool isWhole = static_cast<SampleIndex>(m_members.size()) == m_problem.unlabeled();
    if (isWhole && m_rows.dense() != nullptr) {
        m_z.noalias() = m_rows.dense()->middleRows(m_problem.positives(), m_z.size()) * m_iterate;
        m_z.array() += m_bias;
    } else {
        for (std::size_t k = 0; k < m_members.size(); ++k) {
            m_z(static_cast<Eigen::Index>(k)) = m_rows.dot(m_members[k], m_iterate.data()) + m_bias;
        }
    }
    (void)stopCheck.spend(2 * m_z.size() * m_rows.features());
}

double LinearEngine::newtonWork() const {
    const auto kinks = static_cast<double>(m_kinks.size());
    const double least = std::min(kinks, static_cast<double>(m_rows.features()));
    return productWork(m_kinks.size()) * least + least * least * least / 3;
}

NewtonSystem::Step LinearEngine::newtonStep(double width, const Gradient& gradient, StopCheck& stopCheck) const {
    std::vector<SampleIndex> kinks(m_kinks.size());
    std::transform(m_kinks.begin(), m_kinks.end(), kinks.begin(),
                   [this](const Kink& kink) { return m_members[static_cast<std::size_t>(kink.position)]; });
    const double leastCurvature = 1e-12 * static_cast<double>(m_members.size()) / m_epsilon;
    return NewtonSystem(m_rows, kinks, width, leastCurvature).solve(gradient.weights, gradient.bias, stopCheck);
}

double LinearEngine::lengthAlong(const Eigen::VectorXd& dz, double width, double slope, double curvature) const {
    // The slope along the step rises: find where it turns from negative to positive.
    const auto slopeAt = [&](double t) {
        double sum = slope + curvature * t;
        for (Eigen::Index k = 0; k < dz.size(); ++k) {
            sum += dz(k) * kinkSlope(m_z(k) + t * dz(k), width);
        }
        return sum;
    };
    const double atZero = slopeAt(0);
    const double enough = 0.01 * std::abs(atZero);
    double high = 1;
    double atHigh = slopeAt(high);
    double low = 0;
    for (int i = 0; i < 20 && atHigh < -enough; ++i) {
        low = high;
        high *= 2;
        atHigh = slopeAt(high);
    }
    double t = high;
    double atT = atHigh;
    for (int i = 0; i < 80 && std::abs(atT) > enough; ++i) {
        (atT > 0 ? high : low) = t;
        t = 0.5 * (low + high);
        atT = slopeAt(t);
    }
    return t;
}

void LinearEngine::findKinks(double width) {
    m_kinks.clear();
    for (Eigen::Index k = 0; k < m_z.size(); ++k) {
        for (const double kink : {-m_epsilon, m_epsilon}) {
            if (std::abs(m_z(k) - kink) < 0.5 * width) {
                m_kinks.push_back({static_cast<std::int32_t>(k), kink});
            }
        }
    }
}

LinearEngine::Gradient LinearEngine::gradientAt(double width, StopCheck& stopCheck) const {
    Gradient result;
    result.weights = m_iterate - m_target;
    result.bias = -m_mass.value();
    result.size = 1;
    for (std::size_t k = 0; k < m_members.size(); ++k) {
        if (const double s = kinkSlope(m_z(static_cast<Eigen::Index>(k)), width); s > 0) {
            m_rows.addTo(m_members[k], s, result.weights.data());
            result.bias += s;
            result.size += s * m_problem.space().norms()(m_members[k]);
        }
    }
    (void)stopCheck.spend(2 * m_z.size() * m_rows.features());
    return result;
}

void LinearEngine::bestBias() {
    for (std::size_t k = 0; k < m_members.size(); ++k) {
        m_scores(m_members[k]) = m_z(static_cast<Eigen::Index>(k)) - m_bias;
    }
    const double bias = optimalBias(view()).middle();
    m_z.array() += bias - m_bias;
    m_bias = bias;
}

void LinearEngine::predict(double width, StopCheck& stopCheck) {
    if (m_kinks.empty()) {
        return;
    }
    m_operations += 4 * productWork(m_members.size()) + newtonWork();
    evaluate(stopCheck);
    Gradient gradient = gradientAt(width, stopCheck);
    const double before = gradient.weights.norm() + std::abs(gradient.bias);
    // The same kinks as before, each hinge going on linearly beyond its ends: exact where none leaves or joins.
    for (const Kink& kink : m_kinks) {
        const double x = m_z(kink.position) - kink.at;
        const double missing = x / width + 0.5 - ramp(x, width);
        m_rows.addTo(m_members[static_cast<std::size_t>(kink.position)], missing, gradient.weights.data());
        gradient.bias += missing;
    }
    const NewtonSystem::Step step = newtonStep(width, gradient, stopCheck);
    const Eigen::VectorXd iterate = m_iterate;
    const double bias = m_bias;
    m_iterate += step.weights;
    m_bias += step.bias;
    evaluate(stopCheck);
    gradient = gradientAt(width, stopCheck);
    if (!(gradient.weights.norm() + std::abs(gradient.bias) < before)) {
        m_iterate = iterate;
        m_bias = bias;
    }
}

std::int64_t LinearEngine::minimize(double width, std::int64_t most, StopCheck& stopCheck) {
    std::int64_t steps = 0;
    const double mass = m_mass.value();
    predict(width, stopCheck);
    for (; steps < most && !stopCheck.isStopped(); ++steps) {
        evaluate(stopCheck);
        findKinks(width);
        if (m_kinks.empty()) {
            bestBias(); // Newton's method would know nothing of b
            findKinks(width);
        }
        m_operations += 2 * productWork(m_members.size());
        const Gradient gradient = gradientAt(width, stopCheck);
        if (gradient.weights.norm() <= 1e-12 * gradient.size && std::abs(gradient.bias) <= 1e-12 * (1 + mass)) {
            break;
        }
        m_operations +=
            newtonWork() + productWork(m_members.size()) + kSearching * static_cast<double>(m_members.size());
        const NewtonSystem::Step step = newtonStep(width, gradient, stopCheck);
        Eigen::VectorXd dz(m_z.size());
        for (std::size_t k = 0; k < m_members.size(); ++k) {
            dz(static_cast<Eigen::Index>(k)) = m_rows.dot(m_members[k], step.weights.data()) + step.bias;
        }
        (void)stopCheck.spend(6 * m_z.size() * m_rows.features());
        const double slope = step.weights.dot(m_iterate - m_target) - mass * step.bias;
        const double t = lengthAlong(dz, width, slope, step.weights.squaredNorm());
        const double before = m_iterate.norm() + std::abs(m_bias);
        m_iterate += t * step.weights;
        m_bias += t * step.bias;
        if (t * (step.weights.norm() + std::abs(step.bias)) <= 1e-15 * before) {
            break;
        }
    }
    return steps;
}

Eigen::MatrixXd LinearEngine::productsAmong(const std::vector<SampleIndex>& samples) const {
    const auto count = std::ssize(samples);
    Eigen::MatrixXd products = Eigen::MatrixXd::Zero(count, count);
    if (m_rows.dense() != nullptr) {
        const FeatureRows::Dense x = gatherRows(*m_rows.dense(), samples);
        addRowProducts(RowBlock(x), 1, products);
        products.triangularView<Eigen::StrictlyUpper>() = products.transpose();
        return products;
    }
    Eigen::VectorXd spread = Eigen::VectorXd::Zero(m_rows.features());
    for (Eigen::Index c = 0; c < count; ++c) {
        spread.setZero();
        m_rows.addTo(samples[static_cast<std::size_t>(c)], 1, spread.data());
        for (Eigen::Index r = 0; r < count; ++r) {
            products(r, c) = m_rows.dot(samples[static_cast<std::size_t>(r)], spread.data());
        }
    }
    return products;
}

Eigen::MatrixXd LinearEngine::rowsOf(const std::vector<SampleIndex>& samples) const {
    Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(m_rows.features(), std::ssize(samples));
    for (Eigen::Index c = 0; c < columns.cols(); ++c) {
        m_rows.addTo(samples[static_cast<std::size_t>(c)], 1, columns.col(c).data());
    }
    return columns.transpose();
}

void LinearEngine::polish(StopCheck& stopCheck) {
    std::vector<SampleIndex> face = fractionalSamples(m_s, m_members);
    for (int round = 0; round < kMostPolishes && face.size() > 1 && face.size() <= kLargestFace; ++round) {
        const auto count = static_cast<Eigen::Index>(face.size());
        Eigen::VectorXd distances(count);
        for (Eigen::Index c = 0; c < count; ++c) {
            const SampleIndex v = face[static_cast<std::size_t>(c)];
            distances(c) = m_scores(v) + (m_s(v) < 1 ? m_epsilon : -m_epsilon);
        }
        const Eigen::Index rank = m_rows.features() + 2;
        const bool isWide = rank < count;
        m_operations +=
            isWide ? static_cast<double>(8 * count * rank * rank)
                   : productWork(face.size()) * static_cast<double>(count) + static_cast<double>(count * count * count);
        if (stopCheck.spend(isWide ? 8 * count * rank * rank : 4 * count * count * count)) {
            return;
        }
        const double length = isWide ? stepOnFaceOfRows(face, rowsOf(face), distances, m_s)
                                     : stepOnFace(face, productsAmong(face), distances, m_s);
        if (length == 0) {
            return;
        }
        spreadTo(m_mass, m_members, m_scores.data(), m_epsilon, m_s, [](SampleIndex, double) {});
        scoresFromS(stopCheck);
        face = fractionalSamples(m_s, face);
        if (length == 1 && round > 0) {
            break; // a step and its refinement
        }
    }
}

void LinearEngine::scoresFromS(StopCheck& stopCheck) {
    SolvedPu point;
    point.s = m_s;
    makeScores(m_problem, point, stopCheck);
    m_scores = std::move(point.scores);
    m_weights = std::move(point.weights);
    m_drift = point.drift;
    m_norm = m_weights.norm();
    m_operations += 2 * productWork(static_cast<std::size_t>(m_problem.size()));
    m_value = dualValue(m_problem, m_epsilon, m_s, m_scores);
}

void LinearEngine::makeDual(double width, StopCheck& stopCheck) {
    evaluate(stopCheck);
    m_operations += productWork(m_members.size());
    for (std::size_t k = 0; k < m_members.size(); ++k) {
        m_s(m_members[k]) = std::clamp(quantized(kinkSlope(m_z(static_cast<Eigen::Index>(k)), width)), 0.0, 2.0);
        m_scores(m_members[k]) = m_z(static_cast<Eigen::Index>(k)) - m_bias;
    }
    // What is missing in the sum goes to the samples at the kinks.
    spreadTo(m_mass, m_members, m_scores.data(), m_epsilon, m_s, [](SampleIndex, double) {});
    scoresFromS(stopCheck);
    polish(stopCheck);
}

EngineRun LinearEngine::run(std::int64_t steps, double target, StopCheck& stopCheck) {
    EngineRun result;
    result.violation = violationOf(view());
    if (result.violation <= target || m_members.empty()) {
        return result;
    }
    const double least = 1e-13 * m_epsilon;
    double width = m_width > 0 ? kWidthFactor * m_width : std::max(result.violation, least);
    while (result.steps < steps && !stopCheck.isStopped()) {
        width = std::max(width, least);
        result.steps += 1 + minimize(width, kMostSteps, stopCheck);
        m_width = width;
        makeDual(width, stopCheck);
        result.violation = violationOf(view());
        if (result.violation <= target) {
            break;
        }
        if (width <= least) {
            result.hasStalled = true;
            break;
        }
        width *= kWidthFactor;
    }
    return result;
}

void LinearEngine::updateAll(StopCheck&) {
    m_members.resize(static_cast<std::size_t>(m_problem.unlabeled()));
    for (std::size_t k = 0; k < m_members.size(); ++k) {
        m_members[k] = m_problem.positives() + static_cast<SampleIndex>(k);
    }
    m_target = m_problem.pull() * m_problem.space().positiveSum();
    m_mass = sumOf(m_s, m_members);
    m_kinks.clear();
}

void LinearEngine::refresh(StopCheck& stopCheck) {
    scoresFromS(stopCheck);
}

void LinearEngine::fix(std::span<const Decision> decisions, StopCheck& stopCheck) {
    for (std::size_t k = 0; k < m_members.size(); ++k) {
        if (decisions[k] == Decision::Half || decisions[k] == Decision::Full) {
            m_rows.addTo(m_members[k], -static_cast<double>(decisions[k]), m_target.data());
        }
    }
    if (!applyDecisions(decisions).empty()) {
        scoresFromS(stopCheck);
    }
    m_mass = sumOf(m_s, m_members);
    m_kinks.clear(); // by positions that are no more
}

} // namespace lambdascope::pu
