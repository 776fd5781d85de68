#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole regularization paths by the program that the authors of safe triplet screening published [T] and by this one,
in turns, in one run: the same rows, neighbours, loss, path, tolerance of the relative gap and end of the path.

    beside_published.py FOLDER PROGRAM [--data FILE] [--k K] [--bounds RRPB_PGB,RRPB,PGB,GB,DGB,NO] [--repeats N]

FOLDER   a checkout of github.com/birdwatcherYT/Safe-Triplet-Screening-for-Distance-Metric-Learning
PROGRAM  lambdascope-cli

Theirs is built in a temporary folder, with its own flags, only the folder of Eigen given; it counts its CPU time by
clock(), on one thread; ours is the CPU time of solving and screening in path.csv, with --threads 1. At each repeat each
of ours, being short, is run until it has taken two seconds. The least of all runs counts, the median stands behind it.
"""
import argparse
import csv
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

OURS = {"NO": [], "GB": ["GB"], "PGB": ["PGB"], "DGB": ["DGB"], "RRPB": ["RRPB"], "RRPB_PGB": ["RRPB", "PGB"]}
METHODS = ["projected-gradient", "newton", "auto"]
LEAST_SECONDS = 2


def build_theirs(folder, room):
    """Their program with active set; it looks for data in ../dataset."""
    source = folder / "SafeScreening+ActiveSet"
    if not (source / "Makefile").exists():
        sys.exit(f"{folder} has no folder SafeScreening+ActiveSet with a Makefile. Give a checkout of the authors' repository.")
    shutil.copytree(source, room / "theirs")
    (room / "dataset").mkdir()
    subprocess.run(["make", "INCLUDE=-I/usr/include/eigen3"], cwd=room / "theirs", check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def write_data(program, file, room):
    """The same scaled numbers for both: as CSV, and as "label feature …"."""
    subprocess.run([program, "convert", file, room / "rows.csv", "--set", "data.scale=minmax"], check=True,
                   stdout=subprocess.DEVNULL)
    with open(room / "rows.csv", newline="") as text:
        header, *rows = list(csv.reader(text))
    label = next((at for at, name in enumerate(header) if name in ("class", "label", "target")), len(header) - 1)
    classes = {name: number for number, name in enumerate(sorted({row[label] for row in rows}), 1)}
    with open(room / "dataset" / "rows", "w") as text:
        for row in rows:
            numbers = " ".join(value for at, value in enumerate(row) if at != label)
            text.write(f"{classes[row[label]]} {numbers} \n")
    return len(rows)


def run_theirs(room, k, first, bound, tolerance):
    size = 999999 if k == "all" else int(k)
    done = subprocess.run(["./run", "rows", str(size), repr(first), "10", bound, str(tolerance)], cwd=room / "theirs",
                          check=True, capture_output=True, text=True)
    seconds = float(re.findall(r"Total time = (\S+)", done.stdout)[-1])
    return seconds, done.stdout.count("*******************")


def run_ours(program, room, k, bound, method, tolerance):
    experiment = {
        "family": "metric", "name": "beside the published program",
        "data": {"source": str(room / "rows.csv"), "scale": "none"},
        "problem": {"k": k if k == "all" else int(k), "loss": "smoothed-hinge", "gamma": 0.05},
        "solver": {"engine": "pairs", "method": method, "tolerance": tolerance, "tolerance_kind": "relative"},
        "path": {"start": "lambda-max", "ratio": 0.9, "stop": 0.01},
        "lanes": [{"name": "lane", "bounds": OURS[bound]}]}
    (room / "ours.json").write_text(json.dumps(experiment))
    shutil.rmtree(room / "ours", ignore_errors=True)
    subprocess.run([program, "run", room / "ours.json", "--out", room / "ours", "--threads", "1", "--progress", "none",
                    "--library", "none"], check=True, stdout=subprocess.DEVNULL)
    with open(room / "ours" / "lane" / "path.csv", newline="") as text:
        rows = list(csv.DictReader(text))
    seconds = sum(float(row["cpu_solve"]) + float(row["cpu_screen"]) for row in rows)
    return seconds, len(rows), float(rows[0]["lambda"]), int(rows[0]["n_items"])


def shown(runs):
    median = statistics.median(seconds for seconds, _ in runs)
    return f"{min(runs)[0]:.2f} s, median {median:.2f} of {len(runs)} ({runs[0][1]} λ)"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--data", default="iris", help="file or bundled set, scaled to [-1, 1]")
    parser.add_argument("--k", default="10")
    parser.add_argument("--bounds", default="RRPB_PGB,RRPB", help="of " + ", ".join(OURS))
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--tolerance", type=float, default=1e-6)
    wish = parser.parse_args()
    bounds = wish.bounds.split(",")
    for bound in bounds:
        if bound not in OURS:
            sys.exit(f'"{bound}" is no bound of theirs. Give some of {", ".join(OURS)}.')
    program = wish.program.resolve()
    with tempfile.TemporaryDirectory() as name:
        room = pathlib.Path(name)
        build_theirs(wish.folder, room)
        rows = write_data(program, wish.data, room)
        first, items = run_ours(program, room, wish.k, "RRPB", "auto", wish.tolerance)[2:]
        print(f"{wish.data}: {rows} rows, k = {wish.k}, {items:,} triplets, lambda from {first:.6g}, relative gap "
              f"{wish.tolerance:g}, CPU seconds of the whole path, least of {wish.repeats}\n")
        print("| bound | theirs | " + " | ".join(f"ours, {method}" for method in METHODS) + " | theirs / ours, auto |")
        print("|---|---:|" + "---:|" * len(METHODS) + "---:|", flush=True)
        for bound in bounds:
            theirs, ours = [], {method: [] for method in METHODS}
            for _ in range(wish.repeats):
                theirs.append(run_theirs(room, wish.k, first, bound, wish.tolerance))
                for method in METHODS:
                    taken = 0
                    while taken < LEAST_SECONDS:
                        ours[method].append(run_ours(program, room, wish.k, bound, method, wish.tolerance)[:2])
                        taken += ours[method][-1][0]
            cells = [theirs] + [ours[method] for method in METHODS]
            print(f"| {bound} | " + " | ".join(shown(runs) for runs in cells) +
                  f" | {min(cells[0])[0] / min(cells[-1])[0]:.1f} |", flush=True)


if __name__ == "__main__":
    main()
