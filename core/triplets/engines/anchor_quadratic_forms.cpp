// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/anchor_quadratic_forms.h"

#include "core/triplets/problem/counted_work.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::triplets {

namespace {

using Four = Eigen::Array4d;
using FourMap = Eigen::Map<const Four>;

constexpr std::int64_t kMostSlices = 64;
/// Rows per block of a product with the data, and columns per block of the final product.
constexpr Eigen::Index kRowsPerImage = 128;
constexpr Eigen::Index kColumnsPerSum = 64;
constexpr Eigen::Index kRowsPerSum = 64;
/// Share of all rows that lists must hold on average for matrix products to pay, which take the same whatever it is:
/// with all rows in the lists half as long as going through the entries (digits, rank 14). Evaluations of iris and wine
/// with a third to half of the pairs left took 5 to 9 % less time with this share than with 0.5.
constexpr double kDenseShare = 0.25;

double product(const double* a, const double* b, Eigen::Index stride) {
    Four sum = Four::Zero();
    for (Eigen::Index c = 0; c < stride; c += 4) {
        sum += FourMap(a + c) * FourMap(b + c);
    }
    return sum.sum();
}

/// In the same order wherever they lie in memory.
double sumOf(std::span<const double> values) {
    Four sums = Four::Zero();
    std::size_t at = 0;
    for (; at + 4 <= values.size(); at += 4) {
        sums += FourMap(values.data() + at);
    }
    double sum = sums.sum();
    for (; at < values.size(); ++at) {
        sum += values[at];
    }
    return sum;
}

} // namespace

ListSize ListSize::ofAll(const TripletSet& triplets) {
    ListSize size;
    for (RowIndex i = 0; i < triplets.rows(); ++i) {
        if (triplets.sameCount(i) > 0 && triplets.otherCount(i) > 0) {
            ++size.anchors;
            size.entries += triplets.sameCount(i) + triplets.otherCount(i);
        }
    }
    return size;
}

AnchorQuadraticForms::AnchorQuadraticForms(const TripletSet& triplets, ThreadTeam& team)
    : m_triplets(triplets), m_team(team) {}

std::vector<AnchorQuadraticForms::Slice> AnchorQuadraticForms::slices(const ProductLists& lists) {
    const auto count = static_cast<std::int64_t>(lists.anchors.size());
    const std::int64_t blocks = (count + kAnchorsPerBlock - 1) / kAnchorsPerBlock;
    const std::int64_t perSlice =
        std::max<std::int64_t>(1, (blocks + kMostSlices - 1) / kMostSlices) * kAnchorsPerBlock;
    std::vector<Slice> slices;
    for (std::int64_t begin = 0; begin < count; begin += perSlice) {
        slices.push_back(
            {static_cast<std::size_t>(begin), static_cast<std::size_t>(std::min(count, begin + perSlice))});
    }
    return slices;
}

double AnchorQuadraticForms::valueError(double size) const {
    // Rows of the image are off by γ_d ‖x‖ size^½ (or ‖x‖ size): 8 γ_d ρ² size in a value. Its three products of rows
    // add 4 γ_d, and their sum a few roundoffs, of ρ² size.
    const double rho = m_triplets.largestNorm();
    return roundingFactor(12 * static_cast<double>(m_triplets.features()) + 40) * size * rho * rho;
}

bool AnchorQuadraticForms::isDense(const ListSize& lists) const {
    const double cells = static_cast<double>(lists.anchors) * static_cast<double>(m_triplets.rows());
    return static_cast<double>(lists.entries) > kDenseShare * cells;
}

void AnchorQuadraticForms::setImage(const Eigen::MatrixXd& factor) {
    const Eigen::Index d = m_triplets.features();
    const Eigen::Index n = m_triplets.rows();
    const Eigen::Index width = factor.cols();
    const Eigen::Index stride = (width + 3) / 4 * 4;
    m_left.setZero(n, stride);
    m_squares.resize(n);
    m_team.forEachBlock((n + kRowsPerImage - 1) / kRowsPerImage,
                        [&](std::int64_t block, std::size_t) {
                            const Eigen::Index begin = block * kRowsPerImage;
                            const Eigen::Index count = std::min(kRowsPerImage, n - begin);
                            m_left.middleRows(begin, count).leftCols(width).noalias() =
                                m_triplets.paddedRows().middleRows(begin, count).leftCols(d) * factor;
                            for (Eigen::Index i = begin; i < begin + count; ++i) {
                                const double* left = m_left.data() + i * stride;
                                m_squares[i] = product(
                                    left, m_isForm ? m_triplets.paddedRows().data() + i * stride : left, stride);
                            }
                        },
                        [] { return false; });
}

