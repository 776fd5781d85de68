// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/free_set_newton.h"

#include "core/svm/problem/work_units.h"
#include "core/svm/screening/bias_bracket.h"
#include "core/svm/solver/free_set_cg.h"
#include "core/svm/solver/free_set_cholesky.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lambdascope::svm {

namespace {

/// A step that gains this share of what there would be without bounds is good enough as it is.
constexpr double kGoodShare = 0.5;
/// Rounds of one step: these, and more while factors are small.
constexpr Eigen::Index kFewRounds = 4;
constexpr Eigen::Index kManyRounds = 100000;
/// Bisections that leave nothing but rounding of a shift.
constexpr int kShiftBisections = 100;
/// Part of what samples at their bounds add to the gap that free ones may leave of it: these cannot be right before
/// those are.
constexpr double kOthersShare = 0.1;
/// Kernel values that are rounded are for sets of at least so many.
constexpr std::size_t kFewForGradients = 1500;

} // namespace

FreeSetNewton::FreeSetNewton(DualIterate& space, const FreeSetMemory& memory, const std::vector<std::int32_t>& visit,
                             double goodEnough)
    : m_space(space), m_visit(visit), m_goodEnough(goodEnough) {
    // Visits are in no order, samples of a set are: by a bit for each member, which is quicker than to sort.
    std::vector<std::uint64_t> isFree(space.members().size() / 64 + 1, 0);
    for (const std::int32_t k : visit) {
        const SampleIndex i = space.members()[static_cast<std::size_t>(k)];
        const bool isBetween = space.alpha()(i) > 0 && space.alpha()(i) < space.upper(i);
        isFree[static_cast<std::size_t>(k) / 64] |= static_cast<std::uint64_t>(isBetween) << (k % 64);
    }
    for (std::size_t word = 0; word < isFree.size(); ++word) {
        for (std::uint64_t bits = isFree[word]; bits != 0; bits &= bits - 1) {
            m_free.push_back(static_cast<std::int32_t>(64 * word) + std::countr_zero(bits));
        }
    }
    m_samples.resize(m_free.size());
    std::transform(m_free.begin(), m_free.end(), m_samples.begin(),
                   [&](std::int32_t k) { return space.members()[static_cast<std::size_t>(k)]; });
    chooseSystem(memory);
}

void FreeSetNewton::chooseSystem(const FreeSetMemory& memory) {
    const auto members = static_cast<double>(m_space.members().size());
    m_cost = std::numeric_limits<double>::infinity();
    const auto offer = [&](std::unique_ptr<FreeSetSystem> system) {
        const double cost = system->cost(m_samples, members);
        if (cost < m_cost) {
            m_system = std::move(system);
            m_cost = cost;
        }
    };
    const SvmProblem& problem = m_space.problem();
    if (m_samples.size() <= memory.largestFactored) {
        offer(std::make_unique<FreeSetCholesky>(problem, memory.factor));
    }
    if (problem.isLinear()) {
        offer(std::make_unique<FreeSetCg>(problem));
    } else if (m_samples.size() >= std::min(kFewForGradients, memory.largestFactored) &&
               m_samples.size() <= RoundedProducts::kLargest) {
        offer(std::make_unique<FreeSetKernelCg>(problem, memory.products));
    }
}

double FreeSetNewton::work() const {
    return m_cost + work_units::ofFaceStep(m_system->readPerRound(static_cast<double>(m_free.size())));
}

Eigen::VectorXd FreeSetNewton::cutAtFirstBound(const Eigen::VectorXd& direction) const {
    double length = 1;
    Eigen::Index first = -1;
    for (Eigen::Index k = 0; k < direction.size(); ++k) {
        const double room = direction(k) > 0 ? m_upper(k) - m_alpha(k) : -m_alpha(k);
        if (direction(k) != 0 && room / direction(k) < length) {
            length = room / direction(k);
            first = k;
        }
    }
    Eigen::VectorXd cut = (m_alpha + length * direction).cwiseMax(0.0).cwiseMin(m_upper) - m_alpha;
    if (first >= 0) {
        cut(first) = (direction(first) > 0 ? m_upper(first) : 0.0) - m_alpha(first);
    }
    return cut;
}

double FreeSetNewton::gapOfBounded(const Eigen::VectorXd& margins) const {
    const SvmProblem& problem = m_space.problem();
    double gap = 0;
    for (const std::int32_t k : m_visit) {
        const SampleIndex i = m_space.members()[static_cast<std::size_t>(k)];
        const double pull = problem.thresholds()(i) - margins(k) - problem.y()(i) * m_space.bias();
        const bool isHigh = m_space.alpha()(i) >= m_space.upper(i);
        if (isHigh || m_space.alpha()(i) <= 0) {
            gap += m_space.upper(i) * std::max(isHigh ? -pull : pull, 0.0);
        }
    }
    return gap;
}

double FreeSetNewton::gapOfMet(const std::vector<Eigen::Index>& open) const {
    const double bias = m_space.problem().hasFreeBias() && !open.empty()
                            ? m_y(open).dot(m_pull(open)) / static_cast<double>(open.size())
                            : 0.0;
    double gap = 0;
    std::size_t next = 0;
    for (Eigen::Index k = 0; k < m_pull.size(); ++k) {
        if (next < open.size() && open[next] == k) {
            ++next;
            continue;
        }
        const double pull = m_pull(k) - bias * m_y(k);
        gap += m_upper(k) * std::max(m_alpha(k) > 0 ? -pull : pull, 0.0);
    }
    return gap;
}

double FreeSetNewton::excess() const {
    CompensatedSum sum;
    sum.add(-m_balance);
    for (Eigen::Index k = 0; k < m_y.size(); ++k) {
        sum.add(m_y(k) * m_alpha(k));
    }
    return sum.value();
}

