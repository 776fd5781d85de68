// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/screening/semidefinite_rule.h"

#include "core/numeric/psd_projection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace lambdascope::triplets {

namespace {

constexpr int kTrials = 40;         ///< of the search in O(d)
constexpr int kDecompositions = 12; ///< of the search by eigen-decompositions
constexpr double kGrowth = 8;       ///< of the step while the maximum is not enclosed
constexpr double kSlack = 1e-9;     ///< share of r² by which a value has to be better before it is worth a proof
/// A centre whose negative part is a smaller share than this is taken for its positive part.
constexpr double kNoNegativePart = 1e-13;
/// Rows or columns of a large product between two questions whether to stop.
constexpr Eigen::Index kColumnsPerBlock = 256;

/// The concave function D on an interval that holds its maximum: values and half slopes at both ends.
struct Bracket {
    double lowZ = 0;
    double lowValue = 0;
    double lowSlope = 0;
    double highZ = std::numeric_limits<double>::infinity();
    double highValue = 0;
    double highSlope = 0;

    [[nodiscard]] bool isClosed() const { return std::isfinite(highZ); }
    void take(double z, double value, double slope) {
        if (slope > 0 && z >= lowZ) {
            lowZ = z;
            lowValue = value;
            lowSlope = slope;
        } else if (slope <= 0 && z <= highZ) {
            highZ = z;
            highValue = value;
            highSlope = slope;
        }
    }
    /// D lies below both tangents; a low end of infinite slope only says that the maximum is beyond it.
    [[nodiscard]] double ceiling() const {
        const double width = std::max(highZ - lowZ, 0.0);
        if (!std::isfinite(lowSlope)) {
            return highValue - 2 * highSlope * width;
        }
        const double turn = lowSlope - highSlope;
        const double toLow = turn > 0 ? (highValue - lowValue - 2 * highSlope * width) / (2 * turn) : 0;
        return lowValue + 2 * lowSlope * std::clamp(toLow, 0.0, width);
    }
};

/// Search for the m at which D is largest, by regula falsi in the logarithm of m with ends that lose weight (Illinois).
class EigenvalueSearch {
  public:
    explicit EigenvalueSearch(double m) : m_m(m), m_negligible(1e-12 * m) {}

    [[nodiscard]] double m() const { return m_m; }
    /// Half the slope of D at m().
    void take(double slope) {
        const bool isLow = slope > 0;
        double& otherSlope = isLow ? m_highSlope : m_lowSlope;
        otherSlope *= m_last == (isLow ? Side::Low : Side::High) ? 0.5 : 1; // an end that stays for long counts less
        (isLow ? m_low : m_high) = m_m;
        (isLow ? m_lowSlope : m_highSlope) = slope;
        m_last = isLow ? Side::Low : Side::High;
    }
    /// To the next m; false when there is nothing more to find.
    [[nodiscard]] bool advance() {
        if (!std::isfinite(m_high)) {
            m_m *= kGrowth;
            return true;
        }
        if (m_low == 0) {
            m_m /= kGrowth;
            return !(m_m < m_negligible);
        }
        const double share = m_lowSlope / (m_lowSlope - m_highSlope);
        m_m = m_low * std::pow(m_high / m_low, std::clamp(share, 0.02, 0.98));
        return !(m_high - m_low <= 1e-9 * m_high);
    }

  private:
    enum class Side { None, Low, High };
    double m_m;
    double m_negligible;
    double m_low = 0;
    double m_high = std::numeric_limits<double>::infinity();
    double m_lowSlope = 0;
    double m_highSlope = 0;
    Side m_last = Side::None; ///< the end that moved last
};

/// ‖R‖_F of a matrix R of as many rows as columns, made some columns at a time; what is missing after a stop does not
/// count.
template <typename Columns>
double normByColumns(Eigen::Index size, StopCheck& stopCheck, const Columns& columns) {
    double squares = 0;
    for (Eigen::Index from = 0; from < size && !stopCheck.isStopped(); from += kColumnsPerBlock) {
        const Eigen::Index count = std::min(kColumnsPerBlock, size - from);
        squares += columns(from, count).squaredNorm();
        (void)stopCheck.spend(2 * count * size * size);
    }
    return std::sqrt(squares);
}

} // namespace

