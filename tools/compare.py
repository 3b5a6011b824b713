#!/usr/bin/env python3
"""Compares the median steps (of limits, the times a link) of two files of results of one command of
weft-bench. Rows are matched by scene, size, solver, method, instruction set, threads asked for and
settings.

A row is slower or faster if it differs by more than the threshold and by more than its noise: half
the distance of the quartiles of either file, both combined as independent errors. Rows in only one
file are named. Rows with other bits have their strain below the table: a time counts together with
it. Exit status: 0 nothing slower, 1 at least one row slower, 2 error."""
import argparse
import math
import sys

from results import Fault, read

# columns that are set, in printed order
KEYS = ["scene", "size", "count", "contacts", "solver", "method", "isa", "threads", "iterations",
        "coarse_iterations", "substeps", "attachments", "beside", "mode"]
MACHINE = ["cpu", "cores", "hardware_threads", "available_cpus", "caches"]
SHOWN_KEY = 40


def check_machines(old, new, paths):
    for name in MACHINE:
        if old.get("machine", {}).get(name) != new.get("machine", {}).get(name):
            raise Fault(f"{paths[0]} and {paths[1]} are of different machines: {name} "
                        "(see --any-machine)")


# ---- keys ----

def key_of(row, name):
    """Requested columns are set; columns about the run are not."""
    asked = row.get("threads_asked") if name == "threads" else None
    return row.get(name) if asked is None else asked


def is_match(a, b):
    """Older files lack columns of newer ones."""
    return all(key_of(a, name) == key_of(b, name) or None in (key_of(a, name), key_of(b, name))
               for name in KEYS)


def title(rows, row, common):
    """The values of a row that are the same in all rows, or the others."""
    words = []
    for name in KEYS:
        value = key_of(row, name)
        if all(key_of(other, name) == key_of(rows[0], name) for other in rows) != common:
            continue
        if isinstance(value, str):
            words.append(value)
        elif isinstance(value, int):
            words.append(f"{name} {value}")
    return " ".join(words)


# ---- values ----

def number(row, name):
    value = row.get(name) if row else None
    return float(value) if isinstance(value, (int, float)) else math.nan


def value_of(row):
    value = number(row, "step_ms_median")
    return number(row, "ns_per_link") if math.isnan(value) else value


def noise_of(row):
    """Half the distance of the quartiles, as a share; without them, from the median to the
    fastest."""
    median = number(row, "step_ms_median")
    noise = 0.5 * (number(row, "step_ms_q3") - number(row, "step_ms_q1"))
    if math.isnan(noise):
        noise = median - number(row, "step_ms_min")
    return 0.0 if math.isnan(noise) else noise / median


class Compared:
    """Two rows that belong together, or one (the other None)."""

    def __init__(self, rows, old, new, threshold):
        self.key = title(rows, old or new, False)[:SHOWN_KEY]
        self.old, self.new = value_of(old), value_of(new)
        self.ratio = self.new / self.old
        self.noise = math.hypot(noise_of(old), noise_of(new))
        self.strains = number(old, "strain_mean"), number(new, "strain_mean")
        hashes = [row and row.get("state_hash") for row in (old, new)]
        self.has_other_bits = None not in hashes and hashes[0] != hashes[1]
        band = 1.0 + max(threshold, self.noise)
        self.verdict = ("only in the new file" if not old else "only in the old file" if not new
                        else "slower" if self.ratio > band
                        else "faster" if self.ratio < 1.0 / band else "within noise")


def compare(old, new, threshold, paths):
    """Rows of only the new file last. A key may occur twice: the first one left is taken."""
    left, made, matched = list(new["results"]), [], 0
    for row in old["results"]:
        match = next((other for other in left if is_match(other, row)), None)
        if match:
            left = [other for other in left if other is not match]
            matched += 1
        made.append(Compared(old["results"], row, match, threshold))
    if not matched:
        raise Fault(f"{paths[0]} and {paths[1]} have no row in common")
    return made + [Compared(new["results"], None, row, threshold) for row in left]


# ---- report ----

def cell(value, text="{:.3f}"):
    return text.format(value) if math.isfinite(value) else ""


def percent(strain):
    return f"{100 * strain:.3g} %" if strain < 10 else f"{strain:.2g} x"


def print_table(made):
    lines = [["row", "old", "new", "new/old", "noise", "verdict"]]
    for row in made:
        noise = cell(100 * row.noise, "{:.1f} %") if math.isfinite(row.ratio) else ""
        lines.append([row.key, cell(row.old), cell(row.new), cell(row.ratio), noise,
                      row.verdict + (" *" if row.has_other_bits else "")])
    widths = [max(map(len, column)) for column in zip(*lines)]
    gap = "  " if sum(widths) + 2 * (len(widths) - 1) <= 100 else " "
    for line in lines:
        middle = [text.rjust(width) for text, width in zip(line[1:-1], widths[1:-1])]
        print(gap.join([line[0].ljust(widths[0]), *middle, line[-1]]))


def print_other_bits(made):
    """Other bits are other work: read the time with its strain."""
    others = [row for row in made if row.has_other_bits]
    if others:
        print("* other state hash than before")
    for row in others:
        if not any(map(math.isnan, row.strains)):
            print("  {}: strain {} before, {} now".format(row.key, *map(percent, row.strains)))


def share(text):
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 to 1")
    return value


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", metavar="OLD.json")
    parser.add_argument("new", metavar="NEW.json")
    parser.add_argument("--threshold", type=share, default=0.05, metavar="SHARE",
                        help="rows that differ by less are within noise, 0 to 1 (default 0.05)")
    parser.add_argument("--any-machine", action="store_true",
                        help="compares files of different machines, too")
    options = parser.parse_args()
    paths = options.old, options.new
    try:
        old, new = map(read, paths)
        if not options.any_machine:
            check_machines(old, new, paths)
        made = compare(old, new, options.threshold, paths)
    except Fault as fault:
        print(f"compare: {fault}", file=sys.stderr)
        return 2
    common = title(old["results"], old["results"][0], True)[:100]
    if common:
        print(common)
    print_table(made)
    print_other_bits(made)
    counts = [sum(row.verdict == verdict for row in made)
              for verdict in ("slower", "faster", "within noise")]
    missing = len(made) - sum(counts)
    print("{} slower, {} faster, {} within noise".format(*counts)
          + (f", {missing} in only one file" if missing else ""))
    return 1 if counts[0] else 0


if __name__ == "__main__":
    sys.exit(main())
