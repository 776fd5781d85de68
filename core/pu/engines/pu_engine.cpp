// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/engines/pu_engine.h"

#include "core/numeric/compensated_sums.h"
#include "core/pu/engines/kernel_engine.h"
#include "core/pu/engines/linear_engine.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lambdascope::pu {

namespace {

/// Making half of the kernel matrix in tiles costs as much as this share of its rows, made and kept.
constexpr double kTileShare = 5;

} // namespace

PuEngine::PuEngine(const PuProblem& problem) : m_problem(problem) {}

void PuEngine::load(double epsilon, const SolvedPu& start) {
    m_epsilon = epsilon;
    m_s = start.s;
    m_scores = start.scores;
    m_drift = start.drift;
    m_norm = std::min(m_problem.largestNorm(), std::sqrt(std::max(start.squaredNorm, 0.0)) * 1.001 + 1e-300);
    if (start.squaredNorm <= 0) {
        m_norm = m_problem.largestNorm();
    }
    m_members.resize(static_cast<std::size_t>(m_problem.unlabeled()));
    std::iota(m_members.begin(), m_members.end(), m_problem.positives());
    m_value = dualValue(m_problem, epsilon, m_s, m_scores);
    m_kernelValues = 0;
    m_operations = 0;
}

double dualValue(const PuProblem& problem, double epsilon, const Eigen::VectorXd& s, const Eigen::VectorXd& scores) {
    const SampleIndex p = problem.positives();
    const double squaredNorm = problem.pull() * scores.head(p).sum() - s.dot(scores);
    return epsilon * s.tail(problem.unlabeled()).array().min(2 - s.tail(problem.unlabeled()).array()).sum() -
           0.5 * squaredNorm;
}

double PuEngine::bytes() const {
    return static_cast<double>(sizeof(double)) * static_cast<double>(m_s.size() + m_scores.size()) +
           static_cast<double>(m_members.capacity() * sizeof(SampleIndex));
}

PuView PuEngine::view() const {
    const bool isWhole = static_cast<SampleIndex>(m_members.size()) == m_problem.unlabeled();
    return {m_members,
            m_scores.data(),
            m_s.data(),
            m_problem.space().norms().data(),
            m_epsilon,
            error(),
            isWhole ? ExactSum::of(m_problem.mass()) : sumOf(m_s, m_members)};
}

std::vector<PuEngine::Change> PuEngine::applyDecisions(std::span<const Decision> decisions) {
    std::vector<Change> changes;
    std::vector<SampleIndex> stay;
    stay.reserve(m_members.size());
    const ExactSum before = sumOf(m_s, m_members);
    std::int64_t fixedMass = 0;
    for (std::size_t k = 0; k < m_members.size(); ++k) {
        const SampleIndex u = m_members[k];
        if (decisions[k] == Decision::Keep) {
            stay.push_back(u);
            continue;
        }
        const auto value = static_cast<double>(decisions[k]);
        fixedMass += static_cast<std::int64_t>(decisions[k]);
        if (m_s(u) != value) {
            changes.emplace_back(u, value - m_s(u));
            m_s(u) = value;
        }
    }
    m_members = std::move(stay);
    spreadTo(before.without(ExactSum::of(static_cast<double>(fixedMass))), m_members, m_scores.data(), m_epsilon, m_s,
             [&](SampleIndex u, double change) { changes.emplace_back(u, change); });
    return changes;
}

void spreadTo(const ExactSum& sum, std::span<const SampleIndex> samples, const double* scores, double epsilon,
              Eigen::VectorXd& s, const std::function<void(SampleIndex, double)>& moved) {
    // Large differences are rounded; what that leaves is small and exact.
    for (int round = 0; round < 4; ++round) {
        const double missing = sum.minus(sumOf(s, samples));
        if (missing == 0) {
            return;
        }
        spreadAmount(missing, samples, scores, epsilon, s, moved);
    }
}

