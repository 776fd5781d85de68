// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/triplets_engine.h"

#include "core/triplets/engines/pairs_engine.h"
#include "core/triplets/engines/sorted_engine.h"
#include "core/triplets/problem/counted_work.h"
#include "core/triplets/screening/diagonal_rule.h"
#include "core/triplets/screening/linear_rule.h"
#include "core/triplets/screening/range_rule.h"
#include "core/triplets/screening/semidefinite_rule.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::triplets {

/// Gradient sums are kept in a matrix per so many triplets before they join the total, for the sake of rounding.
static constexpr TripletIndex kTripletsPerSum = 1024;

/// A sum of symmetric matrices, made symmetric to the last bit.
static Eigen::MatrixXd symmetric(const Eigen::MatrixXd& sum) {
    return isDiagonal(sum) ? sum : Eigen::MatrixXd(0.5 * (sum + sum.transpose()));
}

struct TripletsEngine::Sums {
    Sums(double s, const TripletSet& set)
        : smoothing(s), pull(zeroMatrix(set.features(), set.structure())), part(pull) {}

    double smoothing;
    CompensatedSum loss;
    CompensatedSum alpha;
    CompensatedSum squares;
    CompensatedSum norms; ///< Σ α (‖a‖² + ‖b‖²)
    Eigen::MatrixXd pull;
    Eigen::MatrixXd part; ///< of the triplets since the last flush
    TripletIndex triplets = 0;
    TripletIndex lossy = 0;
    double lastMargin = 0;
    double edge = 0; ///< of the set counts
    SetCounts setCounts;

    void flush() {
        pull += part;
        part.setZero();
    }
};

TripletsEngine::TripletsEngine(const TripletSet& triplets)
    : m_triplets(triplets), m_a(triplets.features()), m_b(triplets.features()), m_image(triplets.features()) {
    activateAll();
}

void TripletsEngine::activateAll() {
    m_hasNotes = false;
    m_active.clear();
    m_active.reserve(static_cast<std::size_t>(m_triplets.triplets()));
    for (RowIndex i = 0; i < m_triplets.rows(); ++i) {
        const std::int64_t others = m_triplets.otherCount(i);
        for (std::int64_t s = 0; s < m_triplets.sameCount(i); ++s) {
            const RowIndex same = m_triplets.partner(m_triplets.samePair(m_triplets.sameOffset(i) + s), i);
            for (std::int64_t o = 0; o < others; ++o) {
                const RowIndex other = m_triplets.partner(m_triplets.otherPair(m_triplets.otherOffset(i) + o), i);
                m_active.push_back({i, same, other, static_cast<std::uint32_t>(s * others + o)});
            }
        }
    }
}

void TripletsEngine::setDifferences(RowIndex anchor, RowIndex same, RowIndex other) {
    const Eigen::Index d = m_triplets.features();
    const double* rows = m_triplets.paddedRows().data();
    const Eigen::Map<const Eigen::VectorXd> x(rows + anchor * m_triplets.stride(), d);
    m_a = x - Eigen::Map<const Eigen::VectorXd>(rows + other * m_triplets.stride(), d);
    m_b = x - Eigen::Map<const Eigen::VectorXd>(rows + same * m_triplets.stride(), d);
}

double TripletsEngine::form(const Eigen::MatrixXd& q) {
    if (isDiagonal(q)) {
        return (q.array() * m_a.array().square()).sum() - (q.array() * m_b.array().square()).sum();
    }
    m_image.noalias() = q * m_a;
    const double a = m_image.dot(m_a);
    m_image.noalias() = q * m_b;
    return a - m_image.dot(m_b);
}

void TripletsEngine::addH(double weight, Eigen::MatrixXd& sum) const {
    if (isDiagonal(sum)) {
        sum.array() += weight * (m_a.array().square() - m_b.array().square());
        return;
    }
    sum.noalias() += (weight * m_a) * m_a.transpose();
    sum.noalias() -= (weight * m_b) * m_b.transpose();
}

