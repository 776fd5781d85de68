// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/path/prepared_svm.h"

#include <Eigen/Core>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lambdascope::svm {

/// One of the two-class problems that several classes are told apart by.
struct ClassPart {
    static constexpr std::int32_t kRest = -1;
    std::int32_t positive = 0;      ///< number of the class with y = +1
    std::int32_t negative = kRest;  ///< that with y = −1, or all others
    std::string name;               ///< "versicolor vs setosa"
    std::vector<Eigen::Index> rows; ///< of the data that it is of, ascending; empty for all of them
    std::unique_ptr<const PreparedSvm> prepared;

    [[nodiscard]] std::int64_t items() const { return prepared->problem().size(); }
    /// Row of the data that a sample is of.
    [[nodiscard]] Eigen::Index rowOf(SampleIndex i) const {
        return rows.empty() ? i : rows[static_cast<std::size_t>(i)];
    }
};

/// An experiment of more than two classes: problems of two classes (parts), each prepared as if it were alone but for
/// the rows of the kernel, which all get from one store, and the path, which is that of all: it begins at the least
/// C_min. A part is solved, screened and looked into as any problem of two classes.
class PreparedMulticlass final : public PreparedProblem {
  public:
    /// `whole` is what the parts were made from.
    PreparedMulticlass(const std::shared_ptr<const SvmConfig>& config, std::uint64_t seed, PreparedParts whole,
                       std::vector<ClassPart> parts);
    ~PreparedMulticlass() override;

    [[nodiscard]] std::unique_ptr<PathTask> makeTask(std::size_t lane) const override;
    [[nodiscard]] std::unique_ptr<RunLens> makeLens(std::size_t lane) const override;

    [[nodiscard]] const std::vector<ClassPart>& parts() const { return m_parts; }
    [[nodiscard]] const Dataset& data() const { return *m_whole.data; }
    [[nodiscard]] const ProblemConfig& config() const { return m_config->problem; }
    [[nodiscard]] bool isOfPairs() const { return config().classes == ClassesKind::OneVsOne; }
    [[nodiscard]] std::uint64_t seed() const { return m_seed; }
    [[nodiscard]] std::size_t laneCount() const { return m_config->lanes.size(); }
    /// n, d, classes, C_min, …: the same for all lanes. Those of a part are `ofPart`.
    [[nodiscard]] Json facts(Json ofPart) const;

    /// Σ yᵢαᵢ of each row of the data (a row each) in each part (a column each). Only of lanes that know α.
    [[nodiscard]] Eigen::MatrixXd coefficients(const std::vector<const SolvedSvm*>& solved) const;
    /// f of each part (a column each) for `rows`, which have the features of the data; solutions in the order of the
    /// parts. Unfinished when `stopCheck` asked to stop. Not for precomputed kernels. O(rows · n · features).
    [[nodiscard]] Eigen::MatrixXd values(const std::vector<const SolvedSvm*>& solved, const Dataset& rows,
                                         StopCheck& stopCheck) const;
    /// The class of each row of such values. Pairs of classes vote, f ≥ 0 for the later one, the earlier one otherwise,
    /// and the first class with the most votes wins: as LIBSVM has it. Of classes against the rest the first with the
    /// largest f.
    [[nodiscard]] std::vector<std::int32_t> classesOf(const Eigen::MatrixXd& values) const;
    /// The share of held-out rows that are taken for another class; NaN without any, and after a stop.
    [[nodiscard]] double heldOutError(const std::vector<const SolvedSvm*>& solved, StopCheck& stopCheck) const;

  private:
    PreparedParts m_whole;
    std::shared_ptr<const SvmConfig> m_config;
    std::uint64_t m_seed;
    std::vector<ClassPart> m_parts;
};

/// The parts of `whole`, whose data have other than two classes. Errors: InvalidData, Stopped.
Result<std::shared_ptr<const PreparedProblem>> prepareMulticlass(const std::shared_ptr<const SvmConfig>& config,
                                                                 const PreparationInput& input, StopCheck& stopCheck,
                                                                 PreparedParts whole);

} // namespace lambdascope::svm
