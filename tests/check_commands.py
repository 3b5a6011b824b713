#!/usr/bin/env python3
"""Checks the commands of the tools in the shell blocks of the pages, and the width of help pages.

usage: check_commands.py FOLDER-OF-TOOLS.. REPOSITORY

Each must be a right command line, which `--help` at its end tells. A `weft-sim run` also takes a
step, in an empty folder, if its scene is there: so scenes, parameters and values are right, too. Help
pages of all programs, their commands and scripts are at most 80 columns wide.
Prints what is wrong, and exits with 1.
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

*folders, repository = (pathlib.Path(word).resolve() for word in sys.argv[1:])
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.M | re.S)
NAME = re.compile(r"weft-(sim|bench|view|make-mesh)")
# reads files that nobody has, before --help
WITHOUT_HELP = {"weft-bench throughput --mesh dress.obj", "weft-bench scaling --ranks 1,2 --mpirun"}


def commands_of(page):
    for block in BLOCK.findall(page.read_text()):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            if words and NAME.fullmatch(words[0]):
                yield words


def program(name):
    return next((folder / name for folder in folders if (folder / name).exists()), None)


def fails(words, folder):
    """What a command prints if it fails."""
    run = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         stdin=subprocess.DEVNULL, text=True)
    return run.stdout.strip() if run.returncode else ""


def fault_of(words, folder):
    path = program(words[0])
    if path is None or any(" ".join(words).startswith(start) for start in WITHOUT_HELP):
        return ""
    fault = fails([path, *words[1:], "--help"], folder)
    scene = words[2] if words[:2] == ["weft-sim", "run"] else ""
    if fault or not scene or scene.endswith(".obj"):
        return fault
    # for a moment, in the place of the time that it gives
    if "--seconds" in words:
        place = words.index("--seconds")
        words = words[:place] + words[place + 2:]
    fault = fails([path, *words[1:], "--seconds", "1e-6", "--quiet"], folder)
    return "" if "without the HDF5 library" in fault else fault


def help_pages():
    """Command lines that print one."""
    for path in sorted(path for folder in folders for path in folder.glob("weft-*")):
        yield [path, "--help"]
        said = subprocess.run([path, "--help"], stdout=subprocess.PIPE, text=True).stdout
        for command in re.findall(r"^  (\w+) ", said.partition("Commands:")[2], re.M):
            if command != "help":
                yield [path, command, "--help"]
    for script in sorted((repository / "tools").glob("*.sh")):
        yield [script, "--help"]


def too_wide(words):
    said = subprocess.run(words, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True).stdout
    name = " ".join([words[0].name, *words[1:]])
    return [f"{name}: {line}" for line in said.splitlines() if len(line) > 80]


pages = [repository / "README.md", *sorted(repository.glob("docs/**/*.md"))]
count, faults = 0, []
with tempfile.TemporaryDirectory() as empty:
    (pathlib.Path(empty) / "tools").symlink_to((repository / "tools").resolve())
    for page in pages:
        for command in commands_of(page):
            count += 1
            said = fault_of(command, empty)
            if said:
                faults.append(f"{page.name}: {' '.join(command)}: {said}")
if count < 50:
    faults.append(f"only {count} commands")
faults += [line for words in help_pages() for line in too_wide(words)]
print("\n".join(faults) or f"{count} commands of {len(pages)} pages are right")
sys.exit(bool(faults))