double TripletsEngine::squaredNorm() const {
    const double a = m_a.squaredNorm();
    const double b = m_b.squaredNorm();
    const double pad = roundingFactor(8 * static_cast<double>(m_triplets.features()) + 40) * (a + b) * (a + b);
    if (m_triplets.structure() == Structure::Diagonal) {
        return (m_a.array().square() - m_b.array().square()).square().sum() + pad;
    }
    const double product = m_a.dot(m_b);
    return (a - b) * (a - b) + 2 * std::max(a * b - product * product, 0.0) + pad;
}

double TripletsEngine::marginError(double size) const {
    const double rho = m_triplets.largestNorm();
    return 2 * roundingFactor(4 * static_cast<double>(m_triplets.features()) + 24) * 4 * rho * rho * size +
           4 * kUnitRoundoff;
}

void TripletsEngine::addTriplet(const Eigen::MatrixXd& m, RowIndex anchor, RowIndex same, RowIndex other, Sums& sums) {
    setDifferences(anchor, same, other);
    const double margin = form(m);
    const double alpha = lossSlope(margin, sums.smoothing);
    sums.lastMargin = margin;
    sums.setCounts.above += margin > 1 ? 1 : 0;
    sums.setCounts.below += margin < 1 - sums.edge ? 1 : 0;
    ++sums.triplets;
    if (alpha > 0) {
        ++sums.lossy;
        sums.loss.add(smoothedLoss(margin, sums.smoothing));
        sums.alpha.add(alpha);
        sums.squares.add(alpha * alpha);
        sums.norms.add(alpha * (m_a.squaredNorm() + m_b.squaredNorm()));
        addH(alpha, sums.part);
    }
    if (sums.triplets % kTripletsPerSum == 0) {
        sums.flush();
    }
}

void TripletsEngine::finish(Sums& sums, const MetricPoint& point, LossTotals& totals) {
    sums.flush();
    m_work += work::ofMatrixTriplets(sums.triplets, sums.lossy, point.matrix.size());
    totals.smoothing = sums.smoothing;
    totals.triplets = sums.triplets;
    totals.marginError = marginError(point.spectralBound());
    const double alpha = sums.alpha.value();
    const double e = totals.marginError;
    const double hidden = static_cast<double>(sums.triplets) * e * std::min(1.0, e / sums.smoothing);
    const double perTerm = roundingFactor(8);
    totals.loss = {sums.loss.value(), perTerm * sums.loss.value() + e * alpha + hidden};
    totals.alphaSum = {alpha, perTerm * alpha};
    totals.alphaSquares = {sums.squares.value(), perTerm * sums.squares.value()};
    totals.pull = symmetric(sums.pull);
    const auto blocks = sums.triplets / kTripletsPerSum;
    const double terms = static_cast<double>(kTripletsPerSum + blocks) + 12;
    totals.pullError = roundingFactor(2 * terms) * sums.norms.value();
}

bool TripletsEngine::sumOver(const std::vector<Item>& items, const MetricPoint& point, double smoothing,
                             StopCheck& stopCheck, LossTotals& totals, std::vector<Item>* lossy) {
    Sums sums(smoothing, m_triplets);
    for (const Item& item : items) {
        addTriplet(point.matrix, item.anchor, item.same, item.other, sums);
        if (lossy != nullptr && sums.lastMargin < 1) {
            lossy->push_back(item);
        }
        if (stopCheck.spend(operationsPerTriplet())) {
            return false;
        }
    }
    finish(sums, point, totals);
    return true;
}

bool TripletsEngine::evaluate(const MetricPoint& point, double smoothing, StopCheck& stopCheck, LossTotals& totals) {
    return sumOver(m_active, point, smoothing, stopCheck, totals, nullptr);
}