ExactSum sumOf(const Eigen::VectorXd& s, std::span<const SampleIndex> samples) {
    ExactSum sum;
    sum.addAt(s.data(), samples);
    return sum;
}

void spreadAmount(double amount, std::span<const SampleIndex> samples, const double* scores, double epsilon,
                  Eigen::VectorXd& s, const std::function<void(SampleIndex, double)>& moved) {
    if (amount == 0) {
        return;
    }
    const double side = amount > 0 ? 1 : -1;
    // A piece of a sample's way up (down), to its next kink, with the slope of the dual value there.
    struct Piece {
        double slope;
        SampleIndex sample;
        double room;
        bool operator<(const Piece& other) const {
            return slope < other.slope || (slope == other.slope && sample > other.sample);
        }
    };
    std::vector<Piece> pieces;
    pieces.reserve(samples.size());
    for (const SampleIndex u : samples) {
        const double way = amount > 0 ? s(u) : 2 - s(u); // gone already, from 0 to 2
        if (way < 1) {
            pieces.push_back({side * scores[u] + epsilon, u, 1 - way});
        }
        if (way < 2) {
            pieces.push_back({side * scores[u] - epsilon, u, std::min(1.0, 2 - way)});
        }
    }
    std::make_heap(pieces.begin(), pieces.end());
    double left = std::abs(amount);
    while (left > 0 && !pieces.empty()) {
        std::pop_heap(pieces.begin(), pieces.end());
        const Piece piece = pieces.back();
        pieces.pop_back();
        const double step = std::min(left, piece.room);
        s(piece.sample) += side * step;
        left -= step;
        moved(piece.sample, side * step);
    }
}

Eigen::VectorXd uniformStart(const PuProblem& problem) {
    const auto n = static_cast<double>(problem.unlabeled());
    Eigen::VectorXd s = Eigen::VectorXd::Zero(problem.size());
    const double each = std::min(2.0, std::floor(problem.mass() / n / kQuantum) * kQuantum);
    s.tail(problem.unlabeled()).setConstant(each);
    std::vector<SampleIndex> all(static_cast<std::size_t>(problem.unlabeled()));
    std::iota(all.begin(), all.end(), problem.positives());
    spreadTo(ExactSum::of(problem.mass()), all, problem.space().attraction().data(), 0, s, [](SampleIndex, double) {});
    return s;
}

Eigen::VectorXd rankedStart(const PuProblem& problem, const Eigen::VectorXd& ranks) {
    Eigen::VectorXd s = Eigen::VectorXd::Zero(problem.size());
    std::vector<SampleIndex> all(static_cast<std::size_t>(problem.unlabeled()));
    std::iota(all.begin(), all.end(), problem.positives());
    spreadTo(ExactSum::of(problem.mass()), all, ranks.data(), 0, s, [](SampleIndex, double) {});
    return s;
}

