// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

namespace lambdascope::ordinal {

enum class ModelKind {
    Gnmds, ///< Agarwal et al., 2007
    Ckl,   ///< Tamuz et al., 2011
    Ste,   ///< van der Maaten and Weinberger, 2012
    Tste,  ///< the same, with Student's t
    Soe,   ///< Terada and von Luxburg, 2014
};

/// A model of answers and its parameters.
struct ModelSpec {
    ModelKind kind = ModelKind::Ste;
    double mu = 0.05;  ///< of CKL, > 0
    double alpha = 1;  ///< degrees of freedom of TSTE, > 0
    double margin = 1; ///< of GNMDS and SOE, > 0
    bool operator==(const ModelSpec&) const = default;
};

/// Derivatives of a loss by the two squared distances n = d²(i,j) and f = d²(l,k).
struct Slopes {
    double near = 0; ///< ∂ℓ/∂n
    double far = 0;  ///< ∂ℓ/∂f
};

/// log(1 + eᶻ), without overflow.
[[nodiscard]] inline double softplus(double z) {
    return z > 0 ? z + std::log1p(std::exp(-z)) : std::log1p(std::exp(z));
}
/// Its derivative 1/(1 + e⁻ᶻ).
[[nodiscard]] inline double logistic(double z) {
    if (z >= 0) {
        return 1 / (1 + std::exp(-z));
    }
    const double power = std::exp(z);
    return power / (1 + power);
}

// Losses of one comparison as functions of n = d²(i,j) and f = d²(l,k), both ≥ 0 and finite; values and slopes are
// then finite too. [O, section 2]; CKL as in Tamuz et al. (the formula printed in [O, (47)] is that of STE).

/// max(0, margin + n − f).
struct GnmdsLoss {
    double margin;
    [[nodiscard]] double value(double n, double f) const { return std::fmax(0.0, margin + (n - f)); }
    [[nodiscard]] Slopes slopes(double n, double f) const { return margin + (n - f) > 0 ? Slopes{1, -1} : Slopes{}; }
};

/// −log (f + μ)/(n + f + 2μ) = log(1 + (n + μ)/(f + μ)).
struct CklLoss {
    double mu;
    [[nodiscard]] double value(double n, double f) const {
        const double ratio = (n + mu) / (f + mu);
        return std::isfinite(ratio) ? std::log1p(ratio) : std::log(n + mu) - std::log(f + mu);
    }
    [[nodiscard]] Slopes slopes(double n, double f) const {
        const double sum = (n + mu) + (f + mu);
        return {1 / sum, -((n + mu) / sum) / (f + mu)}; // the product of the divisors may overflow
    }
};

/// log(1 + exp(n − f)).
struct SteLoss {
    [[nodiscard]] double value(double n, double f) const { return softplus(n - f); }
    [[nodiscard]] Slopes slopes(double n, double f) const {
        const double share = logistic(n - f);
        return {share, -share};
    }
};

/// −log s_n/(s_n + s_f), s = (1 + d²/α)^{−(α+1)/2}: log(1 + exp(c (log(1 + n/α) − log(1 + f/α)))), c = (α+1)/2.
struct TsteLoss {
    double alpha;
    double power;
    explicit TsteLoss(double degrees) : alpha(degrees), power((degrees + 1) / 2) {}
    [[nodiscard]] double exponent(double n, double f) const {
        return power * (std::log1p(n / alpha) - std::log1p(f / alpha));
    }
    [[nodiscard]] double value(double n, double f) const { return softplus(exponent(n, f)); }
    [[nodiscard]] Slopes slopes(double n, double f) const {
        const double share = power * logistic(exponent(n, f));
        return {share / (alpha + n), -share / (alpha + f)};
    }
};

/// max(0, margin + √n − √f)²; where a distance vanishes, its slope is taken as 0.
struct SoeLoss {
    /// Below it a slope could overflow, though never its product with the difference of the points.
    static constexpr double kVanishing = 1e-140;

    double margin;
    [[nodiscard]] double value(double n, double f) const {
        const double lack = std::fmax(0.0, margin + (std::sqrt(n) - std::sqrt(f)));
        return lack * lack;
    }
    [[nodiscard]] Slopes slopes(double n, double f) const {
        const double near = std::sqrt(n);
        const double far = std::sqrt(f);
        const double lack = margin + (near - far);
        if (!(lack > 0)) {
            return {};
        }
        return {near > kVanishing ? lack / near : 0.0, far > kVanishing ? -lack / far : 0.0};
    }
};

/// Calls `work` with the loss of the model, so that loops over comparisons are made for each of them.
template <class Work>
decltype(auto) withLoss(const ModelSpec& model, Work&& work) {
    switch (model.kind) {
    case ModelKind::Gnmds: return work(GnmdsLoss{model.margin});
    case ModelKind::Ckl: return work(CklLoss{model.mu});
    case ModelKind::Ste: return work(SteLoss{});
    case ModelKind::Tste: return work(TsteLoss(model.alpha));
    case ModelKind::Soe: break;
    }
    return work(SoeLoss{model.margin});
}

} // namespace lambdascope::ordinal