bool TripletsEngine::evaluateNoting(const MetricPoint& point, double smoothing, bool keepsNotes, StopCheck& stopCheck,
                                    LossTotals& totals) {
    std::vector<Item> lossy;
    if (!sumOver(m_active, point, smoothing, stopCheck, totals, &lossy)) {
        return false;
    }
    if (!keepsNotes || !m_hasNotes) {
        m_noted = std::move(lossy);
        m_hasNotes = true;
        return true;
    }
    std::vector<Item> both; // in the order of the active ones, as both are
    both.reserve(lossy.size() + m_noted.size());
    auto known = m_noted.begin();
    auto found = lossy.begin();
    for (const Item& item : m_active) {
        const bool isKnown = known != m_noted.end() && *known == item;
        const bool isFound = found != lossy.end() && *found == item;
        known += isKnown ? 1 : 0;
        found += isFound ? 1 : 0;
        if (isKnown || isFound) {
            both.push_back(item);
        }
    }
    m_noted = std::move(both);
    return true;
}

bool TripletsEngine::evaluateNoted(const MetricPoint& point, double smoothing, StopCheck& stopCheck,
                                   LossTotals& totals) {
    return sumOver(m_hasNotes ? m_noted : m_active, point, smoothing, stopCheck, totals, nullptr);
}

bool TripletsEngine::evaluateCounting(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck,
                                      LossTotals& totals, SetCounts& setCounts) {
    Sums sums(smoothing, m_triplets);
    sums.edge = edge;
    for (const Item& item : m_active) {
        addTriplet(point.matrix, item.anchor, item.same, item.other, sums);
        if (stopCheck.spend(operationsPerTriplet())) {
            return false;
        }
    }
    finish(sums, point, totals);
    setCounts = sums.setCounts;
    return true;
}

bool TripletsEngine::evaluateAll(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck,
                                 LossTotals& totals, SetCounts& setCounts) {
    Sums sums(smoothing, m_triplets);
    sums.edge = edge;
    for (RowIndex i = 0; i < m_triplets.rows(); ++i) {
        for (std::int64_t s = m_triplets.sameOffset(i); s < m_triplets.sameOffset(i + 1); ++s) {
            const RowIndex same = m_triplets.partner(m_triplets.samePair(s), i);
            for (std::int64_t o = m_triplets.otherOffset(i); o < m_triplets.otherOffset(i + 1); ++o) {
                addTriplet(point.matrix, i, same, m_triplets.partner(m_triplets.otherPair(o), i), sums);
                if (stopCheck.spend(operationsPerTriplet())) {
                    return false;
                }
            }
        }
    }
    finish(sums, point, totals);
    setCounts = sums.setCounts;
    return true;
}

template <class Judge>
bool TripletsEngine::judgeEach(Judge&& judge, std::int64_t operations, StopCheck& stopCheck, ScreenedPart& screened) {
    Eigen::MatrixXd linearSum = zeroMatrix(m_triplets.features(), m_triplets.structure());
    Eigen::MatrixXd part = linearSum;
    double linearNorms = 0;
    TripletIndex linearCount = 0;
    std::size_t kept = 0;
    for (std::size_t at = 0; at < m_active.size(); ++at) {
        const Item item = m_active[at];
        setDifferences(item.anchor, item.same, item.other);
        const Decision decision = judge(item);
        if (decision == Decision::Keep) {
            m_active[kept++] = item;
        } else {
            if (m_states != nullptr) {
                m_states->set(m_triplets.tripletOffset(item.anchor) + item.within, decision);
            }
            if (decision == Decision::Zero) {
                ++screened.zero;
            } else {
                ++screened.linear;
                ++linearCount;
                linearNorms += m_a.squaredNorm() + m_b.squaredNorm();
                addH(1, part);
                if (linearCount % kTripletsPerSum == 0) {
                    linearSum += part;
                    part.setZero();
                }
            }
        }
        if (stopCheck.spend(operations)) {
            return false;
        }
    }
    m_hasNotes = m_hasNotes && kept == m_active.size();
    m_active.resize(kept);
    if (linearCount > 0) {
        linearSum += part;
        const auto blocks = linearCount / kTripletsPerSum;
        const double terms = static_cast<double>(kTripletsPerSum + blocks) + 12;
        screened.addLinearSum(symmetric(linearSum), roundingFactor(2 * terms) * linearNorms);
    }
    return true;
}

