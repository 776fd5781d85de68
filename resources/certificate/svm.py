# SPDX-License-Identifier: GPL-3.0-or-later
"""SVM: proves on which side of its margin a sample lies at the optimum w* of

    P(w) = ½‖w‖² + C Σ ω_i max(0, 1 − f_i),   f_i = y_i ⟨w, φ(x_i)⟩.   R: f_i > 1, so α_i = 0. L: f_i < 1, α_i = Cω_i.

With a free bias b (`intercept`) it is P(w, b) with f_i = y_i (⟨w, φ(x_i)⟩ + b), see 4 to 6.

The certificate has the shares a_i of α_i = C ω_i a_i, y_i = ±1 and the weights ω_i come from the classes, and from a
file if there is one: ω is 0 for samples that are left out.

1. 0 <= a <= 1 gives w = Σ α_i y_i φ(x_i) and P* >= D = Σ α − ½‖w‖², and P* <= P(w). As ‖w‖² = Σ α_i f_i, the gap is
   P − D = C Σ ω_i (max(0, 1 − f_i) − a_i (1 − f_i)), in which no summand is below 0. Where f_i is known up to e, the
   larger of the two values at f_i ± e is an upper bound, the summand being convex in f_i.
2. P is 1-strongly convex in w: ½‖w − w*‖² <= P − P*. D is 1-strongly concave in w: ½‖w − w*‖² <= P* − D. Together
   ‖w − w*‖² <= r² = P − D, so that |f_i* − f_i| <= r ‖φ(x_i)‖.
3. R is proven when f > 1 and (f − 1)² > r² K(x, x), L when f < 1 and (1 − f)² > r² K(x, x).

With a free bias the certificate has besides which sample `balance` is, and brackets of b*:

4. The dual has the constraint Σ α_i y_i = 0. The sample `balance` takes what the shares of all others leave of it, so
   that it holds exactly. Then ‖w‖² = Σ α_i f_i whatever b, and 1 and 2 hold with P(w, b): |s_i* − s_i| <= r ‖φ(x_i)‖
   for the scores s_i = ⟨w, φ(x_i)⟩. (P and D are strongly convex and concave in w, not in b.) The b taken here is the
   best for these scores, see 5.
5. For given scores the best b are where the slope of Σ ω_i max(0, 1 − y_i (s_i + b)) changes sign. A summand has the
   slope −ω_i where y_i = 1 and s_i + b < 1, ω_i where y_i = −1 and s_i + b > −1, else 0: the slope rises with b and
   with every s_i. If it is <= 0 left of b₁ with all s_i at their upper ends, it is so with s* too, and some best b is
   b₁ or more; if it is >= 0 right of b₂ with all s_i at their lower ends, some best b is b₂ or less. The best b are an
   interval: one of them, b*, lies in [b₁, b₂].
6. R: y_i (s_i + b) > 1 for all s_i within r ‖φ(x_i)‖ and all b in [b₁, b₂], L: < 1. One bracket that shows it will do.
   (What α_i is then holds at every dual optimum, whichever b* is meant.)
7. In 5 and 6 distances may count from any vector o, ‖φ(x_i) − o‖ in place of ‖φ(x_i)‖: f_i* = y_i (s_i + u + β) with
   u = ⟨w* − w, φ(x_i) − o⟩ and β = b* + ⟨w* − w, o⟩, which is best for the scores s_i + u; brackets are of β then.
   `origin` says of which samples o is the sum, times which weight.
"""

from fractions import Fraction
from math import lcm