SemidefiniteRule::SemidefiniteRule(const PairTable& table, const Region& region, double gamma, StopCheck& stopCheck)
    : m_table(table), m_gamma(gamma), m_stopCheck(&stopCheck) {
    const Eigen::MatrixXd& centre = region.sphere.centre;
    const EigenSystem system = symmetricEigenSystem(centre, stopCheck);
    if (!system.succeeded || !std::isfinite(region.sphere.radius)) {
        return;
    }
    const Eigen::MatrixXd& v = system.vectors;
    const auto d = static_cast<double>(centre.rows());
    const double size = centre.norm();
    // The orthogonal polar factor U of V is ‖VᵀV − I‖ away at most, so ‖Q − UΛUᵀ‖ ≤ ‖QV − VΛ‖ + 2‖Q‖‖V − U‖.
    const auto identity = Eigen::MatrixXd::Identity(v.rows(), v.cols());
    const double skew =
        normByColumns(v.cols(), stopCheck,
                      [&](Eigen::Index from, Eigen::Index count) -> Eigen::MatrixXd {
                          return v.transpose() * v.middleCols(from, count) - identity.middleCols(from, count);
                      }) +
        2 * roundingFactor(d + 4) * d;
    const double residual =
        normByColumns(v.cols(), stopCheck,
                      [&](Eigen::Index from, Eigen::Index count) -> Eigen::MatrixXd {
                          return centre * v.middleCols(from, count) -
                                 v.middleCols(from, count) * system.values.segment(from, count).asDiagonal();
                      }) +
        4 * roundingFactor(d + 4) * std::sqrt(d) * size;
    double shift = residual + 3 * size * skew;
    m_values = system.values.array();
    m_positive = m_values.cwiseMax(0.0);
    const double negative = (m_values - m_positive).matrix().norm();
    if (negative <= kNoNegativePart * size) {
        shift += 2 * negative;
        m_values = m_positive;
    } else {
        m_negativeSquares = negative * negative * (1 - 4 * roundingFactor(d + 4));
    }
    const double radius = (region.sphere.radius + shift) * (1 + 8 * kUnitRoundoff);
    m_squaredRadius = radius * radius * (1 + 4 * kUnitRoundoff) + kUnderflow;
    m_positiveSquares = std::max(m_squaredRadius - m_negativeSquares, 0.0) + 4 * kUnitRoundoff * m_squaredRadius;
    m_size = (size + shift + radius) * (1 + 1e-12);
    m_rowError = (skew + 2 * roundingFactor(d + 4) * std::sqrt(d)) * table.largestNorm();
    rotate(v);
    m_isUsable = !stopCheck.isStopped();
}

void SemidefiniteRule::rotate(const Eigen::MatrixXd& vectors) {
    if (m_table.isIdentity()) {
        m_rows = vectors;
        return;
    }
    const auto rows = m_table.paddedRows().leftCols(m_table.features());
    m_rows.resize(rows.rows(), vectors.cols());
    for (Eigen::Index from = 0; from < rows.rows() && !m_stopCheck->isStopped(); from += kColumnsPerBlock) {
        const Eigen::Index count = std::min(kColumnsPerBlock, rows.rows() - from);
        m_rows.middleRows(from, count).noalias() = rows.middleRows(from, count) * vectors;
        (void)m_stopCheck->spend(2 * count * vectors.size());
    }
    m_operations += 2 * m_rows.rows() * vectors.size() + 30 * vectors.size() * vectors.rows();
}

Decision SemidefiniteRule::judge(const RowPair& far, const RowPair& near, double threshold) {
    if (!m_isUsable) {
        return Decision::Keep;
    }
    m_a = (m_rows.row(far.a) - m_rows.row(far.b)).transpose();
    m_b = (m_rows.row(near.a) - m_rows.row(near.b)).transpose();
    m_operations += 12 * m_a.size();
    Question question{&m_a, &m_b};
    question.aa = m_a.square().sum();
    question.bb = m_b.square().sum();
    question.ab = (m_a * m_b).sum();
    question.squaredNorm = (question.aa - question.bb) * (question.aa - question.bb) +
                           2 * std::max(question.aa * question.bb - question.ab * question.ab, 0.0);
    const double lengths = std::sqrt(question.aa) + std::sqrt(question.bb);
    const double error = 2 * m_rowError + 4 * kUnitRoundoff * lengths;
    // What the errors of a and b are worth in ⟨aaᵀ − bbᵀ, M⟩.
    const double pad = 2 * (lengths + error) * error * m_size + 4 * kUnitRoundoff * (1 + std::abs(threshold));
    const double q = (m_positive * (m_a.square() - m_b.square())).sum();
    const double lowerEdge = threshold - m_gamma;
    if (q > threshold + pad) {
        question.edge = threshold + pad;
        question.excess = q - question.edge;
        return proves(question) ? Decision::Zero : Decision::Keep;
    }
    if (q < lowerEdge - pad) {
        std::swap(question.a, question.b);
        std::swap(question.aa, question.bb);
        question.edge = -(lowerEdge - pad);
        question.excess = -q - question.edge;
        return proves(question) ? Decision::Linear : Decision::Keep;
    }
    return Decision::Keep; // [Q]₊ itself is in the region
}

