"""Helper of tools/mutate.sh: makes mutants of a room of engine/ and runs its tests against each."""
import argparse
import functools
import glob
import hashlib
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

SCRATCH = "build/mutate"
TREE = SCRATCH + "/tree"
BUILD = SCRATCH + "/build"
EQUIVALENT = "tests/mutants_equivalent.txt"

# Folders of tests/ that hold the suites of a part of engine/: the longest matching path counts.
# Each folder of engine/ has a row, and each row a file: check_rows().
SUITES_OF = {
    "base": "base geometry scene",
    "base/dwide": "self colliders",
    "base/wide": "kernels attachments multigrid",
    "libraries/cluster": "cluster",
    "tables": "schedule joints step",
    "parallel": "parallel world",
    "parallel/worker_pool": "parallel memory",
    "geometry": "geometry colliders",
    "geometry/advancement": "geometry ccd particles colliders",
    "geometry/closest_points": "geometry ccd",
    "kernels": "kernels step",
    "kernels/long_range_attachments": "attachments",
    "kernels/bounds": "step",
    "kernels/collider_batch": "colliders",
    "kernels/face_batch": "colliders",
    "kernels/hinges": "schedule",
    "kernels/membranes": "cloth",
    "kernels/motion_aabb": "ccd",
    "kernels/kernels_body": "kernels step multigrid",
    "kernels/restrict": "multigrid world", "kernels/self": "self",
    "kernels/sphere_casts": "ccd colliders",
    "kernels/tear": "edit",
    "kernels/wide_records": "kernels attachments multigrid",
    "scene": "scene multigrid",
    "libraries/bodies": "builders", "libraries/contacts": "contacts",
    "schedule": "schedule kernels",
    "solvers/multigrid": "multigrid", "modules/articulated": "direct rods",
    "solvers/long_range_attachments": "attachments", "solvers/joints": "joints",
    "modules/bending": "schedule cloth", "modules/garment": "step",
    "modules/multirate": "step", "modules/sleep": "step",
    "forces": "forces", "collision": "contacts",
    "modules/ccd": "ccd", "modules/ccd/pairs": "ccd memory",
    "collision/self": "self",
    "modules/spheres": "particles contacts",
    "collision/colliders": "colliders contacts",
    "collision/strands": "ccd",
    "modules/query": "query", "modules/query/forms": "query", "modules/integrators": "forces", "edit": "edit fuzz",
    "step": "step world fuzz",
    "step/contacts": "step contacts colliders",
    "step/step.c": "step joints direct self",
    "step/sweep": "step world joints multigrid",
    "step/tear": "step edit",
    "step/external_forces": "step forces",
    "world": "world step fuzz",
    "world/colliders": "colliders contacts",
    "world/contacts": "contacts particles",
    "world/forces": "forces", "world/joints": "joints",
}

SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
    "+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "+=": "-=", "-=": "+=", "*=": "/=",
    "&": "|", "|": "&", "<<": ">>", ">>": "<<", "|=": "&=", "&=": "|=",
}
OPERATOR = re.compile(r"(?<= )(" + "|".join(
    re.escape(text) for text in sorted(SWAPS, key=len, reverse=True)) + r")(?= |$)")
NAMES = [("fminf", "fmaxf"), ("fmin", "fmax"), ("wide_min", "wide_max"), ("true", "false"),
         ("dwide_min", "dwide_max"), ("memory_order_acquire", "memory_order_relaxed"),
         ("memory_order_release", "memory_order_relaxed")]
INTEGER = re.compile(r"(?<![\w.])(\d+)([uU]?)(?![\w.])")
FLOAT = re.compile(r"(?<![\w.])(\d+\.\d*(?:e[-+]?\d+)?f?|\d+e[-+]?\d+f?)(?!\w)")
DECLARATION = re.compile(r"\s*(?:(?:const|static|struct|enum|unsigned|volatile|_Atomic)\s+)*"
                         r"[A-Za-z_]\w*(?:\s+const)?\s*[*\s]\s*(?:const\s+)?\**"
                         r"[A-Za-z_]\w*\s*(?:\[|=|;|,|\()")
