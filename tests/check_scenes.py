#!/usr/bin/env python3
"""Compares the scenes of weft-sim with the README and with the pages of docs.

usage: check_scenes.py WEFT-SIM REPOSITORY

The README counts the scenes. The list in docs/weft-sim.md links each scene to its section on one of
the pages docs/scenes-*.md, with its parameters as NAME=DEFAULT and its results. A section that links
to "Cloth in contact" has those of that section, too. Every parameter and result that a section names
in the first column of a table must exist. Prints what is wrong, and exits with 1.
"""
import json
import pathlib
import re
import subprocess
import sys

sim, repository = sys.argv[1], pathlib.Path(sys.argv[2])
COMMON = "Cloth in contact"
# Large scenes are asked for less; results that need a setting.
SETTINGS = {
    "crowd": ["ragdolls=2", "ropes=2"],
    "towels": ["count=2"],
    "tangle": ["size=17"],
    "sheets": ["size=9"],
    "knot": ["across=3", "size=60", "thickness=0.5"],
    "drop-folds": ["size=17", "every=1"],
    "rope": ["ends=both"],
}
OPTIONAL = re.compile(r"bounce_\d+")


def json_of(*arguments):
    run = subprocess.run([sim, *arguments], stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)


def default_of(param):
    value = param["default"]
    if isinstance(value, bool):
        return str(value).lower()
    if param["kind"] == "text":
        return f"'{value}'" if value else ""
    return value if isinstance(value, str) else f"{value:.10g}"


def results_of(scene):
    sets = [word for value in SETTINGS.get(scene, []) for word in ("--set", value)]
    return set(json_of("run", scene, "--seconds", "1e-6", "--json", "-", *sets)["results"])


def names_in(section, head):
    """Words in backquotes in the first columns of the tables under such a head."""
    tables = re.findall(rf"^\| [^|\n]*{head} \|.*\n\|[-|]+\n((?:\|.*\n)*)", section, re.M)
    cells = [row.split(" | ")[0] for table in tables for row in table.splitlines()]
    return {word for cell in cells for word in re.findall(r"`([^`]+)`", cell)}


def faults_of(scene, section, common):
    name = scene["name"]
    shared = common if f"#{COMMON.lower().replace(' ', '-')})" in section else ""
    wanted = {f"{param['name']}={default_of(param)}" for param in scene.get("parameters", [])}
    own = names_in(section, "parameter")
    for word in sorted(wanted - own - names_in(shared, "parameter")):
        yield f"{name}: no parameter {word}"
    for word in sorted(own - wanted):
        yield f"{name}: the scene has no parameter {word}"
    if name == "integrators":  # a result for each system and integrator
        return
    results = results_of(name)
    told = names_in(section, "result") | set(re.findall(r"`(\w+)`", "".join(
        paragraph for paragraph in section.split("\n\n") if "results are" in paragraph)))
    for word in sorted(results - told - names_in(shared, "result")):
        yield f"{name}: no result {word}"
    for word in sorted(names_in(section, "result") - results):
        if not OPTIONAL.fullmatch(word):
            yield f"{name}: the scene has no result {word}"


scenes = json_of("list", "--json")["scenes"]
manual = (repository / "docs/weft-sim.md").read_text()
sections, page_of = {}, {}
for page in sorted(repository.glob("docs/scenes-*.md")):
    for heading, body in re.findall(r"^## (.+)\n((?:(?!^## ).*\n)*)", page.read_text(), re.M):
        sections[heading], page_of[heading] = body, page.name
faults = []
if f" # {len(scenes)} scenes" not in (repository / "README.md").read_text():
    faults.append(f"README.md does not say that weft-sim list names {len(scenes)} scenes")
for scene in scenes:
    if scene["name"] not in sections:
        faults.append(f"docs/scenes-*.md have no section on {scene['name']}")
        continue
    if f"]({page_of[scene['name']]}#{scene['name']})" not in manual:
        faults.append(f"docs/weft-sim.md: the list of scenes has no {scene['name']}")
    faults += faults_of(scene, sections[scene["name"]], sections[COMMON])
print("\n".join(faults) or f"the pages have all of {len(scenes)} scenes")
sys.exit(bool(faults))
