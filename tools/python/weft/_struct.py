"""Structures of the library as objects, and arrays as its pointers.

Nothing here names a structure of the library: a new one needs no line.
"""
from __future__ import annotations

import copy
import difflib
import functools
import operator
from enum import IntEnum
from typing import (
    Any,
    Callable,
    Generic,
    Iterator,
    Self,
    Sequence,
    SupportsFloat,
    SupportsIndex,
    TypeVar,
    Union,
    overload,
)

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._lock import Lock
from ._weft import ffi, lib

Array = ArrayLike
Vector = Union[Sequence[SupportsFloat], NDArray[Any]]
T = TypeVar("T")

_DTYPES = {
    "float": "f4", "double": "f8", "_Bool": "?", "int8_t": "i1", "uint8_t": "u1", "int32_t": "i4",
    "uint32_t": "u4", "int64_t": "i8", "uint64_t": "u8", "size_t": "u8", "int": "i4",
}  # fmt: skip
# Python class of each structure and enumeration, by its C name
classes: dict[str, Any] = {}


def c_name(type_: Any) -> str:
    """Name of a C type, without "struct" or "enum"."""
    return str(type_.cname).removeprefix("struct ").removeprefix("enum ")


@functools.lru_cache(maxsize=None)
def dtype(name: str) -> np.dtype[Any]:
    """NumPy type of a C type, structures with the layout that the compiler gave them."""
    return _dtype(ffi.typeof(name))


def _dtype(type_: Any) -> np.dtype[Any]:
    if type_.kind == "struct":
        names, fields = zip(*type_.fields)
        formats = [_dtype(field.type) for field in fields]
        offsets = [field.offset for field in fields]
        return np.dtype(
            {"names": names, "formats": formats, "offsets": offsets, "itemsize": ffi.sizeof(type_)}
        )
    if type_.kind == "array":
        return np.dtype((_dtype(type_.item), (type_.length,)))
    if type_.kind in ("pointer", "function"):
        return np.dtype(np.uintp)
    return np.dtype("u4" if type_.kind == "enum" else _DTYPES[type_.cname])


def pointer(array: NDArray[Any], name: str) -> Any:
    """Pointer to a contiguous array of a C type, which it keeps alive."""
    return ffi.from_buffer(f"{name}[]", array)


def vector(values: Vector, length: int = 3) -> NDArray[np.float32]:
    """float32 array of `length` numbers; ValueError for another shape."""
    made = np.ascontiguousarray(values, np.float32)
    if made.shape != (length,):
        raise ValueError(f"not {length} numbers: shape {made.shape}")
    return made


def as_array(values: ArrayLike, name: str) -> NDArray[Any]:
    """Contiguous array of a C type: `values` themselves if they are one. Takes lists of Struct."""
    if isinstance(values, list) and values and isinstance(values[0], Struct):
        return np.frombuffer(
            b"".join(bytes(ffi.buffer(item._checked())) for item in values), dtype(name)
        )
    return np.require(values, dtype(name), ["C", "A"])


def load(value: Any, type_: Any) -> Any:
    """Python value of a field, or of a function's result."""
    if type_.kind == "array":
        return tuple(load(item, type_.item) for item in value)
    if type_.kind == "enum":
        return classes[c_name(type_)](int(value))
    if type_.kind == "struct":
        return classes[c_name(type_)]._of(ffi.new(f"{c_name(type_)}*", value))
    if type_.kind == "pointer" and type_.item.cname == "char":
        return ffi.string(value).decode() if value else ""
    return value


@functools.lru_cache(maxsize=None)
def _fields(name: str) -> dict[str, Any]:
    """Type of each field of a structure."""
    return {name: field.type for name, field in ffi.typeof(name).fields if name != "cookie"}


