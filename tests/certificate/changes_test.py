# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes certificates so that a decision is false, a point is not feasible or the data are others, and looks whether
the checker refuses them; and in ways that change nothing of what they prove.

    python3 changes_test.py CHECKER FOLDER DATA COUNT [FILE]   (resources/certificate, a certificate, its data file,
                                                                another file that its problem names)

Prints how many changes of each kind were refused, and by which status; exits with 1 when one was not.
"""

import contextlib
import io
import json
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from decimal import Decimal
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import check

DRAW = random.Random(7)
NUMBER = re.compile(r"-?\d+\.\d+(?:[eE][-+]?\d+)?")


class Copy:
    """A certificate and its data that may be changed, with one point and one lane only, so that checks are quick."""

    def __init__(self, folder, source, data, others):
        self.folder, self.data = folder, folder / data.name
        self.summary = json.loads((source / "certificate.json").read_text(), parse_float=Decimal)
        if self.summary["data"]["file"] != data.name:
            raise SystemExit(f"{data} is not the file of the certificate")
        shutil.copy(data, self.data)
        self.others_given = [Path(shutil.copy(other, folder / other.name)) for other in others]
        size = -(-self.summary["items"] // 4)
        while True:  # a lane and a point with decisions
            self.lane = DRAW.choice(self.summary["lanes"])
            place = DRAW.randrange(len(self.lane["points"]))
            bits = (source / self.lane["decisions"]).read_bytes()[place * size : (place + 1) * size]
            if any(bits):
                break
        names = self.summary["points"]
        self.point = names[self.lane["points"][place]]
        self.others = [name for name in names if name != self.point]
        self.source, self.bits = source, bytearray(bits)
        self.proof = self.load(self.point)
        self.summary.update(points=[self.point], lanes=[dict(self.lane, points=[0])])

    def load(self, name):
        proof = json.loads((self.source / name).read_text(), parse_float=Decimal)
        for key in ("alpha", "s"):
            if key in proof:
                proof[key] = [Decimal(value) if isinstance(value, str) else value for value in proof[key]]
        return proof

    def write(self):
        def text(value):
            if isinstance(value, dict):
                return "{" + ", ".join(f"{json.dumps(k)}: {text(v)}" for k, v in value.items()) + "}"
            if isinstance(value, list):
                return "[" + ", ".join(map(text, value)) + "]"
            return str(value) if isinstance(value, Decimal) else json.dumps(value)

        (self.folder / "certificate.json").write_text(text(self.summary))
        (self.folder / self.point).write_text(text(self.proof))
        (self.folder / self.lane["decisions"]).write_bytes(self.bits)

    def status(self):
        self.write()
        self.printed = io.StringIO()
        with contextlib.redirect_stdout(self.printed), contextlib.redirect_stderr(self.printed):
            return check.main([str(self.folder), str(self.data), *map(str, self.others_given)])

    def decided(self):
        return [i for i in range(self.summary["items"]) if self.bits[i // 4] >> 2 * (i % 4) & 3]


def weightless(copy):
    """Samples whose weight in a file is 0: either set is true of them for some best bias, so that neither is false."""
    if copy.summary["family"] != "svm" or not copy.others_given:
        return set()
    used = [line for line in check_lines(copy.others_given[0]) if line.split("#")[0].strip()]
    items = copy.summary["items"]  # of regression two for each row
    return {i for i in range(items) if float(used[i % len(used)]) == 0}


def other_set(copy):
    left_out, sets = weightless(copy), 3 if copy.summary["family"] == "pu" else 2
    item = DRAW.choice([i for i in copy.decided() if i not in left_out])
    now = copy.bits[item // 4] >> 2 * (item % 4) & 3
    new = DRAW.choice([number for number in range(1, sets + 1) if number != now])
    copy.bits[item // 4] ^= (now ^ new) << 2 * (item % 4)


def beyond_box(copy):
    if copy.summary["family"] == "metric":  # of a diagonal matrix
        copy.proof["m"][DRAW.randrange(len(copy.proof["m"]))] = Decimal("-1e-12")
        return
    key, most = ("alpha", 1) if copy.summary["family"] == "svm" else ("s", 2)
    values = copy.proof[key]
    place = DRAW.choice([i for i in range(len(values)) if i != copy.proof.get("balance")])
    values[place] = DRAW.choice([most + Decimal("1e-12"), Decimal("-1e-12"), most + 1])


def other_factor(copy):
    """A factor or α of another point, far away."""
    here = copy.lane["points"][copy.summary["points"].index(copy.point)] if len(copy.others) < 2 else None
    other = copy.load(copy.others[0] if here != 0 and DRAW.random() < 0.5 else copy.others[-1])
    matrix = "L" if "L" in copy.proof else "m"
    for key in {"metric": (matrix,), "svm": ("alpha",), "pu": ("s", "brackets")}[copy.summary["family"]]:
        copy.proof[key] = other[key]


def other_digit(copy):
    """A leading digit of a factor or of several α."""
    if copy.summary["family"] == "metric":
        row = DRAW.choice([row for row in copy.proof.get("L", [copy.proof.get("m")]) if any(row)])
        place = max(range(len(row)), key=lambda k: abs(row[k]))
        row[place] = row[place] * (DRAW.choice([Decimal("1.5"), Decimal("0.5"), -3]) if "L" in copy.proof else 100)
        return
    values = copy.proof["alpha" if copy.summary["family"] == "svm" else "s"]
    for place in DRAW.sample(range(len(values)), len(values) // 3):
        values[place] = (0 if values[place] else 1)


def other_bracket(copy):
    """Of a free bias: cut down to one end of it, or moved away where it is one place already."""
    ends = copy.proof["brackets"][0]
    if ends[1] - ends[0] > Decimal("1e-12") * (1 + abs(ends[0])):
        ends[:] = [DRAW.choice(ends)] * 2
    else:
        is_open = copy.proof.get("nu") == 1  # any place that is low enough
        far = DRAW.choice([1 if is_open else -1, 1]) * (3 + abs(ends[0]))
        ends[:] = [end + far for end in ends]


def other_width(copy):
    """Of the tube, so that no target lies beyond it, or another ν."""
    if copy.summary["problem"]["task"] == "novelty":
        copy.proof["nu"] *= Decimal("0.5")
    elif any(copy.bits[i // 4] >> 2 * (i % 4) & 2 for i in copy.decided()):
        copy.summary["problem"]["epsilon"] *= 100
    else:  # what was decided to lie within stays there
        other_set(copy)


def other_data(copy):
    lines = check_lines(copy.data)
    places = [i for i, line in enumerate(lines) if sum(c.isdigit() for c in line) > 3]
    kept = copy.summary["data"]["rows"]
    first = 1 if copy.summary["data"].get("header") else 0
    row = DRAW.choice(kept if kept != "all" else range(len(places) - first))
    line = lines[row + first]
    digits = [i for i, c in enumerate(line) if c.isdigit()]
    place = DRAW.choice(digits[: max(1, len(digits) - 2)])
    lines[row + first] = line[:place] + str((int(line[place]) + 1 + DRAW.randrange(8)) % 10) + line[place + 1 :]
    copy.data.write_text("\n".join(lines) + "\n")


def other_rows(copy):
    rows = copy.summary["data"]["rows"]
    if rows == "all":
        copy.summary["data"]["rows"] = list(range(1, len(check_lines(copy.data)) - 1))
    else:
        rows.remove(DRAW.choice(rows))


def check_lines(path):
    from data import read_lines

    return read_lines(path)


def more_digits(copy):
    """Digits far behind the last one."""
    def longer(value):
        if isinstance(value, list):
            return [longer(each) for each in value]
        if not isinstance(value, Decimal) or "E" in str(value):
            return value
        return Decimal(f"{value}{DRAW.randrange(10**9):09}")

    for key in ("L", "K", "m", "alpha", "s"):
        if key in copy.proof:
            copy.proof[key] = longer(copy.proof[key])


def slightly_other(copy):
    for key in ("alpha", "s"):
        if key in copy.proof:
            copy.proof[key] = [v * (1 - Decimal("1e-13")) if isinstance(v, Decimal) else v for v in copy.proof[key]]
    if "m" in copy.proof:
        copy.proof["m"] = [Decimal(v) * (1 - Decimal("1e-12")) for v in copy.proof["m"]]
    if "L" in copy.proof:
        copy.proof["L"] = [[Decimal(v) * (1 - Decimal("1e-12")) for v in row] for row in copy.proof["L"]]


def other_line_ends(copy):
    if copy.summary["data"]["format"] != "libsvm":
        lines = check_lines(copy.data)
        copy.data.write_bytes("\r\n".join(["# a comment", *lines, "", ""]).encode())
    copy.summary["comment"] = "nobody reads this"


def other_balance(copy):
    """Another sample between its bounds takes what is left."""
    shares = copy.proof["alpha"]
    others = [i for i, share in enumerate(shares) if i != copy.proof["balance"] and 0.01 < share < 0.99]
    copy.proof["balance"] = DRAW.choice(others or [copy.proof["balance"]])


def wider_bracket(copy):
    more = Decimal("1e-13")
    copy.proof["brackets"] = [[low - more, high + more] for low, high in copy.proof["brackets"]]


def undecided(copy):
    item = DRAW.choice(copy.decided())
    copy.bits[item // 4] &= ~(3 << 2 * (item % 4))


def other_file(copy):
    """In a file that the problem names, the weight of a sample with a loss, or one comparison less."""
    lines = check_lines(copy.others_given[0])
    used = [i for i, line in enumerate(lines) if line.split("#")[0].strip()]
    if copy.proof.get("nu") == 1:  # all lie outside whatever they weigh
        del lines[used[0]]
    elif copy.summary["family"] == "svm":
        weights = {i: float(lines[i]) for i in used}
        # Not that of the sample that makes yᵀα = 0, which may weigh more or less.
        rows = [used[k % len(used)] for k in range(copy.summary["items"])]
        counted = [pair for k, pair in enumerate(zip(rows, copy.proof["alpha"])) if k != copy.proof.get("balance")]
        place = DRAW.choice([i for i, share in counted if share and weights[i]])
        lines[place] = str(weights[place] * DRAW.choice([0, 30]))
    else:
        del lines[DRAW.choice([i for i in used if not lines[i].startswith(("base", "form", "target"))])]
    copy.others_given[0].write_text("\n".join(lines) + "\n")


REFUSED, UNPROVEN = 1, 3
FALSE = {
    other_set: (REFUSED,),
    beyond_box: (REFUSED,),
    other_factor: (REFUSED, UNPROVEN),
    other_digit: (REFUSED, UNPROVEN),
    other_data: (REFUSED,),
    other_rows: (REFUSED,),
    other_file: (REFUSED, UNPROVEN),
    other_bracket: (REFUSED,),
    other_width: (REFUSED, UNPROVEN),
}
HARMLESS = [more_digits, slightly_other, other_line_ends, undecided, other_balance, wider_bracket]
OF_FREE_BIAS = [other_bracket, other_balance, wider_bracket]


def main(source, data, count, others):
    counts, faults = Counter(), []
    summary = json.loads((source / "certificate.json").read_text())
    family, problem = summary["family"], summary["problem"]
    left_out = [beyond_box] if problem.get("structure") == "full" else []
    left_out += [] if others else [other_file]
    left_out += [] if "intercept" in problem else OF_FREE_BIAS
    left_out += [] if "task" in problem else [other_width]
    kinds = [kind for kind in FALSE if kind not in left_out]
    harmless = [kind for kind in HARMLESS if kind not in left_out]
    plan = [kinds[i % len(kinds)] for i in range(count)] + harmless * max(1, count // 20)
    for change in plan:
        with tempfile.TemporaryDirectory() as scratch:
            copy = Copy(Path(scratch), source, data, others)
            if change is other_factor and not copy.others:
                continue
            change(copy)
            status = copy.status()
            counts[change.__name__, status] += 1
            if status not in FALSE.get(change, (0,)):
                faults.append(f"{change.__name__} at {copy.point}: status {status}\n{copy.printed.getvalue()}")
    for (name, status), number in sorted(counts.items()):
        print(f"{family}: {name}: {number} with status {status}")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]), list(map(Path, sys.argv[5:]))))
