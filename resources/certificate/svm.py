# SPDX-License-Identifier: GPL-3.0-or-later
"""SVM: proves on which side of its threshold t_i a sample lies at the optimum w* of

    P(w) = ½‖w‖² + C Σ ω_i max(0, t_i − f_i),   f_i = y_i ⟨w, φ(x_i)⟩.

R: f_i > t_i, so α_i = 0. L: f_i < t_i, α_i = Cω_i.

With a free bias b (`intercept`) it is P(w, b) with f_i = y_i (⟨w, φ(x_i)⟩ + b), see 4 to 6. By `task`:

classification  y_i = ±1 and the weights ω_i come from the classes, and from a file if there is one; t_i = 1.
regression      The loss max(0, |target − f| − ε) of a row is the sum of two hinges: sample i of n is its side above the
                tube, y = 1 and t = target − ε, sample n + i the side below, y = −1 and t = −target − ε. With a free
                bias both targets and b count from `shift`, which changes neither P nor f − t.
novelty         y = 1, t = 0, and b costs b: P(w, b) = ½‖w‖² + C Σ ω_i max(0, −f_i) + b, C = 1/(ν Σ ω).
ω is 0 for samples that are left out. Below s = 1 for novelty, else 0: b costs s b.

The certificate has the shares a_i of α_i = C ω_i a_i.

1. 0 <= a <= 1 gives w = Σ α_i y_i φ(x_i) and P* >= D = Σ α t − ½‖w‖², and P* <= P(w). As ‖w‖² = Σ α_i f_i, the gap is
   P − D = C Σ ω_i (max(0, t_i − f_i) − a_i (t_i − f_i)), in which no summand is below 0. Where f_i is known up to e,
   the larger of the two values at f_i ± e is an upper bound, the summand being convex in f_i.
2. P is 1-strongly convex in w: ½‖w − w*‖² <= P − P*. D is 1-strongly concave in w: ½‖w − w*‖² <= P* − D. Together
   ‖w − w*‖² <= r² = P − D, so that |f_i* − f_i| <= r ‖φ(x_i)‖.
3. R is proven when f > t and (f − t)² > r² K(x, x), L when f < t and (t − f)² > r² K(x, x).

With a free bias the certificate has besides which sample `balance` is, and brackets of b*:

4. The dual has the constraint Σ α_i y_i = s. The sample `balance` takes what the shares of all others leave of it, so
   that it holds exactly. Then ‖w‖² = Σ α_i f_i − s b whatever b, so that the gap is that of 1 (s b is in P too), and 2
   holds with P(w, b): |s_i* − s_i| <= r ‖φ(x_i)‖ for the scores s_i = ⟨w, φ(x_i)⟩. (P and D are strongly convex and
   concave in w, not in b.) The b taken here is the best for these scores, see 5.
5. For given scores the best b are where the slope of C Σ ω_i max(0, t_i − y_i (s_i + b)) + s b changes sign. A summand
   has the slope −Cω_i where y_i = 1 and s_i + b < t_i, Cω_i where y_i = −1 and s_i + b > −t_i, else 0: the slope rises
   with b and with every s_i. If it is <= 0 left of b₁ with all s_i at their upper ends, it is so with s* too, and some
   best b is b₁ or more; if it is >= 0 right of b₂ with all s_i at their lower ends, some best b is b₂ or less. The best
   b are an interval: one of them, b*, lies in [b₁, b₂].
6. R: y_i (s_i + b) > t_i for all s_i within r ‖φ(x_i)‖ and all b in [b₁, b₂], L: < t_i. One bracket that shows it will
   do. (What α_i is then holds at every dual optimum, whichever b* is meant.)
7. In 5 and 6 distances may count from any vector o, ‖φ(x_i) − o‖ in place of ‖φ(x_i)‖: f_i* = y_i (s_i + u + β) with
   u = ⟨w* − w, φ(x_i) − o⟩ and β = b* + ⟨w* − w, o⟩, which is best for the scores s_i + u; brackets are of β then.
   `origin` says of which rows o is the sum, times which weight.
"""

