# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the data that a certificate is about and prepares them by the rules of the format page, in doubles."""

import bz2
import csv
import gzip
import hashlib
import math
import struct
from pathlib import Path

from exact import Refuted


def read_lines(path):
    raw = Path(path).read_bytes()
    if raw[:2] == b"\x1f\x8b":
        raw = gzip.decompress(raw)
    elif raw[:3] == b"BZh":
        raw = bz2.decompress(raw)
    return raw.decode("utf-8-sig").splitlines()


def read_table(path, statement):
    """(values, label or target texts) of all rows. Empty lines and lines that begin with # or % are left out."""
    lines = [line for line in read_lines(path) if line.strip() and line.lstrip()[0] not in "#%"]
    kind, column = statement["format"], statement.get("target_column") or statement["label_column"]
    values, labels = [], []
    if kind == "libsvm":
        width = statement["features"]
        for fields in map(str.split, lines):
            row = [0.0] * width
            for field in fields[1:]:
                place, _, value = field.partition(":")
                row[int(place) - 1] = float(value)
            values.append(row)
            labels.append(fields[0])
    elif kind in ("delimited", "blanks"):
        if statement["header"]:
            lines = lines[1:]
        table = map(str.split, lines) if kind == "blanks" else csv.reader(lines, delimiter=statement["delimiter"])
        for fields in table:
            if column > 0:  # else there are neither labels nor targets
                labels.append(fields.pop(column - 1).strip())
            values.append([float(field) for field in fields])
    else:
        raise Refuted(f"there is no rule for data of the format {kind!r}")
    if any(len(row) != len(values[0]) or not all(map(math.isfinite, row)) for row in values):
        raise Refuted("rows differ in length, or a value is not finite")
    return values, labels


def class_names(texts):
    """(names, code of each row). Numbers are named by their shortest text and rise; words come as they appear."""
    try:
        numbers = [float(text) + 0.0 for text in texts]
        shortest = {x: str(int(x)) if x == int(x) and abs(x) < 1e16 else repr(x) for x in sorted(set(numbers))}
        names, keys = list(shortest.values()), dict(zip(shortest, range(len(shortest))))
        return names, [keys[x] for x in numbers]
    except ValueError:
        keys = dict(zip(dict.fromkeys(texts), range(len(texts))))
        return list(keys), [keys[text] for text in texts]


def scaled(rows):
    """Each feature linearly to [−1, 1], by these operations in doubles; constant ones to 0."""
    low = [0.5 * min(column) for column in zip(*rows)]
    half = [0.5 * max(column) - least for column, least in zip(zip(*rows), low)]
    return [[2 * ((0.5 * x - a) / h) - 1 if h > 0 else 0.0 for x, a, h in zip(row, low, half)] for row in rows]


class Data:
    """rows: values in doubles; labels: class codes; names: of the classes; targets: numbers in place of labels."""

    def __init__(self, path, statement):
        rows, texts = read_table(path, statement)
        has_targets = bool(statement.get("target_column"))
        targets = [float(text) for text in texts] if has_targets else []
        names, labels = class_names([] if has_targets else texts)
        kept = statement["rows"]
        if kept == "all":
            kept = range(len(rows))
        elif not kept or sorted(set(kept)) != kept or not 0 <= kept[0] <= kept[-1] < len(rows):
            raise Refuted("the kept rows do not rise, or are not there")
        rows, labels = [rows[i] for i in kept], [labels[i] for i in kept] if labels else []
        self.targets = [targets[i] for i in kept] if targets else []
        used = sorted(set(labels))
        self.names, self.labels = [names[code] for code in used], [used.index(code) for code in labels]
        if statement["scale"] not in ("minmax", "none"):
            raise Refuted(f"there is no rule for the scaling {statement['scale']!r}")
        self.rows = scaled(rows) if statement["scale"] == "minmax" else rows
        found = self.digest()
        if found != statement["values_sha256"]:
            hashes = f"their values have SHA-256 {found} after preparation, it has {statement['values_sha256']}"
            raise Refuted(f"the data are not those of the certificate: {hashes}")

    def digest(self):
        """Of shape, values row by row, class names and targets row by row; numbers as eight bytes, lowest first."""
        digest = hashlib.sha256(struct.pack("<QQ", len(self.rows), len(self.rows[0])))
        for row in self.rows:
            digest.update(struct.pack(f"<{len(row)}d", *row))
        for name in (self.names[label].encode() for label in self.labels):
            digest.update(struct.pack("<Q", len(name)) + name)
        digest.update(struct.pack(f"<{len(self.targets)}d", *self.targets))
        return digest.hexdigest()
