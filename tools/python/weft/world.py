"""Worlds: frozen scenes that are stepped, read and changed."""
from __future__ import annotations

import copy
import math
import operator
from types import TracebackType
from typing import Any, TypeVar, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._access import Access
from ._call import add, call, check, opened
from ._lock import Lock
from ._select import Range, Where, selection
from ._struct import Handle, ParticleRange, Struct, Vector, WorldItem, check_type, vector
from ._types import (
    Advance,
    Attribute,
    BodySettings,
    BoundsDef,
    Collider,
    ColliderDef,
    ColliderShape,
    ContactEvent,
    ContactLimitsDef,
    ContactStats,
    Grip,
    Measures,
    ParticleShapeDef,
    QueryDef,
    QueryHit,
    QueryKind,
    SkinLimits,
    WindDef,
    WorldDef,
    WorldStats,
)
from ._view import Floats, Memory, Numbers
from ._weft import ffi, lib
from .scene import Calls, Scene

T = TypeVar("T")
# number and shape of an element
_ENVIRONMENT: dict[Attribute, tuple[type[np.generic], tuple[int, ...]]] = {
    Attribute.ENVIRONMENT_GRAVITY: (np.float32, (3,)),
    Attribute.ENVIRONMENT_DAMPING: (np.float32, ()),
    Attribute.ENVIRONMENT_PAUSED: (np.bool_, ()),
    Attribute.ENVIRONMENT_STEP_COUNT: (np.uint64, ()),
}
Bytes = Union[bytes, bytearray, memoryview, NDArray[np.uint8]]


def plain_world_def() -> WorldDef:
    """Settings with plain sweeps: 10 iterations a step, one substep, no multigrid levels."""
    return WorldDef._of(ffi.new("weft_world_def*", lib.weft_plain_world_def()))


