# SPDX-License-Identifier: GPL-3.0-or-later
"""Metric learning with triplets: proves in which set a triplet lies at the optimum M* of

    P(M) = Σ ℓ(⟨M, H⟩) + λ/2 ‖M‖²  over M ⪰ 0,   H = a aᵀ − b bᵀ,  a = x_i − x_l,  b = x_i − x_j,

ℓ(t) = 0 for t >= 1, (1 − t)²/2γ for 1 − γ <= t <= 1, 1 − t − γ/2 below. R: ⟨M*, H⟩ > 1. L: ⟨M*, H⟩ < 1 − γ.

1. M = L Lᵀ is positive semidefinite whatever the decimals of L are, so P* <= P(M).
2. 0 <= α <= 1 and Z = K Kᵀ ⪰ 0 give P* >= D = Σ α − γ/2 Σ α² − ‖Σ α H + Z‖²/2λ. For the loss is the largest value of
   α (1 − t) − γ α²/2 over these α, so that P(M) >= Σ α − γ/2 Σ α² − ⟨M, Σ α H⟩ + λ/2 ‖M‖²; and ⟨M, Z⟩ >= 0, so that
   this is no less than with ⟨M, Σ α H + Z⟩, whose least value over all symmetric M is D.
   α is not in the certificate: the value of clip((1 − t)/γ, 0, 1) at M, rounded down to 12 digits, will do.
3. P is λ-strongly convex, so λ/2 ‖M − M*‖² <= P(M) − P* <= P(M) − D: M* lies in the ball round M of radius r,
   r² = 2 (P(M) − D)/λ, and |⟨M*, H⟩ − ⟨M, H⟩| <= r ‖H‖.
4. R is proven when t > 1 and (t − 1)² > r² ‖H‖², and L when t < 1 − γ and (1 − γ − t)² > r² ‖H‖², where t = ⟨M, H⟩ and
   ‖H‖² = ‖a‖⁴ + ‖b‖⁴ − 2 (a·b)². As ‖H‖ <= ‖a‖² + ‖b‖², most are settled by comparing two numbers of the pairs.
"""

from fractions import Fraction

from exact import Refuted, decimal_matrix, dot, double, dyadics, root_above

ALPHA = 10**12  # unit of α


def squared_distance(a, b):
    """In doubles, by four running sums: what the order of neighbours is defined by."""
    sums, whole = [0.0, 0.0, 0.0, 0.0], len(a) // 4 * 4
    for c in range(len(a)):
        difference = a[c] - b[c]
        sums[c % 4 if c < whole else 0] += difference * difference
    return (sums[0] + sums[1]) + (sums[2] + sums[3])


