"""Selection of particles: everything, a body, a slice, a number, a sequence of numbers."""
from __future__ import annotations

import operator
from typing import Any, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from ._struct import ParticleRange
from ._types import Selection

Range = Union[ParticleRange, slice, int, None]
Where = Union[Range, Sequence[int], NDArray[Any]]


def is_list(where: Where) -> bool:
    """True for a sequence or an array of numbers, a mask, or a slice of another step than 1."""
    if isinstance(where, slice):
        return where.step not in (None, 1)
    return hasattr(where, "__len__") and not isinstance(where, (str, bytes))


def first_and_count(where: Where, total: int) -> tuple[int, int]:
    """Range of numbers that a selection among `total` names; None is all of them.

    A ParticleRange is not clipped: the library refuses one past the end.
    """
    if where is None:
        return 0, total
    if isinstance(where, ParticleRange):
        return where.first_particle, where.particle_count
    if isinstance(where, slice):
        first, end, step = where.indices(total)
        if step != 1:
            raise ValueError(f"a range of particles has step 1, not {step}")
        return first, max(0, end - first)
    if is_list(where):
        raise TypeError("a list of particles, where only a range is possible")
    try:
        number = operator.index(where)  # type: ignore[arg-type]
    except TypeError:
        kind = type(where).__name__
        raise TypeError(f"particles are a body, a slice or a number, not {kind}") from None
    return (number + total if number < 0 else number), 1


def numbers(where: Where, total: int) -> NDArray[np.uint32]:
    """Numbers of the particles of a selection, a mask being true where they are: a copy, which no
    other array shares."""
    if isinstance(where, slice):
        where = range(*where.indices(total))
    elif not is_list(where):
        first, count = first_and_count(where, total)
        where = range(first, first + count)
    given = np.asarray(where)
    if given.dtype == np.bool_:
        if given.shape != (total,):
            raise ValueError(f"a mask has shape {(total,)}, not {given.shape}")
        given = np.flatnonzero(given)
    if given.ndim != 1 or (given.size and (given.dtype.kind not in "iu" or given.min() < 0)):
        raise ValueError(f"not a list of particle numbers: {given.dtype}, shape {given.shape}")
    # the library refuses numbers without a particle
    return np.minimum(given, 2**32 - 1).astype(np.uint32)


def selection(where: Where, total: int) -> Selection:
    """Structure of a selection, with a copy of the numbers."""
    if not is_list(where):
        first, count = first_and_count(where, total)
        return Selection(first=first, count=count)
    chosen = numbers(where, total)
    # no pointer at all would be a range
    return Selection(indices=chosen) if len(chosen) else Selection()
