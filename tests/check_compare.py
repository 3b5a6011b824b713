#!/usr/bin/env python3
"""Checks tools/compare.py: rows that belong together, noise, and files that do not compare.

usage: check_compare.py REPOSITORY [UNITTEST-ARGUMENT..]
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

COMPARE = pathlib.Path(sys.argv[1] if __name__ == "__main__" else ".") / "tools" / "compare.py"


def row(threads, median, q1=None, q3=None, **more):
    quartiles = {"step_ms_q1": median if q1 is None else q1, "step_ms_q3": median if q3 is None else q3}
    return {"scene": "sheet", "size": 9, "threads_asked": threads, "threads": 1, "state_hash": "1",
            "step_ms_median": median, **quartiles, **more}


def file_of(*rows, cpu="x"):
    return {"schema": "weft-bench/1", "machine": {"cpu": cpu}, "results": list(rows)}


def compare(old, new, *options):
    """Exit status and lines printed."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / name for name in ("old.json", "new.json")]
        for path, text in zip(paths, (old, new)):
            path.write_text(text if isinstance(text, str) else json.dumps(text))
        done = subprocess.run([sys.executable, COMPARE, *paths, *options], capture_output=True, text=True)
        return done.returncode, (done.stdout + done.stderr).splitlines()


SAME, SLOWER, FASTER = "within noise", "slower", "faster"
CASES = [
    ([row(1, 1.0)], [row(1, 1.04)], "0.05", [SAME]),
    ([row(1, 1.0)], [row(1, 1.06)], "0.05", [SLOWER]),
    ([row(1, 1.0)], [row(1, 0.94)], "0.05", [FASTER]),
    ([row(1, 1.0)], [row(1, 0.94)], "0.10", [SAME]),
    # quartiles 20 % apart in both files: a band of 14 %
    ([row(1, 1.0, 0.9, 1.1)], [row(1, 1.13, 1.02, 1.25)], "0.05", [SAME]),
    ([row(1, 1.0, 0.9, 1.1)], [row(1, 1.16, 1.05, 1.27)], "0.05", [SLOWER]),
    # without quartiles, the distance of the median from the fastest step
    ([{"threads": 1, "step_ms_median": 1.0, "step_ms_min": 0.8}],
     [{"threads": 1, "step_ms_median": 1.2, "step_ms_min": 0.8}], "0.05", [SAME]),
    ([{"threads": 1, "ns_per_link": 0.3}], [{"threads": 1, "ns_per_link": 0.4}], "0.05", [SLOWER]),
    # in another order, one on each side only, and one that is predicted
    ([row(1, 1.0), row(2, 0.5)], [row(4, 0.2), row(2, 0.7), row(1, 1.0, predicted=True)], "0.05",
     ["only in the old file", SLOWER, "only in the new file"]),
    # a key that occurs twice
    ([row(1, 1.0), row(1, 2.0)], [row(1, 1.0), row(1, 1.0)], "0.05", [SAME, FASTER]),
]
GOOD = file_of(row(1, 1))
BAD = [
    ("{", GOOD, "old.json:1: "),
    ({}, GOOD, "no results of weft-bench: no schema"),
    (GOOD, {"schema": "weft-sim/1"}, "new.json: schema 'weft-sim/1', which is not weft-bench/1"),
    (file_of(), file_of(), "old.json: no rows"),
    (GOOD, file_of(row(1, 1), cpu="y"), "of different machines: cpu"),
    (GOOD, file_of(row(2, 1)), "have no row in common"),
]


class Compare(unittest.TestCase):
    def test_rows_are_matched_by_what_was_set_and_judged_by_threshold_and_noise(self):
        for old, new, threshold, verdicts in CASES:
            with self.subTest(old=old, new=new):
                status, lines = compare(file_of(*old), file_of(*new), "--threshold", threshold)
                for line, verdict in zip(lines[-1 - len(verdicts):-1], verdicts):
                    self.assertTrue(line.endswith(verdict), line)
                self.assertEqual(status, SLOWER in verdicts)
                self.assertTrue(lines[-1].startswith(f"{verdicts.count(SLOWER)} slower, "), lines[-1])

    def test_files_that_do_not_compare_are_refused_by_name(self):
        for old, new, error in BAD:
            status, lines = compare(old, new)
            self.assertEqual((status, len(lines)), (2, 1))
            self.assertIn(error, lines[0])

    def test_other_machines_compare_when_told_to_and_other_bits_are_told(self):
        moved = file_of(row(1, 2.0, state_hash="2", strain_mean=0.02), cpu="y")
        status, lines = compare(file_of(row(1, 1.0, strain_mean=0.01)), moved, "--any-machine")
        self.assertEqual(status, 1)
        self.assertTrue(lines[-4].endswith("slower *"), lines)
        self.assertTrue(lines[-2].endswith("strain 1 % before, 2 % now"), lines)
        self.assertEqual(lines[-1], "1 slower, 0 faster, 0 within noise")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
