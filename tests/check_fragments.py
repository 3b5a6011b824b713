#!/usr/bin/env python3
"""Compiles the C fragments of the pages; tests of their own compile and run whole programs.

usage: check_fragments.py COMPILER REPOSITORY

A fragment is the body of a function, after what the pages take as given. Those with calls of MPI are
left out, as there may be none. Prints what the compiler says, and exits with 1.
"""
import pathlib
import re
import subprocess
import sys

compiler, repository = sys.argv[1], pathlib.Path(sys.argv[2])
BLOCK = re.compile(r"^```c\n(.*?)^```", re.M | re.S)

# Names that pages use and explain in words.
GIVEN = """
#include <weft/weft.h>
void check(weft_result result);
void draw(float x, float y, float z);
extern weft_scene* scene;
extern weft_world* world;
extern weft_cluster* cluster;
extern weft_transport transport;
extern weft_cluster_stats part;
extern weft_sheet_def sheet;
extern weft_world_def world_def;
extern weft_cluster_range range;
extern weft_advance advance;
extern weft_collider collider;
extern weft_body cloth;
extern void* context;
extern uint64_t hash;
extern uint32_t last;
extern float *positions, *moments, *frames, *uvs, gravity[3], h;
"""
OF_PAGE = {
    "reading.md": "typedef struct vertex { float position[3], normal[3], tangent[4], uv[2]; } vertex;\n"
                  "extern vertex vertices[];\n",
    "two-way.md": "extern struct { float position[3], rotation[4], velocity[3], mass; } body;\n",
    "materials.md": "extern weft_body body;\n",
    "cluster.md": "extern weft_world_def def;\n",
}


def fault_of(page, block):
    code = f"{GIVEN}{OF_PAGE.get(page.name, '')}void page(void);\nvoid page(void) {{\n{block}}}\n"
    run = subprocess.run(
        [compiler, "-std=c17", "-fsyntax-only", "-Wall", "-Wno-unused", "-Werror", "-x", "c",
         f"-I{repository}/engine/include", "-"],
        input=code, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return run.stdout if run.returncode else ""


count, faults = 0, []
for page in sorted(repository.glob("docs/*.md")):
    for block in BLOCK.findall(page.read_text()):
        if "int main(" in block or "MPI_" in block:
            continue
        count += 1
        said = fault_of(page, block)
        if said:
            faults.append(f"{page.name}: {block}{said}")
if count < 5:
    faults.append(f"only {count} fragments")
print("\n".join(faults) or f"{count} fragments compile")
sys.exit(bool(faults))
