# SPDX-License-Identifier: GPL-3.0-or-later
"""Positive-unlabeled learning with the double hinge loss: proves multipliers σ* of unlabeled samples at the optimum of

    P = −c₁ Σ_P f + c₂ Σ_U max(0, f, (1 + f)/2) + ½‖w‖²,   f = ⟨w, φ⟩ + β,   c₁ = π/(2λp), c₂ = 1/(2λn).

In units of q = c₂/2 (σ = q s, w = q ω, β = q b, f = q z), with ε = 1/q = 4λn and m = 2πn:

    P/q² = ½‖ω‖² − (m/p) Σ_P z + Σ_U max(0, z + ε, 2z),    D/q² = −½‖ω‖² + ε Σ_U min(s, 2 − s),
    0 <= s <= 2,  Σ s = m,  ω = (m/p) Σ_P φ − Σ_U s φ.

The certificate has s of all unlabeled samples but one, whose s is what is left of m, a bias b, and brackets of b*.

1. Such s and any b give P >= P* >= D. With z = a + b, a = ⟨ω, φ⟩, all else cancels in the gap:
   (P − D)/q² = Σ_U (max(0, z + ε, 2z) − s z − ε min(s, 2 − s)), no summand below 0 and each convex in z.
2. P and D are 1-strongly convex and concave in ω, so ‖ω − ω*‖² <= r² = gap, and |a* − a| <= r ‖φ‖.
3. For given a, the best b is where the slope of −m b + Σ_U max(0, z + ε, 2z) changes sign. The slope rises with b and
   with every a. If it is <= 0 left of b₁ with all a at their upper ends, it is so with a* too; if it is >= 0 right of
   b₂ with all a at their lower ends, likewise. Then an optimal b* lies in [b₁, b₂].
4. z* lies in [a − r‖φ‖ + b₁, a + r‖φ‖ + b₂]. All below −ε: the slope of the loss is 0, so σ* = 0. All between −ε and
   ε: σ* = c₂/2. All above ε: σ* = c₂. (This holds at every dual optimum, whichever optimal b* is meant.)
"""

from fractions import Fraction

from exact import Kernel, Refuted, decimals, double, root_above, shown


class Problem:
    sets = ["0", "c₂/2", "c₂"]

    def __init__(self, statement, data, find=None):
        positives, unlabeled = statement["labelled"], statement["unlabeled"]
        rows = positives + unlabeled
        if len(set(rows)) != len(rows) or not all(isinstance(i, int) and 0 <= i < len(data.rows) for i in rows):
            raise Refuted("labelled and unlabeled rows are not different rows of the data")
        names = [data.names.index(name) for name in statement["positive"]]
        for i in positives:
            if data.labels[i] not in names:
                raise Refuted(f"row {i} is labelled positive but of class {data.names[data.labels[i]]}")
        self.p, self.n = len(positives), len(unlabeled)
        if not self.p:
            raise Refuted("there are no labelled rows")
        self.kernel = Kernel(statement, [data.rows[i] for i in rows])

    def items(self):
        return self.n

    def name(self, item):
        return f"sample {item}"

    def check(self, proof, masks, tally):
        """`masks[item]` has bits 1, 2, 4 where σ = 0, c₂/2, c₂ is claimed. Returns r, in units of q."""
        lam, mass = double(proof["lambda"]), double(proof["mass"])  # m = 2πn
        given, places = decimals(proof["s"] + [proof["bias"]] + [end for ends in proof["brackets"] for end in ends])
        s, left = given[: self.n], int(proof["balance"])
        if not lam > 0 or not 0 < mass < 2 * self.n:
            raise Refuted("λ is not above 0, or the prior is not between 0 and 1")
        if len(s) != self.n or not 0 <= left < self.n or not 0 < len(proof["brackets"]) <= 4:
            raise Refuted("the number of s, of brackets or the sample that balances is not right")
        # One unit for s, m and m/p, so that Σ s = m holds exactly.
        low = places * self.p * mass.denominator
        s = [value * (low // places) for value in s]
        mass = int(mass * low)
        s[left] = mass - (sum(s) - s[left])
        for u, value in enumerate(s):
            if not 0 <= value <= 2 * low:
                raise Refuted(f"s of sample {u} lies outside of [0, 2]: it is {shown(value, low)}")
        weights = [mass // self.p] * self.p + [-value for value in s]
        sums, error = self.kernel.sums(weights, range(self.p, self.p + self.n))
        # From here on one unit `one` for a, b and ε: that of the sums and of the decimals and of λ.
        more = places * lam.denominator
        one = low * self.kernel.unit * more
        a, error = [value * more for value in sums], error * more
        epsilon = 4 * self.n * lam.numerator * (one // lam.denominator)
        bias, *ends = (value * (one // places) for value in given[self.n :])
        square = self.gap(s, low, a, error, bias, epsilon, one)
        root = root_above(square, low * 2**60)
        # r ‖φ‖ rounded up, and what rounding of the kernel makes of a.
        lengths = {k: root_above(Fraction(k, self.kernel.unit), 2**60) for k in set(self.kernel.squares[self.p :])}
        reach = [
            -(-root * lengths[k] * one // (low * 2**120)) + error for k in self.kernel.squares[self.p :]
        ]
        brackets = list(zip(ends[::2], ends[1::2]))
        for number, (least, most) in enumerate(brackets):
            self.check_bracket(number, least, most, a, reach, epsilon, Fraction(mass, low))
        self.judge(a, reach, brackets, epsilon, one, masks, tally)
        return shown(square) ** 0.5

    def gap(self, s, low, a, error, bias, epsilon, one):
        """Step 1; an upper bound, as z is known up to `error`."""
        total = 0
        for value, score in zip(s, a):
            cost = epsilon * min(value, 2 * low - value)
            ends = (score + bias - error, score + bias + error)
            total += max(low * max(0, z + epsilon, 2 * z) - value * z - cost for z in ends)
        return Fraction(total, low * one)

    def check_bracket(self, number, least, most, a, reach, epsilon, mass):
        """Step 3. The slope of a summand is 0, 1 or 2: below −ε, between, above ε."""
        left = right = 0
        for score, width in zip(a, reach):
            z = score + width + least
            left += (z > -epsilon) + (z > epsilon)
            z = score - width + most
            right += (z >= -epsilon) + (z >= epsilon)
        if not (least <= most and left <= mass <= right):
            slopes = f"the slopes at its ends are {left} and {right}, m = {shown(mass)}"
            raise Refuted(f"bracket {number} of the bias is not proven: {slopes}")

    def judge(self, a, reach, brackets, epsilon, one, masks, tally):
        """Step 4."""
        for u, mask in enumerate(masks):
            for bit in (1, 2, 4):
                if not mask & bit:
                    continue
                best, text = 0, ""
                for least, most in brackets:
                    low, high = a[u] - reach[u] + least, a[u] + reach[u] + most
                    inside = (high < -epsilon, -epsilon < low and high < epsilon, low > epsilon)
                    if any(inside):
                        best = 1 if inside[bit // 2] else -1
                    text = f"f between {shown(low, epsilon):.12g} and {shown(high, epsilon):.12g}"
                    if best == 1:
                        break
                tally.add(u, bit, best, text)
