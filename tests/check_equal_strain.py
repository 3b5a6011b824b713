#!/usr/bin/env python3
"""Checks tools/report/equal_strain.py: the runs that it takes, bounds, and its table.

usage: check_equal_strain.py REPOSITORY [UNITTEST-ARGUMENT..]
"""
import pathlib
import sys
import unittest

REPOSITORY = pathlib.Path(sys.argv[1] if __name__ == "__main__" else ".")
sys.path.insert(0, str(REPOSITORY / "tools" / "report"))
sys.dont_write_bytecode = True

import equal_strain  # noqa: E402


def row(method, step_ms, strain):
    return {"method": method, "step_ms_median": step_ms, "strain_mean": strain, "iterations": 10,
            "coarse_iterations": 0, "substeps": 1}


class EqualStrain(unittest.TestCase):
    def test_the_fastest_run_on_either_side_is_taken(self):
        rows = [row("serial", 10, 0.2), row("serial", 30, 0.1), row("colored", 100, 0.02),
                row("plain", 3, 0.02), row("serial-lra", 12, 0.01), row("colored-lra", 15, 0.001),
                row("substeps", 2, 0.08), row("coarse", 1, 0.09), row("coarse", 0.5, 0.11),
                row("coarse", 0.1, None)]
        first, second, third, last = equal_strain.find(rows)
        self.assertEqual(first["target"], 0.1)
        self.assertEqual([rows.index(first[side]) for side in ("serial", "serial_method", "engine")],
                         [1, 4, 7])
        self.assertEqual([first[name] for name in ("ratio", "method_ratio", "engine_ratio",
                                                   "ratio_at_least")], [30, 2.5, 12, None])
        self.assertEqual((second["serial_ms"], second["engine_ms"], second["ratio"]),
                         (100, 3, 100 / 3))
        self.assertEqual(third["serial_method_ms"], 12)
        # two ways reach 1 %; only the slower one keeps to 0.3 %
        self.assertEqual((last["serial_method_ms"], last["method_ratio_at_least"]), (15, 100 / 15))
        for found in third, last:
            self.assertEqual([found[name] for name in ("serial_ms", "engine_ms", "ratio",
                                                       "ratio_at_least")], [None] * 4)

    def test_a_strain_that_serial_does_not_reach_gives_a_bound_and_no_ratio(self):
        rows = [row("serial", 100, 0.5), row("serial", 10, 0.9), row("coarse", 2, 0.05)]
        first, second = equal_strain.find(rows)[:2]
        self.assertEqual((first["serial_ms"], first["ratio"]), (None, None))
        self.assertEqual((first["engine_ms"], first["ratio_at_least"]), (2, 50))
        self.assertIsNone(second["ratio_at_least"])
        lines = equal_strain.table(rows)
        self.assertEqual(lines[1].split(), "10 % not reached > 100.000 50 %".split())
        self.assertTrue(lines[3].endswith("> 50.0"), lines[3])
        # without a serial run there is no bound
        first = equal_strain.find(rows[2:])[0]
        self.assertEqual((first["ratio"], first["ratio_at_least"], first["engine_ms"]), (None, None, 2))
        self.assertIn("not run", equal_strain.table(rows[2:])[1])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