namespace {

/// Scores of the linear kernel by way of ω. Whoever stops finds vectors of the right size.
void makeLinearScores(const PuProblem& problem, SolvedPu& point, StopCheck& stopCheck) {
    constexpr SampleIndex kBlock = 1024; // rounding grows with the length of a block plus the number of blocks
    const PuSpace& space = problem.space();
    const FeatureRows rows = space.features();
    point.weights.setZero(rows.features());
    point.scores.setZero(problem.size());
    double length = 0;
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(rows.features());
    Eigen::VectorXd block = sum;
    for (SampleIndex from = problem.positives(); from < problem.size(); from += kBlock) {
        block.setZero();
        for (SampleIndex u = from; u < std::min<SampleIndex>(from + kBlock, problem.size()); ++u) {
            if (point.s(u) != 0) {
                rows.addTo(u, point.s(u), block.data());
                length += point.s(u) * space.norms()(u);
            }
        }
        sum += block;
        if (stopCheck.spend(2 * rows.features() * kBlock)) {
            return;
        }
    }
    const double terms = kBlock + static_cast<double>(problem.unlabeled()) / kBlock;
    point.weights = problem.pull() * space.positiveSum() - sum;
    if (rows.dense() != nullptr) {
        point.scores.noalias() = *rows.dense() * point.weights;
    } else {
        point.scores.noalias() = *rows.sparse() * point.weights;
    }
    // ω is known up to its own rounding, and each product adds γ_d ‖ω‖‖φ‖.
    point.drift = roundingFactor(terms + 4) * length +
                  roundingFactor(static_cast<double>(rows.features()) + 2) * point.weights.norm();
}

/// Scores from kernel values: of tiles when most of the matrix is wanted and not kept, else of rows.
void makeKernelScores(const PuProblem& problem, SolvedPu& point, StopCheck& stopCheck) {
    const PuSpace& space = problem.space();
    const SampleIndex first = problem.positives();
    double length = 0;
    double terms = 0;
    point.scores = problem.pull() * space.attraction();
    std::vector<PuSpace::Weighted> parts;
    for (SampleIndex u = first; u < problem.size(); ++u) {
        if (point.s(u) != 0) {
            parts.emplace_back(u, point.s(u));
            length += point.s(u) * space.norms()(u);
            terms += 1;
        }
    }
    Eigen::VectorXd block = Eigen::VectorXd::Zero(problem.size());
    const bool isMadeInTiles = space.makesTiles() && kTileShare * static_cast<double>(parts.size()) > problem.size();
    if (isMadeInTiles) {
        terms = std::min(terms, space.addAllTiles(point.s, block, stopCheck));
    } else {
        space.addRows(parts, block, stopCheck);
    }
    point.scores -= block;
    const double pulled = problem.mass() * space.norms().head(first).maxCoeff();
    point.drift = roundingFactor(terms + 2) * length + 2 * kUnitRoundoff * (pulled + length);
    if (isMadeInTiles) {
        // Rows that s will move along may be rounded otherwise than the tiles: Σ|Δs|‖φ‖ is at most the largest norm of
        // a difference.
        point.drift += space.valueError() * problem.largestNorm();
    }
}

} // namespace

void makeScores(const PuProblem& problem, SolvedPu& point, StopCheck& stopCheck) {
    if (problem.space().isLinear()) {
        makeLinearScores(problem, point, stopCheck);
    } else {
        makeKernelScores(problem, point, stopCheck);
    }
}

SolvedPu pointAt(const PuProblem& problem, Eigen::VectorXd s, StopCheck& stopCheck) {
    SolvedPu point;
    point.s = std::move(s);
    point.prior = problem.prior();
    makeScores(problem, point, stopCheck);
    return point;
}

namespace {

/// What primal and dual value are made from, over the unlabeled samples.
struct ValueSums {
    double loss = 0;    ///< Σ max(0, z+ε, 2z)
    double kept = 0;    ///< Σ min(s, 2−s)
    double product = 0; ///< Σ s a
};

ValueSums valueSumsOf(const PuProblem& problem, const SolvedPu& point, double epsilon) {
    using Terms = CompensatedSums::Terms;
    CompensatedSums loss, kept, product;
    const auto add = [&](const Terms& s, const Terms& scores) {
        const Terms z = scores + point.bias;
        loss.add((z + epsilon).max(2 * z).max(0.0)); // lossAt()
        kept.add(s.min(2 - s));
        product.add(s * scores);
    };
    const double* const s = point.s.data() + problem.positives();
    const double* const scores = point.scores.data() + problem.positives();
    const Eigen::Index count = problem.unlabeled();
    const Eigen::Index rest = count % CompensatedSums::kLanes;
    for (Eigen::Index u = 0; u < count - rest; u += CompensatedSums::kLanes) {
        add(Eigen::Map<const Terms>(s + u), Eigen::Map<const Terms>(scores + u));
    }
    // What fills up the last lanes adds nothing.
    Terms lastS = Terms::Zero();
    Terms lastScores = Terms::Constant(-point.bias - 2 * epsilon);
    std::copy(s + count - rest, s + count, lastS.data());
    std::copy(scores + count - rest, scores + count, lastScores.data());
    add(lastS, lastScores);
    return {loss.value(), kept.value(), product.value()};
}

} // namespace