SemidefiniteRule::Trial SemidefiniteRule::trialAt(const Question& question, double m) {
    const Eigen::ArrayXd& a = *question.a;
    const Eigen::ArrayXd& b = *question.b;
    m_operations += 20 * a.size();
    m_weights = (m_positive + m).inverse();
    const double aa = (a.square() * m_weights).sum();
    const double bb = (b.square() * m_weights).sum();
    const double ab = (a * b * m_weights).sum();
    // −m is an eigenvalue of Λ − z(aaᵀ − bbᵀ) when (1 − z aa)(1 + z bb) + z² ab² = 0.
    const double curve = std::max(aa * bb - ab * ab, 0.0);
    const double gap = aa - bb;
    const double root = std::sqrt(gap * gap + 4 * curve);
    Trial trial;
    trial.m = m;
    trial.z = gap > 0 ? 2 / (gap + root) : (root - gap) / (2 * curve);
    trial.ratio = trial.z * ab / (1 + trial.z * bb);
    m_vector = m_weights * (a - trial.ratio * b);
    const double squares = m_vector.square().sum();
    const double ofA = aa - trial.ratio * ab;
    const double ofB = ab - trial.ratio * bb;
    trial.quotient = (ofA * ofA - ofB * ofB) / squares;
    trial.value = 2 * trial.z * question.excess - trial.z * trial.z * question.squaredNorm + m * m;
    trial.slope = question.excess - trial.z * question.squaredNorm + m * trial.quotient;
    return trial;
}

bool SemidefiniteRule::proves(const Question& question) {
    const bool isDefinite = m_negativeSquares == 0;
    const double target = m_positiveSquares * (1 + kSlack);
    const double mean = 0.5 * (question.aa + question.bb);
    const double largest = 0.5 * (question.aa - question.bb) +
                           std::sqrt(std::max(mean * mean - question.ab * question.ab, 0.0)); // eigenvalue of H
    const double smallest = question.aa - question.bb - largest;
    if (!(largest > 0)) {
        return provesWithoutPositivePart(question);
    }
    // m ≤ z · largest, so D ≤ (excess/smallest)².
    if (isDefinite && question.excess * question.excess <= smallest * smallest * m_positiveSquares) {
        return false;
    }
    // Where the sphere rule has its maximum D rises still.
    Bracket bracket;
    bracket.lowZ = question.excess / question.squaredNorm;
    bracket.lowSlope = std::numeric_limits<double>::infinity();
    EigenvalueSearch search(0.5 * largest *
                            std::max(bracket.lowZ, std::sqrt(m_positiveSquares / question.squaredNorm)));
    double lastZ = bracket.lowZ;
    for (int count = 0; count < kTrials; ++count) {
        const Trial trial = trialAt(question, search.m());
        if (!std::isfinite(trial.z) || !std::isfinite(trial.value)) {
            return false;
        }
        if (trial.value > target && certifies(question, trial)) {
            return true;
        }
        lastZ = trial.z;
        bracket.take(trial.z, trial.value, trial.slope);
        search.take(trial.slope);
        if (!(trial.slope > 0) && refutes(question, trial)) {
            return false;
        }
        if (bracket.isClosed() && bracket.ceiling() <= m_positiveSquares && isDefinite) {
            return false;
        }
        if (!search.advance()) {
            break;
        }
    }
    return !isDefinite && provesByDecomposition(question, lastZ);
}

bool SemidefiniteRule::provesWithoutPositivePart(const Question& question) {
    // H = −bbᵀ (one side of a bound on one pair): [Q]₊ − zH never leaves the cone, and where Q is in it D is the sphere
    // rule's. Else X = [Q]₊ − zH with ⟨H, X⟩ = edge may refute before any decomposition.
    if (m_negativeSquares == 0 || !(question.squaredNorm > 0)) {
        return false;
    }
    Trial trial;
    trial.z = question.excess / question.squaredNorm;
    return !refutes(question, trial) && provesByDecomposition(question, trial.z);
}

