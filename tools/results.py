"""Reads files of results, which weft-bench writes with --json."""
import argparse
import json
import sys


class Fault(Exception):
    """A fault of the files, in words for their user."""


def read(path):
    """A file's object, without predicted rows."""
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except json.JSONDecodeError as fault:
        raise Fault(f"{path}:{fault.lineno}: {fault.msg}") from None
    except OSError as fault:
        raise Fault(f"cannot read '{path}': {fault.strerror}") from None
    schema = found.get("schema") if isinstance(found, dict) else None
    if not schema:
        raise Fault(f"{path}: no results of weft-bench: no schema")
    if schema != "weft-bench/1":
        raise Fault(f"{path}: schema '{schema:.60}', which is not weft-bench/1")
    if not found.get("results"):
        raise Fault(f"{path}: no rows")
    found["results"] = [row for row in found["results"] if row.get("predicted") is not True]
    return found


def show(text, command, fields, use):
    """Main function of a script that prints a file of one command, whose fields it has: its exit
    status."""
    parser = argparse.ArgumentParser(description=text,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", metavar="FILE.json", help=f"of weft-bench {command} --json")
    path = parser.parse_args().file
    try:
        found = read(path)
        if not all(name in found or name in found["results"][0] for name in fields):
            raise Fault(f"{path}: not of weft-bench {command}")
    except Fault as fault:
        print(f"{parser.prog}: {fault}", file=sys.stderr)
        return 2
    use(found)
    return 0
