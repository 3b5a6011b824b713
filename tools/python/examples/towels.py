"""A thousand towels for reinforcement learning: each is held by two corners, and to be folded.

The interface is that of vectorised environments of Gymnasium, without the dependency. Run it to see
the steps a second.
"""
from __future__ import annotations

import sys
import time

import numpy as np
import weft
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class Towels:
    """`count` towels of side x side particles, 0.5 m wide, each alone on a table.

    Observations: (count, 96) float32: position in metres and velocity in metres per second, x y z
    each, of a grid of 4 x 4 particles.
    Actions: (count, 2, 3) float32: velocities of the held corners in metres per second, up to 1.
    Rewards: (count,) float32: minus the mean distance of held corners from the opposite ones.
    """

    def __init__(
        self, count: int = 1000, side: int = 20, workers: int = 1, steps: int = 120
    ) -> None:
        self.count, self.steps = count, steps
        with weft.Scene() as towel, weft.Scene() as scene:
            spacing = 0.5 / (side - 1)
            towel.add(weft.SheetDef(columns=side, rows=side, spacing=spacing, down=(0, 0, 1)))
            for corner in (0, side - 1):
                towel.pin(corner)
            bodies = [scene.add_scene(towel, environment=i) for i in range(count)]
            self.world = weft.World(
                scene, weft.WorldDef(worker_count=workers, solver={"substeps": 8})
            )
        table = weft.ColliderDef(shape=weft.ColliderShape.HALF_SPACE, position=(0, -0.02, 0))
        self.world.add(table)
        self.world.set_particle_shape(weft.ParticleShapeDef(surface={"static_friction": 1}))

        first = np.array([body.first_particle for body in bodies])[:, None]
        grid = np.linspace(0, side - 1, 4).astype(int)
        self.seen = (first + (side * grid[:, None] + grid).ravel()).ravel()
        self.held = (first + [0, side - 1]).ravel()
        self.start = self.world.positions(self.held).reshape(count, 2, 3)
        self.snapshots = [self.world.save_range(body) for body in bodies]
        self.targets, self.age = self.start.copy(), np.zeros(count, int)
        self.buffer = np.empty((count, 16, 6), np.float32)

    def reset(self, which: NDArray[np.bool_] | None = None) -> Floats:
        """Puts towels back, by a mask; all of them by default. Returns observations."""
        chosen = np.arange(self.count) if which is None else np.flatnonzero(which)
        for i in chosen:
            self.world.restore_range(self.snapshots[i])
        self.targets[chosen], self.age[chosen] = self.start[chosen], 0
        return self.observe()

    def step(self, actions: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """Moves the held corners for 1/60 s. Returns observations, rewards and ends; a towel that
        has ended is put back, and its observation is the first one."""
        self.targets += np.clip(actions, -1, 1) / 60
        self.world.move_particles(self.targets.reshape(-1, 3), self.held)
        self.world.step()
        self.age += 1
        observations = self.observe()
        corners = self.buffer[:, [0, 3, 12, 15], :3]
        rewards = -np.linalg.norm(corners[:, :2] - corners[:, 2:], axis=2).mean(axis=1)
        ends = self.age >= self.steps
        if ends.any():
            observations = self.reset(ends)
        return observations, rewards, ends

    def observe(self) -> Floats:
        """Observations, (count, 96), in an array that the next call fills again."""
        rows = self.buffer.reshape(-1, 6)
        position, velocity = rows[:, :3], rows[:, 3:]
        self.world.read(
            {weft.Attribute.POSITION: position, weft.Attribute.VELOCITY: velocity}, self.seen
        )
        return self.buffer.reshape(self.count, -1)


def main(count: int, steps: int) -> None:
    """Folds towels, half of them from the middle of an episode on; prints the steps a second."""
    towels = Towels(count)
    towels.age[::2] = towels.steps // 2
    begin, rewards = time.perf_counter(), np.zeros(count, np.float32)
    for step in range(steps):
        velocity = np.array([0, 0.2 if step < 30 else -0.2, 0.4], np.float32)
        _, rewards, _ = towels.step(np.tile(velocity, (count, 2, 1)))
    rate = steps * count / (time.perf_counter() - begin)
    print(f"{count} towels: {rate:.0f} steps a second, mean reward {rewards.mean():.3f}")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]) if len(sys.argv) == 3 else (1000, 60))