bool SemidefiniteRule::certifies(const Question& question, const Trial& trial) {
    // Everything from the eigenvalues and the rotated rows as they stand; the edge has paid for what those are off.
    const Eigen::ArrayXd& a = *question.a;
    const Eigen::ArrayXd& b = *question.b;
    const double sums = roundingFactor(static_cast<double>(a.size()) + 8);
    m_vector = m_weights * (a - trial.ratio * b);
    m_operations += 30 * a.size();
    const double scale = 1 / m_vector.matrix().norm();
    if (!std::isfinite(scale)) {
        return false;
    }
    m_vector *= scale;
    const double ofA = (a * m_vector).sum();
    const double ofB = (b * m_vector).sum();
    const double ofValues = (m_positive * m_vector.square()).sum();
    const double terms = ofValues + trial.z * (question.aa + question.bb);
    const double m = (trial.z * (ofA * ofA - ofB * ofB) - ofValues - 8 * sums * terms) * (1 - 8 * sums);
    const double size = (m_positive * (a.square() + b.square())).sum();
    const double lengths = question.aa + question.bb;
    const double excess = question.excess - 4 * sums * size - 8 * kUnitRoundoff * (size + std::abs(question.edge));
    const double rise = 2 * trial.z * excess;
    const double fall = trial.z * trial.z * (question.squaredNorm + 8 * sums * lengths * lengths);
    const double value = rise - fall + std::max(m, 0.0) * std::max(m, 0.0);
    const double rounding = 8 * kUnitRoundoff * (std::abs(rise) + fall + m * m);
    return value - rounding > m_positiveSquares;
}

bool SemidefiniteRule::refutes(const Question& question, const Trial& trial) {
    // X = [[Q]₊ − zH]₊ satisfies ⟨H, X⟩ ≤ edge where the slope is not positive; is it in the ball?
    const double z = trial.z;
    double distance = z * z * question.squaredNorm - 2 * z * trial.m * trial.quotient + trial.m * trial.m;
    if (m_negativeSquares > 0) {
        Eigen::ArrayXd change = -z * (question.a->square() - question.b->square());
        if (trial.m > 0) {
            change += trial.m * m_vector.square() / m_vector.square().sum();
        }
        distance -= 2 * (change * (m_values - m_positive)).sum();
        m_operations += 8 * change.size();
    }
    return distance <= m_positiveSquares;
}

bool SemidefiniteRule::provesByDecomposition(const Question& question, double z) {
    const Eigen::VectorXd a = question.a->matrix();
    const Eigen::VectorXd b = question.b->matrix();
    const auto d = static_cast<double>(a.size());
    const double sums = roundingFactor(d + 8);
    const double q = (m_values * (question.a->square() - question.b->square())).sum();
    const double size = (m_values.abs() * (question.a->square() + question.b->square())).sum();
    const double lengths = question.aa + question.bb;
    const double excess = q - question.edge - 4 * sums * size - 8 * kUnitRoundoff * (size + std::abs(question.edge));
    Bracket bracket;
    bracket.lowValue = m_negativeSquares;
    bracket.lowSlope = question.excess;
    const double target = m_squaredRadius * (1 + kSlack);
    for (int count = 0; count < kDecompositions; ++count) {
        Eigen::MatrixXd matrix = -z * (a * a.transpose() - b * b.transpose());
        matrix.diagonal() += m_values.matrix();
        const EigenSystem system = symmetricEigenSystem(matrix, *m_stopCheck);
        m_operations += 12 * matrix.size() * matrix.rows();
        if (!system.succeeded) {
            return false;
        }
        const double negative = system.values.cwiseMin(0.0).norm();
        const double error = eigenvalueError(system) + 4 * kUnitRoundoff * (m_values.matrix().norm() + z * lengths);
        const double safe = std::max(negative - error, 0.0) * (1 - 4 * sums);
        const double rise = 2 * z * excess;
        const double fall = z * z * (question.squaredNorm + 8 * sums * lengths * lengths);
        const double value = rise - fall + safe * safe;
        if (value - 8 * kUnitRoundoff * (std::abs(rise) + fall + safe * safe) > m_squaredRadius) {
            return true;
        }
        const Eigen::ArrayXd images =
            (system.vectors.transpose() * a).array().square() - (system.vectors.transpose() * b).array().square();
        const double slope = (system.values.array().cwiseMax(0.0) * images).sum() - question.edge;
        bracket.take(z, value, slope);
        if (bracket.isClosed() && bracket.ceiling() <= target) {
            return false;
        }
        z = bracket.isClosed()
                ? bracket.lowZ + (bracket.highZ - bracket.lowZ) *
                                     std::clamp(bracket.lowSlope / (bracket.lowSlope - bracket.highSlope), 0.1, 0.9)
                : 2 * z;
    }
    return false;
}

} // namespace lambdascope::triplets
