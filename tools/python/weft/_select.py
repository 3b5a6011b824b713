"""Selection of particles: everything, a body, a slice, a number."""
from __future__ import annotations

from typing import Union

from ._call import ParticleRange

Where = Union[ParticleRange, slice, int, None]


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
    return int(where), 1
