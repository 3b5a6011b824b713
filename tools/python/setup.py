"""Builds the package: the engine by CMake, and the binding by cffi from the engine's headers.

Settings of the project are in pyproject.toml. What is built goes to build/python of the repository,
and nothing into the source tree. WEFT_PRESET in the environment names the preset of CMake: release,
asan-ubsan or tsan; WEFT_EXTRA_MODULES folders of modules from outside, whose functions
weft.call() calls.
"""
import os
import subprocess
import sys
from pathlib import Path

from cffi import FFI
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import generate  # noqa: E402
import headers  # noqa: E402

REPOSITORY = HERE.parent.parent
INCLUDE = REPOSITORY / "engine/include"
BUILD = REPOSITORY / "build/python"
PRESET = os.environ.get("WEFT_PRESET", "release")
LIBRARY = str(REPOSITORY / "build" / PRESET / "engine/libweft.a")
# of engine/base/fields.h, for messages, and for defs that are parts of others
PRIVATE = (
    "void weft__describe_range(const char* name, char* text, size_t room);\n"
    "void weft__set_defaults_of(const char* name, void* def);\n"
)
SANITIZERS = {"asan-ubsan": ["-fsanitize=address,undefined"], "tsan": ["-fsanitize=thread"]}


def emit_binding(path: Path) -> None:
    """Writes the C source of weft._weft, which has every function of the headers."""
    ffi = FFI()
    ffi.cdef(headers.declarations(INCLUDE) + PRIVATE)
    ffi.set_source("weft._weft", headers.includes() + PRIVATE)
    ffi.emit_c_code(str(path))


class BuildExtension(build_ext):
    """Builds the engine, and the binding that links it."""

    def run(self) -> None:
        modules = ";".join(map(str, headers.MODULES))
        configure = ["cmake", "--preset", PRESET, "--log-level=NOTICE"]
        configure.append(f"-DWEFT_EXTRA_MODULES={modules}")
        subprocess.run(configure, cwd=REPOSITORY, check=True, stdout=subprocess.DEVNULL)
        build = ["cmake", "--build", "--preset", PRESET, "--target", "weft_static"]
        subprocess.run(build, cwd=REPOSITORY, check=True)
        # known only now: a list of sources names no generated file
        emit_binding(BUILD / "_weft.c")
        self.extensions[0].sources = [str(BUILD / "_weft.c")]
        super().run()


class BuildModules(build_py):
    """Adds the generated module to the others."""

    def run(self) -> None:
        super().run()
        generate.write(INCLUDE, Path(self.build_lib) / "weft/_types.py")


def version() -> str:
    """The version in the header."""
    text = headers.preprocess(INCLUDE, "-dM")
    parts = dict(
        line.split()[1:] for line in text.splitlines() if line.startswith("#define WEFT_VERSION_")
    )
    return ".".join(parts[f"WEFT_VERSION_{part}"] for part in ("MAJOR", "MINOR", "PATCH"))


BUILD.mkdir(parents=True, exist_ok=True)
extension = Extension(
    "weft._weft",
    sources=[],
    include_dirs=[str(INCLUDE)],
    extra_objects=[LIBRARY],
    depends=[LIBRARY],
    libraries=["m", "pthread"],
    extra_link_args=SANITIZERS.get(PRESET, []),
    py_limited_api=True,
)
setup(
    version=version(),
    ext_modules=[extension],
    cmdclass={"build_ext": BuildExtension, "build_py": BuildModules},
    options={
        "build": {"build_base": str(BUILD / PRESET)},
        # files of another commit may be older than the last build's
        "build_py": {"force": True},
        "egg_info": {"egg_base": str(BUILD)},
        "bdist_wheel": {"py_limited_api": "cp311"},
    },
)
