# SPDX-License-Identifier: GPL-3.0-or-later
"""Has the readers attacked, and keeps the record of it; see ./dev fuzz.

    campaign.py attack FUZZER WORK MINUTES [READER…]
        each reader, or each of those named, for its share of the minutes; WORK gets findings/, corpus/ and log/, the
        record a line for each reader. Exit status 1 where one was found to fail, 2 where there is no such reader.
    campaign.py merge FUZZER WORK
        puts into the corpora the fewest files of WORK/corpus that reach what the corpora do not, as long as all of
        them stay below 1 MB
    campaign.py total
        what the record sums up to, by reader

FUZZER is lambdascope_reader_fuzzer. The corpora and the record (campaigns.csv) stand beside this file.
"""

import csv
import datetime
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
COLUMNS = ["date", "commit", "reader", "cpu_seconds", "executions", "peak_mb", "findings"]
CERTIFICATE = "certificate"  # read by its checker, in Python
MOST_CORPUS_BYTES = 1_000_000
INTERRUPTED = 72  # libFuzzer's status after a signal
# These readers call the HDF5 library in their own process, where its steps can be watched and damaged files may end it.
# What the program does with such a file is what the last one says, which calls the library in another process.
CALL_HDF5 = {"hdf5", "mat"}
HDF5_PROCESS = "hdf5_process"
HANG_SECONDS = 60  # of wall time: a machine that has much else to do is no hang


def readers_of(fuzzer):
    return subprocess.run([fuzzer], check=True, stdout=subprocess.PIPE, text=True).stdout.split()


def commit():
    """The commit that is attacked, with a plus sign where files differ from it."""
    def git(*words):
        return subprocess.run(["git", "-C", HERE, *words], stdout=subprocess.PIPE, text=True).stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", ":(top)",
                  ":(top,exclude)tests/fuzz/campaigns.csv")
    return (git("rev-parse", "--short=10", "HEAD") or "unknown") + ("+" if changed else "")


def command_for(reader, fuzzer, work, seconds):
    if reader == CERTIFICATE:
        return [sys.executable, HERE / "checker_fuzzer.py", HERE.parents[1] / "resources/certificate",
                HERE / "corpus/certificate", str(seconds), str(int.from_bytes(os.urandom(3), "big"))]
    learned = work / "corpus" / reader
    learned.mkdir(parents=True, exist_ok=True)
    return [fuzzer, f"-max_total_time={seconds}", f"-timeout={HANG_SECONDS}", "-rss_limit_mb=1024", "-max_len=70000",
            "-print_final_stats=1", f"-artifact_prefix={work}/findings/{reader}-", learned, HERE / "corpus" / reader]


class Attacker:
    """Runs programs one after the other. A signal asks the one that runs to end, and is remembered."""

    def __enter__(self):
        self.is_stopped, self.process = False, None
        self.before = {number: signal.signal(number, self.stop) for number in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *_):
        for number, handler in self.before.items():
            signal.signal(number, handler)

    def stop(self, *_):
        self.is_stopped = True
        if self.process:
            self.process.send_signal(signal.SIGTERM)

    def run(self, command, log, environment):
        """Exit status and what was used."""
        with log.open("w") as output:
            self.process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=environment)
        if self.is_stopped:
            self.stop()
        _, status, used = os.wait4(self.process.pid, 0)
        self.process.returncode, self.process = os.waitstatus_to_exitcode(status), None
        return os.waitstatus_to_exitcode(status), used


