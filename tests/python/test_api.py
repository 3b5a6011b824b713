"""Scenes, worlds, structures, errors and memory of the package."""
from __future__ import annotations

import os
import re
import signal
import threading
import time
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest
import scenes
import weft

REPOSITORY = Path(__file__).resolve().parents[2]


def new_world() -> weft.World:
    """A sheet of 5 x 5 without pins."""
    with weft.Scene() as scene:
        scene.add(weft.SheetDef(columns=5, rows=5))
        return weft.World(scene)


# ---- structures


def test_defs_have_the_defaults_of_the_library() -> None:
    sheet = weft.SheetDef(rows=7)
    assert (sheet.columns, sheet.rows, sheet.down, sheet.material) == (32, 7, (0, -1, 0), None)
    assert sheet == weft.SheetDef(rows=7) and sheet != weft.SheetDef()
    assert repr(weft.JointDef(particle=3)).startswith(
        "JointDef(particle=3, to=(0, 0, 0), weights=(1, 0, 0)"
    )
    assert "isa=Isa.AUTO" in repr(weft.WorldDef())


def test_inner_structures_are_part_of_the_outer_one() -> None:
    settings = weft.WorldDef()
    settings.pair_force.strength = 3
    assert settings.pair_force.strength == 3
    settings.pair_force = weft.PairForceDef(kind=weft.PairForce.SPRING)
    assert settings.pair_force.kind is weft.PairForce.SPRING
    assert settings.pair_force.cutoff == 2.5 and weft.SolverDef() == weft.WorldDef().solver


def test_lengths_of_arrays_are_those_given() -> None:
    mesh = weft.MeshDef(positions=np.eye(3), triangles=[[0, 1, 2]])
    assert (mesh.vertex_count, mesh.triangle_count) == (3, 1)
    with weft.Scene() as scene:
        assert scene.add(mesh).particle_count == 3
        links = [weft.LinkDef(a=0, b=1, rest_length=1)]
        positions = [[0, 0, 0], [1, 0, 0]]
        body = scene.add(weft.CompositeDef(positions=positions, inverse_masses=[0, 1], links=links))
        assert (body.particles, body.links) == (slice(3, 5), slice(3, 4))
        assert scene.links(3)["rest_length"] == 1
        assert scene.particles(body)[1].tolist() == [0, 1]


# what a type checker would refuse
untyped: Any = weft
new_world_untyped: Any = new_world


