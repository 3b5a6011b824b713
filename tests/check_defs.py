#!/usr/bin/env python3
"""usage: tests/check_defs.py PRINT_DEFS

Compares the ranges and defaults of base/defs.c, as print_defs prints them, with what the comments
in the public headers say of each field of a def.
"""
from __future__ import annotations

import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Iterator, NamedTuple

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY / "tools/python"))
import headers  # noqa: E402

INCLUDE = REPOSITORY / "engine/include"
KINDS = ("float", "unit", "count", "whole", "int", "long", "size", "flag", "pointer", "def")
ABOVE, OR_ZERO, OR_AUTO, _, _, AT_MOST = (1 << bit for bit in range(6))
ALL_BITS = 2**32 - 1
FLOAT_MAX = 2.0**128 - 2.0**104
# upper ends that are limits of the type or of the library, and go without saying
UNSAID = {
    "float": (1e9, FLOAT_MAX, math.inf), "whole": (ALL_BITS,), "long": (2**63,), "size": (math.inf,),
    "count": (2**28, 2**30, 2**30 // 3, ALL_BITS),
}  # fmt: skip
# comments that say in other words: lower and upper end, and default
SAID = {
    "weft_link_def.max_length": (0, 1e9, 0),
    "weft_rod_def.bend_stiffness_2": (-1e12, 1e12, -1),
    "weft_particle_def.inverse_mass": (1e-13, 1e13, 1),
    "weft_threads_def.count": (1, 255, 1),
    "weft_bounds_def.lower": (-math.inf, math.inf, -math.inf),
    "weft_bounds_def.upper": (-math.inf, math.inf, math.inf),
}
NUMBER = r"-?(?:2\^\d+|\d[\d,]*(?:\.\d+)?(?:e-?\d+)?|pi\b|infinity|WEFT_MAX_\w+(?: - 1)?)"
WORDS = {
    "true": 1, "all true": 1, "false": 0, "NULL": 0, "none": 0, "1/60 s": 16666667, "0": 0,
    "all bits": ALL_BITS, "WEFT_AUTO": ALL_BITS, "WEFT_ALL_ENVIRONMENTS": ALL_BITS,
}  # fmt: skip


class Row(NamedTuple):
    """A row of the table."""

    name: str
    kind: str
    flags: int
    lower: float
    upper: float
    initial: list[float]

    @property
    def member(self) -> str:
        return self.name.split(".")[1]


class Comments:
    """What the headers say of fields, and the enumerations that they are of."""

    def __init__(self) -> None:
        self.types, self.members = headers.comments(INCLUDE)
        self.text = "".join(path.read_text() for path in sorted((INCLUDE / "weft").glob("*.h")))
        defines = re.findall(
            r"^#define (WEFT_MAX_\w+) \(?([\d.e]+)[uf]?(?: << (\d+))?", self.text, re.M
        )
        self.limits = {name: float(value) * 2 ** int(shift or 0) for name, value, shift in defines}
        self.values = {
            name: number
            for members in self.members.values()
            for number, name in enumerate(members)
            if name.startswith("WEFT_")
        }

    def of(self, name: str) -> str:
        """The comment of a field; of another one that it refers to, or that stands before it."""
        type_, member = name.split(".")
        comment = self.members[type_][member]
        names = list(self.members[type_])
        other = re.search(r"as in (weft_\w+_def)", comment)
        has_range = re.search(rf"{NUMBER} to {NUMBER}", comment)
        if member in ("relaxation", "compliance", "tear_ratio") and not has_range:
            other = re.search("weft_link_def", "weft_link_def")
        if other and member in self.members[other[0].split()[-1]] and other[0] != type_:
            target = f"{other[0].split()[-1]}.{member}"
            return comment if target == name else f"{comment}; {self.of(target)}"
        if comment in ("", "the same") and names.index(member) > 0:
            before = self.members[type_][names[names.index(member) - 1]]
            same = re.search(r"as in (weft_\w+_def)", before) if comment else None
            if comment and (same or before == "the same"):
                return self.of(f"weft_particle_shape_def.{member}")
            return self.of(f"{type_}.{names[names.index(member) - 1]}") if not comment else comment
        return comment

    def number(self, text: str) -> float:
        text = text.replace(",", "")
        if text.endswith("pi"):
            return math.pi
        if "infinity" in text:
            return -math.inf if text.startswith("-") else math.inf
        if text.startswith("WEFT_"):
            name, _, less = text.partition(" - ")
            return self.limits[name] - float(less or 0)
        base, _, power = text.partition("^")
        return float(base) ** float(power or 1)

    def enumeration(self, row: Row) -> list[str]:
        """Enumerators of the field's type; none if it is a number."""
        struct = re.search(
            rf"typedef struct {row.name.split('.')[0]} \{{(.*?)^\}}", self.text, re.S | re.M
        )
        type_ = re.search(rf"(\w+) {row.member};", struct[1]) if struct else None
        return list(self.members.get(type_[1], {})) if type_ else []


def is_near(a: float, b: float) -> bool:
    """Equal as floats; whole numbers exactly."""
    is_whole = abs(a) < 2**31 and a == int(a)
    return a == b or (not is_whole and math.isclose(a, b, rel_tol=1e-7))


def check_enumeration(comments: Comments, row: Row, names: list[str]) -> Iterator[str]:
    comment = comments.of(row.name)
    last = len(names) - 1
    listed = [
        n for n, name in enumerate(names) if re.search(rf"\b{name.split('_')[-1]}\b", comment)
    ]
    if f"not {names[-1]}" in comment:
        last -= 1
    elif len(listed) > 1:
        last = max(listed)
    if (row.lower, row.upper, row.flags & ABOVE) != (0, last, 0):
        yield f"{row.lower} to {row.upper} are not all of {', '.join(names)}"


def check_range(comments: Comments, row: Row) -> Iterator[str]:
    comment = comments.of(row.name)
    about = f"{comment} {comments.types[row.name.split('.')[0]]}"
    pairs = [
        tuple(map(comments.number, pair))
        for pair in re.findall(f"({NUMBER}) to ({NUMBER})", comment)
    ]
    for end in re.findall(f"up to ({NUMBER})", comment):
        upper = comments.number(end)
        pairs.append((1, upper) if row.kind == "count" else (-upper, upper))
    pairs += [(0, comments.number(end)) for end in re.findall(f"maximum is ({NUMBER})", about)]
    if row.flags & AT_MOST and "0 to static_friction" in comment:
        pairs.append((0, 1000))
    signs = [(sign, comments.number(end)) for sign, end in re.findall(f"(>=?) ({NUMBER})", comment)]
    sign = ">" if row.flags & ABOVE else ">="
    is_above = any(s == sign and is_near(row.lower, end) for s, end in signs)
    if row.kind == "count" and not row.flags & ABOVE:
        is_above |= (">", row.lower - 1) in signs
    is_said = any(is_near(row.lower, a) and is_near(row.upper, b) for a, b in pairs)
    if is_said and not row.flags & ABOVE:
        return
    if row.upper in UNSAID.get(row.kind, ()):
        is_free = row.lower == -1e9 or (row.lower == 0 and row.kind != "float")
        is_free &= not row.flags & ABOVE
        if not is_above and not is_free:
            yield f"not {sign} {row.lower:g}"
    else:
        yield f"not {row.lower:g} to {row.upper:g}"


def check_default(comments: Comments, row: Row) -> Iterator[str]:
    comment = comments.of(row.name)
    if "see Placement" in comment:
        comment = re.search(rf"\b{row.member} (-?\d -?\d -?\d)", comments.text)[0].replace(
            row.member, "default"
        )
    found = re.findall(r"[Dd]efaults? ([^;:.]*(?:\.\d[^;:.]*)*)", comment)
    texts = [text.strip() for part in found for text in re.split(r", (?=\w)| and |\s=", part)]
    values = [WORDS.get(text, comments.values.get(text)) for text in texts]
    lists = [[float(v)] * len(row.initial) for v in values if v is not None]
    for text in texts:
        numbers = re.findall(rf"(?<!\S){NUMBER}(?!\S)", text)
        lists.append(
            [comments.number(n) for n in numbers] * (len(row.initial) if len(numbers) == 1 else 1)
        )
    before = re.findall(rf"({NUMBER}|\w+) (?:\(default\)|= [^,;]*, the default)", comment)
    lists += [[comments.number(t)] * len(row.initial) for t in before if re.fullmatch(NUMBER, t)]
    lists += [[1.0] for t in before if t == "true"]
    is_said = any(len(v) == len(row.initial) and all(map(is_near, v, row.initial)) for v in lists)
    if not is_said and any(row.initial):
        yield f"default not {' '.join(f'{value:g}' for value in row.initial)}"
    if not is_said and any(map(any, lists)):
        yield f"default {lists}, not 0"


def check(comments: Comments, row: Row) -> Iterator[str]:
    names = comments.enumeration(row)
    if row.name in SAID or row.kind == "def":
        have = (row.lower, row.upper, row.initial[0])
        is_same = all(map(is_near, have, SAID.get(row.name, have)))
        if not is_same or row.flags & ABOVE:
            yield f"not {SAID[row.name]}"
        return
    if row.kind == "int" and names:
        yield from check_enumeration(comments, row, names)
    elif KINDS.index(row.kind) < KINDS.index("flag") and row.kind != "unit":
        yield from check_range(comments, row)
    yield from check_default(comments, row)


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    printed = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout
    comments = Comments()
    rows = []
    for line in printed.splitlines():
        name, kind, flags, lower, upper, initial = line.split("\t")
        values = [float(value) for value in initial.split()]
        rows.append(Row(name, KINDS[int(kind)], int(flags), float(lower), float(upper), values))
    faults = [f"{row.name}: {fault}" for row in rows for fault in check(comments, row)]
    have = {row.name for row in rows}
    for type_, members in comments.members.items():
        if type_.endswith("_def"):
            names = {f"{type_}.{member}" for member in members if member != "cookie"}
            faults += [f"{name}: has no row in base/defs.c" for name in sorted(names - have)]
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