void FreeSetNewton::settleExcess() {
    Eigen::Index roomiest = 0;
    const double room = m_alpha.cwiseMin(m_upper - m_alpha).maxCoeff(&roomiest);
    if (const double left = excess(); std::abs(left) < room) {
        m_alpha(roomiest) -= m_y(roomiest) * left;
    }
}

Eigen::VectorXd FreeSetNewton::cutOff(const Eigen::VectorXd& aim) const {
    const auto shifted = [&](double theta) -> Eigen::VectorXd {
        return (aim - theta * m_y).cwiseMax(0.0).cwiseMin(m_upper);
    };
    Eigen::VectorXd cut = shifted(0);
    double reach = (cut - aim).cwiseAbs().maxCoeff();
    if (!m_space.problem().hasFreeBias() || !(reach > 0)) {
        return cut;
    }
    // yᵀ(cut aim − θy) falls from Σ₊U to −Σ₋U as θ rises.
    const double most = aim.cwiseAbs().maxCoeff() + m_upper.maxCoeff();
    while (reach < most && (m_y.dot(shifted(-reach)) < m_balance || m_y.dot(shifted(reach)) > m_balance)) {
        reach *= 2;
    }
    double low = -reach;
    double high = reach;
    for (int k = 0; k < kShiftBisections && low < high; ++k) {
        const double middle = 0.5 * (low + high);
        cut = shifted(middle);
        (m_y.dot(cut) > m_balance ? low : high) = middle;
    }
    return cut;
}

double FreeSetNewton::round(const std::vector<Eigen::Index>& open, Eigen::VectorXd& change, Eigen::VectorXd& image,
                            StopCheck& stopCheck) {
    m_isCutShort = false;
    Eigen::VectorXd solution = m_pull(open);
    m_system->stayWithin({-m_alpha, m_upper - m_alpha, std::max(m_goodEnough, kOthersShare * gapOfMet(open))});
    const bool isBalanced = m_space.problem().hasFreeBias();
    if (!(isBalanced ? m_system->solveBalanced(open, m_y, excess(), solution, image, stopCheck)
                     : m_system->solve(open, solution, image, stopCheck))) {
        return 0;
    }
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(m_pull.size());
    direction(open) = solution;
    const auto gainOf = [&] { return change.dot(m_pull) - 0.5 * change.dot(image); };
    const Eigen::VectorXd aim = m_alpha + direction;
    change = cutOff(aim) - m_alpha;
    if (isBalanced || (aim.array() < 0 || aim.array() > m_upper.array()).any()) {
        m_system->multiply(change, image);
    } // else it is that of the solution
    const double gain = gainOf();
    if (gain >= kGoodShare * 0.5 * direction.dot(m_pull)) {
        return gain;
    }
    const Eigen::VectorXd clipped = change;
    const Eigen::VectorXd clippedImage = image;
    change = cutAtFirstBound(direction);
    m_system->multiply(change, image);
    const double other = gainOf();
    m_isCutShort = other > gain;
    if (m_isCutShort) {
        return other;
    }
    change = clipped;
    image = clippedImage;
    return gain;
}

double FreeSetNewton::take(StopCheck& stopCheck) {
    const auto size = static_cast<Eigen::Index>(m_free.size());
    if (size == 0) {
        return 0;
    }
    const Eigen::VectorXd margins = m_space.margins();
    m_pull.resize(size);
    m_alpha.resize(size);
    m_upper.resize(size);
    m_y.resize(size);
    std::vector<Eigen::Index> open(m_free.size());
    for (Eigen::Index k = 0; k < size; ++k) {
        const std::int32_t position = m_free[static_cast<std::size_t>(k)];
        const SampleIndex i = m_samples[static_cast<std::size_t>(k)];
        m_y(k) = m_space.problem().y()(i);
        m_pull(k) = m_space.problem().thresholds()(i) - margins(position) - m_y(k) * m_space.bias();
        m_alpha(k) = m_space.alpha()(i);
        m_upper(k) = m_space.upper(i);
        open[static_cast<std::size_t>(k)] = k;
    }
    if (m_space.problem().hasFreeBias()) {
        m_balance = m_y.dot(m_alpha) - imbalanceOf(m_space.problem(), m_space.alpha());
    }
    if (isIterative()) {
        m_goodEnough = std::max(m_goodEnough, kOthersShare * gapOfBounded(margins));
    }
    if (!m_system->prepare(m_samples, stopCheck)) {
        return 0;
    }
    const Eigen::Index rounds = std::min(size, kFewRounds + kManyRounds / (size * size));
    double gained = 0;
    Eigen::VectorXd change;
    Eigen::VectorXd image;
    for (Eigen::Index r = 0; r < rounds && !open.empty(); ++r) {
        const double gain = round(open, change, image, stopCheck);
        if (!(gain > 0)) {
            break;
        }
        gained += gain;
        m_pull -= image;
        m_alpha = (m_alpha + change).cwiseMax(0.0).cwiseMin(m_upper);
        const std::size_t before = open.size();
        std::erase_if(open, [&](Eigen::Index k) { return m_alpha(k) <= 0 || m_alpha(k) >= m_upper(k); });
        if ((open.size() == before && !m_system->isHalfWay()) || (m_isCutShort && isIterative())) {
            break; // the best point of the face, or the next round would take long to cut off one more
        }
    }
    if (gained > 0 && m_space.problem().hasFreeBias()) {
        settleExcess();
    }
    if (gained > 0) {
        (void)m_space.move(m_free, m_alpha, stopCheck);
    }
    return gained;
}

} // namespace lambdascope::svm
