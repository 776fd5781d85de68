// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/screening/bias_bracket.h"

#include "core/svm/problem/sample_products.h"
#include "core/svm/screening/bias_anchor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace lambdascope::svm {

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kKinkPad = 4 * kUnitRoundoff;
/// Multiples of 1/kGrid whose sum is below kLargestWhole / kGrid are added without rounding.
constexpr double kGrid = 1 << 20;
constexpr double kLargestWhole = 4503599627370496; // 2⁵²

/// The kinks about the place where the slope has made up for what is on its left: those alone are put in order.
class Kinks {
  public:
    /// Of scores at their lower or upper bounds. O(n) on average.
    Kinks(std::span<const BiasSample> samples, const CheckedSum& pull, bool atUpper) {
        m_kinks.reserve(samples.size());
        CheckedSum target = pull;
        double& sum = m_sum;
        bool isOnGrid = true; // then ω add up exactly in any order
        for (const BiasSample& sample : samples) {
            if (sample.weight > 0) {
                m_kinks.push_back({sample.y * sample.threshold - (atUpper ? sample.high : sample.low), sample.weight});
                sum += sample.weight;
                isOnGrid = isOnGrid && std::floor(kGrid * sample.weight) == kGrid * sample.weight;
                if (sample.y > 0) {
                    target.add(sample.weight);
                }
            }
        }
        m_target = target.value();
        if (!isOnGrid || kGrid * sum > kLargestWhole || target.error() > 0) {
            const double terms = static_cast<double>(m_kinks.size()) + 4;
            m_error = (target.error() + roundingFactor(terms) * (std::abs(m_target) + sum)) * (1 + 8 * kKinkPad);
        }
        narrow();
        std::sort(m_kinks.begin() + m_first, m_kinks.begin() + m_end,
                  [](const Kink& a, const Kink& b) { return a.at < b.at; });
        double upTo = m_before;
        for (auto kink = m_kinks.begin() + m_first; kink != m_kinks.begin() + m_end; ++kink) {
            upTo += kink->weight;
            kink->weight = upTo;
        }
    }

    /// The first kink at which the ω up to there reach the target (exceed it when `isStrict`), if that is off by `side`
    /// times its rounding. −∞ when that is so from the beginning.
    [[nodiscard]] double first(bool isStrict, double side) const {
        const double target = m_target + side * m_error;
        const auto isEnough = [&](double sum) { return isStrict ? sum > target : sum >= target; };
        if (isEnough(0)) {
            return -kUnbounded;
        }
        const auto end = m_kinks.begin() + m_end;
        const auto found =
            std::partition_point(m_kinks.begin() + m_first, end, [&](const Kink& k) { return !isEnough(k.weight); });
        return found != end ? found->at : kUnbounded;
    }

  private:
    struct Kink {
        double at;
        double weight; ///< of it; in the narrowed range of all up to here
    };

    /// Splits the range before its k-th kink: true when all that first() may be asked for lies on one side, which the
    /// range then is.
    bool splitAt(std::ptrdiff_t k) {
        const auto begin = m_kinks.begin() + m_first;
        std::nth_element(begin, begin + k, m_kinks.begin() + m_end,
                         [](const Kink& a, const Kink& b) { return a.at < b.at; });
        double sum = m_before;
        for (auto kink = begin; kink != begin + k; ++kink) {
            sum += kink->weight;
        }
        if (sum > m_target + m_error) {
            m_end = m_first + k;
            return true;
        }
        if (sum < m_target - m_error) {
            m_before = sum;
            m_first += k;
            return true;
        }
        return false;
    }

