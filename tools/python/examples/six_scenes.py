"""Six scenes of cloth and rope with the defaults of the library.

Each function builds a scene, steps it for so many seconds, and returns its world. The scene files
of the same names, in tools/sim/examples, give the same bits.
"""
from __future__ import annotations

import math

import weft
from weft import ClothDef, ColliderDef, ColliderShape, RopeDef, WindDef, World


def curtain_rings(seconds: float = 8) -> World:
    """A curtain on nine rings, drawn open."""
    scene = weft.Scene()
    curtain = scene.add(ClothDef(width=2, height=1.9, columns=41, hooks=9, origin=(0, 2, 0)))
    world = World(scene)
    rings = curtain[0:41:5]
    start = world.positions(rings).astype(float)
    for step in range(round(60 * seconds)):
        if 60 <= step < 180:
            drawn = min((step + 1) * world.step_seconds - 1, 2)
            world.move_particles(start * [1 - 0.3 * drawn, 1, 1], rings)
        world.step()
    return world


def flag_pole(seconds: float = 10) -> World:
    """A flag at its pole, in a wind that ends."""
    scene = weft.Scene()
    scene.add(ClothDef(height=1.5, columns=41, hooks=41, across=(0, -1, 0), down=(1, 0, 0)))
    world = World(scene)
    world.set_wind(WindDef(velocity=(6, 0, 1), gust=0.3))
    world.step(round(60 * min(seconds, 5)))
    world.set_wind(WindDef())
    world.step(round(60 * max(seconds - 5, 0)))
    return world


def tablecloth(seconds: float = 6) -> World:
    """A cloth falls onto a table; its corners hang."""
    scene = weft.Scene()
    corner = (-0.8, 0.85, -0.8)
    scene.add(ClothDef(width=1.6, height=1.6, columns=49, origin=corner, down=(0, 0, 1)))
    world = World(scene)
    table, half_size = (0, 0.74, 0), (0.5, 0.02, 0.5)
    world.add(ColliderDef(shape=ColliderShape.BOX, half_size=half_size, position=table))
    world.step(round(60 * seconds))
    return world


def towel(seconds: float = 6) -> World:
    """A towel falls edge first onto the floor, and folds."""
    scene = weft.Scene()
    scene.add(ClothDef(width=0.7, height=1.4, columns=33, origin=(0, 1.5, 0), down=(0, -0.8, 0.6)))
    world = World(scene)
    world.add(ColliderDef(shape=ColliderShape.HALF_SPACE))
    world.step(round(60 * seconds))
    return world


def figure(t: float) -> list[ColliderDef]:
    """Torso, head and legs of a figure that walks, at a moment."""
    way, bob, swing = 1.3 * max(t - 0.5, 0), 0.02 * math.sin(11 * t), math.sin(5.5 * t)
    parts = [
        ColliderDef(shape=ColliderShape.CAPSULE, radius=0.14, half_size=(1, 0.22, 1)),
        ColliderDef(shape=ColliderShape.SPHERE, radius=0.11),
        ColliderDef(shape=ColliderShape.CAPSULE, radius=0.08, half_size=(1, 0.36, 1)),
        ColliderDef(shape=ColliderShape.CAPSULE, radius=0.08, half_size=(1, 0.36, 1)),
    ]
    parts[0].position, parts[1].position = (0, 1.18 + bob, way), (0, 1.66 + bob, way)
    for leg, side in ((parts[2], -1), (parts[3], 1)):
        leg.position = (0.09 * side, 0.5, way - 0.2 * side * swing)
        leg.rotation = (0.24 * side * swing, 0, 0, math.sqrt(1 - 0.0288 * (1 - math.cos(11 * t))))
    return parts


def cape(seconds: float = 6) -> World:
    """A cape on a figure that walks."""
    scene = weft.Scene()
    back = (-0.25, 1.45, -0.16)
    cloth = scene.add(ClothDef(width=0.5, height=1.1, columns=41, hooks=5, origin=back))
    world = World(scene)
    parts = [world.add(part) for part in figure(0)]
    world.add(ColliderDef(shape=ColliderShape.HALF_SPACE))
    start = world.positions(cloth[0:41:10]).astype(float)
    for step in range(round(60 * seconds)):
        t = (step + 1) * world.step_seconds
        for part, pose in zip(parts, figure(t)):
            world.move_collider(part, pose.position, pose.rotation)
        shift = [0, 0.02 * math.sin(11 * t), 1.3 * max(t - 0.5, 0)]
        world.move_particles(start + shift, cloth[0:41:10])
        world.step()
    return world


def bridge(seconds: float = 8) -> World:
    """A bridge of two ropes and eleven treads, with a load that is let down on it."""
    scene = weft.Scene()
    rope = RopeDef(segments=24, slack=0.03, mass_per_metre=1, pin_origin=True, pin_end=True)
    rope.origin, rope.end = (0, 2, -0.5), (6, 2, -0.5)
    left = scene.add(rope)
    rope.origin, rope.end = (0, 2, 0.5), (6, 2, 0.5)
    right = scene.add(rope)
    load = scene.add_particles([3, 1.6, 0], 1 / 80)
    scene.link(left[2:24:2], right[2:24:2])
    scene.link(load, [left[12], right[12]])
    world = World(scene)
    world.step(round(60 * seconds))
    return world


SCENES = (curtain_rings, flag_pole, tablecloth, towel, cape, bridge)


def main() -> None:
    """Prints the state at the end of each scene."""
    for scene in SCENES:
        world = scene()
        measures, contacts = world.measure(), world.contact_stats()
        speed = math.sqrt(2 * measures.kinetic / max(measures.mass, 1e-9))
        print(
            f"{scene.__name__:14} strain {100 * measures.mean_strain:.3f} %, speed {speed:.3f} m/s,"
            f" {contacts.self_pairs} pairs of cloth, {contacts.collider_contacts} on colliders,"
            f" {contacts.ccd_stuck} stuck, hash {world.hash():016x}"
        )


if __name__ == "__main__":
    main()