KEYWORD = re.compile(r"\s*(?:return|if|for|while|else|case|default|goto|typedef|static|extern|"
                     r"struct|enum|do|switch|union|break|continue)\b|\s*[.{}]")
ASSERT = re.compile(r"\s*(?:static_|_Static_)?assert\(")
CONDITION = re.compile(r"\bif \(")
# longer arrays, and memory that is not freed, are for the address sanitizer
ARRAY = re.compile(r"[\w* ]+(?:\[[^\]]*\])+;$")
FREES = re.compile(r"\s*(?:free|\w+_(?:destroy|free))\(")


class Mutant:
    def __init__(self, path, line, old, new, last=None):
        self.path, self.line, self.old, self.new = path, line, old, new
        self.last = line if last is None else last

    def key(self):
        return (self.path, " ".join(self.old.split()), " ".join(self.new.split()))

    def change(self):
        old, new = " ".join(self.old.split()), " ".join(self.new.split())
        return f"`{old}` -> `{new}`" if new != ";" else f"`{old}` dropped"


FLAG_OF = {"kernels_neon.c": "asimd", "kernels_avx512.c": "avx512f", "kernels_avx2.c": "avx2",
           "kernels_sse2.c": "sse2", "kernels_simd128.c": "wasm"}


@functools.lru_cache(None)
def has(flag):
    """True if the processor has this flag."""
    with open("/proc/cpuinfo") as file:
        return re.search(rf"\b{flag}\b", file.read()) is not None


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def code_of(text):
    """The text with comments and the content of strings as spaces."""
    return re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", blank, text,
                  flags=re.S)


def follow(conditions, line):
    """Keeps the stack of #if conditions of a line."""
    if line.startswith("#if"):
        conditions.append(line)
    elif line.startswith(("#elif", "#else")):
        conditions[-1] = line
    elif line.startswith("#endif"):
        conditions.pop()


def is_foreign(condition):
    """True for code of instruction sets that this machine lacks."""
    return ("== 16" in condition and not has("avx512f") or
            "__aarch64__" in condition and not has("asimd") or "__wasm_simd128__" in condition)


def lines_in_functions(code):
    """Indices of code lines within functions, without asserts and the preprocessor's."""
    found, inside, in_assert, continued, conditions = [], False, False, False, []
    for n, line in enumerate(code):
        is_directive = continued or line.startswith("#")
        continued = is_directive and line.rstrip().endswith("\\")
        follow(conditions, line)
        if is_directive or not line.strip() or any(is_foreign(c) for c in conditions):
            continue
        if line[0] not in " \t":
            if line.startswith("}"):
                inside = False
            elif line.rstrip().endswith("{"):
                head = line
                inside = not re.match(r"(typedef|struct|enum|union)\b", head) and "=" not in head
            elif re.match(r"(typedef|struct|enum|union)\b", line):
                inside = False
            continue
        # a head of several lines ends in an indented one
        if not inside and re.search(r"\) \{\s*$", line):
            inside = True
            continue
        if not inside:
            continue
        in_assert = in_assert or ASSERT.match(line) is not None
        if not in_assert:
            found.append(n)
        if in_assert and line.rstrip().endswith(";"):
            in_assert = False
    return found


def swapped(text, code, match, new):
    return text[:match.start(1)] + new + text[match.end(1):]


