"""Compares the package with a C program: steps of 1,000 towels in turns, and the reset of one.

Fails if steps take over 3 % longer than in C, by the median of the ratios of turns, or if a reset
takes 20 microseconds or more. Both run one thread, whose CPU time counts: waiting for a core does no
harm, but caches are shared with what else runs.
"""
from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Callable

import numpy as np
import scenes
import weft

TURNS, SIDE, COUNT = 40, 30, 1000


def time_ns(work: Callable[[], object]) -> int:
    begin = time.thread_time_ns()
    work()
    return time.thread_time_ns() - begin


def compare_steps() -> float:
    """Time of a step here over that of a C program; prints both."""
    world = scenes.new_towels(SIDE, COUNT)
    command = [os.environ["WEFT_PYTHON_REFERENCE"], "time", str(SIDE), str(COUNT)]
    times = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as c:
        assert c.stdin is not None and c.stdout is not None
        for turn in range(TURNS):
            c.stdin.write("1\n")
            c.stdin.flush()
            times.append((int(c.stdout.readline()), time_ns(world.step)))
        c.stdin.close()
    in_c, here = np.median(np.array(times[2:]), axis=0) / 1e6
    ratio = float(np.median([b / a for a, b in times[2:]]))
    print(
        f"step of {COUNT} towels of {SIDE} x {SIDE}: C {in_c:.2f} ms, Python {here:.2f} ms, ",
        end="",
    )
    print(f"ratio {ratio:.3f}")
    return ratio


def time_reset() -> float:
    """Microseconds to put one of the towels back to its first state, by the median; prints them."""
    world = scenes.new_towels(SIDE, COUNT)
    towels = [slice(i * SIDE * SIDE, (i + 1) * SIDE * SIDE) for i in range(COUNT)]
    snapshots = [world.save_range(towel) for towel in towels]
    world.step(3)
    times = [time_ns(lambda: world.restore_range(snapshot)) for snapshot in snapshots]
    reset = float(np.median(times)) / 1e3
    print(f"reset of one of {COUNT} towels of {SIDE} x {SIDE}: {reset:.1f} us")
    return reset


if __name__ == "__main__":
    print(f"weft {weft.__version__}")
    ratio, reset = compare_steps(), time_reset()
    if ratio > 1.03 or reset >= 20:
        sys.exit("python: slower than it should be, on this machine at this time")
