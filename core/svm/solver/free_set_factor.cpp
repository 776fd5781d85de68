// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/free_set_factor.h"

#include "core/common/state_archive.h"
#include "core/numeric/blocked_cholesky.h"
#include "core/numeric/symmetric_products.h"
#include "core/svm/problem/sample_products.h"
#include "core/svm/solver/free_set_cholesky.h"

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
/// Columns that one thread solves for together, between two questions of the stop check.
constexpr Eigen::Index kTogether = 96;

void transferLowerTriangle(StateArchive& archive, WorkspaceMatrix::Matrix matrix) {
    for (Eigen::Index c = 0; c < matrix.cols(); ++c) {
        archive.raw(matrix.col(c).data() + c, static_cast<std::size_t>(matrix.rows() - c) * sizeof(double));
    }
}

} // namespace

std::size_t FreeSetFactor::widest() const {
    return std::max(kNarrow, m_samples.size() / kWidestShare);
}

FreeSetFactor::Places FreeSetFactor::placesOf(const std::vector<SampleIndex>& samples) const {
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

bool FreeSetFactor::fits(const Places& places) const {
    return !m_samples.empty() && places.width() <= widest();
}

double FreeSetFactor::cost(const std::vector<SampleIndex>& samples) const {
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

Eigen::Index FreeSetFactor::placeOfColumn(SampleIndex sample, bool hasEntered) const {
    const auto found = std::find_if(m_columns.begin(), m_columns.end(), [&](const Column& column) {
        return column.sample == sample && column.hasEntered == hasEntered;
    });
    return found == m_columns.end() ? -1 : static_cast<Eigen::Index>(found - m_columns.begin());
}

WorkspaceMatrix::Matrix FreeSetFactor::productsAmong(const std::vector<SampleIndex>& samples, StopCheck& stopCheck) {
    const auto size = static_cast<Eigen::Index>(samples.size());
    const auto before = static_cast<Eigen::Index>(m_among.size());
    if (m_among == samples) {
        return m_amongMemory.shape(size, size);
    }
    WorkspaceMatrix::Matrix products = m_nextMemory.shape(size, size);
    const KnownProducts known{m_among, m_amongMemory.shape(before, before)};
    const bool isDone = sampleProducts(m_problem, samples, known, products, m_team, stopCheck);
    m_among = isDone ? samples : std::vector<SampleIndex>();
    std::swap(m_amongMemory, m_nextMemory);
    return products;
}

WorkspaceMatrix::Matrix FreeSetFactor::factor() {
    const auto size = static_cast<Eigen::Index>(m_samples.size());
    return m_factorMemory.shape(size, size);
}

bool FreeSetFactor::refactor(const std::vector<SampleIndex>& samples, const Eigen::Ref<const Eigen::MatrixXd>& products,
                             const std::vector<Eigen::Index>& inProducts, StopCheck& stopCheck) {
    m_samples = samples;
    m_columns.clear();
    m_ridge = kRidge * products.diagonal().maxCoeff();
    CholeskyOutcome outcome = CholeskyOutcome::NotPositive;
    for (int attempt = 0; attempt < kMostRidges && outcome == CholeskyOutcome::NotPositive; ++attempt) {
        m_ridge *= attempt == 0 ? 1 : kMoreRidge;
        WorkspaceMatrix::Matrix sum = factor();
        for (Eigen::Index c = 0; c < sum.cols(); ++c) {
            const Eigen::Index from = inProducts[static_cast<std::size_t>(c)];
            for (Eigen::Index r = c; r < sum.rows(); ++r) {
                sum(r, c) = products(inProducts[static_cast<std::size_t>(r)], from);
            }
        }
        sum.diagonal().array() += m_ridge;
        outcome = choleskyInPlace(sum, stopCheck, &m_team);
    }
    if (outcome != CholeskyOutcome::Done) {
        m_samples.clear();
    }
    return outcome == CholeskyOutcome::Done;
}

bool FreeSetFactor::columnsFor(const std::vector<SampleIndex>& samples, const Places& places,
                               std::vector<Eigen::Index>& columns, StopCheck& stopCheck) {
    const auto size = static_cast<Eigen::Index>(m_samples.size());
    const auto room = static_cast<Eigen::Index>(2 * widest());
    if (static_cast<Eigen::Index>(m_columns.size() + places.width()) > room) {
        m_columns.clear(); // most of them are of no use any more
    }
    if (m_borderRows != size || m_borderWidth < room) {
        m_borderRows = size;
        m_borderWidth = room;
        m_columns.clear();
    }
    WorkspaceMatrix::Matrix all = border();
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
            sampleProducts(m_problem, sample, m_samples, all.col(c));
            (void)stopCheck.spend(m_problem.isLinear() ? 2 * size * m_problem.features().features()
                                                       : operationsPerRow(m_problem));
        }
    }
    for (const Eigen::Index f : places.left) {
        if (const Eigen::Index c = placeOrAdd(m_samples[static_cast<std::size_t>(f)], false); c >= 0) {
            all.col(c).setZero();
            all(f, c) = 1;
        }
    }
    if (!solveColumns(first, stopCheck)) {
        m_columns.resize(static_cast<std::size_t>(first));
        return false;
    }
    return true;
}

