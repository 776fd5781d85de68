// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/engines/active_rows.h"

#include <algorithm>

namespace lambdascope::pu {

void ActiveRows::visit(std::span<const SampleIndex> active) {
    m_active = active;
    m_slots.assign(active.size(), -1);
    m_kept = 0;
}

const double* ActiveRows::row(std::int32_t position, Hold& hold) {
    const std::size_t count = m_active.size();
    std::int32_t& slot = m_slots[static_cast<std::size_t>(position)];
    if (slot >= 0) {
        return m_values.get() + static_cast<std::size_t>(slot) * count;
    }
    hold.row = m_space.row(m_active[static_cast<std::size_t>(position)], hold.made);
    if (count == static_cast<std::size_t>(m_space.unlabeled())) {
        return hold.row.values + m_space.positives();
    }
    const std::size_t half = static_cast<std::size_t>(m_space.unlabeled()) / 2;
    if (m_values == nullptr) {
        m_room = std::min(kMostValues, half * half);
        if (!m_space.isLinear()) { // no more than the rows themselves may take
            m_room = std::min(m_room, static_cast<std::size_t>(m_space.budget() / sizeof(double)));
        }
        m_values = std::make_unique_for_overwrite<double[]>(m_room);
    }
    double* out = nullptr;
    if ((m_kept + 1) * count <= m_room) {
        slot = static_cast<std::int32_t>(m_kept);
        out = m_values.get() + m_kept * count;
        ++m_kept;
        m_touched = std::max(m_touched, m_kept * count);
    } else {
        hold.gathered.resize(count);
        out = hold.gathered.data();
    }
    for (std::size_t k = 0; k < count; ++k) {
        out[k] = hold.row.values[m_active[k]];
    }
    return out;
}

double ActiveRows::bytes() const {
    return static_cast<double>(sizeof(double)) * static_cast<double>(m_touched) +
           static_cast<double>(sizeof(std::int32_t)) * static_cast<double>(m_slots.capacity());
}

} // namespace lambdascope::pu