class Problem:
    sets = ["R", "L"]

    def __init__(self, statement, data):
        if statement.get("loss") != "smoothed-hinge" or statement.get("structure") != "full":
            raise Refuted("there are rules for the smoothed hinge and full matrices alone")
        self.gamma = double(statement["gamma"])
        if not 0 < self.gamma < 1:
            raise Refuted("γ is not between 0 and 1")
        self.x, self.unit = dyadics(data.rows)
        self.width, self.data = len(data.rows[0]), data
        self.pairs, self.lists = [], []
        numbers, nearest = {}, statement["k"]
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
        self.differences = [[p - q for p, q in zip(self.x[i], self.x[j])] for i, j in self.pairs]
        self.lengths = [dot(row, row) for row in self.differences]  # ‖x_i − x_j‖², unit²

    def items(self):
        """Triplet s · |others| + o of an anchor has its s-th neighbour of the class and its o-th of other classes."""
        return sum(len(same) * len(other) for same, other in self.lists)

    def name(self, item):
        for i, (same, other) in enumerate(self.lists):
            if item < len(same) * len(other):
                ends = [sum(self.pairs[p]) - i for p in (same[item // len(other)], other[item % len(other)])]
                return f"triplet ({i}, {ends[0]}, {ends[1]})"
            item -= len(same) * len(other)
        return "no triplet"

    def check(self, proof, masks, tally):
        """`masks[item]` has bit 1 where R is claimed, bit 2 where L is. Returns r."""
        lam = double(proof["lambda"])
        if not lam > 0:
            raise Refuted("λ is not above 0")
        factor, places = decimal_matrix(proof["L"], self.width, "L", least=10**12)
        # z = δᵀMδ of a pair, δ its difference of rows, is ‖Lᵀδ‖²; 1 is `one` of its unit.
        images = [[dot(row, column) for column in zip(*factor)] for row in self.x]
        z = [sum((p - q) ** 2 for p, q in zip(images[i], images[j])) for i, j in self.pairs]
        one = (self.unit * places) ** 2
        primal_loss, dual_alpha, weights = self.sums(z, one)
        columns = list(zip(*factor))
        square = Fraction(sum(dot(p, q) ** 2 for p in columns for q in columns), places**4)  # ‖M‖² = ‖LᵀL‖²
        primal = primal_loss + lam / 2 * square
        dual = dual_alpha - self.squared_sum(weights, proof["K"]) / (2 * lam)
        if primal < dual:
            raise Refuted("the primal value is below the dual value, which cannot be")
        square = 2 * (primal - dual) / lam
        self.judge(z, one, square, masks, tally)
        return float(square) ** 0.5

    def sums(self, z, one):
        """(Σ ℓ, Σ α − γ/2 Σ α², weights w with Σ α H = Σ_p w_p δ_p δ_pᵀ), all from z; α and w have the unit ALPHA."""
        gamma = self.gamma
        band = one * gamma.numerator // gamma.denominator  # γ
        number, low = ALPHA * gamma.denominator, one * gamma.numerator
        squares = slopes = linear = alphas = alpha_squares = 0
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
                        squares += short * short
                        alphas += alpha
                        alpha_squares += alpha * alpha
                    own += alpha
                    pull[o] += alpha
                weights[s] -= own
            for o, p in enumerate(other):
                weights[p] += pull[o]
        loss = Fraction(squares, one * one) / (2 * gamma) + Fraction(slopes, one) - linear * gamma / 2
        alphas, alpha_squares = alphas + linear * ALPHA, alpha_squares + linear * ALPHA * ALPHA
        return loss, Fraction(alphas, ALPHA) - gamma / 2 * Fraction(alpha_squares, ALPHA * ALPHA), weights

    def squared_sum(self, weights, rows):
        """‖Σ α H + K Kᵀ‖²."""
        factor, places = decimal_matrix(rows, self.width, "K")
        part = [[0] * self.width for _ in self.x]  # Σ_p w δδᵀ = Σ_i x_i part_iᵀ
        for (i, j), weight, delta in zip(self.pairs, weights, self.differences):
            if weight:
                scaled = [weight * value for value in delta]
                part[i] = [p + q for p, q in zip(part[i], scaled)]
                part[j] = [p - q for p, q in zip(part[j], scaled)]
        left, right = list(zip(*self.x)), list(zip(*part))
        low, total = ALPHA * self.unit**2, 0
        for a in range(self.width):
            for b in range(self.width):
                total += (dot(left[a], right[b]) * places**2 + dot(factor[a], factor[b]) * low) ** 2
        return Fraction(total, (low * places**2) ** 2)

    def judge(self, z, one, square, masks, tally):
        gamma = self.gamma
        # The pairs' share of r ‖H‖, rounded up, with the unit of z: r ‖δ‖² .
        root = root_above(square, one // self.unit**2)
        low = [value - root * length for value, length in zip(z, self.lengths)]
        high = [value + root * length for value, length in zip(z, self.lengths)]
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
                            tally.add(item, 1, *self.exact(z, one, o, s, square, True))
                    if mask & 2:
                        if most < below:
                            tally.proven += 1
                        else:
                            tally.add(item, 2, *self.exact(z, one, o, s, square, False))
                    item += 1

    def exact(self, z, one, o, s, square, is_zero):
        """Step 4 with ‖H‖² itself: (1 proven, 0 cannot tell, −1 false; the inequality)."""
        product = dot(self.differences[o], self.differences[s])  # ± a·b
        norm = self.lengths[o] ** 2 + self.lengths[s] ** 2 - 2 * product**2
        edge = 1 if is_zero else 1 - self.gamma
        t = Fraction(z[o] - z[s], one)
        reach = square * Fraction(norm, self.unit**4)
        text = f"t = {float(t):.12g}, r‖H‖ = {float(reach) ** 0.5:.3g}, edge {float(edge):.12g}"
        inside = t > edge if is_zero else t < edge
        if (t - edge) ** 2 > reach:
            return (1 if inside else -1), text
        return 0, text
