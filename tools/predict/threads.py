"""Predicts the time of a step on more workers, from steps that one worker has recorded."""


import graphs
from files import print_table
from machine import SOCKET_GB_PER_S, Machine
from replay import Replay

LOSSES_IN_FILE, LOSSES_IN_TABLE = 8, 4


class Prediction:
    """Speed-ups over one worker: median and quartiles of the faster half of the recorded steps;
    slower ones have lost their core in between."""

    def __init__(self, steps, workers, costs):
        kept = sorted(steps, key=lambda tasks: graphs.total(task.work_ns for task in tasks))
        kept = kept[: len(steps) // 2]
        replays = sorted((Replay(tasks, workers, costs) for tasks in kept), key=Replay.speed_up)
        count = len(replays)
        self.workers, self.replay = workers, replays[count // 2]
        self.speed_up = self.replay.speed_up()
        self.low = replays[count // 4].speed_up()
        self.high = replays[3 * count // 4].speed_up()
        self.most = self.replay.work_ns / self.replay.path_ns  # by the longest path alone

    def losses(self, count):
        """(cause, name, share of the workers' time) of the largest losses."""
        time = self.workers * self.replay.ns
        return [(*key, ns / time) for key, ns in list(self.replay.losses.items())[:count]]

    def row(self, one):
        """Row of results, from the measured row of one worker."""
        losses = self.losses(LOSSES_IN_FILE)
        row = {key: value for key, value in one.items() if not isinstance(value, (list, dict))}
        row.update(dict.fromkeys(["step_ms_min", "step_ms_mean", "step_ms_p99", "step_ms_max"]))
        row.update(
            threads=self.workers,
            workers=self.workers,
            beside=0,
            step_ms_median=one["step_ms_median"] / self.speed_up,
            speed_up=self.speed_up,
            speed_up_low=self.low,
            speed_up_high=self.high,
            efficiency=self.speed_up / self.workers,
            predicted=True,
            bound_by=f"{losses[0][0]}: {losses[0][1]}" if losses else "",
            losses=[{"cause": c, "name": n, "share": s} for c, n, s in losses],
        )
        return row


def _measured_rows(file):
    rows = file["results"].items()
    for row in rows:
        row["workers"].whole(1)
        for name in ("step_ms_median", "step_ms_min", "speed_up"):
            row[name].positive()
    if not rows or rows[0]["workers"].value != 1:
        raise file["results"].fault("does not begin with one worker")
    return [dict(row.value, predicted=False, bound_by="") for row in rows]


def predict(file, workers, gb_per_s):
    """Rows of results, the measured ones first, and the predictions: of the numbers of workers
    given and measured, above 1 and ascending."""
    rows, machine = _measured_rows(file), Machine(file)
    wanted = sorted({n for n in [row["workers"] for row in rows] + workers if n > 1})
    steps = graphs.read(file["recording"])
    graphs.smooth(steps)
    traffic = machine.traffic(file["recording"])
    predictions = []
    for n in wanted:
        costs = machine.costs(n, gb_per_s)
        costs.traffic = traffic
        predictions.append(Prediction(steps, n, costs))
    added = [dict(p.row(rows[0]), steps=len(steps)) for p in predictions]
    return rows + added, predictions


# ---- tables ----


def _line(p, rows):
    one = rows[0]
    cells = [
        f"{p.workers}",
        f"{one['step_ms_median'] / p.speed_up:.3f}",
        f"{p.speed_up:.2f}",
        f"{p.low:.2f}-{p.high:.2f}",
        f"{100.0 * p.speed_up / p.workers:.0f} %",
    ]
    measured = [r for r in rows if r["workers"] == p.workers and not r["predicted"]]
    for row in measured[:1]:
        cells += [
            f"{row['speed_up']:.2f}",
            f"{100.0 * (p.speed_up / row['speed_up'] - 1.0):+.0f} %",
            f"{one['step_ms_min'] / row['step_ms_min']:.2f}",
        ]
    return cells + [""] * (8 - len(cells)) + [f"{p.most:.1f}"]


def _print_costs(out, machine, gb_per_s):
    beyond = f"in proportion, at most {SOCKET_GB_PER_S:.0f} (assumed)"
    if gb_per_s is not None:
        beyond = f"{gb_per_s:.0f} (--bandwidth)"
    out.write(
        f"memory of {machine.cpus} CPU{'s' if machine.cpus > 1 else ''} {machine.gb_per_s:.0f} GB/s "
        f"(measured), of more workers {beyond}\n"
        f"handoff from core to core {machine.costs(1).handoff:.0f} ns "
        f"({'assumed' if machine.round_trip_ns is None else 'measured'})\n"
    )
    for threads, factor in sorted(machine.slowdowns.items()):
        if factor > 1.0:
            out.write(
                f"{threads} threads beside each other take {factor:.2f} times as long as one\n"
            )


def print_predictions(out, file, rows, predictions, gb_per_s):
    steps = len(file["recording"]["steps"].value)
    out.write(
        f"{rows[0]['scene']} {rows[0]['size']}: prediction from {steps} recorded steps of one "
        "worker, the slower half left out\n"
    )
    heads = "threads,predicted ms,speed-up,quartiles,efficiency,measured,error,fastest,at most"
    print_table(out, heads.split(","), "rrrrrrrrr", [_line(p, rows) for p in predictions])
    _print_costs(out, Machine(file), gb_per_s)
    lines = []
    for p in predictions:
        for i, (cause, name, share) in enumerate(p.losses(LOSSES_IN_TABLE)):
            lines.append([f"{p.workers}" if i == 0 else "", f"{100.0 * share:.1f} %", cause, name])
    out.write("\nlargest losses, shares of the time of all workers\n")
    print_table(out, ["threads", "lost", "of it by", "in"], "rrll", lines)
