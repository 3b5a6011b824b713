"""The scenes of reference.c, built by the package."""
from __future__ import annotations

import numpy as np
import weft

STEPS = 40


def hang() -> weft.World:
    with weft.Scene() as scene:
        material = weft.MaterialDef(bend_stiffness=1e-4)
        body = scene.add(weft.SheetDef(columns=33, rows=35, material=material))
        scene.pin(slice(body.first_particle, 33))
        world = weft.World(scene, weft.WorldDef(worker_count=2))
    world.step(STEPS)
    return world


def drape() -> weft.World:
    with weft.Scene() as scene:
        scene.add(weft.SheetDef(columns=25, rows=25, origin=(-0.6, 0.52, -0.6), down=(0, 0, 1)))
        world = weft.World(scene, weft.WorldDef())
    world.set_particle_shape(
        weft.ParticleShapeDef(
            shape=weft.ParticleShape.CLOTH,
            half_size=(0.0275, 0, 0),
            surface={"static_friction": 0.3, "dynamic_friction": 0.3},
            collision=weft.Collision.EXACT,
        )
    )
    ball = world.add(
        weft.ColliderDef(
            radius=0.4, surface=weft.SurfaceDef(static_friction=0.5, dynamic_friction=0.4)
        )
    )
    for step in range(STEPS):
        world.move_collider(ball, (np.float32(0.005) * np.float32(step), 0, 0))
        world.step()
    return world


def ragdolls() -> weft.World:
    with weft.Scene() as scene:
        for i in range(5):
            height = np.float32(0.1) * np.float32(i)
            scene.add(weft.RagdollDef(origin=(2 * i, height, 0), flat=False))
        world = weft.World(scene, weft.WorldDef(solver={"substeps": 4}, worker_count=2))
    surface = weft.SurfaceDef(restitution=0.2, static_friction=0.6, dynamic_friction=0.6)
    bounds = weft.BoundsDef(surface=surface)
    bounds.lower = (-np.inf, 0, -np.inf)
    world.set_bounds(bounds)
    world.step(STEPS)
    return world


def curtain() -> weft.World:
    with weft.Scene() as scene:
        scene.add(weft.SheetDef(tear_ratio=1.3))
        scene.pin(slice(0, 32))
        settings = weft.plain_world_def()
        world = weft.World(scene, settings)
    world.set_wind(weft.WindDef(velocity=(0, 0, 5), gust=0.5))
    world.cut([[-1, -0.4, -1], [0.5, -0.4, 1], [0.5, -0.4, -1]])
    grip = world.add_grip((1.55, -1.55, 0), 0.1)
    for step in range(STEPS):
        world.move_grip(grip, (1.55, -1.55, np.float32(0.05) * np.float32(step)))
        world.add_forces((0, 0.1, 0), slice(100, 300))
        world.step()
    return world


def springs() -> weft.World:
    with weft.Scene() as scene:
        curve = scene.add(weft.ForceCurveDef(strains=[-1, 0, 1], forces=[-10, 0, 40]))
        positions = np.zeros((20, 3))
        positions[:, 0] = 0.125 * np.arange(20)
        scene.add_particles(positions, np.where(np.arange(20) == 0, 0, 50))
        links = weft.LinkDef.array(19)
        links["a"], links["b"] = np.arange(19), np.arange(1, 20)
        links["rest_length"], links["compliance"], links["force_curve"] = 0.125, 0.01, curve
        scene.add_links(links)
        settings = weft.WorldDef(solver={"springs": True}, gravity=(0, 0, -9.81))
        settings.solver.integrator = weft.Integrator.VELOCITY_VERLET
        world = weft.World(scene, settings)
    world.add(weft.JointDef(particle=19, to=(5, 0, 0), rest_length=1))
    world.step(STEPS)
    return world


def new_towels(side: int, count: int) -> weft.World:
    with weft.Scene() as one, weft.Scene() as scene:
        one.add(weft.SheetDef(columns=side, rows=side, spacing=0.02))
        one.pin(0)
        one.pin(side - 1)
        for i in range(count):
            scene.add_scene(one, environment=i)
        world = weft.World(scene, weft.WorldDef(solver={"substeps": 4}))
    gravity = np.array([[0, -1.6, 0], [1, -9, 0]])
    world.set_environment(weft.Attribute.ENVIRONMENT_GRAVITY, gravity, slice(1, 3))
    return world


def towels() -> weft.World:
    world = new_towels(9, 50)
    world.step(STEPS)
    return world


ALL = (hang, drape, ragdolls, curtain, springs, towels)