void completePoint(const PuProblem& problem, double lambda, SolvedPu& point, const BiasRange* near,
                   const KnownGap* known) {
    point.lambda = lambda;
    point.prior = problem.prior();
    point.error = problem.kernelValueError() + point.drift;
    const double epsilon = problem.epsilon(lambda);
    std::vector<SampleIndex> all(static_cast<std::size_t>(problem.unlabeled()));
    std::iota(all.begin(), all.end(), problem.positives());
    point.mass = sumOf(point.s, all);
    const PuView view{all,     point.scores.data(), point.s.data(), problem.space().norms().data(),
                      epsilon, point.error,         point.mass};
    point.biases = known != nullptr ? known->biases : optimalBias(view, near);
    point.bias = point.biases.middle();
    point.gap = known != nullptr ? known->gap : gapUpperBound(view, point.bias);
    point.violation = std::max(0.0, violationOf(view));
    const ValueSums sums = valueSumsOf(problem, point, epsilon);
    CompensatedSum pulled;
    for (SampleIndex i = 0; i < problem.positives(); ++i) {
        pulled.add(point.scores(i));
    }
    const double attraction = problem.pull() * pulled.value(); // ⟨ω, (m/p)Σ_Pφ⟩
    point.squaredNorm = std::max(0.0, attraction - sums.product);
    const double unit = problem.unit(lambda);
    const double scale = unit * unit;
    point.primal = scale * (0.5 * point.squaredNorm - attraction - problem.mass() * point.bias + sums.loss); // [P, (5)]
    point.dual = scale * (epsilon * sums.kept - 0.5 * point.squaredNorm);                                    // [P, (6)]
}

ValueBounds boundsOf(const PuProblem& problem, const SolvedPu& solved) {
    if (solved.s.size() == 0) {
        return {};
    }
    const double unit = problem.unit(solved.lambda);
    const double epsilon = problem.epsilon(solved.lambda);
    const auto& norms = problem.space().norms();
    const double reachOfPositives = problem.pull() * norms.head(problem.positives()).sum();
    const double reachOfUnlabeled = norms.tail(problem.unlabeled()).sum();
    // What the values are made of (see completePoint), each term with its size.
    const double attraction = problem.pull() * solved.scores.head(problem.positives()).cwiseAbs().sum();
    const double values = 2 * solved.scores.tail(problem.unlabeled()).cwiseAbs().sum() +
                          2 * (std::abs(solved.bias) + epsilon) * static_cast<double>(problem.unlabeled());
    const double size = 2 * attraction + 2 * values + std::abs(problem.mass() * solved.bias);
    // Scores are exact up to `error` ‖φ‖; they enter ½‖ω‖², the attraction and the loss. Sums are compensated.
    const double rounding = solved.error * (1.5 * reachOfPositives + 3 * reachOfUnlabeled) + roundingFactor(32) * size;
    return ValueBounds::from(solved.primal, unit * unit * rounding, unit * unit * solved.gap);
}

SolvedPu movedTo(const PuProblem& problem, const SolvedPu& start, double lambda, StopCheck& stopCheck) {
    std::vector<SampleIndex> all(static_cast<std::size_t>(problem.unlabeled()));
    std::iota(all.begin(), all.end(), problem.positives());
    Eigen::VectorXd s = start.s;
    spreadTo(ExactSum::of(problem.mass()), all, start.scores.data(), problem.epsilon(lambda), s,
             [](SampleIndex, double) {});
    return pointAt(problem, std::move(s), stopCheck);
}

std::unique_ptr<PuEngine> makeEngine(const PuProblem& problem, bool shrinks) {
    if (problem.space().isLinear()) {
        return std::make_unique<LinearEngine>(problem);
    }
    return std::make_unique<KernelEngine>(problem, shrinks);
}

} // namespace lambdascope::pu
