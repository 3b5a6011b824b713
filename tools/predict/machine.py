"""Costs of a replay, as far as the measured machine tells them, and as assumed for larger ones.

handoff, slowdown and memory are those of the file (bench/recording.h) up to its CPUs. Of more
workers each has a core of its own, and memory grows in proportion, up to a socket of twelve
channels DDR5-4800. Private caches grow with the cores: their part of the work is in the recorded
costs.
"""

import math
from dataclasses import dataclass, field

SOCKET_GB_PER_S = 460.0


@dataclass
class Costs:
    """Times in nanoseconds, of the order of Zen 4 with two workers: docs/performance.md."""

    handoff: float = 60.0  # cache line from core to core: half a round trip
    look: float = 5.0  # at another worker's line, at the end of a loop and of a job
    claim: float = 10.0  # one piece or patch
    steal: float = 600.0  # until a worker without a ready patch looks at other shares
    wake: float = 2000.0  # the caller's, per parked worker
    wake_up: float = 5000.0  # from wake to run
    spin: float = 35000.0  # a worker without a job, until it parks
    slowdown: float = 1.0  # of the work: n cores over their work together, >= 1
    memory_gb_per_s: float = math.inf  # shared by all workers
    traffic: dict = field(default_factory=dict)  # bytes by stage


class Machine:
    """The member `costs` of a file."""

    def __init__(self, file):
        costs = file["costs"]
        self.cpus = costs["cpus"].whole(1)
        self.gb_per_s = costs["gb_per_s"].positive()
        self.l3_bytes = costs["l3_bytes"].number()
        self.round_trip_ns = None
        if costs.has("round_trip_ns"):
            self.round_trip_ns = costs["round_trip_ns"].number()
        self.slowdowns = {1: 1.0}
        for item in costs["slowdown"].items():
            self.slowdowns[item["threads"].whole(2)] = item["factor"].number(1.0)

    def memory(self, workers, given=None):
        """Gigabytes a second of several workers together."""
        if workers <= self.cpus:
            return self.gb_per_s
        if given is not None:
            return given
        in_proportion = self.gb_per_s / self.cpus * workers
        return max(self.gb_per_s, min(in_proportion, SOCKET_GB_PER_S))

    def slowdown(self, workers):
        """As measured; linear between measured numbers of workers."""
        if workers in self.slowdowns or workers > max(self.slowdowns):
            return self.slowdowns.get(workers, 1.0)
        below = max(n for n in self.slowdowns if n < workers)
        above = min(n for n in self.slowdowns if n > workers)
        share = (workers - below) / (above - below)
        return (1.0 - share) * self.slowdowns[below] + share * self.slowdowns[above]

    def costs(self, workers, given=None):
        """Costs for a number of workers, without the traffic of the stages."""
        made = Costs(slowdown=self.slowdown(workers), memory_gb_per_s=self.memory(workers, given))
        if self.round_trip_ns is not None:
            made.handoff = 0.5 * self.round_trip_ns
        return made

    def traffic(self, recording):
        """Traffic of each stage with memory: none for data that stays in L3."""
        kept = self.l3_bytes * recording["substeps"].whole(1)
        stages = recording["traffic"]
        moved = {stage: stages[stage].number() for stage in stages.value}
        return {stage: moved for stage, moved in moved.items() if moved > kept}
