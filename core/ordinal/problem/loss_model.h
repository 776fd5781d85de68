// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

namespace lambdascope::ordinal {

enum class ModelKind {
    Gnmds, ///< [Agarwal et al. 2007]
    Ckl,   ///< [Tamuz et al. 2011]
    Ste,   ///< [Van der Maaten and Weinberger 2012]
    Tste,  ///< the same, with Student's t
    Soe,   ///< [Terada and von Luxburg 2014]
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

    void transfer(auto& archive) {
        auto& [n, f] = *this;
        archive(n, f);
    }
};

/// Value and slopes of a loss, which share most of their work.
struct LossAt {
    double value = 0;
    Slopes slopes;
};

/// log(1 + eᶻ) and its derivative 1/(1 + e⁻ᶻ), without overflow, from e^{−|z|}.
class Softplus {
  public:
    explicit Softplus(double z) : m_z(z), m_power(std::exp(-std::fabs(z))) {}
    [[nodiscard]] double value() const { return std::fmax(m_z, 0.0) + std::log1p(m_power); }
    [[nodiscard]] double slope() const { return (m_z >= 0 ? 1 : m_power) / (1 + m_power); }

  private:
    double m_z;
    double m_power;
};

// Losses of one comparison as functions of n = d²(i,j) and f = d²(l,k), both ≥ 0 and finite; values and slopes are
// then finite too; at() is both. [O, section 2]; CKL as in [Tamuz et al. 2011] (the formula printed in [O, (47)] is
// that of STE).

/// max(0, margin + n − f).
struct GnmdsLoss {
    double margin;
    [[nodiscard]] double value(double n, double f) const { return std::fmax(0.0, margin + (n - f)); }
    [[nodiscard]] Slopes slopes(double n, double f) const { return margin + (n - f) > 0 ? Slopes{1, -1} : Slopes{}; }
    [[nodiscard]] LossAt at(double n, double f) const { return {value(n, f), slopes(n, f)}; }
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
    [[nodiscard]] LossAt at(double n, double f) const { return {value(n, f), slopes(n, f)}; }
};

/// log(1 + exp(n − f)).
struct SteLoss {
    [[nodiscard]] double value(double n, double f) const { return Softplus(n - f).value(); }
    [[nodiscard]] Slopes slopes(double n, double f) const { return slopesOf(Softplus(n - f)); }
    [[nodiscard]] LossAt at(double n, double f) const {
        const Softplus loss(n - f);
        return {loss.value(), slopesOf(loss)};
    }

  private:
    static Slopes slopesOf(const Softplus& loss) { return {loss.slope(), -loss.slope()}; }
};

/// −log s_n/(s_n + s_f), s = (1 + d²/α)^{−(α+1)/2}: log(1 + exp(c log((α + n)/(α + f)))), c = (α+1)/2.
struct TsteLoss {
    double alpha;
    double power;
    explicit TsteLoss(double degrees) : alpha(degrees), power((degrees + 1) / 2) {}
    [[nodiscard]] double value(double n, double f) const { return Softplus(exponent(n, f)).value(); }
    [[nodiscard]] Slopes slopes(double n, double f) const { return slopesOf(Softplus(exponent(n, f)), n, f); }
    [[nodiscard]] LossAt at(double n, double f) const {
        const Softplus loss(exponent(n, f));
        return {loss.value(), slopesOf(loss, n, f)};
    }

  private:
    [[nodiscard]] double exponent(double n, double f) const {
        const double ratio = (alpha + n) / (alpha + f);
        const bool isExact = ratio > 1e-300 && ratio < 1e300; // neither overflown nor rounded to few digits
        return power * (isExact ? std::log(ratio) : std::log(alpha + n) - std::log(alpha + f));
    }
    [[nodiscard]] Slopes slopesOf(const Softplus& loss, double n, double f) const {
        const double share = power * loss.slope();
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
    [[nodiscard]] LossAt at(double n, double f) const { return {value(n, f), slopes(n, f)}; }
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