    /// Takes from a draw of kinks where the place should be, and leaves the kinks about it alone; all of them where it
    /// is not there after all.
    void guess() {
        constexpr std::ptrdiff_t kDrawn = 48;
        constexpr std::ptrdiff_t kBeside = 5; ///< of the draw, on either side
        m_end = std::ssize(m_kinks);
        if (m_end < 4 * kDrawn) {
            return;
        }
        std::array<Kink, kDrawn> drawn;
        double whole = 0;
        for (std::ptrdiff_t k = 0; k < kDrawn; ++k) {
            drawn[static_cast<std::size_t>(k)] = m_kinks[static_cast<std::size_t>(k * m_end / kDrawn)];
            whole += drawn[static_cast<std::size_t>(k)].weight;
        }
        std::sort(drawn.begin(), drawn.end(), [](const Kink& a, const Kink& b) { return a.at < b.at; });
        std::ptrdiff_t place = 0;
        for (double sum = 0; place < kDrawn && sum * m_sum < m_target * whole; ++place) {
            sum += drawn[static_cast<std::size_t>(place)].weight;
        }
        const double low = place >= kBeside ? drawn[static_cast<std::size_t>(place - kBeside)].at : -kUnbounded;
        const double high = place + kBeside < kDrawn ? drawn[static_cast<std::size_t>(place + kBeside)].at : kUnbounded;
        double before = 0;
        double upTo = 0;
        const auto about = std::make_unique_for_overwrite<Kink[]>(m_kinks.size());
        std::size_t count = 0;
        for (const Kink& kink : m_kinks) {
            const bool isBelow = kink.at < low;
            before += isBelow ? kink.weight : 0;
            about[count] = kink;
            const bool isAbout = !isBelow && kink.at <= high;
            upTo += isAbout ? kink.weight : 0;
            count += isAbout ? 1 : 0;
        }
        upTo += before;
        if (before < m_target - m_error && (upTo > m_target + m_error || high == kUnbounded)) {
            std::copy(about.get(), about.get() + count, m_kinks.begin());
            m_before = before;
            m_end = static_cast<std::ptrdiff_t>(count);
        }
    }

    /// Halves the range of kinks until few are left.
    void narrow() {
        constexpr std::ptrdiff_t kFew = 24;
        guess();
        for (std::ptrdiff_t size = m_end; size > kFew; size = m_end - m_first) {
            // Where the middle is right at the place that is looked for, as with classes of one size, look beside it.
            const bool isSplit = splitAt(size / 2) || splitAt(size / 4) || splitAt(3 * size / 4);
            if (!isSplit) {
                return;
            }
        }
    }

    std::vector<Kink> m_kinks;
    std::ptrdiff_t m_first = 0; ///< the range
    std::ptrdiff_t m_end = 0;
    double m_before = 0; ///< sum of the ω of all kinks on its left
    double m_sum = 0;    ///< of all ω
    double m_target = 0;
    double m_error = 0;
};

double widthOf(const BiasBracket& bracket) {
    return std::isfinite(bracket.low) && std::isfinite(bracket.high) ? bracket.high - bracket.low : kUnbounded;
}

} // namespace

double BiasBracket::middle() const {
    if (std::isfinite(low) && std::isfinite(high)) {
        return low + 0.5 * (high - low);
    }
    return std::isfinite(low) ? low + 1 : std::isfinite(high) ? high - 1 : 0;
}

void CheckedSum::add(double term) {
    const double sum = m_sum + term;
    const double added = sum - m_sum;
    m_error += std::abs((m_sum - (sum - added)) + (term - added)) * (1 + kKinkPad);
    m_sum = sum;
}

BiasBracket bestBiases(std::span<const BiasSample> samples, const CheckedSum& pull) {
    const Kinks kinks(samples, pull, true);
    return {kinks.first(false, -1), kinks.first(true, 1)};
}

BiasBracket bracketBias(std::span<const BiasSample> samples, const CheckedSum& pull) {
    const Kinks upper(samples, pull, true);
    const Kinks lower(samples, pull, false);
    const BiasBracket smallest{upper.first(false, -1), lower.first(false, 1)};
    const BiasBracket largest{upper.first(true, -1), lower.first(true, 1)};
    const BiasBracket& best = widthOf(smallest) <= widthOf(largest) ? smallest : largest;
    // Kinks are differences, each rounded once.
    return {best.low - kKinkPad * (1 + std::abs(best.low)), best.high + kKinkPad * (1 + std::abs(best.high))};
}

