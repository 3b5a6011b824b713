"""Predicts the time of a step on many ranks, by a replay of all their patches: ranks.py."""

import math

import graphs
from files import Fault, print_table
from machine import Machine
from networks import Network
from ranks import RankCosts, RankGraph, RankReplay, rank_costs
from sheet import PatchGraph, graph_of_sheet, imbalance, partition_blocks, partition_ranges

RANGES, BLOCKS = "ranges", "blocks"

# levels below this number of particles are computed by every rank: engine/libraries/cluster/divide.c
LEAST_DIVIDED = 4096


class Level:
    """A level of a sheet, with every second column and row of the finer one."""

    def __init__(self, size, partition):
        self.size, self.partition, self.graph = size, partition, graph_of_sheet(size, size)

    def ranks(self, count):
        owner = (
            partition_blocks(self.size, self.size, count)
            if self.partition == BLOCKS
            else partition_ranges(self.graph, count)
        )
        return RankGraph(self.graph, owner, count)


class Sheet:
    def __init__(self, particles, options):
        self.options, self.levels = options, []
        size = math.floor(math.sqrt(particles) + 0.5)
        while size > 3:
            self.levels.append(Level(size, options.partition))
            size = size // 2 + 1
            if options.coarse == 0:
                break

    def replay(self, network, ranks):
        """Replays the levels one after the other.

        A coarse level waits for two exchanges, of displacements and of corrections; small ones are
        the same on every rank.
        """
        o, whole = self.options, None
        for level in self.levels:
            is_coarse = whole is not None
            is_divided = ranks > 1 and (not is_coarse or level.size * level.size >= LEAST_DIVIDED)
            graph = level.ranks(ranks if is_divided or not is_coarse else 1)
            sweeps = o.coarse if is_coarse else o.iterations
            one = RankReplay(graph, sweeps + 1, o.workers, o.costs, network, o.order, is_coarse)
            if not is_coarse:
                whole = one
                continue
            whole.ns += one.ns
            if is_divided:
                whole.ns += 2.0 * (network.latency_ns + 2.0 * network.overhead_ns)
            whole.bytes += one.bytes
            whole.messages += one.messages
            whole.patch_messages += one.patch_messages
            whole.message_ns += one.message_ns
        return whole


def _row(sheet, network, ranks, alone_ns):
    o, finest = sheet.options, sheet.levels[0]
    replay = sheet.replay(network, ranks)
    return {
        "network": network.name,
        "partition": o.partition,
        "order": o.order,
        "size": finest.size,
        "particles": finest.size * finest.size,
        "ranks": ranks,
        "workers": o.workers,
        "step_ms": 1e-6 * replay.ns,
        "speed_up": alone_ns / replay.ns,
        "efficiency": alone_ns / replay.ns / ranks,
        "imbalance": imbalance(finest.graph, replay.graph.owner, ranks),
        "bytes": replay.bytes,
        "messages": replay.messages,
        "patch_messages": replay.patch_messages,
        "coarse_iterations": o.coarse,
        "message_share": replay.message_ns / (replay.ns * ranks),
    }


def costs_of(file, options):
    """Costs of a file, unless given by options."""
    costs = RankCosts()
    if file is not None:
        recording = file["recording"]
        costs = rank_costs(recording, graphs.read(recording))
        costs.memory_gb_per_s = Machine(file).memory(options.workers)
    for option, name in (("integration",) * 2, ("sweep",) * 2, ("memory", "memory_gb_per_s")):
        if getattr(options, option) is not None:
            setattr(costs, name, getattr(options, option))
        elif file is None:
            raise Fault(f"--{option} is missing: give it, or a FILE of weft-bench scaling --record")
    return costs


def print_costs(out, options):
    costs = options.costs
    out.write(
        f"costs of one worker: integration {costs.integration:.2f} ns a particle, sweep "
        f"{costs.sweep:.2f}, rest {costs.rest:.2f}, serial {1e-3 * costs.serial:.1f} us a step\n"
        f"memory of a rank {costs.memory_gb_per_s:.0f} GB/s\n"
    )
    for n in options.networks:
        out.write(
            f"{n.name}: latency {1e-3 * n.latency_ns:.2f} us, overhead {1e-3 * n.overhead_ns:.2f} "
            f"us, gap {1e-3 * n.gap_ns:.2f} us, {n.gb_per_s:.1f} GB/s; {n.source}\n"
        )


def _print_rows(out, rows):
    first = rows[0]
    coarse = first["coarse_iterations"]
    out.write(
        f"\nsheet {first['size']} x {first['size']}, {first['workers']} worker"
        f"{'s' if first['workers'] != 1 else ''} a rank, {first['partition']}, order by "
        f"{first['order']}{f', {coarse} sweeps of each level' if coarse else ''}: predicted\n"
    )
    heads = "network,ranks,step ms,speed-up,efficiency,imbalance,MB a step,messages,on messages"
    cells = (
        "{network},{ranks},{step_ms:.3f},{speed_up:.1f},{percent:.0f} %,{imbalance:.2f},{mb:.1f},"
        "{messages},{share:.1f} %"
    )
    lines = []
    for row in rows:
        percent, share = 100.0 * row["efficiency"], 100.0 * row["message_share"]
        line = cells.format(**row, percent=percent, share=share, mb=1e-6 * row["bytes"])
        lines.append(line.split(","))
    print_table(out, heads.split(","), "lrrrrrrrr", lines)
    out.flush()


def predict(options, out):
    """Rows of all sheets, networks and ranks; each sheet's are printed once done."""
    made = []
    for particles in options.particles:
        sheet = Sheet(particles, options)
        # a single rank is the same on every network
        alone_ns = sheet.replay(options.networks[0], 1).ns
        rows = [
            _row(sheet, network, ranks, alone_ns)
            for network in options.networks
            for ranks in options.ranks
        ]
        _print_rows(out, rows)
        made += rows
    return made


# ---- measured ranks ----


def compare(file, network: Network, out):
    """Rows of weft-bench scaling --ranks, with the speed-up that a replay predicts for them: by
    particles a second, over the first row."""
    recording = file["recording"]
    costs, first_ns, rows = rank_costs(recording, graphs.read(recording)), None, []
    cpus = Machine(file).cpus
    for row in file["results"].items():
        ranks, threads = row["ranks"].whole(1), row["threads"].whole(1)
        graph = PatchGraph.read(row["patches"])
        ranked = RankGraph(graph, partition_ranges(graph, ranks), ranks)
        replay = RankReplay(ranked, recording["iterations"].whole(1) + 1, threads, costs, network)
        # threads beyond the CPUs take turns
        ns = replay.ns * max(1.0, ranks * threads / cpus)
        first_ns = first_ns or ns
        work = row["particles"].whole(1) / file["results"].items()[0]["particles"].value
        rows.append({key: value for key, value in row.value.items() if key != "patches"})
        rows[-1]["predicted_speed_up"] = work * first_ns / ns
    heads = ["ranks", "threads", "median ms", "speed-up", "predicted", "error"]
    cells = (
        "{ranks},{threads},{step_ms_median:.3f},{speed_up:.2f},{predicted_speed_up:.2f},{:+.0f} %"
    )
    lines = []
    for row in rows:
        error = 100.0 * (row["predicted_speed_up"] / row["speed_up"] - 1.0)
        lines.append(cells.format(error, **row).split(","))
    print_table(out, heads, "rrrrrr", lines)
    return rows
