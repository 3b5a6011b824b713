"""Calls of the C library: results become exceptions, structures objects, arrays pointers.

Nothing here names a function of the library: a new one needs no line.
"""
from __future__ import annotations

import contextlib
import copy
import functools
from typing import Any

import numpy as np

from ._struct import SceneItem, Struct, WorldItem, c_name, classes, dtype, load, pointer
from ._weft import ffi, lib

# numbers of the arguments that a function writes to: pointers without const
written: dict[str, tuple[int, ...]] = {}


class WeftError(Exception):
    """A call that the library refused. It has changed nothing.

    Attributes:
        code: the weft.Error, such as Error.RANGE
        field: argument or field at fault, such as "weft_sheet_def.spacing"
        index: first element at fault if the field is an array; else 0
        message: the error in words, such as "out of range (1e-06 to 1000000)"
    """

    def __init__(self, result: Any, message: str = "") -> None:
        self.code = classes["weft_error"](result.error)
        self.field = ffi.string(result.field).decode()
        self.index = int(result.index)
        self.message = message or _message(result)
        element = f"[{self.index}]" if self.index else ""
        super().__init__(f"{self.field}{element}: {self.message}")

    def __reduce__(self) -> Any:
        return refusal, (int(self.code), self.field, self.message, self.index)


def _message(result: Any) -> str:
    """Text of an error, with the range of the field if it has one."""
    text = str(ffi.string(lib.weft_error_text(result.error)).decode())
    if result.error not in (lib.WEFT_ERROR_RANGE, lib.WEFT_ERROR_TOO_MANY):
        return text
    words = ffi.new("char[64]")
    lib.weft__describe_range(result.field, words, len(words))
    return f"{text} ({ffi.string(words).decode()})" if words[0] != b"\0" else text


def refusal(error: int, field: str, message: str = "", index: int = 0) -> WeftError:
    """Error that no call of the library has returned."""
    name = ffi.new("char[]", field.encode())
    fields = {"error": error, "field": name, "index": index}
    return WeftError(ffi.new("weft_result*", fields), message)


def check(result: Any) -> None:
    """Raises WeftError unless a weft_result is WEFT_OK."""
    if result.error:
        raise WeftError(result)


def opened(handle: Any, field: str) -> Any:
    """The handle of an object that is not closed, for functions without a weft_result."""
    if not handle:
        raise refusal(lib.WEFT_ERROR_NULL, field)
    return handle


@functools.lru_cache(maxsize=None)
def _parameters(name: str) -> tuple[Any, tuple[Any, ...]]:
    function = getattr(lib, name, None)
    if function is None:
        raise AttributeError(f"the library has no function {name}()")
    return function, ffi.typeof(function).args


def call(name: str, *args: Any) -> Any:
    """Calls `weft_<name>` of the library, which has no method of its own here, or any other.

    Arguments are numbers, strings, objects of this package, sequences for pointers that the
    library reads, NumPy arrays of the very type for those that it writes, None for NULL. Arrays are
    as long as the comment of the function says: nothing checks that. Raises WeftError where the
    function returns an error, and TypeError for an array of another type. Returns what other
    functions return. The global interpreter lock is released meanwhile; calls with the same scene
    or world wait for each other.
    """
    replaced = getattr(args[0], "_replaced", {}) if args else {}
    if name in replaced:
        return replaced[name](*args)
    function, parameters = _parameters(f"weft_{name}")
    if len(args) != len(parameters):
        raise TypeError(
            f"weft_{name}() takes {len(parameters)} arguments, and {len(args)} are given"
        )
    outputs = written.get(f"weft_{name}", ())
    for n in outputs:
        if not _is_writable(args[n]):
            kind = type(args[n]).__name__
            raise TypeError(
                f"weft_{name}() writes to argument {n}: not a writable array, but {kind}"
            )
    with contextlib.ExitStack() as stack:
        locks = {id(lock): lock for arg in args if (lock := getattr(arg, "_lock", None))}
        # in one order, so that no two calls wait for each other
        for _, lock in sorted(locks.items()):
            stack.enter_context(lock)
        record = getattr(args[0], "_record", None) if 0 in outputs else None
        # other threads may change structures and kept arrays, but not these copies
        kinds = (Struct, np.ndarray, list) if record else (Struct,)
        inputs = [
            copy.deepcopy(arg) if n not in outputs and isinstance(arg, kinds) else arg
            for n, arg in enumerate(args)
        ]
        # a list keeps what the pointers point to
        given = [_argument(arg, type_) for arg, type_ in zip(inputs, parameters)]
        made = returned(function(*given))
        if record:
            record(name, inputs[1:])
    return made


def _is_writable(value: Any) -> bool:
    """False for values that a function cannot write to, such as a read-only array or a list."""
    if isinstance(value, np.ndarray):
        return bool(value.flags.writeable)
    return not isinstance(value, (bytes, str, list, tuple))


def returned(result: Any) -> Any:
    """Python value of a function's result; raises an error."""
    if not isinstance(result, ffi.CData):
        return result
    type_ = ffi.typeof(result)
    if c_name(type_) == "weft_result":
        return check(result)
    return load(result, type_)


def _argument(value: Any, type_: Any) -> Any:
    if value is None:
        return ffi.NULL
    if isinstance(value, Struct):
        return value._c[0] if type_.kind == "struct" else value._checked()
    if type_.kind == "pointer" and isinstance(value, np.ndarray):
        item = c_name(type_.item)
        is_packed = value.flags.c_contiguous and value.flags.aligned
        wanted = value.dtype if item == "void" else dtype(item)
        if value.dtype != wanted or not is_packed:
            raise TypeError(
                f"not a contiguous array of {wanted}: {value.dtype}, strides {value.strides}"
            )
        return pointer(value, "char" if item == "void" else item)
    return value._c if hasattr(value, "_c") else value


def add(owner: Any, name: str, item: Struct) -> Any:
    """Adds an item by `weft_<name>_add_<item>`; returns its body or handle."""
    kind, example = (SceneItem, "SheetDef") if name == "scene" else (WorldItem, "ColliderDef")
    if not isinstance(item, kind):
        taken = f"{name.capitalize()}.add() takes a def such as {example}"
        raise TypeError(f"{taken}, not {type(item).__name__}")
    function_name = f"{name}_add_{item._c_name.removeprefix('weft_').removesuffix('_def')}"
    type_ = _parameters(f"weft_{function_name}")[1][2].item
    if type_.kind == "struct":
        made = classes[c_name(type_)]()
        call(function_name, owner, item, made)
        return made
    number = np.zeros(1, dtype(type_.cname))
    call(function_name, owner, item, number)
    return int(number[0])
