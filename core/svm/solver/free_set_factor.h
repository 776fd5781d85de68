// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/common/thread_team.h"
#include "core/numeric/workspace_matrix.h"
#include "core/svm/problem/svm_problem.h"

#include <Eigen/Core>
#include <Eigen/LU>

#include <optional>
#include <vector>

namespace lambdascope {
class StateArchive;
}

namespace lambdascope::svm {

/// Solves systems with Q_SS, S the free samples, for sets S that differ little from one to the next. One set F is
/// factored, Q_FF + ridge = LLᵀ; for another S the samples that have entered (S \ F) and left (F \ S) border it:
///   [ Q_FF  Q_FE  I_D ] [z]   [b_F]
///   [ Q_EF  Q_EE   0  ] [e] = [b_E]
///   [ I_Dᵀ   0     0  ] [μ]   [ 0 ]
/// and only the Schur complement of the border is factored anew. Its columns V = L⁻¹[Q_FE, I_D] are kept, as samples
/// that have changed sides once do so again. Once the border has grown too wide, S becomes F.
///
/// Depends on no C, so one serves a whole path.
class FreeSetFactor {
  public:
    /// Samples beyond which a factorization takes too much memory.
    static constexpr std::size_t kLargest = 3000;

    /// The bits do not depend on `threads`.
    FreeSetFactor(const SvmProblem& problem, int threads) : m_problem(problem), m_team(threads) {}

    /// Floating-point operations of solve() for these samples (ascending), of matrix products where there are many.
    [[nodiscard]] double cost(const std::vector<SampleIndex>& samples) const;

    /// Q_SS, its lower triangle, in memory that stays until the next call, where what both sets have is copied. Of no
    /// use when `stopCheck` asked to stop.
    [[nodiscard]] WorkspaceMatrix::Matrix productsAmong(const std::vector<SampleIndex>& samples, StopCheck& stopCheck);

    /// Replaces b by x, (Q_SS + ridge) x = b. `products` holds Q_TT of a set T around S, its lower triangle; `places`
    /// are those of S in T, ascending; `image` becomes Q_TS x. False when Q_SS is singular beyond any ridge, or when
    /// `stopCheck` asked to stop.
    bool solve(const std::vector<SampleIndex>& samples, const Eigen::Ref<const Eigen::MatrixXd>& products,
               const std::vector<Eigen::Index>& places, Eigen::VectorXd& b, Eigen::VectorXd& image,
               StopCheck& stopCheck);

    void transfer(StateArchive& archive);

  private:
    /// Where the samples of S stand: in F, or in the border.
    struct Places {
        std::vector<Eigen::Index> inside;   ///< S ∩ F: places in F
        std::vector<Eigen::Index> insideOf; ///< and in S
        std::vector<Eigen::Index> entered;  ///< S \ F: places in S
        std::vector<Eigen::Index> left;     ///< F \ S: places in F
        [[nodiscard]] std::size_t width() const { return entered.size() + left.size(); }
    };
    /// A column of V and the sample it stands for.
    struct Column {
        SampleIndex sample = 0;
        bool hasEntered = false;

        void transfer(auto& archive) {
            auto& [number, isNew] = *this;
            archive(number, isNew);
        }
    };

    [[nodiscard]] Places placesOf(const std::vector<SampleIndex>& samples) const;
    [[nodiscard]] std::size_t widest() const;
    [[nodiscard]] bool fits(const Places& places) const;
    [[nodiscard]] Eigen::Index placeOfColumn(SampleIndex sample, bool hasEntered) const;
    bool refactor(const std::vector<SampleIndex>& samples, const Eigen::Ref<const Eigen::MatrixXd>& products,
                  const std::vector<Eigen::Index>& inProducts, StopCheck& stopCheck);
    [[nodiscard]] WorkspaceMatrix::Matrix factor();
    [[nodiscard]] WorkspaceMatrix::Matrix border() { return m_borderMemory.shape(m_borderRows, m_borderWidth); }
    /// What the border adds to the factor, for one set S.
    struct Border {
        WorkspaceMatrix::Matrix columns; ///< of V, entered samples first; in memory of the factor
        Eigen::PartialPivLU<Eigen::MatrixXd> complement;
    };

    /// Columns of V for all of `places`, made where they are not known yet; their places in V, entered ones first.
    bool columnsFor(const std::vector<SampleIndex>& samples, const Places& places, std::vector<Eigen::Index>& columns,
                    StopCheck& stopCheck);
    /// V = L⁻¹V from column `first` on.
    bool solveColumns(Eigen::Index first, StopCheck& stopCheck);
    std::optional<Border> borderFor(const std::vector<SampleIndex>& samples,
                                    const Eigen::Ref<const Eigen::MatrixXd>& products,
                                    const std::vector<Eigen::Index>& inProducts, const Places& places,
                                    StopCheck& stopCheck);
    void solveBordered(const Places& places, const Border& border, Eigen::VectorXd& b);

    const SvmProblem& m_problem;
    ThreadTeam m_team;
    std::vector<SampleIndex> m_samples; ///< F, ascending
    WorkspaceMatrix m_factorMemory;     ///< L
    std::vector<SampleIndex> m_among;   ///< whose products were asked for last
    WorkspaceMatrix m_amongMemory;      ///< they
    WorkspaceMatrix m_nextMemory;       ///< where the next are put together
    double m_ridge = 0;
    WorkspaceMatrix m_borderMemory; ///< V, with room for more columns
    Eigen::Index m_borderRows = 0;
    Eigen::Index m_borderWidth = 0;
    WorkspaceMatrix m_chosenMemory; ///< columns of V for one set
    std::vector<Column> m_columns;
};

} // namespace lambdascope::svm
