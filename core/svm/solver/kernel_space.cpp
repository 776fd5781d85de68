// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/kernel_space.h"

#include "core/svm/problem/sample_products.h"
#include "core/svm/problem/work_units.h"
#include "core/svm/solver/pair_descent.h"

#include <algorithm>
#include <array>
#include <limits>

namespace lambdascope::svm {

namespace {

/// Time of picking a number out of a row, in passes over one.
constexpr std::int64_t kPickSlower = 3;

} // namespace

void KernelSpace::spendRow(StopCheck& stopCheck) {
    const std::int64_t operations = operationsPerRow(m_problem);
    count(work_units::kRow * m_problem.rowCount() +
          (m_problem.rows().hasAllValues() ? 0.0 : static_cast<double>(operations)));
    (void)stopCheck.spend(operations);
}

class KernelSpace::RowSum {
  public:
    explicit RowSum(const Eigen::Ref<Eigen::VectorXd>& image) : m_image(image) {}
    ~RowSum() { flush(); }
    RowSum(const RowSum&) = delete;
    RowSum& operator=(const RowSum&) = delete;

    /// Memory for a row that nobody keeps, until it has been added.
    std::vector<double>& scratch() { return m_scratch[m_held]; }
    void add(double factor, MemberRow row) {
        m_factors[m_held] = factor;
        m_rows[m_held] = std::move(row);
        if (++m_held == kRowsTogether) {
            flush();
        }
    }

  private:
    void flush() {
        const auto row = [this](std::size_t r) {
            return m_factors[r] * Eigen::Map<const Eigen::VectorXd>(m_rows[r].values, m_image.size());
        };
        static_assert(kRowsTogether == 4);
        if (m_held == kRowsTogether) {
            m_image += row(0) + row(1) + row(2) + row(3);
        } else {
            for (std::size_t r = 0; r < m_held; ++r) {
                m_image += row(r);
            }
        }
        m_held = 0;
    }

