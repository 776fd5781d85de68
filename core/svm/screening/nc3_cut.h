// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/problem/feature_vector_products.h"
#include "core/svm/screening/solved_svm.h"

namespace lambdascope::svm {

/// The cutting plane of necessary condition 3 [S, lemma 5 and (25)]: ŝᵢ = 1 iff (C + C₀)/(2C₀) fᵢ(w₀) < tᵢ, and
/// z_ŝ = Σ ŝᵢωᵢzᵢ. Any ŝ is safe. From one C to the next only those that change are added or taken off, so that it
/// costs O(n) for each of them [S, table I].
///
/// That is a subgradient of the hinges at the centre of BT1, m = (C + C₀)/(2C₀) w₀. With a free bias it is one of
/// min over b of all hinges: ŝᵢ = 1 iff zᵢᵀm + yᵢb < tᵢ for the best b there, and samples on the edge get the part that
/// makes Σ yᵢŝᵢωᵢ = 0. Any ŝ between 0 and 1 with that sum is safe: Σ ŝᵢωᵢ(tᵢ − zᵢᵀw − yᵢb), which is at most the sum
/// of all hinges, does not depend on b.
class Nc3Cut {
  public:
    explicit Nc3Cut(const SvmProblem& problem);

    /// Chooses ŝ for `c` with the reference and makes all products. On a stop what it holds is unfinished.
    void update(const SolvedSvm& reference, double c, StopCheck& stopCheck);

    [[nodiscard]] const Eigen::VectorXd& products() const { return m_products; } ///< zᵢᵀz_ŝ
    [[nodiscard]] double error() const { return m_image.error(); }               ///< of products, per ‖zᵢ‖
    [[nodiscard]] const Eigen::VectorXd& coefficients() const { return m_coefficients; } ///< ŝᵢωᵢ
    [[nodiscard]] Bounded squaredNorm() const { return m_squaredNorm; }                  ///< ‖z_ŝ‖²
    [[nodiscard]] Bounded withReference() const { return m_withReference; }              ///< w₀ᵀz_ŝ
    [[nodiscard]] Bounded weight() const { return m_weight; }                            ///< Σ ŝᵢωᵢtᵢ
    [[nodiscard]] double imbalance() const { return m_imbalance; } ///< upper bound of |Σ yᵢŝᵢωᵢ|, with a free bias

    /// Operations of the last update().
    [[nodiscard]] double operations() const { return m_operations; }

    void transfer(auto& archive) {
        auto& [problem, image, coefficients, products, squaredNorm, withReference, weight, imbalance, operations] =
            *this;
        archive(image, coefficients, products, squaredNorm, withReference, weight, imbalance);
    }

  private:
    /// ŝω for the centre of BT1.
    [[nodiscard]] Eigen::VectorXd chosenAt(const SolvedSvm& reference, double c) const;
    /// Makes Σ yᵢŝᵢωᵢ nearly 0 by changing those nearest to their edges, from which `distances` are.
    void balance(const Eigen::VectorXd& distances, Eigen::VectorXd& chosen) const;
    /// Begins at w₀/C₀ = Σ αᵢ/C₀ zᵢ where fewer of those coefficients are to change than of what is at hand: samples at
    /// a bound have the right one mostly.
    void startNear(const SolvedSvm& reference, const Eigen::VectorXd& chosen);
    void sumUp(const SolvedSvm& reference);

    const SvmProblem& m_problem;
    FeatureVectorProducts m_image;
    Eigen::VectorXd m_coefficients;
    Eigen::VectorXd m_products;
    Bounded m_squaredNorm;
    Bounded m_withReference;
    Bounded m_weight;
    double m_imbalance = 0;
    double m_operations = 0;
};

} // namespace lambdascope::svm
