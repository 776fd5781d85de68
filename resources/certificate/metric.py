# SPDX-License-Identifier: GPL-3.0-or-later
"""Metric learning: proves in which set an item (a triplet, or another comparison) lies at the optimum M* of

    P(M) = Σ w ℓ(⟨M, H⟩ − τ + 1) + ⟨M, S⟩ + λ/2 ‖M‖²  over M ⪰ 0,   H = a aᵀ − b bᵀ,

ℓ(t) = 0 for t >= 1, (1 − t)²/2γ for 1 − γ <= t <= 1, 1 − t − γ/2 below; γ = 0 is the hinge, max(0, 1 − t). Triplets have
w = τ = 1, a = x_i − x_l, b = x_i − x_j; see comparisons.py for the others. With t = ⟨M*, H⟩, R: t > τ and α* = 0.
L: t < τ − γ and α* = w. Diagonal matrices M = diag(m), m >= 0, have the columns h = a∘a − b∘b in place of H.

1. M = L Lᵀ is positive semidefinite whatever the decimals of L are, so P* <= P(M). So is diag(m), m >= 0.
2. 0 <= α <= w and Z = K Kᵀ ⪰ 0 give P* >= D = Σ α τ − γ/2 Σ α²/w − ‖Σ α H − S + Z‖²/2λ. For w ℓ is the largest value
   of α (τ − t) − γ α²/2w over these α, so that P(M) >= Σ α τ − γ/2 Σ α²/w − ⟨M, Σ α H − S⟩ + λ/2 ‖M‖²; and
   ⟨M, Z⟩ >= 0, so that this is no less than with Σ α H − S + Z, whose least value over all symmetric M is D.
   α is not in the certificate: w clip((τ − t)/s, 0, 1) at M, the clip rounded down to 12 digits, will do, with s = γ or,
   for the hinge, any s > 0. Of a diagonal M, Z is what takes the entries of Σ α h − S that are below 0 to 0.
3. P is λ-strongly convex, so λ/2 ‖M − M*‖² <= P(M) − P* <= P(M) − D: M* lies in the ball round M of radius r,
   r² = 2 (P(M) − D)/λ, and |⟨M*, H⟩ − ⟨M, H⟩| <= r ‖H‖.
4. R is proven when t > τ and (t − τ)² > r² ‖H‖², and L when t < τ − γ and (τ − γ − t)² > r² ‖H‖², where t = ⟨M, H⟩ and
   ‖H‖² = ‖a‖⁴ + ‖b‖⁴ − 2 (a·b)². As ‖H‖ <= ‖a‖² + ‖b‖², most are settled by comparing two numbers of the pairs.
"""

from fractions import Fraction

from comparisons import Comparisons
from exact import Refuted, decimal_matrix, decimals, dot, double, dyadics, root_above, shown

ALPHA = 10**12  # unit of the clip


def squared_distance(a, b):
    """In doubles, by four running sums: what the order of neighbours is defined by."""
    sums, whole = [0.0, 0.0, 0.0, 0.0], len(a) // 4 * 4
    for c in range(len(a)):
        difference = a[c] - b[c]
        sums[c % 4 if c < whole else 0] += difference * difference
    return (sums[0] + sums[1]) + (sums[2] + sums[3])


class Full:
    """M = L Lᵀ, with the scalar product of matrices. x: rows as integers with `unit`."""

    def __init__(self, x, unit, pairs):
        self.x, self.unit, self.pairs, self.width = x, unit, pairs, len(x[0])
        self.differences = [[p - q for p, q in zip(x[i], x[j])] for i, j in pairs]
        self.lengths = [dot(row, row) for row in self.differences]  # ‖x_i − x_j‖², unit²

    def point(self, proof):
        """(δᵀMδ of each pair, what 1 is in its unit, ‖M‖²)."""
        factor, places = decimal_matrix(proof["L"], self.width, "L", least=10**12)
        images = [[dot(row, column) for column in zip(*factor)] for row in self.x]
        z = [sum((p - q) ** 2 for p, q in zip(images[i], images[j])) for i, j in self.pairs]
        columns = list(zip(*factor))
        square = Fraction(sum(dot(p, q) ** 2 for p in columns for q in columns), places**4)  # ‖LᵀL‖²
        return z, (self.unit * places) ** 2, square

    def squared_sum(self, weights, low, proof):
        """‖Σ_p w δδᵀ + K Kᵀ‖², the weights with the unit `low`."""
        factor, places = decimal_matrix(proof["K"], self.width, "K")
        part = [[0] * self.width for _ in self.x]  # Σ_p w δδᵀ = Σ_i x_i part_iᵀ
        for (i, j), weight, delta in zip(self.pairs, weights, self.differences):
            if weight:
                scaled = [weight * value for value in delta]
                part[i] = [p + q for p, q in zip(part[i], scaled)]
                part[j] = [p - q for p, q in zip(part[j], scaled)]
        left, right = list(zip(*self.x)), list(zip(*part))
        low, total = low * self.unit**2, 0
        for a in range(self.width):
            for b in range(self.width):
                total += (dot(left[a], right[b]) * places**2 + dot(factor[a], factor[b]) * low) ** 2
        return Fraction(total, (low * places**2) ** 2)

    def squared_norm(self, far, near):
        """‖H‖² of two pairs, either of which may be None, with the unit⁴."""
        square = sum(self.lengths[p] ** 2 for p in (far, near) if p is not None)
        if far is not None and near is not None:
            square -= 2 * dot(self.differences[far], self.differences[near]) ** 2
        return square