bool FreeSetFactor::solveColumns(Eigen::Index first, StopCheck& stopCheck) {
    const auto size = static_cast<Eigen::Index>(m_samples.size());
    const Eigen::Index fresh = static_cast<Eigen::Index>(m_columns.size()) - first;
    const WorkspaceMatrix::Matrix lower = factor();
    WorkspaceMatrix::Matrix all = border();
    // Columns of samples that have left begin with zeros, which stay.
    const auto leadingZeros = [&](Eigen::Index c) {
        const Column& column = m_columns[static_cast<std::size_t>(c)];
        return column.hasEntered
                   ? Eigen::Index{0}
                   : std::lower_bound(m_samples.begin(), m_samples.end(), column.sample) - m_samples.begin();
    };
    const auto solveBlock = [&](std::int64_t block, std::size_t) {
        const Eigen::Index at = first + block * kTogether;
        const Eigen::Index count = std::min(kTogether, first + fresh - at);
        Eigen::Index zeros = size;
        for (Eigen::Index c = at; c < at + count; ++c) {
            zeros = std::min(zeros, leadingZeros(c));
        }
        solveLowerInPlace(lower.bottomRightCorner(size - zeros, size - zeros),
                          all.block(zeros, at, size - zeros, count));
    };
    return m_team.forEachBlock((fresh + kTogether - 1) / kTogether, solveBlock,
                               [&] { return stopCheck.spend(kTogether * size * size); });
}

std::optional<FreeSetFactor::Border> FreeSetFactor::borderFor(const std::vector<SampleIndex>& samples,
                                                              const Eigen::Ref<const Eigen::MatrixXd>& products,
                                                              const std::vector<Eigen::Index>& inProducts,
                                                              const Places& places, StopCheck& stopCheck) {
    const auto width = static_cast<Eigen::Index>(places.width());
    if (width == 0) {
        return Border{{nullptr, 0, 0}, {}};
    }
    std::vector<Eigen::Index> columns;
    if (!columnsFor(samples, places, columns, stopCheck)) {
        return std::nullopt;
    }
    WorkspaceMatrix::Matrix chosen = m_chosenMemory.shape(m_borderRows, width);
    const WorkspaceMatrix::Matrix all = border();
    for (Eigen::Index c = 0; c < width; ++c) {
        chosen.col(c) = all.col(columns[static_cast<std::size_t>(c)]);
    }
    Eigen::MatrixXd schur = Eigen::MatrixXd::Zero(width, width);
    addRowProducts(RowBlock(chosen.transpose()), -1, schur, &m_team);
    schur.triangularView<Eigen::StrictlyUpper>() = schur.transpose();
    const auto entered = static_cast<Eigen::Index>(places.entered.size());
    for (Eigen::Index c = 0; c < entered; ++c) {
        const Eigen::Index s = places.entered[static_cast<std::size_t>(c)];
        for (Eigen::Index r = 0; r < entered; ++r) {
            const Eigen::Index t = places.entered[static_cast<std::size_t>(r)];
            const Eigen::Index low = inProducts[static_cast<std::size_t>(std::max(s, t))];
            schur(r, c) +=
                products(low, inProducts[static_cast<std::size_t>(std::min(s, t))]) + (r == c ? m_ridge : 0.0);
        }
    }
    return Border{chosen, Eigen::PartialPivLU<Eigen::MatrixXd>(schur)};
}

