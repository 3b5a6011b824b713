"""Task graphs of the steps that one worker has recorded (bench/recording.h).

    serial       the caller alone, between jobs
    loop         pieces, independent of each other
    wavefront    phases of patches, ordered as engine/parallel/wavefront.h says: phase 0 at once;
                 phase k of a patch after phase k - 1 of itself and of all its neighbours, and after
                 phase k of its neighbours of lower colour
"""

SERIAL, LOOP, WAVEFRONT = "serial", "loop", "wavefront"


def total(values):
    """Sum in order: sum() of newer Pythons compensates rounding."""
    result = 0.0
    for value in values:
        result += value
    return result


class Patches:
    """Patches of a level."""

    def __init__(self, level):
        self.colors = level["colors"].wholes()
        self.count = len(self.colors)
        first = level["first_neighbor"].wholes(self.count + 1)
        neighbors = level["neighbors"].wholes(first[-1], self.count)
        self.neighbors = [neighbors[a:b] for a, b in zip(first, first[1:])]
        # neighbours that a patch waits for within a phase, and the others
        self.lower = [
            [q for q in near if self.colors[q] < self.colors[p]]
            for p, near in enumerate(self.neighbors)
        ]
        self.higher = [
            [q for q in near if self.colors[q] >= self.colors[p]]
            for p, near in enumerate(self.neighbors)
        ]


class Task:
    """Costs in nanoseconds: of pieces, or of phases patch by patch."""

    def __init__(self, kind, stage, name, count, phases=1, patches=None):
        self.kind, self.stage, self.name = kind, stage, name
        self.count, self.phases, self.patches = count, phases, patches
        self.costs = [0.0] * (count * phases)
        self.work_ns = 0.0
        self._path_ns = None

    def set_costs(self, costs):
        self.costs = costs
        self.work_ns = total(costs)
        self._path_ns = None

    def path_ns(self):
        """Longest path through the task: the longest piece of a loop."""
        if self._path_ns is None:
            is_wavefront = self.kind == WAVEFRONT
            self._path_ns = _wavefront_path(self) if is_wavefront else max(self.costs, default=0.0)
        return self._path_ns


def _wavefront_path(task):
    patches, longest = task.patches, 0.0
    order = sorted(range(patches.count), key=patches.colors.__getitem__)
    last, now = [0.0] * patches.count, [0.0] * patches.count
    for phase in range(task.phases):
        for p in order:
            begin = 0.0
            if phase > 0:
                begin = max(
                    [
                        last[p],
                        *[now[q] for q in patches.lower[p]],
                        *[last[q] for q in patches.higher[p]],
                    ]
                )
            now[p] = begin + task.costs[p * task.phases + phase]
        longest = max(longest, max(now, default=0.0))
        last, now = now, last
    return longest


# ---- reading ----


def _triples(job):
    parts = job["parts"].wholes()
    if len(parts) % 3 != 0:
        raise job["parts"].fault("has no triples")
    return zip(parts[0::3], parts[1::3], parts[2::3])


def _pieces(job, task, grain):
    """Pieces of a span have the same cost."""
    costs = task.costs
    for item, items, ns in _triples(job):
        first, count = item // grain, (items + grain - 1) // grain
        if first + count > task.count:
            raise job["parts"].fault(f"has item {item + items - 1} of {job['count'].value}")
        for i in range(first, first + count):
            costs[i] += ns / count


def _phases(job, task):
    for patch, phase, ns in _triples(job):
        if patch >= task.count or phase >= task.phases:
            raise job["parts"].fault(f"has phase {phase} of patch {patch}")
        task.costs[patch * task.phases + phase] += float(ns)


def _read_job(span, levels):
    stage, name, count = span["stage"].text(), span["name"].text(), span["count"].whole()
    if span["kind"].value == LOOP:
        grain = span["grain"].whole() or 1
        task = Task(LOOP, stage, name, (count + grain - 1) // grain)
        _pieces(span, task, grain)
        return task
    patches = levels.get(span["level"].whole())
    if patches is None or patches.count != count:
        raise span["level"].fault(f"has no {count} patches in levels")
    task = Task(WAVEFRONT, stage, name, count, span["phases"].whole(), patches)
    _phases(span, task)
    return task


def _fill_gaps(task, job_ns):
    """Shares the time of a job between its spans out to them."""
    work_ns = total(task.costs)
    scale = job_ns / work_ns if work_ns > 0.0 else 1.0
    task.costs = [cost * scale for cost in task.costs]
    task.work_ns = work_ns * scale


def _serial(stage, ns):
    task = Task(SERIAL, stage, stage, 1)
    task.set_costs([float(ns)])
    return task


def _read_step(step, levels):
    spans, tasks = step.items(), []
    if not spans:
        return tasks
    stage = spans[0]["stage"].text()
    time = end = spans[0]["begin_ns"].whole()
    for span in spans:
        begin = span["begin_ns"].whole()
        if begin > time:
            tasks.append(_serial(stage, begin - time))
            time = begin
        stage, kind, until = span["stage"].text(), span["kind"].value, span["end_ns"].whole(begin)
        if kind == "stage":
            end = until
        elif kind in (LOOP, WAVEFRONT):
            tasks.append(_read_job(span, levels))
            _fill_gaps(tasks[-1], float(until - begin))
            time = until
        else:
            raise span["kind"].fault(f"is {kind!r}, not stage, loop or wavefront")
    if end > time:
        tasks.append(_serial(stage, end - time))
    return tasks


def read(recording):
    """Graphs of the recorded steps, each a list of tasks."""
    levels = {
        i: Patches(level)
        for i, level in enumerate(recording["levels"].items())
        if level.value is not None
    }
    steps = [_read_step(step, levels) for step in recording["steps"].items()]
    if len(steps) < 4:
        raise recording["steps"].fault(f"has {len(steps)} steps, fewer than 4")
    for i, tasks in enumerate(steps):
        if not any(task.work_ns > 0.0 for task in tasks):
            raise recording["steps"].items()[i].fault("has no work")
    return steps


# ---- medians over steps ----


def _keys(tasks):
    """Kind, name, and number of earlier tasks of the same kind and name, by task."""
    seen, keys = {}, []
    for task in tasks:
        name = (task.kind, task.name)
        seen[name] = seen.get(name, -1) + 1
        keys.append((*name, seen[name]))
    return keys


def _capped(own, others):
    """Costs of a task, at most the median of the same piece or phase over all steps."""
    columns = []
    for task in others:
        costs = task.costs
        if task.count != own.count:
            costs = [
                costs[(i * task.count // own.count) * own.phases + phase]
                for i in range(own.count)
                for phase in range(own.phases)
            ]
        columns.append(costs)
    middle = len(columns) // 2
    return [min(cost, sorted(column)[middle]) for cost, column in zip(own.costs, zip(*columns))]


def smooth(steps):
    """Caps costs by medians, so that no step contains a time in which the thread had no core.

    The n-th task of a name is the same in all steps that have it, and pieces are matched by their
    relative place.
    """
    keys = [_keys(tasks) for tasks in steps]
    found = [dict(zip(names, tasks)) for names, tasks in zip(keys, steps)]
    for names, tasks in zip(keys, steps):
        for key, task in zip(names, tasks):
            same = [other[key] for other in found if key in other]
            same = [t for t in same if t.phases == task.phases and t.count > 0]
            if same and task.count > 0:
                task.set_costs(_capped(task, same))
