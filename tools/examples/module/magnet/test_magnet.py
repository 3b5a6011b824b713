"""The magnet by Python, which has its functions without a line of its own."""
import numpy as np
import weft

with weft.Scene() as scene:
    scene.add_particles(np.zeros((1, 3), np.float32), 1.0)
    world = weft.World(scene, weft.WorldDef(gravity=(0, 0, 0)))
world.call("set_magnet", (1.0, 0.0, 0.0), 2.0)

point, strength = np.empty(3, np.float32), np.empty(1, np.float32)
world.call("get_magnet", point, strength)
assert point.tolist() == [1.0, 0.0, 0.0] and strength[0] == 2.0

world.step()
velocity = world.velocities()[0]
assert velocity[0] > 0.0 and velocity[1] == velocity[2] == 0.0

try:
    world.call("set_magnet", (np.nan, 0.0, 0.0), 2.0)
except weft.WeftError as error:
    assert error.field == "point"
else:
    raise AssertionError("a magnet that is not finite was accepted")
