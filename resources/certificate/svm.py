# SPDX-License-Identifier: GPL-3.0-or-later
"""SVM without bias: proves on which side of its margin a sample lies at the optimum w* of

    P(w) = ½‖w‖² + C Σ ω_i max(0, 1 − f_i),   f_i = y_i ⟨w, φ(x_i)⟩.   R: f_i > 1, so α_i = 0. L: f_i < 1, α_i = Cω_i.

The certificate has the shares a_i of α_i = C ω_i a_i, y_i = ±1 and the weights ω_i come from the classes, and from a
file if there is one: ω is 0 for samples that are left out.

1. 0 <= a <= 1 gives w = Σ α_i y_i φ(x_i) and P* >= D = Σ α − ½‖w‖², and P* <= P(w). As ‖w‖² = Σ α_i f_i, the gap is
   P − D = C Σ ω_i (max(0, 1 − f_i) − a_i (1 − f_i)), in which no summand is below 0. Where f_i is known up to e, the
   larger of the two values at f_i ± e is an upper bound, the summand being convex in f_i.
2. P is 1-strongly convex in w: ½‖w − w*‖² <= P − P*. D is 1-strongly concave in w: ½‖w − w*‖² <= P* − D. Together
   ‖w − w*‖² <= r² = P − D, so that |f_i* − f_i| <= r ‖φ(x_i)‖.
3. R is proven when f > 1 and (f − 1)² > r² K(x, x), L when f < 1 and (1 − f)² > r² K(x, x).
"""

from math import lcm

from data import read_lines
from exact import Kernel, Refuted, decimals, double, shown


def read_weights(path, count):
    """A number of 0 or more for each row; what follows a # does not count."""
    weights = [float(line) for line in (line.split("#")[0].strip() for line in read_lines(path)) if line]
    if len(weights) != count or min(weights) < 0:
        raise Refuted(f"there are {len(weights)} weights, or one is below 0; there are {count} samples")
    return weights


def clear(distance, error, square, length):
    """Whether |distance| − error > root(square · length), for integers and fractions of one unit."""
    rest = abs(distance) - error
    return rest > 0 and rest * rest * square.denominator > square.numerator * length


class Problem:
    sets = ["R", "L"]

    def __init__(self, statement, data, find=None):
        if statement["positive"] not in data.names or len(data.names) < 2:
            raise Refuted(f"there is no class {statement['positive']!r}, or no other")
        positive = data.names.index(statement["positive"])
        self.y = [1 if label == positive else -1 for label in data.labels]
        weights = {1: float(statement["positive_weight"]), -1: float(statement["negative_weight"])}
        if min(weights.values()) <= 0:
            raise Refuted("the weight of a class is not above 0")
        factors = [1.0] * len(self.y)
        if "weights" in statement:
            factors = read_weights(find(statement["weights"]["file"]), len(self.y))
        omega = [double(weights[y] * factor) for y, factor in zip(self.y, factors)]
        self.low = lcm(*(each.denominator for each in omega))  # unit of ω
        self.omega = [int(each * self.low) for each in omega]
        self.kernel = Kernel(statement, data.rows)

    def items(self):
        return len(self.y)

    def name(self, item):
        return f"sample {item}"

    def check(self, proof, masks, tally):
        """`masks[item]` has bit 1 where R is claimed, bit 2 where L is. Returns r."""
        c = double(proof["C"])
        shares, places = decimals(proof["alpha"])
        if not c > 0 or len(shares) != len(self.y):
            raise Refuted("C is not above 0, or the number of α is not that of the samples")
        for i, share in enumerate(shares):
            if not 0 <= share <= places:
                raise Refuted(f"α of sample {i} lies outside of its box: it is {shown(share, places)} of Cω")
        weights = [y * omega * share for y, omega, share in zip(self.y, self.omega, shares)]
        sums, error = self.kernel.sums(weights, range(len(self.y)))
        # f_i = C y_i sums_i / (places · low · unit of the kernel), known up to `error` in the same units.
        one = places * self.low * self.kernel.unit * c.denominator
        f = [c.numerator * y * value for y, value in zip(self.y, sums)]
        error *= c.numerator
        gap = 0
        for value, omega, share in zip(f, self.omega, shares):
            ends = (value - error, value + error)
            gap += omega * max((places - share) * (one - at) if at < one else share * (at - one) for at in ends)
        square = c * gap / (self.low * places * one)  # r²
        # Both sides of (f − 1)² > r² K times `one`² and the kernel's unit.
        scaled = square * one * one / self.kernel.unit
        for i, mask in enumerate(masks):
            if mask:
                distance, length = f[i] - one, self.kernel.squares[i]
                is_clear = clear(distance, error, scaled, length)
                for bit, inside in ((1, distance > 0), (2, distance < 0)):
                    if mask & bit:
                        reach = shown(square * length, self.kernel.unit) ** 0.5
                        text = f"f = {shown(f[i], one):.12g}, r‖φ‖ = {reach:.3g}"
                        tally.add(i, bit, (1 if inside else -1) if is_clear else 0, text)
        return shown(square) ** 0.5