def last_number(pattern, text):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def attack_once(attacker, reader, fuzzer, work, seconds):
    """CPU seconds, executions, peak memory, edges, and the files found, None for a failure that left none."""
    findings = work / "findings"
    log = work / "log" / f"{reader}.txt"
    for folder in (findings, log.parent):
        folder.mkdir(parents=True, exist_ok=True)
    before = set(findings.iterdir())
    status, used = attacker.run(command_for(reader, fuzzer, work, seconds), log,
                                {**os.environ, "LAMBDASCOPE_FUZZ_READER": reader})
    said = log.read_text(errors="replace")
    # Slow inputs are kept by libFuzzer too, though nothing is wrong with them.
    files = [file for file in sorted(set(findings.iterdir()) - before) if "-slow-unit-" not in file.name]
    found = [] if status in (0, INTERRUPTED) else files or [None]
    if reader in CALL_HDF5:
        found = [file for file in found if file is None or not is_held(attacker, fuzzer, file, log)]
    if found:
        print(f"   FOUND by {reader}, see {log}:")
        for line in [line for line in said.splitlines()
                     if re.search(r"ERROR|SUMMARY|runtime error|Test unit written|became", line)][:3]:
            print("   " + line[:200])
    return (used.ru_utime + used.ru_stime,
            last_number(r"(?:stat::number_of_executed_units: *|^certificate: )(\d+)", said),
            max(used.ru_maxrss // 1024, last_number(r"stat::peak_rss_mb: *(\d+)", said)),
            last_number(r" cov: (\d+)", said), found, status)


def is_held(attacker, fuzzer, file, log):
    """Whether a file that ended the HDF5 library costs the program no more than a message."""
    status, _ = attacker.run([fuzzer, f"-timeout={HANG_SECONDS}", file], log.with_suffix(".process.txt"),
                             {**os.environ, "LAMBDASCOPE_FUZZ_READER": HDF5_PROCESS})
    if status == 0:
        file.unlink()
    return status in (0, INTERRUPTED)  # one that a signal kept from being tried stays among the findings


def attack_one(attacker, reader, fuzzer, work, seconds):
    """Its line of the record."""
    cpu, executions, peak, edges, found, ends = 0, 0, 0, 0, [], 0
    end = time.monotonic() + seconds
    while not found and (left := round(end - time.monotonic())) > 0:
        more_cpu, more, memory, covered, found, status = attack_once(attacker, reader, fuzzer, work, left)
        cpu, executions, peak, edges = cpu + more_cpu, executions + more, max(peak, memory), max(edges, covered)
        if status in (0, INTERRUPTED):
            break
        ends += not found
    line = [datetime.date.today().isoformat(), commit(), reader, round(cpu), executions, peak, len(found)]
    covered = f", {edges:6d} edges covered" if edges else ""
    held = f", ended the HDF5 library {ends} times" if ends else ""
    print(f"   {reader:<12} {executions:12,d} executions in {line[3]:6d} CPU s, peak {peak:4d} MB{covered}{held}",
          flush=True)
    return line


def append(record, line):
    """In one write, so that campaigns may run side by side."""
    text = ",".join(map(str, line)) + "\n"
    if not record.exists():
        text = ",".join(COLUMNS) + "\n" + text
    with record.open("a") as file:
        file.write(text)


def attack(record, fuzzer, work, minutes, *names):
    known = [*readers_of(fuzzer), CERTIFICATE]
    if unknown := set(names) - set(known):
        print(f"There is no reader {', '.join(sorted(unknown))}. There are: {', '.join(known)}", file=sys.stderr)
        return 2
    names = names or known
    seconds = max(1, 60 * int(minutes) // len(names))
    found = 0
    with Attacker() as attacker:
        for reader in names:
            line = attack_one(attacker, reader, fuzzer, Path(work).resolve(), seconds)
            append(record, line)
            found += line[-1]
            if attacker.is_stopped:
                break
    print()
    total(record)
    return 1 if found else 0


def lines_of(record):
    """The record, line by line, in types; the first line that is not of it ends the program."""
    with record.open(newline="") as file:
        rows = list(csv.reader(file))
    if not rows or rows[0] != COLUMNS:
        raise SystemExit(f"{record}:1: the columns should be {','.join(COLUMNS)}")
    for number, row in enumerate(rows[1:], 2):
        try:
            datetime.date.fromisoformat(row[0])
            date, revision, reader = row[:3]
            cpu, executions, peak, findings = map(int, row[3:])
        except (ValueError, IndexError):
            raise SystemExit(f"{record}:{number}: not a line of {','.join(COLUMNS)}: {','.join(row)}") from None
        yield date, revision, reader, cpu, executions, peak, findings


def total(record):
    sums = {}
    for date, _, reader, cpu, executions, peak, findings in lines_of(record):
        for name in (reader, "all"):
            old = sums.get(name, (0, 0, 0, 0, ""))
            sums[name] = (old[0] + cpu, old[1] + executions, max(old[2], peak), old[3] + findings, max(old[4], date))
    sums = {**{name: sums[name] for name in sums if name != "all"}, "all": sums.get("all", (0, 0, 0, 0, ""))}
    print(f"   {'reader':<12} {'CPU hours':>9} {'executions':>14} {'peak MB':>8} {'findings':>8}  last")
    for name, (cpu, executions, peak, findings, date) in sums.items():
        print(f"   {name:<12} {cpu / 3600:9.2f} {executions:14,d} {peak:8d} {findings:8d}  {date}")
    return 0


def merge(fuzzer, work):
    work = Path(work).resolve()
    size = sum(file.stat().st_size for file in (HERE / "corpus").rglob("*") if file.is_file())
    new = []
    for reader in readers_of(fuzzer):
        learned, fresh = work / "corpus" / reader, work / "merged" / reader
        if not learned.is_dir():
            continue
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.copytree(HERE / "corpus" / reader, fresh)
        known = set(fresh.iterdir())
        # What counts is which edges are reached, not how often.
        subprocess.run([fuzzer, "-merge=1", "-set_cover_merge=1", "-use_counters=0", f"-timeout={HANG_SECONDS}",
                        "-max_len=70000", fresh, learned], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       env={**os.environ, "LAMBDASCOPE_FUZZ_READER": reader})
        new += [(file.stat().st_size, reader, file) for file in set(fresh.iterdir()) - known]
    for bytes_, reader, file in sorted(new):
        if size + bytes_ >= MOST_CORPUS_BYTES:
            print(f"   left out of {reader}, since the corpora would be too large: {file} of {bytes_} bytes")
            continue
        size += bytes_
        shutil.copy(file, HERE / "corpus" / reader / f"learned_{file.name[:10]}")
    print(f"   {len(new)} files reach what the corpora did not; the corpora have {size} bytes now")
    return 0


def main(words):
    record = HERE / "campaigns.csv"
    if words[:1] == ["attack"] and len(words) > 3:
        return attack(record, *words[1:])
    if words[:1] == ["merge"] and len(words) == 3:
        return merge(*words[1:])
    if words == ["total"]:
        return total(record)
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
