# SPDX-License-Identifier: GPL-3.0-or-later
"""The lines of the documentation that read runs and studies, in Python and R, on what the program writes.

    reading_test.py python|r PROGRAM PAGE

Ends with 77, which ctest takes for skipped, where pandas, or R with data.table, is not installed.
"""
import csv
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LANGUAGE, PROGRAM, PAGE = sys.argv[1], str(pathlib.Path(sys.argv[2]).resolve()), pathlib.Path(sys.argv[3])
LANES = ("naive", "PGB")
K = (3, 5, 10)


def skip(words):
    print(words)
    sys.exit(77)


def cli(folder, *arguments):
    subprocess.run([PROGRAM, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def written(file):
    with open(file, newline="") as table:
        return list(csv.DictReader(table))


def by_python(lines, folder):
    code = lines + """
import json
print(json.dumps({"lambda": path["lambda"].tolist(), "rows": len(path), "M": model["M"].tolist(),
                  "study": {lane: study[lane].tolist() for lane in study.columns}, "k": study.index.tolist()}))
"""
    return subprocess.run([sys.executable, "-c", code], cwd=folder, check=True, capture_output=True, text=True).stdout


def by_r(lines, folder):
    code = lines + r"""
list <- function(values) paste0("[", paste(format(values, digits = 17), collapse = ", "), "]")
lanes <- setdiff(names(study), "problem.k")
cat(sprintf('{"lambda": %s, "rows": %d, "k": %s, "study": {%s}}', list(path[["lambda"]]), nrow(path),
            list(study[["problem.k"]]), paste(sprintf('"%s": %s', lanes, sapply(lanes, function(l) list(study[[l]]))),
                                              collapse = ", ")))
"""
    return subprocess.run(["Rscript", "-e", code], cwd=folder, check=True, capture_output=True, text=True).stdout


def main():
    if LANGUAGE == "python":
        try:
            import pandas  # noqa: F401
        except ImportError:
            skip("pandas is not installed")
    elif shutil.which("Rscript") is None or subprocess.run(
            ["Rscript", "-e", "library(data.table)"], capture_output=True).returncode != 0:
        skip("R with data.table is not installed")
    blocks = re.findall(r"```%s\n(.*?)```" % LANGUAGE, PAGE.read_text(), re.S)
    assert len(blocks) == 1 and blocks[0].count("\n") == 3, "three lines"
    with tempfile.TemporaryDirectory(prefix="lambdascope-reading-") as name:
        folder = pathlib.Path(name)
        (folder / "study.json").write_text(json.dumps({
            "experiment": "iris-six-lanes", "axes": [{"field": "problem.k", "values": K}, {"seeds": 2}]}))
        cli(folder, "run", "iris-six-lanes", "--lanes", ",".join(LANES), "--out", "runs/iris", "--library", "none",
            "--set", "path.max_points=5")
        cli(folder, "export", "runs/iris", "--lane", "PGB", "--out", "model.npz")
        cli(folder, "sweep", "study.json", "--out", "runs/k", "--progress", "none", "--set", "path.max_points=5")
        read = json.loads((by_python if LANGUAGE == "python" else by_r)(blocks[0], folder))
        path = written(folder / "runs/iris/PGB/path.csv")
        assert read["rows"] == len(path) == 5
        assert read["lambda"] == [float(row["lambda"]) for row in path], "to the last bit"
        assert read["k"] == list(K)
        rows = written(folder / "runs/k/study.csv")
        assert len(read["study"]) == 6
        for lane, errors in read["study"].items():
            assert errors == [float(row["knn_error_mean"]) for row in rows if row["lane"] == lane], lane
        assert LANGUAGE == "r" or len(read["M"]) == 4


main()
