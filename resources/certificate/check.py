#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks a certificate of screening decisions in exact arithmetic.

    check.py FOLDER [DATA …]

FOLDER is what `lambdascope-cli certify` wrote, DATA the raw data file and other files that the problem names (or a
folder that holds them); what is not given is looked for in FOLDER. This program shares nothing with Lambdascope and needs Python 3.9 alone. It reads the
data, scales them and finds neighbours itself (data.py, in doubles, whose operations IEEE 754 defines), and proves each
decision by rational arithmetic (metric.py, svm.py, pu.py, each with its mathematics at the top). The format is
described in docs/certificate.md.

Exit status: 0 proven; 1 a decision is false, or the certificate is none (the first line says what); 3 nothing is
false, but some decisions could not be proven; 2 bad usage.
"""

import json
import sys
import time
from decimal import Decimal
from pathlib import Path

sys.dont_write_bytecode = True  # leaves nothing behind where it stands

import metric
import pu
import svm
from data import Data
from exact import Refuted

FAMILIES = {"metric": metric, "svm": svm, "pu": pu}
MOST_EXAMPLES = 10
# The decisions of four items in a byte, lowest bits first -> a byte per item: 0 undecided, else 2^(number of set − 1).
EXPANDED = [bytes((0, 1, 2, 4)[byte >> shift & 3] for shift in (0, 2, 4, 6)) for byte in range(256)]


class Tally:
    """What has been shown of the decisions at one point."""

    def __init__(self):
        self.proven, self.others = 0, []

    def add(self, item, bit, outcome, text):
        """`outcome`: 1 proven, 0 could not be proven, −1 false; `text`: the numbers of the inequality."""
        if outcome == 1:
            self.proven += 1
        else:
            self.others.append((item, bit, outcome, text))


def load(path):
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"), parse_float=Decimal)
    except (OSError, ValueError) as problem:
        raise Refuted(f"{path}: {problem}")


def find_file(folder, name, given, may_be_renamed=False):
    """A raw file among what was given, by its name, or in the folder. The data may have another name."""
    places = list(map(Path, given))
    paths = [place for place in places if place.name == name] + [place / name for place in [*places, folder]]
    for path in paths + (places if may_be_renamed else []):
        if path.is_file():
            return path
    raise FileNotFoundError(f"{name} is needed, which the certificate is about: give it as DATA")


class Lane:
    def __init__(self, folder, statement, count, items, sets):
        self.name, self.points, self.items, self.sets = statement["name"], statement["points"], items, sets
        self.bits = (folder / statement["decisions"]).read_bytes()
        self.size = -(-items // 4)
        self.decided = self.proven = self.false = 0
        if len(self.bits) != self.size * len(self.points):
            raise Refuted(f"lane {self.name}: the decisions are not {self.size} bytes per point")
        if len(set(self.points)) != len(self.points) or not set(self.points) <= set(range(count)):
            raise Refuted(f"lane {self.name}: its points are not different ones of the certificate")

    def masks(self, point):
        """A byte per item, or nothing where the lane does not have the point."""
        if point not in self.points:
            return b""
        at = self.points.index(point) * self.size
        masks = b"".join([EXPANDED[byte] for byte in self.bits[at : at + self.size]])
        if any(masks[self.items :]) or any(bit > 2 ** (self.sets - 1) for bit in set(masks)):
            raise Refuted(f"lane {self.name}, point {point}: there are decisions of what is no item, or no set")
        return masks[: self.items]

    def count(self, masks, tally):
        decided = len(masks) - masks.count(0)
        others = [outcome for item, bit, outcome, _ in tally.others if masks and masks[item] & bit]
        self.decided += decided
        self.proven += decided - len(others)
        self.false += others.count(-1)


def check_points(folder, certificate, problem, lanes):
    """(different claims, those not proven) of all points; each (item, set, point) is checked once for all lanes."""
    claims, examples = 0, []
    for number, name in enumerate(certificate["points"]):
        masks = [lane.masks(number) for lane in lanes]
        union = 0
        for each in masks:
            union |= int.from_bytes(each, "little")
        union = union.to_bytes(problem.items(), "little")
        tally = Tally()
        if any(union):
            proof = load(folder / name)
            try:
                problem.check(proof, union, tally)
            except Refuted as problem_found:
                raise Refuted(f"point {number} ({name}): {problem_found}")
        claims += tally.proven + len(tally.others)
        for lane, each in zip(lanes, masks):
            lane.count(each, tally)
        for item, bit, outcome, text in tally.others:
            state = "is false" if outcome < 0 else "could not be proven"
            what = f"{problem.name(item)} in {problem.sets[bit // 2]} at point {number}"
            examples.append((outcome, f"{what} {state}: {text}"))
    return claims, examples


def check(folder, given):
    start = time.monotonic()
    folder = Path(folder)
    certificate = load(folder / "certificate.json")
    if certificate.get("format") != "lambdascope certificate" or certificate.get("version") != 1:
        raise Refuted("certificate.json is no certificate of version 1")
    data = Data(find_file(folder, certificate["data"]["file"], given, True), certificate["data"])
    find = lambda name: find_file(folder, name, given)
    problem = FAMILIES[certificate["family"]].Problem(certificate["problem"], data, find)
    items = problem.items()
    if certificate["items"] != items:
        raise Refuted(f"the problem has {items} items, the certificate {certificate['items']}")
    lanes = [Lane(folder, each, len(certificate["points"]), items, len(problem.sets)) for each in certificate["lanes"]]
    claims, others = check_points(folder, certificate, problem, lanes)
    others.sort(key=lambda entry: entry[0])
    for _, text in others[:MOST_EXAMPLES]:
        print(text)
    for lane in lanes:
        sums = f"{lane.decided:,} decisions, {lane.proven:,} proven, {lane.false:,} false"
        print(f"{lane.name}: {len(lane.points)} points, {sums}")
    decided, proven = sum(lane.decided for lane in lanes), sum(lane.proven for lane in lanes)
    share = f"{100 * proven / decided:.6g} %" if decided else "none made"
    seconds = time.monotonic() - start
    print(f"{decided:,} decisions, {claims:,} different ones, checked in {seconds:.1f} s; proven: {share}")
    if any(outcome < 0 for outcome, _ in others):
        print("false")
        return 1
    print(f"{len(others):,} not proven" if others else "proven")
    return 3 if others else 0


def main(arguments):
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if arguments else 2
    try:
        return check(arguments[0], arguments[1:])
    except Refuted as problem:
        print(f"refused: {problem}")
    except FileNotFoundError as problem:
        print(f"check.py: {problem}", file=sys.stderr)
        return 2
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, OSError, EOFError) as problem:
        print(f"refused: this is no certificate: {type(problem).__name__} {problem}")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
