# SPDX-License-Identifier: GPL-3.0-or-later
"""What is taken out of runs, read by numpy: the same bits as in the run, and numbers that follow from the formulas.

    numpy_test.py PROGRAM FIXTURES     PROGRAM is lambdascope-cli; the samples are those of tests/fixtures

Ends with 77, which ctest takes for skipped, where numpy is not installed.
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    print("numpy is not installed")
    sys.exit(77)

SCALES = ("none", "minmax", "standardize", "unit-norm")


def fixture(name):
    return json.loads((FIXTURES / (name + "_small.json")).read_text())


def solution_csv(file):
    """Matrices by name: "# name rows columns", then the rows."""
    matrices, lines = {}, file.read_text().splitlines()
    while lines:
        mark, name, rows, columns = lines.pop(0).split()
        assert mark == "#"
        values = [[float(cell) for cell in lines.pop(0).split(",")] for _ in range(int(rows))]
        matrices[name] = np.array(values).reshape(int(rows), int(columns))
    return matrices


def bits(a):
    return np.ascontiguousarray(a, dtype=np.float64).view(np.uint64)


def scaling(scale, x):
    """Centre and spread of the rows x, by the words of the documentation."""
    if scale == "minmax":
        return (x.max(0) + x.min(0)) / 2, (x.max(0) - x.min(0)) / 2
    return x.mean(0), x.std(0)


def scaled(scale, training, rows):
    if scale == "none":
        return rows
    if scale == "unit-norm":
        length = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.divide(rows, length, out=np.zeros_like(rows), where=length > 0)
    centre, spread = scaling(scale, training)
    return np.divide(rows - centre, spread, out=np.zeros_like(rows), where=spread > 0)


def kernel(name, gamma, x, z):
    if name == "rbf":
        return np.exp(-gamma * ((x[:, None] - z[None]) ** 2).sum(-1))
    return x @ z.T if name == "linear" else (gamma * x @ z.T + 1) ** 3


def nearest(distances, classes, count):
    """Per row the class that most of its nearest have; of several, the one that comes first among these."""
    result = []
    for row in distances:
        near = [classes[i] for i in np.argsort(row, kind="stable")[:count]]
        most = max(near.count(c) for c in near)
        result.append(next(c for c in near if near.count(c) == most))
    return result


class Family(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="lambdascope-numpy-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def cli(self, *arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def rows(self, name, x, classes):
        with open(self.folder / name, "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["f%d" % c for c in range(x.shape[1])] + ["class"])
            table.writerows([*map(repr, row.tolist()), c] for row, c in zip(x, classes))

    def table(self, name):
        """Columns by title, as numbers where they are."""
        with open(self.folder / name, newline="") as file:
            titles, *lines = csv.reader(file)
        return {title: np.array([line[c] if title in ("class", "label") else float(line[c]) for line in lines])
                for c, title in enumerate(titles)}

    def run_experiment(self, experiment):
        (self.folder / "e.json").write_text(json.dumps(experiment))
        self.cli("run", "e.json", "--out", "run", "--force", "--library", "none", "--save-solutions")

    def exported(self, lane, point):
        """The npz file of a point, whose matrices are those of the run to the last bit."""
        self.cli("export", "run", "--lane", lane, "--point", point, "--out", "model.npz", "--force")
        with np.load(self.folder / "model.npz", allow_pickle=False) as file:
            model = {name: file[name] for name in file.files}
        kept = solution_csv(self.folder / "run" / lane / ("solution-%d.csv" % model["point"]))
        self.assertTrue(kept)
        for name, matrix in kept.items():
            self.assertTrue(np.array_equal(bits(matrix.squeeze()), bits(model[name].squeeze())), name)
        path = self.table("run/%s/path.csv" % lane)
        self.assertEqual(model["lane"], lane)
        axis = list(path)[1]
        self.assertEqual(bits(model[axis]), bits(path[axis][int(model["point"])]))
        self.assertEqual(int(model["point"]), len(path[axis]) - 1 if point == "last" else point)
        return model

    def check_scaling(self, model, scale, training):
        self.assertEqual(model["scale"], scale)
        self.assertEqual("centre" in model, scale in ("minmax", "standardize"))
        if "centre" in model:
            centre, spread = scaling(scale, training)
            np.testing.assert_allclose(model["centre"], centre, rtol=1e-14, atol=1e-15)
            np.testing.assert_allclose(model["spread"], spread, rtol=1e-14, atol=1e-15)

    def close(self, ours, numpy, tolerance=1e-11):
        np.testing.assert_allclose(ours, numpy, rtol=tolerance, atol=tolerance * np.abs(numpy).max())


class Metric(Family):
    def test_maps_distances_and_classes(self):
        data = fixture("metric")
        # Features of other sizes and places, and a constant one, which the new rows do not have constant.
        x = np.c_[np.array(data["X"]) * [1, 30, 0.01] + [0, -400, 5], np.full(len(data["X"]), 7.0)]
        names = ["red", "green", "blue"]
        classes = np.array([names[c] for c in data["y"]])
        fresh = np.r_[x[::3] + [0.5, -20, 0.01, 1], [[9, 100, 4, 7], [0, 0, 0, 0]]]
        self.rows("train.csv", x, classes)
        self.rows("new.csv", fresh, ["red"] * len(fresh))
        pairs = [(0, 1), (5, 2), (9, 3), (4, 4)]
        (self.folder / "pairs").write_text("".join("%d %d\n" % pair for pair in pairs))
        for structure in ("full", "diagonal"):
            for scale in SCALES:
                with self.subTest(structure=structure, scale=scale):
                    self.run_experiment({
                        "family": "metric", "data": {"source": "train.csv", "scale": scale, "missing": "fail"},
                        "problem": {"k": 3, "knn": 4, "structure": structure}, "path": {"max_points": 6},
                        "lanes": [{"name": "naive", "bounds": []}, {"name": "PGB", "bounds": ["PGB"]}]})
                    self.exported("naive", 0)
                    self.exported("PGB", 3)
                    model = self.exported("PGB", "last")
                    self.check_scaling(model, scale, x)
                    self.assertEqual(model["classes"].tolist(), sorted(names, key=classes.tolist().index))
                    m = np.diag(model["m"]) if structure == "diagonal" else model["M"]
                    factor = model["L"]
                    self.close(factor.T @ factor, m, 1e-13)
                    z, training = scaled(scale, x, fresh), scaled(scale, x, x)
                    which = ("run", "new.csv", "--lane", "PGB", "--force")
                    self.cli("transform", *which, "--out", "z.csv")
                    mapped = self.table("z.csv")
                    self.close(np.array([mapped["x%d" % (r + 1)] for r in range(len(factor))]).T, z @ factor.T)
                    self.cli("transform", *which, "--pairs", "pairs", "--out", "d.csv")
                    difference = np.array([z[a] - z[b] for a, b in pairs])
                    squares = np.einsum("ni,ij,nj->n", difference, m, difference)
                    self.close(self.table("d.csv")["distance"], squares)
                    self.cli("predict", *which, "--out", "p.csv")
                    apart = z[:, None] - training[None]
                    distances = np.einsum("ntj,ij,nti->nt", apart, m, apart)
                    self.assertEqual(self.table("p.csv")["label"].tolist(), nearest(distances, classes.tolist(), 4))


class Svm(Family):
    def test_values_and_classes(self):
        data = fixture("svm")
        x = np.array(data["X"]) * [3, 0.1] + [10, -2]
        y = np.array(data["y"])
        fresh = np.r_[x[::7] * 1.1, [[40, 1], [0, 0]]]
        self.rows("train.csv", x, np.where(y > 0, "good", "bad"))
        self.rows("new.csv", fresh, ["good"] * len(fresh))
        for name in ("linear", "rbf", "polynomial"):
            for scale in SCALES:
                with self.subTest(kernel=name, scale=scale):
                    self.run_experiment({
                        "family": "svm", "data": {"source": "train.csv", "scale": scale},
                        "problem": {"positive": "good", "kernel": name, "gamma": 0.7,
                                    "gamma_unit": "absolute", "degree": 3, "offset": 1},
                        "path": {"max_points": 5},
                        "lanes": [{"name": "none", "bounds": []}, {"name": "IT", "bounds": ["IT"]}]})
                    self.exported("none", 2)
                    model = self.exported("IT", "last")
                    self.check_scaling(model, scale, x)
                    z, training = scaled(scale, x, fresh), scaled(scale, x, x)
                    signed = y * model["alpha"]
                    f = kernel(name, 0.7, z, training) @ signed
                    self.assertEqual("w" in model, name == "linear")
                    if name == "linear":
                        self.close(model["w"], training.T @ signed, 1e-9)
                    self.cli("predict", "run", "new.csv", "--lane", "IT", "--out", "p.csv", "--force")
                    predicted = self.table("p.csv")
                    self.close(predicted["value"], f, 1e-9)
                    expected = np.where(f > 0, "good", "bad")
                    self.assertEqual(predicted["label"].tolist(), expected.tolist())


class Pu(Family):
    def test_values_and_classes(self):
        data = fixture("pu")
        x = np.array(data["X"])[::-1] * [3, 0.1] + [10, -2]
        fresh = np.r_[x[::7] * 1.1, [[40, 1], [0, 0]]]
        self.rows("train.csv", x, ["unknown"] * data["n"] + ["yes"] * data["p"])
        self.rows("new.csv", fresh, ["yes"] * len(fresh))
        for name in ("linear", "rbf", "polynomial"):
            for scale in SCALES:
                with self.subTest(kernel=name, scale=scale):
                    self.run_experiment({
                        "family": "pu", "data": {"source": "train.csv", "scale": scale},
                        "problem": {"labels": "marked", "positive": "yes", "prior": "given",
                                    "prior_value": data["prior"], "kernel": name, "gamma": 0.7,
                                    "gamma_unit": "absolute", "degree": 3, "offset": 1},
                        "path": {"start": 0.1, "stop": 0.003},
                        "lanes": [{"name": "none"}, {"name": "GAP", "bounds": ["GAP"]}]})
                    self.exported("none", 1)
                    model = self.exported("GAP", "last")
                    self.check_scaling(model, scale, x)
                    rows = model["rows"].astype(int)
                    self.assertEqual(sorted(rows), list(range(len(x))))
                    self.assertTrue((rows[:data["p"]] >= data["n"]).all())
                    z, training = scaled(scale, x, fresh), scaled(scale, x, x)[rows]
                    self.assertEqual("w" in model, name == "linear")
                    if name == "linear":
                        self.close(model["w"], training.T @ model["alpha"], 1e-9)
                    self.close(model["f"], kernel(name, 0.7, training, training) @ model["alpha"] + model["b"], 1e-9)
                    self.cli("predict", "run", "new.csv", "--lane", "GAP", "--out", "p.csv", "--force")
                    predicted = self.table("p.csv")
                    f = kernel(name, 0.7, z, training) @ model["alpha"] + model["b"]
                    self.close(predicted["value"], f, 1e-9)
                    expected = np.where(f > 0, "positive", "negative")
                    self.assertEqual(predicted["label"].tolist(), expected.tolist())


class Ordinal(Family):
    def test_points_keep_as_many_comparisons_as_the_run_says(self):
        comparisons = np.array(fixture("ordinal")["quadruplets"])
        (self.folder / "q.csv").write_text("i,j,l,k\n" + "".join("%d,%d,%d,%d\n" % tuple(q) for q in comparisons))
        for model_name in ("GNMDS", "CKL", "STE", "TSTE"):
            with self.subTest(model=model_name):
                self.run_experiment({
                    "family": "ordinal", "data": {"source": "none"},
                    "problem": {"comparisons": "file", "file": "q.csv", "model": model_name, "train": 6, "test": 0},
                    "path": {"epochs": 5}, "lanes": [{"name": "STE"}]})
                error = self.table("run/STE/path.csv")["train_error"]
                for point in (0, 2, "last"):
                    x = self.exported("STE", point)["X"]
                    i, j, l, k = comparisons.T
                    apart = ((x[i] - x[j]) ** 2).sum(1) < ((x[l] - x[k]) ** 2).sum(1)
                    self.assertEqual((~apart).mean(), error[-1 if point == "last" else point])
        for command in ("transform", "predict"):
            refused = subprocess.run([PROGRAM, command, "run", "--out", "x.csv"], cwd=self.folder, capture_output=True)
            self.assertEqual(refused.returncode, 2, command)


if __name__ == "__main__":
    PROGRAM, FIXTURES = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1])
