"""Scenes, worlds, structures and errors are copied and pickled."""
from __future__ import annotations

import copy
import multiprocessing
import pickle
from typing import Any, Callable

import numpy as np
import pytest
import scenes
import weft


def by_pickle(protocol: int) -> Callable[[Any], Any]:
    return lambda thing: pickle.loads(pickle.dumps(thing, protocol))


COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle 2": by_pickle(2),
    "pickle 5": by_pickle(5),
}
each_copy = pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES.keys())


def garment() -> weft.Scene:
    """A scene by calls of each form: defs, arrays, other scenes, functions without a method."""
    with weft.Scene() as towel:
        towel.add(weft.SheetDef(columns=5, rows=5, material=weft.fabric_material("denim")))
        towel.pin(0)
        towel.call("set_coarse", 0, False)
        scene = weft.Scene()
        for i in range(3):
            scene.add_scene(towel, (i, 0, 0), environment=i)
    ball = scene.add(weft.BallDef(origin=(0, 5, 0)))
    scene.set_pressure(ball, 50)
    curve = scene.add(weft.ForceCurveDef(strains=[-1, 0, 1], forces=[-10, 0, 40]))
    rope = scene.add_particles([[9, 0, 0], [10, 0, 0]], [0, 1])
    first = rope.first_particle
    link = weft.LinkDef(a=first, b=first + 1, rest_length=1, compliance=0.01, force_curve=curve)
    scene.add_links([link])
    scene.add(weft.RodDef(clamp_origin=True))
    mesh = weft.MeshDef(positions=np.eye(3) + 20, triangles=[[0, 1, 2]])
    scene.add(mesh)
    # what the scene was made of may change
    mesh.positions = np.zeros((3, 3))
    scene.call("reserve_particles", 4, None)
    return scene


def walk(world: weft.World, steps: int = 5) -> int:
    world.step(steps)
    return world.hash()


# ---- worlds and scenes


@each_copy
@pytest.mark.parametrize("build", scenes.ALL)
def test_a_copied_world_goes_on_to_the_bit(
    build: Callable[[], weft.World], copied: Callable[[Any], Any]
) -> None:
    with build() as world, copied(world) as other:
        assert other.hash() == world.hash()
        assert walk(other) == walk(world)
        with copied(other) as third:
            assert walk(third) == walk(world) != other.hash()


@each_copy
def test_a_copied_scene_makes_the_same_worlds(copied: Callable[[Any], Any]) -> None:
    scene = garment()
    other = copied(scene)
    worlds = weft.World(scene), weft.World(other)
    assert worlds[0].hash() == worlds[1].hash()
    # of one fingerprint
    worlds[1].restore(worlds[0].save())
    assert walk(worlds[0]) == walk(worlds[1])
    other.add(weft.SheetDef(columns=2, rows=2))
    assert other.particle_count == scene.particle_count + 4
    third = copied(other)
    assert (third.particle_count, third.link_count) == (other.particle_count, other.link_count)


@each_copy
def test_a_copied_world_has_colliders_events_and_handles(copied: Callable[[Any], Any]) -> None:
    with scenes.drape() as world:
        ball = world.add(weft.ColliderDef(radius=0.2, position=(0, -1, 0)))
        world.set_contact_limits(weft.ContactLimitsDef(max_events=4096))
        world.step(5)
        with copied(world) as other:
            assert np.array_equal(other.take_contact_events(), world.take_contact_events())
            other.move_collider(ball, (0.5, 0.3, 0))
            assert walk(other) != walk(world)
            other.remove(ball)
            world.remove(ball)


@each_copy
def test_a_copied_world_resets_to_its_first_state(copied: Callable[[Any], Any]) -> None:
    with weft.Scene() as scene:
        scene.add(weft.SheetDef(columns=9, rows=9))
        world = weft.World(scene, weft.WorldDef(solver={"substeps": 3}, gravity=(0, -1, 0)))
        first = world.hash()
        world.step(7)
        world.set_gravity((0, 5, 0))
        other = copied(world)
        other.reset(scene)
        assert other.hash() == first and other.settings().gravity == (0, -1, 0)
        assert walk(copied(other)) == walk(other)


def walk_in_another_process(world: weft.World) -> tuple[weft.World, int]:
    return world, walk(world)


def fail_in_another_process(spacing: float) -> None:
    weft.Scene().add(weft.SheetDef(spacing=spacing))


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_worlds_and_errors_pass_between_processes(method: str) -> None:
    builds = [scenes.hang, scenes.drape]
    worlds = [build() for build in builds]
    with multiprocessing.get_context(method).Pool(2) as pool:
        for world, (other, code) in zip(worlds, pool.map(walk_in_another_process, worlds)):
            assert walk(world) == code == other.hash()
        with pytest.raises(weft.WeftError, match="weft_sheet_def.spacing: ") as caught:
            pool.apply(fail_in_another_process, [-1.0])
    assert caught.value.code is weft.Error.RANGE


class Towel(weft.World):
    """A world with an attribute and a constructor of its own."""

    def __init__(self, name: str) -> None:
        with weft.Scene() as scene:
            scene.add(weft.SheetDef(columns=4, rows=4))
            super().__init__(scene)
        self.name = [name]