@pytest.mark.parametrize(
    "build, message",
    [
        (lambda: untyped.SheetDef(colums=3), "no field 'colums': did you mean 'columns'"),
        (lambda: untyped.SheetDef(origin=(0, 0)), "SheetDef.origin has 3 elements, not 2"),
        (lambda: untyped.SheetDef(rows=-1), "SheetDef.rows: .*negative"),
        (lambda: untyped.SheetDef(rows="a"), "SheetDef.rows: an integer is required"),
        (lambda: untyped.ColliderDef(size=(2, 2.5, 2)), "ColliderDef.size: .*float"),
        (
            lambda: untyped.WorldDef(pair_force=3),
            "WorldDef.pair_force: not a PairForceDef, but int",
        ),
        (lambda: untyped.Scene().add(3), "Scene.add.. takes a def such as SheetDef, not int"),
        (lambda: untyped.Scene().add(untyped.ColliderDef()), "such as SheetDef, not ColliderDef"),
        (lambda: untyped.World(None), "not a Scene, but NoneType"),
        (lambda: new_world_untyped().remove(3), "not a Handle, but int"),
        (lambda: new_world_untyped().positions(1.5), "a slice or a number, not float"),
        (lambda: new_world_untyped().advance(0.1), "whole nanoseconds, not float"),
        (
            lambda: untyped.Scene().add(
                untyped.CompositeDef(positions=np.eye(3), inverse_masses=[1])
            ),
            "has shape",
        ),
        (lambda: untyped.Scene().add(untyped.RagdollDef(joints=np.eye(3))), r"not \(15, 3\)"),
        (lambda: new_world_untyped().set_gravity((0, 0)), "not 3 numbers"),
        (lambda: new_world_untyped().set_positions(np.zeros((4, 3))), "neither"),
        (lambda: new_world_untyped().save_range(slice(0, 10, 2)), "step 1, not 2"),
        (lambda: new_world_untyped().move_skin(np.zeros((4, 3)), [0, 1]), "neither"),
        (
            lambda: new_world_untyped().set_skin_limits(untyped.SkinLimits.array(3), [0, 1]),
            r"not \(2,\)",
        ),
        (lambda: untyped.Scene().link([], [], length=1), "did you mean"),
        (lambda: new_world_untyped().positions(out=np.empty((25, 3))), "no array of float32"),
        (
            lambda: new_world_untyped().call("take_torn", 1, np.zeros(1), np.zeros(1, "u4")),
            "not a contiguous array of uint32",
        ),
        (lambda: new_world_untyped().call("nothing"), "has no function weft_world_nothing"),
        (lambda: new_world_untyped().call("get", 0), "takes 5 arguments, and 2"),
        (
            lambda: new_world_untyped().add(
                untyped.ColliderDef(shape=7, samples=[0], size=(2, 2, 2))
            ),
            "samples has 1",
        ),
    ],
)
def test_wrong_arguments_are_named(build: Callable[[], Any], message: str) -> None:
    with pytest.raises((AttributeError, TypeError, ValueError, OverflowError), match=message):
        build()


# ---- errors of the library


def test_errors_have_code_field_and_index() -> None:
    scene = weft.Scene()
    expected = re.escape("weft_sheet_def.spacing: out of range (1e-06 to 1000000)")
    with pytest.raises(weft.WeftError, match=expected) as caught:
        scene.add(weft.SheetDef(spacing=-1))
    assert (caught.value.code, caught.value.field) == (weft.Error.RANGE, "weft_sheet_def.spacing")
    positions = np.zeros((25, 3))
    positions[7, 1] = np.nan
    world = new_world()
    before = world.hash()
    with pytest.raises(weft.WeftError) as caught:
        world.set_positions(positions)
    assert (caught.value.code, caught.value.index) == (weft.Error.NOT_FINITE, 7)
    assert world.hash() == before


def test_handles_of_what_is_gone_are_stale() -> None:
    world = new_world()
    collider, other = world.add(weft.ColliderDef()), world.add(weft.ColliderDef())
    assert len({collider, other}) == 2
    world.remove(collider)
    with pytest.raises(weft.WeftError) as caught:
        world.remove(collider)
    assert caught.value.code is weft.Error.STALE
    with pytest.raises(AttributeError):
        other.index = 3


def test_what_is_closed_is_refused() -> None:
    scene, world = weft.Scene(), new_world()
    scene.close()
    world.close()
    world.close()
    uses: list[Callable[[], object]] = [
        lambda: scene.add(weft.SheetDef()),
        lambda: scene.particle_count,
        lambda: scene.link_count,
        world.positions,
        world.measure,
        world.step,
        world.hash,
        lambda: world.environment(weft.Attribute.ENVIRONMENT_GRAVITY),
    ]
    for use in uses:
        with pytest.raises(weft.WeftError) as caught:
            use()
        assert caught.value.code is weft.Error.NULL
    assert repr(world) == "<weft.World: closed>"
    assert repr(scene) == "<weft.Scene: closed>"


def test_ctrl_c_ends_steps() -> None:
    world = new_world()
    # a process in the background may ignore it
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        world.step(2**22)
    signal.signal(signal.SIGINT, usual)
    taken = world.stats().step_count
    other = new_world()
    other.step(taken)
    assert 0 < taken and other.hash() == world.hash()
    with pytest.raises(ValueError):
        world.step(-1)


