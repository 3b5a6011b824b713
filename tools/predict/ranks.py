"""Replay of one step on ranks that exchange messages: a discrete-event simulation of all patches of
all ranks, without their particles.

    phases       as in engine/parallel/wavefront.h: a patch needs its neighbours, of which those of
                 other ranks have the phases that have arrived
    workers      take ready patches, always, by the order below; of each patch one phase at a time
    messages     a border patch sends the particles that it shares after each phase; only the first
                 worker of a rank sends and receives, between two phases of its own, and sends those
                 to one neighbour that are ready by then as one
    network      LogGP: see networks.py
    step         ends when all ranks are done; then the rest of a step, shared by the workers of a
                 rank, serial parts, and one reduction over all ranks

All work takes as long on one rank as on another. Not modelled: links of the network that several
ranks share, noise of the operating system, searching for patches.
"""

import math
from dataclasses import dataclass
from heapq import heappop, heappush
from statistics import median

import graphs
from sheet import messages

# ready patches in the engine's order: shares upwards and downwards by turns; or nearest to a border
# of the rank first
SHARES, BORDERS = "shares", "borders"

# bytes before a message, before the particles of each patch in it, and of a particle; largest
# message: see engine/libraries/cluster/ghosts.c
MESSAGE_HEADER, PATCH_HEADER, PARTICLE_BYTES, LARGEST_MESSAGE = 8, 16, 12, 1 << 20

# kinds of events; the rest of an event's number is a patch, a rank, or a packet
HELPER_DONE, CALLER_DONE, MESSAGES_DONE, PACKET_ARRIVES = range(4)


@dataclass
class RankCosts:
    """Times of one worker in nanoseconds."""

    integration: float = 0.0  # a particle, phase 0
    sweep: float = 0.0  # a particle, each other phase
    rest: float = 0.0  # a particle, loops outside the phases
    serial: float = 0.0  # a step, the calling thread by itself
    memory_gb_per_s: float = math.inf  # a rank's; bounds integration


def rank_costs(recording, steps):
    """Medians over the recorded steps of one worker."""
    parts = []
    for tasks in steps:
        integration = sweeps = rest = serial = 0.0
        for task in tasks:
            if task.kind == graphs.SERIAL:
                serial += task.work_ns
            elif task.kind == graphs.LOOP:
                rest += task.work_ns
            else:
                for i, cost in enumerate(task.costs):
                    if i % task.phases == 0:
                        integration += cost
                    else:
                        sweeps += cost
        parts.append((integration, sweeps, rest, serial))
    integration, sweeps, rest, serial = (median(part) for part in zip(*parts))
    if not integration > 0.0:
        raise recording["steps"].fault("has no wavefronts, whose costs are those of ranks")
    particles = recording["particles"].whole(1)
    iterations = recording["iterations"].whole(1)
    return RankCosts(
        integration / particles, sweeps / particles / iterations, rest / particles, serial
    )


class RankGraph:
    """Patches of all ranks: neighbours by colour, and the messages between ranks.

    Progress stands in one list: of patches their completed phases, and behind these of messages
    the phases that have arrived.
    """

    def __init__(self, graph, owner, rank_count):
        self.graph, self.owner, self.rank_count = graph, owner, rank_count
        self.position, self.own_count = [], [0] * rank_count
        for rank in owner:
            self.position.append(self.own_count[rank])
            self.own_count[rank] += 1
        self._list_neighbors()
        self._list_messages()

    def _list_neighbors(self):
        """Neighbours of the same rank, of lower and of higher colour."""
        colors, owner = self.graph.colors, self.owner
        self.lower, self.higher = [], []
        for p, near in enumerate(self.graph.neighbors):
            own = [q for q in near if owner[q] == owner[p]]
            self.lower.append([q for q in own if colors[q] < colors[p]])
            self.higher.append([q for q in own if colors[q] > colors[p]])

    def _list_messages(self):
        graph, owner = self.graph, self.owner
        found = messages(graph, owner)
        self.messages = [(rank, *counts) for (_, rank), counts in found.items()]
        self.sent = {}  # patch -> its messages
        self.receivers = []  # by message: patches that wait longer for it, and the others
        # in the list of progress, all that a patch waits for: lower colours, and the others
        self.wait_lower, self.wait_higher = list(self.lower), list(self.higher)
        for m, (p, rank) in enumerate(found):
            self.sent.setdefault(p, []).append(m)
            near = [q for q in graph.neighbors[p] if owner[q] == rank]
            after = [q for q in near if graph.colors[p] < graph.colors[q]]
            before = [q for q in near if graph.colors[p] > graph.colors[q]]
            self.receivers.append((after, before))
            for q in after:
                self.wait_lower[q] = self.wait_lower[q] + [graph.count + m]
            for q in before:
                self.wait_higher[q] = self.wait_higher[q] + [graph.count + m]


