// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/problem/sample_products.h"

#include "core/svm/problem/feature_vector_products.h"

#include <algorithm>
#include <array>

namespace lambdascope::svm {

namespace {

constexpr std::int64_t kColumns = 16; ///< that one thread makes anew before it asks for more

/// Products of i with some samples; `spread` is zero on the way in and out.
void productsFrom(const SvmProblem& problem, SampleIndex i, std::span<const SampleIndex> samples,
                  Eigen::VectorXd& spread, double* out) {
    const double y = problem.y()(i);
    if (problem.isLinear()) {
        problem.addTo(i, y, spread.data());
        for (std::size_t k = 0; k < samples.size(); ++k) {
            out[k] = problem.y()(samples[k]) * problem.dot(samples[k], spread.data());
        }
        spread.setZero();
        return;
    }
    const KernelRow row = problem.kernelRow(i);
    for (std::size_t k = 0; k < samples.size(); ++k) {
        out[k] = y * problem.y()(samples[k]) * row.values[problem.rowOf(samples[k])];
    }
}

Eigen::VectorXd spreadFor(const SvmProblem& problem) {
    return Eigen::VectorXd::Zero(problem.isLinear() ? problem.features().features() : 0);
}

/// Neighbours among samples that stood beside each other before too.
struct Run {
    Eigen::Index at;  ///< place of the first now
    Eigen::Index was; ///< and before
    Eigen::Index count;
};

/// Where the samples were before: runs of those known, and places of the others.
struct Arrangement {
    std::vector<Run> runs;
    std::vector<Eigen::Index> fresh;