# ---- reading and changing


def test_rows_of_any_stride_are_read_in_place() -> None:
    world = new_world()
    vertices = np.zeros(25, [("position", "f4", 3), ("uv", "f4", 2)])
    vertices["position"] = np.arange(75).reshape(25, 3)
    for rows in (
        vertices["position"],
        vertices["position"].astype("f8"),
        vertices["position"].tolist(),
    ):
        world.set_positions(0 * np.asarray(rows))
        world.set_positions(rows)
        assert np.array_equal(world.positions(), vertices["position"])
    world.set_positions(vertices["position"][::-1])
    assert np.array_equal(world.positions(), vertices["position"][::-1])
    world.set_velocities((1, 2, 3), slice(3, 5))
    assert np.allclose(world.velocities(4), [[1, 2, 3]], rtol=1e-3)
    world.set_inverse_masses(0, slice(5, 10))
    assert np.flatnonzero(world.inverse_masses() == 0).tolist() == [5, 6, 7, 8, 9]
    out = np.empty((2, 3), "f4")
    assert world.positions(slice(0, 2), out) is out


def test_lists_and_masks_select_particles() -> None:
    world = new_world()
    x = world.positions()
    assert np.array_equal(world.positions([7, 3, 7]), x[[7, 3, 7]])
    assert np.array_equal(world.positions(x[:, 0] > 0.07), x[x[:, 0] > 0.07])
    world.set_inverse_masses(0, [24, 3])
    assert np.flatnonzero(world.inverse_masses() == 0).tolist() == [3, 24]
    world.move_particles(x[[3, 24]] + 1, np.array([3, 24]))
    world.add_forces((0, 1, 0), [5])
    world.step()
    assert np.array_equal(world.positions([3, 24]), x[[3, 24]] + 1)
    with pytest.raises(weft.WeftError) as caught:
        world.positions([0, 25])
    assert (caught.value.code, caught.value.index) == (weft.Error.INDEX, 1)
    with pytest.raises(weft.WeftError) as caught:
        world.set_velocities(0 * x[:2], [4, 4])
    assert caught.value.code is weft.Error.DUPLICATE
    for wrong in ([-1], [0.5], [[1]], [True]):
        with pytest.raises(ValueError):
            world.positions(wrong)  # type: ignore[arg-type]


def test_a_vertex_buffer_is_filled_in_place() -> None:
    with weft.Scene() as scene:
        scene.add(weft.SheetDef(columns=5, rows=5))
        world = weft.World(scene, weft.WorldDef())
    buffer = np.full((25, 12), 9, np.float32)
    uvs = np.stack(np.meshgrid(np.arange(5), np.arange(5)), 2).reshape(25, 2).astype("f4")
    attributes = {weft.Attribute.POSITION: buffer[:, :3], weft.Attribute.NORMAL: buffer[:, 3:6]}
    world.read({**attributes, weft.Attribute.TANGENT: buffer[:, 6:10]}, uvs=uvs)
    assert np.array_equal(buffer[:, :3], world.positions())
    assert np.allclose(buffer[:, 3:], [0, 0, 1, 1, 0, 0, -1, 9, 9])
    world.write({weft.Attribute.POSITION: buffer[:, :3] + 1, weft.Attribute.VELOCITY: (0, 0, 1)})
    assert np.allclose(world.velocities(), [0, 0, 1], atol=1e-3)
    with pytest.raises(TypeError, match="NORMAL is not packed"):
        world.read({weft.Attribute.NORMAL: buffer[:, 5:2:-1]})


