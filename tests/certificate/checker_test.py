# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of the checker of certificates by itself, on problems that are small enough to be solved by hand.

    python3 checker_test.py FOLDER   (resources/certificate)
"""

import contextlib
import copy
import io
import json
import math
import random
import sys
import tempfile
import unittest
from decimal import Decimal, getcontext
from fractions import Fraction
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv.pop(1))

import check
import data
import exact
import metric
import pu
import svm
from small_problems import SVM_STATEMENT, Values, expect_ball, outcomes


class ExactArithmetic(unittest.TestCase):
    def test_decimals_are_taken_digit_by_digit(self):
        numbers, unit = exact.decimals([Decimal("0.1"), Decimal("-12.345"), 7, Decimal("1e-20"), Decimal("3E+2"), "0.25"])
        self.assertEqual([Fraction(n, unit) for n in numbers],
                         [Fraction(1, 10), Fraction(-12345, 1000), 7, Fraction(1, 10**20), 300, Fraction(1, 4)])

    def test_what_is_no_number_is_refused(self):
        for value in ("", "x", "1_0", "nan", "1/2", None, True, Decimal("NaN"), Decimal("Infinity"), Decimal("1e99999"), [1]):
            with self.assertRaises(exact.Refuted, msg=repr(value)):
                exact.decimals([value])
        for rows in ([[1], [2, 3]], [[1]], "12", [1, 2]):
            with self.assertRaises(exact.Refuted, msg=repr(rows)):
                exact.decimal_matrix(rows, 2, "L")

    def test_roots_are_rounded_up_and_no_further(self):
        draw = random.Random(1)
        for _ in range(2000):
            square = Fraction(draw.randrange(10**draw.randrange(1, 30)), draw.randrange(1, 10**draw.randrange(1, 30)))
            unit = draw.choice([1, 7, 10**12, 2**60])
            root = exact.root_above(square, unit)
            self.assertGreaterEqual(Fraction(root, unit) ** 2, square)
            self.assertTrue(root == 0 or Fraction(root - 1, unit) ** 2 < square)

    def test_exponentials_are_enclosed(self):
        getcontext().prec = 60
        exponential, draw = exact.Exponential(), random.Random(2)
        values = [0.0, 1.0, 2.0**-8, 79.999, 80.0, 1e300]
        values += [draw.random() * 10 ** draw.uniform(-12, 2) for _ in range(3000)]
        for x in values:
            found = exponential(int(Fraction(x) * 2**exact.WORK))
            self.assertLess(abs(Decimal(found) - (-Decimal(x)).exp() * 2**exact.BITS), 2, x)

    def test_kernel_sums_lie_within_their_error(self):
        getcontext().prec = 60
        draw = random.Random(3)
        rows = [[draw.uniform(-1, 1) for _ in range(3)] for _ in range(6)]
        weights = [draw.randrange(-10**12, 10**12) for _ in rows]
        for statement in ({"kernel": "linear", "bias": 0.3}, {"kernel": "rbf", "gamma": 0.7, "bias": 0.3},
                          {"kernel": "polynomial", "gamma": 0.7, "offset": 0.1, "degree": 3}):
            kernel = exact.Kernel(statement, rows)
            bias = Fraction(statement.get("bias", 0)) ** 2

            def value(x, y):
                product = sum(Fraction(a) * Fraction(b) for a, b in zip(x, y))
                if statement["kernel"] == "linear":
                    return product + bias
                gamma = Fraction(statement["gamma"])
                if statement["kernel"] == "polynomial":
                    return (gamma * product + Fraction(statement["offset"])) ** 3 + bias
                square = gamma * sum((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(x, y))
                return Fraction((-Decimal(square.numerator) / Decimal(square.denominator)).exp()) + bias

            sums, error = kernel.sums(weights, range(len(rows)))
            for i, found in enumerate(sums):
                true = sum(w * value(rows[j], rows[i]) for j, w in enumerate(weights)) * kernel.unit
                self.assertLessEqual(abs(found - true), error + Fraction(1, 10**9))
                self.assertGreaterEqual(kernel.squares[i] + Fraction(1, 10**9), value(rows[i], rows[i]) * kernel.unit)


class MetricCertificates(unittest.TestCase):
    """Rows 0, 1 of class a and 3, 100 of class b on a line, k = 1."""

    def setUp(self):
        self.problem = metric.Problem({"loss": "smoothed-hinge", "structure": "full", "gamma": 0.5, "k": 1},
                                      Values([[0.0], [1.0], [3.0], [100.0]], "aabb"))

    def test_triplets_are_those_of_nearest_neighbours(self):
        self.assertEqual([self.problem.name(i) for i in range(self.problem.items())],
                         ["triplet (0, 1, 2)", "triplet (1, 0, 2)", "triplet (2, 3, 1)", "triplet (3, 2, 1)"])
        self.assertEqual(self.problem.name(4), "no triplet")

    def test_ties_go_to_the_smaller_row(self):
        tied = metric.Problem({"loss": "smoothed-hinge", "structure": "full", "gamma": 0.5, "k": 1},
                              Values([[0.0], [2.0], [-2.0], [5.0], [-5.0]], "aaabb"))
        self.assertEqual(tied.name(0), "triplet (0, 1, 3)")

    def test_a_closed_form_optimum_is_proven_and_its_opposite_is_false(self):
        # H: 9 − 1, 4 − 1, 4 − 97², 99² − 97². Their sum is negative, so M* = 0, and Z = −Σ H shows it.
        proof = {"lambda": 1e9, "L": [[]], "K": [[math.sqrt(97**2 * 2 - 99**2 - 15)]]}
        self.assertEqual(outcomes(self.problem, proof, [2] * 4), (4, {}))
        self.assertEqual(set(outcomes(self.problem, proof, [1] * 4)[1].values()), {-1})

    def test_a_point_that_is_not_optimal_proves_little(self):
        proven, others = outcomes(self.problem, {"lambda": 1e-3, "L": [[0.5]], "K": [[]]}, [1] * 4)
        self.assertEqual(proven, 0)
        self.assertEqual(set(others.values()), {0})

    def test_the_ball_holds_the_optimum_whatever_the_point(self):
        draw = random.Random(4)
        for trial in range(200):
            rows = [[draw.uniform(-1, 1)] for _ in range(8)]
            is_hinge = trial % 2 == 0
            statement = {"loss": "hinge"} if is_hinge else {"loss": "smoothed-hinge", "gamma": 0.05}
            statement = dict(statement, structure=draw.choice(["full", "diagonal"]), k=2)
            problem = metric.Problem(statement, Values(rows, "aaaabbbb"))
            length = [value / problem.space.unit**2 for value in problem.space.lengths]
            h = [length[o] - length[s] for same, other in problem.terms.lists for s in same for o in other]
            expect_ball(self, draw, problem, [(x, 1, 1) for x in h], 0, 0 if is_hinge else 0.05, bytes(len(h)))

    def test_a_diagonal_optimum_is_enclosed_too(self):
        draw = random.Random(6)
        for _ in range(10):
            rows = [[draw.uniform(-1, 1), draw.uniform(-1, 1)] for _ in range(8)]
            problem = metric.Problem({"loss": "smoothed-hinge", "structure": "diagonal", "gamma": 0.3, "k": 2},
                                     Values(rows, "aaaabbbb"))
            square = [[(d / problem.space.unit) ** 2 for d in delta] for delta in problem.space.differences]
            h = [[p - q for p, q in zip(square[o], square[s])]
                 for same, other in problem.terms.lists for s in same for o in other]
            m = [0.0, 0.0]
            for _ in range(4000):  # projected gradient, λ = 10
                clips = [min(max((1 - x * m[0] - y * m[1]) / 0.3, 0), 1) for x, y in h]
                step = [10 * m[k] - sum(c * row[k] for c, row in zip(clips, h)) for k in (0, 1)]
                m = [max(0.0, m[k] - 1e-3 * step[k]) for k in (0, 1)]
            guess = [round(abs(value + draw.uniform(-0.01, 0.01)), 6) for value in m]
            proof = json.loads(json.dumps({"lambda": 10, "m": guess}), parse_float=Decimal)
            radius = problem.check(proof, bytes(len(h)), check.Tally())
            self.assertLessEqual(math.dist(m, guess), radius + 1e-6)

    def test_bad_points_are_refused(self):
        data = Values([[0.0], [1.0], [3.0], [100.0]], "aabb")
        diagonal = metric.Problem({"loss": "hinge", "structure": "diagonal", "k": 1}, data)
        good = {"lambda": 1, "m": [1], "smoothing": 0.1}
        outcomes(diagonal, good, [0] * 4)
        for bad in ({"m": [-1e-12]}, {"m": [1, 1]}, {"smoothing": 0}, {"lambda": 0}):
            with self.assertRaises(exact.Refuted, msg=str(bad)):
                outcomes(diagonal, {**good, **bad}, [0] * 4)
        for bad in ({"loss": "square"}, {"structure": "low-rank"}, {"loss": "smoothed-hinge", "gamma": 1}):
            with self.assertRaises(exact.Refuted, msg=str(bad)):
                metric.Problem({"loss": "hinge", "structure": "full", "k": 1, **bad}, data)


class SvmCertificates(unittest.TestCase):
    """Samples 1, −1, 3 and −4 on a line."""

    statement = SVM_STATEMENT

    def setUp(self):
        self.problem = svm.Problem(self.statement, Values([[1.0], [-1.0], [3.0], [-4.0]], "+-+-"))

    def test_a_small_c_leaves_all_at_their_bounds(self):
        self.assertEqual(outcomes(self.problem, {"C": 0.01, "alpha": [1, 1, 1, 1]}, [2] * 4), (4, {}))

    def test_the_optimum_is_proven_and_its_opposite_is_false(self):
        # C = 1: f = w y x, and w = 1 from α = ½ of the first two alone.
        proof = {"C": 1, "alpha": [0.5, 0.5, 0, 0]}
        self.assertEqual(outcomes(self.problem, proof, [0, 0, 1, 1]), (2, {}))
        self.assertEqual(outcomes(self.problem, proof, [0, 0, 2, 3])[1], {(2, 2): -1, (3, 2): -1})
        self.assertEqual(outcomes(self.problem, proof, [1, 2, 0, 0])[1], {(0, 1): 0, (1, 2): 0})

    def test_alpha_outside_of_its_box_is_refused(self):
        for bad in ([0.5, 0.5, 0, 1.000000001], [0.5, -1e-12, 0, 0], [0.5, 0.5, 0]):
            with self.assertRaises(exact.Refuted):
                outcomes(self.problem, {"C": 1, "alpha": bad}, [0, 0, 1, 1])

    def test_a_bad_alpha_proves_nothing_wrong(self):
        draw = random.Random(5)
        for _ in range(300):
            alpha = [round(draw.random(), 6) for _ in range(4)]
            proven, others = outcomes(self.problem, {"C": 1, "alpha": alpha}, [3, 3, 2, 2])
            self.assertEqual(proven, 0)  # the first two lie on the edge, the others in R

    def test_kernels_and_weights_agree_with_the_linear_problem(self):
        statement = dict(self.statement, kernel="polynomial", degree=1, gamma=1, offset=0, positive_weight=2)
        linear = svm.Problem(dict(self.statement, positive_weight=2), Values([[1.0], [-1.0], [3.0], [-4.0]], "+-+-"))
        kernel = svm.Problem(statement, Values([[1.0], [-1.0], [3.0], [-4.0]], "+-+-"))
        proof = {"C": 1, "alpha": [0.25, 0.5, 0, 0]}
        self.assertEqual(outcomes(linear, proof, [0, 0, 1, 1]), (2, {}))
        self.assertEqual(outcomes(kernel, proof, [0, 0, 1, 1]), (2, {}))


class PuCertificates(unittest.TestCase):
    """One positive at 1, unlabeled at 1, 0 and −1, linear kernel."""

    def setUp(self):
        statement = {"positive": ["+"], "labelled": [0], "unlabeled": [1, 2, 3], "kernel": "linear"}
        self.problem = pu.Problem(statement, Values([[1.0], [1.0], [0.0], [-1.0]], "++--"))

    def test_a_large_lambda_leaves_all_in_the_middle(self):
        # m = 3 = Σ s with s = 1 for all: ω = 3·1 − (1 + 0 − 1) = 3, a = 3, 0, −3, ε = 12 λ; b = 0 is optimal.
        proof = {"lambda": 10, "mass": 3, "s": [1, 1, 1], "balance": 1, "bias": 0, "brackets": [[0, 0]]}
        self.assertEqual(outcomes(self.problem, proof, [2, 2, 2]), (3, {}))
        self.assertEqual(outcomes(self.problem, proof, [1, 4, 1])[1], {(0, 1): -1, (1, 4): -1, (2, 1): -1})

    def test_a_bracket_that_does_not_hold_is_refused(self):
        proof = {"lambda": 10, "mass": 3, "s": [1, 1, 1], "balance": 1, "bias": 0, "brackets": [[0, 0]]}
        for bad in ([[130, 140]], [[-140, -130]], [[1, 0]], [], [[0, 0], [200, 200]]):
            with self.assertRaises(exact.Refuted, msg=str(bad)):
                outcomes(self.problem, dict(proof, brackets=bad), [2, 2, 2])

    def test_the_balancing_sample_takes_what_is_left(self):
        proof = {"lambda": 10, "mass": 3, "s": [1, 17, 1], "balance": 1, "bias": 0, "brackets": [[0, 0]]}
        self.assertEqual(outcomes(self.problem, proof, [2, 2, 2]), (3, {}))
        with self.assertRaises(exact.Refuted):
            outcomes(self.problem, dict(proof, s=[2, 0, 2]), [2, 2, 2])
        with self.assertRaises(exact.Refuted):
            outcomes(self.problem, dict(proof, s=[1, 1, 2.5]), [2, 2, 2])

    def test_rows_must_be_what_they_are_said_to_be(self):
        good = {"positive": ["+"], "labelled": [0], "unlabeled": [1, 2, 3], "kernel": "linear"}
        for bad in ({"labelled": [2]}, {"unlabeled": [0, 1]}, {"unlabeled": [1, 9]}, {"labelled": []}):
            with self.assertRaises(exact.Refuted, msg=str(bad)):
                pu.Problem(dict(good, **bad), Values([[1.0], [1.0], [0.0], [-1.0]], "++--"))


class Folders(unittest.TestCase):
    """A whole certificate in a folder, and what becomes of it when it is changed."""

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = Path(self.scratch.name)
        (self.folder / "data.csv").write_text("x,label\n1,+\n-1,-\n3,+\n-4,-\n")
        self.summary = {"format": "lambdascope certificate", "version": 1, "family": "svm", "program": "by hand",
                        "data": {"file": "data.csv", "format": "delimited", "delimiter": ",", "header": True,
                                 "label_column": 2, "rows": "all", "scale": "none", "values_sha256": ""},
                        "problem": SvmCertificates.statement, "items": 4, "points": ["a.json"],
                        "lanes": [{"name": "IT", "decisions": "it.bits", "points": [0]}]}
        try:
            data.Data(self.folder / "data.csv", self.summary["data"])
        except exact.Refuted as refused:
            self.summary["data"]["values_sha256"] = str(refused).split("SHA-256 ")[1].split()[0]
        self.write({"C": 1, "alpha": [0.5, 0.5, 0, 0]}, 0b01010000)

    def tearDown(self):
        self.scratch.cleanup()

    def write(self, proof, bits):
        (self.folder / "certificate.json").write_text(json.dumps(self.summary))
        (self.folder / "a.json").write_text(json.dumps(proof))
        (self.folder / "it.bits").write_bytes(bytes([bits]))

    def status(self, *given):
        self.printed = io.StringIO()
        with contextlib.redirect_stdout(self.printed), contextlib.redirect_stderr(self.printed):
            return check.main([str(self.folder), *given])

    def test_a_good_one_is_proven(self):
        self.assertEqual(self.status(), 0, self.printed.getvalue())
        self.assertTrue(self.printed.getvalue().endswith("proven\n"))
        self.assertEqual(self.status(str(self.folder / "data.csv")), 0)
        self.assertEqual(self.status(str(self.folder)), 0)

    def test_statuses_tell_false_and_unproven_apart(self):
        self.write({"C": 1, "alpha": [0.5, 0.5, 0, 0]}, 0b10010000)
        self.assertEqual(self.status(), 1)
        self.assertIn("sample 3 in L at point 0 is false", self.printed.getvalue())
        self.write({"C": 1, "alpha": [0.5, 0.5, 0, 0]}, 0b01010001)
        self.assertEqual(self.status(), 3)
        self.assertIn("sample 0 in R at point 0 could not be proven", self.printed.getvalue())

    def test_other_data_are_refused_but_not_other_line_ends(self):
        text = b"\xef\xbb\xbfx,label\r\n# a comment\r\n1.0,+\r\n\r\n-1,-\r\n3e0,+\r\n-4,-\r\n\r\n"
        (self.folder / "data.csv").write_bytes(text)
        self.assertEqual(self.status(), 0, self.printed.getvalue())
        (self.folder / "data.csv").write_text("x,label\n1,+\n-1,-\n3.0000001,+\n-4,-\n")
        self.assertEqual(self.status(), 1)
        self.assertIn("the data are not those of the certificate", self.printed.getvalue())

    def test_damaged_ones_are_refused_in_words(self):
        good = copy.deepcopy(self.summary)
        changes = [("version", 2), ("family", "none"), ("items", 5), ("points", []), ("lanes", None), ("problem", {}),
                   ("points", ["b.json"]), ("lanes", [{"name": "x", "decisions": "it.bits", "points": [0, 0]}])]
        for member, value in changes:
            self.summary = dict(copy.deepcopy(good), **{member: value})
            self.write({"C": 1, "alpha": [0.5, 0.5, 0, 0]}, 0b01010000)
            self.assertEqual(self.status(), 1, member)
            self.assertIn("refused", self.printed.getvalue())
        self.summary = good
        bad = [{"C": "x", "alpha": []}, {"C": 1, "alpha": [0.5, 0.5, 0, None]}, {"C": -1, "alpha": [0] * 4}]
        for proof in ({}, [], *bad):
            self.write(proof, 0b01010000)
            self.assertEqual(self.status(), 1, proof)

    def test_missing_data_are_bad_usage(self):
        (self.folder / "data.csv").unlink()
        self.assertEqual(self.status(), 2)
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(check.main([]), 2)

    def test_kept_rows_and_scaling(self):
        statement = dict(self.summary["data"], rows=[0, 2, 3], scale="minmax", values_sha256="")
        with self.assertRaises(exact.Refuted) as refused:
            data.Data(self.folder / "data.csv", statement)
        statement["values_sha256"] = str(refused.exception).split("SHA-256 ")[1].split()[0]
        read = data.Data(self.folder / "data.csv", statement)
        self.assertEqual(read.rows, [[2 * ((0.5 - -2.0) / 3.5) - 1], [1.0], [-1.0]])
        self.assertEqual([read.names[i] for i in read.labels], ["+", "+", "-"])
        for bad in ([], [2, 0], [0, 0], [0, 9], [-1, 2]):
            with self.assertRaises(exact.Refuted):
                data.Data(self.folder / "data.csv", dict(statement, rows=bad))


if __name__ == "__main__":
    unittest.main()