class Diagonal(Full):
    """M = diag(m), with the scalar product of columns."""

    def point(self, proof):
        m, places = decimals(proof["m"], least=10**12)
        if len(m) != self.width or min(m) < 0:
            raise Refuted(f"m does not have {self.width} entries of 0 or more")
        z = [sum(value * d * d for value, d in zip(m, delta)) for delta in self.differences]
        return z, self.unit**2 * places, Fraction(dot(m, m), places**2)

    def squared_sum(self, weights, low, proof):
        sums = [0] * self.width
        for weight, delta in zip(weights, self.differences):
            if weight:
                sums = [total + weight * d * d for total, d in zip(sums, delta)]
        return Fraction(sum(total * total for total in sums if total > 0), (low * self.unit**2) ** 2)

    def squared_norm(self, far, near):
        nothing = [0] * self.width
        a, b = (nothing if p is None else self.differences[p] for p in (far, near))
        return sum((p * p - q * q) ** 2 for p, q in zip(a, b))


class Triplets:
    """Those of nearest neighbours, by anchor: pairs of the class, and pairs of other classes.

    With a linear term, S = factor Σ δδᵀ over the pairs of each anchor and its neighbours of the class.
    """

    def __init__(self, data, nearest, factor):
        self.pairs, self.lists, self.factor = [], [], factor
        numbers = {}
        for i, row in enumerate(data.rows):
            near = sorted((squared_distance(row, other), j) for j, other in enumerate(data.rows) if j != i)
            lists = []
            for is_same in (True, False):  # the k nearest of the class, and of other classes; ties by row number
                chosen = [j for _, j in near if (data.labels[j] == data.labels[i]) == is_same]
                places = []
                for j in chosen if nearest == "all" else chosen[: int(nearest)]:
                    pair = (min(i, j), max(i, j))
                    if pair not in numbers:
                        numbers[pair] = len(self.pairs)
                        self.pairs.append(pair)
                    places.append(numbers[pair])
                lists.append(places)
            self.lists.append(lists)

    def count(self):
        """Triplet s · |others| + o of an anchor has its s-th neighbour of the class and its o-th of other classes."""
        return sum(len(same) * len(other) for same, other in self.lists)

    def name(self, item):
        for i, (same, other) in enumerate(self.lists):
            if item < len(same) * len(other):
                ends = [sum(self.pairs[p]) - i for p in (same[item // len(other)], other[item % len(other)])]
                return f"triplet ({i}, {ends[0]}, {ends[1]})"
            item -= len(same) * len(other)
        return "no triplet"

    def sums(self, z, one, gamma, slope):
        """(Σ ℓ, Σ α − γ/2 Σ α², weights w with Σ α H = Σ_p w_p δ_p δ_pᵀ, their unit), all from z."""
        band = one * slope.numerator // slope.denominator  # s
        number, low = ALPHA * slope.denominator, one * slope.numerator
        squares = edges = slopes = linear = alphas = alpha_squares = 0
        weights = [0] * len(z)
        for same, other in self.lists:
            far, pull = [z[p] for p in other], [0] * len(other)
            for s in same:
                edge, own = z[s] + one, 0
                for o, value in enumerate(far):
                    short = edge - value  # 1 − t
                    if short <= 0:
                        continue
                    if short > band:
                        alpha, slopes, linear = ALPHA, slopes + short, linear + 1
                    else:
                        alpha = short * number // low
                        edges += short
                        squares += short * short
                        alphas += alpha
                        alpha_squares += alpha * alpha
                    own += alpha
                    pull[o] += alpha
                weights[s] -= own
            for o, p in enumerate(other):
                weights[p] += pull[o]
        bend = Fraction(squares, one * one) / (2 * gamma) if gamma else Fraction(edges, one)
        loss = bend + Fraction(slopes, one) - linear * gamma / 2
        alphas, alpha_squares = alphas + linear * ALPHA, alpha_squares + linear * ALPHA * ALPHA
        dual, low = Fraction(alphas, ALPHA) - gamma / 2 * Fraction(alpha_squares, ALPHA * ALPHA), ALPHA
        if self.factor:
            low *= self.factor.denominator
            weights = [weight * self.factor.denominator for weight in weights]
            for p in (s for same, _ in self.lists for s in same):
                weights[p] -= self.factor.numerator * ALPHA
                loss += self.factor * Fraction(z[p], one)
        return loss, dual, weights, low

    def judge(self, z, one, gamma, spans, masks, tally, exact):
        """`spans`: of each pair, r ‖δ‖² rounded up; exact(item, bit, far, near, edge) takes what they do not settle."""
        low = [value - span for value, span in zip(z, spans)]
        high = [value + span for value, span in zip(z, spans)]
        flat = one - one * gamma.numerator // gamma.denominator - 1  # at most 1 − γ
        item = 0
        for same, other in self.lists:
            far = list(zip(other, [low[p] for p in other], [high[p] for p in other]))
            for s in same:
                above, below = high[s] + one, low[s] + flat
                for o, least, most in far:
                    mask = masks[item]
                    if mask & 1:
                        if least > above:
                            tally.proven += 1
                        else:
                            exact(item, 1, o, s, Fraction(1))
                    if mask & 2:
                        if most < below:
                            tally.proven += 1
                        else:
                            exact(item, 2, o, s, 1 - gamma)
                    item += 1


class Problem:
    sets = ["R", "L"]

    def __init__(self, statement, data, find=None):
        spaces = {"full": Full, "diagonal": Diagonal}
        if statement.get("loss") not in ("smoothed-hinge", "hinge") or statement.get("structure") not in spaces:
            raise Refuted("there are rules for the smoothed hinge and the hinge, full and diagonal matrices alone")
        self.is_hinge = statement["loss"] == "hinge"
        self.gamma = Fraction(0) if self.is_hinge else double(statement["gamma"])
        if not self.is_hinge and not 0 < self.gamma < 1:
            raise Refuted("γ is not between 0 and 1")
        if "comparisons" in statement:
            self.terms = Comparisons(find(statement["comparisons"]["file"]), len(data.rows), statement)
        else:
            self.terms = Triplets(data, statement["k"], double(statement.get("linear_term", 0)))
        self.space = spaces[statement["structure"]](*dyadics(data.rows), self.terms.pairs)

    def items(self):
        return self.terms.count()

    def name(self, item):
        return self.terms.name(item)

    def check(self, proof, masks, tally):
        """`masks[item]` has bit 1 where R is claimed, bit 2 where L is. Returns r."""
        lam, slope = double(proof["lambda"]), double(proof["smoothing"]) if self.is_hinge else self.gamma
        if not lam > 0 or not slope > 0:
            raise Refuted("λ or the smoothing is not above 0")
        z, one, square = self.space.point(proof)
        loss, dual, weights, low = self.terms.sums(z, one, self.gamma, slope)
        primal = loss + lam / 2 * square
        dual -= self.space.squared_sum(weights, low, proof) / (2 * lam)
        if primal < dual:
            raise Refuted("the primal value is below the dual value, which cannot be")
        square = 2 * (primal - dual) / lam
        unit = self.space.unit

        def exact(item, bit, far, near, edge):
            """Step 4 with ‖H‖² itself."""
            t = Fraction((z[far] if far is not None else 0) - (z[near] if near is not None else 0), one)
            reach = square * Fraction(self.space.squared_norm(far, near), unit**4)
            inside = t > edge if bit == 1 else t < edge
            outcome = (1 if inside else -1) if (t - edge) ** 2 > reach else 0
            text = f"t = {shown(t):.12g}, r‖H‖ = {shown(reach) ** 0.5:.3g}, edge {shown(edge):.12g}"
            tally.add(item, bit, outcome, text)

        root = root_above(square, one // unit**2)
        spans = [root * length for length in self.space.lengths]
        self.terms.judge(z, one, self.gamma, spans, masks, tally, exact)
        return shown(square) ** 0.5
