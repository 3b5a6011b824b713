"""Reads the JSON of weft-bench, and writes JSON and CSV. Faults name the file and the field."""

import csv
import json
import math
import os
import sys


class Fault(Exception):
    """A wrong file or option, in words for the user."""


class Field:
    """A value of a file, with its place for faults."""

    def __init__(self, value, path, place=""):
        self.value, self.path, self.place = value, path, place

    def fault(self, text):
        return Fault(f"{self.path}: {self.place or 'the file'} {text}")

    def has(self, key):
        return isinstance(self.value, dict) and self.value.get(key) is not None

    def __getitem__(self, key):
        if not isinstance(self.value, dict):
            raise self.fault("is no object")
        place = f"{self.place}.{key}" if self.place else key
        if key not in self.value:
            raise Fault(f"{self.path}: there is no {place}")
        return Field(self.value[key], self.path, place)

    def items(self):
        if not isinstance(self.value, list):
            raise self.fault("is no list")
        return [Field(v, self.path, f"{self.place}[{i}]") for i, v in enumerate(self.value)]

    def number(self, least=0.0):
        value = self.value
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= least:
            raise self.fault(f"is {value!r}, not a number from {least:g} on")
        return float(value)

    def positive(self):
        if self.number() == 0.0:
            raise self.fault("is 0, not a positive number")
        return float(self.value)

    def whole(self, least=0):
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise self.fault(f"is {value!r}, not a whole number from {least} on")
        return value

    def text(self):
        if not isinstance(self.value, str):
            raise self.fault(f"is {self.value!r}, not a text")
        return self.value

    def wholes(self, count=None, below=None):
        """A list of whole numbers, of a length and below a bound if given."""
        values = self.value
        if not isinstance(values, list) or not all(type(v) is int and v >= 0 for v in values):
            raise self.fault("is no list of whole numbers")
        if count is not None and len(values) != count:
            raise self.fault(f"has {len(values)} numbers, not {count}")
        if below is not None and any(v >= below for v in values):
            raise self.fault(f"has a number above {below - 1}")
        return values


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            value = json.load(file)
    except OSError as error:
        raise Fault(f"cannot read '{path}': {error.strerror}") from None
    except ValueError as error:
        raise Fault(f"{path}: no JSON: {error}") from None
    field = Field(value, path)
    if field["schema"].value != "weft-bench/1":
        raise field["schema"].fault(f"is {field['schema'].value!r}, not 'weft-bench/1'")
    return field


def _write(path, write):
    """Writes under another name and renames: no file is seen half written."""
    if path == "-":
        write(sys.stdout)
        return
    try:
        with open(path + ".part", "w", encoding="utf-8", newline="") as file:
            write(file)
        os.replace(path + ".part", path)
    except OSError as error:
        raise Fault(f"cannot write '{path}': {error.strerror}") from None


def _finite(value):
    """JSON has no word for numbers that are not finite."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list) else value


def write_json(path, report):
    _write(path, lambda file: file.write(json.dumps(_finite(report), indent=2) + "\n"))


def _cell(value):
    if value is None or isinstance(value, float) and not math.isfinite(value):
        return ""
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else value


def write_csv(path, rows):
    """Members of the first row that are no lists or objects, as columns."""
    names = [key for key, value in rows[0].items() if not isinstance(value, (list, dict))]

    def write(file):
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(names)
        lines.writerows([_cell(row.get(name)) for name in names] for row in rows)

    _write(path, write)


def print_table(out, heads, sides, rows):
    """Columns to the left or right, `sides` being l and r; gaps shrink where lines are long."""
    lines = [heads, *rows]
    widths = [max(len(line[c]) for line in lines) for c in range(len(heads))]
    gap = "  " if sum(widths) + 2 * (len(heads) - 1) <= 100 else " "
    for line in lines:
        cells = [
            f"{text:{'<' if side == 'l' else '>'}{width}}"
            for text, side, width in zip(line, sides, widths)
        ]
        print(gap.join(cells).rstrip(), file=out)