def mutants_of_line(path, n, text, code):
    made = []
    if ARRAY.match(code.rstrip()) and DECLARATION.match(code):
        return made

    def add(kind, new):
        if new != text:
            made.append((kind, Mutant(path, n, text, new)))

    for match in OPERATOR.finditer(code):
        add("operator", swapped(text, code, match, SWAPS[match.group(1)]))
    for pair in NAMES:
        for old, new in (pair, pair[::-1]):
            if old == "memory_order_relaxed":
                continue
            for match in re.finditer(r"\b(" + old + r")\b", code):
                add("operator", swapped(text, code, match, new))
    for match in INTEGER.finditer(code):
        value = int(match.group(1))
        add("constant", swapped(text, code, match, str(value + 1)))
        if value > 0:
            add("constant", swapped(text, code, match, str(value - 1)))
    for match in FLOAT.finditer(code):
        is_zero = float(match.group(1).rstrip("f")) == 0.0
        suffix = "f" if match.group(1).endswith("f") else ""
        add("constant", swapped(text, code, match,
                                "1.0" + suffix if is_zero else "-" + match.group(1)))
    for match in CONDITION.finditer(code):
        depth, end = 0, match.end() - 1
        for end in range(match.end() - 1, len(code)):
            depth += {"(": 1, ")": -1}.get(code[end], 0)
            if depth == 0:
                break
        if depth == 0:
            inner = text[match.end():end]
            add("condition", text[:match.end()] + "!(" + inner + ")" + text[end:])
    return made


def dropped_statement(path, n, text, code):
    """The statement that begins on line n, as a mutant without it, or None."""
    previous = next((code[k].rstrip() for k in range(n - 1, -1, -1) if code[k].strip()), "")
    if not previous.endswith((";", "{", "}")):
        return None
    line = code[n]
    if KEYWORD.match(line) or DECLARATION.match(line) or FREES.match(line):
        return None
    last = n
    while last < len(code) and not code[last].rstrip().endswith((";", "{", "}")):
        last += 1
    whole = "\n".join(code[n:last + 1])
    if not whole.rstrip().endswith(";") or whole.count("(") != whole.count(")"):
        return None
    if not re.search(r"[=(]|\+\+|--", whole) or "{" in whole:
        return None
    return Mutant(path, n, "\n".join(text[n:last + 1]), ";" + "\n" * (last - n), last)


def mutants_of_file(path):
    """A list for each line that has mutants."""
    with open(path) as file:
        content = file.read()
    text, code = content.split("\n"), code_of(content).split("\n")
    found = []
    for n in lines_in_functions(code):
        made = mutants_of_line(path, n, text[n], code[n])
        drop = dropped_statement(path, n, text, code)
        if drop is not None:
            made.append(("statement", drop))
        if made:
            found.append(made)
    return found


def sources_of(room):
    found = []
    for folder, _, names in os.walk("engine/" + room):
        found += [folder + "/" + name for name in names if name.endswith((".c", ".h", ".inl"))
                  and (name not in FLAG_OF or has(FLAG_OF[name]))]
    return sorted(found)


def check_rows():
    """Complaints about SUITES_OF."""
    found = []
    paths = sources_of("")
    folders = {os.path.relpath(os.path.dirname(path), "engine") for path in paths}
    rooms = sorted(folder for folder in folders if not folder.startswith("include"))
    found += [f"engine/{room} has no row" for room in rooms if room not in SUITES_OF]
    for part, suites in SUITES_OF.items():
        if not any(path.startswith("engine/" + part) for path in paths):
            found.append(f"no file is of the row {part}")
        found += [f"the row {part} names tests/{room}, which has no suite"
                  for room in suites.split() if not glob.glob(f"tests/{room}/test_*.c")]
    return found


def choose(room, count, seed):
    """Mutants spread evenly over the lines of the room; each line's kind is drawn first."""
    lines = [made for path in sources_of(room) for made in mutants_of_file(path)]
    draw = random.Random(seed)
    chosen = []
    for k in range(min(count, len(lines))):
        begin, end = k * len(lines) // count, (k + 1) * len(lines) // count
        if count > len(lines):
            begin, end = k, k + 1
        made = lines[draw.randrange(begin, end)]
        kind = draw.choice(sorted({kind for kind, _ in made}))
        mutant = draw.choice([mutant for of, mutant in made if of == kind])
        chosen.append(mutant)
    return chosen, len(lines)


