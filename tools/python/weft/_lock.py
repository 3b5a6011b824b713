"""Locks of scenes and worlds."""
from __future__ import annotations

import threading
from typing import Any, Callable


class Lock:
    """Held by one thread at a time. A function that the library calls back must not call the very
    object that is at work: that raises RuntimeError."""

    _calling = threading.local()

    def __init__(self) -> None:
        self._lock = threading.RLock()

    def __enter__(self) -> None:
        if getattr(self._calling, "back", 0) and self._lock._is_owned():  # type: ignore[attr-defined]
            raise RuntimeError("a function that weft calls back uses the object that calls it")
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    @classmethod
    def calling_back(cls, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, for the library to call."""

        def run(*args: Any) -> Any:
            outer = getattr(cls._calling, "back", 0)
            cls._calling.back = outer + 1
            try:
                return function(*args)
            finally:
                cls._calling.back = outer

        return run