from data import read_lines
from exact import Kernel, Refuted, decimals, double, root_above, shown


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
        self.has_bias = "intercept" in statement
        if self.has_bias and statement["intercept"] != "free":
            raise Refuted(f"there is no rule for the intercept {statement['intercept']!r}")
        if self.has_bias:
            self.set_lengths(statement.get("origin", {"samples": [], "weight": 0}))

    def set_lengths(self, origin):
        """‖φ(x_i) − o‖ of all samples, rounded up, with the unit 2^60 times that of the kernel; see 7."""
        samples, weight, count = origin["samples"], double(origin["weight"]), len(self.y)
        if len(set(samples)) != len(samples) or not all(isinstance(j, int) and 0 <= j < count for j in samples):
            raise Refuted("the samples of the origin are not different ones of the data")
        part, whole = weight.numerator, weight.denominator
        is_part = [0] * count
        for j in samples:
            is_part[j] = part
        sums, error = self.kernel.sums(is_part, range(count))
        square = part * sum(sums[j] for j in samples)
        doubt = 2 * whole * error + abs(part) * len(samples) * error
        unit = self.kernel.unit << 60
        self.lengths = []
        for own, product in zip(self.kernel.squares, sums):
            distance = max(0, own * whole * whole - 2 * whole * product + square + doubt)
            self.lengths.append(root_above(Fraction(distance, self.kernel.unit * whole * whole), unit))

    def items(self):
        return len(self.y)

    def name(self, item):
        return f"sample {item}"

    def check(self, proof, masks, tally):
        """`masks[item]` has bit 1 where R is claimed, bit 2 where L is. Returns r."""
        c, count = double(proof["C"]), len(self.y)
        brackets = proof["brackets"] if self.has_bias else []
        if not c > 0 or len(proof["alpha"]) != count:
            raise Refuted("C is not above 0, or the number of α is not that of the samples")
        numbers, places = decimals(proof["alpha"] + [end for ends in brackets for end in ends])
        place = proof["balance"] if self.has_bias else None
        for i, share in enumerate(numbers[:count]):
            if not 0 <= share <= places and i != place:
                raise Refuted(f"α of sample {i} lies outside of its box: it is {shown(share, places)} of Cω")
        uppers = [omega * places for omega in self.omega]
        alphas = [omega * share for omega, share in zip(self.omega, numbers)]
        if self.has_bias:
            if not 0 < len(brackets) <= 4 or any(len(ends) != 2 for ends in brackets):
                raise Refuted("there are no brackets of the bias, more than four, or one has not two ends")
            self.balance(alphas, uppers, place)
        sums, error = self.kernel.sums([y * alpha for y, alpha in zip(self.y, alphas)], range(count))
        # From here on one unit for scores and the bias: s_i is C sums_i, known up to `error`.
        one = places * self.low * self.kernel.unit * c.denominator
        scores, error = [c.numerator * value for value in sums], error * c.numerator
        ends = [value * (one // places) for value in numbers[count:]]
        bias = self.best_bias(scores, one) if self.has_bias else 0
        margins = [y * (score + bias) for y, score in zip(self.y, scores)]
        gap = 0
        for f, alpha, upper in zip(margins, alphas, uppers):
            ends_of_f = (f - error, f + error)
            gap += max((upper - alpha) * (one - at) if at < one else alpha * (at - one) for at in ends_of_f)
        square = c * gap / (self.low * places * one)  # r²
        if self.has_bias:
            self.judge_with_bias(square, scores, error, list(zip(ends[::2], ends[1::2])), one, masks, tally)
        else:
            self.judge(square, margins, error, one, masks, tally)
        return shown(square) ** 0.5

    def judge(self, square, f, error, one, masks, tally):
        """Step 3, with both sides of (f − 1)² > r² K times `one`² and the kernel's unit."""
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

    def balance(self, alphas, uppers, place):
        """Step 4: Σ α y = 0 by the α of one sample."""
        if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < len(alphas):
            raise Refuted("there is no sample that balances the others")
        alphas[place] = 0
        alphas[place] = -self.y[place] * sum(y * alpha for y, alpha in zip(self.y, alphas))
        if not 0 <= alphas[place] <= uppers[place]:
            share = shown(alphas[place], uppers[place] or 1)
            raise Refuted(f"α of sample {place}, which balances the others, lies outside of its box: {share} of Cω")

    def best_bias(self, scores, one):
        """Where the slope of step 5 changes sign, with scores as they are: f of some sample is 1 there."""
        slope = -sum(omega for y, omega in zip(self.y, self.omega) if y > 0)
        for kink, omega in sorted((y * one - score, omega) for y, score, omega in zip(self.y, scores, self.omega)):
            slope += omega
            if slope >= 0:
                return kink
        return 0

    def judge_with_bias(self, square, scores, error, brackets, one, masks, tally):
        """Steps 5 and 6."""
        root, unit = root_above(square, one), self.kernel.unit << 60
        reach = [-(-root * length // unit) + error for length in self.lengths]  # r ‖φ − o‖ rounded up
        for number, (least, most) in enumerate(brackets):
            self.check_bracket(number, least, most, scores, reach, one)
        for i, mask in enumerate(masks):
            if mask:
                ends = [(scores[i] - reach[i] + least, scores[i] + reach[i] + most) for least, most in brackets]
                if self.y[i] < 0:
                    ends = [(-high, -low) for low, high in ends]
                text = ", or ".join(f"between {shown(low, one):.12g} and {shown(high, one):.12g}" for low, high in ends)
                above, below = any(low > one for low, _ in ends), any(high < one for _, high in ends)
                for bit, inside, outside in ((1, above, below), (2, below, above)):
                    if mask & bit:
                        # Without a weight f is on one side for one b*, perhaps on the other for another.
                        tally.add(i, bit, 1 if inside else -1 if outside and self.omega[i] else 0, f"f {text}")

    def check_bracket(self, number, least, most, scores, reach, one):
        """Step 5."""
        left = right = 0
        for y, omega, score, width in zip(self.y, self.omega, scores, reach):
            low, high = score - width + most, score + width + least
            left += omega * ((high > -one) if y < 0 else -(high <= one))
            right += omega * ((low >= -one) if y < 0 else -(low < one))
        if not (least <= most and left <= 0 <= right):
            slopes = f"the slopes at its ends are {shown(left, self.low):.6g} and {shown(right, self.low):.6g}"
            raise Refuted(f"bracket {number} of the bias is not proven: {slopes}")
