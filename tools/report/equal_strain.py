#!/usr/bin/env python3
"""Compares methods at equal strain, from a file of weft-bench quality.

For some mean strains: the fastest plain serial run, the fastest serial run of any method and the
fastest run of the engine that keep to it. So the speed-up is a product of two: by method, of a
serial run with attachments over one without, and by engine, of the engine over the former. What an
algorithm gains is not taken for what vectors, memory order and threads gain.

Where no plain serial run keeps to a strain, nothing is extrapolated. One that did would take longer
than the slowest that did not, which gives lower bounds, with a '>'."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from results import show  # noqa: E402

TARGETS = 0.10, 0.03, 0.01, 0.003
PLAIN = "serial", "colored"
SERIAL = PLAIN + ("serial-lra", "colored-lra", "vertex-block")
HEADS = ["mean strain", "run", "ms/step", "its strain", "by method", "by engine", "in all"]


def milliseconds(row):
    return row["step_ms_median"] if row else None


def over(a, b):
    return milliseconds(a) / milliseconds(b) if a and b else None


def find(rows):
    """For each target the runs, their times and their ratios; None where there is none."""
    plain = [row for row in rows if row["method"] in PLAIN]
    serial = [row for row in rows if row["method"] in SERIAL]
    engine = [row for row in rows if row["method"] not in SERIAL]

    def fastest(runs, target):
        # NaN keeps to nothing
        kept = [row for row in runs if row["strain_mean"] is not None and row["strain_mean"] <= target]
        return min(kept, key=milliseconds, default=None)

    found = []
    for target in TARGETS:
        best, method, ours = (fastest(runs, target) for runs in (plain, serial, engine))
        slowest = None if best else max(plain, key=milliseconds, default=None)
        found.append({
            "target": target, "serial": best, "serial_method": method, "engine": ours,
            "slowest_serial": slowest,
            "serial_ms": milliseconds(best), "serial_method_ms": milliseconds(method),
            "engine_ms": milliseconds(ours), "ratio": over(best, ours),
            "ratio_at_least": over(slowest, ours), "method_ratio": over(best, method),
            "method_ratio_at_least": over(slowest, method), "engine_ratio": over(method, ours)})
    return found


# ---- table ----

def strain(value):
    if value is None:
        return "not finite"
    return f"{100 * value:.3g} %" if value < 10 else f"{value:.2g} x"


def title(row):
    """The method and its setting: "lra, 4 substeps of 1"."""
    name = "" if row["method"] in ("substeps", "coarse") else row["method"] + ", "
    whole = row["substeps"] == 1
    substeps = "" if whole else f"{row['substeps']} substeps of "
    coarse = f"{row['coarse_iterations']} coarse + " if row["method"] == "coarse" else ""
    noun = "" if not whole else " iteration" if row["iterations"] == 1 else " iterations"
    return f"{name}{substeps}{coarse}{row['iterations']}{noun}"


def ratio(value, at_least=None):
    return f"{value:.1f}" if value else f"> {at_least:.1f}" if at_least else ""


def cells(row, slowest, was_run):
    """The run, its time and its strain. A bound has the slowest run."""
    name = title(row) if row else "not reached" if was_run else "not run"
    shown = row or slowest
    if not shown:
        return [name, "", ""]
    bound = "" if row else "> "
    return [name, f"{bound}{shown['step_ms_median']:.3f}", strain(shown["strain_mean"])]


def table(rows):
    """Three lines for a target: ratios stand beside their runs."""
    has_methods = any(row["method"] in SERIAL for row in rows)
    has_engine = any(row["method"] not in SERIAL for row in rows)
    lines = [HEADS]
    for e in find(rows):
        slowest = e["slowest_serial"]
        lines += [
            [f"{100 * e['target']:.3g} %", *cells(e["serial"], slowest, slowest), "", "", ""],
            ["", *cells(e["serial_method"], None, has_methods),
             ratio(e["method_ratio"], e["method_ratio_at_least"]), "", ""],
            ["", *cells(e["engine"], None, has_engine), "", ratio(e["engine_ratio"]),
             ratio(e["ratio"], e["ratio_at_least"])]]
    widths = [max(map(len, column)) for column in zip(*lines)]
    return ["  ".join(text.ljust(width) if at == 1 else text.rjust(width)
                      for at, (text, width) in enumerate(zip(line, widths))) for line in lines]


def notes(found):
    bounded = any(e["ratio_at_least"] for e in found)
    compared = any(e["ratio"] for e in found)
    lines = []
    if bounded or compared:
        lines.append("times faster by method: serial runs alone; by engine: over the serial run "
                     "above; in all:\nover the plain serial loop, the product of the two")
    if bounded:
        lines.append("> a lower bound: not even the slowest plain serial run keeps to it")
    if compared:
        lines.append("serial settings are some 3 times apart, and a ratio may be that much too high")
    return lines


def print_comparison(found):
    rows = found["results"]
    print("the fastest that keeps to a mean strain: plain serial, serial by any method, engine")
    print("\n".join(table(rows) + notes(find(rows))))


if __name__ == "__main__":
    sys.exit(show(__doc__, "quality", ("method", "strain_mean"), print_comparison))
