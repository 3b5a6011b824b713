"""Arrays that are filled in, and columns of views: what is wrong raises, and nothing crashes.

What could crash runs in a process of its own.
"""
from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import weakref
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest
import weft

SIDE = 20
COUNT = SIDE * SIDE


def new_world() -> tuple[weft.Scene, weft.World]:
    scene = weft.Scene()
    scene.add(weft.SheetDef(columns=SIDE, rows=SIDE))
    return scene, weft.World(scene)


# ---- arrays that are filled in


def read_only() -> Any:
    array = np.zeros((COUNT, 3), np.float32)
    array.flags.writeable = False
    return array


def misaligned() -> Any:
    return np.frombuffer(bytearray(12 * COUNT + 1), np.float32, 3 * COUNT, 1).reshape(COUNT, 3)


def strided(*strides: int) -> Any:
    room = np.zeros(6 * COUNT, np.float32)
    return np.lib.stride_tricks.as_strided(room, (COUNT, 3), strides)


OUTPUTS: list[tuple[Any, Any]] = [
    (TypeError, lambda: read_only()),
    (TypeError, lambda: np.frombuffer(bytes(12 * COUNT), np.float32).reshape(COUNT, 3)),
    (TypeError, lambda: np.broadcast_to(np.zeros(3, np.float32), (COUNT, 3))),
    (TypeError, lambda: misaligned()),
    (TypeError, lambda: np.empty((COUNT, 3))),
    (TypeError, lambda: np.empty((COUNT, 3), ">f4")),
    (TypeError, lambda: np.empty((COUNT, 3), np.float32, order="F")),
    (TypeError, lambda: np.empty((COUNT, 3), np.float32)[::-1]),
    (TypeError, lambda: np.empty((COUNT, 6), np.float32)[:, ::2]),
    (TypeError, lambda: strided(0, 4)),
    (TypeError, lambda: strided(8, 4)),
    (TypeError, lambda: strided(12, 0)),
    (TypeError, lambda: [[0.0, 0.0, 0.0]] * COUNT),
    (TypeError, lambda: bytes(12 * COUNT)),
    (TypeError, lambda: memoryview(bytearray(12 * COUNT))),
    (ValueError, lambda: np.empty((COUNT - 1, 3), np.float32)),
    (ValueError, lambda: np.empty((COUNT + 1, 3), np.float32)),
    (ValueError, lambda: np.empty((3, COUNT), np.float32)),
    (ValueError, lambda: np.empty(3 * COUNT, np.float32)),
    (ValueError, lambda: np.empty((0, 3), np.float32)),
    (ValueError, lambda: np.empty((), np.float32)),
]


@pytest.mark.parametrize("error, build", OUTPUTS)
@pytest.mark.parametrize("where", [None, list(range(COUNT))])
def test_an_array_that_cannot_be_filled_is_refused(
    error: type[Exception], build: Callable[[], Any], where: Any
) -> None:
    _, world = new_world()
    out = build()
    before = np.array(out)
    with pytest.raises(error, match="out "):
        world.positions(where, out)
    with pytest.raises(error, match="POSITION "):
        world.read({weft.Attribute.POSITION: out}, where)
    assert np.array(out).tobytes() == before.tobytes()


def test_rows_with_gaps_are_filled_by_read_but_not_as_out() -> None:
    _, world = new_world()
    rows = np.zeros((COUNT, 6), np.float32)[:, :3]
    world.read({weft.Attribute.POSITION: rows})
    assert np.array_equal(rows, world.positions())
    with pytest.raises(TypeError, match="out is not a contiguous array"):
        world.positions(out=rows)


@pytest.mark.parametrize(
    "name, args",
    [
        ("get", (weft.Attribute.POSITION, weft.Selection(count=COUNT), read_only(), 0)),
        ("get", (weft.Attribute.POSITION, weft.Selection(count=COUNT), misaligned(), 0)),
        ("get", (weft.Attribute.POSITION, weft.Selection(count=1), [0, 0, 0], 0)),
        ("get_snapshot_size", (b"12345678",)),
        ("save", (bytes(100), 100, np.zeros(1, np.uintp))),
    ],
)
def test_functions_by_name_do_not_write_what_is_read_only(name: str, args: Any) -> None:
    _, world = new_world()
    with pytest.raises(TypeError):
        world.call(name, *args)


