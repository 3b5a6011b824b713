"""The package computes what a C program computes, bit for bit."""
from __future__ import annotations

import os
import subprocess
from typing import Callable

import pytest
import scenes
import weft

HASHES = dict(
    line.split()
    for line in subprocess.run(
        [os.environ["WEFT_PYTHON_REFERENCE"], "hashes"], check=True, capture_output=True, text=True
    ).stdout.splitlines()
)


@pytest.mark.parametrize("build", scenes.ALL)
def test_hash_is_that_of_a_c_program(build: Callable[[], weft.World]) -> None:
    with build() as world:
        assert f"{world.hash():016x}" == HASHES[build.__name__]


def test_every_scene_of_the_c_program_is_compared() -> None:
    assert set(HASHES) == {build.__name__ for build in scenes.ALL}
