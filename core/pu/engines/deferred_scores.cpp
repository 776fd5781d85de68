// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/engines/deferred_scores.h"

#include "core/numeric/error_bound.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace lambdascope::pu {

void DeferredScores::begin(std::span<const SampleIndex> members, const Eigen::VectorXd& s) {
    Lapse lapse;
    lapse.samples.resize(static_cast<std::size_t>(m_problem.positives()));
    std::iota(lapse.samples.begin(), lapse.samples.end(), SampleIndex{0});
    if (static_cast<SampleIndex>(members.size()) < m_problem.unlabeled()) {
        std::size_t k = 0;
        for (SampleIndex u = m_problem.positives(); u < m_problem.size(); ++u) {
            if (k < members.size() && members[k] == u) {
                ++k;
            } else {
                lapse.samples.push_back(u);
            }
        }
    }
    lapse.s = s;
    m_lapses.clear();
    m_lapses.push_back(std::move(lapse));
    m_hasMoved = false;
}

void DeferredScores::add(std::vector<SampleIndex> samples, const Eigen::VectorXd& s, bool areMembers) {
    if (!m_hasMoved && !areMembers) { // the same is owed to them
        std::vector<SampleIndex>& first = m_lapses.front().samples;
        first.insert(first.end(), samples.begin(), samples.end());
        return;
    }
    m_lapses.push_back({std::move(samples), s, areMembers});
}

DeferredScores::Caught DeferredScores::catchUp(const Lapse& lapse, const Eigen::VectorXd& s, double norm,
                                               Eigen::VectorXd& scores, StopCheck& stopCheck) {
    constexpr SampleIndex kChunk = 64; // in most of them nothing has moved
    std::vector<PuSpace::Weighted> changes;
    double moved = 0;
    for (SampleIndex from = m_problem.positives(); from < m_problem.size(); from += kChunk) {
        const SampleIndex count = std::min(kChunk, m_problem.size() - from);
        if (s.segment(from, count) == lapse.s.segment(from, count)) {
            continue;
        }
        for (SampleIndex u = from; u < from + count; ++u) {
            if (const double change = s(u) - lapse.s(u); change != 0) {
                changes.emplace_back(u, change);
                moved += std::abs(change) * m_problem.space().norms()(u);
            }
        }
    }
    if (changes.empty() || lapse.samples.empty()) {
        return {};
    }
    const auto moves = static_cast<double>(changes.size());
    Caught caught{roundingFactor(moves + 2) * moved + kUnitRoundoff * norm, 0};
    if (3 * lapse.samples.size() > static_cast<std::size_t>(m_problem.size())) {
        Eigen::VectorXd owed = Eigen::VectorXd::Zero(m_problem.size()); // whole rows are faster than picked values
        m_problem.space().addRows(changes, owed, stopCheck);
        for (const SampleIndex u : lapse.samples) {
            scores(u) -= owed(u);
        }
        caught.kernelValues = static_cast<std::int64_t>(changes.size()) * m_problem.size();
        return caught;
    }
    std::vector<double> owed(lapse.samples.size(), 0.0);
    for (const auto& [u, change] : changes) {
        const KernelRow row = m_problem.space().row(u, m_scratch);
        for (std::size_t k = 0; k < owed.size(); ++k) {
            owed[k] += change * row.values[lapse.samples[k]];
        }
        if (stopCheck.spend(4 * static_cast<std::int64_t>(owed.size()) + 64 + m_problem.space().rowWork())) {
            break;
        }
    }
    for (std::size_t k = 0; k < owed.size(); ++k) {
        scores(lapse.samples[k]) -= owed[k];
    }
    caught.kernelValues = static_cast<std::int64_t>(changes.size() * owed.size());
    return caught;
}

DeferredScores::Caught DeferredScores::catchUp(bool all, const Eigen::VectorXd& s, double norm, Eigen::VectorXd& scores,
                                               StopCheck& stopCheck) {
    Caught worst; // each sample is in one lapse at most
    std::vector<Lapse> rest;
    for (Lapse& lapse : m_lapses) {
        if (all || lapse.areMembers) {
            const Caught caught = catchUp(lapse, s, norm, scores, stopCheck);
            worst.rounding = std::max(worst.rounding, caught.rounding);
            worst.kernelValues += caught.kernelValues;
        } else {
            rest.push_back(std::move(lapse));
        }
    }
    m_lapses = std::move(rest);
    return worst;
}

double DeferredScores::bytes() const {
    double bytes = 0;
    for (const Lapse& lapse : m_lapses) {
        bytes += static_cast<double>(sizeof(double)) * static_cast<double>(lapse.s.size()) +
                 static_cast<double>(sizeof(SampleIndex)) * static_cast<double>(lapse.samples.capacity());
    }
    return bytes;
}

} // namespace lambdascope::pu
