"""The example of tools/python/examples, with few towels."""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

EXAMPLES = Path(__file__).resolve().parents[2] / "tools/python/examples"
sys.path.insert(0, str(EXAMPLES))
import towels  # noqa: E402


def test_towels_that_are_folded_earn_more_than_those_left_alone() -> None:
    folded = towels.Towels(5, side=12)
    start = folded.reset().copy()
    assert start.shape == (5, 96) and start.dtype == np.float32
    actions = np.zeros((5, 2, 3), "f4")
    actions[:3, :, 2] = 0.5
    actions[:3, :, 1] = 0.2
    for _ in range(50):
        observations, rewards, ends = folded.step(actions)
    assert rewards[0] > rewards[3] + 0.1 and not ends.any()
    # environments do not meet
    assert np.array_equal(observations[0], observations[2]) and rewards[3] == rewards[4]


def test_towels_that_end_are_put_back_alone() -> None:
    some = towels.Towels(4, side=12, steps=10)
    start = some.reset().copy()
    some.age[1] = 3
    for step in range(7):
        observations, rewards, ends = some.step(np.ones((4, 2, 3), "f4"))
        assert ends.tolist() == [False, step == 6, False, False]
    assert np.array_equal(observations[1], start[1])
    assert not np.allclose(observations[0], start[0], atol=0.05)


def test_the_example_runs_and_stays_short() -> None:
    towels.main(3, 4)
    assert len((EXAMPLES / "towels.py").read_text().splitlines()) < 100