bool TripletsEngine::screen(std::span<const Region> regions, double gamma, StopCheck& stopCheck,
                            ScreenedPart& screened) {
    const std::int64_t perForm = operationsPerTriplet();
    for (const Region& region : regions) {
        const Eigen::MatrixXd& centre = region.sphere.centre;
        if (!std::isfinite(region.sphere.radius)) {
            continue; // a ball of infinite radius decides nothing
        }
        m_work += work::ofMatrixTriplets(std::ssize(m_active), 0, centre.size());
        const double error = marginError(spectralBound(centre));
        const SphereRule sphere(region.sphere.radius, gamma, error);
        const auto bySphere = [&](const Item&) { return sphere.judge(form(centre), squaredNorm()); };
        if (!judgeEach(bySphere, perForm, stopCheck, screened)) {
            return false;
        }
        bool done = true;
        if (region.rule == RuleKind::Linear && region.normal.size() > 0) {
            const LinearRule rule(region, gamma, error, marginError(spectralBound(region.normal)));
            const auto byLine = [&](const Item&) {
                return rule.judge(form(centre), form(region.normal), squaredNorm());
            };
            m_work += work::ofMatrixTriplets(2 * std::ssize(m_active), 0, centre.size());
            done = judgeEach(byLine, 2 * perForm, stopCheck, screened);
        } else if (region.rule == RuleKind::Semidefinite || region.rule == RuleKind::Analytic) {
            const auto screenBy = [&](auto rule) {
                std::int64_t operations = 0;
                const auto byCone = [&](const Item& item) {
                    const Decision decision = rule.judge({item.anchor, item.other}, {item.anchor, item.same});
                    const std::int64_t taken = rule.takeOperations();
                    operations += taken;
                    (void)stopCheck.spend(taken);
                    return decision;
                };
                const bool isDone = judgeEach(byCone, 0, stopCheck, screened);
                m_work += work::ofRuleOperations(operations);
                return isDone;
            };
            done = m_triplets.structure() == Structure::Diagonal
                       ? screenBy(DiagonalRule(m_triplets, region, gamma))
                       : screenBy(SemidefiniteRule(m_triplets, region, gamma, stopCheck));
        }
        if (!done) {
            return false;
        }
    }
    return true;
}

bool TripletsEngine::activateExcept(const TripletStates& fixed, StopCheck& stopCheck, ScreenedPart& screened) {
    activateAll();
    const auto asStored = [&](const Item& item) {
        return fixed.at(m_triplets.tripletOffset(item.anchor) + item.within);
    };
    return judgeEach(asStored, 10 * m_triplets.features(), stopCheck, screened);
}

bool TripletsEngine::screenRanges(const PathBall& ball, double lambda, double gamma, StopCheck& stopCheck,
                                  RangeStore& store, ScreenedPart& screened) {
    const RangeRule rule(ball, gamma, [this](double size) { return marginError(size); });
    const auto judge = [&](const Item& item) {
        const double t = form(ball.point().matrix);
        const Lifetime lifetime = rule.lifetime(t, ball.hasDual() ? form(ball.dual()) : t, squaredNorm());
        if (!lifetime.range.contains(lambda)) {
            return Decision::Keep;
        }
        store.add(m_triplets.tripletOffset(item.anchor) + item.within, lifetime.decision, lifetime.range.low);
        return lifetime.decision;
    };
    const std::int64_t forms = ball.hasDual() ? 2 : 1;
    m_work += work::ofMatrixTriplets(forms * std::ssize(m_active), 0, ball.point().matrix.size()) +
              work::ofLifetimes(std::ssize(m_active));
    if (!judgeEach(judge, operationsPerTriplet(), stopCheck, screened)) {
        return false;
    }
    store.seal();
    return true;
}

std::size_t TripletsEngine::bytes() const {
    return (m_active.capacity() + m_noted.capacity()) * sizeof(Item);
}

std::unique_ptr<Engine> makeEngine(EngineKind kind, const TripletSet& triplets, int threads) {
    if (kind == EngineKind::Triplets) {
        return std::make_unique<TripletsEngine>(triplets);
    }
    if (kind == EngineKind::Sorted) {
        return std::make_unique<SortedEngine>(triplets, threads);
    }
    return std::make_unique<PairsEngine>(triplets);
}

} // namespace lambdascope::triplets
