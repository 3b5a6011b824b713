"""Access to the particles of a world, by one attribute or several, and the forms of its calls."""
from __future__ import annotations

from typing import Any, Mapping, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _call
from ._call import check
from ._lock import Lock
from ._select import Range, Where, first_and_count, is_list, numbers
from ._struct import dtype, pointer
from ._types import Attribute, QueryDef, QueryHit
from ._view import Floats, Memory, Numbers, View, view_of
from ._weft import ffi, lib

T = TypeVar("T")


class Access:
    """Base of World: calls by name, attributes of particles, results by kind."""

    _c: Any  #: weft_world*, NULL once closed
    _lock: Lock
    _memory: Memory
    _count: int  #: particles

    def call(self, name: str, *args: Any) -> Any:
        """Calls `weft_world_<name>(world, ..)`: see weft.call()."""
        return _call.call(f"world_{name}", self, *args)

    # ---- several attributes at once

    def view(self) -> View:
        """Columns of the particles in the world's own memory, without a copy: see View."""
        raw = ffi.new("weft_view*")
        with self._lock:
            check(lib.weft_world_get_view(self._c, raw))
            return view_of(self._c, self._memory, raw)

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
                Error.DISABLED for normals and tangents in a plane
            ValueError: for an array of another shape
            TypeError: for one that cannot be filled in place: not of float32, read-only, not
                aligned, or with rows that are not packed or do not ascend
        """
        selection, kept, count = self._selection(where)
        for attribute, values in arrays.items():
            _check_array(values, (count, *_row(attribute)), attribute.name)
        items = ffi.new("weft_attribute_array[]", len(arrays))
        for item, (attribute, values) in zip(items, arrays.items()):
            rows, stride = _rows(values, count, attribute)
            item.attribute, item.stride = attribute, stride
            item.values = ffi.cast("void*", rows.ctypes.data)
        vertices = ffi.new("weft_vertices_def*", lib.weft_default_vertices_def())
        vertices.selection = selection
        vertices.arrays, vertices.array_count = items, len(arrays)
        vertices.interpolation = interpolation
        if uvs is not None:
            _check_array(uvs, (self._count, 2), "uvs", is_written=False)
            vertices.uvs = ffi.cast("float*", uvs.ctypes.data)
            vertices.uv_stride = max(uvs.strides[0], 8)
        with self._lock:
            check(lib.weft_world_read_vertices(self._c, vertices))

    def write(self, arrays: Mapping[Attribute, ArrayLike], where: Where = None) -> None:
        """Sets attributes of particles from arrays, by all workers, in the order of Attribute.

        Args:
            arrays: as of read(), or one row for all particles. Targets are those of pinned
                particles, forces are added for the next step
            where: also a list of particle numbers, each at most once

        Raises:
            WeftError: Error.NOT_FINITE or Error.RANGE with the index of the element;
                Error.DUPLICATE for a particle that is listed twice; Error.INDEX. An attribute is
                set as a whole or not at all; those before it are set
        """
        given = {attribute: np.asarray(rows, np.float32) for attribute, rows in arrays.items()}
        with self._lock:
            for attribute in sorted(given):
                adds = attribute is Attribute.FORCE
                self._set(attribute, given[attribute], where, adds)

    # ---- forms of call

    def _range(self, where: Range | Where) -> tuple[int, int]:
        return first_and_count(where, self._count)

    def _selected(self, where: Where) -> tuple[Numbers | None, int, int]:
        """Numbers of listed particles, or the first of a range; and how many there are."""
        if is_list(where):
            chosen = numbers(where, self._count)
            return chosen, 0, len(chosen)
        return None, *self._range(where)

    def _out(self, kind: type[T], name: str, *args: Any) -> T:
        """Structure that a function fills in as its last argument."""
        made = kind._of(ffi.new(f"{kind._c_name}*"))  # type: ignore[attr-defined]
        self.call(name, *args, made)
        return made  # type: ignore[no-any-return]

    def _first(self, query: QueryDef) -> QueryHit | None:
        found = np.zeros(1, "u4")
        hit = QueryHit()
        self.call("query", query, 1, hit, found)
        return hit if found[0] else None

    def _take(self, c_name: str, name: str, capacity: int, *args: Any) -> NDArray[Any]:
        """First `capacity` elements of a function's list."""
        made, count = np.zeros(capacity, dtype(c_name)), np.zeros(1, "u4")
        self.call(name, *args, capacity, made, count)
        return made[: count[0]]

    def _list(self, c_name: str, name: str, columns: int, *args: Any) -> NDArray[Any]:
        """All elements of a function's list, counted first."""
        count = np.zeros(1, "u4")
        with self._lock:
            self.call(name, *args, 0, None, count)
            made = np.zeros((count[0], columns) if columns else count[0], dtype(c_name))
            self.call(name, *args, len(made), made, count)
        return made

    def _save(self, size_name: str, name: str, *args: int) -> NDArray[np.uint8]:
        """Snapshot by two functions: its size, and its bytes."""
        size = np.zeros(1, np.uintp)
        with self._lock:
            self.call(size_name, *args, size)
            made = np.empty(size[0], np.uint8)
            self.call(name, *args, made, len(made), size)
        return made[: size[0]]

    def _selection(self, where: Where) -> tuple[Any, Numbers | None, int]:
        """weft_selection of particles, the numbers that it points to, and how many there are."""
        chosen, first, count = self._selected(where)
        selection = ffi.new("weft_selection*")
        selection.first, selection.count = first, count
        # no pointer at all would be a range
        if chosen is not None and count > 0:
            selection.indices = pointer(chosen, "uint32_t")
        return selection[0], chosen, count

    def _get(self, attribute: Attribute, where: Where, out: Floats | None) -> Floats:
        """Attribute of particles, in `out` or a new array."""
        selection, kept, count = self._selection(where)
        shape = (count, *_row(attribute))
        if out is None:
            out = np.empty(shape, np.float32)
        _check_array(out, shape, "out", is_packed=True)
        with self._lock:
            check(lib.weft_world_get(self._c, attribute, selection, pointer(out, "float"), 0))
        return out

    def _set(
        self, attribute: Attribute, values: ArrayLike, where: Where, adds: bool = False
    ) -> None:
        """Sets an attribute of particles, or adds to it, from rows as they lie in memory."""
        selection, kept, count = self._selection(where)
        rows, stride = _rows(np.asarray(values, np.float32), count, attribute)
        change = lib.weft_world_add if adds else lib.weft_world_set
        with self._lock:
            data = ffi.cast("void*", rows.ctypes.data)
            check(change(self._c, attribute, selection, data, stride))


