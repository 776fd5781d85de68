// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/neighbours.h"

#include "core/common/number_text.h"
#include "core/common/thread_team.h"
#include "core/data/dataset.h"

#include <algorithm>
#include <mutex>
#include <span>
#include <thread>

namespace lambdascope {

namespace {

struct Neighbour {
    double squaredDistance;
    std::int32_t row;
    bool operator<(const Neighbour& b) const {
        return squaredDistance < b.squaredDistance || (squaredDistance == b.squaredDistance && row < b.row);
    }
};

/// Four running sums, always split and joined in the same way, so that results do not hang on alignment.
double squaredDistance(const double* a, const double* b, Eigen::Index count) {
    double sums[4] = {0, 0, 0, 0};
    Eigen::Index c = 0;
    for (; c + 4 <= count; c += 4) {
        for (int lane = 0; lane < 4; ++lane) {
            const double difference = a[c + lane] - b[c + lane];
            sums[lane] += difference * difference;
        }
    }
    for (; c < count; ++c) {
        const double difference = a[c] - b[c];
        sums[0] += difference * difference;
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

double squaredDistance(const SparseRows& x, std::int32_t i, std::int32_t j) {
    double sum = 0;
    SparseRows::InnerIterator a(x, i);
    SparseRows::InnerIterator b(x, j);
    while (a || b) {
        double difference = 0;
        if (!b || (a && a.index() < b.index())) {
            difference = a.value();
            ++a;
        } else if (!a || b.index() < a.index()) {
            difference = b.value();
            ++b;
        } else {
            difference = a.value() - b.value();
            ++a;
            ++b;
        }
        sum += difference * difference;
    }
    return sum;
}

/// Moves the `count` nearest to the front, in order.
void orderNearest(std::vector<Neighbour>& found, std::size_t count) {
    const auto middle = found.begin() + static_cast<std::ptrdiff_t>(count);
    if (count < found.size()) {
        std::nth_element(found.begin(), middle, found.end());
    }
    std::sort(found.begin(), middle);
}

class NeighbourSearch {
  public:
    NeighbourSearch(const Dataset& data, std::optional<std::int64_t> k, const DataProgress& progress,
                    std::stop_token stop)
        : m_data(data), m_k(k), m_progress(progress), m_stop(std::move(stop)), m_rows(data.rows()) {}

    /// Room for every anchor; false when that would not fit in memory.
    void layOut() {
        std::vector<std::int64_t> classSizes(m_data.classNames().size(), 0);
        for (const std::int32_t label : m_data.labels()) {
            ++classSizes[static_cast<std::size_t>(label)];
        }
        m_result.sameOffset.assign(static_cast<std::size_t>(m_rows) + 1, 0);
        m_result.otherOffset = m_result.sameOffset;
        const std::int64_t most = m_k.value_or(m_rows);
        for (std::size_t i = 0; i < static_cast<std::size_t>(m_rows); ++i) {
            const std::int64_t size = classSizes[static_cast<std::size_t>(m_data.labels()[i])];
            m_result.sameOffset[i + 1] = m_result.sameOffset[i] + std::min(most, size - 1);
            m_result.otherOffset[i + 1] = m_result.otherOffset[i] + std::min<std::int64_t>(most, m_rows - size);
        }
        m_result.same.resize(static_cast<std::size_t>(m_result.sameOffset.back()));
        m_result.other.resize(static_cast<std::size_t>(m_result.otherOffset.back()));
    }

    /// Every anchor writes only its own part of the result, so threads cannot change it.
    bool run() {
        const auto rows = static_cast<std::int32_t>(m_rows);
        ThreadTeam team(static_cast<int>(std::thread::hardware_concurrency()));
        team.forEachBlock((rows + kBlock - 1) / kBlock,
                          [&](std::int64_t block, std::size_t) {
                              const auto begin = static_cast<std::int32_t>(block) * kBlock;
                              searchFor(begin, std::min(begin + kBlock, rows));
                          },
                          [this] { return m_stop.stop_requested(); });
        return !m_stop.stop_requested();
    }

    ClassNeighbours takeResult() { return std::move(m_result); }

  private:
    static constexpr std::int32_t kBlock = 16; ///< anchors

    void searchFor(std::int32_t begin, std::int32_t end) {
        std::vector<Neighbour> same;
        std::vector<Neighbour> other;
        for (std::int32_t i = begin; i != end; ++i) {
            if (m_stop.stop_requested()) {
                return;
            }
            searchFor(i, same, other);
        }
        report(end - begin);
    }

    void searchFor(std::int32_t i, std::vector<Neighbour>& same, std::vector<Neighbour>& other) {
        same.clear();
        other.clear();
        const auto& labels = m_data.labels();
        const auto anchor = static_cast<std::size_t>(i);
        for (std::int32_t j = 0; j < static_cast<std::int32_t>(m_rows); ++j) {
            if (j == i) {
                continue;
            }
            auto& found = labels[static_cast<std::size_t>(j)] == labels[anchor] ? same : other;
            found.push_back({distance(i, j), j});
        }
        write(same, m_result.same, m_result.sameOffset[anchor], m_result.sameOffset[anchor + 1]);
        write(other, m_result.other, m_result.otherOffset[anchor], m_result.otherOffset[anchor + 1]);
    }

    [[nodiscard]] double distance(std::int32_t i, std::int32_t j) const {
        if (m_data.isSparse()) {
            return squaredDistance(m_data.sparse(), i, j);
        }
        const DenseRows& x = m_data.dense();
        return squaredDistance(x.data() + i * x.cols(), x.data() + j * x.cols(), x.cols());
    }

    static void write(std::vector<Neighbour>& found, std::vector<std::int32_t>& rows, std::int64_t begin,
                      std::int64_t end) {
        orderNearest(found, static_cast<std::size_t>(end - begin));
        for (std::int64_t at = begin; at < end; ++at) {
            rows[static_cast<std::size_t>(at)] = found[static_cast<std::size_t>(at - begin)].row;
        }
    }

    void report(std::int64_t anchors) {
        if (!m_progress) {
            return;
        }
        const std::lock_guard lock(m_progressMutex);
        m_done += anchors;
        m_progress(static_cast<double>(m_done) / static_cast<double>(m_rows), "Finding neighbours");
    }

    const Dataset& m_data;
    std::optional<std::int64_t> m_k;
    const DataProgress& m_progress;
    std::stop_token m_stop;
    Eigen::Index m_rows;
    ClassNeighbours m_result;
    std::mutex m_progressMutex;
    std::int64_t m_done = 0;
};

} // namespace

Result<ClassNeighbours> classNeighbours(const Dataset& data, std::optional<std::int64_t> k,
                                        const DataProgress& progress, std::stop_token stop) {
    if (!data.isLabelled()) {
        return Failure(singleFault(ErrorCode::InvalidData, {"data.labels",
                                                            "the data set \"" + data.name() + "\" has no class labels",
                                                            "Choose the label column, or a data set with classes.",
                                                            {}}));
    }
    if (k && *k < 1) {
        return Failure(singleFault(ErrorCode::InvalidConfiguration,
                                   {"",
                                    "the number of neighbours is " + std::to_string(*k) + " but must be at least 1",
                                    "Ask for one neighbour or more, or for all.",
                                    {}}));
    }
    NeighbourSearch search(data, k, progress, stop);
    try {
        search.layOut();
    } catch (const std::exception&) { // bad_alloc or length_error, by size
        const auto rows = static_cast<double>(data.rows());
        return Failure(
            singleFault(ErrorCode::OutOfMemory, {"",
                                                 "the neighbours of all rows take " + byteText(rows * rows * 4),
                                                 "Ask for fewer neighbours, or for a smaller share of the rows.",
                                                 {}}));
    }
    if (!search.run()) {
        return Failure(plainError(ErrorCode::Stopped, "Finding neighbours was stopped."));
    }
    return search.takeResult();
}

} // namespace lambdascope