class Struct:
    """A structure of the library. Fields are attributes, and arguments of the constructor; those
    not given have the library's defaults. A structure within it takes a dict of some of its fields:
    WorldDef(solver={"substeps": 4}). Arrays are kept as they are while the object lives."""

    __slots__ = ("_c", "_kept")
    _c_name = ""
    # field: (field with its array's length, or that length, elements a row)
    _extents: dict[str, tuple[str | int, int]] = {}

    def __init__(self, **fields: Any) -> None:
        default = getattr(lib, self._c_name.replace("weft_", "weft_default_", 1), None)
        made = ffi.new(f"{self._c_name}*", default()) if default else ffi.new(f"{self._c_name}*")
        if not default:
            lib.weft__set_defaults_of(self._c_name.encode(), made)
        self._set(made)
        for name, value in fields.items():
            self._store(name, value)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls._c_name:
            classes[cls._c_name] = cls

    def _set(self, c: Any) -> None:
        object.__setattr__(self, "_c", c)
        object.__setattr__(self, "_kept", {})

    @classmethod
    def _of(cls: type[T], c: Any) -> T:
        """Object of a structure that the library has filled in."""
        made = cls.__new__(cls)
        made._set(c)  # type: ignore[attr-defined]
        return made

    @classmethod
    def array(cls, count: int) -> NDArray[Any]:
        """NumPy array of `count` such structures, with their fields and default values."""
        made = np.empty(count, dtype(cls._c_name))
        raw = ffi.buffer(cls()._c)
        made.view(f"V{len(raw)}")[:] = np.frombuffer(raw, f"V{len(raw)}")
        return made

    @classmethod
    def _fields(cls) -> dict[str, Any]:
        return _fields(cls._c_name)

    @classmethod
    def _no_field(cls, name: str) -> AttributeError:
        near = difflib.get_close_matches(name, cls._fields(), 1)
        hint = f": did you mean {near[0]!r}?" if near else ""
        return AttributeError(f"{cls.__name__} has no field {name!r}{hint}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._fields():
            raise self._no_field(name)
        type_ = self._fields()[name]
        if type_.kind in ("pointer", "function") and not (
            type_.kind == "pointer" and type_.item.cname == "char"
        ):
            return self._kept.get(name)
        if type_.kind == "struct":
            inner = classes[c_name(type_)]._of(ffi.addressof(self._c, name))
            # the inner structure's targets belong to the outer one
            kept = self._kept.setdefault(f"{name}.", {})
            object.__setattr__(inner, "_kept", kept)
            kept[""] = self
            return inner
        return load(getattr(self._c, name), type_)

    def __setattr__(self, name: str, value: Any) -> None:
        self._store(name, value)

    def _store(self, name: str, value: Any) -> None:
        type_ = self._fields().get(name)
        if type_ is None:
            raise self._no_field(name)
        try:
            self._store_as(name, value, type_)
        except (TypeError, OverflowError) as fault:
            raise type(fault)(f"{type(self).__name__}.{name}: {fault}") from None
        rows, row = self._extents.get(name, (0, 1))
        if isinstance(rows, str) and isinstance(self._kept[name], np.ndarray):
            setattr(self._c, rows, self._kept[name].size // row)

    def _store_as(self, name: str, value: Any, type_: Any) -> None:
        if type_.kind == "array":
            is_real = type_.item.cname in ("float", "double")
            value = [float(v) if is_real else operator.index(v) for v in value]
            if len(value) != type_.length:
                raise ValueError(
                    f"{type(self).__name__}.{name} has {type_.length} elements, not {len(value)}"
                )
        elif type_.kind == "struct" and isinstance(value, dict):
            inner = getattr(self, name)
            for field, item in value.items():
                inner._store(field, item)
            return
        elif type_.kind == "struct":
            check_type(value, classes[c_name(type_)])
            # inner structures that are in use keep the same dict
            kept = self._kept.setdefault(f"{name}.", {})
            given = dict(value._kept)
            kept.clear()
            kept.update(given | {"": self})
            value = value._c[0]
        elif type_.kind == "function":
            self._kept[name] = value
            if callable(value):
                value = ffi.callback(type_, Lock.calling_back(value))
            self._kept[f"{name}()"] = value = value or ffi.NULL
        elif type_.kind == "pointer":
            value = self._pointer(name, value, type_)
        setattr(self._c, name, value)

    def _pointer(self, name: str, value: Any, type_: Any) -> Any:
        """Pointer to a stored and kept value."""
        self._kept[name] = value
        if value is None:
            return ffi.NULL
        if hasattr(value, "_c"):
            return value._checked() if isinstance(value, Struct) else value._c
        if isinstance(value, str):
            self._kept[f"{name}()"] = ffi.new("char[]", value.encode())
            return self._kept[f"{name}()"]
        if isinstance(value, np.ndarray) and type_.item.cname == "void":
            return ffi.cast(type_, value.ctypes.data)
        if isinstance(value, ffi.CData) or type_.item.cname == "void":
            return ffi.cast(type_, value)
        array = as_array(value, c_name(type_.item))
        self._kept[name] = array
        if _has_addresses(type_.item):
            # structures of a list keep arrays of their own
            self._kept[f"{name}[]"] = value
        return pointer(array, c_name(type_.item))

    def _checked(self) -> Any:
        """Pointer to the structure. Raises ValueError for an array of the wrong length."""
        for name, type_ in self._fields().items():
            if type_.kind == "struct":
                getattr(self, name)._checked()
        for name, (rows, row) in self._extents.items():
            array = self._kept.get(name)
            count = getattr(self._c, rows) if isinstance(rows, str) else rows
            if array is not None and array.size != count * row:
                shape = (count, row) if row > 1 else (count,)
                raise ValueError(
                    f"{type(self).__name__}.{name} has shape {array.shape}, not {shape}"
                )
        return self._c

    # ---- copies

    def __copy__(self) -> Self:
        return self._copied(lambda value: value)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Copy with arrays and structures of its own; functions and pointers are shared."""
        return self._copied(lambda value: _own(value, memo))

    def _copied(self, copied: Callable[[Any], Any]) -> Self:
        made = type(self)._of(ffi.new(f"{self._c_name}*", self._c[0]))
        made._point_to(self._kept, copied)
        return made

    def _point_to(self, kept: dict[str, Any], copied: Callable[[Any], Any]) -> None:
        """Points to copies of another structure's targets, otherwise equal."""
        fields = self._fields()
        for name, value in list(kept.items()):
            if name in fields:
                self._store_as(name, copied(value), fields[name])
            elif name.endswith("[]"):
                self._kept[name] = value
            elif name.endswith("."):
                getattr(self, name[:-1])._point_to(value, copied)

    def __reduce__(self) -> Any:
        # an array sets its count, which may differ
        state = sorted(self._portable(), key=lambda item: item[0] not in self._extents)
        return _made, (type(self), dict(state))

    def _portable(self) -> Iterator[tuple[str, Any]]:
        """Fields for another process. Raises TypeError for a pointer of this one."""
        for name, type_ in self._fields().items():
            value = getattr(self, name)
            is_plain = type_.kind not in ("pointer", "function") or isinstance(value, str)
            raw = ffi.NULL if is_plain else getattr(self._c, name)
            is_lost = isinstance(value, ffi.CData) or (value is None and raw)
            if is_lost or (isinstance(value, np.ndarray) and _has_addresses(type_.item)):
                field = f"{type(self).__name__}.{name}"
                raise TypeError(f"cannot pickle {field}: a pointer of this process")
            yield name, value

    def _values(self) -> Iterator[tuple[str, Any]]:
        return ((name, getattr(self, name)) for name in self._fields())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Struct) or type(other) is not type(self):
            return NotImplemented
        return all(np.array_equal(a, b) for (_, a), (_, b) in zip(self._values(), other._values()))

    __hash__ = None  # type: ignore[assignment]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._fields()]

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={_text(value)}" for name, value in self._values())
        return f"{type(self).__name__}({fields})"


def _made(kind: type[Struct], fields: dict[str, Any]) -> Struct:
    return kind(**fields)


def _own(value: Any, memo: dict[int, Any]) -> Any:
    """Copy of an array or a structure; other values are shared."""
    return copy.deepcopy(value, memo) if isinstance(value, (Struct, np.ndarray)) else value


def _has_addresses(type_: Any) -> bool:
    """True of a structure with pointers."""
    if type_.kind == "struct":
        return any(_has_addresses(field.type) for _, field in type_.fields or ())
    return type_.kind in ("pointer", "function")


def _text(value: Any) -> str:
    """Short form of a field: numbers with the digits of single precision, arrays by their shape."""
    if isinstance(value, np.ndarray):
        return f"<{value.dtype}{list(value.shape)}>"
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))})"
    if isinstance(value, IntEnum):
        return f"{type(value).__name__}.{value.name}"
    return f"{value:.7g}" if isinstance(value, float) else repr(value)