def _row(attribute: Attribute) -> tuple[int, ...]:
    """Shape of an element."""
    if attribute is Attribute.INVERSE_MASS:
        return ()
    return (4 if attribute in (Attribute.TANGENT, Attribute.ORIENTATION) else 3,)


def _rows(values: Floats, count: int, attribute: Attribute) -> tuple[Floats, int]:
    """The values, copied only where the library cannot step through them, and their stride in
    bytes: WEFT_SAME for one row that all particles share."""
    row = _row(attribute)
    if values.shape == row:
        return np.require(values, None, ["C", "A"]), lib.WEFT_SAME
    if values.shape != (count, *row):
        expected = f"neither {row} nor {(count, *row)}"
        raise ValueError(f"{attribute.name}: shape {values.shape} is {expected}")
    if not _in_rows(values):
        values = np.require(values, None, ["C", "A"])
    return values, max(values.strides[0], 4 * sum(row), 4)


def _in_rows(values: Floats) -> bool:
    """True if rows are packed, aligned, and ascend by whole numbers of floats."""
    if values.size == 0:
        return True
    width = values.shape[1] if values.ndim > 1 else 1
    packed = values.ndim == 1 or values.strides[1] == 4 or width == 1
    ascends = len(values) == 1 or (values.strides[0] % 4 == 0 and values.strides[0] >= 4 * width)
    return packed and ascends and values.flags.aligned


def _check_array(
    array: Floats,
    shape: tuple[int, ...],
    name: str,
    is_written: bool = True,
    is_packed: bool = False,
) -> None:
    """Raises TypeError for arrays that the library cannot fill in place, ValueError for another
    shape."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{name} is no array, but {type(array).__name__}")
    if array.dtype != np.float32:
        raise TypeError(f"{name} is no array of float32, but of {array.dtype}")
    if array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape}, not {shape}")
    if is_written and not array.flags.writeable:
        raise TypeError(f"{name} is read-only")
    if not _in_rows(array) or (is_packed and not array.flags.c_contiguous):
        expected = "a contiguous array" if is_packed else "packed, ascending rows"
        raise TypeError(f"{name} is not {expected}, but has strides {array.strides}")
