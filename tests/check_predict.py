#!/usr/bin/env python3
"""Checks tools/predict: replays whose time is known in closed form, figures of reference for a made
recording and for sheets on ranks, and what is said of wrong files.

usage: check_predict.py REPOSITORY [UNITTEST-ARGUMENT..]

The figures of reference are those of the C program that weft-bench had before, at commit 8abd23e6,
for the same input. Arithmetic is the same but for the order of a few sums: they agree to 1e-9.
"""
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

REPOSITORY = pathlib.Path(sys.argv[1] if __name__ == "__main__" else __file__).resolve()
PREDICT = REPOSITORY / "tools" / "predict"
sys.path.insert(0, str(PREDICT))

import files  # noqa: E402
import graphs  # noqa: E402
import machine  # noqa: E402
import networks  # noqa: E402
import ranks  # noqa: E402
import replay  # noqa: E402
import sheet  # noqa: E402
import threads  # noqa: E402

TOLERANCE = 1e-9


class Random:
    """Linear congruential generator (Knuth 1997, MMIX)."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % bound


# ---- a made recording ----


def grid(columns, rows):
    """Patches of a grid, each beside up to eight others, in four colours."""
    near = [
        [
            q
            for q in range(columns * rows)
            if q != p
            and abs(q % columns - p % columns) < 2
            and abs(q // columns - p // columns) < 2
        ]
        for p in range(columns * rows)
    ]
    first = [sum(len(n) for n in near[:p]) for p in range(len(near) + 1)]
    return {
        "colors": [p // columns % 2 * 2 + p % columns % 2 for p in range(len(near))],
        "first_neighbor": first,
        "neighbors": [q for n in near for q in n],
    }


class Recorder:
    """Makes the spans of a step, with gaps between jobs and parts."""

    def __init__(self, random, slow):
        self.random, self.slow, self.time, self.spans = random, slow, 0, []

    def stage(self, name):
        self.time += self.random.below(400)
        self.spans.append({"kind": "stage", "stage": name, "begin_ns": self.time})

    def end(self):
        self.time += self.random.below(400)
        last = [s for s in self.spans if s["kind"] == "stage"][-1]
        last["end_ns"] = self.time

    def job(self, kind, name, parts, **members):
        stage = [s for s in self.spans if s["kind"] == "stage"][-1]["stage"]
        begin = self.time + self.random.below(900)
        ns = sum(parts[2::3]) * self.slow + self.random.below(300)
        self.time = begin + ns
        self.spans.append(
            {
                "kind": kind,
                "stage": stage,
                "begin_ns": begin,
                "end_ns": self.time,
                "name": name,
                **members,
                "parts": parts,
            }
        )

    def loop(self, name, count, grain, least, spread):
        parts, item = [], 0
        while item < count:
            items = min(count - item, grain * (1 + self.random.below(2)))
            parts += [item, items, (least + self.random.below(spread)) * items // grain]
            item += items
        self.job("loop", name, parts, count=count, grain=grain)

    def wavefront(self, name, level, count, phases, least, spread):
        parts = [
            n
            for phase in range(phases)
            for patch in range(count)
            for n in (patch, phase, least + self.random.below(spread))
        ]
        self.job("wavefront", name, parts, count=count, phases=phases, level=level)


def made_recording():
    """20 steps: two levels of patches, loops of all sizes, two stages that wait for memory."""
    random, steps = Random(1), []
    for step in range(20):
        r = Recorder(random, 5 if step == 7 else 1)
        r.stage("forces")
        r.loop("add_forces", 3000 + step % 3, 64, 300, 200)
        r.end()
        r.stage("links")
        r.loop("restrict_level", 700, 64, 900, 900)
        r.wavefront("sweep", 1, 12, 5, 800, 700)
        r.wavefront("sweep", 0, 60, 9, 2500, 1500)
        r.loop("restrict_level", 40, 64, 900, 900)
        if step % 4 == 0:
            r.loop("rare", 256, 16, 500, 3000)
        r.end()
        r.stage("colliders")
        r.loop("solve_colliders", 5000, 256, 2000, 500)
        r.end()
        steps.append(r.spans)
    return {
        "schema": "weft-bench/1",
        "machine": {"cpu": "made"},
        "costs": {
            "cpus": 4,
            "gb_per_s": 20.0,
            "round_trip_ns": 130.0,
            "l3_bytes": 1000000,
            "slowdown": [{"threads": 2, "factor": 1.0625}, {"threads": 4, "factor": 1.25}],
        },
        "recording": {
            "particles": 122880,
            "iterations": 8,
            "substeps": 1,
            "traffic": {"links": 9830400.0, "colliders": 1966080.0, "self_collision": 4096.0},
            "levels": [grid(10, 6), grid(4, 3)],
            "steps": steps,
        },
        "results": [
            {
                "scene": "made",
                "isa": "avx2",
                "size": 350,
                "particles": 122880,
                "threads": n,
                "workers": n,
                "beside": 0,
                "steps": 200,
                "step_ms_min": 2.0 / s,
                "step_ms_median": 2.25 / s,
                "step_ms_mean": 2.3 / s,
                "step_ms_p99": 3.0 / s,
                "step_ms_max": 4.0 / s,
                "speed_up": s,
                "speed_up_low": 0.9 * s,
                "speed_up_high": 1.1 * s,
                "efficiency": s / n,
                "state_hash": "0123456789abcdef",
                "worker_times": [],
                "jobs": [],
            }
            for n, s in ((1, 1.0), (2, 1.9), (4, 3.5))
        ],
    }


# ---- graphs whose time is known ----


FREE = {
    "handoff": 0.0,
    "look": 0.0,
    "claim": 0.0,
    "steal": 0.0,
    "wake": 0.0,
    "wake_up": 0.0,
    "spin": math.inf,
}


def free_costs(**members):
    return machine.Costs(**{**FREE, **members})


def patches_of(colors, is_edge):
    near = [[q for q in range(len(colors)) if q != p and is_edge(p, q)] for p in range(len(colors))]
    first = [sum(len(n) for n in near[:p]) for p in range(len(near) + 1)]
    return graphs.Patches(
        files.Field(
            {"colors": colors, "first_neighbor": first, "neighbors": [q for n in near for q in n]},
            "made",
        )
    )


def in_path(p, q):
    return abs(p - q) == 1


def task_of(costs, kind=graphs.LOOP, phases=1, patches=None):
    task = graphs.Task(kind, "links", "task", len(costs) // phases, phases, patches)
    task.set_costs([float(cost) for cost in costs])
    return task


def wavefront_of(patches, phases, costs=10.0):
    costs = [costs] * (patches.count * phases) if isinstance(costs, float) else costs
    return task_of(costs, graphs.WAVEFRONT, phases, patches)


class KnownTimes(unittest.TestCase):
    def expect(self, tasks, workers, ns):
        self.assertAlmostEqual(replay.Replay(tasks, workers, free_costs()).ns, ns, delta=1e-6)

    def test_independent_pieces_take_the_rounds_that_workers_need(self):
        tasks = [task_of([7.0], graphs.SERIAL), task_of([10.0] * 12)]
        for workers, rounds in ((1, 12), (2, 6), (3, 4), (5, 3), (12, 1), (256, 1)):
            self.expect(tasks, workers, 7.0 + 10.0 * rounds)

    def test_a_loop_lasts_as_long_as_its_longest_piece_and_others_are_stolen(self):
        tasks = [task_of([80.0] + [10.0] * 8)]
        self.expect(tasks, 2, 80.0)
        made = replay.Replay(tasks, 8, free_costs())
        self.assertEqual((made.ns, made.path_ns, made.work_ns), (80.0, 80.0, 160.0))
        self.assertEqual(made.losses, {(replay.PATH, "task"): 8 * 80.0 - 160.0})

    def test_patches_that_all_touch_each_other_are_a_chain(self):
        tasks = [wavefront_of(patches_of([0, 1, 2, 3], lambda p, q: True), 6)]
        for workers, ns in ((1, 240.0), (4, 210.0), (64, 210.0)):
            self.expect(tasks, workers, ns)

    def test_a_path_of_two_colors_alternates_between_them(self):
        task = wavefront_of(patches_of([p % 2 for p in range(16)], in_path), 11)
        path = 10.0 * (1 + 2 * 10)
        self.assertEqual(task.path_ns(), path)
        self.expect([task], 16, path)
        self.expect([task], 1, 10.0 * 16 * 11)
        # two workers, each with half of the path, keep each other busy
        two = replay.Replay([task], 2, free_costs())
        self.assertTrue(0.5 * two.work_ns <= two.ns <= 0.5 * two.work_ns + 40.0)

    def test_the_center_of_a_star_goes_first_and_its_leaves_follow_together(self):
        star = patches_of([0] + [1] * 8, lambda p, q: 0 in (p, q))
        self.expect([wavefront_of(star, 4)], 9, 10.0 + 3 * 20.0)

    def test_costs_of_jobs_are_added(self):
        tasks = [task_of([1000.0] * 2)]
        # the second worker begins a handoff later, and its end is seen another one later
        self.assertEqual(replay.Replay(tasks, 2, free_costs(handoff=50.0)).ns, 1100.0)
        # parked: the caller wakes it; it comes in the middle of the caller's piece
        parked = free_costs(handoff=50.0, spin=-1.0, wake=200.0, wake_up=400.0)
        self.assertEqual(replay.Replay(tasks, 2, parked).ns, 200.0 + 400.0 + 1000.0 + 50.0)
        bound = replay.Replay(tasks, 2, free_costs(traffic={"links": 3e4}, memory_gb_per_s=10.0))
        self.assertEqual(bound.ns, 3000.0)
        self.assertEqual(next(iter(bound.losses))[0], replay.MEMORY)

    def test_no_replay_is_faster_than_its_bounds_and_losses_are_complete(self):
        colors = [0 if p * 7 % 3 == 0 else 1 + p % 2 for p in range(40)]
        costs = [100.0 + (c * 2654435761 % 2**32 >> 22) for c in range(280)]
        tasks = [
            task_of(costs[:33]),
            wavefront_of(patches_of(colors, in_path), 7, costs),
            task_of(costs[:33]),
        ]
        for workers in range(1, 65):
            made = replay.Replay(tasks, workers, machine.Costs(slowdown=1.25))
            self.assertGreaterEqual(made.ns, made.path_ns)
            self.assertGreaterEqual(made.ns, made.work_ns / workers)
            self.assertAlmostEqual(
                made.work_ns + sum(made.losses.values()), workers * made.ns, delta=1e-3
            )

    def test_medians_leave_out_a_time_without_a_core(self):
        steps = graphs.read(files.Field(made_recording()["recording"], "made"))
        slow = [task for task in steps[7] if task.name == "sweep"][0]
        before = slow.work_ns
        graphs.smooth(steps)
        self.assertLess(slow.work_ns, 0.4 * before)

    def test_slowdowns_lie_between_those_measured(self):
        measured = machine.Machine(files.Field(made_recording(), "made"))
        self.assertEqual(
            [measured.slowdown(n) for n in (1, 2, 3, 4, 5)], [1.0, 1.0625, 1.15625, 1.25, 1.0]
        )


# ---- ranks whose time is known ----


def strips(patches, rank_count, workers, network):
    """A sheet of strips of 2,048 particles, one below the other; ten sweeps at 1 ns a particle."""
    graph = sheet.graph_of_sheet(512, 4 * patches)
    assert graph.count == patches
    owner = sheet.partition_ranges(graph, rank_count)
    return ranks.RankReplay(
        ranks.RankGraph(graph, owner, rank_count), 11, workers, ranks.RankCosts(1.0, 1.0), network
    )


class KnownRanks(unittest.TestCase):
    network = networks.Network("test", 1000.0, 100.0, 10.0, 1.0)

    def test_one_worker_takes_the_sum_of_all_costs_and_sends_nothing(self):
        made = strips(16, 1, 1, self.network)
        self.assertAlmostEqual(made.ns, 16 * 2048.0 * 11, delta=1e-3)
        self.assertEqual(made.messages, 0)

    def test_two_patches_on_two_ranks_take_turns(self):
        # integration at once, then each sweep of one patch after that of the other, with a message
        # between; a chain of patches, a worker each: the longest path crosses the border each time
        made = strips(16, 2, 8, self.network)
        size = 8 + 16 + 12 * 512
        message = 2 * 100.0 + 1000.0 + size / 1.0
        path = 2048.0 + 10 * 2.0 * (2048.0 + message)
        self.assertTrue(path <= made.ns <= path + 2048.0 * 4 + 4 * message)
        self.assertEqual(made.patch_messages, 2 * 11)
        self.assertEqual(made.bytes, 2 * 10 * size + 2 * (8 + 16) + 2 * 512 * 12)

    def test_ranks_without_a_network_are_as_fast_as_workers(self):
        instant = networks.Network("instant", 0.0, 0.0, 0.0, 1e9)
        for count in (2, 4, 8):
            made = strips(256, count, 1, instant)
            ideal = 256 * 2048.0 * 11 / count
            self.assertTrue(ideal <= made.ns <= 1.15 * ideal)
            self.assertEqual(made.patch_messages, (count - 1) * 2 * 11)

    def test_strips_of_a_sheet_exchange_a_row_each_way_at_every_border(self):
        # four tiles across: at each of three corners a particle that four patches send, and one of
        # three
        for columns, rows, count, sent, number in (
            (512, 512, 1, 0, 0),
            (512, 512, 2, 1024, 2),
            (512, 512, 4, 6 * 512, 6),
            (512, 512, 128, 254 * 512, 254),
            (8192, 64, 2, 2 * (8192 - 6) + 3 * (4 + 3), 8),
        ):
            graph = sheet.graph_of_sheet(columns, rows)
            owner = sheet.partition_ranges(graph, count)
            found = sheet.messages(graph, owner)
            self.assertEqual(sum(particles for particles, _ in found.values()), sent)
            self.assertEqual(len(found), number)
            self.assertAlmostEqual(sheet.imbalance(graph, owner, count), 1.0, delta=1e-12)

    def test_blocks_cut_both_ways_only_where_it_is_shorter(self):
        # tiles of 2048 x 1: strips of 1 x 4 cut 3 * 8192, blocks of 4 x 1 only 3 * 64
        self.assertEqual(sheet.partition_blocks(8192, 64, 4), [p % 4 for p in range(256)])
        # one tile across: nothing but strips
        self.assertEqual(sheet.partition_blocks(512, 512, 4), [p // 32 for p in range(128)])


# ---- figures of reference ----

# workers: speed-up, its quartiles, the most by the longest path; time and work; largest loss
THREADS = {
    2: (
        1.7246558183791298,
        1.7237522974579047,
        1.7255796975795343,
        12.957093355629068,
        1051974.6078744822,
        1814294.1282578292,
        "memory",
        "colliders",
        149105.12382125203,
    ),
    4: (
        2.670960033433164,
        2.661473582787991,
        2.672917404813458,
        12.935682340471729,
        680842.0786852979,
        1818501.9812479878,
        "slower cores",
        "work",
        454625.4953119969,
    ),
    5: (
        3.679552849424877,
        3.6683945953771895,
        3.6845254035601944,
        12.957093355629068,
        493074.62142890756,
        1814294.1282578292,
        "memory",
        "colliders",
        346917.9160212062,
    ),
    16: (
        9.365596597557404,
        9.29963031621841,
        9.408531712330818,
        12.935682340471729,
        194168.30121876727,
        1818501.9812479878,
        "waiting",
        "sweep",
        472948.01121059974,
    ),
    256: (
        10.559277069422171,
        10.444429058116874,
        10.585018568832094,
        13.052951900858298,
        170678.61959085573,
        1802242.8340863525,
        "longest path",
        "sweep",
        31657606.355885852,
    ),
}
# integration and sweep a particle, rest a particle, serial parts a step
COSTS = (1.7007334966345975, 1.6411069018294981, 0.6551350911458333, 3844.5)

# arguments: step_ms, imbalance, bytes, messages, patch_messages, message_share
GIVEN = "--integration 1 --sweep 0.8 --memory 100 --workers 3 --iterations 4 --latency 1.5"
CLUSTERS = {
    "--particles 262144 --ranks 5 --order borders": (
        0.10117535999999991,
        1.015625,
        246720,
        40,
        40,
        0.04744238122799863,
    ),
    "--particles 262144 --ranks 6 --coarse 2": (
        0.17801703999999993,
        1.03125,
        472920,
        140,
        140,
        0.07864415676162238,
    ),
    "--particles 9000000 --ranks 12 --partition blocks": (
        1.442438,
        1.0,
        3538728,
        12749,
        30200,
        0.4419254068459094,
    ),
    "--particles 5000000 --ranks 7 --network hdr,25gbe": (
        1.1825345600000112,
        1.0017889087656529,
        1615368,
        147,
        150,
        0.010655079712849898,
    ),
}


def run(*words):
    """Exit status, standard output and standard error of tools/predict."""
    made = subprocess.run(
        [sys.executable, PREDICT, *words], capture_output=True, text=True, check=False
    )
    return made.returncode, made.stdout, made.stderr


class Reference(unittest.TestCase):
    def near(self, found, wanted):
        self.assertTrue(math.isclose(found, wanted, rel_tol=TOLERANCE), f"{found}, not {wanted}")

    def test_threads(self):
        file = files.Field(made_recording(), "made")
        rows, predictions = threads.predict(file, list(THREADS), None)
        self.assertEqual([p.workers for p in predictions], sorted(THREADS))
        for p in predictions:
            *figures, cause, name, ns = THREADS[p.workers]
            found = [p.speed_up, p.low, p.high, p.most, p.replay.ns, p.replay.work_ns]
            for value, wanted in zip(found, figures):
                self.near(value, wanted)
            self.assertEqual(next(iter(p.replay.losses)), (cause, name))
            self.near(p.replay.losses[cause, name], ns)
        self.assertEqual([row["predicted"] for row in rows[:4]], [False] * 3 + [True])

    def test_costs_of_one_worker(self):
        recording = files.Field(made_recording(), "made")["recording"]
        costs = ranks.rank_costs(recording, graphs.read(recording))
        for value, wanted in zip((costs.integration, costs.sweep, costs.rest, costs.serial), COSTS):
            self.near(value, wanted)

    def test_clusters(self):
        for words, figures in CLUSTERS.items():
            status, out, err = run("cluster", *GIVEN.split(), *words.split(), "--json", "-")
            self.assertEqual(status, 0, err)
            row = json.loads(out)["results"][-1]
            names = ("step_ms", "imbalance", "bytes", "messages", "patch_messages", "message_share")
            for name, wanted in zip(names, figures):
                self.near(row[name], wanted)


# ---- the command line ----


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name, value=None):
        path = pathlib.Path(self.folder.name) / name
        if value is not None:
            path.write_text(value if isinstance(value, str) else json.dumps(value))
        return str(path)

    def refuses(self, text, *words):
        status, _, err = run(*words)
        self.assertEqual(status, 2, err)
        self.assertIn(text, err)
        self.assertNotIn("Traceback", err)

    def test_files_have_measured_rows_and_predicted_ones(self):
        file, rows = self.path("made.json", made_recording()), self.path("rows.csv")
        status, out, err = run("threads", file, "--threads", "8", "--json", file, "--csv", rows)
        self.assertEqual((status, err), (0, ""))
        self.assertIn("memory of 4 CPUs 20 GB/s (measured), of more workers in proportion", out)
        with open(rows, encoding="utf-8", newline="") as lines:
            table = list(csv.DictReader(lines))
        self.assertEqual(
            [(r["workers"], r["predicted"]) for r in table],
            [
                ("1", "false"),
                ("2", "false"),
                ("4", "false"),
                ("2", "true"),
                ("4", "true"),
                ("8", "true"),
            ],
        )
        self.assertEqual(
            (table[3]["step_ms_min"], table[3]["state_hash"]), ("", "0123456789abcdef")
        )
        with open(file, encoding="utf-8") as text:
            report = json.load(text)
        self.assertEqual(set(report), {"schema", "machine", "costs", "results"})
        self.assertEqual(float(table[5]["speed_up"]), report["results"][5]["speed_up"])
        self.refuses(
            "made.json: there is no recording: weft-bench scaling --record", "threads", file
        )

    def test_ranks_of_a_file_stand_beside_their_prediction(self):
        value = made_recording()
        graph = sheet.graph_of_sheet(512, 64)
        first = [0]
        for patches, _ in graph.shares:
            first.append(first[-1] + len(patches))
        value["network"] = {
            "latency_ns": 500.0,
            "overhead_ns": 100.0,
            "gap_ns": 50.0,
            "gb_per_s": 5,
        }
        value["results"] = [
            {
                "scene": "sheet",
                "particles": 32768,
                "ranks": n,
                "threads": 1,
                "step_ms_median": 4 / n,
                "speed_up": n,
                "patches": {
                    "costs": graph.costs,
                    "particles": graph.particles,
                    "share_first": first,
                    "share_patches": [p for patches, _ in graph.shares for p in patches],
                    "share_particles": [n for _, n in graph.shares],
                },
            }
            for n in (1, 2)
        ]
        file, made = self.path("ranks.json", value), self.path("made.json")
        status, out, err = run("ranks", file, "--json", made)
        self.assertEqual((status, err), (0, ""))
        with open(made, encoding="utf-8") as text:
            rows = json.load(text)["results"]
        self.assertEqual(rows[0]["predicted_speed_up"], 1.0)
        self.assertTrue(1.5 < rows[1]["predicted_speed_up"] < 2.0, out)
        self.assertEqual(
            run("cluster", file, "--network", "measured", "--particles", "10000", "--ranks", "2")[
                0
            ],
            0,
        )

    def test_faults_name_the_file_and_the_field(self):
        self.refuses("cannot read '/nowhere': No such file", "threads", "/nowhere")
        self.refuses("no JSON", "threads", self.path("text.json", "text"))
        self.refuses(
            "old.json: schema is 'weft-bench/0'",
            "threads",
            self.path("old.json", {"schema": "weft-bench/0"}),
        )
        changes = {
            "there is no costs.cpus": lambda v: v["costs"].pop("cpus"),
            "costs.l3_bytes is -1, not a number from 0 on": lambda v: v["costs"].update(
                l3_bytes=-1
            ),
            "costs.slowdown[0].factor is 0.5, not a number from 1 on": lambda v: v["costs"][
                "slowdown"
            ][0].update(factor=0.5),
            "recording.levels[0].neighbors has a number above 59": lambda v: v["recording"][
                "levels"
            ][0]["neighbors"].__setitem__(0, 60),
            "recording.levels[1].first_neighbor has 12 numbers, not 13": lambda v: v["recording"][
                "levels"
            ][1]["first_neighbor"].pop(),
            "recording.steps[3][1].parts has no triples": lambda v: v["recording"]["steps"][3][1][
                "parts"
            ].pop(),
            "recording.steps[0][0].kind is 'x', not stage, loop or wavefront": lambda v: v[
                "recording"
            ]["steps"][0][0].update(kind="x"),
            "recording.steps[0][4].level has no 12 patches in levels": lambda v: v["recording"][
                "steps"
            ][0][4].update(level=0),
            "recording.steps has 1 steps": lambda v: v["recording"].update(
                steps=v["recording"]["steps"][:1]
            ),
            "costs.gb_per_s is 0, not a positive number": lambda v: v["costs"].update(gb_per_s=0),
            "recording.steps[2] has no work": lambda v: v["recording"]["steps"][2].clear(),
            "results does not begin with one worker": lambda v: v["results"].pop(0),
        }
        for text, change in changes.items():
            value = made_recording()
            change(value)
            self.refuses(f"wrong.json: {text}", "threads", self.path("wrong.json", value))

    def test_options_are_checked(self):
        file = self.path("made.json", made_recording())
        self.refuses(
            "--threads: '1' is not a whole number from 2 to 256", "threads", file, "--threads", "1"
        )
        self.refuses(
            "--network: 'fdr' is not one of 25gbe, 100gbe, hdr", "cluster", "--network", "fdr"
        )
        self.refuses("--sweep is missing", "cluster", "--integration", "1")
        self.refuses("made.json: there is no network", "cluster", file, "--network", "measured")
        self.refuses(
            "--csv: '-' is the --json file too", "threads", file, "--json", "-", "--csv", "-"
        )
        self.refuses(
            "cannot write '/nowhere/out.json'",
            "threads",
            file,
            "--threads",
            "2",
            "--json",
            "/nowhere/out.json",
        )

    def test_help_has_lines_of_100_columns(self):
        for words in ([], ["threads"], ["ranks"], ["cluster"]):
            status, out, _ = run(*words, "--help")
            self.assertEqual(status, 0)
            self.assertLessEqual(max(map(len, out.splitlines())), 100)


if __name__ == "__main__":
    if sys.argv[2:] == ["--recording"]:
        json.dump(made_recording(), sys.stdout)
    else:
        unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