void FreeSetFactor::solveBordered(const Places& places, const Border& border, Eigen::VectorXd& b) {
    const WorkspaceMatrix::Matrix whole = factor();
    const auto lower = whole.triangularView<Eigen::Lower>();
    Eigen::VectorXd z = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(m_samples.size()));
    z(places.inside) = b(places.insideOf);
    lower.solveInPlace(z);
    Eigen::VectorXd edge; // e and −μ
    if (places.width() > 0) {
        Eigen::VectorXd right = -(border.columns.transpose() * z);
        right.head(static_cast<Eigen::Index>(places.entered.size())) += b(places.entered);
        edge = border.complement.solve(right);
        z -= border.columns * edge;
    }
    lower.transpose().solveInPlace(z);
    b(places.insideOf) = z(places.inside);
    for (std::size_t c = 0; c < places.entered.size(); ++c) {
        b(places.entered[c]) = edge(static_cast<Eigen::Index>(c));
    }
}

bool FreeSetFactor::solve(const std::vector<SampleIndex>& samples, const Eigen::Ref<const Eigen::MatrixXd>& products,
                          const std::vector<Eigen::Index>& inProducts, Eigen::VectorXd& b, Eigen::VectorXd& image,
                          StopCheck& stopCheck) {
    Places places = placesOf(samples);
    if (!fits(places)) {
        if (!refactor(samples, products, inProducts, stopCheck)) {
            return false;
        }
        places = placesOf(samples);
    }
    const auto border = borderFor(samples, products, inProducts, places, stopCheck);
    if (!border) {
        return false;
    }
    const Eigen::VectorXd right = b;
    solveBordered(places, *border, b);
    // A border that is nearly singular (twins) costs digits, which come back by refinement.
    double before = right.norm();
    for (int refinement = 0; b.allFinite(); ++refinement) {
        Eigen::VectorXd padded = Eigen::VectorXd::Zero(products.rows());
        padded(inProducts) = b;
        image.resize(padded.size());
        multiplySymmetric(products, padded, image);
        Eigen::VectorXd rest = right - image(inProducts);
        const double now = rest.norm();
        if (places.width() == 0 || refinement == kMostRefinements || now <= kGoodRest * right.norm() || now >= before) {
            break;
        }
        solveBordered(places, *border, rest);
        before = now;
        b += rest;
    }
    return b.allFinite() && !stopCheck.isStopped();
}

/// The bits of a solution depend on the factor and the border that it comes from, and those of products on which sample
/// came first.
void FreeSetFactor::transfer(StateArchive& archive) {
    auto& [problem, team, samples, factorMemory, among, amongMemory, nextMemory, ridge, borderMemory, borderRows,
           borderWidth, chosenMemory, columns] = *this;
    archive(samples, among, ridge, borderRows, borderWidth, columns);
    transferLowerTriangle(archive, factor());
    transferLowerTriangle(archive, amongMemory.shape(std::ssize(among), std::ssize(among)));
    WorkspaceMatrix::Matrix known = border();
    for (Eigen::Index c = 0; c < std::ssize(columns); ++c) {
        archive.raw(known.col(c).data(), static_cast<std::size_t>(borderRows) * sizeof(double));
    }
}

namespace {

/// Operations of a factorization that take the time of one of a sweep.
constexpr double kSweepSlower = 40;
constexpr double kLinearSweepSlower = 3;

} // namespace

double FreeSetCholesky::cost(const std::vector<SampleIndex>& samples, double members) const {
    const auto size = static_cast<double>(samples.size());
    if (m_problem.isLinear()) { // products among samples cost more, sweeps less
        return m_factor.cost(samples) / kLinearSweepSlower + 4 * size * size + 2 * size * members;
    }
    return m_factor.cost(samples) / kSweepSlower + size * size + 0.25 * size * members;
}

bool FreeSetCholesky::prepare(const std::vector<SampleIndex>& samples, StopCheck& stopCheck) {
    m_samples = samples;
    new (&m_products) WorkspaceMatrix::Matrix(m_factor.productsAmong(m_samples, stopCheck));
    return !stopCheck.isStopped();
}

bool FreeSetCholesky::solve(const std::vector<Eigen::Index>& open, Eigen::VectorXd& b, Eigen::VectorXd& image,
                            StopCheck& stopCheck) {
    std::vector<SampleIndex> samples(open.size());
    std::transform(open.begin(), open.end(), samples.begin(),
                   [&](Eigen::Index k) { return m_samples[static_cast<std::size_t>(k)]; });
    return m_factor.solve(samples, m_products, open, b, image, stopCheck);
}

void FreeSetCholesky::multiply(const Eigen::VectorXd& change, Eigen::VectorXd& image) {
    image.resize(change.size());
    multiplySymmetric(m_products, change, image);
}

} // namespace lambdascope::svm
