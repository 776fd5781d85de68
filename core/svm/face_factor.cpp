// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/face_factor.h"

#include "core/numeric/polled_cholesky.h"
#include "core/numeric/symmetric_products.h"
#include "core/svm/sample_products.h"

#include <Eigen/LU>

#include <algorithm>

namespace lambdascope::svm {

namespace {

/// Added to the diagonal, as a share of its largest entry; times kMoreRidge as often as the factorization fails.
constexpr double kRidge = 1e-13;
constexpr double kMoreRidge = 100;
constexpr int kMostRidges = 4;
/// The border may be as wide as this share of F, at which its columns cost half as much as another factor.
constexpr std::size_t kWidestShare = 8;
constexpr std::size_t kNarrow = 4; ///< and always as wide as this
constexpr int kMostRefinements = 3;
constexpr double kGoodRest = 1e-8; ///< of the right side
/// Columns that one thread solves for together, between two questions of the poll.
constexpr Eigen::Index kTogether = 32;

} // namespace

std::size_t FaceFactor::widest() const {
    return std::max(kNarrow, m_samples.size() / kWidestShare);
}

FaceFactor::Places FaceFactor::placesOf(const std::vector<SampleIndex>& samples) const {
    Places places;
    std::size_t f = 0;
    for (std::size_t s = 0; s < samples.size(); ++s) {
        while (f < m_samples.size() && m_samples[f] < samples[s]) {
            places.left.push_back(static_cast<Eigen::Index>(f++));
        }
        if (f < m_samples.size() && m_samples[f] == samples[s]) {
            places.inside.push_back(static_cast<Eigen::Index>(f++));
            places.insideOf.push_back(static_cast<Eigen::Index>(s));
        } else {
            places.entered.push_back(static_cast<Eigen::Index>(s));
        }
    }
    for (; f < m_samples.size(); ++f) {
        places.left.push_back(static_cast<Eigen::Index>(f));
    }
    return places;
}

bool FaceFactor::fits(const Places& places) const {
    return !m_samples.empty() && places.width() <= widest();
}

double FaceFactor::cost(const std::vector<SampleIndex>& samples) const {
    const auto size = static_cast<double>(samples.size());
    const Places places = placesOf(samples);
    if (!fits(places)) {
        return size * size * size / 3 + 2 * size * size;
    }
    const auto factored = static_cast<double>(m_samples.size());
    std::size_t unknown = 0;
    for (const Eigen::Index f : places.left) {
        unknown += placeOfColumn(m_samples[static_cast<std::size_t>(f)], false) < 0 ? 1 : 0;
    }
    for (const Eigen::Index s : places.entered) {
        unknown += placeOfColumn(samples[static_cast<std::size_t>(s)], true) < 0 ? 1 : 0;
    }
    return factored * factored * static_cast<double>(unknown + 8);
}

Eigen::Index FaceFactor::placeOfColumn(SampleIndex sample, bool hasEntered) const {
    const auto found = std::find_if(m_columns.begin(), m_columns.end(), [&](const Column& column) {
        return column.sample == sample && column.hasEntered == hasEntered;
    });
    return found == m_columns.end() ? -1 : static_cast<Eigen::Index>(found - m_columns.begin());
}

MatrixRoom::Matrix FaceFactor::productsAmong(const std::vector<SampleIndex>& samples, WorkPoll& poll) {
    const auto size = static_cast<Eigen::Index>(samples.size());
    MatrixRoom::Matrix products = m_productsRoom.shape(size, size);
    (void)sampleProducts(m_problem, samples, products, m_team, poll);
    return products;
}

MatrixRoom::Matrix FaceFactor::factor() {
    const auto size = static_cast<Eigen::Index>(m_samples.size());
    return m_factorRoom.shape(size, size);
}

bool FaceFactor::refactor(const std::vector<SampleIndex>& samples, const Eigen::Ref<const Eigen::MatrixXd>& products,
                          const std::vector<Eigen::Index>& inProducts, WorkPoll& poll) {
    m_samples = samples;
    m_columns.clear();
    m_ridge = kRidge * products.diagonal().maxCoeff();
    CholeskyOutcome outcome = CholeskyOutcome::NotPositive;
    for (int attempt = 0; attempt < kMostRidges && outcome == CholeskyOutcome::NotPositive; ++attempt) {
        m_ridge *= attempt == 0 ? 1 : kMoreRidge;
        MatrixRoom::Matrix sum = factor();
        for (Eigen::Index c = 0; c < sum.cols(); ++c) {
            const Eigen::Index from = inProducts[static_cast<std::size_t>(c)];
            for (Eigen::Index r = c; r < sum.rows(); ++r) {
                sum(r, c) = products(inProducts[static_cast<std::size_t>(r)], from);
            }
        }
        sum.diagonal().array() += m_ridge;
        outcome = choleskyInPlace(sum, poll, &m_team);
    }
    if (outcome != CholeskyOutcome::Done) {
        m_samples.clear();
    }
    return outcome == CholeskyOutcome::Done;
}

bool FaceFactor::border(const std::vector<SampleIndex>& samples, const Places& places,
                        std::vector<Eigen::Index>& columns, WorkPoll& poll) {
    const auto size = static_cast<Eigen::Index>(m_samples.size());
    const auto room = static_cast<Eigen::Index>(2 * widest());
    if (static_cast<Eigen::Index>(m_columns.size() + places.width()) > room) {
        m_columns.clear(); // most of them are of no use any more
    }
    if (m_border.rows() != size || m_border.cols() < room) {
        m_border.resize(size, room);
        m_columns.clear();
    }
    const auto first = static_cast<Eigen::Index>(m_columns.size());
    const auto placeOrAdd = [&](SampleIndex sample, bool hasEntered) {
        const Eigen::Index known = placeOfColumn(sample, hasEntered);
        if (known >= 0) {
            columns.push_back(known);
            return Eigen::Index{-1};
        }
        columns.push_back(static_cast<Eigen::Index>(m_columns.size()));
        m_columns.push_back({sample, hasEntered});
        return columns.back();
    };
    for (const Eigen::Index s : places.entered) {
        const SampleIndex sample = samples[static_cast<std::size_t>(s)];
        if (const Eigen::Index c = placeOrAdd(sample, true); c >= 0) {
            sampleProducts(m_problem, sample, m_samples, m_border.col(c));
            (void)poll.spend(m_problem.isLinear() ? 2 * size * m_problem.features().features()
                                                  : operationsPerRow(m_problem));
        }
    }
    for (const Eigen::Index f : places.left) {
        if (const Eigen::Index c = placeOrAdd(m_samples[static_cast<std::size_t>(f)], false); c >= 0) {
            m_border.col(c).setZero();
            m_border(f, c) = 1;
        }
    }
    const Eigen::Index fresh = static_cast<Eigen::Index>(m_columns.size()) - first;
    const MatrixRoom::Matrix lower = factor();
    const auto solveBlock = [&](std::int64_t block, std::size_t) {
        const Eigen::Index at = block * kTogether;
        auto columnsOfBlock = m_border.middleCols(first + at, std::min(kTogether, fresh - at));
        lower.triangularView<Eigen::Lower>().solveInPlace(columnsOfBlock);
    };
    if (!m_team.forEachBlock((fresh + kTogether - 1) / kTogether, solveBlock,
                             [&] { return poll.spend(kTogether * size * size); })) {
        m_columns.resize(static_cast<std::size_t>(first));
        return false;
    }
    return true;
}

bool FaceFactor::solveBordered(const std::vector<SampleIndex>& samples,
                               const Eigen::Ref<const Eigen::MatrixXd>& products,
                               const std::vector<Eigen::Index>& inProducts, const Places& places, Eigen::VectorXd& b,
                               WorkPoll& poll) {
    const Eigen::Map<const Eigen::MatrixXd> whole(factor().data(), factor().rows(), factor().cols());
    const auto lower = whole.triangularView<Eigen::Lower>();
    Eigen::VectorXd z = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(m_samples.size()));
    z(places.inside) = b(places.insideOf);
    lower.solveInPlace(z);
    const auto entered = static_cast<Eigen::Index>(places.entered.size());
    const auto width = static_cast<Eigen::Index>(places.width());
    Eigen::VectorXd edge(width); // e and −μ
    if (width > 0) {
        std::vector<Eigen::Index> columns;
        if (!border(samples, places, columns, poll)) {
            return false;
        }
        const Eigen::MatrixXd v = m_border(Eigen::all, columns);
        Eigen::MatrixXd schur = Eigen::MatrixXd::Zero(width, width);
        addRowProducts(RowBlock(v.transpose()), -1, schur, &m_team);
        schur.triangularView<Eigen::StrictlyUpper>() = schur.transpose();
        Eigen::VectorXd right = -(v.transpose() * z);
        for (Eigen::Index c = 0; c < entered; ++c) {
            const Eigen::Index s = places.entered[static_cast<std::size_t>(c)];
            for (Eigen::Index r = 0; r < entered; ++r) {
                const Eigen::Index t = places.entered[static_cast<std::size_t>(r)];
                const Eigen::Index low = inProducts[static_cast<std::size_t>(std::max(s, t))];
                schur(r, c) +=
                    products(low, inProducts[static_cast<std::size_t>(std::min(s, t))]) + (r == c ? m_ridge : 0.0);
            }
            right(c) += b(s);
        }
        edge = schur.partialPivLu().solve(right);
        z -= v * edge;
    }
    lower.transpose().solveInPlace(z);
    b(places.insideOf) = z(places.inside);
    for (Eigen::Index c = 0; c < entered; ++c) {
        b(places.entered[static_cast<std::size_t>(c)]) = edge(c);
    }
    return b.allFinite();
}