CheckedSum pullOfBalance(const SvmProblem& problem, double c) {
    CheckedSum pull;
    if (problem.balance() != 0) {
        const double share = problem.balance() / c;
        pull.add(-share);
        pull.doubt(2 * kUnitRoundoff * std::abs(share));
    }
    return pull;
}

BiasBracket bestBiases(const SvmProblem& problem, double c, const Eigen::VectorXd& margins) {
    if (!problem.hasFreeBias()) {
        return {0, 0};
    }
    std::vector<BiasSample> samples;
    samples.reserve(static_cast<std::size_t>(problem.size()));
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const double score = problem.y()(i) * margins(i);
        samples.push_back({problem.y()(i), score, score, problem.weights()(i), problem.thresholds()(i)});
    }
    return bestBiases(samples, pullOfBalance(problem, c));
}

double imbalanceOf(const SvmProblem& problem, const Eigen::VectorXd& alpha) {
    CompensatedSum sum;
    sum.add(-problem.balance());
    for (Eigen::Index i = 0; i < alpha.size(); ++i) {
        sum.add(problem.y()(i) * alpha(i));
    }
    return sum.value();
}

double imbalanceBound(const SvmProblem& problem, const Eigen::VectorXd& alpha) {
    const double n = static_cast<double>(alpha.size()) * kUnitRoundoff;
    return std::abs(imbalanceOf(problem, alpha)) * (1 + kKinkPad) +
           8 * n * n * (alpha.sum() + std::abs(problem.balance()));
}

double imbalanceCost(const SvmProblem& problem, const Eigen::VectorXd& alpha, double bias, double norm, double gap) {
    return problem.hasFreeBias() ? imbalanceCostOf(problem, imbalanceBound(problem, alpha), bias, norm, gap) : 0;
}

double imbalanceCostOf(const SvmProblem& problem, double delta, double bias, double norm, double gap) {
    const double longest = problem.longestNorm();
    const double whole = delta * (problem.largestThreshold() + std::abs(bias) + norm * longest);
    const double each = delta * longest;
    return (whole + each * each + each * std::sqrt(std::max(gap, 0.0) + whole)) * (1 + 8 * kUnitRoundoff);
}

namespace {

/// Shares of an anchor are multiples of 1/kShareGrid.
constexpr double kShareGrid = 1099511627776; // 2⁴⁰
/// Samples with less than this part of all the room are not worth a kernel row.
constexpr double kWorthARow = 1e-3;
/// An anchor that is at hand will do with this part of the room that a new one has.
constexpr double kWillDo = 0.5;

/// min(α, Cω − α) of what is exactly Cω, less rounding.
double roomBetweenBounds(const SvmProblem& problem, const Eigen::VectorXd& alpha, double c, SampleIndex i) {
    const double upper = c * problem.weights()(i);
    return std::min(alpha(i), upper - alpha(i)) - kKinkPad * upper;
}

} // namespace

std::shared_ptr<const BiasAnchor> BiasAnchor::among(const SvmProblem& problem, const Eigen::VectorXd& alpha, double c,
                                                    const BiasAnchorOrder& order) {
    std::vector<std::pair<double, SampleIndex>> byRoom;
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        if (const double room = roomBetweenBounds(problem, alpha, c, i); room > 0) {
            byRoom.emplace_back(room, i);
        }
    }
    const auto most = std::min(byRoom.size(), static_cast<std::size_t>(OriginSize::kMostTerms));
    std::partial_sort(byRoom.begin(), byRoom.begin() + static_cast<std::ptrdiff_t>(most), byRoom.end(),
                      std::greater<>());
    double room = 0;
    std::size_t count = 0;
    while (count < most && room < order.wanted && byRoom[count].first > kWorthARow * room) {
        room += byRoom[count++].first;
    }
    byRoom.resize(count);
    if (order.likely != nullptr && order.likely->roomOf(problem, alpha, c) >= std::max(kWillDo * room, order.least)) {
        if (!order.likely->m_isPartial || !order.asked.empty()) {
            return order.likely;
        }
        auto whole = std::make_shared<BiasAnchor>(*order.likely);
        return whole->measure(problem, {}, order.stopCheck) ? whole : nullptr;
    }
    if (!(room >= order.least) || count == 0) {
        return nullptr;
    }
    auto anchor = std::make_shared<BiasAnchor>();
    anchor->choose(problem, byRoom, room);
    return anchor->measure(problem, order.asked, order.stopCheck) ? anchor : nullptr;
}

