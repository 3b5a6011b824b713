"""Views: arrays in the memory of a world.

Two guards. An array keeps the memory that it refers to alive, whoever else has it: NumPy's own code,
a memoryview, another library. World.reset() therefore makes a world with memory of its own, and the
former one goes with its last array. And a Column raises once its world has been reset, as a value
from before would be taken for one of now; nothing can raise for a memoryview, or for the plain array
of np.asarray().
"""
from __future__ import annotations

from typing import Any, Callable, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._call import refusal
from ._weft import ffi, lib

Floats = NDArray[np.float32]
Numbers = NDArray[np.uint32]


class Memory:
    """Memory of a world until it is reset."""

    is_current = True


class Column(np.ndarray[Any, Any]):
    """Read-only array in the memory of a world. Raises WeftError(Error.STALE) after World.reset().

    Results of NumPy are plain arrays; slices are columns.
    """

    _memory: Memory | None = None  # None: memory of its own

    def __array_finalize__(self, source: Any) -> None:
        if isinstance(source, Column) and not object.__getattribute__(self, "flags").owndata:
            self._memory = object.__getattribute__(source, "_memory")

    def __getattribute__(self, name: str) -> Any:
        memory = object.__getattribute__(self, "_memory")
        if memory is not None and not memory.is_current and name != "__class__":
            raise refusal(lib.WEFT_ERROR_STALE, "view", "the world has been reset since")
        return super().__getattribute__(name)

    def __getitem__(self, key: Any) -> Any:
        plain = self.view(np.ndarray)
        found = plain[_plain(key)]
        if not isinstance(found, np.ndarray) or not np.may_share_memory(found, plain):
            return found
        made = found.view(Column)
        made._memory = self._memory
        return made

    # NumPy 1 drops errors of its own comparison
    def __eq__(self, other: Any) -> Any:
        return self.view(np.ndarray) == _plain(other)

    def __ne__(self, other: Any) -> Any:
        return self.view(np.ndarray) != _plain(other)

    def __contains__(self, value: Any) -> bool:
        return value in self.view(np.ndarray)

    def __array_ufunc__(self, ufunc: Any, method: Any, *inputs: Any, **kwargs: Any) -> Any:
        options = {name: _plain(value) for name, value in kwargs.items()}
        return getattr(ufunc, method)(*map(_plain, inputs), **options)

    def __array_function__(
        self, function: Callable[..., Any], _: Any, args: Any, kwargs: Any
    ) -> Any:
        options = {name: _plain(value) for name, value in kwargs.items()}
        return function(*map(_plain, args), **options)

    def __copy__(self) -> Any:
        return self.view(np.ndarray).copy()

    def __deepcopy__(self, _: Any) -> Any:
        return self.view(np.ndarray).copy()

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.view(np.ndarray).copy().__reduce_ex__(protocol)


def _plain(value: Any) -> Any:
    """The value with plain arrays in place of columns."""
    if isinstance(value, Column):
        return value.view(np.ndarray)
    return type(value)(map(_plain, value)) if type(value) in (list, tuple) else value


class _Owner:
    """Owner of arrays' memory: keeps the world."""

    def __init__(self, world: Any, data: Any, count: int, kind: str) -> None:
        self.world = world
        self.__array_interface__ = {
            "data": (int(ffi.cast("uintptr_t", data)), True),
            "shape": (count,),
            "typestr": kind,
            "version": 3,
        }


class View(NamedTuple):
    """Columns of the particles in the memory of a world: no copies, read-only.

    Particle n is element index_of[n] of each column. Values change with each step, and with
    World.restore(). The memory lives as long as its arrays do, and holds the last state of a world
    that is closed. After World.reset() columns raise WeftError(Error.STALE): take a new view.
    """

    position: tuple[Floats, Floats, Floats]  #: x, y, z in metres, each (particle_count,)
    previous: tuple[Floats, Floats, Floats]  #: positions one substep before
    carried: tuple[Floats, Floats, Floats]  #: part of the displacement that rounding dropped
    #: metres per second, velocity + velocity_lag; None in worlds that do not store them: there
    #: velocities are (position - previous + carried) * previous_rate, 0 where both are equal
    velocity: tuple[Floats, Floats, Floats] | None
    velocity_lag: tuple[Floats, Floats, Floats] | None
    inverse_mass: Floats  #: 1/kg, 0 = pinned or held
    index_of: Numbers  #: index in the columns, by particle number
    number_of: Numbers  #: particle number, by index in the columns
    previous_rate: float  #: 1/seconds: one over the last substep, of this moment


def view_of(world: Any, memory: Memory, raw: Any) -> View:
    """View of a weft_world that has filled in a weft_view."""

    def column(data: Any, kind: str = "<f4") -> Any:
        owner = _Owner(world, data, raw.particle_count, kind)
        made = np.asarray(owner).view(Column)
        made._memory = memory
        return made

    def axes(data: Any) -> Any:
        return tuple(column(data[axis]) for axis in range(3)) if data[0] else None

    return View(
        axes(raw.position), axes(raw.previous), axes(raw.carried),
        axes(raw.velocity), axes(raw.velocity_lag),
        column(raw.inverse_mass), column(raw.index_of, "<u4"), column(raw.number_of, "<u4"),
        raw.previous_rate,
    )  # fmt: skip
