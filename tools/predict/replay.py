"""Replay of a task graph on simulated workers, by the rules of engine/parallel/: a discrete-event
simulation.

    job          the caller opens it; workers that spin join a handoff later, and those that have
                 parked are woken by the caller one after another
    loop         each worker takes the pieces of its share, then those that others have left
    wavefront    each worker passes over its share of the patches, upwards or downwards by turns,
                 advances each as far as its neighbours allow, then those just behind it; one
                 without a ready patch takes one of another share
    end          the caller waits for all that have joined, and looks at every worker

Costs are those of one worker. Beside the time of the step it accounts for all that is lost on the
way: workers x time of the step = work + losses.
"""

from heapq import heapify, heappop, heappush

from graphs import LOOP, SERIAL
from wavefront import Wavefront

# causes of losses
ALONE = "serial"  # the caller alone
OPENING = "job opening"  # jobs are opened, workers woken and looked at
PATH = "longest path"  # the longest path through a job is longer than its share of the work
WAITING = "waiting"  # the rest: handoffs, an uneven end, patches that are not ready
MEMORY = "memory"  # the ceiling of the memory
SLOWDOWN = "slower cores"  # cores that are slower together


class Pool:
    """Clocks of the workers; times in nanoseconds."""

    def __init__(self, count, costs):
        self.count, self.costs = count, costs
        self.time = 0.0  # the caller's
        self.arrival = [0.0] * count  # each worker's in the job
        self.idle_since = [0.0] * count  # begin of its last wait for a job

    def open_job(self):
        """Sets the arrivals of all workers; the caller's follows its wake-ups."""
        costs, opened = self.costs, self.time
        for worker in range(1, self.count):
            if opened - self.idle_since[worker] <= costs.spin:
                self.arrival[worker] = opened + costs.handoff
            else:
                self.time += costs.wake
                self.arrival[worker] = self.time + costs.wake_up
        self.arrival[0] = self.time


class _Shares:
    """Unclaimed pieces of each worker's share."""

    def __init__(self, pool, pieces):
        n = pool.count
        self.count, self.costs, self.left = n, pool.costs, pieces
        self.next = [pieces * w // n for w in range(n)]
        self.end = [pieces * (w + 1) // n for w in range(n)]
        self.seen = [0] * n  # shares that a worker has found empty

    def claim(self, worker, time):
        """Next piece for the worker, None if there is none, and the time after its claim."""
        costs, first, k = self.costs, self.next, self.seen[worker]
        if self.left == 0:
            for _ in range(k, self.count):
                time += costs.look
            self.seen[worker] = self.count
            return None, time
        owner = (worker + k) % self.count
        while first[owner] == self.end[owner]:
            time += costs.look
            k += 1
            owner = (worker + k) % self.count
        self.seen[worker] = k
        first[owner] += 1
        self.left -= 1
        return first[owner] - 1, time + (costs.claim if k == 0 else costs.handoff)


def _run_loop(pool, task):
    """Time when all pieces are done; sets idle_since to the end of each worker's work."""
    shares, end, slowdown = _Shares(pool, task.count), pool.time, pool.costs.slowdown
    events = [(time, worker) for worker, time in enumerate(pool.arrival)]
    heapify(events)
    while events:
        time, worker = heappop(events)
        piece, time = shares.claim(worker, time)
        if piece is None:
            pool.idle_since[worker] = time
            continue
        time += task.costs[piece] * slowdown
        end = max(end, time)
        heappush(events, (time, worker))
    return end


class Replay:
    """A step on some number of workers.

    ns: of the step; work_ns: of one worker; path_ns: the longest path, serial parts and that of
    each job; losses: (cause, name) -> ns, the largest first, in all workers * ns - work_ns.
    """

    def __init__(self, tasks, workers, costs):
        self.pool = Pool(workers, costs)
        self.work_ns = self.path_ns = 0.0
        self.losses = {}
        self.stage_work = {}  # in jobs
        for task in tasks:
            if task.kind != SERIAL:
                self.stage_work[task.stage] = self.stage_work.get(task.stage, 0.0) + task.work_ns
        for task in tasks:
            self._run_task(task)
        self.ns = self.pool.time
        self.losses = dict(sorted(self.losses.items(), key=lambda loss: -loss[1]))

    def speed_up(self):
        return self.work_ns / self.ns

    def _lose(self, cause, name, ns):
        if ns > 0.0:
            self.losses[cause, name] = self.losses.get((cause, name), 0.0) + ns

    def _run_task(self, task):
        self.work_ns += task.work_ns
        if task.kind == SERIAL or task.count * task.phases <= 1 or self.pool.count == 1:
            self.path_ns += task.work_ns
            self._run_alone(task)
        else:
            self.path_ns += task.path_ns()
            self._run_job(task)

    def _run_alone(self, task):
        """A task of the caller: a serial part, or a loop of one piece."""
        work_ns = task.work_ns * self.pool.costs.slowdown
        self.pool.time += work_ns
        self._lose(ALONE, task.name, (self.pool.count - 1) * work_ns)
        self._lose(SLOWDOWN, "work", work_ns - task.work_ns)

    def _memory_ns(self, task):
        """Least time of a job by the memory's ceiling: its part of the stage's traffic."""
        everything = self.stage_work[task.stage]
        if not everything > 0.0:
            return 0.0
        moved = self.pool.costs.traffic.get(task.stage, 0.0) * (task.work_ns / everything)
        return moved / self.pool.costs.memory_gb_per_s

    def _run_job(self, task):
        pool = self.pool
        begin = pool.time
        pool.open_job()
        opened = pool.time
        worked = _run_loop(pool, task) if task.kind == LOOP else Wavefront(pool, task).run()
        end = max(worked, opened + self._memory_ns(task))
        closing = pool.costs.handoff + (pool.count - 1) * pool.costs.look
        self._account(task, opened - begin + closing, worked - opened, end - worked)
        pool.time = end + closing

    def _account(self, task, opening_ns, job_ns, memory_wait_ns):
        """Shares out the loss of a job of this length."""
        workers, slowdown = self.pool.count, self.pool.costs.slowdown
        work_ns = task.work_ns * slowdown
        excess = workers * job_ns - work_ns
        by_path = min(excess, max(0.0, workers * task.path_ns() * slowdown - work_ns))
        self._lose(OPENING, task.name, workers * opening_ns)
        self._lose(PATH, task.name, by_path)
        self._lose(WAITING, task.name, excess - by_path)
        self._lose(MEMORY, task.stage, workers * memory_wait_ns)
        self._lose(SLOWDOWN, "work", work_ns - task.work_ns)
