# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of the checker on SVMs that fit numbers and on those of one class, solved by hand.

    python3 tasks_test.py FOLDER   (resources/certificate)
"""

import hashlib
import struct
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv.pop(1))

import data
import exact
import svm
from small_problems import Values, outcomes

TUBE = {"task": "regression", "epsilon": 1, "kernel": "linear", "bias": 0}
FREE = dict(TUBE, intercept="free")
ONE_CLASS = {"task": "novelty", "kernel": "linear", "intercept": "free"}


class Tube(unittest.TestCase):
    """f = 1 + x touches the tubes of the first two rows; the third lies in its tube, the others pull at one place."""

    rows, targets = [[0.0], [2.0], [1.0], [1.0], [1.0]], [0.0, 4.0, 2.0, 10.0, -6.0]
    good = {"C": 1, "alpha": [0, 0.5, 0, 1, 0] + [0.5, 0, 0, 0, 1], "balance": 1, "brackets": [[1, 1]]}
    masks = [1, 0, 1, 2, 1] + [0, 1, 1, 1, 2]

    def problem(self, targets=None, **more):
        return svm.Problem(dict(FREE, **more), Values(self.rows, "", targets or self.targets))

    def test_the_optimum_is_proven_and_its_opposite_is_false(self):
        self.assertEqual(outcomes(self.problem(), self.good, self.masks), (8, {}))
        opposite = [{1: 2, 2: 1}.get(mask, 0) for mask in self.masks]
        self.assertEqual(set(outcomes(self.problem(), self.good, opposite)[1].values()), {-1})
        edges = [0, 1, 0, 0, 0] + [2, 0, 0, 0, 0]
        self.assertEqual(outcomes(self.problem(), self.good, edges)[1], {(1, 1): 0, (5, 2): 0})

    def test_items_are_named_by_row_and_side(self):
        names = [self.problem().name(item) for item in (1, 6)]
        self.assertEqual(names, ["row 1 above the tube", "row 1 below the tube"])

    def test_a_shift_moves_targets_and_bias_together(self):
        moved = [target + 1000.125 for target in self.targets]
        self.assertEqual(outcomes(self.problem(moved, shift=1000.125), self.good, self.masks), (8, {}))
        unmoved = dict(self.good, brackets=[["1001.125", "1001.125"]])
        self.assertEqual(outcomes(self.problem(moved), unmoved, self.masks), (8, {}))

    def test_thresholds_are_not_rounded(self):
        # 0.3 and 0.1 are doubles a little beside these numbers, and so is each difference.
        problem = svm.Problem(dict(FREE, epsilon=0.1), Values([[0.0], [1.0]], "", [0.3, 0.7]))
        self.assertEqual(exact.Fraction(problem.edges[0], problem.edge_unit), exact.double(0.3) - exact.double(0.1))
        self.assertEqual(exact.Fraction(problem.edges[3], problem.edge_unit), -exact.double(0.7) - exact.double(0.1))

    def test_without_a_bias_thresholds_count_too(self):
        # w = 1: f = 0, 2, 1, 1, 1. Row 1 touches its tube from below, α = ½; rows 3 and 4 are pulled at alike.
        problem = svm.Problem(TUBE, Values(self.rows, "", [0.0, 3.0, 1.0, 10.0, -6.0]))
        proof = {"C": 1, "alpha": [0, 0.5, 0, 1, 0] + [0, 0, 0, 0, 1]}
        masks = [1, 0, 1, 2, 1] + [1, 1, 1, 1, 2]
        self.assertEqual(outcomes(problem, proof, masks), (9, {}))
        self.assertEqual(outcomes(problem, proof, [2] + [0] * 9)[1], {(0, 2): -1})

    def test_classes_that_are_numbers_are_targets(self):
        labels = ["0", "4", "2", "10", "-6"]
        self.assertEqual(outcomes(svm.Problem(FREE, Values(self.rows, labels)), self.good, self.masks), (8, {}))
        with self.assertRaises(ValueError):
            svm.Problem(FREE, Values(self.rows, "abcde"))

    def test_weights_are_those_of_rows(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "w.txt"
            path.write_text("1\n1\n0\n0.5\n0.5\n")
            problem = svm.Problem(dict(FREE, weights={"file": "w.txt"}), Values(self.rows, "", self.targets),
                                  lambda name: path)
        self.assertEqual(outcomes(problem, self.good, self.masks), (8, {}))
        self.assertEqual(outcomes(problem, self.good, [0, 0, 2] + [0] * 7)[1], {(2, 2): 0})

    def test_what_does_not_hold_is_refused(self):
        for bad in ({"epsilon": -1}, {"epsilon": "x"}, {"shift": "nan"}, {"task": "ranking"}, {"intercept": "some"}):
            with self.assertRaises((exact.Refuted, ValueError), msg=str(bad)):
                self.problem(**bad)
        for targets in ([0.0] * 4, [0.0, 1.0, 2.0, 3.0, float("inf")]):
            with self.assertRaises(exact.Refuted):
                self.problem(targets)
        with self.assertRaises(exact.Refuted):
            svm.Problem(dict(TUBE, shift=1), Values(self.rows, "", self.targets))
        for bad in ({"alpha": self.good["alpha"][:5]}, {"alpha": [0, 0.5, 0, 1, 0] + [1, 1, 0, 0, 1], "balance": 0},
                    {"alpha": [0, 0.5, 0, 1.5, 0] + [0.5, 0, 0, 0, 1]}, {"brackets": [[1.25, 2]]},
                    {"brackets": [[0, 0.75]]}, {"C": 0}):
            with self.assertRaises(exact.Refuted, msg=str(bad)):
                outcomes(self.problem(), dict(self.good, **bad), self.masks)

    def test_another_width_proves_nothing_of_this_point(self):
        problem = self.problem(epsilon=1.5)
        with self.assertRaises(exact.Refuted):
            outcomes(problem, self.good, self.masks)
        proven, others = outcomes(problem, dict(self.good, brackets=[[-99, 99]]), self.masks)
        self.assertEqual((proven, -1 in others.values()), (0, False))


class OneClass(unittest.TestCase):
    """Samples at 1, 2, 3 and 4: those nearest to 0 lie outside."""

    def setUp(self):
        self.problem = svm.Problem(ONE_CLASS, Values([[1.0], [2.0], [3.0], [4.0]], ""))

    def test_half_of_them_outside(self):
        # C = ½, w = 1.5, and any b from −4.5 to −3 is best.
        for place in (-4.25, -3.25):
            proof = {"nu": 0.5, "alpha": [1, 1, 0, 0], "balance": 0, "brackets": [[place, place]]}
            self.assertEqual(outcomes(self.problem, proof, [2, 2, 1, 1]), (4, {}))
            self.assertEqual(set(outcomes(self.problem, proof, [1, 1, 2, 2])[1].values()), {-1})

    def test_a_sample_on_the_edge(self):
        # C = 1/2.4 for the double next to 0.6: w is no decimal, so that the bracket has to have a width.
        proof = {"nu": 0.6, "alpha": [1, 1, 0.4, 0], "balance": 2, "brackets": [[-5.26, -5.24]]}
        self.assertEqual(outcomes(self.problem, proof, [2, 2, 0, 1]), (3, {}))
        self.assertEqual(outcomes(self.problem, proof, [0, 0, 2, 0])[1], {(2, 2): 0})
        near = dict(proof, alpha=[1, 0.99999, 0.4, 0])
        self.assertEqual(outcomes(self.problem, near, [2, 2, 0, 1]), (3, {}))

    def test_all_of_them_outside(self):
        proof = {"nu": 1, "alpha": [1, 1, 1, 1], "balance": 3, "brackets": [[-99, -99]]}
        self.assertEqual(outcomes(self.problem, proof, [2] * 4), (4, {}))
        with self.assertRaises(exact.Refuted):
            outcomes(self.problem, dict(proof, brackets=[[-2.4, -2.4]]), [2] * 4)

    def test_labels_do_not_count(self):
        problem = svm.Problem(ONE_CLASS, Values([[1.0], [2.0], [3.0], [4.0]], "aabb"))
        proof = {"nu": 0.5, "alpha": [1, 1, 0, 0], "balance": 0, "brackets": [[-4, -4]]}
        self.assertEqual(outcomes(problem, proof, [2, 2, 1, 1]), (4, {}))

    def test_what_does_not_hold_is_refused(self):
        good = {"nu": 0.5, "alpha": [1, 1, 0, 0], "balance": 0, "brackets": [[-4, -4]]}
        for bad in ({"nu": 0}, {"nu": -0.5}, {"nu": 1.25}, {"nu": 0.75}, {"nu": 0.25}, {"alpha": [1, 1, 0.5, 0]},
                    {"alpha": [1, 1.5, 0, 0], "balance": 0}, {"brackets": [[-2.9, -2]]}, {"brackets": [[-9, -5]]},
                    {"balance": 4}):
            with self.assertRaises(exact.Refuted, msg=str(bad)):
                outcomes(self.problem, dict(good, **bad), [2, 2, 1, 1])
        with self.assertRaises(KeyError):
            outcomes(self.problem, {"C": 0.5, **{k: v for k, v in good.items() if k != "nu"}}, [2, 2, 1, 1])
        with self.assertRaises(exact.Refuted):
            svm.Problem({"task": "novelty", "kernel": "linear"}, Values([[1.0]], ""))


class TargetsOfData(unittest.TestCase):
    def read(self, text, **more):
        statement = {"format": "delimited", "delimiter": ",", "header": True, "label_column": 0, "target_column": 2,
                     "rows": "all", "scale": "none", **more}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.csv"
            path.write_text(text)
            return data.Data(path, statement)

    def digest(self, values, targets):
        numbers = values + targets
        return hashlib.sha256(struct.pack(f"<QQ{len(numbers)}d", len(values), 1, *numbers)).hexdigest()

    def test_are_read_from_their_column_and_are_part_of_the_hash(self):
        hashes = {"values_sha256": self.digest([1.0, 2.0, 3.0], [0.5, -4.0, 1e3])}
        read = self.read("x,y\n1,0.5\n2,-4\n3,1e3\n", **hashes)
        self.assertEqual((read.rows, read.targets, read.labels), ([[1.0], [2.0], [3.0]], [0.5, -4.0, 1e3], []))
        with self.assertRaises(exact.Refuted):
            self.read("x,y\n1,0.5\n2,-4\n3,1001\n", **hashes)

    def test_go_with_the_rows_that_are_kept(self):
        hashes = {"values_sha256": self.digest([1.0, 3.0], [0.5, 1e3])}
        self.assertEqual(self.read("x,y\n1,0.5\n2,-4\n3,1e3\n", rows=[0, 2], **hashes).targets, [0.5, 1e3])

    def test_are_the_first_fields_of_libsvm_files(self):
        read = self.read("0.5 1:1\n-4 1:2\n", format="libsvm", features=1, target_column=1,
                         values_sha256=self.digest([1.0, 2.0], [0.5, -4.0]))
        self.assertEqual(read.targets, [0.5, -4.0])


if __name__ == "__main__":
    unittest.main()
