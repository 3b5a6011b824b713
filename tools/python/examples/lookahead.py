"""Winds tried out ahead: each process steps a copy of the world, and the best wind is taken.

A world is sent to other processes by pickle, in the middle of its run. Run it to see a flag on its
way to a mark.
"""
from __future__ import annotations

import functools
import multiprocessing
import sys

import numpy as np
import weft

MARK = np.array([1, -0.2, 1])
WINDS = [(x, y, z) for x in (-6.0, 0.0, 6.0) for y in (0.0, 6.0) for z in (-6.0, 0.0, 6.0)]


def new_flag() -> weft.World:
    """A flag of 2 x 1 m that hangs by its upper edge."""
    with weft.Scene() as scene:
        scene.add(weft.SheetDef(columns=41, rows=21, spacing=0.05))
        scene.pin(slice(0, 41))
        return weft.World(scene, weft.WorldDef())


def distance_after(world: weft.World, wind: tuple[float, float, float], steps: int = 20) -> float:
    """Distance of the lower corner from the mark, metres, after some steps in a wind."""
    world.set_wind(weft.WindDef(velocity=wind))
    world.step(steps)
    return float(np.linalg.norm(world.positions(-1)[0] - MARK))


def main(rounds: int = 10, processes: int = 4) -> float:
    """Steps a flag by the best wind of each round; returns the distance at the end."""
    world = new_flag()
    distance = np.inf
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for _ in range(rounds):
            # a chunk of several would share one copy
            ahead = functools.partial(distance_after, world)
            distances = pool.map(ahead, WINDS, chunksize=1)
            best = WINDS[int(np.argmin(distances))]
            distance = distance_after(world, best)
            # the copy's result, to the bit
            assert distance == min(distances)
            print(f"wind {best}: {distance:.3f} m from the mark")
    return distance


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
