"""Writes the package's _types.py: a class for each enumeration and structure of the headers."""
from __future__ import annotations

import os
import re
import textwrap
from pathlib import Path
from typing import Any, Iterator

from cffi import FFI

import headers

PREAMBLE = '''"""Enumerations and structures of the C headers, by tools/python/generate.py."""
from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

from ._call import written
from ._struct import Array, Handle, ParticleRange, SceneItem, Struct, Vector, WorldItem, classes
'''
# structures that the package uses under the names of its own
HIDDEN = {"weft_result", "weft_view"}
SCALARS = {"float": "float", "double": "float", "_Bool": "bool"}


def python_name(c_name: str) -> str:
    """SheetDef for weft_sheet_def."""
    return "".join(part.title() for part in c_name.split("_")[1:])


def enumerators(c_name: str, members: list[str]) -> dict[str, str]:
    """Python names of enumerators: without the prefix of the type, or else the common one."""
    own = c_name.upper() + "_"
    shared = os.path.commonprefix(members).rsplit("_", 1)[0] + "_"
    names = {name: name.removeprefix(own if name.startswith(own) else shared) for name in members}
    # such as 2D
    return {name: short if short.isidentifier() else "_" + short for name, short in names.items()}


class Writer:
    """Python classes from the declarations and the comments of the headers."""

    def __init__(self, include: Path) -> None:
        self.ffi = FFI()
        self.declarations = text = headers.declarations(include)
        self.ffi.cdef(text)
        self.type_comments, self.member_comments = headers.comments(include)
        # results of weft_scene_add_sheet() and the like, by their defs
        pattern = r"weft_(scene|world)_add_\w+\(\w+\* \w+, const (\w+_def)\* def,\s*(\w+)\* \w+\)"
        self.added = {item: (owner, made) for owner, item, made in re.findall(pattern, text)}
        types = {
            name: self.ffi.typeof(name) for name in sorted(self.member_comments.keys() - HIDDEN)
        }
        self.enums = {name: type_ for name, type_ in types.items() if type_.kind == "enum"}
        self.structs = {name: type_ for name, type_ in types.items() if type_.kind == "struct"}
        self.constants = {
            name: value for type_ in self.enums.values() for name, value in type_.relements.items()
        }
        self.words = {"NULL": "None"}
        self.words |= {name: python_name(name) for name in (*self.enums, *self.structs)}
        for name, type_ in self.enums.items():
            for c_name, short in enumerators(name, list(type_.relements)).items():
                self.words[c_name] = f"{python_name(name)}.{short}"

    def module(self) -> str:
        enums = [self.enum(name) for name in self.enums]
        public = [python_name(name) for name in (*self.enums, *self.structs)]
        exported = f"__all__ = {public}\n"
        outputs = "\n".join(self.outputs())
        return "\n\n".join([PREAMBLE, exported, *enums, *map(self.struct, self.structs), outputs])

    def outputs(self) -> Iterator[str]:
        """Lines that name the arguments that each function writes to: pointers without const."""
        for name, arguments in re.findall(r"\b(weft_\w+)\(([^()]*)\);", self.declarations):
            parts = enumerate(arguments.split(","))
            found = tuple(n for n, part in parts if re.search(r"^(?!\s*const\b).*[*[]", part, re.S))
            yield f"written['{name}'] = {found}"

    def translate(self, comment: str) -> str:
        """The comment with the Python names of types and enumerators."""
        comment = re.sub(
            r"\b(weft_\w+|WEFT_\w+|NULL)\b", lambda m: self.words.get(m[0], m[0]), comment
        )
        return comment.replace("\\", "\\\\").replace('"""', "'''")

    def docstring(self, c_name: str, heading: str, members: dict[str, str]) -> Iterator[str]:
        """Lines of a class's docstring: the comment of the type, and those of its members."""
        wrap = textwrap.TextWrapper(95, initial_indent="        ", subsequent_indent="            ")
        comment = self.translate(self.type_comments[c_name]) or f"See {c_name} in the C headers."
        first, *rest = comment.splitlines()
        yield f'    """{first}'
        yield from (f"    {line}".rstrip() for line in rest)
        yield f"\n    {heading}:"
        for name, text in members.items():
            yield from wrap.wrap(f"{name}: {self.translate(text)}" if text else name)
        yield '    """\n'

    def enum(self, c_name: str) -> str:
        type_ = self.enums[c_name]
        short = enumerators(c_name, list(type_.relements))
        comments = {short[name]: text for name, text in self.member_comments[c_name].items()}
        lines = [f"class {python_name(c_name)}(IntEnum):"]
        lines += self.docstring(c_name, "Values", comments)
        values = sorted(type_.relements.items(), key=lambda item: item[1])
        lines += [f"    {short[name]} = {value}" for name, value in values]
        return "\n".join([*lines, f"\n\nclasses['{c_name}'] = {python_name(c_name)}\n"])

    def struct(self, c_name: str) -> str:
        comments = dict(self.member_comments[c_name])
        comments.pop("cookie", None)
        fields = {name: self.annotation(field.type) for name, field in self.structs[c_name].fields}
        fields.pop("cookie", None)
        lines = [f"class {python_name(c_name)}({self.base(c_name, list(fields))}):"]
        lines += self.docstring(c_name, "Fields", comments)
        lines.append(f'    _c_name = "{c_name}"')
        extents = dict(self.extents(c_name, comments))
        if extents:
            lines.append(f"    _extents = {extents}")
        lines += [f"    {name}: {annotation}" for name, annotation in fields.items()]
        inner = [name for name, field in self.structs[c_name].fields if field.type.kind == "struct"]
        taken = fields | {name: f"{fields[name]} | dict[str, Any]" for name in inner}
        arguments = ", ".join(f"{name}: {annotation} = ..." for name, annotation in taken.items())
        lines += [
            "    if TYPE_CHECKING:",
            f"        def __init__(self, *, {arguments}) -> None: ...",
        ]
        return "\n".join(lines) + "\n"

    def base(self, c_name: str, fields: list[str]) -> str:
        if c_name in self.added:
            owner, made = self.added[c_name]
            return f"{owner.title()}Item[{self.words.get(made, 'int')!r}]"
        if fields == ["index", "generation"]:
            return "Handle"
        return "ParticleRange" if c_name == "weft_body" else "Struct"

    def extents(
        self, c_name: str, comments: dict[str, str]
    ) -> Iterator[tuple[str, tuple[Any, int]]]:
        """Field with the length of an array, or the length, and elements a row: `[points][3]`."""
        fields = dict(self.structs[c_name].fields)
        for name, text in comments.items():
            match = re.search(r"\[([A-Za-z_]\w*)\](?:\[(\d+)\])?", text)
            if match and fields[name].type.kind == "pointer":
                rows = match[1] if match[1] in fields else self.constants.get(match[1])
                if rows is not None:
                    yield name, (rows, int(match[2] or 1))

    def annotation(self, type_: Any) -> str:
        """Type of a field for type checkers."""
        if type_.kind == "enum" or type_.kind == "struct":
            return self.words.get(type_.cname, "Any")
        if type_.kind == "primitive":
            return SCALARS.get(type_.cname, "int")
        if type_.kind == "array":
            return "Vector"
        if type_.kind == "pointer":
            item = type_.item
            if item.kind == "primitive":
                return "str" if item.cname == "char" else "Array | None"
            if item.kind == "struct" and item.cname in self.structs:
                return f"{self.words[item.cname]} | Array | None"
        return "Any"


def write(include: Path, target: Path) -> None:
    """Writes the module to `target`, unless it is there already."""
    text = Writer(include).module()
    if not target.exists() or target.read_text() != text:
        target.write_text(text)