/// A point, too, is taken as the form that it is exactly.
bool AnchorQuadraticForms::setDiagonal(const Eigen::MatrixXd& q, StopCheck& stopCheck) {
    m_isForm = true;
    Eigen::RowVectorXd scales = Eigen::RowVectorXd::Zero(m_triplets.stride());
    scales.head(q.rows()) = q.col(0).transpose();
    m_left = m_triplets.paddedRows() * scales.asDiagonal();
    m_squares.resize(m_left.rows());
    for (Eigen::Index i = 0; i < m_left.rows(); ++i) {
        m_squares[i] = product(m_left.data() + i * m_left.cols(), m_triplets.paddedRows().data() + i * m_left.cols(),
                               m_left.cols());
    }
    return !stopCheck.spend(4 * m_left.size());
}

bool AnchorQuadraticForms::setPoint(const MetricPoint& point, StopCheck& stopCheck) {
    if (isDiagonal(point.matrix)) {
        return setDiagonal(point.matrix, stopCheck);
    }
    m_isForm = false;
    setImage(point.factor);
    return !stopCheck.spend(std::int64_t{2} * m_triplets.rows() * point.factor.size());
}

bool AnchorQuadraticForms::setForm(const Eigen::MatrixXd& q, StopCheck& stopCheck) {
    if (isDiagonal(q)) {
        return setDiagonal(q, stopCheck);
    }
    m_isForm = true;
    setImage(q);
    return !stopCheck.spend(std::int64_t{2} * m_triplets.rows() * q.size());
}

void AnchorQuadraticForms::values(const ProductLists& lists, std::size_t begin, std::size_t end,
                                  Scratch& scratch) const {
    scratch.values.resize(static_cast<std::size_t>(lists.anchors[end - 1].end - lists.anchors[begin].begin));
    if (isDense(lists)) {
        denseValues(lists, begin, end, scratch);
    } else {
        listedValues(lists, begin, end, scratch);
    }
}

void AnchorQuadraticForms::denseValues(const ProductLists& lists, std::size_t begin, std::size_t end,
                                       Scratch& scratch) const {
    const auto count = static_cast<Eigen::Index>(end - begin);
    const Eigen::Index n = m_triplets.rows();
    const DenseRows& right = m_isForm ? m_triplets.paddedRows() : m_left;
    scratch.left.resize(count, m_left.cols());
    for (Eigen::Index a = 0; a < count; ++a) {
        scratch.left.row(a) = m_left.row(lists.anchors[begin + static_cast<std::size_t>(a)].row);
    }
    scratch.block.resize(count, n);
    scratch.block.noalias() = scratch.left * right.transpose();
    std::size_t at = 0;
    for (Eigen::Index a = 0; a < count; ++a) {
        const ProductLists::Anchor& anchor = lists.anchors[begin + static_cast<std::size_t>(a)];
        const double* products = scratch.block.data() + a * n;
        const double own = m_squares[anchor.row];
        for (std::int64_t entry = anchor.begin; entry < anchor.end; ++entry) {
            const RowIndex l = lists.partner[static_cast<std::size_t>(entry)];
            scratch.values[at++] = (own + m_squares[l]) - 2 * products[l];
        }
    }
}

