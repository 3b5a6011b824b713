"""Reads the public headers of the engine: declarations for cffi, and the comments beside them.

The preprocessor resolves macros and includes, with empty system headers, since cffi knows their
types. Comments come from the headers as they are: clang-format lays them out in two ways, above
a declaration or behind it.

Modules from outside have a header of their name each; WEFT_EXTRA_MODULES in the environment lists
their folders, separated by semicolons, as CMake does.
"""
from __future__ import annotations

import os
import re
import subprocess
import tempfile
from pathlib import Path

SYSTEM_HEADERS = {"stdbool.h": "", "stddef.h": "", "stdint.h": "#define UINT32_MAX 0xffffffffu\n"}
COMMENT = re.compile(r"/\*(.*?)\*/", re.S)


MODULES = [Path(m).resolve() for m in os.environ.get("WEFT_EXTRA_MODULES", "").split(";") if m]
MODULE_HEADERS = [folder / f"{folder.name}.h" for folder in MODULES]


def includes() -> str:
    """Lines that include all public headers."""
    return "\n".join(
        ["#include <weft/weft.h>", *(f'#include "{header}"' for header in MODULE_HEADERS), ""]
    )


def preprocess(include: Path, *options: str) -> str:
    """Preprocessed public headers; `options` are further ones of the preprocessor."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in SYSTEM_HEADERS.items():
            (Path(folder) / name).write_text(text)
        # without __GNUC__ there are no attributes
        command = ["cc", "-E", "-P", "-nostdinc", "-U__GNUC__", f"-I{folder}", f"-I{include}"]
        return subprocess.run(
            [*command, *options, "-xc", "-"],
            input=includes(),
            check=True,
            capture_output=True,
            text=True,
        ).stdout


def integer_macros(include: Path) -> list[str]:
    """Names of the macros whose value is a whole number."""
    defines = re.findall(r"^#define (WEFT_\w+) (.+)$", preprocess(include, "-dM"), re.M)
    return sorted(
        name for name, value in defines if re.fullmatch(r"[\du<() ]+|UINT32_MAX|SIZE_MAX", value)
    )


def declarations(include: Path) -> str:
    """Text for FFI.cdef(): types, functions, and macros, whose values the compiler fills in."""
    macros = [f"#define {name} ...\n" for name in integer_macros(include)]
    # inline functions are called as others are
    inline = re.compile(r"static inline ([^{;]+?)\s*\{.*?\n\}", re.S)
    text = inline.sub(r"\1;", preprocess(include))
    return text + "".join(macros)


def _plain(comment: str) -> str:
    """Text of a comment without its asterisks; paragraphs are kept."""
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip() for line in comment.strip().splitlines()]
    return "\n".join(lines).strip()


def _one_line(comment: str) -> str:
    return " ".join(_plain(comment).split())


def _members(body: str, separator: str) -> dict[str, str]:
    """Comment of each member of a structure or an enumeration, by the member's name.

    A comment that begins on the line of a declaration, or between its parts, belongs to it; one
    on a line of its own to the next declaration.
    """
    comments: dict[str, str] = {}
    above, names = "", []
    for match in re.finditer(
        rf"/\*(?P<comment>.*?)\*/|(?P<code>[^/{separator}]+{separator}?)|.", body, re.S
    ):
        if match["comment"] is not None:
            text = _one_line(match["comment"])
            line = body[: match.start()].rsplit("\n", 1)[-1]
            if names and line.strip():
                for name in names:
                    comments[name] = f"{comments[name]} {text}".strip()
            else:
                above = f"{above} {text}".strip()
        elif match["code"] and match["code"].strip(f" \n{separator}"):
            names = _names(match["code"])
            for name in names:
                comments[name] = above
            above = ""
    return comments


def _names(declaration: str) -> list[str]:
    """Names declared by `float a, b[3]`, `void (*call)(int a)` or `NAME = 1`."""
    function = re.search(r"\(\* ?(\w+)\)\(", declaration)
    if function:
        return [function[1]]
    parts = declaration.strip(" \n,;").split(",")
    return [re.findall(r"\w+", re.sub(r"\[.*|=.*", "", part, flags=re.S))[-1] for part in parts]


def comments(include: Path) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Comment above each type, and of each of its members: ({type: text}, {type: {member: ..}})."""
    types: dict[str, str] = {}
    members: dict[str, dict[str, str]] = {}
    for header in [*sorted((include / "weft").glob("*.h")), *MODULE_HEADERS]:
        text = header.read_text()
        for match in re.finditer(
            r"typedef (struct|enum) (\w+) \{\n(.*?)^\} \w+;", text, re.S | re.M
        ):
            above = re.search(r"/\*((?:(?!\*/).)*)\*/\n$", text[: match.start()], re.S)
            # chapter headings are no comments of a type
            types[match[2]] = _plain(above[1]) if above and "----" not in above[1] else ""
            members[match[2]] = _members(match[3], ";" if match[1] == "struct" else ",")
    return types, members
