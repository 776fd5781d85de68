// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/screening/range_store.h"

#include <algorithm>

namespace lambdascope::metric {

void RangeStore::moveTo(double lambda) {
    if (lambda > m_lambda) {
        m_fixed.reset();
        m_batches.clear();
        m_batch.clear();
    }
    m_lambda = lambda;
    for (std::vector<Entry>& batch : m_batches) {
        while (!batch.empty() && batch.back().low >= lambda) {
            m_fixed.clear(batch.back().number);
            batch.pop_back();
        }
        if (batch.size() < batch.capacity() / 2) {
            batch.shrink_to_fit();
        }
    }
    std::erase_if(m_batches, [](const std::vector<Entry>& batch) { return batch.empty(); });
}

void RangeStore::seal() {
    std::sort(m_batch.begin(), m_batch.end(),
              [](const Entry& a, const Entry& b) { return a.low != b.low ? a.low < b.low : a.number < b.number; });
    if (!m_batch.empty()) {
        m_batches.push_back(std::move(m_batch));
        m_batch = {};
    }
}

std::size_t RangeStore::bytes() const {
    std::size_t entries = m_batch.capacity();
    for (const std::vector<Entry>& batch : m_batches) {
        entries += batch.capacity();
    }
    return entries * sizeof(Entry) + static_cast<std::size_t>(m_fixed.size()) / 4;
}

} // namespace lambdascope::metric