    Eigen::Ref<Eigen::VectorXd> m_image;
    std::array<MemberRow, kRowsTogether> m_rows;
    std::array<double, kRowsTogether> m_factors = {};
    std::array<std::vector<double>, kRowsTogether> m_scratch;
    std::size_t m_held = 0;
};

void KernelSpace::loaded(const SolvedSvm& start, double scale) {
    m_levels.clear();
    m_gathered = 0;
    m_levels.emplace_back();
    m_levels.back().image = scale * m_problem.y().cwiseProduct(start.margins);
    m_levels.back().y = m_problem.y();
    m_levels.back().diagonal = m_problem.diagonal();
    m_levels.back().thresholds = m_problem.thresholds();
}

void KernelSpace::narrowed(const std::vector<std::int32_t>& positions) {
    Level below;
    below.above = positions;
    below.rows.resize(positions.size());
    Level& level = m_levels.back();
    below.image = level.image(positions);
    below.y = level.y(positions);
    below.diagonal = level.diagonal(positions);
    below.thresholds = level.thresholds(positions);
    level.alpha = m_alpha;
    m_levels.push_back(std::move(below));
    count(work_units::kLevel * static_cast<double>(positions.size()));
}

void KernelSpace::widen(StopCheck& stopCheck) {
    const Level below = std::move(m_levels.back());
    const double width = static_cast<double>(below.rows.size()) * static_cast<double>(sizeof(double));
    m_gathered -= width * static_cast<double>(std::count_if(below.rows.begin(), below.rows.end(),
                                                            [](const auto& row) { return row != nullptr; }));
    m_levels.pop_back();
    m_members.pop_back();
    Level& level = m_levels.back();
    const std::vector<SampleIndex>& members = m_members.back();
    std::vector<std::int32_t> left; // positions of those that missed the moves
    std::vector<SampleIndex> missed;
    for (std::size_t k = 0, next = 0; k < members.size(); ++k) {
        if (next < below.above.size() && below.above[next] == static_cast<std::int32_t>(k)) {
            level.image(static_cast<Eigen::Index>(k)) = below.image(static_cast<Eigen::Index>(next++));
        } else {
            left.push_back(static_cast<std::int32_t>(k));
            missed.push_back(members[k]);
        }
    }
    count(work_units::kLevel * static_cast<double>(members.size()));
    const Eigen::VectorXd owed = movesSince(level.alpha, missed, stopCheck);
    for (std::size_t k = 0; k < left.size(); ++k) {
        level.image(left[k]) += owed(static_cast<Eigen::Index>(k));
    }
}

Eigen::VectorXd KernelSpace::movesSince(const Eigen::VectorXd& before, const std::vector<SampleIndex>& missed,
                                        StopCheck& stopCheck) {
    const SampleIndex n = m_problem.size();
    // Whole rows are passed over where picking numbers out of them would take longer.
    const bool takesAll = kPickSlower * static_cast<std::int64_t>(missed.size()) >= m_problem.rowCount();
    Eigen::VectorXd owed = Eigen::VectorXd::Zero(takesAll ? m_problem.rowCount() : std::ssize(missed));
    std::int64_t moves = 0;
    double moved = 0;
    {
        RowSum sum(owed);
        for (SampleIndex j = 0; j < n && !stopCheck.isStopped(); ++j) {
            const double change = m_alpha(j) - before(j);
            if (change == 0) {
                continue;
            }
            KernelRow row = m_problem.kernelRow(j);
            if (takesAll) {
                sum.add(m_problem.y()(j) * change, {row.values, std::move(row.owner)});
            } else {
                std::vector<double>& picked = sum.scratch();
                picked.resize(missed.size());
                std::transform(missed.begin(), missed.end(), picked.begin(),
                               [&](SampleIndex i) { return row.values[m_problem.rowOf(i)]; });
                sum.add(m_problem.y()(j) * change, {picked.data(), nullptr});
            }
            ++moves;
            moved += std::abs(change) * m_problem.norms()(j);
            spendRow(stopCheck);
        }
    }
    m_drift += roundingFactor(static_cast<double>(moves + 2)) * moved + kUnitRoundoff * m_norm;
    if (!takesAll) {
        return owed;
    }
    Eigen::VectorXd picked(std::ssize(missed));
    std::transform(missed.begin(), missed.end(), picked.data(),
                   [&](SampleIndex i) { return owed(m_problem.rowOf(i)); });
    return picked;
}

void KernelSpace::gather(SampleIndex i, std::span<const SampleIndex> to, double* out) const {
    const KernelRow row = m_problem.kernelRow(i);
    for (std::size_t k = 0; k < to.size(); ++k) {
        out[k] = row.values[m_problem.rowOf(to[k])];
    }
}

KernelSpace::MemberRow KernelSpace::memberRow(std::int32_t position, std::vector<double>& scratch) {
    if (m_levels.size() == 1) {
        KernelRow row = m_problem.kernelRow(position); // of all samples
        if (!m_problem.sharesRows()) {
            return {row.values, std::move(row.owner)};
        }
        const std::span<const double> values(row.values, static_cast<std::size_t>(m_problem.rowCount()));
        scratch.assign(values.begin(), values.end());
        scratch.insert(scratch.end(), values.begin(), values.end());
        return {scratch.data(), nullptr};
    }
    Level& level = m_levels.back();
    std::unique_ptr<double[]>& row = level.rows[static_cast<std::size_t>(position)];
    if (row) {
        return {row.get(), nullptr};
    }
    const std::vector<SampleIndex>& members = m_members.back();
    const SampleIndex i = members[static_cast<std::size_t>(position)];
    count(work_units::kPick * static_cast<double>(members.size()));
    const double bytes = static_cast<double>(members.size()) * static_cast<double>(sizeof(double));
    if (m_gathered + bytes > kGatheredBytes) {
        scratch.resize(members.size());
        gather(i, members, scratch.data());
        return {scratch.data(), nullptr};
    }
    m_gathered += bytes;
    row.reset(new double[members.size()]);
    gather(i, members, row.get());
    return {row.get(), nullptr};
}

std::int64_t KernelSpace::stepsFor(const std::vector<std::int32_t>& visit) {
    return std::max(kLeastSteps, static_cast<std::int64_t>(visit.size()) / kStepShare);
}

std::int64_t KernelSpace::operationsPerStep() const {
    return kOperationsPerMember * m_levels.back().image.size() +
           (m_problem.rows().hasAllValues() ? 0 : 2 * operationsPerRow(m_problem));
}

SweepOutcome KernelSpace::sweep(std::vector<std::int32_t>& visit, const ShrinkLimits& limits, RandomStream&,
                                StopCheck& stopCheck) {
    if (m_problem.hasFreeBias()) {
        return balancedSweep(visit, limits, stopCheck);
    }
    const std::vector<SampleIndex>& members = m_members.back();
    Level& level = m_levels.back();
    Eigen::ArrayXd uppers(level.image.size());
    std::transform(members.begin(), members.end(), uppers.data(), [&](SampleIndex i) { return upper(i); });
    PairDescent descent(level.y, level.diagonal, level.thresholds, level.image, m_alpha(members), std::move(uppers),
                        visit);
    SweepOutcome outcome;
    double moved = 0;
    const std::int64_t steps = stepsFor(visit);
    const std::int64_t operations = operationsPerStep();
    const auto book = [&](Eigen::Index place, double change) {
        moved += std::abs(change) * m_problem.norms()(members[static_cast<std::size_t>(place)]);
        ++outcome.updates;
    };
    for (std::int64_t taken = 0; taken < steps && descent.best() >= 0 && !stopCheck.isStopped(); ++taken) {
        const MemberRow first = memberRow(static_cast<std::int32_t>(descent.best()), m_firstScratch);
        PairStep step = descent.plan(first.values);
        MemberRow second;
        if (step.second >= 0) {
            second = memberRow(static_cast<std::int32_t>(step.second), m_secondScratch);
        }
        descent.take(step, first.values, second.values);
        outcome.gain += step.gain;
        book(step.first, step.firstChange);
        if (step.second >= 0) {
            book(step.second, step.secondChange);
        }
        outcome.operations += operations;
        (void)stopCheck.spend(operations);
    }
    m_alpha(members) = descent.alpha();
    DualIterate::book(outcome.updates, moved);
    shrink(visit, limits, outcome);
    return outcome;
}

void KernelSpace::shrink(std::vector<std::int32_t>& visit, const ShrinkLimits& limits, SweepOutcome& outcome) {
    const std::vector<SampleIndex>& members = m_members.back();
    const Level& level = m_levels.back();
    count(work_units::kSweep * static_cast<double>(members.size()));
    outcome.highest = -std::numeric_limits<double>::infinity();
    outcome.lowest = std::numeric_limits<double>::infinity();
    std::erase_if(visit, [&](std::int32_t k) {
        const SampleIndex i = members[static_cast<std::size_t>(k)];
        const double slope = level.y(k) * (level.image(k) + m_bias) - level.thresholds(k);
        const double alpha = m_alpha(i);
        const bool isLow = alpha <= 0;
        const bool isHigh = alpha >= upper(i);
        if ((isLow && slope > limits.highest) || (isHigh && slope < limits.lowest)) {
            return true;
        }
        outcome.slack += alpha * slope + upper(i) * std::max(0.0, -slope);
        const double projected = isLow ? std::min(slope, 0.0) : isHigh ? std::max(slope, 0.0) : slope;
        outcome.highest = std::max(outcome.highest, projected);
        outcome.lowest = std::min(outcome.lowest, projected);
        return false;
    });
}

double KernelSpace::move(const std::vector<std::int32_t>& positions, const Eigen::VectorXd& targets,
                         StopCheck& stopCheck) {
    const std::vector<SampleIndex>& members = m_members.back();
    Eigen::VectorXd& image = m_levels.back().image;
    Eigen::VectorXd changes = Eigen::VectorXd::Zero(targets.size()); // of yα
    Eigen::VectorXd before(targets.size());
    double moved = 0;
    double linear = 0; // of tᵀα
    for (std::size_t k = 0; k < positions.size(); ++k) {
        before(static_cast<Eigen::Index>(k)) = image(positions[k]);
    }
    // A step over many samples uses each row once: those that nobody has gathered yet are passed over whole where
    // picking numbers out of them would take longer.
    const bool takesWhole = m_levels.size() > 1 && kPickSlower * std::ssize(members) >= m_problem.rowCount();
    Eigen::VectorXd whole = Eigen::VectorXd::Zero(takesWhole ? m_problem.rowCount() : 0);
    {
        RowSum sum(image);
        RowSum wholeSum(whole);
        for (std::size_t k = 0; k < positions.size() && !stopCheck.isStopped(); ++k) {
            const SampleIndex i = members[static_cast<std::size_t>(positions[k])];
            const double target = targets(static_cast<Eigen::Index>(k));
            const double change = target - m_alpha(i);
            if (change == 0) {
                continue;
            }
            m_alpha(i) = target;
            moved += std::abs(change) * m_problem.norms()(i);
            linear += m_problem.thresholds()(i) * change;
            changes(static_cast<Eigen::Index>(k)) = change * m_problem.y()(i);
            if (takesWhole && !m_levels.back().rows[static_cast<std::size_t>(positions[k])]) {
                KernelRow row = m_problem.kernelRow(i);
                wholeSum.add(change * m_problem.y()(i), {row.values, std::move(row.owner)});
            } else {
                sum.add(change * m_problem.y()(i), memberRow(positions[k], sum.scratch()));
            }
            spendRow(stopCheck);
        }
    }
    for (std::size_t k = 0; takesWhole && k < members.size(); ++k) {
        image(static_cast<Eigen::Index>(k)) += whole(m_problem.rowOf(members[k]));
    }
    book(static_cast<std::int64_t>(positions.size()), moved);
    // The dual is quadratic: its slope half-way is the mean of the slopes at both ends.
    double gain = linear;
    for (std::size_t k = 0; k < positions.size(); ++k) {
        const auto at = static_cast<Eigen::Index>(k);
        gain -= 0.5 * changes(at) * (before(at) + image(positions[k]));
    }
    return gain;
}

double KernelSpace::squaredNorm() const {
    return m_alpha.dot(m_problem.y().cwiseProduct(m_levels.front().image));
}

Eigen::VectorXd KernelSpace::weights() const {
    if (m_problem.rows().kernel().kind != KernelKind::Linear) {
        return {};
    }
    Eigen::VectorXd w = Eigen::VectorXd::Zero(m_problem.features().features());
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        if (m_alpha(i) != 0) {
            m_problem.addTo(i, m_problem.y()(i) * m_alpha(i), w.data());
        }
    }
    return w;
}