class Handle(Struct):
    """Name of a collider, a joint, a grip or a particle in the world that returned it."""

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is read-only")

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self._values()))


class ParticleRange(Struct):
    """Numbers of the particles and links of a body, as slices of arrays over all of them."""

    __slots__ = ()
    first_particle: int
    particle_count: int
    first_link: int
    link_count: int

    @overload
    def __getitem__(self, place: SupportsIndex) -> int:
        ...

    @overload
    def __getitem__(self, place: slice) -> range:
        ...

    def __getitem__(self, place: SupportsIndex | slice) -> int | range:
        """Number of a particle, or numbers of several: rope[-1], cloth[0:41:5]."""
        return range(self.first_particle, self.first_particle + self.particle_count)[place]

    @property
    def particles(self) -> slice:
        """Particles, for arrays over all of a world's."""
        return slice(self.first_particle, self.first_particle + self.particle_count)

    @property
    def links(self) -> slice:
        """Links, for arrays over all of a world's."""
        return slice(self.first_link, self.first_link + self.link_count)


class SceneItem(Struct, Generic[T]):
    """Def of something that Scene.add() adds; T is what that returns."""

    __slots__ = ()


class WorldItem(Struct, Generic[T]):
    """Def of something that World.add() adds; T is what that returns."""

    __slots__ = ()


def check_type(value: object, kind: type[Any]) -> None:
    """Raises TypeError for an object that is not of that class of the package."""
    if not isinstance(value, kind):
        raise TypeError(f"not a {kind.__name__}, but {type(value).__name__}")