def read_equivalent():
    """Lines FILE :: LINE OF CODE :: MUTANT :: REASON."""
    listed = set()
    if os.path.exists(EQUIVALENT):
        with open(EQUIVALENT) as file:
            for number, line in enumerate(file, 1):
                if not line.strip() or line.startswith("#"):
                    continue
                fields = [" ".join(field.split()) for field in line.split(" :: ")]
                if len(fields) != 4:
                    sys.exit(f"mutate: {EQUIVALENT}:{number}: not FILE :: CODE :: MUTANT :: REASON")
                listed.add(tuple(fields[:3]))
    return listed


def programs_of(mutant):
    """Names of the programs whose suites are run."""
    part = max((part for part in SUITES_OF if mutant.path.startswith("engine/" + part)), key=len)
    return ["test_" + room for room in SUITES_OF[part].split()]


# ---- the scratch copy ----

def sync_tree():
    """Copies the working tree's files that differ."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=True, stdout=subprocess.PIPE, text=True).stdout.split("\0")
    names = {name for name in names if name and os.path.isfile(name)}
    for folder, _, files in os.walk(TREE):
        for file in files:
            path = os.path.join(folder, file)
            if os.path.relpath(path, TREE) not in names:
                os.remove(path)
    for name in names:
        target = os.path.join(TREE, name)
        with open(name, "rb") as file:
            content = file.read()
        if os.path.exists(target):
            with open(target, "rb") as file:
                if file.read() == content:
                    continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(content)
        shutil.copymode(name, target)


def kill_session(leader):
    """Kills the rest of a command: each test is a process group of its own."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as file:
                if int(file.read().rsplit(")", 1)[1].split()[3]) == leader:
                    os.kill(int(pid), signal.SIGKILL)
        except (FileNotFoundError, ProcessLookupError):
            pass


def run(command, timeout=None):
    """Exit status and output; None as the status after a timeout."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", start_new_session=True)
    try:
        output, _ = process.communicate(timeout=timeout)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        return None, ""
    finally:
        kill_session(process.pid)
        process.wait()


def build(targets):
    return run(["cmake", "--build", BUILD, "--parallel", str(os.cpu_count()), "--target", *targets])


def configure():
    status, output = run([
        "cmake", "-S", TREE, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
        "-DCMAKE_C_FLAGS_DEBUG=-O1", "-DWEFT_BUILD_TESTS=ON", "-DWEFT_BUILD_BENCH=OFF",
        "-DWEFT_BUILD_TOOLS=OFF", "-DWEFT_INSTALL=OFF", "-DWEFT_REQUIRE_ALL=ON"])
    if status != 0:
        sys.exit(output + "mutate: the build could not be configured")


def fingerprint(program):
    """Hash of a program: a mutant that compiles to the same code is no fault."""
    with open(f"{BUILD}/tests/{program}", "rb") as file:
        return hashlib.sha256(file.read()).digest()


def time_suites(programs):
    """(seconds, program, suite), the fastest first."""
    timed = []
    for program in programs:
        _, output = run([f"{BUILD}/tests/{program}", "--list"])
        names = output.split()
        for name in names:
            begin = time.monotonic()
            status, output = run([f"{BUILD}/tests/{program}", name], 900)
            if status != 0:
                sys.exit(output + f"mutate: {name} fails without a mutant")
            timed.append((time.monotonic() - begin, program, name))
    return sorted(timed)


# ---- mutants ----

def apply(mutant):
    """Writes the mutant; returns the file's content before."""
    target = os.path.join(TREE, mutant.path)
    with open(target) as file:
        content = file.read()
    lines = content.split("\n")
    assert "\n".join(lines[mutant.line:mutant.last + 1]) == mutant.old
    lines[mutant.line:mutant.last + 1] = mutant.new.split("\n")
    with open(target, "w") as file:
        file.write("\n".join(lines))
    return content


def outcome_of(mutant, suites, unmutated):
    programs = programs_of(mutant)
    status, _ = build(programs)
    if status != 0:
        return "not compiled", ""
    if all(fingerprint(program) == unmutated[program] for program in programs):
        return "same code", ""
    for seconds, program, suite in suites:
        if program not in programs:
            continue
        status, _ = run([f"{BUILD}/tests/{program}", suite], max(10.0, 10.0 * seconds))
        if status is None:
            return "killed", f"{suite}, which ran out of time"
        if status != 0:
            return "killed", suite
    return "survived", ""


