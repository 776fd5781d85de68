# SPDX-License-Identifier: GPL-3.0-or-later
"""Which share of the lines of each reader its corpora reach.

    coverage.py PROGRAM OBJECTS SOURCES LEAST CORPORA…

PROGRAM   lambdascope_reader_replay, whose readers count what they execute
OBJECTS   the folder of its object files, where the counts go
SOURCES   reader_sources.txt
LEAST     percent that each reader should have; exit status 1 where one has less
CORPORA   folders with a folder for each reader

With LAMBDASCOPE_UNREACHED=READER in the environment the lines that it does not reach are printed too.
"""

import json
import os
import pathlib
import re
import subprocess
import sys


def readers(file):
    for line in pathlib.Path(file).read_text().splitlines():
        if line and not line.startswith("#"):
            name, *sources = line.split()
            yield name, [source.partition(":")[::2] for source in sources]


def counts_of(objects, source):
    """Times that each line of a source was executed, by function."""
    data = next(objects.rglob(source + ".gcda"), None)
    if data is None:
        return [], {}
    told = subprocess.run(["gcov", "--json-format", "--stdout", data.name], cwd=data.parent, check=True,
                          stdout=subprocess.PIPE).stdout
    for file in json.loads(told)["files"]:
        if file["file"].endswith(source):
            names = {function["name"]: function["demangled_name"] for function in file["functions"]}
            return file["lines"], names
    return [], {}


def is_wanted(function, pattern):
    if not pattern:
        return True
    return (re.search(pattern.removeprefix("-"), function) is None) == pattern.startswith("-")


def lines_of(objects, source, pattern):
    """Lines with code, and whether they were reached."""
    reached = {}
    lines, names = counts_of(objects, source)
    for line in lines:
        if is_wanted(names.get(line.get("function_name"), ""), pattern):
            number = line["line_number"]
            reached[number] = reached.get(number, False) or line["count"] > 0
    return reached


def main():
    program, objects, sources, least = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], float(sys.argv[4])
    is_short = False
    for name, files in readers(sources):
        corpus = [str(file) for folder in sys.argv[5:] for file in sorted(pathlib.Path(folder, name).glob("*"))]
        for old in objects.rglob("*.gcda"):
            old.unlink()
        subprocess.run([program, name, *corpus], check=True)
        total = hit = 0
        for source, pattern in files:
            reached = lines_of(objects, source, pattern)
            total += len(reached)
            hit += sum(reached.values())
            if os.environ.get("LAMBDASCOPE_UNREACHED") in (name, "all"):
                text = pathlib.Path(source).read_text().splitlines()
                for number in sorted(line for line, is_reached in reached.items() if not is_reached):
                    print(f"{source}:{number}: {text[number - 1]}")
        share = 100 * hit / total if total else 0
        is_short |= share < least
        print(f"   {name:<12} {len(corpus):5d} files reach {hit:4d} of {total:4d} lines, {share:5.1f} %"
              + (f", less than {least:g} %" if share < least else ""), flush=True)
    return 1 if is_short else 0


if __name__ == "__main__":
    sys.exit(main())
