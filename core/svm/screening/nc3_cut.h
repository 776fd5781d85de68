// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/problem/feature_vector_products.h"
#include "core/svm/screening/solved_svm.h"

#include <vector>

namespace lambdascope::svm {

/// The cutting plane of necessary condition 3 [S, lemma 5 and (25)]: ŝᵢ = 1 iff (C + C₀)/(2C₀) fᵢ(w₀) < tᵢ, and
/// z_ŝ = Σ ŝᵢωᵢzᵢ. Any ŝ is safe. From one C to the next only those that change are added or taken off, so that it
/// costs O(n) for each of them [S, table I].
class Nc3Cut {
  public:
    explicit Nc3Cut(const SvmProblem& problem);

    /// Chooses ŝ for `c` with the reference and makes all products. On a stop what it holds is unfinished.
    void update(const SolvedSvm& reference, double c, StopCheck& stopCheck);

    [[nodiscard]] const Eigen::VectorXd& products() const { return m_products; }       ///< zᵢᵀz_ŝ
    [[nodiscard]] double error() const { return m_image.error(); }                     ///< of products, per ‖zᵢ‖
    [[nodiscard]] const std::vector<std::uint8_t>& chosen() const { return m_chosen; } ///< ŝ
    [[nodiscard]] Bounded squaredNorm() const { return m_squaredNorm; }                ///< ‖z_ŝ‖²
    [[nodiscard]] Bounded withReference() const { return m_withReference; }            ///< w₀ᵀz_ŝ
    [[nodiscard]] Bounded weight() const { return m_weight; }                          ///< Σ ŝᵢωᵢtᵢ

    void transfer(auto& archive) {
        auto& [problem, image, chosen, products, squaredNorm, withReference, weight] = *this;
        archive(image, chosen, products, squaredNorm, withReference, weight);
    }

  private:
    const SvmProblem& m_problem;
    FeatureVectorProducts m_image;
    std::vector<std::uint8_t> m_chosen;
    Eigen::VectorXd m_products;
    Bounded m_squaredNorm;
    Bounded m_withReference;
    Bounded m_weight;
};

} // namespace lambdascope::svm
