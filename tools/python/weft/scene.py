"""Scenes: what a world is made of."""
from __future__ import annotations

import copy
from types import TracebackType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._call import add, call, check, opened
from ._lock import Lock
from ._select import Range, Where, first_and_count, numbers, selection
from ._struct import ParticleRange, SceneItem, Vector, as_array, vector
from ._types import Body, LinkDef, ParticleShapeDef
from ._weft import ffi, lib

T = TypeVar("T")


class Calls(tuple[tuple[str, tuple[Any, ...]], ...]):
    """Calls that make a scene, with copies of their arguments, as far as they can be copied."""

    def scene(self, made: dict[int, Scene] | None = None) -> Scene:
        """The scene; `made` maps id(calls) to scenes that others are made of."""
        made = {} if made is None else made
        scene = Scene()
        for name, args in self:
            for arg in args:
                if arg is UNKNOWN:
                    raise TypeError(f"weft_{name}() was given what cannot be copied")
                if isinstance(arg, Calls) and id(arg) not in made:
                    made[id(arg)] = arg.scene(made)
            # the handle itself: calls are recorded already
            call(name, scene._c, *[made.get(id(arg), arg) for arg in args])
        scene._calls, scene._recorded = list(self), self
        return scene

    def __deepcopy__(self, _: object) -> Calls:
        return self

    def __reduce__(self) -> Any:
        for name, args in self:
            if any(arg is UNKNOWN or (isinstance(arg, ffi.CData) and arg) for arg in args):
                raise TypeError(f"cannot pickle the pointer that weft_{name}() was given")
        return Calls, (tuple(self),)


# argument without a copy
UNKNOWN = object()


def _recorded(arg: Any) -> Any:
    """Copy of an argument; arguments only read are copies already."""
    if isinstance(arg, Scene):
        return UNKNOWN if arg._calls is None else arg._calls_so_far()
    if isinstance(arg, ffi.CData) and arg and ffi.typeof(arg) is not ffi.typeof("void*"):
        return UNKNOWN
    return copy.copy(arg) if isinstance(arg, ParticleRange) else arg