@pytest.mark.parametrize("build", [scenes.hang, scenes.springs])
def test_a_view_is_the_memory_of_the_world(build: Callable[[], weft.World]) -> None:
    world = build()
    view = world.view()
    columns = weft.ffi.new("weft_view*")
    weft.call("world_get_view", world, columns)
    for axis in range(3):
        address = view.position[axis].__array_interface__["data"][0]
        assert address == int(weft.ffi.cast("uintptr_t", columns.position[axis]))
        assert view.position[axis].base is not None and not view.position[axis].flags.writeable
    for _ in range(3):
        world.step()
        x = np.stack(view.position, 1)[view.index_of]
        assert np.array_equal(x, world.positions())
    assert np.array_equal(view.number_of[view.index_of], np.arange(len(x)))
    assert np.array_equal(view.inverse_mass[view.index_of], world.inverse_masses())
    if view.velocity is not None and view.velocity_lag is not None:
        v = np.stack(view.velocity, 1) + np.stack(view.velocity_lag, 1)
    else:
        moved = np.stack(view.position, 1) - np.stack(view.previous, 1)
        moved += np.where(moved == 0.0, 0.0, np.stack(view.carried, 1))
        v = moved * world.view().previous_rate
    assert np.allclose(v[view.index_of], world.velocities(), atol=1e-6)
    world.close()
    del world
    # the memory lives as long as the view
    assert np.array_equal(np.stack(view.position, 1)[view.index_of], x)


def test_a_reset_world_is_as_new() -> None:
    with weft.Scene() as scene:
        scene.add(weft.SheetDef(columns=5, rows=5))
        world = weft.World(scene)
        first = world.hash()
        world.step(10)
        assert world.hash() != first
        world.reset(scene)
        assert world.hash() == first


def test_a_restored_world_goes_on_to_the_bit() -> None:
    with scenes.drape() as world, scenes.drape() as other:
        snapshot = bytes(world.save())
        world.step(10)
        other.step(3)
        other.restore(snapshot)
        other.step(10)
        assert other.hash() == world.hash()
        for wrong in (snapshot[:-1], snapshot[:-9] + b"x" + snapshot[-8:], b""):
            with pytest.raises(weft.WeftError) as caught:
                other.restore(wrong)
            assert caught.value.code in (weft.Error.CORRUPT, weft.Error.TRUNCATED)
        assert other.hash() == world.hash()


@pytest.mark.parametrize(
    "where", [[6, 0, 1, 24], (6, 0, 1, 24), np.array([24, 0, 1, 6]), np.arange(25) % 7 == 3]
)
def test_lists_are_taken_wherever_ranges_are(where: Any) -> None:
    chosen = np.zeros(25, bool)
    chosen[np.asarray(where)] = True
    with weft.Scene() as scene:
        scene.add(weft.SheetDef(columns=5, rows=5))
        scene.pin(where)
        world = weft.World(scene)
    assert np.array_equal(world.inverse_masses() == 0, chosen)
    world.set_particle_shape(weft.ParticleShapeDef(half_size=(0.25, 0.5, 0.5)), where)
    shapes = weft.ParticleShapeDef.array(25)
    world.call("get_particle_shapes", weft.call("range", 0, 25), shapes)
    assert np.array_equal(shapes["half_size"][:, 0] == 0.25, chosen)
    limits = weft.SkinLimits.array(int(chosen.sum()))
    limits["max_distance"] = np.arange(1, len(limits) + 1)
    world.set_skin_limits(limits, where)
    all_limits = weft.SkinLimits.array(25)
    everything = weft.call("range", 0, 25)
    world.call("get", weft.Attribute.SKIN_LIMITS, everything, all_limits, 0)
    assert np.array_equal(all_limits["max_distance"][np.asarray(where)], limits["max_distance"])
    assert np.isinf(all_limits["max_distance"][~chosen]).all()


def test_a_skin_moves_by_lists() -> None:
    world = new_world()
    world.set_skin_limits(weft.SkinLimits(max_distance=0))
    first = world.positions()
    odd = np.arange(1, 25, 2)
    world.move_skin(first[odd] + [0, 1, 0], odd, np.ones((12, 3)))
    world.step()
    assert np.allclose(world.positions(odd), first[odd] + [0, 1, 0], atol=1e-5)
    assert np.allclose(world.positions(slice(0, 25, 2)), first[::2], atol=1e-5)