def test_functions_by_name_read_what_is_read_only() -> None:
    _, world = new_world()
    rows = np.broadcast_to(read_only(), (COUNT, 3))
    world.call("set", weft.Attribute.POSITION, weft.Selection(count=COUNT), rows, 12)


@pytest.mark.parametrize("where", [[], np.zeros(COUNT, bool), slice(0, 0), np.empty(0, "u4")])
def test_no_particles_are_read_and_set(where: Any) -> None:
    _, world = new_world()
    before = world.hash()
    assert world.positions(where).shape == (0, 3)
    assert world.inverse_masses(where, np.empty(0, np.float32)).shape == (0,)
    world.set_positions(np.empty((0, 3)), where)
    world.read({weft.Attribute.VELOCITY: np.empty((0, 3), np.float32)}, where)
    world.write({weft.Attribute.FORCE: np.empty((0, 3), np.float32)}, where)
    assert world.hash() == before


@pytest.mark.parametrize("order", ["<f4", ">f4", ">f8", "<f2"])
@pytest.mark.parametrize("layout", ["C", "F"])
def test_values_of_any_layout_are_set(order: str, layout: Any) -> None:
    _, world = new_world()
    rows = np.asarray(np.round(8 * world.positions()), order, order=layout)
    for given in (rows, rows[::-1][::-1], misaligned()):
        world.set_positions(given)
        assert np.array_equal(world.positions(), given)


@pytest.mark.parametrize("number", [COUNT, 2**32 - 1, 2**32, 2**32 + 5, 2**63])
def test_numbers_that_no_particle_has_are_refused(number: int) -> None:
    _, world = new_world()
    with pytest.raises(weft.WeftError) as caught:
        world.positions(np.array([0, number], np.uint64))
    assert (caught.value.code, caught.value.index) == (weft.Error.INDEX, 1)


# ---- columns

USES: list[Callable[[Any], object]] = [
    lambda column: column.max(),
    lambda column: column.shape,
    lambda column: column[0],
    lambda column: column[1:3],
    lambda column: column + 1,
    lambda column: 1 - column,
    lambda column: np.sqrt(column),
    lambda column: np.add.reduce(column),
    lambda column: np.stack([column, column]),
    lambda column: np.concatenate((column, column)),
    lambda column: np.where(column > 0, column, 0),
    lambda column: np.argsort(column),
    lambda column: column.copy(),
    lambda column: column.tolist(),
    lambda column: list(column),
    lambda column: 0 in column,
    lambda column: column == 1,
    lambda column: np.arange(len(column)) != column,
    lambda column: np.arange(COUNT)[column.argsort()],
    lambda column: np.array_equal(column, column),
    lambda column: repr(column),
]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("part", [slice(None), slice(3, 7), slice(None, None, -2)])
@pytest.mark.parametrize(
    "reset",
    [
        lambda world, scene: world.reset(scene),
        lambda world, scene: world.call("reset", scene),
        lambda world, scene: weft.call("world_reset", world, scene),
    ],
)
def test_a_column_of_a_world_that_is_reset_raises(use: Any, part: slice, reset: Any) -> None:
    scene, world = new_world()
    column = world.view().position[0][part]
    other = column.reshape(-1).view()
    use(column)
    reset(world, scene)
    for stale in (column, other):
        with pytest.raises(weft.WeftError, match="view: the world has been reset") as caught:
            use(stale)
        assert caught.value.code is weft.Error.STALE
    use(world.view().position[0][part])


def test_what_is_computed_from_columns_stays() -> None:
    scene, world = new_world()
    view = world.view()
    x, index_of = view.position[0], view.index_of
    computed = [x + 1, x[index_of], x.copy(), np.stack(view.position, 1), x.max(), x * x]
    before = [np.array(value) for value in computed]
    assert all(type(value) is np.ndarray for value in computed[:2] + computed[3:4])
    world.reset(scene)
    for value, expected in zip(computed, before):
        assert np.array_equal(value, expected)