void BiasAnchor::choose(const SvmProblem& problem, std::span<const std::pair<double, SampleIndex>> byRoom,
                        double room) {
    double rest = 1;
    for (const auto& [own, i] : byRoom) {
        m_samples.push_back(i);
        m_shares.push_back(std::floor(own / room * kShareGrid) / kShareGrid);
        rest -= m_shares.back();
    }
    m_shares.front() += rest;
    for (std::size_t k = 0; k < m_samples.size(); ++k) {
        const SampleIndex i = m_samples[k];
        m_edge = m_edge + exactly(problem.y()(i)) * exactly(m_shares[k]) * exactly(problem.thresholds()(i));
    }
}

bool BiasAnchor::measure(const SvmProblem& problem, std::span<const SampleIndex> asked, StopCheck* stopCheck) {
    constexpr std::ptrdiff_t kFew = 4; // of so many one is asked about: those alone
    const bool isFew = !asked.empty() && kFew * std::ssize(asked) < problem.rowCount();
    const auto count = static_cast<Eigen::Index>(isFew ? asked.size() : static_cast<std::size_t>(problem.rowCount()));
    Eigen::VectorXd products = Eigen::VectorXd::Zero(count); // oᵀΦ(x)
    m_isPartial = isFew;
    OriginSize size;
    for (std::size_t k = 0; k < m_samples.size(); ++k) {
        const KernelRow row = problem.kernelRow(m_samples[k]);
        if (isFew) {
            for (Eigen::Index j = 0; j < count; ++j) {
                products(j) += m_shares[k] * row.values[problem.rowOf(asked[static_cast<std::size_t>(j)])];
            }
        } else {
            products += m_shares[k] * Eigen::Map<const Eigen::VectorXd>(row.values, count);
        }
        for (std::size_t j = 0; j < m_samples.size(); ++j) {
            size.square += m_shares[k] * m_shares[j] * row.values[problem.rowOf(m_samples[j])];
        }
        size.length += m_shares[k] * problem.norms()(m_samples[k]);
        if (stopCheck != nullptr && stopCheck->spend(operationsPerRow(problem))) {
            return false;
        }
    }
    m_length = size.length;
    const double error = problem.rows().error();
    if (!isFew) {
        const Eigen::VectorXd ofSamples = problem.sharesRows() ? Eigen::VectorXd(products.replicate(2, 1)) : products;
        m_distances = distancesFrom(size, problem.diagonal(), ofSamples, error);
        return true;
    }
    Eigen::VectorXd squares(count);
    for (Eigen::Index j = 0; j < count; ++j) {
        squares(j) = problem.diagonal()(asked[static_cast<std::size_t>(j)]);
    }
    const Eigen::VectorXd distances = distancesFrom(size, squares, products, error);
    m_distances.setConstant(problem.size(), std::numeric_limits<double>::infinity());
    for (Eigen::Index j = 0; j < count; ++j) {
        m_distances(asked[static_cast<std::size_t>(j)]) = distances(j);
    }
    return true;
}

double BiasAnchor::roomOf(const SvmProblem& problem, const Eigen::VectorXd& alpha, double c) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < m_samples.size(); ++k) {
        least = std::min(least, roomBetweenBounds(problem, alpha, c, m_samples[k]) / m_shares[k]);
    }
    return std::max(least, 0.0) * (1 - kKinkPad);
}

Bounded BiasAnchor::product(const SvmProblem& problem, std::span<const double> products, double error) const {
    Bounded sum;
    for (std::size_t k = 0; k < m_samples.size(); ++k) {
        const SampleIndex i = m_samples[k];
        const Bounded product{products[static_cast<std::size_t>(i)], error * problem.norms()(i)};
        sum = sum + exactly(problem.y()(i) * m_shares[k]) * product;
    }
    return sum;
}

} // namespace lambdascope::svm