def test_bodies_have_numbers_and_links_have_lengths() -> None:
    with weft.Scene() as scene:
        left, right = (scene.add(weft.RopeDef(origin=(x, 0, 0), end=(x, -1, 0))) for x in (0, 2))
        assert (left[0], right[0], right[-1], right[2:6:2]) == (0, 17, 33, range(19, 23, 2))
        with pytest.raises(IndexError):
            left[17]
        made = scene.link(left[0:3], right[0:3])
        one = scene.link(left[-1], right, rest_length=3, mode=weft.LinkMode.STRETCH)
        links = scene.links(made.first_link)
    assert (made.link_count, one.link_count) == (3, 17)
    assert links["a"][:3].tolist() == [0, 1, 2] and links["b"][:3].tolist() == [17, 18, 19]
    assert np.allclose(links["rest_length"], [2] * 3 + [3] * 17)
    assert set(links["mode"][3:]) == {weft.LinkMode.STRETCH}


def test_numbers_at_fault_in_a_list_are_named() -> None:
    with weft.Scene() as scene:
        scene.add(weft.SheetDef(columns=5, rows=5))
        with pytest.raises(weft.WeftError) as caught:
            scene.pin([7, 25, 1])
        fault = caught.value
        assert (fault.code, fault.field, fault.index) == (weft.Error.INDEX, "selection.indices", 1)
        assert not (scene.particles()[1] == 0).any()


def test_one_towel_of_many_is_reset() -> None:
    world = scenes.new_towels(9, 20)
    towel, others = slice(81 * 7, 81 * 8), slice(81 * 8, None)
    snapshot = world.save_range(towel)
    first = world.positions(towel)
    world.step(10)
    rest = world.positions(others)
    after = world.positions(towel)
    world.restore_range(snapshot)
    assert np.array_equal(world.positions(towel), first) and not np.array_equal(after, first)
    assert np.array_equal(world.positions(others), rest)
    world.step(10)
    assert np.array_equal(world.positions(towel), after)


def test_environments_have_their_own_state() -> None:
    world = scenes.new_towels(5, 4)
    world.set_environment(weft.Attribute.ENVIRONMENT_PAUSED, True, 3)
    still = world.positions(slice(75, 100))
    world.step(10)
    steps = world.environment(weft.Attribute.ENVIRONMENT_STEP_COUNT)
    assert steps.tolist() == [10, 10, 10, 0]
    gravity = world.environment(weft.Attribute.ENVIRONMENT_GRAVITY)
    assert np.allclose(gravity[1], [0, -1.6, 0])
    assert np.array_equal(world.positions(slice(75, 100)), still)
    lowest = world.positions()[:, 1].reshape(4, 25).min(axis=1)
    assert lowest[0] < lowest[1] < lowest[3]


def test_events_and_queries_are_arrays() -> None:
    with scenes.drape() as world:
        world.set_contact_limits(weft.ContactLimitsDef(max_events=4096, with_stays=True))
        world.step(2)
        events = world.take_contact_events()
        touching = events[events["kind"] != weft.ContactEventKind.END]
        assert len(touching) > 0 and touching["step"].max() == world.stats().step_count
        assert np.allclose(np.linalg.norm(touching["normal"], axis=1), 1, atol=1e-5)
        hit = world.cast_ray((0.2, 3, 0), (0, -1, 0))
        assert hit is not None and hit.kind is weft.ElementKind.PARTICLE
        assert world.cast_ray((0, 3, 0), (0, 1, 0)) is None
        assert len(world.query(weft.QueryDef(kind=weft.QueryKind.NEAREST), 7)) == 7
        near = world.query(
            weft.QueryDef(
                kind=weft.QueryKind.SPHERE, point=(0.2, 0, 0), radius=0.5, links=False, faces=False
            )
        )
        assert len(near) > 10 and near["collider"]["generation"].max() == 1
        assert world.faces().shape == (2 * 24 * 24, 3)


