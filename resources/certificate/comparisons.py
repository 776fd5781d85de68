# SPDX-License-Identifier: GPL-3.0-or-later
"""Comparisons of rows from a text file, the items of metric.py in their general form.

    base 0                          rows are counted from 0 (or 1)
    triplet i j l [weight]          far pair (i, l), near pair (i, j), τ = 1
    quadruplet i j l k [weight]     far pair (l, k), near pair (i, j), τ = 1
    similar i j upper [weight]      near pair (i, j) alone, τ = −upper
    dissimilar i j lower [weight]   far pair (i, j) alone, τ = lower
    target i j [weight]             a pair of the linear term: S = factor · Σ weight δδᵀ
    form triplet                    lines that begin with a number are triplets from here on, or any other of these

Fields are cut at blanks, tabs and commas; # begins a comment. Weights are 1 unless given. Comparisons of the same pairs
with the same τ are one item, where the first of them stands, with the sum of their weights, added in doubles in their
order; so are the weights of a target pair.
"""

from fractions import Fraction
from math import lcm

from data import read_lines
from exact import Refuted, double

ROWS = {"triplet": 3, "quadruplet": 4, "similar": 2, "dissimilar": 2, "target": 2}
CLIP = 10**12  # unit of the clip


class Comparisons:
    def __init__(self, path, rows, statement):
        self.rows, self.base, self.form = rows, None, None
        self.pairs, self.numbers, self.targets = [], {}, {}
        self.found, self.lines = {}, []  # (far, near, τ) -> weight, in the order of the file; lines of these
        for number, line in enumerate(read_lines(path), 1):
            fields = line.split("#")[0].replace(",", " ").split()
            if fields:
                self.read(fields, number)
        self.factor = double(statement.get("linear_term", 0))
        items = [(far, near, double(edge), double(weight)) for (far, near, edge), weight in self.found.items()]
        linear = {p: self.factor * double(weight) for p, weight in self.targets.items() if self.factor}
        # One unit for all weights, one for all τ.
        self.low = lcm(*(weight.denominator for *_, weight in items), *(weight.denominator for weight in linear.values()))
        self.edges = lcm(*(edge.denominator for _, _, edge, _ in items))
        self.items = [(far, near, int(edge * self.edges), int(weight * self.low)) for far, near, edge, weight in items]
        self.linear = {p: int(weight * self.low) for p, weight in linear.items()}

    def read(self, fields, number):
        word = fields[0]
        if word == "base":
            self.base = int(fields[1])
        elif word == "form":
            self.form = fields[1]
        else:
            form, rest = (word, fields[1:]) if word in ROWS else (self.form, fields)
            count = ROWS[form]
            self.add(form, [int(row) - self.base for row in rest[:count]], [float(x) for x in rest[count:]], number)

    def pair(self, i, j):
        if not (0 <= i < self.rows and 0 <= j < self.rows and i != j):
            raise Refuted(f"({i}, {j}) is no pair of rows")
        key = (min(i, j), max(i, j))
        if key not in self.numbers:
            self.numbers[key] = len(self.pairs)
            self.pairs.append(key)
        return self.numbers[key]

    def add(self, form, rows, rest, number):
        near, far, edge = self.pair(rows[0], rows[1]), None, 1.0
        if form == "target":
            self.targets[near] = self.targets.get(near, 0.0) + (rest[0] if rest else 1.0)
            return
        if form in ("similar", "dissimilar"):
            bound = rest.pop(0)
            near, far, edge = (near, None, -bound) if form == "similar" else (None, near, bound)
        else:
            far = self.pair(rows[0], rows[2]) if form == "triplet" else self.pair(rows[2], rows[3])
        weight = rest[0] if rest else 1.0
        if not weight > 0 or far == near:
            raise Refuted(f"line {number} of the comparisons has a weight that is not above 0, or one pair twice")
        key = (far, near, edge)
        if key not in self.found:
            self.found[key] = 0.0
            self.lines.append(number)
        self.found[key] += weight

    def count(self):
        return len(self.items)

    def name(self, item):
        return f"the comparison of line {self.lines[item]}"

    def margins(self, z, one):
        """(far, near, t, τ, w) of each item; t and τ with the unit one · edges."""
        values = dict(enumerate(value * self.edges for value in z))
        values[None] = 0
        for far, near, edge, weight in self.items:
            yield far, near, values[far] - values[near], edge * one, weight

    def sums(self, z, one, gamma, slope):
        """(Σ w ℓ + ⟨M, S⟩, Σ α τ − γ/2 Σ α²/w, weights of Σ α H − S by pairs, their unit)."""
        unit = one * self.edges
        band, steps, rise = unit * slope.numerator // slope.denominator, CLIP * slope.denominator, unit * slope.numerator
        squares = edges = slopes = linear = alphas = alpha_squares = 0
        weights = [0] * len(z)
        for far, near, margin, edge, weight in self.margins(z, one):
            short = edge - margin
            if short <= 0:
                continue
            if short > band:
                clip, slopes, linear = CLIP, slopes + weight * short, linear + weight
            else:
                clip = short * steps // rise
                edges += weight * short
                squares += weight * short * short
            alphas += weight * clip * edge
            alpha_squares += weight * clip * clip
            for p, sign in ((far, 1), (near, -1)):
                if p is not None:
                    weights[p] += sign * weight * clip
        term = 0
        for p, weight in self.linear.items():
            weights[p] -= weight * CLIP
            term += weight * z[p]
        bend = Fraction(squares, unit * unit) / (2 * gamma) if gamma else Fraction(edges, unit)
        loss = (bend + Fraction(slopes, unit) - linear * gamma / 2 + Fraction(term, one)) / self.low
        dual = Fraction(alphas, CLIP * unit * self.low) - gamma / 2 * Fraction(alpha_squares, CLIP * CLIP * self.low)
        return loss, dual, weights, CLIP * self.low

    def judge(self, z, one, gamma, spans, masks, tally, exact):
        """See Triplets.judge()."""
        flat = one * self.edges * gamma.numerator // gamma.denominator + 1  # at least γ
        reach = dict(enumerate(span * self.edges for span in spans))
        reach[None] = 0
        for item, (far, near, margin, edge, _) in enumerate(self.margins(z, one)):
            mask, doubt = masks[item], 0
            if mask:
                doubt = reach[far] + reach[near]
            if mask & 1:
                if margin - doubt > edge:
                    tally.proven += 1
                else:
                    exact(item, 1, far, near, Fraction(edge, one * self.edges))
            if mask & 2:
                if margin + doubt < edge - flat:
                    tally.proven += 1
                else:
                    exact(item, 2, far, near, Fraction(edge, one * self.edges) - gamma)