def report(room, outcomes):
    count = {kind: sum(1 for _, of in outcomes if of == kind)
             for kind in ("killed", "survived", "not compiled", "same code", "equivalent")}
    survivors = [mutant for mutant, of in outcomes if of == "survived"]
    if survivors:
        print("survivors:")
        for mutant in survivors:
            print(f"  {mutant.path}:{mutant.line + 1}: {mutant.change()}")
    valid = count["killed"] + count["survived"]
    share = f"{100.0 * count['killed'] / valid:.0f} %" if valid > 0 else "none to kill"
    print(f"{room}: killed {count['killed']} of {valid} mutants: {share}; not counted: "
          f"{count['not compiled']} not compiled, {count['same code']} of the same code, "
          f"{count['equivalent']} listed as equivalent")


def arguments():
    parser = argparse.ArgumentParser(prog="tools/mutate.sh", add_help=False)
    parser.add_argument("room", nargs="?", default="")
    parser.add_argument("--count", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    if given.check:
        return given
    given.room = given.room.strip("/")
    if given.room.startswith("engine/"):
        given.room = given.room[len("engine/"):]
    is_room = given.room and os.path.isdir("engine/" + given.room)
    if not is_room or given.room.startswith("include"):
        rooms = sorted({part.split("/")[0] for part in SUITES_OF})
        parser.error(f"no folder engine/{given.room}: the rooms are " + ", ".join(rooms))
    if given.count < 1:
        parser.error("--count: at least 1")
    return given


def run_all(given, chosen):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    programs = sorted({program for mutant in chosen for program in programs_of(mutant)})
    sync_tree()
    configure()
    print(f"building {' '.join(programs)} in {BUILD}", flush=True)
    status, output = build(programs)
    if status != 0:
        sys.exit(output + "mutate: the tests do not build")
    unmutated = {program: fingerprint(program) for program in programs}
    suites = time_suites(programs)
    print(f"{len(suites)} suites take {sum(s for s, _, _ in suites):.0f} s without a mutant",
          flush=True)
    equivalent = read_equivalent()
    outcomes = []
    begin = time.monotonic()
    try:
        for n, mutant in enumerate(chosen):
            if mutant.key() in equivalent:
                outcomes.append((mutant, "equivalent"))
                continue
            content = apply(mutant)
            try:
                outcome, by = outcome_of(mutant, suites, unmutated)
            finally:
                with open(os.path.join(TREE, mutant.path), "w") as file:
                    file.write(content)
            outcomes.append((mutant, outcome))
            left = (time.monotonic() - begin) / (n + 1) * (len(chosen) - n - 1)
            words = {"killed": "killed by " + by, "survived": "SURVIVED"}.get(outcome, outcome)
            print(f"{n + 1}/{len(chosen)} {mutant.path}:{mutant.line + 1}: {mutant.change()}: "
                  f"{words} ({left / 60.0:.0f} min left)", flush=True)
    except KeyboardInterrupt:
        print("mutate: stopped")
    report(given.room, outcomes)
    return 130 if len(outcomes) < len(chosen) else 0


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    given = arguments()
    if given.check:
        complaints = check_rows()
        print("\n".join(f"mutate.py: {complaint}" for complaint in complaints)
              or "mutate.py: every folder of engine/ has its suites")
        return min(len(complaints), 1)
    chosen, lines = choose(given.room, given.count, given.seed)
    print(f"{given.room}: {len(chosen)} mutants over {lines} lines, seed {given.seed}", flush=True)
    if given.list:
        for mutant in chosen:
            print(f"{mutant.path}:{mutant.line + 1}: {mutant.change()}")
        return 0
    return run_all(given, chosen)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("mutate: stopped", file=sys.stderr)
        sys.exit(130)