def test_torn_links_are_told() -> None:
    with scenes.curtain() as world:
        torn = world.take_torn()
        assert len(torn) == world.torn().sum() == world.stats().torn_count > 0


def test_settings_of_bodies_are_explained() -> None:
    with new_world() as world:
        bodies = world.explain()
        assert bodies["particle_count"].sum() == world.stats().particle_count
        assert bodies["substeps"].max() == world.stats().substeps
        assert weft.call("settings_reason_text", int(bodies["reason"][0])) != "unknown"


def test_functions_without_a_method_are_called_by_name() -> None:
    world = new_world()
    patches = np.empty(25, "u4")
    world.call("get", weft.Attribute.PATCH, weft.call("range", 0, 25), patches, 0)
    assert patches.max() < world.stats().patch_count
    assert weft.call("stage_name", weft.Stage.CCD) == "ccd"
    assert weft.call("default_rope_def").segments == 16
    length = np.zeros(1, "f4")
    weft.call("length_at_angle", 3, 4, np.pi / 2, length)
    assert np.isclose(length[0], 5)


def test_a_fabric_is_a_material() -> None:
    data = weft.fabric_data("denim")
    assert data.name == "denim" and data.source == "11oz-black-denim"
    assert weft.fabric_data(weft.Fabric.DENIM).density == data.density
    material = weft.fabric_material("denim", membrane=True)
    assert material.membrane and material.density == data.density
    with weft.Scene() as scene:
        scene.add(weft.SheetDef(material=weft.fabric_material("denim")))
    with pytest.raises(weft.WeftError, match="name: 'velvet' is not a fabric"):
        weft.fabric_data("velvet")


def test_a_support_function_may_be_written_in_python() -> None:
    calls = []

    def support(_: Any, direction: Any, point: Any) -> None:
        calls.append(1)
        for axis in range(3):
            point[axis] = direction[axis]

    world = new_world()
    world.add(weft.ColliderDef(shape=weft.ColliderShape.SUPPORT, support=support, support_level=3))
    assert len(calls) >= 4 * 9 + 2


# ---- threads


def test_steps_release_the_interpreter() -> None:
    world = scenes.new_towels(17, 20)

    def count_beside(steps: int) -> int:
        counted, done = 0, threading.Event()

        def run() -> None:
            world.step(steps)
            done.set()

        thread = threading.Thread(target=run)
        thread.start()
        while not done.is_set():
            counted += 1
            time.sleep(0)
        thread.join()
        return counted

    # on a busy machine the steps may end before this thread has a core again
    assert any(count_beside(200) > 10 for _ in range(50))


def test_calls_of_many_threads_wait_for_each_other() -> None:
    world = new_world()

    def run() -> None:
        for _ in range(50):
            world.step()

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert world.stats().step_count == 200


# ---- what is written about the package


@pytest.mark.parametrize(
    "index", range(len(re.findall("```python\n", (REPOSITORY / "docs/python.md").read_text())))
)
def test_examples_of_the_manual_run(index: int) -> None:
    examples = re.findall(r"```python\n(.*?)```", (REPOSITORY / "docs/python.md").read_text(), re.S)
    exec(compile("\n".join(examples[: index + 1]), "docs/python.md", "exec"), {})


def test_every_public_name_is_documented() -> None:
    for name in weft.__all__:
        thing = getattr(weft, name)
        if isinstance(thing, type):
            members = [getattr(thing, m) for m in vars(thing) if not m.startswith("_")]
            for member in [thing, *filter(callable, members)]:
                assert member.__doc__, f"{name}.{getattr(member, '__name__', '')} has no docstring"