    Arrangement(const std::vector<SampleIndex>& samples, std::span<const SampleIndex> known) {
        std::size_t old = 0;
        for (std::size_t at = 0; at < samples.size(); ++at) {
            while (old < known.size() && known[old] < samples[at]) {
                ++old;
            }
            const auto place = static_cast<Eigen::Index>(at);
            const auto was = static_cast<Eigen::Index>(old);
            if (old == known.size() || known[old] != samples[at]) {
                fresh.push_back(place);
            } else if (!runs.empty() && runs.back().at + runs.back().count == place &&
                       runs.back().was + runs.back().count == was) {
                ++runs.back().count;
            } else {
                runs.push_back({place, was, 1});
            }
        }
    }
};

} // namespace

std::int64_t operationsPerRow(const SvmProblem& problem) {
    const std::int64_t each = problem.rows().hasAllValues() ? 2 : 2 * (problem.features().features() + 8);
    return each * problem.rowCount();
}

void sampleProducts(const SvmProblem& problem, SampleIndex i, const std::vector<SampleIndex>& samples,
                    Eigen::Ref<Eigen::VectorXd> out) {
    Eigen::VectorXd spread = spreadFor(problem);
    productsFrom(problem, i, samples, spread, out.data());
}

bool sampleProducts(const SvmProblem& problem, const std::vector<SampleIndex>& samples, const KnownProducts& known,
                    Eigen::Ref<Eigen::MatrixXd> out, ThreadTeam& team, StopCheck& stopCheck) {
    const Arrangement arranged(samples, known.samples);
    const auto copyRun = [&](std::int64_t r, std::size_t) {
        const Run& columns = arranged.runs[static_cast<std::size_t>(r)];
        for (Eigen::Index c = 0; c < columns.count; ++c) {
            const double* from = known.products.col(columns.was + c).data();
            double* to = out.col(columns.at + c).data();
            std::copy_n(from + columns.was + c, columns.count - c, to + columns.at + c);
            for (auto rows = arranged.runs.begin() + r + 1; rows != arranged.runs.end(); ++rows) {
                std::copy_n(from + rows->was, rows->count, to + rows->at);
            }
        }
    };
    const auto size = static_cast<Eigen::Index>(samples.size());
    const auto makeFresh = [&](std::int64_t block, std::size_t) {
        Eigen::VectorXd spread = spreadFor(problem);
        Eigen::VectorXd products(size);
        const auto end = std::min(arranged.fresh.size(), static_cast<std::size_t>((block + 1) * kColumns));
        for (auto f = static_cast<std::size_t>(block * kColumns); f < end; ++f) {
            const Eigen::Index at = arranged.fresh[f];
            const Eigen::Index first = arranged.runs.empty() ? at : 0;
            productsFrom(problem, samples[static_cast<std::size_t>(at)],
                         std::span(samples).subspan(static_cast<std::size_t>(first)), spread, products.data() + first);
            out.col(at).tail(size - at) = products.tail(size - at);
            for (const Run& run : arranged.runs) { // the columns of others left of it
                for (Eigen::Index c = run.at; c < std::min(at, run.at + run.count); ++c) {
                    out(at, c) = products(c);
                }
            }
        }
    };
    const std::int64_t operations =
        problem.isLinear() ? 2 * size * problem.features().features() : operationsPerRow(problem);
    const auto blocks = static_cast<std::int64_t>(arranged.fresh.size() + kColumns - 1) / kColumns;
    return team.forEachBlock(static_cast<std::int64_t>(arranged.runs.size()), copyRun, [&] {
        return stopCheck.spend(size);
    }) && team.forEachBlock(blocks, makeFresh, [&] { return stopCheck.spend(kColumns * operations); });
}

FeatureVectorProducts::FeatureVectorProducts(const SvmProblem& problem) : m_problem(problem) {
    reset();
}

void FeatureVectorProducts::reset() {
    m_coefficients = Eigen::VectorXd::Zero(m_problem.size());
    m_values = Eigen::VectorXd::Zero(m_problem.isLinear() ? m_problem.features().features() : m_problem.rowCount());
    m_length = m_longest = m_moved = m_inherited = 0;
    m_changes = 0;
}

void FeatureVectorProducts::start(Eigen::VectorXd coefficients, const Eigen::VectorXd& values, double error) {
    reset();
    m_coefficients = std::move(coefficients);
    m_values =
        m_problem.isLinear() ? values : Eigen::VectorXd(values.cwiseProduct(m_problem.y()).head(m_problem.rowCount()));
    m_length = m_longest = m_coefficients.cwiseAbs().dot(m_problem.norms());
    m_inherited = error + 2 * kUnitRoundoff * m_length;
}

void FeatureVectorProducts::add(std::span<const Change> changes) {
    constexpr std::size_t kTogether = 4; // rows that one pass adds: it is memory that holds such passes up
    std::array<KernelRow, kTogether> rows;
    const auto term = [&](std::size_t first, std::size_t k) {
        const Change& change = changes[first + k];
        return change.by * m_problem.y()(change.sample) *
               Eigen::Map<const Eigen::VectorXd>(rows[k].values, m_values.size());
    };
    for (std::size_t first = 0; first < changes.size(); first += kTogether) {
        const std::size_t count = std::min(kTogether, changes.size() - first);
        for (std::size_t k = 0; k < count; ++k) {
            const auto& [j, by] = changes[first + k];
            if (m_problem.isLinear()) {
                m_problem.addTo(j, by * m_problem.y()(j), m_values.data());
            } else {
                rows[k] = m_problem.kernelRow(j);
            }
            const double norm = m_problem.norms()(j);
            m_length += (std::abs(m_coefficients(j) + by) - std::abs(m_coefficients(j))) * norm;
            m_coefficients(j) += by;
            m_longest = std::max(m_longest, m_length);
            m_moved += std::abs(by) * norm;
            ++m_changes;
        }
        if (m_problem.isLinear()) {
            continue;
        }
        if (count == kTogether) {
            m_values += term(first, 0) + term(first, 1) + term(first, 2) + term(first, 3);
        } else {
            for (std::size_t k = 0; k < count; ++k) {
                m_values += term(first, k);
            }
        }
    }
}

Eigen::VectorXd FeatureVectorProducts::products() const {
    Eigen::VectorXd result(m_problem.size());
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        result(i) = m_problem.y()(i) *
                    (m_problem.isLinear() ? m_problem.dot(i, m_values.data()) : m_values(m_problem.rowOf(i)));
    }
    return result;
}

double FeatureVectorProducts::error() const {
    // Every change rounds what it makes, at most m_longest long, and its own product and sums with up to three others.
    const double changes = static_cast<double>(m_changes);
    const double piled = 1.1 * kUnitRoundoff * (changes * m_longest + 5 * m_moved) + m_inherited;
    const double product = m_problem.isLinear()
                               ? roundingFactor(static_cast<double>(m_problem.features().features())) * m_longest
                               : m_problem.productError() * m_longest;
    return piled + product;
}

} // namespace lambdascope::svm
