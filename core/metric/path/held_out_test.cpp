// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/path/held_out_test.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace lambdascope::metric {

namespace {

constexpr Eigen::Index kRowsPerStopCheck = 32; ///< held-out rows between two looks at the stop signal

/// Rows times M, for M as a matrix or as a diagonal.
DenseRows timesMetric(const DenseRows& rows, const Eigen::MatrixXd& metric) {
    if (metric.cols() == 1 && metric.rows() == rows.cols()) {
        return rows * metric.col(0).asDiagonal();
    }
    return rows * metric;
}

} // namespace

HeldOutTest::HeldOutTest(const PairTable& table, const Dataset& training, std::int64_t neighbours)
    : m_table(table), m_training(training),
      m_neighbours(std::min<std::int64_t>(neighbours, static_cast<std::int64_t>(table.rows()))) {
    const Dataset* heldOut = training.heldOut();
    if (heldOut == nullptr || !training.isLabelled()) {
        return;
    }
    const DenseRows all = heldOut->toDense();
    const double workPerRow = static_cast<double>(table.rows()) * static_cast<double>(table.features());
    const auto most = static_cast<Eigen::Index>(std::max(1.0, kMostWork / std::max(workPerRow, 1.0)));
    const Eigen::Index step = (all.rows() + most - 1) / most;
    m_x.resize((all.rows() + step - 1) / step, all.cols());
    for (Eigen::Index i = 0; i < m_x.rows(); ++i) {
        m_x.row(i) = all.row(i * step) - table.mean();
        m_classes.push_back(heldOut->labels()[static_cast<std::size_t>(i * step)]);
    }
}

std::int32_t HeldOutTest::vote(const Eigen::RowVectorXd& distances, std::vector<RowIndex>& order,
                               std::vector<std::int64_t>& votes) const {
    const auto nearer = [&distances](RowIndex a, RowIndex b) {
        return distances[a] < distances[b] || (distances[a] == distances[b] && a < b);
    };
    std::iota(order.begin(), order.end(), RowIndex{0});
    const auto end = order.begin() + m_neighbours;
    std::partial_sort(order.begin(), end, order.end(), nearer);
    std::fill(votes.begin(), votes.end(), 0);
    std::int64_t most = 0;
    for (auto row = order.begin(); row != end; ++row) {
        most = std::max(most, ++votes[static_cast<std::size_t>(m_training.labels()[static_cast<std::size_t>(*row)])]);
    }
    for (auto row = order.begin(); row != end; ++row) {
        const std::int32_t label = m_training.labels()[static_cast<std::size_t>(*row)];
        if (votes[static_cast<std::size_t>(label)] == most) {
            return label;
        }
    }
    return -1;
}

std::vector<std::int32_t> HeldOutTest::classify(const DenseRows& x, const Eigen::MatrixXd& metric,
                                                StopCheck& stopCheck) const {
    const DenseRows training = m_table.paddedRows().leftCols(m_table.features());
    const DenseRows mapped = timesMetric(training, metric);
    const Eigen::RowVectorXd norms = mapped.cwiseProduct(training).rowwise().sum().transpose();
    std::vector<RowIndex> order(static_cast<std::size_t>(training.rows()));
    std::vector<std::int64_t> votes(m_training.classNames().size());
    std::vector<std::int32_t> classes;
    for (Eigen::Index from = 0; from < x.rows(); from += kRowsPerStopCheck) {
        if (stopCheck.ask()) {
            return {};
        }
        const Eigen::Index count = std::min(kRowsPerStopCheck, x.rows() - from);
        const DenseRows products = x.middleRows(from, count) * mapped.transpose();
        for (Eigen::Index i = 0; i < count; ++i) {
            // xᵀMx is the same for all training rows and left out.
            const Eigen::RowVectorXd distances = norms - 2 * products.row(i);
            classes.push_back(vote(distances, order, votes));
        }
    }
    return classes;
}

std::vector<std::int32_t> HeldOutTest::classesOf(const Dataset& rows, const Eigen::MatrixXd& metric,
                                                 StopCheck& stopCheck) const {
    DenseRows x = rows.toDense();
    x.rowwise() -= m_table.mean();
    return classify(x, metric, stopCheck);
}

double HeldOutTest::error(const Eigen::MatrixXd& metric, StopCheck& stopCheck) const {
    const std::vector<std::int32_t> classes = m_x.rows() > 0 ? classify(m_x, metric, stopCheck) : m_classes;
    if (classes.empty()) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < classes.size(); ++i) {
        wrong += classes[i] != m_classes[i] ? 1 : 0;
    }
    return static_cast<double>(wrong) / static_cast<double>(m_x.rows());
}

} // namespace lambdascope::metric
