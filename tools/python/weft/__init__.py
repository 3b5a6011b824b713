"""weft: large cloth, ropes, ragdolls and soft bodies on many CPU cores.

    import weft

    with weft.Scene() as scene:
        cloth = scene.add(weft.ClothDef(columns=33, hooks=9))
        world = weft.World(scene)
    world.step(60)
    print(world.positions(cloth).min(axis=0))

Scene describes bodies, World steps them. Defs and enumerations are those of the C headers, whose
comments are their docstrings: weft_sheet_def is SheetDef, WEFT_LINK_MODE_STRETCH LinkMode.STRETCH.
Units are SI: metres, kilograms, seconds, newtons. Arrays of vectors are float32 of shape (n, 3).
Calls that the library refuses raise WeftError and change nothing. `call` reaches functions of the
library that have no method; ffi and lib are the binding of cffi itself.
"""
from __future__ import annotations

from . import _types
from ._call import WeftError, call
from ._struct import dtype
from ._types import *  # noqa: F401,F403
from ._weft import ffi, lib
from .fabric import fabric_data, fabric_material
from .scene import Scene
from ._view import View
from .world import World, plain_world_def

__version__ = ffi.string(lib.weft_version()).decode()
AUTO: int = lib.WEFT_AUTO

__all__ = ["AUTO", "Scene", "View", "WeftError", "World", "call", "dtype", "ffi", "lib"]
__all__ += ["fabric_data", "fabric_material", "plain_world_def", *_types.__all__]
