"""The example of tools/python/examples that sends worlds to other processes."""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools/python/examples"))
import lookahead  # noqa: E402


def test_a_flag_comes_nearer_to_its_mark() -> None:
    first = np.linalg.norm(lookahead.new_flag().positions(-1)[0] - lookahead.MARK)
    assert lookahead.main(rounds=2, processes=2) < 0.8 * first