@pytest.mark.parametrize(
    "change",
    [
        lambda world: world.step(),
        lambda world: world.restore(world.save()),
        lambda world: world.restore_range(world.save_range(slice(0, 5))),
        lambda world: world.add(weft.ColliderDef()),
        lambda world: world.add(weft.ParticleDef(position=(1, 2, 3))),
        lambda world: world.add_forces((0, 1, 0)),
        lambda world: world.set_particle_shape(
            weft.ParticleShapeDef(
                shape=weft.ParticleShape.SPHERE, half_size=(0.01, 0, 0), turns=True
            )
        ),
        lambda world: world.remove_body(weft.Body(first_particle=0, particle_count=COUNT)),
        lambda world: world.tear_links(0, 10),
        lambda world: world.call("set_substeps", 7),
    ],
)
def test_columns_stay_valid_as_the_world_changes(change: Callable[[weft.World], None]) -> None:
    with weft.Scene() as scene:
        scene.add(weft.SheetDef(columns=SIDE, rows=SIDE))
        scene.call("reserve_particles", 10, None)
        world = weft.World(scene)
    world.step(3)
    view = world.view()
    change(world)
    world.step(3)
    assert np.array_equal(np.stack(view.position, 1)[view.index_of], world.positions())
    assert np.shares_memory(np.asarray(view.position[0]), np.asarray(world.view().position[0]))


def test_columns_are_read_only() -> None:
    _, world = new_world()
    column = world.view().inverse_mass
    uses: list[Callable[[], object]] = [
        lambda: column.fill(1),
        lambda: np.add(column, 1, out=column),
        lambda: column.sort(),
        lambda: column.flags.__setattr__("writeable", True),
        lambda: np.asarray(column).flags.__setattr__("writeable", True),
        lambda: world.inverse_masses(out=column),
        lambda: world.inverse_masses(out=np.asarray(column)),
    ]
    for use in uses:
        with pytest.raises((ValueError, TypeError)):
            use()


def test_a_reset_that_fails_leaves_columns_valid() -> None:
    _, world = new_world()
    world.step(3)
    column, before = world.view().position[1], world.hash()
    with pytest.raises(weft.WeftError):
        world.reset(weft.Scene())
    assert world.hash() == before and column.min() == world.positions()[:, 1].min()


@pytest.mark.parametrize("last", [np.asarray, memoryview, lambda column: column[3:]])
def test_memory_goes_with_its_last_array(last: Callable[[Any], Any]) -> None:
    scene, world = new_world()
    memory = weakref.ref(world._c)
    kept = last(world.view().position[0])
    world.reset(scene)
    gc.collect()
    assert memory() is not None
    del kept
    assert memory() is None


# ---- what crashed the interpreter