Eigen::VectorXd KernelSpace::margins() const {
    const std::vector<SampleIndex>& members = m_members.back();
    Eigen::VectorXd result = m_levels.back().image;
    for (std::size_t k = 0; k < members.size(); ++k) {
        result(static_cast<Eigen::Index>(k)) *= m_problem.y()(members[k]);
    }
    return result;
}

double KernelSpace::margin(std::int32_t position) const {
    return m_levels.back().y(position) * m_levels.back().image(position);
}

void KernelSpace::refresh(StopCheck& stopCheck) {
    Eigen::VectorXd byRow = Eigen::VectorXd::Zero(m_problem.rowCount());
    double length = 0;
    std::int64_t terms = 0;
    {
        RowSum sum(byRow);
        for (SampleIndex j = 0; j < m_problem.size() && !stopCheck.isStopped(); ++j) {
            if (m_alpha(j) == 0) {
                continue;
            }
            KernelRow row = m_problem.kernelRow(j);
            sum.add(m_problem.y()(j) * m_alpha(j), {row.values, std::move(row.owner)});
            length += m_alpha(j) * m_problem.norms()(j);
            ++terms;
            spendRow(stopCheck);
        }
    }
    m_drift = roundingFactor(static_cast<double>(terms + 2)) * length;
    Eigen::VectorXd& image = m_levels.front().image;
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        image(i) = byRow(m_problem.rowOf(i));
    }
}

} // namespace lambdascope::svm
