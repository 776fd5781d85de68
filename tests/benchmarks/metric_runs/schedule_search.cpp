// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/metric_runs/schedule_search.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

namespace lambdascope::benchmarks {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
/// Room for the order of sums.
constexpr double kRoom = 1e-9;

/// Schedules by the methods of the last λ: bit 0 is the method here, bit 1 that of the λ before, ….
class Search {
  public:
    Search(const std::vector<StepWork>& work, std::size_t window)
        : m_work(work), m_window(std::min(window, work.size())), m_states(std::size_t{2} << m_window) {
        const std::array both = {workOfOne(work, 0), workOfOne(work, 1)};
        for (std::size_t end = m_window; end <= work.size(); ++end) {
            const auto total = [&](std::size_t method) {
                const auto first = both[method].begin() + static_cast<std::ptrdiff_t>(end - m_window);
                return std::accumulate(first, first + static_cast<std::ptrdiff_t>(m_window), 0.0);
            };
            m_better.push_back(std::min(total(0), total(1)));
        }
    }

    /// The least worst window.
    double leastWorst() {
        std::vector<double> worst;
        run([&](std::size_t at, std::size_t state, double before) { return std::max(before, ratio(at, state)); },
            worst);
        return *std::min_element(worst.begin(), worst.end());
    }

    /// The methods that take least in all, with no window over `limit`.
    std::vector<std::size_t> cheapest(double limit) {
        std::vector<double> total;
        run([&](std::size_t at, std::size_t state,
                double before) { return ratio(at, state) <= limit ? before + workAt(at, state) : kNever; },
            total);
        auto state = static_cast<std::size_t>(std::min_element(total.begin(), total.end()) - total.begin());
        std::vector<std::size_t> methods(m_work.size());
        for (std::size_t at = m_work.size(); at-- > 0;) {
            methods[at] = state & 1;
            state = (state >> 1) | (m_oldest[at][state] ? m_states / 2 : 0);
        }
        return methods;
    }

  private:
    /// `cost` of each state at the last λ, add(λ, state, cost before) being that of one more λ.
    template <class Add>
    void run(const Add& add, std::vector<double>& cost) {
        cost.assign(m_states, kNever);
        cost[0] = 0; // of nothing before the path
        m_oldest.assign(m_work.size(), std::vector<bool>(m_states, false));
        std::vector<double> next(m_states);
        for (std::size_t at = 0; at < m_work.size(); ++at) {
            for (std::size_t state = 0; state < m_states; ++state) {
                const std::size_t before = state >> 1;
                const bool isOld = cost[before | (m_states / 2)] < cost[before];
                const double least = std::min(cost[before], cost[before | (m_states / 2)]);
                m_oldest[at][state] = isOld;
                next[state] = least < kNever ? add(at, state, least) : kNever;
            }
            cost.swap(next);
        }
    }

    [[nodiscard]] double workAt(std::size_t at, std::size_t state) const {
        return m_work[at][(state >> 1) & 1][state & 1];
    }
    /// Of the window that ends here; 0 before the first whole one.
    [[nodiscard]] double ratio(std::size_t at, std::size_t state) const {
        if (at + 1 < m_window) {
            return 0;
        }
        double total = 0;
        for (std::size_t back = 0; back < m_window; ++back) {
            total += workAt(at - back, state >> back);
        }
        return total / m_better[at + 1 - m_window];
    }

    const std::vector<StepWork>& m_work;
    std::size_t m_window;
    std::size_t m_states;
    std::vector<double> m_better;            ///< per window
    std::vector<std::vector<bool>> m_oldest; ///< per λ and state: the method that left the state on the best way
};

double totalOf(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

} // namespace

std::vector<double> workOfOne(const std::vector<StepWork>& work, std::size_t method) {
    std::vector<double> kept(work.size());
    std::transform(work.begin(), work.end(), kept.begin(),
                   [method](const StepWork& step) { return step[method][method]; });
    return kept;
}

MethodSchedule leastWorstSchedule(const std::vector<StepWork>& work, std::size_t window) {
    MethodSchedule schedule;
    if (work.empty()) {
        return schedule;
    }
    Search search(work, window);
    schedule.worstWindow = search.leastWorst();
    schedule.methods = search.cheapest(schedule.worstWindow * (1 + kRoom));
    double total = 0;
    for (std::size_t at = 0; at < work.size(); ++at) {
        total += work[at][at > 0 ? schedule.methods[at - 1] : 0][schedule.methods[at]];
    }
    schedule.wholePath = total / std::min(totalOf(workOfOne(work, 0)), totalOf(workOfOne(work, 1)));
    return schedule;
}

} // namespace lambdascope::benchmarks