void AnchorQuadraticForms::listedValues(const ProductLists& lists, std::size_t begin, std::size_t end,
                                        Scratch& scratch) const {
    const Eigen::Index stride = m_left.cols();
    const double* right = m_isForm ? m_triplets.paddedRows().data() : m_left.data();
    std::size_t at = 0;
    for (std::size_t a = begin; a < end; ++a) {
        const ProductLists::Anchor& anchor = lists.anchors[a];
        const double* left = m_left.data() + anchor.row * stride;
        const double own = m_squares[anchor.row];
        for (std::int64_t entry = anchor.begin; entry < anchor.end; ++entry) {
            const RowIndex l = lists.partner[static_cast<std::size_t>(entry)];
            scratch.values[at++] = (own + m_squares[l]) - 2 * product(left, right + l * stride, stride);
        }
    }
}

void AnchorQuadraticForms::beginSum() {
    m_spread.setZero(m_triplets.rows(), m_triplets.stride());
    m_rowSums.setZero(m_triplets.rows());
}

void AnchorQuadraticForms::addWeights(const ProductLists& lists, std::size_t begin, std::size_t end, Scratch& scratch) {
    if (isDense(lists)) {
        addDense(lists, begin, end, scratch);
    } else {
        addListed(lists, begin, end, scratch);
    }
}

void AnchorQuadraticForms::addDense(const ProductLists& lists, std::size_t begin, std::size_t end, Scratch& scratch) {
    const auto count = static_cast<Eigen::Index>(end - begin);
    const DenseRows& x = m_triplets.paddedRows();
    scratch.block.setZero(count, m_triplets.rows());
    std::size_t at = 0;
    for (Eigen::Index a = 0; a < count; ++a) {
        const ProductLists::Anchor& anchor = lists.anchors[begin + static_cast<std::size_t>(a)];
        double* weights = scratch.block.data() + a * m_triplets.rows();
        const double* ofEntries = scratch.values.data() + at;
        for (std::int64_t entry = anchor.begin; entry < anchor.end; ++entry) {
            const double weight = *ofEntries++;
            const RowIndex l = lists.partner[static_cast<std::size_t>(entry)];
            weights[l] = weight;
            scratch.column[l] += weight;
        }
        const auto entries = static_cast<std::size_t>(anchor.end - anchor.begin);
        m_rowSums[anchor.row] = sumOf({scratch.values.data() + at, entries});
        at += entries;
    }
    scratch.left.resize(count, x.cols());
    scratch.left.noalias() = scratch.block * x;
    for (Eigen::Index a = 0; a < count; ++a) {
        const RowIndex row = lists.anchors[begin + static_cast<std::size_t>(a)].row;
        m_spread.row(row) = m_rowSums[row] * x.row(row) - scratch.left.row(a);
    }
}

void AnchorQuadraticForms::addListed(const ProductLists& lists, std::size_t begin, std::size_t end, Scratch& scratch) {
    const Eigen::Index stride = m_triplets.stride();
    const double* x = m_triplets.paddedRows().data();
    std::size_t at = 0;
    for (std::size_t a = begin; a < end; ++a) {
        const ProductLists::Anchor& anchor = lists.anchors[a];
        double* spread = m_spread.data() + anchor.row * stride;
        double sum = 0;
        for (std::int64_t entry = anchor.begin; entry < anchor.end; ++entry) {
            const double weight = scratch.values[at++];
            if (weight == 0) {
                continue;
            }
            const RowIndex l = lists.partner[static_cast<std::size_t>(entry)];
            scratch.column[l] += weight;
            sum += weight;
            for (Eigen::Index c = 0; c < stride; c += 4) {
                Eigen::Map<Four>(spread + c) -= weight * FourMap(x + l * stride + c);
            }
        }
        for (Eigen::Index c = 0; c < stride; c += 4) {
            Eigen::Map<Four>(spread + c) += sum * FourMap(x + anchor.row * stride + c);
        }
        m_rowSums[anchor.row] = sum;
    }
}