class Scene:
    """Bodies, made of particles and of links between them. A world is a frozen copy of a scene.

    Scenes and worlds can be pickled and copied. As a context manager a scene is closed at the end.

    Args:
        recorded: a scene, and its worlds, keep copies of what it was made of, arrays included.
            False saves that memory: they cannot be pickled then, nor copied

    Raises:
        WeftError: Error.OUT_OF_MEMORY
    """

    def __init__(self, recorded: bool = True) -> None:
        out = ffi.new("weft_scene**")
        check(lib.weft_scene_create(out))
        self._c = ffi.gc(out[0], lambda c: lib.weft_scene_destroy(ffi.new("weft_scene**", c)))
        self._lock = Lock()
        self._calls: list[tuple[str, tuple[Any, ...]]] | None = [] if recorded else None
        self._recorded = Calls()

    def close(self) -> None:
        """Frees the scene; further calls raise WeftError(Error.NULL). Worlds are unaffected."""
        with self._lock:
            self._c = ffi.NULL
            self._calls = None
            self._recorded = Calls()

    # ---- copies

    @property
    def _record(self) -> Any:
        """Takes calls that have changed the scene; None if they are not recorded."""
        return self._take_call if self._calls is not None else None

    def _take_call(self, name: str, args: list[Any]) -> None:
        assert self._calls is not None
        self._calls.append((name, tuple(map(_recorded, args))))

    def _calls_so_far(self) -> Calls:
        opened(self._c, "scene")
        if self._calls is None:
            raise TypeError("a Scene with recorded=False, or a World of one, cannot be copied")
        if len(self._recorded) != len(self._calls):
            self._recorded = Calls(self._calls)
        return self._recorded

    def __reduce__(self) -> Any:
        with self._lock:
            return _scene, (type(self), self._calls_so_far()), _added(self)

    def __enter__(self) -> Scene:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        if not self._c:
            return "<weft.Scene: closed>"
        return f"<weft.Scene: {self.particle_count} particles, {self.link_count} links>"

    @property
    def particle_count(self) -> int:
        """Number of particles; they are numbered in the order in which they were added."""
        with self._lock:
            return int(lib.weft_scene_particle_count(opened(self._c, "scene")))

    @property
    def link_count(self) -> int:
        """Number of links, numbered likewise."""
        with self._lock:
            return int(lib.weft_scene_link_count(opened(self._c, "scene")))

    def add(self, item: SceneItem[T]) -> T:
        """Adds a SheetDef, MeshDef, RopeDef, RagdollDef .. and returns its Body; of a
        ForceCurveDef, its number.

        Raises WeftError with the field at fault, such as "weft_sheet_def.spacing".
        """
        return add(self, "scene", item)  # type: ignore[no-any-return]

    def add_particles(self, positions: ArrayLike, inverse_masses: ArrayLike = 1.0) -> Body:
        """Adds particles.

        Args:
            positions: (n, 3), metres, up to 1e9 along each axis
            inverse_masses: (n,) or one for all, 1/kg, 0 = pinned, else 1e-13 to 1e13

        Raises:
            WeftError: Error.NOT_FINITE or Error.RANGE, with the index of the particle
        """
        xyz = as_array(positions, "float").reshape(-1, 3)
        masses = np.ascontiguousarray(
            np.broadcast_to(np.asarray(inverse_masses, np.float32), len(xyz))
        )
        body = Body()
        call("scene_add_particles", self, xyz, masses, len(xyz), body)
        return body

    def add_links(self, links: NDArray[Any] | list[LinkDef]) -> Body:
        """Adds links between particles of the scene.

        Args:
            links: (n,) of LinkDef.array(n), whose columns are set at once, such as links["a"]; or a
                list of LinkDef

        Raises:
            WeftError: Error.DUPLICATE for a pair that is linked already, Error.RANGE .., with
                the index of the link
        """
        body = Body()
        call("scene_add_links", self, as_array(links, "weft_link_def"), len(links), body)
        return body

    def add_scene(
        self, other: Scene, position: Vector | None = None, rotation: Vector | None = None,
        environment: int = 0,
    ) -> Body:  # fmt: skip
        """Adds a copy of another scene, as environment `environment`: particles of different
        environments never touch, wherever they are.

        Args:
            position: (3,) in metres
            rotation: unit quaternion x y z w, about the origin, before the shift
        """
        body = Body()
        place = None if position is None else vector(position)
        turn = None if rotation is None else vector(rotation, 4)
        call("scene_add_scene", self, other, place, turn, environment, body)
        return body

    def link(self, a: Where, b: Where, **fields: ArrayLike) -> Body:
        """Links particles by pairs, a[i] and b[i], or one of them with each of the others.

        Args:
            fields: fields of LinkDef, one value for all or (n,); rest_length is the distance in
                metres if it is not given

        Raises:
            WeftError: as add_links()
        """
        xyz = self.particles()[0].astype(np.float64)
        one, other = np.broadcast_arrays(numbers(a, len(xyz)), numbers(b, len(xyz)))
        made = LinkDef.array(len(one))
        made["a"], made["b"] = one, other
        # the library refuses numbers without a particle
        between = xyz[np.minimum(one, len(xyz) - 1)] - xyz[np.minimum(other, len(xyz) - 1)]
        made["rest_length"] = np.sqrt((between**2).sum(axis=1))
        for name, values in fields.items():
            if name not in LinkDef._fields():
                raise LinkDef._no_field(name)
            made[name] = values
        return self.add_links(made)

    def pin(self, where: Where) -> None:
        """Pins particles in place: a Body, a slice, a number, a sequence of numbers, or a mask.
        Raises WeftError(Error.INDEX)."""
        call("scene_pin", self, selection(where, self.particle_count))

    def set_particle_shape(self, shape: ParticleShapeDef | None, where: Where = None) -> None:
        """Sets the contact with which worlds of the scene begin: see World.set_particle_shape()."""
        call("scene_set_particle_shape", self, selection(where, self.particle_count), shape)

    def set_pressure(self, body: ParticleRange, pressure: float) -> None:
        """Fills a closed body with gas of a gauge pressure in pascals, 0 to 1e12; 0 = none.

        Raises WeftError(Error.DEGENERATE) for a surface that is open or wound both ways.
        """
        call("scene_set_pressure", self, body, pressure)

    def particles(self, where: Range = None) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Positions (n, 3) in metres and inverse masses (n,) in 1/kg, as copies."""
        first, count = first_and_count(where, self.particle_count)
        xyz, masses = np.empty((count, 3), "f4"), np.empty(count, "f4")
        call("scene_get_particles", self, first, count, xyz, masses)
        return xyz, masses

    def links(self, first: int = 0, count: int | None = None) -> NDArray[Any]:
        """Links from number `first` on, (count,) with a field for each of LinkDef, as a copy."""
        made = LinkDef.array(self.link_count - first if count is None else count)
        call("scene_get_links", self, first, len(made), made)
        return made

    def call(self, name: str, *args: Any) -> Any:
        """Calls `weft_scene_<name>(scene, ..)`: see weft.call()."""
        return call(f"scene_{name}", self, *args)


def _scene(kind: type[Scene], calls: Calls) -> Scene:
    made = calls.scene()
    made.__class__ = kind
    return made


def _added(thing: Scene) -> dict[str, Any] | None:
    """Attributes added by a derived class or its user."""
    own = ("_c", "_lock", "_calls", "_recorded")
    return {name: value for name, value in vars(thing).items() if name not in own} or None
