// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/neighbours.h"

#include "core/common/number_text.h"
#include "core/common/thread_team.h"
#include "core/data/dataset.h"

#include <algorithm>
#include <limits>
#include <mutex>
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
    using Four = Eigen::Array4d;
    using FourMap = Eigen::Map<const Four>;
    Four sums = Four::Zero();
    Eigen::Index c = 0;
    for (; c + 4 <= count; c += 4) {
        sums += (FourMap(a + c) - FourMap(b + c)).square();
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

/// The `wanted` nearest of the rows that are offered, which have to be as many.
class NearestRows {
  public:
    explicit NearestRows(std::int64_t wanted) : m_wanted(static_cast<std::size_t>(wanted)) {}

    void offer(double squaredDistance, std::int32_t row) {
        if (!(squaredDistance > m_farthest)) {
            m_found.push_back({squaredDistance, row});
            if (m_found.size() >= 2 * m_wanted + kRoom) {
                keepNearest();
                m_farthest = m_found.back().squaredDistance;
            }
        }
    }
    /// In order.
    void write(std::int32_t* rows) {
        keepNearest();
        std::sort(m_found.begin(), m_found.end());
        std::transform(m_found.begin(), m_found.end(), rows, [](const Neighbour& found) { return found.row; });
    }

  private:
    static constexpr std::size_t kRoom = 32;

    /// The farthest of those wanted comes last, when there were more.
    void keepNearest() {
        if (m_found.size() > m_wanted) {
            const auto end = m_found.begin() + static_cast<std::ptrdiff_t>(m_wanted);
            std::nth_element(m_found.begin(), end - 1, m_found.end());
            m_found.erase(end, m_found.end());
        }
    }

    std::vector<Neighbour> m_found;
    std::size_t m_wanted;
    double m_farthest = std::numeric_limits<double>::infinity(); ///< rows farther away are not among the nearest
};

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
    static constexpr std::int32_t kTile = 128; ///< rows

    struct Anchor {
        std::int32_t row;
        NearestRows same;
        NearestRows other;
    };

    /// Tile by tile, which stays in the cache while all anchors of the block look at it.
    void searchFor(std::int32_t begin, std::int32_t end) {
        std::vector<Anchor> anchors;
        for (std::int32_t i = begin; i < end; ++i) {
            const auto at = static_cast<std::size_t>(i);
            anchors.push_back({i, NearestRows(m_result.sameOffset[at + 1] - m_result.sameOffset[at]),
                               NearestRows(m_result.otherOffset[at + 1] - m_result.otherOffset[at])});
        }
        const auto rows = static_cast<std::int32_t>(m_rows);
        for (std::int32_t tile = 0; tile < rows; tile += kTile) {
            for (Anchor& anchor : anchors) {
                if (m_stop.stop_requested()) {
                    return;
                }
                offerTile(tile, std::min(tile + kTile, rows), anchor);
            }
        }
        for (Anchor& anchor : anchors) {
            const auto at = static_cast<std::size_t>(anchor.row);
            anchor.same.write(m_result.same.data() + m_result.sameOffset[at]);
            anchor.other.write(m_result.other.data() + m_result.otherOffset[at]);
        }
        report(end - begin);
    }

    void offerTile(std::int32_t begin, std::int32_t end, Anchor& anchor) const {
        if (m_data.isSparse()) {
            const SparseRows& x = m_data.sparse();
            offerRows(begin, end, anchor, [&](std::int32_t j) { return squaredDistance(x, anchor.row, j); });
            return;
        }
        const DenseRows& x = m_data.dense();
        const double* rows = x.data();
        const Eigen::Index width = x.cols();
        const double* own = rows + anchor.row * width;
        offerRows(begin, end, anchor, [=](std::int32_t j) { return squaredDistance(own, rows + j * width, width); });
    }

    template <class Distance>
    void offerRows(std::int32_t begin, std::int32_t end, Anchor& anchor, const Distance& distance) const {
        const std::int32_t* labels = m_data.labels().data();
        for (std::int32_t j = begin; j < end; ++j) {
            if (j != anchor.row) {
                (labels[j] == labels[anchor.row] ? anchor.same : anchor.other).offer(distance(j), j);
            }
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
