# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of the checker on the general forms: comparisons from files, precomputed kernels, weights of samples.

    python3 forms_test.py FOLDER   (resources/certificate)
"""

import json
import random
import sys
import tempfile
import unittest
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv.pop(1))

import check
import exact
import metric
import svm
from small_problems import SVM_STATEMENT, Values, expect_ball, outcomes


class ComparisonCertificates(unittest.TestCase):
    def problem(self, text, rows, **more):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "c.txt"
            path.write_text(text)
            statement = {"loss": "smoothed-hinge", "structure": "full", "gamma": 0.3,
                         "comparisons": {"file": "c.txt"}, **more}
            return metric.Problem(statement, Values(rows, ""), lambda name: path)

    def test_items_are_those_of_the_file(self):
        text = "# mine\nbase 1\ntriplet 1 2 3\nform similar\n2,3, 0.5 2 # twice\nsimilar 3 2 0.5\ntarget 1 2 4\n"
        problem = self.problem(text + "quadruplet 1 2 3 1\ndissimilar 1 3 2 0.25\n", [[0.0], [1.0], [3.0]],
                               linear_term=0.5)
        terms = problem.terms
        self.assertEqual(terms.pairs, [(0, 1), (0, 2), (1, 2)])
        # near (0, 1) far (0, 2), weight 1, twice (the quadruplet); near (1, 2), weight 3; far (0, 2).
        found = [(far, near, Fraction(edge, terms.edges), Fraction(w, terms.low)) for far, near, edge, w in terms.items]
        self.assertEqual(found, [(1, 0, 1, 2), (None, 2, Fraction(-1, 2), 3), (1, None, 2, Fraction(1, 4))])
        self.assertEqual({p: Fraction(w, terms.low) for p, w in terms.linear.items()}, {0: 2})
        self.assertEqual(problem.name(1), "the comparison of line 5")

    def test_bad_ones_are_refused(self):
        for bad in ("base 0\ntriplet 0 1 1", "base 0\ntriplet 0 1 7", "base 0\ntriplet 0 1 2 0",
                    "base 0\nquadruplet 0 1 1 0", "base 0\nsimilar 1 1 2"):
            with self.assertRaises(exact.Refuted, msg=bad):
                self.problem(bad, [[0.0], [1.0], [3.0]])

    def test_triplets_of_neighbours_come_to_the_same(self):
        rows = [[0.0, 1.0], [1.0, 0.5], [3.0, 0.0], [2.0, -1.0], [0.5, 0.5]]
        for factor in (0, 0.3):
            with self.subTest(factor=factor):
                self.compare(rows, factor)

    def compare(self, rows, factor):
        more = {"linear_term": factor} if factor else {}
        statement = {"loss": "smoothed-hinge", "structure": "full", "gamma": 0.3, "k": 2, **more}
        by_rule = metric.Problem(statement, Values(rows, "aabba"))
        names = [by_rule.name(i)[9:-1].split(", ") for i in range(by_rule.items())]
        lines = ["base 0"] + [f"triplet {i} {j} {l}" for i, j, l in names]
        if factor:  # each anchor and each neighbour of its class once
            lines += [f"target {i} {j}" for i, j in sorted({(i, j) for i, j, _ in names})]
        listed = self.problem("\n".join(lines), rows, **more)
        self.assertEqual(by_rule.items(), listed.items())
        proof = json.loads('{"lambda": 0.5, "L": [[1], [0.5]], "K": [[], []]}', parse_float=Decimal)
        masks = bytes([3] * by_rule.items())
        self.assertEqual(by_rule.check(proof, masks, check.Tally()), listed.check(proof, masks, check.Tally()))
        tallies = [check.Tally(), check.Tally()]
        for problem, tally in zip((by_rule, listed), tallies):
            problem.check(proof, masks, tally)
        self.assertEqual(*[(tally.proven, tally.others) for tally in tallies])

    def test_the_ball_holds_the_optimum_whatever_the_point(self):
        draw = random.Random(8)
        for trial in range(200):
            x = [draw.uniform(-1, 1) for _ in range(6)]
            terms, lines, slope, factor = [], ["base 0"], 0.0, draw.choice([0.0, 0.7])
            for _ in range(12):
                i, j, l, k = draw.sample(range(6), 4)
                weight, bound = 10 ** draw.uniform(-1, 1), draw.uniform(0.1, 3)
                near, far = (x[i] - x[j]) ** 2, (x[l] - x[k]) ** 2
                line, term = draw.choice([(f"triplet {i} {j} {l}", ((x[i] - x[l]) ** 2 - near, 1, weight)),
                                          (f"quadruplet {i} {j} {l} {k}", (far - near, 1, weight)),
                                          (f"similar {i} {j} {bound}", (-near, -bound, weight)),
                                          (f"dissimilar {i} {j} {bound}", (near, bound, weight))])
                terms.append(term)
                lines.append(f"{line} {weight}")
                if factor:
                    lines.append(f"target {i} {j} {weight}")
                    slope += factor * weight * near
            is_hinge = trial % 2 == 0
            problem = self.problem("\n".join(lines), [[value] for value in x], linear_term=factor,
                                   loss="hinge" if is_hinge else "smoothed-hinge",
                                   structure=draw.choice(["full", "diagonal"]))
            expect_ball(self, draw, problem, terms, slope, 0 if is_hinge else 0.3, bytes(problem.items()))


class GivenKernels(unittest.TestCase):
    """Precomputed kernels and weights of samples, by a problem on a line: samples 1, −1, 3 and −4."""

    rows, proof = [1.0, -1.0, 3.0, -4.0], {"C": 1, "alpha": [0.5, 0.5, 0, 0]}

    def given(self, matrix, **more):
        statement = dict(SVM_STATEMENT, kernel="precomputed", **more)
        return svm.Problem(statement, Values(matrix, "+-+-"))

    def test_the_matrix_of_products_proves_the_same(self):
        gram = [[x * y for y in self.rows] for x in self.rows]  # of rank one
        with self.assertRaises(exact.Refuted):
            self.given(gram)
        problem = self.given(gram, ridge=1e-9)
        self.assertEqual(outcomes(problem, self.proof, [0, 0, 1, 1]), (2, {}))
        self.assertEqual(outcomes(problem, self.proof, [0, 0, 2, 3])[1], {(2, 2): -1, (3, 2): -1})
        biased = self.given(gram, ridge=1e-9, bias=0.5)
        self.assertEqual(biased.kernel.matrix[0][1], (Fraction(-1) + Fraction(1, 4)) * biased.kernel.unit)

    def test_matrices_that_are_no_kernels_are_refused(self):
        draw = random.Random(9)
        for scale in (1.0, 1e-200, 1e150):
            for size in (1, 2, 5, 20):
                rows = [[draw.gauss(0, 1) for _ in range(size + 2)] for _ in range(size)]
                gram = [[scale * sum(p * q for p, q in zip(a, b)) for b in rows] for a in rows]
                exact.prove_positive(gram)
                gram[-1][-1] -= 1.01 * gram[-1][-1]
                with self.assertRaises(exact.Refuted):
                    exact.prove_positive(gram)
        exact.prove_positive([[1.0, 0.0], [0.0, 0.0]])
        for bad in ([[1.0, 1.0 + 1e-15], [1.0 + 1e-15, 1.0]], [[0.0, 1e-300], [1e-300, 1.0]], [[-1.0]]):
            with self.assertRaises(exact.Refuted, msg=str(bad)):
                exact.prove_positive(bad)
        gram = [[1.0 if i == j else 0.0 for j in range(4)] for i in range(4)]
        gram[0][1] = 0.1
        with self.assertRaises(exact.Refuted):
            self.given(gram)
        with self.assertRaises(exact.Refuted):
            self.given([row[:3] for row in gram])

    def weighted(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "w.txt"
            path.write_text(text)
            statement = dict(SVM_STATEMENT, weights={"file": "w.txt"}, positive_weight=2)
            return svm.Problem(statement, Values([[x] for x in self.rows], "+-+-"), lambda name: path)

    def test_weights_multiply_those_of_the_classes(self):
        problem = self.weighted("1 # first\n\n0.5\n1\n0\n")
        self.assertEqual([Fraction(each, problem.low) for each in problem.omega], [2, Fraction(1, 2), 2, 0])
        # w = 2·¼ + ½·1 = 1 from the first two; the last one is left out, whatever its share.
        self.assertEqual(outcomes(problem, {"C": 1, "alpha": [0.25, 1, 0, 1]}, [0, 0, 1, 1]), (2, {}))
        for bad in ("1\n1\n1\n", "1\n1\n1\n-1\n", "1\n1\n1\n1\n1\n"):
            with self.assertRaises(exact.Refuted):
                self.weighted(bad)


if __name__ == "__main__":
    unittest.main()
