# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes a certificate at random, and looks whether its checker always ends in words.

    python3 checker_fuzzer.py CHECKER FOLDER SECONDS [SEED]   (resources/certificate, a certificate with its data)

Prints how often it ended by which status; exits with 1 when it ended otherwise. SIGTERM ends it early.
"""

import contextlib
import io
import json
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import check

VALUES = [None, True, [], {}, "x", "", -1, 0, 1, 2**70, 1e308, "1e400", "nan", [[]], [1], {"file": 3}, 0.5, "1" * 50]


def places(value, path=()):
    """Where members and elements stand."""
    keys = value if isinstance(value, dict) else range(min(len(value), 50)) if isinstance(value, list) else ()
    for key in keys:
        yield path + (key,)
        yield from places(value[key], path + (key,))


def change_json(draw, text):
    document = json.loads(text)
    *path, last = draw.choice(list(places(document)))
    around = document
    for key in path:
        around = around[key]
    if draw.random() < 0.3:
        del around[last]
    else:
        around[last] = draw.choice(VALUES)
    return json.dumps(document).encode()


def change_bytes(draw, raw):
    raw = bytearray(raw)
    for _ in range(draw.randrange(1, 4)):
        at = draw.randrange(len(raw) + 1)
        kind = draw.randrange(4)
        if kind == 0:
            raw[at:at] = bytes([draw.randrange(256)])
        elif kind == 1:
            raw[at : at + 1] = bytes([draw.randrange(256)])
        elif kind == 2:
            del raw[at : at + draw.randrange(1, 30)]
        else:
            del raw[at:]
    return bytes(raw)


def main(source, seconds, seed):
    draw, statuses, found, end = random.Random(seed), Counter(), [], time.monotonic() + seconds
    wanted = [signal.SIGTERM]
    signal.signal(signal.SIGTERM, lambda *_: wanted.clear())
    while wanted and time.monotonic() < end and not found:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "certificate"
            shutil.copytree(source, folder)
            path = draw.choice(sorted(folder.iterdir()))
            raw = path.read_bytes()
            is_json = path.suffix == ".json" and draw.random() < 0.8
            path.write_bytes(change_json(draw, raw) if is_json else change_bytes(draw, raw))
            try:
                with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                    status = check.main([str(folder)])
            except Exception:
                status = traceback.format_exc()
            statuses[status] += 1
            if status not in (0, 1, 2, 3):
                found.append(f"{path.name} became {path.read_bytes()[:2000]!r}: {status}")
    print(f"certificate: {sum(statuses.values())} changes, by status {dict(sorted(statuses.items(), key=str))}")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 1))
