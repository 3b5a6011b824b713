"""Patches of a schedule, the particles that several of them touch, and their ranks.

A share is a set of patches, its own one first, and the number of particles that these patches, and
no others, touch (engine/libraries/cluster/patch_graph.h). After each phase a patch sends the particles that
it touches to every other rank that has a patch which touches them too.
"""

# see engine/schedule/order.c and tables/schedule.h
SMALL_BODY, MIN_TARGET, MAX_TARGET = 2048, 512, 2048
PATCHES_PER_BODY, MAX_TILE_COLUMNS, LANES = 16, 2048, 16


class PatchGraph:
    def __init__(self, particles, costs, shares):
        self.particles = particles  # own particles of a patch
        self.costs = costs  # one phase of a patch, lane groups
        self.shares = shares  # (patches, particles)
        self.count = len(particles)
        self.neighbors = self._list_neighbors()
        self.colors = self._color()

    def _list_neighbors(self):
        near = [[] for _ in range(self.count)]
        for patches, _ in self.shares:
            for p in patches:
                near[p].extend(patches)
        return [[q for q in sorted(set(qs)) if q != p] for p, qs in enumerate(near)]

    def _color(self):
        """First fit in patch order, as in the engine."""
        colors = []
        for p, near in enumerate(self.neighbors):
            used = {colors[q] for q in near if q < p}
            colors.append(next(c for c in range(len(used) + 1) if c not in used))
        return colors

    @staticmethod
    def read(patches):
        """The graph of a row, written by weft-bench scaling --ranks --record."""
        particles = patches["particles"].wholes()
        costs = patches["costs"].wholes(len(particles))
        if not costs or min(costs) == 0:
            raise patches["costs"].fault("has a cost of 0, or none")
        sizes = patches["share_particles"].wholes()
        first = patches["share_first"].wholes(len(sizes) + 1)
        members = patches["share_patches"].wholes(first[-1], len(particles))
        shares = [(members[a:b], n) for a, b, n in zip(first, first[1:], sizes)]
        return PatchGraph(particles, costs, shares)


# ---- sheets ----


class Tiling:
    """Tiles of a sheet of links to all eight neighbours, one patch each, row by row."""

    def __init__(self, columns, rows):
        blocks = -(-columns // MAX_TILE_COLUMNS)
        self.columns, self.rows, self.width = columns, rows, -(-columns // blocks)
        self.height = max(1, (self._target(columns * rows) + self.width // 2) // self.width)
        self.across, self.down = -(-columns // self.width), -(-rows // self.height)

    @staticmethod
    def _target(particles):
        if particles <= SMALL_BODY:
            return SMALL_BODY
        return max(MIN_TARGET, min(MAX_TARGET, particles // PATCHES_PER_BODY))

    def width_of(self, column):
        return min(self.width, self.columns - column * self.width)

    def height_of(self, row):
        return min(self.height, self.rows - row * self.height)


def _tile_shares(tiling, row, column):
    """Particles of a tile that others touch.

    A link belongs to the tile of its end that comes first, so that a tile touches one row below it,
    one column to its right, and the corners below.
    """
    own = row * tiling.across + column
    above, width, lower = own - tiling.across, tiling.width_of(column), tiling.height_of(row) - 1
    has_left, has_right = column > 0, column + 1 < tiling.across
    inner = width - min(width, has_left + has_right)
    shares = []
    if row == 0:
        return [((own, own - 1), lower + 1)] if has_left else []
    # first row: left corner, between, right corner; then the left column below
    if has_left:
        shares.append(((own, above - 1, above, own - 1), 1))
    if inner > 0:
        shares.append(((own, above), inner))
    if has_right:
        shares.append(((own, above, above + 1), 1))
    if has_left and lower > 0:
        shares.append(((own, own - 1), lower))
    return shares


def graph_of_sheet(columns, rows):
    """By formula, without the particles; lane groups that are filled up touch some more."""
    tiling = Tiling(columns, rows)
    particles, shares = [], []
    for row in range(tiling.down):
        for column in range(tiling.across):
            particles.append(tiling.width_of(column) * tiling.height_of(row))
            shares += _tile_shares(tiling, row, column)
    # four links a particle, and the particle itself
    return PatchGraph(particles, [5 * n // LANES + 1 for n in particles], shares)


# ---- partitions ----


def partition_ranges(graph, ranks):
    """Contiguous ranges of patches of equal cost: strips of a sheet."""
    everything, so_far, owner = sum(graph.costs), 0, []
    for cost in graph.costs:
        owner.append(so_far * ranks // everything)
        so_far += cost
    return owner


def _cut_of(tiling, across, down):
    """Particles along all borders of blocks."""
    return (across - 1) * tiling.rows + (down - 1) * tiling.columns


def _unevenness(tiles, blocks):
    """Largest block of tiles over the mean, along one side."""
    return -(-tiles // blocks) * blocks / tiles


def partition_blocks(columns, rows, ranks):
    """Blocks of tiles, cut for the fewest particles, none a tenth larger than the mean."""
    tiling, best = Tiling(columns, rows), 1
    fewest = _cut_of(tiling, 1, ranks)
    for across in range(2, min(ranks, tiling.across) + 1):
        down = ranks // across
        if ranks % across != 0 or down > tiling.down:
            continue
        if _unevenness(tiling.across, across) * _unevenness(tiling.down, down) > 1.1:
            continue
        if _cut_of(tiling, across, down) < fewest:
            fewest, best = _cut_of(tiling, across, down), across
    down = ranks // best
    return [
        row * down // tiling.down * best + column * best // tiling.across
        for row in range(tiling.down)
        for column in range(tiling.across)
    ]


def imbalance(graph, owner, ranks):
    """Largest cost of a rank over the mean."""
    costs = [0] * ranks
    for rank, cost in zip(owner, graph.costs):
        costs[rank] += cost
    return max(costs) * ranks / sum(costs)


def messages(graph, owner):
    """(patch, rank that receives) -> [particles, own particles], sorted: a sweep's messages."""
    found = {}
    for patches, particles in graph.shares:
        ranks = {owner[p] for p in patches}
        if len(ranks) == 1:
            continue
        for p in patches:
            for rank in ranks:
                if rank == owner[p]:
                    continue
                message = found.setdefault((p, rank), [0, 0])
                message[0] += particles
                if p == patches[0]:
                    message[1] += particles
    return dict(sorted(found.items()))
