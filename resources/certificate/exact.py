# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact arithmetic that all families share: decimals and doubles as integers, roots rounded up, kernel values enclosed.

Numbers are kept as integers with one common denominator ("unit"): an integer m with unit u stands for m/u.
"""

import math
import re
from decimal import Decimal
from fractions import Fraction
from operator import mul


class Refuted(Exception):
    """What the certificate says is false, or is no certificate."""


def decimals(values, least=1):
    """Numbers as json.loads(…, parse_float=Decimal) gives them, or their texts -> (integers, unit >= least), exactly."""
    parts = []
    for value in values:
        if isinstance(value, str) and re.fullmatch(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?", value):
            value = Decimal(value)
        if isinstance(value, bool) or not hasattr(value, "as_integer_ratio"):
            raise Refuted(f"{value!r} is no number")
        if isinstance(value, int):
            parts.append((value, 0))
        elif not value.is_finite():
            raise Refuted(f"{value} is no finite number")
        else:
            sign, digits, exponent = value.as_tuple()
            if abs(exponent) > 2000:
                raise Refuted(f"{value} has too large an exponent")
            number = int("".join(map(str, digits)) or "0")
            parts.append((-number if sign else number, exponent))
    places = max([-exponent for _, exponent in parts] + [len(str(least)) - 1])
    return [number * 10 ** (places + exponent) for number, exponent in parts], 10**places


def decimal_matrix(rows, count, what, least=1):
    """A matrix of `count` rows -> (rows of integers, unit >= least)."""
    if not isinstance(rows, list) or len(rows) != count or any(not isinstance(row, list) for row in rows):
        raise Refuted(f"{what} is not a matrix of {count} rows")
    width = len(rows[0]) if rows else 0
    if any(len(row) != width for row in rows):
        raise Refuted(f"the rows of {what} differ in length")
    flat, unit = decimals([value for row in rows for value in row], least)
    return [flat[i * width : (i + 1) * width] for i in range(count)], unit


def double(value):
    """A number that the program keeps as a double (λ, C, γ …): the double that the text stands for, exactly."""
    return Fraction(float(value))


def dyadics(rows):
    """Rows of doubles -> (rows of integers, unit); the unit is a power of two."""
    unit = 1
    for row in rows:
        for value in row:
            unit = max(unit, value.as_integer_ratio()[1])
    whole = [[n * (unit // m) for n, m in map(float.as_integer_ratio, row)] for row in rows]
    return whole, unit


def shown(value, unit=1):
    """A fraction or value/unit as a float for people, infinite where it is beyond them."""
    try:
        return float(Fraction(value, unit))
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def dot(a, b):
    return sum(map(mul, a, b))


def root_above(square, unit):
    """The smallest integer m with m/unit >= the root of the fraction `square` >= 0."""
    number, low = square.numerator * unit * unit, square.denominator
    whole = -(-number // low)  # rounded up
    return math.isqrt(whole - 1) + 1 if whole > 0 else 0


BITS = 80  # kernel values are integers with unit 2^80
WORK = 96  # bits that exp is computed with


def _exp_table():
    """exp(−j 2^(−8 level)) for j < 256, level 1 … 5, and exp(−j) for j < 80, with unit 2^96, wrong by less than 1.

    exp(−x) = 1/exp(x), and exp(x) = Σ xⁿ/n! is summed as an exact fraction until the next term, which for x <= 1
    is more than all terms after it, is below 2^−200. Larger x: exp(−j) = exp(−1)^j, still as exact fractions.
    """

    def exponential(x):
        total, term, n = Fraction(1), Fraction(1), 1
        while term > Fraction(1, 2**220):
            term = term * x / n
            total, n = total + term, n + 1
        return total

    def rounded(inverse):
        return (inverse.denominator << WORK) // inverse.numerator

    small = [[rounded(exponential(Fraction(j, 2 ** (8 * level)))) for j in range(256)] for level in range(1, 6)]
    e = exponential(Fraction(1))
    e = Fraction((e.numerator << 400) // e.denominator, 1 << 400)  # wrong by less than 2^−217; of e^80, by 2^−210 of it
    return [rounded(e**j) for j in range(80)], small


class Exponential:
    """exp(−x) for x >= 0 with unit 2^80, wrong by less than 2 of these."""

    def __init__(self):
        self.whole, self.small = _exp_table()

    def __call__(self, x):
        """`x` has unit 2^96 and may be up to 1 of these too small, which changes exp(−x) by no more than that.

        x = whole + five groups of eight bits + rest, rest < 2^−40, and exp(−x) is the product of their exponentials,
        with 1 − rest + rest²/2 for the last (the rest of that series is below 2^−122). Each of the six factors below 1
        is wrong by less than 2 of 2^−96 and each product is rounded by less than 1: together less than 20 of them,
        which is less than 1 of 2^−80. Rounding to that unit adds less than 1.
        """
        whole = x >> WORK
        if whole >= len(self.whole):
            return 0  # exp(−80) < 2^−115
        value = self.whole[whole]
        for level in range(5):
            value = value * self.small[level][(x >> (WORK - 8 * level - 8)) & 255] >> WORK
        rest = x & ((1 << (WORK - 40)) - 1)
        return value * ((1 << WORK) - rest + (rest * rest >> (WORK + 1))) >> (WORK + WORK - BITS)


def prove_positive(matrix):
    """Refutes a symmetric matrix of doubles unless it is shown to be positive semidefinite.

    Rows and columns are scaled by powers of two, so that the diagonal is about 1; a factor L of the matrix less a small
    multiple of the unit matrix is found in doubles, and then A − L Lᵀ is computed exactly: where each of its rows has
    no less on the diagonal than beside it, it is positive semidefinite, and A = L Lᵀ + (A − L Lᵀ) too.
    """
    size = len(matrix)
    scales = [2.0 ** -(math.frexp(matrix[i][i])[1] // 2) if matrix[i][i] > 0 else 1.0 for i in range(size)]
    scaled = [[a * scales[i] * scales[j] for j, a in enumerate(matrix[i][: i + 1])] for i in range(size)]
    for shift in (2.0**-power for power in (10, 16, 22, 28, 32, 36, 38, 40, 42, 44, 46, 48)):
        factor = factored(scaled, shift)
        if factor is not None:
            break
    else:
        raise Refuted("a precomputed kernel cannot be shown to be positive semidefinite")
    unit = 2**60
    whole = [[round(value * unit) for value in row] for row in factor]
    beside, diagonal = [0] * size, [Fraction(0)] * size
    for i in range(size):
        for j in range(i + 1):
            rest = Fraction(matrix[i][j]) * Fraction(scales[i]) * Fraction(scales[j])
            rest -= Fraction(dot(whole[i][: j + 1], whole[j][: j + 1]), unit * unit)
            if i == j:
                diagonal[i] = rest
            else:
                beside[i] += abs(rest)
                beside[j] += abs(rest)
    if any(own < others for own, others in zip(diagonal, beside)):
        raise Refuted("a precomputed kernel cannot be shown to be positive semidefinite")


def factored(lower, shift):
    """L with L Lᵀ about A − shift I, in doubles; rows of zeros stay so. None when a pivot is not above 0."""
    factor = []
    for i, row in enumerate(lower):
        new = []
        for j in range(i):
            pivot = factor[j][j]
            new.append((row[j] - sum(map(mul, new, factor[j]))) / pivot if pivot else 0.0)
        pivot = row[i] - shift - sum(map(mul, new, new)) if row[i] else 0.0
        if row[i] and not pivot > 0:
            return None
        factor.append(new + [math.sqrt(pivot)])
    return factor


class Kernel:
    """Sums Σ c_j K(x_j, x_i) for integer weights c, with a bound of their error.

    precomputed: the rows are the matrix, with its diagonal times 1 + ridge in doubles, plus b²; it has to be positive
    semidefinite, which is proven. linear x·x' + b²; rbf exp(−γ‖x − x'‖²) + b²; polynomial (γ x·x' + c)^p + b². γ, c and b are doubles, the rows are
    doubles, and everything but exp is exact: kernel values are rounded to the unit 2^80, those of the linear kernel
    not at all.
    """

    def __init__(self, statement, rows):
        self.kind = statement["kernel"]
        bias = float(statement.get("bias", 0))
        if self.kind == "linear":
            self.rows, side = dyadics([list(row) + [bias] if bias else row for row in rows])
            self.unit, self.error = side * side, 0
            self.squares = [dot(row, row) for row in self.rows]
            return
        if self.kind == "precomputed":
            self.set_given(rows, float(statement.get("ridge", 0)), double(bias) ** 2)
            return
        x, side = dyadics(rows)
        plus = double(bias) ** 2
        plus = (plus.numerator << BITS) // plus.denominator
        self.unit, self.error = 1 << BITS, 3  # 2 of exp or 1 of rounding, and 1 of b²
        gamma = double(statement["gamma"])
        if self.kind == "rbf":
            exp, squares = Exponential(), [dot(row, row) for row in x]
            number, low = gamma.numerator << WORK, gamma.denominator * side * side

            def value(i, j):
                return exp((squares[i] + squares[j] - 2 * dot(x[i], x[j])) * number // low) + plus

        elif self.kind == "polynomial":
            degree, offset = int(statement["degree"]), double(statement["offset"])
            low = gamma.denominator * side * side * offset.denominator
            factor, shift = gamma.numerator * offset.denominator, offset.numerator * gamma.denominator * side * side

            def value(i, j):
                return ((dot(x[i], x[j]) * factor + shift) ** degree << BITS) // low**degree + plus

        else:
            raise Refuted(f"there is no rule for the kernel {self.kind!r}")
        self.matrix = [[0] * len(x) for _ in x]
        for i in range(len(x)):
            for j in range(i + 1):
                self.matrix[i][j] = self.matrix[j][i] = value(i, j)
        self.squares = [self.matrix[i][i] + self.error for i in range(len(x))]  # upper bounds of ‖φ(x)‖²

    def set_given(self, rows, ridge, plus):
        if any(len(row) != len(rows) for row in rows) or not ridge >= 0:
            raise Refuted("a precomputed kernel is not square, or its ridge is below 0")
        rows = [row[:i] + [row[i] * (1 + ridge)] + row[i + 1 :] for i, row in enumerate(rows)]
        if any(rows[i][j] != rows[j][i] for i in range(len(rows)) for j in range(i)):
            raise Refuted("a precomputed kernel is not symmetric")
        prove_positive(rows)
        whole, side = dyadics(rows)
        self.unit, self.error = side * plus.denominator, 0
        more = plus.numerator * side
        self.matrix = [[value * plus.denominator + more for value in row] for row in whole]
        self.squares = [self.matrix[i][i] for i in range(len(rows))]

    def sums(self, weights, wanted):
        """([Σ_j weights[j] K(x_j, x_i) for i in wanted], bound of the error of each), with the unit of the kernel."""
        if self.kind == "linear":
            w = [dot(column, weights) for column in zip(*self.rows)]
            return [dot(self.rows[i], w) for i in wanted], 0
        return [dot(self.matrix[i], weights) for i in wanted], self.error * sum(map(abs, weights))
