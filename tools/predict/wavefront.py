"""Wavefront of a replay, by the rules and limits of engine/parallel/wavefront.c."""

from heapq import heapify, heappop, heappush

from graphs import total

MAX_MISSES = 8


class Walk:
    """Way of a worker over a share of the patches."""

    __slots__ = (
        "owner",
        "first",
        "count",
        "is_downward",
        "finished",
        "i",
        "behind",
        "misses",
        "is_behind",
        "has_moved",
        "is_idle",
        "idle_since",
        "patch",
    )

    def __init__(self):
        self.is_idle, self.idle_since, self.patch = False, 0.0, None
        self.behind = self.misses = 0

    def patch_at(self, i):
        return self.first + self.count - 1 - i if self.is_downward else self.first + i


class Wavefront:
    """Patches advance phase by phase. A patch is ready if no worker holds it and no neighbour is
    missing; both are bytes, for a fast search of the next."""

    def __init__(self, pool, task):
        self.pool, self.costs = pool, pool.costs
        self.patches, self.phase_count, self.cost = task.patches, task.phases, task.costs
        count = self.patches.count
        self.phases = [0] * count  # completed
        self.by = [None] * count  # worker that has completed the last one
        self.at = [0.0] * count  # time when it did so
        self.missing = [0] * count  # neighbours that the next phase waits for
        self.is_held = bytearray(count)
        self.ready = bytearray(b"\1" * count)
        self.unfinished = bytearray(b"\1" * count)
        self.left, self.idle_count, self.end = count, 0, pool.time
        self.first_patch, self.owner = self._partition(task)
        self.walks = [Walk() for _ in range(pool.count)]
        for worker, walk in enumerate(self.walks):
            self._enter_share(worker, walk)

    def _partition(self, task):
        """First patch of each share, and the share of each patch."""
        workers, phases = self.pool.count, task.phases
        first, owner, so_far = [], [], 0.0
        for p in range(self.patches.count):
            while len(first) < workers and so_far * workers >= task.work_ns * len(first):
                first.append(p)
            so_far += total(task.costs[p * phases : (p + 1) * phases])
            owner.append(len(first) - 1)
        return first + [self.patches.count] * (workers + 1 - len(first)), owner

    # ---- order ----

    def _enter_share(self, owner, walk):
        walk.owner, walk.first = owner, self.first_patch[owner]
        walk.count = self.first_patch[owner + 1] - walk.first
        walk.is_downward = owner % 2 == 1
        walk.finished = walk.i = 0
        walk.is_behind = walk.has_moved = False

    def _next_in_pass(self, walk):
        """Next ready patch of the pass over the share; None at its end."""
        ready = self.ready
        while walk.is_behind and walk.behind > walk.finished and walk.misses < MAX_MISSES:
            walk.behind -= 1
            patch = walk.patch_at(walk.behind)
            if ready[patch]:
                walk.misses = 0
                return patch
            walk.misses += 1
        walk.is_behind = False
        first, count = walk.first, walk.count
        if walk.is_downward:
            patch = ready.rfind(1, first, first + count - walk.i)
            place = first + count - 1 - patch
        else:
            patch = ready.find(1, first + walk.i, first + count)
            place = patch - first
        if patch < 0:
            walk.i = count
            return None
        walk.i, walk.behind, walk.misses = place + 1, place, 0
        walk.is_behind = walk.has_moved = True
        return patch

    def _begin_pass(self, walk):
        first, count = walk.first, walk.count
        if walk.is_downward:
            patch = self.unfinished.rfind(1, first, first + count - walk.finished)
            walk.finished = first + count - 1 - patch if patch >= 0 else count
        else:
            patch = self.unfinished.find(1, first + walk.finished, first + count)
            walk.finished = patch - first if patch >= 0 else count
        walk.i = walk.finished
        walk.is_behind = walk.has_moved = False

    def _next_of_others(self, worker):
        """Ready patch of another share, from the end where its owner arrives last."""
        if self.ready.find(1) < 0:
            return None
        for k in range(1, self.pool.count):
            owner = (worker + k) % self.pool.count
            begin, end = self.first_patch[owner], self.first_patch[owner + 1]
            find = self.ready.find if owner % 2 == 1 else self.ready.rfind
            patch = find(1, begin, end)
            if patch >= 0:
                return patch
        return None

    def _next_unfinished_share(self, owner):
        patch = self.unfinished.find(1, self.first_patch[owner + 1])
        return self.owner[patch if patch >= 0 else self.unfinished.find(1)]

    def _next_patch(self, worker, time):
        """Next patch of a worker, and the time to find it in another share."""
        walk = self.walks[worker]
        while True:
            patch = self._next_in_pass(walk)
            if patch is not None:
                return patch, time
            has_moved = walk.has_moved
            self._begin_pass(walk)
            if has_moved:
                continue
            if walk.finished < walk.count:
                return self._next_of_others(worker), time + self.costs.steal
            self._enter_share(self._next_unfinished_share(walk.owner), walk)
            self._begin_pass(walk)

    # ---- phases ----

    def _begin_phase(self, worker, patch, time):
        """Begins the next phase of a patch, not before its neighbours' last phases are seen."""
        handoff, phases, by, at = self.costs.handoff, self.phases, self.by, self.at
        for q in (patch, *self.patches.neighbors[patch]):
            if phases[q] > 0 and by[q] != worker and at[q] + handoff > time:
                time = at[q] + handoff
        self.is_held[patch], self.ready[patch] = 1, 0
        self.walks[worker].patch = patch
        cost = self.cost[patch * self.phase_count + phases[patch]]
        heappush(self.events, (time + cost * self.costs.slowdown, worker))

    def _look_for_patch(self, worker, time):
        walk = self.walks[worker]
        patch, found = self._next_patch(worker, time + self.costs.claim)
        walk.patch = None
        if patch is not None:
            self._begin_phase(worker, patch, found)
            return
        walk.is_idle, walk.idle_since = True, time
        self.idle_count += 1

    def _wake_for(self, patch, time):
        """An idle worker takes a ready patch: its owner, else the nearest before it."""
        if self.idle_count == 0 or not self.ready[patch]:
            return
        owner = self.owner[patch]
        for k in range(self.pool.count):
            worker = (owner - k) % self.pool.count
            walk = self.walks[worker]
            if not walk.is_idle:
                continue
            walk.is_idle = False
            self.idle_count -= 1
            late = time if walk.owner == owner else max(time, walk.idle_since + self.costs.steal)
            self._begin_phase(worker, patch, late)
            return

    def _advance(self, patch):
        """Counts a phase, for the patch and for the neighbours that wait for it."""
        phases, missing = self.phases, self.missing
        phases[patch] = done = phases[patch] + 1
        lower, higher = self.patches.lower[patch], self.patches.higher[patch]
        for near, wanted in ((higher, done - 1), (lower, done)):
            for q in near:
                # lower colours go first, but in phase 0
                if phases[q] == wanted and phases[q] > 0:
                    missing[q] -= 1
                    if missing[q] == 0 and not self.is_held[q] and self.unfinished[q]:
                        self.ready[q] = 1
        missing[patch] = sum(1 for q in lower if phases[q] <= done) + sum(
            1 for q in higher if phases[q] < done
        )
        self.is_held[patch] = 0
        if done == self.phase_count:
            self.left -= 1
            self.unfinished[patch] = 0
        elif missing[patch] == 0:
            self.ready[patch] = 1

    def _complete_phase(self, worker, time):
        patch = self.walks[worker].patch
        self.by[patch], self.at[patch] = worker, time
        self.end = max(self.end, time)
        self._advance(patch)
        if self.ready[patch]:
            self._begin_phase(worker, patch, time)
        elif self.left > 0:
            self._look_for_patch(worker, time)
        self._wake_for(patch, time)
        for q in self.patches.neighbors[patch]:
            self._wake_for(q, time)

    def run(self):
        """Time when all work is done."""
        pool = self.pool
        self.events = [(time, worker) for worker, time in enumerate(pool.arrival)]
        heapify(self.events)
        while self.events:
            time, worker = heappop(self.events)
            if self.walks[worker].patch is not None:
                self._complete_phase(worker, time)
            elif self.left > 0:
                self._look_for_patch(worker, time)
        pool.idle_since = [max(arrival, self.end) for arrival in pool.arrival]
        return self.end
