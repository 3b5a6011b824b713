#!/usr/bin/env python3
"""Prints the page docs/validation.md from a file of weft-bench validate."""
import sys
import textwrap

from results import show

HEAD = """\
# Validation

`weft-bench validate` compares weft with closed forms. This page is its output, written by

    weft-bench validate --json validation.json
    tools/validation.py validation.json > docs/validation.md
    tools/plot.sh validate validation.json validation.svg      # errors as a chart

and not by hand. A row is missed if its error exceeds the tolerance, and the command then exits
with status 1. Tests take the settings of one table: the default of a world (`WEFT_AUTO`) unless
a row says otherwise.
"""
COLUMNS = """\
| check | expected | measured | error | tolerance | holds | particles | cm | steps/s x substeps \
| sweeps, of levels, attachments | ms a step |
|---|---|---|---|---|---|---|---|---|---|---|"""


def number(value):
    return "not finite" if value is None else f"{value:.4g}"


def error(row, name):
    if row[name] is None:
        return "not finite"
    return f"{row[name]:.3g}" if row["is_absolute"] else f"{100 * row[name]:.3g} %"


def share(row):
    """Error over tolerance."""
    return float("inf") if row["error"] is None else abs(row["error"]) / row["tolerance"]


def print_row(row):
    cells = [
        row["check"], f"{number(row['expected'])} {row['unit']}".strip(), number(row["measured"]),
        error(row, "error"), error(row, "tolerance"), "yes" if row["holds"] else "**missed**",
        row["particles"], f"{100 * row['spacing']:.3g}", f"{row['rate']:g} x {row['substeps']}",
        f"{row['iterations']}, {row['coarse_iterations']}, {row['attachments']}",
        "not finite" if row["step_ms"] is None else f"{row['step_ms']:.3g}"]
    print("|", " | ".join(map(str, cells)), "|")


def print_page(found):
    machine = found["machine"]
    tests = [(test, [row for row in found["results"] if row["test"] == test["name"]])
             for test in found["tests"]]
    tests = [(test, rows) for test, rows in tests if rows]
    quick = " With --quick: a part of the cases." if found["quick"] else ""
    print(HEAD)
    print(f"weft {machine['version']}, {machine['cpu']}, {machine['compiler']}.{quick}\n")
    print("| test | held | largest error over tolerance |\n|---|---|---|")
    for test, rows in tests:
        print(f"| [{test['name']}](#{test['name']}): {test['summary']} "
              f"| {sum(row['holds'] for row in rows)} of {len(rows)} | {max(map(share, rows)):.2g} |")
    for test, rows in tests:
        print(f"\n## {test['name']}\n")
        print(textwrap.fill(test["reference"], 100, break_on_hyphens=False,
                            break_long_words=False), end="\n\n")
        print(COLUMNS)
        for row in rows:
            print_row(row)
    print()


if __name__ == "__main__":
    sys.exit(show(__doc__, "validate", ("tests", "tolerance"), print_page))