from fractions import Fraction
from math import isfinite, lcm

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
        self.task, self.rows = statement.get("task", "classification"), len(data.rows)
        self.has_bias = "intercept" in statement
        if self.has_bias and statement["intercept"] != "free":
            raise Refuted(f"there is no rule for the intercept {statement['intercept']!r}")
        factors = [1.0] * self.rows
        if "weights" in statement:
            factors = read_weights(find(statement["weights"]["file"]), self.rows)
        self.cost = 0  # s
        if self.task == "classification":
            omega, edges = self.set_classes(statement, data, factors)
        elif self.task == "regression":
            omega, edges = self.set_tube(statement, data, factors)
        elif self.task == "novelty" and self.has_bias:
            self.y, omega, edges, self.cost = [1] * self.rows, factors, [0] * self.rows, 1
        else:
            raise Refuted(f"there is no rule for the task {self.task!r}")
        omega = [double(each) for each in omega]
        self.low = lcm(*(each.denominator for each in omega))  # unit of ω
        self.omega = [int(each * self.low) for each in omega]
        self.edge_unit = lcm(*(Fraction(each).denominator for each in edges))  # of t
        self.edges = [int(each * self.edge_unit) for each in edges]
        self.kernel = Kernel(statement, data.rows)
        if self.has_bias:
            self.set_lengths(statement.get("origin", {"samples": [], "weight": 0}))

    def set_classes(self, statement, data, factors):
        if statement["positive"] not in data.names or len(data.names) < 2:
            raise Refuted(f"there is no class {statement['positive']!r}, or no other")
        positive = data.names.index(statement["positive"])
        self.y = [1 if label == positive else -1 for label in data.labels]
        weights = {1: float(statement["positive_weight"]), -1: float(statement["negative_weight"])}
        if min(weights.values()) <= 0:
            raise Refuted("the weight of a class is not above 0")
        return [weights[y] * factor for y, factor in zip(self.y, factors)], [1] * self.rows

    def set_tube(self, statement, data, factors):
        """Targets are the numbers of the data, or class names that are numbers."""
        targets = data.targets or [float(data.names[label]) for label in data.labels]
        epsilon, shift = double(statement["epsilon"]), double(statement.get("shift", 0))
        if len(targets) != self.rows or not all(map(isfinite, targets)):
            raise Refuted("there is no number to fit for each row")
        if epsilon < 0 or (shift and not self.has_bias):
            raise Refuted("the width of the tube is below 0, or targets are shifted where no bias makes up for it")
        self.y = [1] * self.rows + [-1] * self.rows
        heights = [double(target) - shift for target in targets]
        return factors * 2, [height - epsilon for height in heights] + [-height - epsilon for height in heights]

    def set_lengths(self, origin):
        """‖φ(x_i) − o‖ of all samples, rounded up, with the unit 2^60 times that of the kernel; see 7."""
        samples, weight, count = origin["samples"], double(origin["weight"]), self.rows
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
        side = "above" if item < self.rows else "below"
        return f"row {item % self.rows} {side} the tube" if self.task == "regression" else f"sample {item}"

    def of_samples(self, rows):
        """What belongs to rows, for their samples."""
        return rows * 2 if self.task == "regression" else rows

    def upper_factor(self, proof):
        """C."""
        if self.task != "novelty":
            return double(proof["C"])
        share = double(proof["nu"])
        if not 0 < share <= 1 or not any(self.omega):
            raise Refuted("ν is not above 0 and at most 1, or all weights are 0")
        return self.low / (share * sum(self.omega))

    def check(self, proof, masks, tally):
        """`masks[item]` has bit 1 where R is claimed, bit 2 where L is. Returns r."""
        c, count = self.upper_factor(proof), len(self.y)
        brackets = proof["brackets"] if self.has_bias else []
        if not c > 0 or len(proof["alpha"]) != count:
            raise Refuted("C is not above 0, or the number of α is not that of the samples")
        numbers, places = decimals(proof["alpha"] + [end for ends in brackets for end in ends])
        place = proof["balance"] if self.has_bias else None
        for i, share in enumerate(numbers[:count]):
            if not 0 <= share <= places and i != place:
                raise Refuted(f"α of {self.name(i)} lies outside of its box: it is {shown(share, places)} of Cω")
        whole = places * self.low * c.denominator  # unit of α
        uppers = [omega * places * c.numerator for omega in self.omega]
        alphas = [omega * share * c.numerator for omega, share in zip(self.omega, numbers)]
        cost = self.cost * whole
        if self.has_bias:
            if not 0 < len(brackets) <= 4 or any(len(ends) != 2 for ends in brackets):
                raise Refuted("there are no brackets of the bias, more than four, or one has not two ends")
            self.balance(alphas, uppers, place, cost)
        weights = [0] * self.rows
        for i, (y, alpha) in enumerate(zip(self.y, alphas)):
            weights[i % self.rows] += y * alpha
        sums, error = self.kernel.sums(weights, range(self.rows))
        # From here on one unit for scores, thresholds and the bias; scores are known up to `error`.
        one = whole * self.kernel.unit * self.edge_unit
        scores, error = self.of_samples([value * self.edge_unit for value in sums]), error * self.edge_unit
        edges = [edge * (one // self.edge_unit) for edge in self.edges]
        ends = [value * (one // places) for value in numbers[count:]]
        bias = self.best_bias(scores, edges, uppers, cost) if self.has_bias else 0
        excess = [y * (score + bias) - edge for y, score, edge in zip(self.y, scores, edges)]  # f − t
        gap = 0
        for distance, alpha, upper in zip(excess, alphas, uppers):
            ends_of_it = (distance - error, distance + error)
            gap += max((alpha - upper) * at if at < 0 else alpha * at for at in ends_of_it)
        square = Fraction(gap, whole * one)  # r²
        if self.has_bias:
            pairs, reach = list(zip(ends[::2], ends[1::2])), self.reaches(square, error, one)
            for number, (least, most) in enumerate(pairs):
                left, right = self.slopes(least, most, scores, edges, reach, uppers, cost)
                if not (least <= most and left <= 0 <= right):
                    slopes = f"the slopes at its ends are {shown(left, whole):.6g} and {shown(right, whole):.6g}"
                    raise Refuted(f"bracket {number} of the bias is not proven: {slopes}")
            self.judge_with_bias(scores, edges, reach, pairs, one, masks, tally)
        else:
            self.judge(square, excess, edges, error, one, masks, tally)
        return shown(square) ** 0.5

    def edge_text(self, edge, one):
        return "" if self.task == "classification" else f", t = {shown(edge, one):.12g}"

    def judge(self, square, excess, edges, error, one, masks, tally):
        """Step 3, with both sides of (f − t)² > r² K times `one`² and the kernel's unit."""
        scaled = square * one * one / self.kernel.unit
        squares = self.of_samples(self.kernel.squares)
        for i, mask in enumerate(masks):
            if mask:
                distance, length = excess[i], squares[i]
                is_clear = clear(distance, error, scaled, length)
                for bit, inside in ((1, distance > 0), (2, distance < 0)):
                    if mask & bit:
                        reach = shown(square * length, self.kernel.unit) ** 0.5
                        text = f"f = {shown(distance + edges[i], one):.12g}{self.edge_text(edges[i], one)}"
                        tally.add(i, bit, (1 if inside else -1) if is_clear else 0, f"{text}, r‖φ‖ = {reach:.3g}")

    def balance(self, alphas, uppers, place, cost):
        """Step 4: Σ α y = s by the α of one sample."""
        if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < len(alphas):
            raise Refuted("there is no sample that balances the others")
        alphas[place] = 0
        alphas[place] = self.y[place] * (cost - sum(y * alpha for y, alpha in zip(self.y, alphas)))
        if not 0 <= alphas[place] <= uppers[place]:
            share = shown(alphas[place], uppers[place] or 1)
            raise Refuted(f"α of {self.name(place)}, which balances the others, lies outside of its box: {share} of Cω")

    def best_bias(self, scores, edges, uppers, cost):
        """Where the slope of step 5 changes sign, with scores as they are: f of some sample is t there."""
        slope = cost - sum(upper for y, upper in zip(self.y, uppers) if y > 0)
        for kink, upper in sorted((y * t - s, upper) for y, s, t, upper in zip(self.y, scores, edges, uppers)):
            slope += upper
            if slope >= 0:
                return kink
        return 0

    def reaches(self, square, error, one):
        """r ‖φ − o‖ of all samples, rounded up, and what scores are known up to."""
        root, unit = root_above(square, one), self.kernel.unit << 60
        return self.of_samples([-(-root * length // unit) + error for length in self.lengths])

    def judge_with_bias(self, scores, edges, reach, brackets, one, masks, tally):
        """Step 6."""
        for i, mask in enumerate(masks):
            if mask:
                ends = [(scores[i] - reach[i] + least, scores[i] + reach[i] + most) for least, most in brackets]
                if self.y[i] < 0:
                    ends = [(-high, -low) for low, high in ends]
                text = ", or ".join(f"between {shown(low, one):.12g} and {shown(high, one):.12g}" for low, high in ends)
                text = f"f {text}{self.edge_text(edges[i], one)}"
                above, below = any(low > edges[i] for low, _ in ends), any(high < edges[i] for _, high in ends)
                for bit, inside, outside in ((1, above, below), (2, below, above)):
                    if mask & bit:
                        # Without a weight f is on one side for one b*, perhaps on the other for another.
                        tally.add(i, bit, 1 if inside else -1 if outside and self.omega[i] else 0, text)

    def slopes(self, least, most, scores, edges, reach, uppers, cost):
        """Step 5: left of one end of a bracket, and right of the other."""
        left = right = cost
        for y, upper, score, width, edge in zip(self.y, uppers, scores, reach, edges):
            low, high = score - width + most, score + width + least
            left += upper * ((high > -edge) if y < 0 else -(high <= edge))
            right += upper * ((low >= -edge) if y < 0 else -(low < edge))
        return left, right
