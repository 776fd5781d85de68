# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of how campaigns are recorded, with a fuzzer of a few lines.

    python3 campaign_test.py
"""

import contextlib
import io
import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import campaign

# Without a reader it names them; good has nothing to say, bad ends on an input that it keeps, waiting ends by a signal.
# mat, which calls the HDF5 library, ends on two inputs and then no more; hdf5_process ends on inputs that say "worse".
FUZZER = """#!/bin/bash
[ -n "$LAMBDASCOPE_FUZZ_READER" ] || { printf 'good\\nbad\\nwaiting\\nmat\\n'; exit 0; }
for word; do case $word in -artifact_prefix=*) prefix=${word#*=} ;; -merge=1) merge=1 ;; esac; done
[ -z "$merge" ] || { cp "${@: -1}"/* "${@: -2:1}"; exit 0; }
end() { echo "stat::number_of_executed_units: $1"; echo 'stat::peak_rss_mb: 90000'; exit $2; }
echo '#9 DONE cov: 17 ft: 30'
case $LAMBDASCOPE_FUZZ_READER in
good) echo > "${prefix}slow-unit-1"; end 1200 0 ;;
bad) echo | tee "${prefix}slow-unit-1" > "${prefix}crash-1"; echo 'SUMMARY: it fell'; end 34 77 ;;
mat) for n in 1 2; do
         ended=${prefix%/*}/../ended-$n
         [ -e "$ended" ] || { echo "$INPUT" | tee "$ended" > "${prefix}crash-$n"; end 10 77; }
     done; end 100 0 ;;
hdf5_process) ! grep -q worse "${@: -1}" ;;
waiting) trap 'end 5 72' TERM; echo > "${prefix}begun"; for i in {1..500}; do sleep 0.02; done; end 999 0 ;;
esac
"""
HEADER = "date,commit,reader,cpu_seconds,executions,peak_mb,findings\n"


class Campaigns(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.fuzzer = self.folder / "fuzzer"
        self.fuzzer.write_text(FUZZER)
        self.fuzzer.chmod(self.fuzzer.stat().st_mode | stat.S_IXUSR)
        self.record = self.folder / "campaigns.csv"
        self.work = self.folder / "work"
        for reader in ("good", "bad"):
            (self.folder / "corpus" / reader).mkdir(parents=True)
        before = campaign.HERE, campaign.MOST_CORPUS_BYTES
        self.addCleanup(lambda: (setattr(campaign, "HERE", before[0]),
                                 setattr(campaign, "MOST_CORPUS_BYTES", before[1])))
        campaign.HERE = self.folder

    def test_a_commit_is_marked_where_files_other_than_the_record_changed(self):
        def git(*words):
            subprocess.run(["git", "-C", self.folder, "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True,
                           stdout=subprocess.DEVNULL)

        campaign.HERE = self.folder / "tests/fuzz"
        campaign.HERE.mkdir(parents=True)
        record, source = campaign.HERE / "campaigns.csv", self.folder / "source.cpp"
        for file in (record, source):
            file.write_text("before")
        git("init", "-q")
        git("add", "tests", "source.cpp")
        git("commit", "-q", "-m", "both")
        record.write_text("after")
        self.assertFalse(campaign.commit().endswith("+"))
        source.write_text("after")
        self.assertTrue(campaign.commit().endswith("+"))

    def told(self, words):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            status = campaign.main(list(map(str, words)))
        return status, output.getvalue()

    def attack(self, *readers):
        return self.told(["attack", self.fuzzer, self.work, 1, *readers])

    def lines(self):
        return [row[2:] for row in campaign.lines_of(self.record)]

    def test_each_reader_has_a_line(self):
        self.assertEqual(self.attack("good")[0], 0)
        self.assertEqual(self.attack("good")[0], 0)
        self.assertEqual(self.record.read_text().count(HEADER), 1)
        self.assertEqual([(line[0], *line[2:]) for line in self.lines()], [("good", 1200, 90000, 0)] * 2)

    def test_findings_are_told_counted_and_let_it_fail(self):
        status, text = self.attack("bad", "good")
        self.assertEqual(status, 1)
        self.assertIn("FOUND by bad", text)
        self.assertIn("it fell", text)
        self.assertEqual([line[-1] for line in self.lines()], [1, 0])

    def test_a_file_that_ends_the_hdf5_library_is_a_finding_only_where_its_process_does_not_hold_it(self):
        status, text = self.attack("mat")
        self.assertEqual(status, 0)
        self.assertIn("ended the HDF5 library 2 times", text)
        self.assertEqual([(line[0], line[2], line[4]) for line in self.lines()], [("mat", 120, 0)])
        self.assertFalse(list((self.work / "findings").glob("*crash*")))

    def test_a_file_that_its_process_does_not_hold_is_kept_and_told(self):
        os.environ["INPUT"] = "worse"
        self.addCleanup(os.environ.pop, "INPUT")
        status, text = self.attack("mat")
        self.assertEqual(status, 1)
        self.assertIn("FOUND by mat", text)
        self.assertTrue(list((self.work / "findings").glob("*crash*")))

    def test_an_unknown_reader_is_refused_and_not_recorded(self):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            self.assertEqual(self.attack("good", "god")[0], 2)
        self.assertIn("god", errors.getvalue())
        self.assertFalse(self.record.exists())

    def test_a_signal_ends_it_with_what_was_done_recorded(self):
        def end_when_begun():
            while not (self.work / "findings" / "waiting-begun").exists():
                pass
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=end_when_begun)
        thread.start()
        status, _ = self.attack("waiting", "good")
        thread.join()
        self.assertEqual(status, 0)
        self.assertEqual([(line[0], line[2], line[4]) for line in self.lines()], [("waiting", 5, 0)])

    def test_totals_are_sums_by_reader(self):
        self.record.write_text(HEADER + "2026-01-02,a1,csv,3600,100,20,0\n2026-01-01,b2+,npy,1800,50,90,1\n"
                               "2025-12-31,b2,csv,900,7,30,0\n")
        status, text = self.told(["total"])
        self.assertEqual(status, 0)
        self.assertEqual([line.split() for line in text.splitlines()[1:]],
                         [["csv", "1.25", "107", "30", "0", "2026-01-02"],
                          ["npy", "0.50", "50", "90", "1", "2026-01-01"],
                          ["all", "1.75", "157", "90", "1", "2026-01-02"]])

    def test_a_line_that_is_not_of_the_record_is_named(self):
        for text, place in (("date\n", ":1:"), (HEADER + "2026-01-01,a,csv,1,2,3\n", ":2:"), ("", ":1:"),
                            (HEADER + "2026-01-01,a,csv,1,2,3,0\n2026-13-01,a,csv,1,2,3,0\n", ":3:"),
                            (HEADER + "2026-01-01,a,csv,1,x,3,0\n", ":2:"), (HEADER + "\n", ":2:")):
            self.record.write_text(text)
            with self.assertRaises(SystemExit) as ended:
                self.told(["total"])
            self.assertIn(place, str(ended.exception))

    def test_merged_files_stay_below_the_limit_smallest_first(self):
        learned = self.work / "corpus" / "good"
        learned.mkdir(parents=True)
        for name, size in (("aaaaaaaaaaaa", 500), ("bbbbbbbbbbbb", 10), ("cccccccccccc", 100)):
            (learned / name).write_text("x" * size)
        (self.folder / "corpus" / "bad" / "old").write_text("y" * 300)
        campaign.MOST_CORPUS_BYTES = 405
        status, text = self.told(["merge", self.fuzzer, self.work])
        self.assertEqual(status, 0)
        self.assertEqual([file.name for file in (self.folder / "corpus" / "good").iterdir()], ["learned_bbbbbbbbbb"])
        self.assertIn("left out of good", text)

    def test_the_record_of_the_repository_can_be_read(self):
        for row in campaign.lines_of(Path(__file__).resolve().parent / "campaigns.csv"):
            self.assertGreaterEqual(min(row[3:]), 0)


if __name__ == "__main__":
    unittest.main()
