// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/part_events.h"

#include <algorithm>
#include <limits>
#include <set>

namespace lambdascope {

void PartEvents::Part::publish(const RunEvent& event) noexcept {
    if (const auto* iterated = std::get_if<Iterated>(&event.body)) {
        iterations.push_back(*iterated);
    } else if (const auto* screened = std::get_if<Screened>(&event.body)) {
        checks.push_back(*screened);
    }
}

void PartEvents::publish(std::int32_t point, const std::vector<PartEnd>& ends, RunContext& context) const {
    publishChecks(point, ends, context);
    publishIterations(point, ends, context);
}

void PartEvents::publishChecks(std::int32_t point, const std::vector<PartEnd>& ends, RunContext& context) const {
    std::size_t most = 0;
    for (const Part& part : m_parts) {
        most = std::max(most, part.checks.size());
    }
    for (std::size_t j = 0; j < most; ++j) {
        Screened sum;
        sum.pointIndex = point;
        sum.check = static_cast<std::int32_t>(j);
        sum.radius = std::numeric_limits<double>::infinity();
        for (std::size_t p = 0; p < m_parts.size(); ++p) {
            const std::vector<Screened>& checks = m_parts[p].checks;
            sum.total += ends[p].items;
            if (checks.empty()) { // it was solved without a look
                sum.optimality += ends[p].gap;
                continue;
            }
            const Screened& last = checks[std::min(j, checks.size() - 1)];
            sum.iteration = std::max(sum.iteration, last.iteration);
            sum.fixedLow += last.fixedLow;
            sum.fixedHigh += last.fixedHigh;
            sum.optimality += last.optimality;
            sum.radius = std::min(sum.radius, last.radius);
            sum.cpu += j < checks.size() ? last.cpu : 0;
        }
        sum.rate =
            sum.total > 0 ? static_cast<double>(sum.fixedLow + sum.fixedHigh) / static_cast<double>(sum.total) : 0.0;
        context.publish(sum);
    }
}

void PartEvents::publishIterations(std::int32_t point, const std::vector<PartEnd>& ends, RunContext& context) const {
    std::set<std::int64_t> iterations;
    for (const Part& part : m_parts) {
        for (const Iterated& iterated : part.iterations) {
            iterations.insert(iterated.iteration);
        }
    }
    std::vector<std::size_t> at(m_parts.size(), 0);
    for (const std::int64_t iteration : iterations) {
        Iterated sum;
        sum.pointIndex = point;
        sum.iteration = iteration;
        for (std::size_t p = 0; p < m_parts.size(); ++p) {
            const std::vector<Iterated>& own = m_parts[p].iterations;
            if (own.empty()) {
                sum.objective += ends[p].objective;
                sum.optimality.value += ends[p].gap;
                continue;
            }
            while (at[p] + 1 < own.size() && own[at[p] + 1].iteration <= iteration) {
                ++at[p];
            }
            const Iterated& now = own[at[p]];
            sum.objective += now.objective;
            sum.optimality = {now.optimality.kind, sum.optimality.value + now.optimality.value};
            sum.tolerance += now.tolerance;
            sum.activeItems += now.activeItems;
            sum.cpu += now.cpu;
        }
        context.publish(sum);
    }
}

} // namespace lambdascope