class _Rank:
    __slots__ = ("ready", "idle", "is_caller_idle", "out", "arrived", "network_free_ns")

    def __init__(self, workers):
        self.ready = []  # keys of patches, a heap
        self.idle = workers - 1  # workers without a patch, the first aside
        self.is_caller_idle = True  # the first worker
        self.out = []  # (message, phase) to be sent, in order
        self.arrived = []  # packets
        self.network_free_ns = 0.0  # time from which the network takes the next message


class RankReplay:
    """ns: of the step; messages, bytes: of all ranks, aggregated messages being one;
    patch_messages: before they are aggregated; message_ns: CPU time of messages, all ranks."""

    def __init__(self, graph, phase_count, workers, costs, network, order=SHARES, is_coarse=False):
        self.graph, self.phase_count, self.workers = graph, phase_count, workers
        self.costs, self.network, self.order = costs, network, order
        self.messages = self.bytes = self.patch_messages = 0
        self.message_ns = 0.0
        # all workers of a rank write 52 bytes a particle: see bench/profile.h
        integration = max(costs.integration, 52.0 * workers / costs.memory_gb_per_s)
        count = graph.graph.count
        self.first_cost = [n * integration for n in graph.graph.particles]
        self.sweep_cost = [n * costs.sweep for n in graph.graph.particles]
        self.ranks = [_Rank(workers) for _ in range(graph.rank_count)]
        self.progress = [0] * (count + len(graph.messages))
        self.missing = [0] * count  # for the next phase: 0 = ready
        self.is_taken = bytearray(count)  # queued or held by a worker
        self.keys = [self._key_of(p) * count + p for p in range(count)]
        self.packets, self.events, self.now = [], [], 0.0
        self._run()
        self.ns = self.now if is_coarse else self.now + self._rest_of_step()

    # ---- patches ----

    def _key_of(self, patch):
        """Distance of a patch from the end of its share where its worker begins, the upper one
        in every second share and rank, or from the nearer end of its rank."""
        rank, position = self.graph.owner[patch], self.graph.position[patch]
        count, workers = self.graph.own_count[rank], self.workers
        if self.order == BORDERS:
            return min(position, count - 1 - position)
        share = position * workers // count
        first = (share * count + workers - 1) // workers
        end = ((share + 1) * count + workers - 1) // workers
        is_downward = (share + workers % 2 * rank) % 2 == 1
        return end - 1 - position if is_downward else position - first

    def _queue(self, patch):
        """Queues a patch that has become ready."""
        self.is_taken[patch] = 1
        heappush(self.ranks[self.graph.owner[patch]].ready, self.keys[patch])

    def _begin_phase(self, patch, kind):
        cost = self.sweep_cost if self.progress[patch] else self.first_cost
        heappush(self.events, (self.now + cost[patch], patch * 4 + kind))

    def _advance(self, at, after, before):
        """Counts a phase of a patch or message, and queues patches that waited for it: `after`
        it in each sweep, and `before` it."""
        progress, missing = self.progress, self.missing
        progress[at] = done = progress[at] + 1
        for near, wanted in ((after, done - 1), (before, done)):
            for q in near:
                # but in phase 0, which waits for none
                if progress[q] == wanted and wanted > 0:
                    missing[q] -= 1
                    if missing[q] == 0 and not self.is_taken[q] and wanted < self.phase_count:
                        self._queue(q)

    def _end_phase(self, patch):
        graph, progress = self.graph, self.progress
        self._advance(patch, graph.higher[patch], graph.lower[patch])
        done = progress[patch]
        for message in graph.sent.get(patch, ()):
            self.ranks[graph.owner[patch]].out.append((message, done - 1))
            self.patch_messages += 1
        missing = 0
        for at in graph.wait_lower[patch]:
            missing += progress[at] <= done
        for at in graph.wait_higher[patch]:
            missing += progress[at] < done
        self.missing[patch], self.is_taken[patch] = missing, 0
        if missing == 0 and done < self.phase_count:
            self._queue(patch)

    # ---- messages ----

    def _entry_bytes(self, entry):
        message, phase = entry
        _, particles, own = self.graph.messages[message]
        # after integration the start of the substep too
        return PATCH_HEADER + PARTICLE_BYTES * (2 * own if phase == 0 else particles)

    def _send_packet(self, rank, time):
        """Sends as one the first entry and later ones to the same rank."""
        graph, network = self.graph, self.network
        to = graph.messages[rank.out[0][0]][0]
        size, packet, rest = MESSAGE_HEADER, [], []
        for entry in rank.out:
            entry_bytes = self._entry_bytes(entry)
            fits = not packet or size + entry_bytes <= LARGEST_MESSAGE
            if graph.messages[entry[0]][0] == to and fits:
                packet.append(entry)
                size += entry_bytes
            else:
                rest.append(entry)
        rank.out = rest
        wire = size / network.gb_per_s
        begin = max(time, rank.network_free_ns)
        rank.network_free_ns = begin + max(wire, network.gap_ns)
        arrival = begin + network.latency_ns + wire
        heappush(self.events, (arrival, len(self.packets) * 4 + PACKET_ARRIVES))
        self.packets.append((to, packet))
        self.messages += 1
        self.bytes += size

    def _handle_messages(self, number):
        """The first worker takes the packets that have arrived, and sends."""
        rank, time = self.ranks[number], self.now
        if not rank.arrived and not rank.out:
            return
        for packet in rank.arrived:
            time += self.network.overhead_ns
            for message, _ in packet:
                self._advance(self.graph.graph.count + message, *self.graph.receivers[message])
        rank.arrived = []
        while rank.out:
            time += self.network.overhead_ns
            self._send_packet(rank, time)
        self.message_ns += time - self.now
        rank.is_caller_idle = False
        heappush(self.events, (time, number * 4 + MESSAGES_DONE))

    # ---- workers ----

    def _employ(self, number):
        """Idle workers of a rank take messages and ready patches."""
        rank, count = self.ranks[number], self.graph.graph.count
        if rank.is_caller_idle:
            self._handle_messages(number)
        while rank.ready and (rank.idle > 0 or rank.is_caller_idle):
            patch = heappop(rank.ready) % count
            if rank.is_caller_idle:
                rank.is_caller_idle = False
                self._begin_phase(patch, CALLER_DONE)
            else:
                rank.idle -= 1
                self._begin_phase(patch, HELPER_DONE)

    def _take_event(self, kind, number):
        if kind <= CALLER_DONE:
            patch, number = number, self.graph.owner[number]
            if kind == HELPER_DONE:
                self.ranks[number].idle += 1
            else:
                self.ranks[number].is_caller_idle = True
            self._end_phase(patch)
        elif kind == MESSAGES_DONE:
            self.ranks[number].is_caller_idle = True
        else:
            number, packet = self.packets[number]
            self.ranks[number].arrived.append(packet)
        self._employ(number)

    def _run(self):
        """Takes all patches through all phases."""
        for patch in range(self.graph.graph.count):
            self._queue(patch)
        for rank in range(self.graph.rank_count):
            self._employ(rank)
        while self.events:
            self.now, number = heappop(self.events)
            self._take_event(number % 4, number // 4)

    def _rest_of_step(self):
        """Loops of the largest rank, serial parts, and a reduction by a tree, up and down."""
        particles = [0] * self.graph.rank_count
        for rank, count in zip(self.graph.owner, self.graph.graph.particles):
            particles[rank] += count
        hop = self.network.latency_ns + 2.0 * self.network.overhead_ns
        return (
            max(particles) * self.costs.rest / self.workers
            + self.costs.serial
            + 2.0 * math.ceil(math.log2(self.graph.rank_count)) * hop
        )
