#!/usr/bin/env python3
"""Checks a trace file against the Trace Event Format, and that its lanes cover the steps.

usage: check_trace.py FILE [STEPS]

Slices of a lane must nest. Of each step, slices of the outermost level must cover 98 % on every
lane. Prints the number of worlds, steps and slices; exits with 1 and says what is wrong.
"""
import collections
import json
import sys


def fail(text):
    sys.exit(f"{sys.argv[1]}: {text}")


def check_event(event):
    keys = {"X": {"ts", "dur", "cat", "name"}, "C": {"ts", "name", "args"}, "M": {"name", "args"}}
    kind = event.get("ph")
    if kind not in keys:
        fail(f"no such event type: {event}")
    for key in keys[kind] | {"pid", "tid"}:
        if key not in event:
            fail(f"no {key}: {event}")
    if kind == "C" and not all(isinstance(v, (int, float)) for v in event["args"].values()):
        fail(f"a counter is no number: {event}")
    if kind == "X" and (event["ts"] < 0 or event["dur"] < 0):
        fail(f"time before the first step: {event}")


def nanoseconds(microseconds):
    return round(1000 * microseconds)


def check_nesting(slices):
    """Returns the outermost slices as (begin, end)."""
    outermost, stack = [], []
    for event in sorted(slices, key=lambda e: nanoseconds(e["ts"])):
        begin = nanoseconds(event["ts"])
        end = begin + nanoseconds(event["dur"])
        while stack and stack[-1] <= begin and not (begin == end == stack[-1]):
            stack.pop()
        if stack and end > stack[-1]:
            fail(f"ends after the slice around it: {event}")
        if not stack:
            outermost.append((begin, end))
        stack.append(end)
    return outermost


def covered(step, slices):
    begin, end = step
    return sum(max(0, min(end, e) - max(begin, b)) for b, e in slices) / max(1, end - begin)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        trace = json.load(file)
    lanes, steps, names = collections.defaultdict(list), collections.defaultdict(list), set()
    for event in trace["traceEvents"]:
        check_event(event)
        if event["ph"] == "X":
            lanes[event["pid"], event["tid"]].append(event)
            if event["cat"] == "step":
                begin = nanoseconds(event["ts"])
                steps[event["pid"]].append((begin, begin + nanoseconds(event["dur"])))
        elif event["name"] == "thread_name":
            names.add((event["pid"], event["tid"]))
    if set(lanes) != names and steps:
        fail("lanes and their names differ")
    for (world, lane), slices in lanes.items():
        outermost = check_nesting([s for s in slices if s["cat"] not in ("step",)])
        for step in steps[world]:
            near = [s for s in outermost if s[1] > step[0] and s[0] < step[1]]
            share = covered(step, near)
            if share < 0.98:
                fail(f"worker {lane}: slices cover {share:.3f} of a step")
    counts = {len(s) for s in steps.values()}
    if len(sys.argv) == 3 and counts != {int(sys.argv[2])}:
        fail(f"{sorted(counts)} steps, not {sys.argv[2]}")
    print(f"{len(steps)} worlds, {sum(len(s) for s in steps.values())} steps, "
          f"{sum(len(s) for s in lanes.values())} slices")


main()
