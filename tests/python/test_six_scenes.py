"""The example of tools/python/examples that has scene files of the same names."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Callable

import numpy as np
import pytest
import weft

TOOLS = Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS / "python/examples"))
import six_scenes  # noqa: E402

SECONDS = 2


@pytest.mark.parametrize("scene", six_scenes.SCENES)
def test_scenes_have_the_bits_of_their_files(scene: Callable[[float], weft.World]) -> None:
    world = scene(SECONDS)
    assert np.isfinite(world.positions()).all() and world.measure().mean_strain < 0.02
    if "WEFT_PYTHON_SIM" not in os.environ:
        pytest.skip("weft-sim is not built")
    file = TOOLS / f"sim/examples/{scene.__name__.replace('_', '-')}.json"
    command = [os.environ["WEFT_PYTHON_SIM"], "run", str(file), "--seconds", str(SECONDS)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert told.split()[-1] == f"{world.hash():016x}"


def test_the_wind_at_the_pole_ends() -> None:
    world = six_scenes.flag_pole(5.1)
    assert world.stats().step_count == 306
    # out along the wind's way, still
    assert world.positions()[:, 0].max() > 0.5
