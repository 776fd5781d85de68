# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of the checker on SVMs with a free bias.

    python3 free_bias_test.py FOLDER   (resources/certificate)
"""

import json
import random
import sys
import unittest
from decimal import Decimal

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv.pop(1))

import check
import exact
import svm
from small_problems import SVM_STATEMENT, Values, outcomes

FREE = dict(SVM_STATEMENT, intercept="free")


class OnALine(unittest.TestCase):
    """Samples 1, −1, 3 and −4, all moved by 5: w = 1 and b = −5 at C = 1."""

    good = {"C": 1, "alpha": [0.5, 0.5, 0, 0], "balance": 0, "brackets": [[-5, -5]]}

    def setUp(self):
        self.problem = svm.Problem(FREE, Values([[6.0], [4.0], [8.0], [1.0]], "+-+-"))

    def test_the_optimum_is_proven_and_its_opposite_is_false(self):
        self.assertEqual(outcomes(self.problem, self.good, [0, 0, 1, 1]), (2, {}))
        self.assertEqual(outcomes(self.problem, self.good, [0, 0, 2, 3])[1], {(2, 2): -1, (3, 2): -1})
        self.assertEqual(outcomes(self.problem, self.good, [1, 2, 0, 0])[1], {(0, 1): 0, (1, 2): 0})

    def test_a_point_near_the_optimum_needs_a_wider_bracket(self):
        proof = dict(self.good, alpha=[0.499999, 0.499999, 0, 0])
        with self.assertRaises(exact.Refuted):
            outcomes(self.problem, proof, [0, 0, 1, 1])
        wide = dict(proof, brackets=[[-5.5, -4.5]])
        self.assertEqual(outcomes(self.problem, wide, [0, 0, 1, 1]), (2, {}))

    def test_any_balance_or_bracket_that_holds_will_do(self):
        for more in ({"balance": 1}, {"balance": 3}, {"brackets": [[-5.25, -4.75]]},
                     {"brackets": [[-99, 99], [-5, -5]]},
                     {"alpha": [17, 0.5, 0, 0]}, {"brackets": [["-5.00", -5]]}):
            self.assertEqual(outcomes(self.problem, dict(self.good, **more), [0, 0, 1, 1]), (2, {}), more)
        weak = dict(self.good, brackets=[[-99, 99]])
        self.assertEqual(set(outcomes(self.problem, weak, [0, 0, 1, 1])[1].values()), {0})

    def test_what_does_not_hold_is_refused(self):
        for bad in ({"brackets": [[-4.99, -4]]}, {"brackets": [[-6, -5.01]]}, {"brackets": [[-5, -5], [-4.9, -4]]},
                    {"brackets": [[-4, -6]]}, {"brackets": []}, {"brackets": [[-5]]}, {"brackets": [[-5, -5, -5]]},
                    {"brackets": [[-5, -5]] * 5}, {"balance": 4}, {"balance": -1}, {"balance": True},
                    {"balance": None}, {"balance": 3, "alpha": [0.5, 0.75, 0, 0]}, {"alpha": [0.5, 1.5, 0, 0]},
                    {"alpha": [0.5, 0.5, -0.1, 0]},
                    {"alpha": [0.5, 0.5, 0.75, 0.0]}, {"alpha": [0.5, 0.5, 0]}, {"C": 0}):
            with self.assertRaises(exact.Refuted, msg=str(bad)):
                outcomes(self.problem, dict(self.good, **bad), [0, 0, 1, 1])
        with self.assertRaises(exact.Refuted):
            svm.Problem(dict(FREE, intercept="some"), Values([[6.0], [4.0]], "+-"))

    def test_weights_balance_too(self):
        # w = 1 of 0.25 · 2 and 1 · 0.5; the last one has no weight, and whatever is said of it is not false.
        statement = dict(FREE, positive_weight=2, negative_weight=0.5)
        problem = svm.Problem(statement, Values([[6.0], [4.0], [8.0], [1.0]], "+-+-"))
        proof = dict(self.good, alpha=[0, 1, 0, 0])
        self.assertEqual(outcomes(problem, proof, [0, 0, 1, 1]), (2, {}))
        problem.omega[3] = 0
        self.assertEqual(outcomes(problem, proof, [0, 0, 1, 2])[1], {(3, 2): 0})

    def test_distances_count_from_any_origin(self):
        def problem(samples, weight):
            data = Values([[6.0], [4.0], [8.0], [1.0]], "+-+-")
            return svm.Problem(dict(FREE, origin={"samples": samples, "weight": weight}), data)

        def width(samples, weight):
            """Of what is known of f of the first sample, 6."""
            proof = json.dumps(dict(self.good, alpha=[0.49, 0.49, 0, 0], brackets=[[-99, 99]]))
            tally = check.Tally()
            problem(samples, weight).check(json.loads(proof, parse_float=Decimal), bytes([1, 0, 0, 0]), tally)
            low, high = (float(word) for word in tally.others[0][3].split()[2::2])
            return high - low - 198

        self.assertAlmostEqual(width([0], 1), 0)
        self.assertAlmostEqual(width([], 0), 6 * width([0, 1], 0.5))
        self.assertGreater(width([0, 1], 0.5), 0.1)
        for bad in (([0, 0], 0.5), ([4], 1), ([-1], 1), (["0"], 1)):
            with self.assertRaises(exact.Refuted, msg=str(bad)):
                problem(*bad)

    def test_samples_at_their_bounds_alone_leave_the_bias_open(self):
        # C is so small that all α are C: w = 0.009 · C, and every b between the kinks is as good as another.
        proof = {"C": 0.001, "alpha": [1, 1, 1, 1], "balance": 0, "brackets": [[0, 0]]}
        self.assertEqual(outcomes(self.problem, proof, [2] * 4), (4, {}))
        proof["brackets"] = [[-0.9, 0.9], [0.5, 0.5]]
        self.assertEqual(outcomes(self.problem, proof, [2] * 4), (4, {}))
        with self.assertRaises(exact.Refuted):
            outcomes(self.problem, dict(proof, brackets=[[1.1, 2]]), [2] * 4)


class Drawn:
    """Weighted samples on a line, with one kink after another where the best bias may be."""

    def __init__(self, draw, task):
        rows = draw.randrange(4, 9)
        values = [[round(draw.uniform(-2, 2), 3) + 1] for _ in range(rows)]
        statement = {"kernel": "linear", "bias": 0, "intercept": "free"}
        labels, targets, proof = "", (), {"C": 10 ** draw.uniform(-2, 2)}
        self.s = 0
        if task == "classification":
            self.y = [1, -1] + [draw.choice([1, -1]) for _ in range(rows - 2)]
            labels = ["+" if y > 0 else "-" for y in self.y]
            statement.update(positive="+", positive_weight=2, negative_weight=0.75)
            self.t = [1.0] * rows
        elif task == "regression":
            targets = [round(draw.uniform(-3, 3), draw.choice([0, 3])) + 50 for _ in range(rows)]
            statement.update(task=task, epsilon=draw.choice([0, 0.25, 1]), shift=draw.choice([0, 49.7]))
            heights = [target - statement["shift"] for target in targets]
            self.y = [1] * rows + [-1] * rows
            self.t = [z - statement["epsilon"] for z in heights] + [-z - statement["epsilon"] for z in heights]
        else:
            proof = {"nu": draw.choice([1, 0.5, draw.uniform(0.05, 1)])}
            statement["task"], self.y, self.t, self.s = task, [1] * rows, [0.0] * rows, 1
        if draw.random() < 0.7:  # brackets are of β, see 7 in svm.py
            self.origin = (draw.sample(range(rows), 3), draw.choice([1 / 3, 0.3, 1]))
        else:
            self.origin = ([], 0)
        statement["origin"] = dict(zip(("samples", "weight"), self.origin))
        self.problem, self.proof = svm.Problem(statement, Values(values, labels, targets)), proof
        self.size, self.x = len(self.y), [row[0] for row in values] * (len(self.y) // rows)
        self.omega = [{1: 2, -1: 0.75}[y] if task == "classification" else 1 for y in self.y]
        self.c = proof["C"] if "C" in proof else 1 / (proof["nu"] * rows)

    def loss(self, w, b):
        hinges = zip(self.omega, self.x, self.y, self.t)
        return sum(o * max(0, t - y * (w * x + b)) for o, x, y, t in hinges) + self.s * b / self.c

    def kinks(self, w):
        return [y * t - w * x for x, y, t in zip(self.x, self.y, self.t)]

    def least(self, w, low=-1e5, high=1e5):
        """The best loss over b between two numbers."""
        return min(self.loss(w, b) for b in [low, high, *self.kinks(w)] if low <= b <= high)

    def optimum(self):
        low, high = -1e3, 1e3
        for _ in range(100):
            a, b = low + (high - low) / 3, high - (high - low) / 3
            value = [w * w / 2 + self.c * self.least(w) for w in (a, b)]
            low, high = (low, b) if value[0] < value[1] else (a, high)
        return (low + high) / 2

    def shares(self, draw, rounds):
        """Shares that balance, from so many exact steps over pairs."""
        alpha = [self.s * self.c * self.proof.get("nu", 0) for _ in self.y]
        for _ in range(rounds):
            i, j = draw.sample(range(self.size), 2)
            w = sum(a * y * x for a, y, x in zip(alpha, self.y, self.x))
            rise = self.y[i] * self.t[i] - self.y[j] * self.t[j]
            slope = rise - w * (self.x[i] - self.x[j])  # of D, by y_i α_i up and y_j α_j down
            step = slope / max((self.x[i] - self.x[j]) ** 2, 1e-9)
            for k, sign in ((i, self.y[i]), (j, -self.y[j])):
                upper = self.c * self.omega[k]
                room = (upper - alpha[k], alpha[k]) if sign > 0 else (alpha[k], upper - alpha[k])
                step = min(max(step, -room[1]), room[0])
            alpha[i] += self.y[i] * step
            alpha[j] -= self.y[j] * step
        return [min(max(a / self.c / o, 0), 1) for a, o in zip(alpha, self.omega)]


class WhateverThePoint(unittest.TestCase):
    def test_the_ball_holds_the_optimum_and_brackets_that_pass_an_optimal_bias(self):
        for task in ("classification", "regression", "novelty"):
            with self.subTest(task):
                self.try_many(task)

    def try_many(self, task):
        draw, passed, narrow = random.Random(11), 0, 0
        for _ in range(120):
            drawn = Drawn(draw, task)
            shares = drawn.shares(draw, draw.choice([10, 100, 1000]))
            room = lambda k: min(shares[k], 1 - shares[k]) * drawn.omega[k]
            balance = max(range(drawn.size), key=room)
            w = drawn.c * sum(a * o * y * x for a, o, y, x in zip(shares, drawn.omega, drawn.y, drawn.x))
            best = min(drawn.kinks(w), key=lambda b: drawn.loss(w, b))
            uppers = [drawn.c * o for o in drawn.omega]
            found = drawn.problem.best_bias([w * x for x in drawn.x], drawn.t, uppers, drawn.s)
            self.assertAlmostEqual(drawn.loss(w, found), drawn.least(w))
            true = drawn.optimum()
            for _ in range(6):
                middle, width = best + draw.gauss(0, 10 ** draw.uniform(-4, 0)), 10 ** draw.uniform(-6, 1)
                bracket = [middle - draw.random() * width, middle + width]
                proof = {**drawn.proof, "alpha": shares, "balance": balance, "brackets": [bracket]}
                given = json.loads(json.dumps(proof), parse_float=Decimal)
                try:
                    radius = drawn.problem.check(given, bytes(drawn.size), check.Tally())
                except exact.Refuted:
                    continue
                passed += 1
                narrow += width < 0.1
                self.assertLessEqual(abs(w - true), radius * (1 + 1e-9) + 1e-5)
                spare = 1e-6 * (1 + abs(drawn.least(true)))
                shift = (true - w) * drawn.origin[1] * sum(drawn.x[j] for j in drawn.origin[0])
                ends = [end - shift for end in bracket]
                self.assertLessEqual(drawn.least(true, *ends), drawn.least(true) + spare, bracket)
        self.assertGreater(passed, 60)
        self.assertGreater(narrow, 10)


if __name__ == "__main__":
    unittest.main()
