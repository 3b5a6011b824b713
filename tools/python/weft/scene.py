"""Scenes: what a world is made of."""
from __future__ import annotations

from types import TracebackType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._call import ParticleRange, SceneItem, Vector, add, as_array, call, check, opened, vector
from ._select import Range, first_and_count
from ._types import Body, LinkDef
from ._weft import ffi, lib

T = TypeVar("T")


class Scene:
    """Bodies, made of particles and of links between them. A world is a frozen copy of a scene.

    Raises WeftError(Error.OUT_OF_MEMORY). As a context manager it is closed at the end.
    """

    def __init__(self) -> None:
        out = ffi.new("weft_scene**")
        check(lib.weft_scene_create(out))
        self._c = ffi.gc(out[0], lambda c: lib.weft_scene_destroy(ffi.new("weft_scene**", c)))

    def close(self) -> None:
        """Frees the scene; further calls raise WeftError(Error.NULL). Worlds are unaffected."""
        self._c = ffi.NULL

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
        return int(lib.weft_scene_particle_count(opened(self._c, "scene")))

    @property
    def link_count(self) -> int:
        """Number of links, numbered likewise."""
        return int(lib.weft_scene_link_count(opened(self._c, "scene")))

    def add(self, item: SceneItem[T]) -> T:
        """Adds a SheetDef, MeshDef, RopeDef, RagdollDef .. and returns its Body; of a
        ForceCurveDef, its number.

        Raises WeftError with the field at fault, such as "weft_sheet_def.spacing".
        """
        return add(self._c, "scene", item)  # type: ignore[no-any-return]

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

    def pin(self, where: Range) -> None:
        """Pins particles in place: a Body, a slice, a number. Raises WeftError(Error.INDEX)."""
        call("scene_pin", self, *first_and_count(where, self.particle_count))

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