class World(Access):
    """A scene that can be stepped.

    Selections of particles, `where`, are a Body, a slice, a number, None for all; and, except for
    snapshots of a range, a sequence or array of numbers, or a mask. Getters copy into new arrays,
    or into `out`.
    Methods release the global interpreter lock while the library works; those of one world wait
    for each other, those of different worlds run in parallel.

    Args:
        scene: only read, may be changed or closed afterwards
        settings: default WorldDef()

    Raises:
        WeftError: Error.EMPTY for a scene without particles, Error.RANGE .. for a setting,
            Error.UNSUPPORTED, Error.OUT_OF_MEMORY
    """

    def __init__(self, scene: Scene, settings: WorldDef | None = None) -> None:
        check_type(scene, Scene)
        self._lock = Lock()
        # kept for its targets, and for worlds like this one
        self._settings = WorldDef() if settings is None else copy.deepcopy(settings)
        self._create(scene)

    def _create(self, scene: Scene) -> None:
        out = ffi.new("weft_world**")
        with scene._lock:
            check(lib.weft_world_create(self._settings._checked(), scene._c, out))
            calls = None if scene._calls is None else scene._calls_so_far()
        self._c = ffi.gc(out[0], lambda c: lib.weft_world_destroy(ffi.new("weft_world**", c)))
        self._calls = calls
        self._memory = Memory()
        self._count = self.stats().particle_count

    def __reduce__(self) -> Any:
        with self._lock:
            snapshot = self.save()
            if self._calls is None:
                raise TypeError("a World of a Scene with recorded=False cannot be copied")
            own = ("_c", "_lock", "_settings", "_calls", "_memory", "_count")
            added = {name: value for name, value in vars(self).items() if name not in own}
            return _world, (type(self), self._calls, self._settings, snapshot), added or None

    def close(self) -> None:
        """Stops the workers and frees the world, once no view of its columns is left. Further calls
        raise WeftError(Error.NULL)."""
        with self._lock:
            self._c = ffi.NULL
            self._calls = None

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        if not self._c:
            return "<weft.World: closed>"
        stats = self.stats()
        return (
            f"<weft.World: {stats.particle_count} particles, {stats.link_count} links, "
            f"{stats.worker_count} workers, {stats.isa.name}, step {stats.step_count}>"
        )

    # ---- time

    def step(self, count: int = 1) -> None:
        """Takes `count` steps, 0 or more, of WorldDef.step_ns nanoseconds. Ctrl-C ends it between
        two steps. Cannot fail otherwise."""
        if count < 0:
            raise ValueError("count is negative")
        with self._lock:
            world = opened(self._c, "world")
            for _ in range(count):
                lib.weft_world_step(world, 1)

    def advance(self, elapsed_ns: int) -> Advance:
        """Advances by elapsed nanoseconds, >= 0, in fixed time steps; tells the steps taken."""
        try:
            whole = operator.index(elapsed_ns)
        except TypeError:
            kind = type(elapsed_ns).__name__
            raise TypeError(f"advance() takes whole nanoseconds, not {kind}") from None
        return self._out(Advance, "advance", whole)

    def set_time_scale(self, scale: float) -> None:
        """Scales elapsed time in advance(): 0 to 1000, 0 = paused."""
        self.call("set_time_scale", scale)

    def reset(self, scene: Scene) -> None:
        """Resets the world to its first state, as new of `scene`, to the bit. Handles and views
        end. Raises as the constructor does; the world is unchanged then."""
        check_type(scene, Scene)
        with self._lock:
            former = self._memory
            # set since by weft_world_set_span_capacity()
            self._settings.span_capacity = self.settings().span_capacity
            self._create(scene)
            former.is_current = False

    # columns of the former world are read as long as their arrays live
    _replaced = {"world_reset": reset}

    @property
    def step_seconds(self) -> float:
        """Seconds of a step, 1/60 by default; WorldDef.step_ns has whole nanoseconds."""
        return 1e-9 * self.settings().step_ns

    # ---- state

    def positions(self, where: Where = None, out: Floats | None = None) -> Floats:
        """Positions, (n, 3) in metres."""
        return self._get(Attribute.POSITION, where, out)

    def velocities(self, where: Where = None, out: Floats | None = None) -> Floats:
        """Velocities, (n, 3) in metres per second."""
        return self._get(Attribute.VELOCITY, where, out)

    def interpolated(
        self, interpolation: float, where: Where = None, out: Floats | None = None
    ) -> Floats:
        """Positions between the last two steps, (n, 3) in metres: 0 = before, 1 = after it."""
        if out is None:
            out = np.empty((self._selection(where)[2], 3), np.float32)
        self.read({Attribute.POSITION: out}, where, interpolation)
        return out

    def orientations(self, where: Where = None, out: Floats | None = None) -> Floats:
        """Orientations, (n, 4): unit quaternions x y z w; 0 0 0 1 of those that do not turn."""
        return self._get(Attribute.ORIENTATION, where, out)

    def angular_velocities(self, where: Where = None, out: Floats | None = None) -> Floats:
        """Angular velocities, (n, 3) in radians per second."""
        return self._get(Attribute.ANGULAR_VELOCITY, where, out)

    def inverse_masses(self, where: Where = None, out: Floats | None = None) -> Floats:
        """Inverse masses, (n,) in 1/kg; 0 if pinned or held by a grip."""
        return self._get(Attribute.INVERSE_MASS, where, out)

    def faces(self) -> Numbers:
        """Remaining faces, (n, 3) particle numbers. Error.DISABLED in a plane."""
        return self._list("uint32_t", "get_faces", 3)

    def torn(self, first: int = 0, count: int | None = None) -> NDArray[np.bool_]:
        """True for each link from `first` on that is torn, (count,)."""
        made = np.empty(self.stats().link_count - first if count is None else count, np.bool_)
        self.call("get", Attribute.LINK_TORN, call("range", first, len(made)), made, 0)
        return made

    def hash(self) -> int:
        """State hash: the same for every worker count and instruction set, as in C."""
        with self._lock:
            return int(lib.weft_world_hash(opened(self._c, "world")))

    def measure(self) -> Measures:
        """Mass, centre, momentum, energies, bounding box and strain."""
        return self._out(Measures, "measure")

    def stats(self) -> WorldStats:
        """Counts, and the settings that AUTO chose."""
        return self._out(WorldStats, "get_stats")

    def explain(self) -> NDArray[Any]:
        """Settings of each body and the reason, (n,) with a field for each of BodySettings."""
        return self._list(BodySettings._c_name, "explain", 0)

    def contact_stats(self) -> ContactStats:
        """Counts of contacts in the last step, and of those lost to limits."""
        return self._out(ContactStats, "get_contact_stats")

    def settings(self) -> WorldDef:
        """Present settings."""
        return self._out(WorldDef, "get_def")

    # ---- snapshots

    def save(self) -> NDArray[np.uint8]:
        """Snapshot of all state, for restore(), a file or another process."""
        return self._save("get_snapshot_size", "save")

    def restore(self, snapshot: Bytes) -> None:
        """Restores a snapshot: all that follows is as it was, to the bit. Any world of the same
        scene with the same settings takes it.

        Raises:
            WeftError: Error.CORRUPT, Error.TRUNCATED, Error.VERSION, Error.FOREIGN
        """
        memory = ffi.from_buffer(snapshot)
        with self._lock:
            check(lib.weft_world_restore(self._c, memory, len(memory)))

    def save_range(self, where: Range) -> NDArray[np.uint8]:
        """Snapshot of the motion of a range of particles, such as one environment of many."""
        return self._save("get_range_size", "save_range", *self._range(where))

    def restore_range(self, snapshot: Bytes) -> None:
        """Restores the motion of a range, in time for its particles alone."""
        memory = ffi.from_buffer(snapshot)
        with self._lock:
            check(lib.weft_world_restore_range(self._c, memory, len(memory)))

    # ---- changes

    def set_positions(self, positions: ArrayLike, where: Where = None) -> None:
        """Sets positions, (n, 3) in metres or (3,) for all of `where`; velocities are kept.

        float32 arrays are read as they are, rows of any stride included; others are converted.
        Raises WeftError(Error.NOT_FINITE or Error.RANGE) with the index of the row.
        """
        self._set(Attribute.POSITION, positions, where)

    def set_velocities(self, velocities: ArrayLike, where: Where = None) -> None:
        """Sets velocities, (n, 3) or (3,) in metres per second; after positions, if both."""
        self._set(Attribute.VELOCITY, velocities, where)

    def set_inverse_masses(self, inverse_masses: ArrayLike, where: Where = None) -> None:
        """Sets inverse masses, (n,) or one in 1/kg: 0 pins, else 1e-13 to 1e13."""
        self._set(Attribute.INVERSE_MASS, inverse_masses, where)

    def move_particles(self, targets: ArrayLike, where: Where = None) -> None:
        """Moves pinned particles to targets, (n, 3) or (3,) in metres, during the next step.

        Raises WeftError(Error.RANGE) with its index if a particle is not pinned.
        """
        self._set(Attribute.TARGET, targets, where)

    def add_forces(self, forces: ArrayLike, where: Where = None) -> None:
        """Adds forces, (n, 3) or (3,) in newtons, for the next step."""
        self._set(Attribute.FORCE, forces, where, adds=True)

    def set_gravity(self, gravity: Vector) -> None:
        """Sets gravity, (3,) in metres per second squared."""
        self.call("set_gravity", vector(gravity))

    def set_damping(self, damping: float) -> None:
        """Sets the rate of decay of velocities, 1/seconds, >= 0."""
        self.call("set_damping", damping)

    def set_wind(self, wind: WindDef | None) -> None:
        """Sets the wind; None = none. Error.DISABLED in a plane."""
        self.call("set_wind", wind)

    def set_bounds(self, bounds: BoundsDef | None) -> None:
        """Sets the box that free particles do not leave; None = none."""
        self.call("set_bounds", bounds)

    def set_particle_shape(self, shape: ParticleShapeDef | None, where: Where = None) -> None:
        """Sets the collision shape of particles; None = they collide with nothing."""
        self.call("set_particle_shape", selection(where, self._count), shape)

    def teleport(
        self, where: Where = None, offset: Vector | None = None, rotation: Vector | None = None
    ) -> None:
        """Moves particles rigidly and at once, with their velocities: rotated about the origin by a
        unit quaternion x y z w, then shifted by (3,) metres."""
        by = None if offset is None else vector(offset)
        turn = None if rotation is None else vector(rotation, 4)
        self.call("teleport", selection(where, self._count), by, turn)

    def set_skin_limits(self, limits: SkinLimits | NDArray[Any], where: Where = None) -> None:
        """Sets how far particles stay from their skinned positions.

        Args:
            limits: one for all of `where`; or (n,), made by SkinLimits.array(n)
        """
        chosen = selection(where, self._count)
        rows = limits if isinstance(limits, np.ndarray) else None
        _check_rows(rows, chosen.count, "limits")
        stride = lib.WEFT_SAME if rows is None else 0
        self.call("set", Attribute.SKIN_LIMITS, chosen, limits, stride)

    def move_skin(
        self, positions: ArrayLike, where: Where = None, normals: ArrayLike | None = None
    ) -> None:
        """Moves the skinned positions, (n, 3) in metres, during the next step.

        Args:
            normals: (n, 3), for backstops; None = they stay
        """
        with self._lock:
            self._set(Attribute.SKIN_POSITION_TARGET, positions, where)
            if normals is not None:
                self._set(Attribute.SKIN_NORMAL_TARGET, normals, where)

    def set_links_enabled(self, enabled: bool, first: int, count: int = 1) -> None:
        """Switches links off, or on again; torn ones stay torn."""
        self._set_links(Attribute.LINK_ENABLED, first, count, enabled)

    def tear_links(self, first: int, count: int = 1) -> None:
        """Tears links for good."""
        self._set_links(Attribute.LINK_TORN, first, count, True)

    def _set_links(self, attribute: Attribute, first: int, count: int, flag: bool) -> None:
        flags = np.array([flag], np.bool_)
        self.call("set", attribute, call("range", first, count), flags, lib.WEFT_SAME)

    def tear_near(self, start: Vector, end: Vector, radius: float) -> int:
        """Tears all links within `radius` metres of a segment; returns their number."""
        torn = np.zeros(1, "u4")
        self.call("tear_near", vector(start), vector(end), radius, torn)
        return int(torn[0])

    def cut(self, triangle: ArrayLike) -> int:
        """Tears all links that cross a triangle, (3, 3) in metres; returns their number."""
        torn = np.zeros(1, "u4")
        self.call("cut", vector(np.ravel(triangle), 9), torn)
        return int(torn[0])

    def remove_body(self, body: ParticleRange) -> None:
        """Takes a body out: its links act no more, its particles collide with nothing."""
        self.call("remove_body", body)

    # ---- environments

    def environment_count(self) -> int:
        """Number of environments."""
        with self._lock:
            return int(lib.weft_world_environment_count(opened(self._c, "world")))

    def environment(self, attribute: Attribute) -> NDArray[Any]:
        """Attribute of each environment, (n,) or (n, 3): Attribute.ENVIRONMENT_GRAVITY and the
        like."""
        kind, width = _ENVIRONMENT[attribute]
        with self._lock:
            made = np.empty((self.environment_count(), *width), kind)
            self.call("get", attribute, selection(None, len(made)), made, 0)
        return made

    def set_environment(self, attribute: Attribute, values: ArrayLike, where: Where = None) -> None:
        """Sets an attribute of environments: a value for each, or one for all."""
        kind, width = _ENVIRONMENT[attribute]
        chosen = selection(where, self.environment_count())
        rows = np.ascontiguousarray(
            np.broadcast_to(np.asarray(values, kind), (chosen.count, *width))
        )
        self.call("set", attribute, chosen, rows, 0)

    # ---- colliders, joints, particles, grips

    def add(self, item: WorldItem[T]) -> T:
        """Adds a ColliderDef, a JointDef or a ParticleDef; returns its handle."""
        _check_samples(item)
        with self._lock:
            return add(self, "world", item)  # type: ignore[no-any-return]

    def remove(self, handle: Handle) -> None:
        """Removes what a handle names. Raises WeftError(Error.STALE) if that has been removed."""
        check_type(handle, Handle)
        self.call(f"remove_{handle._c_name.removeprefix('weft_')}", handle)

    def move_collider(
        self, collider: Collider, position: Vector, rotation: Vector | None = None
    ) -> None:
        """Moves a collider during the next step, sweeping particles along.

        Args:
            position: (3,) in metres
            rotation: unit quaternion x y z w; None = as it is
        """
        self.call(
            "move_collider",
            collider,
            vector(position),
            None if rotation is None else vector(rotation, 4),
        )

    def collider(self, collider: Collider) -> ColliderDef:
        """Def of a collider with its present pose, velocity and spin, without its arrays."""
        return self._out(ColliderDef, "get_collider", collider)

    def set_collider(self, collider: Collider, **changes: Any) -> None:
        """Sets fields of a collider's def at once, such as velocity=(1, 0, 0)."""
        item = self.collider(collider)
        for name, value in changes.items():
            setattr(item, name, value)
        self.call("set_collider", collider, item)

    def add_grip(self, place: Vector, radius: float) -> Grip:
        """Takes all free particles within `radius` metres of a point, and holds them; up to 16."""
        return self._out(Grip, "add_grip", vector(place), radius)

    def move_grip(self, grip: Grip, place: Vector) -> None:
        """Moves a grip, and what it holds, to a point in metres during the next step."""
        self.call("move_grip", grip, vector(place))

    # ---- events

    def set_contact_limits(self, limits: ContactLimitsDef) -> None:
        """Sets the room for contacts; events are kept once max_events is above 0."""
        self.call("set_contact_limits", limits)

    def take_contact_events(self, capacity: int = 4096) -> NDArray[Any]:
        """Takes the oldest contact events, (n,) with a field for each of ContactEvent."""
        return self._take(ContactEvent._c_name, "take_contact_events", capacity)

    def take_torn(self, capacity: int = 4096) -> Numbers:
        """Takes the numbers of the links that tore, the oldest first, (n,)."""
        return self._take("uint32_t", "take_torn", capacity)

    # ---- queries

    def build_index(self) -> None:
        """Builds hierarchies that make queries of present positions fast."""
        self.call("build_index")

    def query(self, query: QueryDef, capacity: int | None = None) -> NDArray[Any]:
        """Hits of a query, (n,) with the fields of QueryHit: all of them, or at most `capacity`."""
        if capacity is None and query.kind != QueryKind.NEAREST:
            return self._list(QueryHit._c_name, "query", 0, query)
        return self._take(QueryHit._c_name, "query", self._count if capacity is None else capacity,
                          query)  # fmt: skip

    def cast_ray(
        self, origin: Vector, direction: Vector, length: float = np.inf, **filter: Any
    ) -> QueryHit | None:
        """First hit of a ray, up to `length` metres; None without one. `filter`: fields of
        QueryDef, such as links=False."""
        kind = QueryKind.RAY
        return self._first(QueryDef(kind=kind, point=origin, to=direction, length=length, **filter))

    def cast_sphere(
        self, start: Vector, end: Vector, radius: float, **filter: Any
    ) -> QueryHit | None:
        """First hit of a sphere of `radius` metres that moves from `start` to `end`."""
        return self._first(
            QueryDef(kind=QueryKind.CAST, point=start, to=end, radius=radius, **filter)
        )

    def find_closest(self, point: Vector, length: float = np.inf, **filter: Any) -> QueryHit | None:
        """Element nearest to a point, within `length` metres."""
        return self._first(QueryDef(kind=QueryKind.CLOSEST, point=point, length=length, **filter))


def _world(kind: type[World], calls: Calls, settings: WorldDef, snapshot: Bytes) -> World:
    """A world in the state of a snapshot."""
    made = kind.__new__(kind)
    World.__init__(made, calls.scene(), settings)
    made.restore(snapshot)
    return made


def _check_rows(rows: NDArray[Any] | None, count: int, name: str) -> None:
    """Raises ValueError for an array of another number of rows."""
    expected = (count, 3) if rows is not None and rows.dtype.names is None else (count,)
    if rows is not None and rows.shape != expected:
        raise ValueError(f"{name} has shape {rows.shape}, not {expected}")


def _check_samples(item: Struct) -> None:
    """Raises ValueError if a collider has not as many samples as its size says."""
    if not isinstance(item, ColliderDef) or item.samples is None:
        return
    size = item.size if item.shape == ColliderShape.DISTANCE_GRID else (item.size[0], item.size[2])
    if np.size(item.samples) != math.prod(size):
        raise ValueError(f"ColliderDef.samples has {np.size(item.samples)} elements, not {size}")
