"""Access to the particles of a world, by one attribute or several, and the forms of its calls."""
from __future__ import annotations

import threading
from typing import Any, Mapping, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _call
from ._call import check, dtype, pointer
from ._select import Range, Where, first_and_count, is_list, numbers
from ._types import Attribute, QueryHit
from ._weft import ffi, lib

T = TypeVar("T")
Floats = NDArray[np.float32]
Numbers = NDArray[np.uint32]


class _Column:
    """Array in the memory of a world, which it keeps alive."""

    def __init__(self, owner: Any, data: Any, count: int, kind: str) -> None:
        self.owner = owner
        address = int(ffi.cast("uintptr_t", data))
        self.__array_interface__ = {
            "data": (address, True),
            "shape": (count,),
            "typestr": kind,
            "version": 3,
        }


class View(NamedTuple):
    """Columns of the particles in the memory of a world: no copies, read-only.

    Particle n is element index_of[n] of each column. Values change with each step. Arrays stay
    valid, even after World.close(), until World.reset(): then take a new view.
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


class Access:
    """Base of World: calls by name, bulk access to particles, results by kind."""

    _c: Any  #: weft_world*, NULL once closed
    _lock: threading.RLock
    _count: int  #: particles

    def call(self, name: str, *args: Any) -> Any:
        """Calls `weft_world_<name>(world, ..)`: see weft.call()."""
        with self._lock:
            return _call.call(f"world_{name}", self, *args)

    # ---- several attributes at once

    def view(self) -> View:
        """Columns of the particles in the world's own memory, without a copy: see View."""
        raw = ffi.new("weft_view*")
        with self._lock:
            check(lib.weft_world_get_view(self._c, raw))

        def column(data: Any, kind: str = "<f4") -> NDArray[Any]:
            return np.asarray(_Column(self._c, data, raw.particle_count, kind))

        def axes(data: Any) -> Any:
            return tuple(column(data[axis]) for axis in range(3)) if data[0] else None

        return View(
            axes(raw.position), axes(raw.previous), axes(raw.carried),
            axes(raw.velocity), axes(raw.velocity_lag),
            column(raw.inverse_mass), column(raw.index_of, "<u4"), column(raw.number_of, "<u4"),
            raw.previous_rate,
        )  # fmt: skip

    def read(
        self, arrays: Mapping[Attribute, Floats], where: Where = None, interpolation: float = 1,
        uvs: Floats | None = None,
    ) -> None:  # fmt: skip
        """Fills arrays with attributes of particles, in one pass by all workers.

        Args:
            arrays: for each Attribute a float32 array, (n, 3), of tangents (n, 4), of inverse
                masses (n,), or a slice of the columns of a larger one, such as a vertex buffer
            where: also a list of particle numbers, in which one may occur more than once
            interpolation: 0 to 1, share of the last step that positions are read at
            uvs: (particle_count, 2), texture coordinates, for tangents

        Raises:
            WeftError: Error.INDEX with the index of a number that no particle has;
                Error.DISABLED for normals and tangents without WorldDef.faces
            ValueError: for an array that cannot be filled in place
        """
        bulk, kept = self._bulk(arrays, where)
        for attribute, values in arrays.items():
            width = values.shape[-1] if values.ndim > 1 else 1
            writable = values.flags.writeable and values.dtype == np.float32
            if not writable or values.shape[:1] != (bulk.count,) or not _in_rows(values, width):
                raise ValueError(f"{attribute.name}: not {bulk.count} writable float32 rows")
        bulk.interpolation = interpolation
        if uvs is not None:
            if uvs.shape != (self._count, 2) or uvs.dtype != np.float32 or not _in_rows(uvs, 2):
                raise ValueError(f"uvs: not {self._count} float32 rows of 2")
            bulk.uvs, bulk.uv_stride = ffi.cast("float*", uvs.ctypes.data), uvs.strides[0]
        with self._lock:
            check(lib.weft_world_read(self._c, bulk))

    def write(self, arrays: Mapping[Attribute, ArrayLike], where: Where = None) -> None:
        """Sets attributes of particles from arrays, in one pass by all workers.

        Args:
            arrays: as of read(), or one row for all particles. Targets are those of pinned
                particles, forces are added for the next step
            where: also a list of particle numbers, each at most once

        Raises:
            WeftError: Error.NOT_FINITE or Error.RANGE with the index of the element;
                Error.DUPLICATE for a particle that is listed twice; Error.INDEX
        """
        given = {attribute: np.asarray(rows, np.float32) for attribute, rows in arrays.items()}
        bulk, kept = self._bulk(given, where)
        with self._lock:
            check(lib.weft_world_write(self._c, bulk))

    # ---- forms of call

    def _range(self, where: Range | Where) -> tuple[int, int]:
        return first_and_count(where, self._count)

    def _out(self, kind: type[T], name: str, *args: Any) -> T:
        """Structure that a function fills in as its last argument."""
        made = kind._of(ffi.new(f"{kind._c_name}*"))  # type: ignore[attr-defined]
        self.call(name, *args, made)
        return made  # type: ignore[no-any-return]

    def _found(self, name: str, *args: Any) -> QueryHit | None:
        found = np.zeros(1, np.bool_)
        hit = QueryHit()
        self.call(name, *args, hit, found)
        return hit if found[0] else None

    def _take(self, c_name: str, name: str, capacity: int, *args: Any) -> NDArray[Any]:
        """First `capacity` elements that a function has."""
        made, count = np.zeros(capacity, dtype(c_name)), np.zeros(1, "u4")
        self.call(name, *args, capacity, made, count)
        return made[: count[0]]

    def _list(self, c_name: str, name: str, columns: int, *args: Any) -> NDArray[Any]:
        """All elements that a function has, after it has told their number."""
        count = np.zeros(1, "u4")
        with self._lock:
            self.call(name, *args, 0, None, count)
            made = np.zeros((count[0], columns) if columns else count[0], dtype(c_name))
            self.call(name, *args, len(made), made, count)
        return made

    def _save(self, size_name: str, name: str, *args: int) -> NDArray[np.uint8]:
        """Snapshot by a function that fills memory of a size that another one tells."""
        size = np.zeros(1, np.uintp)
        with self._lock:
            self.call(size_name, *args, size)
            made = np.empty(size[0], np.uint8)
            self.call(name, *args, made, len(made), size)
        return made[: size[0]]

    def _get(
        self, function: Any, where: Where, out: Floats | None, attribute: Attribute | None,
        *before: Any, columns: int = 3,
    ) -> Floats:  # fmt: skip
        """Attribute of a range of particles; of a list, too, if there is bulk access to it."""
        chosen = numbers(where, self._count) if attribute is not None and is_list(where) else None
        first, count = (0, len(chosen)) if chosen is not None else self._range(where)
        shape = (count,) if attribute is Attribute.INVERSE_MASS else (count, columns)
        if out is None:
            out = np.empty(shape, np.float32)
        elif out.shape != shape or out.dtype != np.float32 or not out.flags.c_contiguous:
            raise ValueError(f"out is no contiguous float32 array of shape {shape}")
        if attribute is not None and chosen is not None:
            self.read({attribute: out}, chosen)
            return out
        with self._lock:
            check(function(self._c, *before, first, count, pointer(out, "float")))
        return out

    def _set(self, function: Any, values: ArrayLike, where: Where, attribute: Attribute) -> None:
        """Sets an attribute of particles, from rows as they lie in memory."""
        if is_list(where):
            return self.write({attribute: values}, where)
        first, count = self._range(where)
        rows, stride = _rows(np.asarray(values, np.float32), count, attribute)
        with self._lock:
            check(function(self._c, first, count, ffi.cast("float*", rows.ctypes.data), stride))

    def _bulk(self, arrays: Mapping[Attribute, Floats], where: Where) -> tuple[Any, list[Any]]:
        """Def of a bulk access, and what its pointers point to."""
        bulk = ffi.new("weft_bulk_def*", lib.weft_default_bulk_def())
        items = ffi.new("weft_attribute_array[]", len(arrays))
        kept = [items]
        if is_list(where):
            chosen = numbers(where, self._count)
            bulk.particles, bulk.count = pointer(chosen, "uint32_t"), len(chosen)
            kept.append(chosen)
        else:
            bulk.first, bulk.count = self._range(where)
        for item, (attribute, values) in zip(items, arrays.items()):
            rows, stride = _rows(values, bulk.count, attribute)
            kept.append(rows)
            item.attribute, item.stride = attribute, stride
            item.values = ffi.cast("float*", rows.ctypes.data)
        bulk.arrays, bulk.array_count = items, len(arrays)
        return bulk, kept


def _rows(values: Floats, count: int, attribute: Attribute) -> tuple[Floats, int]:
    """The values, copied only where the library cannot step through them, and their stride in
    bytes: 0 for one row that all particles share."""
    width = {Attribute.TANGENT: 4, Attribute.INVERSE_MASS: 1}.get(attribute, 3)
    row = () if attribute is Attribute.INVERSE_MASS else (width,)
    if values.shape == row:
        return np.ascontiguousarray(values), 0
    if values.shape != (count, *row):
        expected = f"neither {row} nor {(count, *row)}"
        raise ValueError(f"{attribute.name}: shape {values.shape} is {expected}")
    if not _in_rows(values, width):
        values = np.ascontiguousarray(values)
    return values, max(values.strides[0], 4 * width)


def _in_rows(values: Floats, width: int) -> bool:
    """True if rows are packed, and ascend by whole numbers of floats."""
    stride = values.strides[0]
    packed = values.ndim == 1 or values.strides[1] == 4
    return packed and (len(values) < 2 or (stride % 4 == 0 and stride >= 4 * width))
