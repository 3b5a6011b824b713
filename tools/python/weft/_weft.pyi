"""The module that cffi makes of the C headers: see tools/python/setup.py."""
from typing import Any

ffi: Any
lib: Any