bool FaceFactor::solve(const std::vector<SampleIndex>& samples, const Eigen::Ref<const Eigen::MatrixXd>& products,
                       const std::vector<Eigen::Index>& inProducts, Eigen::VectorXd& b, WorkPoll& poll) {
    Places places = placesOf(samples);
    if (!fits(places)) {
        if (!refactor(samples, products, inProducts, poll)) {
            return false;
        }
        places = placesOf(samples);
    }
    const Eigen::VectorXd right = b;
    if (!solveBordered(samples, products, inProducts, places, b, poll)) {
        return false;
    }
    // A border that is nearly singular (twins) costs digits, which come back by refinement.
    double before = right.norm();
    for (int refinement = 0; places.width() > 0 && refinement < kMostRefinements; ++refinement) {
        Eigen::VectorXd padded = Eigen::VectorXd::Zero(products.rows());
        padded(inProducts) = b;
        const Eigen::VectorXd image = products.selfadjointView<Eigen::Lower>() * padded;
        Eigen::VectorXd rest = right - image(inProducts);
        const double now = rest.norm();
        if (now <= kGoodRest * right.norm() || now >= before ||
            !solveBordered(samples, products, inProducts, places, rest, poll)) {
            break;
        }
        before = now;
        b += rest;
    }
    return !poll.isStopped();
}

} // namespace lambdascope::svm