@each_copy
def test_derived_classes_keep_their_attributes(copied: Callable[[Any], Any]) -> None:
    towel = Towel("red")
    other = copied(towel)
    assert type(other) is Towel and other.name == ["red"] and other.hash() == towel.hash()
    assert (other.name is towel.name) == (copied is copy.copy)


def test_equal_scenes_within_a_scene_are_pickled_once() -> None:
    with weft.Scene() as towel, weft.Scene() as scene:
        positions = np.random.default_rng(1).random((1000, 3))
        towel.add_particles(positions)
        sizes = []
        for i in range(20):
            scene.add_scene(towel, environment=i)
            sizes.append(len(pickle.dumps(scene)))
    assert sizes[-1] < sizes[0] + 20 * 1000


# ---- what cannot be copied


def closed() -> weft.Scene:
    with weft.Scene() as scene:
        return scene


def pointed() -> weft.Scene:
    """A scene by a pointer to memory of the caller, which may be gone."""
    scene = weft.Scene()
    sheet = weft.ffi.new("weft_sheet_def*", weft.lib.weft_default_sheet_def())
    scene.call("add_sheet", sheet, None)
    return scene


def unrecorded() -> weft.Scene:
    scene = weft.Scene(recorded=False)
    scene.add(weft.SheetDef(columns=3, rows=3))
    return scene


def with_threads() -> weft.WorldDef:
    return weft.WorldDef(threads=weft.ffi.cast("weft_threads*", 64))


def with_addresses() -> weft.VerticesDef:
    return weft.VerticesDef(arrays=[weft.AttributeArray(values=np.zeros(3, "f4"))])


@pytest.mark.parametrize(
    "build, copied, message",
    [
        (closed, copy.deepcopy, "scene: a required pointer is NULL"),
        (closed, pickle.dumps, "scene: a required pointer is NULL"),
        (pointed, copy.deepcopy, "weft_scene_add_sheet.. was given what cannot be copied"),
        (pointed, pickle.dumps, "the pointer that weft_scene_add_sheet.. was given"),
        (lambda: weft.World(pointed()), copy.copy, "weft_scene_add_sheet.. was given"),
        (unrecorded, copy.deepcopy, "recorded=False"),
        (lambda: weft.World(unrecorded()), pickle.dumps, "recorded=False"),
        (with_threads, pickle.dumps, "cannot pickle WorldDef.threads: a pointer of this process"),
        (
            with_addresses,
            pickle.dumps,
            "cannot pickle VerticesDef.arrays: a pointer of this process",
        ),
    ],
)
def test_what_cannot_be_copied_is_named(
    build: Callable[[], Any], copied: Callable[[Any], Any], message: str
) -> None:
    thing = build()
    with pytest.raises((TypeError, weft.WeftError), match=message):
        copied(thing)


# ---- structures, errors


def all_structures() -> list[Any]:
    kinds = [getattr(weft, name) for name in weft.__all__]
    return [kind() for kind in kinds if isinstance(kind, type) and hasattr(kind, "_extents")]


def support(_: Any, direction: Any, point: Any) -> None:
    point[0], point[1], point[2] = direction[0], direction[1], direction[2]


@each_copy
@pytest.mark.parametrize(
    "build",
    [
        *(lambda made=made: made for made in all_structures()),
        lambda: weft.SheetDef(columns=7, material=weft.fabric_material("denim")),
        lambda: weft.MeshDef(positions=np.eye(3), triangles=[[0, 1, 2]], vertex_count=2),
        lambda: weft.RodDef(rope=weft.RopeDef(points=np.eye(3)), bend_stiffness=3),
        lambda: weft.ColliderDef(support=support, user_data=7),
        lambda: weft.Collider(index=3, generation=7),
        lambda: weft.WorldDef(pair_force=weft.PairForceDef(strength=3), gravity=(1, np.inf, 3)),
    ],
)
def test_copied_structures_are_equal(
    build: Callable[[], Any], copied: Callable[[Any], Any]
) -> None:
    made = build()
    other = copied(made)
    assert type(other) is type(made) and other == made and repr(other) == repr(made)


@each_copy
def test_copied_structures_share_nothing_but_by_copy(copied: Callable[[Any], Any]) -> None:
    positions, triangles = np.eye(3, dtype="f4"), np.array([[0, 1, 2]], "u4")
    mesh = weft.MeshDef(positions=positions, triangles=triangles, material=weft.MaterialDef())
    other = copied(mesh)
    is_shallow = copied is copy.copy
    assert np.shares_memory(other.positions, positions) == is_shallow
    assert (other.material is mesh.material) == is_shallow
    other.particle_mass = 5
    assert mesh.particle_mass != 5
    del mesh, positions
    with weft.Scene() as scene:
        assert np.array_equal(scene.particles(scene.add(other))[0], np.eye(3))


@each_copy
def test_copied_errors_say_the_same(copied: Callable[[Any], Any]) -> None:
    positions = np.zeros((9, 3))
    positions[7, 1] = np.inf
    with pytest.raises(weft.WeftError) as caught:
        weft.Scene().add_particles(positions)
    other = copied(caught.value)
    assert str(other) == str(caught.value) and vars(other) == vars(caught.value)
