# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems for tests of the checker that are small enough to be solved by hand."""

import json
import math
from decimal import Decimal

import check

SVM_STATEMENT = {"positive": "+", "positive_weight": 1, "negative_weight": 1, "kernel": "linear", "bias": 0}


class Values:
    """What data.Data has, from nowhere."""

    def __init__(self, rows, labels, targets=()):
        self.rows, self.names, self.targets = rows, sorted(set(labels)), list(targets)
        self.labels = [self.names.index(label) for label in labels]


def outcomes(problem, proof, masks):
    """{(item, bit): outcome} of what is not proven, and how many are."""
    tally = check.Tally()
    problem.check(json.loads(json.dumps(proof), parse_float=Decimal), bytes(masks), tally)
    return tally.proven, {(item, bit): outcome for item, bit, outcome, _ in tally.others}


def expect_ball(case, draw, problem, terms, slope, gamma, masks):
    """One dimension: M* by bisection of the derivative; the ball of any point must hold it. terms: (h, τ, w)."""
    lam = 10 ** draw.uniform(-2, 1)

    def derivative(m):
        pull = 0
        for x, edge, weight in terms:
            short = edge - x * m
            pull += weight * x * (min(max(short / gamma, 0), 1) if gamma else float(short > 0))
        return lam * m + slope - pull

    low, high = 0.0, 1e4
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if derivative(middle) > 0 else (middle, high)
    guess = max(0.0, low * (1 + draw.uniform(-1e-3, 1e-3)) + draw.uniform(-1e-3, 1e-3))
    proof = {"lambda": lam, "L": [[round(math.sqrt(guess), 12)]], "K": [[round(draw.uniform(0, 0.01), 12)]],
             "m": [round(guess, 14)], "smoothing": 10 ** draw.uniform(-6, 0)}
    radius = problem.check(json.loads(json.dumps(proof), parse_float=Decimal), masks, check.Tally())
    case.assertLessEqual(abs(low - guess), radius * (1 + 1e-9) + 1e-9)
    return radius