HEAD = """
import gc, threading, sys, numpy as np, weft
def new_world(side=200):
    scene = weft.Scene()
    scene.add(weft.SheetDef(columns=side, rows=side))
    return scene, weft.World(scene)
def race(work, change):
    stop = []
    def run():
        while not stop:
            change()
    thread = threading.Thread(target=run)
    thread.start()
    for _ in range(60):
        try:
            work()
        except (weft.WeftError, ValueError):
            pass
    stop.append(1)
    thread.join()
def grid(side):
    numbers = np.arange(side * side).reshape(side, side)
    corners = [numbers[:-1, :-1], numbers[1:, :-1], numbers[:-1, 1:]]
    points = np.stack(np.divmod(np.arange(side * side), side) + (np.zeros(side * side),), 1)
    return points.astype("f4"), np.stack(corners, 2).reshape(-1, 3).astype("u4")
"""
PROGRAMS = {
    "out is a file opened to be read": """
np.zeros((100, 3), "f4").tofile(sys.argv[1])
_, world = new_world(10)
try:
    world.positions(out=np.memmap(sys.argv[1], "f4", "r", shape=(100, 3)))
except TypeError:
    sys.exit()
sys.exit("not refused")
""",
    "a memoryview is read after a reset": """
scene, world = new_world()
memory, plain = memoryview(world.view().position[0]), np.asarray(world.view().position[1])
world.reset(scene)
gc.collect()
assert memory[7] >= 0 and plain.max() == 0 and plain.min() < -9
""",
    "a column is read after its world, in any order": """
for order in ("world scene view", "view world scene", "scene view world"):
    scene, world = new_world(300)
    view = world.view()
    last = view.position[0][5:]
    world.me = world, view
    for name in order.split():
        del globals()[name]
        gc.collect()
    assert last.max() > 14
""",
    "the settings of a world change after it was made": """
calls = []
def enqueue(_, task):
    calls.append(1)
    return False
scene, _ = new_world(200)
settings = weft.WorldDef(worker_count=4)
settings.task_system.enqueue = enqueue
world = weft.World(scene, settings)
settings.task_system = weft.TaskSystem()
del settings
gc.collect()
world.step(2)
assert calls
""",
    "a support function steps and resets its world": """
scene, world = new_world(20)
refused = []
def support(_, direction, point):
    for use in (world.step, lambda: world.reset(scene), world.save):
        try:
            use()
        except RuntimeError:
            refused.append(1)
    point[0], point[1], point[2] = direction[0], direction[1], direction[2]
world.add(weft.ColliderDef(shape=weft.ColliderShape.SUPPORT, support=support, support_level=2))
assert len(refused) >= 3 * (4 * 2 * 2 + 2)
""",
    "structures of a list have arrays": """
_, world = new_world(30)
def fill():
    rows = weft.AttributeArray(values=np.zeros((900, 3), "f4"), stride=12)
    return weft.VerticesDef(arrays=[rows], selection=weft.Selection(count=900))
vertices = fill()
others = [fill() for _ in range(100)]
gc.collect()
world.call("read_vertices", vertices)
""",
    "the count of an inner structure is too high": """
rod = weft.RodDef()
rod.rope.points = np.zeros((4, 3))
rod.rope.point_count = 10**6
try:
    weft.Scene().add(rod)
except ValueError:
    sys.exit()
sys.exit("not refused")
""",
    "threads share a scene": """
scene = weft.Scene()
def run():
    for _ in range(50):
        scene.add(weft.SheetDef(columns=20, rows=20))
        scene.pin(0)
threads = [threading.Thread(target=run) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert scene.particle_count == 8 * 50 * 400
""",
    "a world is closed and reset beside its steps": """
for _ in range(20):
    scene, world = new_world(40)
    column = world.view().position[0]
    def run():
        try:
            while True:
                world.step()
                world.reset(scene)
        except weft.WeftError as error:
            assert error.code is weft.Error.NULL
    thread = threading.Thread(target=run)
    thread.start()
    world.step()
    world.close()
    scene.close()
    thread.join()
    np.asarray(column).max()
""",
    "triangles of a mesh change beside the call": """
points, triangles = grid(200)
good, mesh = triangles.copy(), weft.MeshDef(positions=points, triangles=triangles)
def change():
    triangles[-500:] = 2**31
    triangles[-500:] = good[-500:]
race(lambda: weft.Scene().add(mesh), change)
""",
    "triangles of a collider change beside the call": """
points, triangles = grid(100)
_, world = new_world(10)
good = triangles.copy()
mesh = weft.ColliderDef(shape=weft.ColliderShape.MESH, points=points, triangles=triangles)
def change():
    triangles[-500:] = 2**31
    triangles[-500:] = good[-500:]
race(lambda: world.remove(world.add(mesh)), change)
""",
    "a list of particles changes beside the call": """
_, world = new_world(300)
numbers = np.arange(90000, dtype="u4")
good = numbers.copy()
def change():
    numbers[:] = 2**31
    numbers[:] = good
race(lambda: world.positions(numbers), change)
""",
    "the interpreter ends before the world": """
scene, world = new_world(100)
view = world.view()
threading.Thread(target=lambda: world.step(10**6), daemon=True).start()
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_crashes(name: str, tmp_path: Path) -> None:
    if "change beside" in name and "tsan" in os.environ.get("LD_PRELOAD", ""):
        pytest.skip("a race of NumPy's own copies")
    program = [sys.executable, "-X", "faulthandler", "-c", HEAD + PROGRAMS[name]]
    # memory that is freed goes back to the system at once
    environment = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "4096"}
    done = subprocess.run(
        [*program, str(tmp_path / "file")],
        capture_output=True, text=True, timeout=300, env=environment,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_a_task_system_does_not_use_the_world_that_steps() -> None:
    scene = weft.Scene()
    scene.add(weft.SheetDef(columns=200, rows=200))
    errors: list[RuntimeError] = []

    def enqueue(_: Any, task: Any) -> bool:
        try:
            world.step()
        except RuntimeError as error:
            errors.append(error)
        return False

    settings = weft.WorldDef(worker_count=4)
    settings.task_system.enqueue = enqueue
    world = weft.World(scene, settings)
    world.step()
    assert errors and world.stats().step_count == 1


def test_scenes_are_added_to_each_other_by_two_threads() -> None:
    one, other = weft.Scene(), weft.Scene()
    for scene in (one, other):
        scene.add(weft.SheetDef(columns=3, rows=3))

    def run(first: weft.Scene, second: weft.Scene) -> None:
        for _ in range(6):
            first.add_scene(second)

    threads = [threading.Thread(target=run, args=pair) for pair in ((one, other), (other, one))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert one.particle_count > 9 and other.particle_count > 9