/// A + Aᵀ of A = XᵀS with S as in m_spread, or the diagonal of that.
bool AnchorQuadraticForms::productWithRows(Eigen::MatrixXd& total, StopCheck& stopCheck) {
    const Eigen::Index d = m_triplets.features();
    const Eigen::Index n = m_triplets.rows();
    const DenseRows& x = m_triplets.paddedRows();
    if (m_triplets.structure() == Structure::Diagonal) {
        total.setZero(d, 1);
        for (Eigen::Index begin = 0; begin < n; begin += kRowsPerSum) {
            const Eigen::Index count = std::min(kRowsPerSum, n - begin);
            total += 2 * x.middleRows(begin, count)
                             .leftCols(d)
                             .cwiseProduct(m_spread.middleRows(begin, count).leftCols(d))
                             .colwise()
                             .sum()
                             .transpose();
        }
        return !stopCheck.spend(2 * n * d);
    }
    Eigen::MatrixXd half = Eigen::MatrixXd::Zero(d, d);
    const bool done = m_team.forEachBlock((d + kColumnsPerSum - 1) / kColumnsPerSum,
                                          [&](std::int64_t tile, std::size_t) {
                                              const Eigen::Index first = tile * kColumnsPerSum;
                                              const Eigen::Index width = std::min(kColumnsPerSum, d - first);
                                              for (Eigen::Index begin = 0; begin < n; begin += kRowsPerSum) {
                                                  const Eigen::Index count = std::min(kRowsPerSum, n - begin);
                                                  half.middleCols(first, width).noalias() +=
                                                      x.middleRows(begin, count).leftCols(d).transpose() *
                                                      m_spread.middleRows(begin, count).middleCols(first, width);
                                              }
                                          },
                                          [&] { return stopCheck.spend(2 * n * d * std::min(d, kColumnsPerSum)); });
    if (!done) {
        return false;
    }
    total = half + half.transpose();
    return true;
}

bool AnchorQuadraticForms::finishSum(const ProductLists& lists, const Eigen::VectorXd& column, double weightSum,
                                     double weightError, StopCheck& stopCheck, MatrixSum& sum) {
    // With W the directed weights, S = D_r X − W X: Σ w δδᵀ = Xᵀ(D_r + D_c − W − Wᵀ)X = A + Aᵀ,
    // A = Xᵀ(S + ½ (D_c − D_r) X).
    const Eigen::Index n = m_triplets.rows();
    const DenseRows& x = m_triplets.paddedRows();
    for (Eigen::Index i = 0; i < n; ++i) {
        m_spread.row(i) += 0.5 * (column[i] - m_rowSums[i]) * x.row(i);
    }
    if (!productWithRows(sum.value, stopCheck)) {
        return false;
    }
    // Every row of S + ½ (D_c − D_r) X is a sum of terms w x with |w| adding up to 3 Σ |w|, so 6 ρ² Σ |w| in A + Aᵀ.
    const double rho = m_triplets.largestNorm();
    const std::int64_t sums = n / kRowsPerSum;
    const double terms =
        static_cast<double>(std::max<std::int64_t>(n, 2 * lists.longest) + kRowsPerSum + 64 + sums + 16);
    sum.error = (roundingFactor(terms) + weightError) * 6 * rho * rho * weightSum * (1 + 1e-9);
    return true;
}

double AnchorQuadraticForms::workOnEntries(const ListSize& lists, Eigen::Index width, double perEntry) const {
    const Eigen::Index n = m_triplets.rows();
    return isDense(lists) ? work::ofProduct(lists.anchors, n, width) + work::ofValues(lists.entries, 0) : perEntry;
}

double AnchorQuadraticForms::workOfValues(const ListSize& lists) const {
    const Eigen::Index width = m_left.cols() > 0 ? m_left.cols() : m_triplets.stride();
    const double image = m_triplets.structure() == Structure::Diagonal
                             ? 0
                             : work::ofProduct(m_triplets.rows(), m_triplets.features(), width);
    return image + workOnEntries(lists, width, work::ofValues(lists.entries, width));
}

double AnchorQuadraticForms::workOfSum(const ListSize& lists) const {
    const Eigen::Index d = m_triplets.features();
    const double last = m_triplets.structure() == Structure::Diagonal ? 0 : work::ofProduct(m_triplets.rows(), d, d);
    const Eigen::Index width = m_triplets.stride();
    return last + workOnEntries(lists, width, work::ofSum(lists.entries, width / 2));
}

std::size_t AnchorQuadraticForms::bytes() const {
    return static_cast<std::size_t>(m_left.size() + m_spread.size() + m_squares.size() + m_rowSums.size()) *
           sizeof(double);
}

} // namespace lambdascope::triplets
