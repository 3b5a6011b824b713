#!/usr/bin/env python3
"""Writes build/report/index.html from the files of tools/bench.sh: one page without anything beside
it. Parts whose file is missing are left out. With --csv FILE it writes the throughput rows with the
machine above them instead, for bench/results/."""
import argparse
import base64
import csv
import html
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import equal_strain

HERE = Path(__file__).resolve().parent
CONTACT_SCENES = ["drape-sphere", "drop-folds"]
STAGES = [("links", "links", "#0072B2"), ("broad_phase", "broad phase", "#56B4E9"),
          ("self_collision", "self-collision", "#D55E00"),
          ("particle_contacts", "particle contacts", "#E69F00"),
          ("colliders", "colliders", "#009E73"), ("ccd", "CCD", "#CC79A7")]
RUNGS = [
    ("serial-natural", "The textbook loop: one thread, an array of links, each solved in the order of "
     "the scene and seeing what the links before it did (Gauss-Seidel). Compiled at -O3 for this CPU."),
    ("serial-colored", "The same loop over the same links, sorted so that neighbours in the list share "
     "no particle. The processor need not wait for the link before; nothing else changes."),
    ("engine", "weft: particles ordered for the cache, links solved 16 at a time in vectors, patches "
     "of cloth on all cores. All sweeps, no approximations; the same bits for any number of threads."),
    ("lra", "Long-range attachments: a particle may be no further from the pins than along the cloth. "
     "A method, which the serial loop can have, too: that is serial-lra, and colored-lra in colour order."),
    ("vertex-block", "Augmented vertex block descent (Giles, Diaz, Yuksel 2025), serial: a small "
     "system over all links of a particle, particle by particle in colour order."),
    ("coarse", "Multigrid levels: the cloth is first solved on coarser copies of itself."),
    ("substeps", "A step is divided into several shorter ones of one or two sweeps."),
]


# ---- text ----

def escape(value):
    return html.escape(str(value))


def number(value, digits=3):
    """Three significant digits; a dash for missing measurements."""
    if value is None or not math.isfinite(value):
        return "–"
    if value == 0:
        return "0"
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:,.{min(places, 5)}f}"


def percent(share):
    if share is None:
        return "not finite"
    return f"{100 * share:.3g} %" if share < 10 else number(share, 2) + " ×"


def spread(row, name="step_ms"):
    low, high = row.get(name + "_min"), row.get(name + "_max")
    return f"{number(low)} – {number(high)}" if low is not None else number(None)


def size_text(count_of_bytes):
    for unit, factor in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if count_of_bytes >= factor:
            return f"{count_of_bytes / factor:.4g} {unit}"
    return "unknown"


def table(heads, rows, details=()):
    """Cells are HTML already; columns in `details` are hidden on narrow screens."""
    def cells(tag, row):
        return "".join(f'<{tag}{" class=detail" if i in details else ""}>{cell}</{tag}>'
                       for i, cell in enumerate(row))
    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', heads)}</tr></thead><tbody>{body}</tbody></table>"


def bar(share):
    return f'<span class=bar style="width:{max(0.0, min(1.0, share)) * 100:.1f}%"></span>'


def scene_name(row):
    if row["scene"] != "sheet":
        return row["scene"].rsplit(".", 1)[0]
    copies = row.get("count", 1)
    return (f"{copies} sheets of " if copies > 1 else "sheet ") + str(row["size"])


def threads_text(row):
    asked = row.get("threads_asked", row["threads"])
    return str(row["threads"]) if asked == row["threads"] else f'{row["threads"]} of {asked}'


# ---- charts ----

def chart(kind, source, folder, title):
    """Two inline pictures of gnuplot, one for wide screens and one for narrow ones."""
    parts = []
    for inline, name in ((1, "wide"), (2, "narrow")):
        picture = folder / f".{kind}-{name}.svg"
        subprocess.run([str(HERE.parent / "plot.sh"), kind, str(source), str(picture)], check=True,
                       env={**os.environ, "WEFT_PLOT_INLINE": str(inline)})
        text = picture.read_text()
        picture.unlink()
        text = text[text.index("<svg"):]
        text = re.sub(r'\n width="\d+" height="\d+"', f' class="{name}" role="img"', text, count=1)
        text = text.replace("<title>Gnuplot</title>", f"<title>{escape(title)}</title>", 1)
        # names of one document now, and black is the colour of the text
        text = re.sub(r"(id=['\"]|href=['\"]#|url\(#)", rf"\g<1>{kind}-{name}-", text)
        text = re.sub(r"black|rgb\( *0, *0, *0\)|rgb\( *85, *85, *85\)", "currentColor", text)
        text = re.sub(r"rgb\( *221, *221, *221\)", "var(--line)", text)
        parts.append(text)
    return "".join(parts)


# ---- the parts of the page ----

def fastest_engine(rows):
    """The engine's row of most workers, and its serial rows, of the largest sheet."""
    sheets = [r for r in rows if r["scene"] == "sheet"] or rows
    size = max(r["particles"] for r in sheets)
    scene = [r for r in sheets if r["particles"] == size]
    engine = [r for r in scene if r["solver"] == "engine"]
    return max(engine, key=lambda r: r["threads"]), scene


def headline(files):
    parts = []
    if "throughput" in files:
        best, scene = fastest_engine(files["throughput"]["results"])
        natural = next(r for r in scene if r["solver"] == "serial-natural")
        parts.append(
            f'On {best["threads"]} thread{"s" if best["threads"] != 1 else ""} of this machine weft '
            f'takes the same sweeps over a hanging sheet of {best["size"]} × {best["size"]} particles '
            f'<b>{number(best["ratio_to_serial_natural"])} times as fast</b> as the textbook serial '
            f'loop, and {number(best["ratio_to_serial_colored"])} times as fast as that loop in '
            f'colour order (strain left {percent(best["strain_mean"])}, textbook '
            f'{percent(natural["strain_mean"])})')
    quality = files.get("quality", {}).get("results", [])
    equal = [e for e in equal_strain.find(quality) if e["engine_ratio"]]
    if equal:
        e = min(equal, key=lambda e: abs(e["target"] - 0.01))
        at_least = "" if e["ratio"] else "at least "
        parts.append(
            f'it holds a hanging cloth to {percent(e["target"])} stretch '
            f'<b>{at_least}{number(e["ratio"] or e["ratio_at_least"])} times as fast</b>: '
            f'{at_least}{number(e["method_ratio"] or e["method_ratio_at_least"])} by the method, '
            f'which a serial loop can have, too, times {number(e["engine_ratio"])} by the engine')
    return f'<p class=lead>{"; ".join(parts)}.</p>' if parts else ""


def load_note(files):
    """Warning of a machine that other processes used; empty for an idle one."""
    loads = [report["machine"].get("load_during", {}) for report in files.values()]
    others = max((load.get("others_cpus") or 0 for load in loads), default=0)
    cpus = machine_of(files)["hardware_threads"]
    if others < 0.1:
        return ""
    return (f"<p><b>A busy machine:</b> other processes used up to {number(others, 2)} of its {cpus} "
            "CPUs meanwhile, so times are too long and ratios uncertain.</p>")


def quality_part(files, folder):
    report = files["quality"]
    rows = report["results"]
    size = rows[0]["size"]
    cloth = f"a sheet of {size} × {size}" if rows[0]["scene"] == "sheet" else scene_name(rows[0])
    title = "Stretch left against time a step"
    text = (f"<h2>Quality: stretch left against time</h2><p>Each point is one setting of one method, "
            f'run on {cloth} that hangs by its upper edge. Lower and further left is '
            f'better; lines join the best settings.</p>')
    text += chart("quality", folder / "quality.json", folder, title)
    body = []

    def strain_of(step_ms):
        return next((percent(r["strain_mean"]) for r in rows if r["step_ms_median"] == step_ms), "–")

    def run(step_ms):
        return f"{number(step_ms)}<br><span class=soft>{strain_of(step_ms)}</span>"

    for e in equal_strain.find(rows):
        bound = "" if e["ratio"] else "&gt; "
        body.append([percent(e["target"]), run(e["serial_ms"]), run(e["serial_method_ms"]),
                     run(e["engine_ms"]),
                     bound + number(e["method_ratio"] or e["method_ratio_at_least"]),
                     number(e["engine_ratio"]),
                     f'<b>{bound}{number(e["ratio"] or e["ratio_at_least"])}</b>'])
    text += "<h3>At equal strain: method times engine</h3>"
    text += table(["strain at most", "serial, ms", "serial + method, ms", "weft, ms", "by method",
                   "by engine", "in all"], body, {2})
    text += ("<p class=soft>The fastest run of each side that keeps to the strain, and below its time the "
             "strain that it leaves. By method: the "
             "serial loop with attachments over the serial loop without. By engine: weft over the "
             "serial loop with attachments. &gt; is a lower bound: no plain serial run got there.</p>")
    text += "<details><summary>All settings</summary>" + table(
        ["method", "sweeps", "ms, median", "min – max", "mean strain", "99 %", "worst"],
        [[escape(r["method"]),
          (f'{r["substeps"]} × ' if r["substeps"] > 1 else "") +
          (f'{r["coarse_iterations"]} + ' if r["coarse_iterations"] else "") + str(r["iterations"]),
          number(r["step_ms_median"]), spread(r), percent(r["strain_mean"]),
          percent(r["strain_p99"]), percent(r["strain_max"])] for r in rows], {3, 5})
    return text + "</details>"


def throughput_part(files, _folder):
    rows = files["throughput"]["results"]
    text = ("<h2>Throughput: the same sweeps, step by step</h2><p>Whole steps of 10 sweeps over all "
            "links, all rungs by turns in one run. Coloured orders, the serial one's and weft's, leave "
            "more strain after the same number of sweeps than the natural order on large sheets: the "
            "column beside the ratios says how much.</p>")
    for name in dict.fromkeys(scene_name(r) for r in rows):
        scene = [r for r in rows if scene_name(r) == name]
        best = max(r["ratio_to_serial_natural"] for r in scene)
        text += f'<h3>{escape(name)}: {scene[0]["particles"]:,} particles, {scene[0]["links"]:,} links</h3>'
        text += table(
            ["rung", "threads", "ms, median", "min – max", "× natural", "", "× coloured", "strain"],
            [[escape(r["solver"] + (" " + r["isa"] if r["solver"] == "engine" else "")),
              threads_text(r), number(r["step_ms_median"]), spread(r),
              number(r["ratio_to_serial_natural"]), bar(r["ratio_to_serial_natural"] / best),
              number(r["ratio_to_serial_colored"]), percent(r["strain_mean"])] for r in scene],
            {3, 5})
    return text


def scaling_part(files, folder):
    text = ("<h2>Scaling: speed-up by threads</h2><p>One scene, steps by turns; bars are quartiles of "
            "ten turns. Ideal is the dashed line.</p>")
    for key in [k for k in files if k.startswith("scaling")]:
        report = files[key]
        rows = report["results"]
        text += f'<h3>{escape(rows[0]["scene"])} {rows[0]["size"]}, {rows[0]["particles"]:,} particles</h3>'
        text += chart("scaling", folder / f"{key}.csv", folder, "Speed-up by threads").replace(
            "scaling-", f"{key}-x-")
        text += table(
            ["threads", "at work", "ms, median", "min – max", "99 %", "speed-up", "quartiles",
             "efficiency", ""],
            [[r["threads"], r["workers"], number(r["step_ms_median"]), spread(r),
              number(r["step_ms_p99"]), number(r["speed_up"]),
              f'{number(r["speed_up_low"])} – {number(r["speed_up_high"])}',
              percent(r["efficiency"]), "predicted" if r.get("predicted") else ""] for r in rows],
            {3, 4, 6})
        fit = report.get("fit", {})
        if fit.get("serial") is not None and fit["serial"] < 1:
            text += (f'<p class=soft>Amdahl\'s law: {percent(fit["serial"])} of a step is serial '
                     f'(quartiles {percent(fit["serial_low"])} to {percent(fit["serial_high"])}).</p>')
    return text


def picture(folder, scene):
    """Picture of a scene by tools/pictures.sh; empty without one."""
    path = folder / f"{scene}.png"
    if not path.exists():
        return ""
    data = base64.b64encode(path.read_bytes()).decode()
    return f'<img class=scene alt="{escape(scene)}" src="data:image/png;base64,{data}">'


def stages_part(files, folder):
    text = "<h2>Stages of a step with contacts</h2><p class=legend>" + "".join(
        f'<span><i style="background:{color}"></i>{label}</span>' for _, label, color in STAGES)
    text += '<span><i style="background:#909090"></i>other</span></p>'
    for scene in CONTACT_SCENES:
        if scene not in files:
            continue
        rows = files[scene]["results"]
        text += f'<h3>{scene} {rows[0]["size"]}: {rows[0]["particles"]:,} particles</h3>'
        text += picture(folder, scene)
        body = []
        for r in rows:
            times = {k[:-3]: v for k, v in r.items() if k[:-3] in ALL_STAGES and k.endswith("_ms")}
            total = sum(times.values()) or 1.0
            parts = [(color, times.pop(name, 0.0)) for name, _, color in STAGES]
            parts.append(("#909090", sum(times.values())))
            stack = "".join(f'<span style="background:{color};width:{100 * t / total:.2f}%"></span>'
                            for color, t in parts)
            body.append([escape(r["contacts"]), threads_text(r), number(r["step_ms_median"]),
                         spread(r), f"<span class=stack>{stack}</span>"])
        text += table(["contacts", "threads", "ms, median", "min – max", "share of the stages"], body,
                      {3})
    return text


ALL_STAGES = {name for name, _, _ in STAGES} | {"forces", "direct", "bounds", "tears", "events"}


def limits_part(files, folder):
    rows = files["limits"]["results"]
    text = ("<h2>Limits: how near to this machine's own</h2><p>Roofs are measured: the same kernel on "
            "particles that stay in the L1 or L2 cache, and the memory's bandwidth. A scene above the "
            "memory's roof reads its particles less than once a sweep.</p>")
    text += chart("limits", folder / "limits.json", folder, "Link solves per second and roofs")
    text += table(["scene", "threads", "ns a link, best", "of the L2 roof", "", "of memory"],
                  [[escape(scene_name(r)), r["threads"], number(r["ns_per_link"]),
                    percent(r["share_of_l2_ceiling"]), bar(r["share_of_l2_ceiling"]),
                    percent(r["share_of_bandwidth"])] for r in rows], {4})
    ceilings = files["limits"]["limits"]["ceilings"]
    text += "<p class=soft>Roofs were measured before and after the scenes, ns a link: " + "; ".join(
        f'{c["resident"]} {c["isa"]} {number(c["ns_per_link_before"])} and '
        f'{number(c["ns_per_link_after"])}' for c in ceilings) + ".</p>"
    return text


def machine_of(files):
    return next(iter(files.values()))["machine"]


def topology_text(topology):
    """Counts of packages, cores, CPUs and NUMA nodes; the caches and the CPUs that share each."""
    def some(count, name):
        return f"{count} {name}{'s' if count != 1 else ''}"
    text = ", ".join(some(topology[key], name) for key, name in (
        ("packages", "package"), ("cores", "core"), ("cpus_of_machine", "CPU"),
        ("numa_nodes", "NUMA node")))
    for cache in topology["caches"]:
        text += f'; {cache["level"]} {size_text(cache["bytes"])} for {some(cache["cpus_each"], "CPU")}'
    return text + ("; a virtual machine, which may hide more" if topology["virtual"] else "")


def machine_facts(machine, arguments, isa):
    caches = machine["caches"]
    facts = [("CPU", machine["cpu"]), ("instruction set", isa),
             ("cores", f'{machine["cores"]}, {machine["hardware_threads"]} hardware threads, '
              f'{machine["available_cpus"]} for this process'),
             ("caches", "L1d {}, L2 {}, L3 {}".format(*(size_text(caches[k])
                                                         for k in ("l1d", "l2", "l3")))),
             ("memory", size_text(machine["memory_bytes"])), ("system", machine["os"]),
             ("compiler", machine["compiler"]), ("flags of the engine", machine["flags"]),
             ("flags of the serial loops", machine["baseline_flags"]),
             ("weft", f'{machine["version"]}, commit {arguments.commit}'), ("date", arguments.date)]
    if machine.get("topology"):
        facts.insert(3, ("topology", topology_text(machine["topology"])))
    return facts


def isa_of(files):
    for report in files.values():
        for row in report["results"]:
            if row.get("isa") not in (None, "native"):
                return row["isa"]
    return "unknown"


def page(files, folder, arguments):
    facts = machine_facts(machine_of(files), arguments, isa_of(files))
    parts = [("quality", quality_part), ("throughput", throughput_part),
             ("scaling", scaling_part), ("drape-sphere", stages_part), ("limits", limits_part)]
    body = headline(files) + load_note(files)
    body += "<p class=soft>" + escape("; ".join([facts[0][1], facts[1][1],
                                                 facts[2][1].split(",")[0] + " cores",
                                                 facts[-1][1]])) + "</p>"
    for key, part in parts:
        if any(name.startswith(key) for name in files):
            body += part(files, folder)
    body += "<h2>What each rung is</h2><dl>" + "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in RUNGS) + "</dl>"
    body += "<h2>Machine</h2><dl>" + "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in facts) + "</dl>"
    body += ("<h2>Repeat it</h2><p><code>tools/bench.sh</code> measures all of this and writes this "
             "page; the JSON and CSV files beside it have every row. <code>tools/compare.py OLD.json "
             "NEW.json</code> compares two runs.</p>")
    return ('<!doctype html><html lang=en><head><meta charset=utf-8>'
            '<meta name=viewport content="width=device-width, initial-scale=1">'
            '<link rel=icon href="data:,"><title>weft: measured</title>'
            f'<style>{(HERE / "page.css").read_text()}</style></head>'
            f"<body><main><h1>weft, measured</h1>{body}</main></body></html>\n")


def write_csv(files, arguments):
    """Throughput rows below the machine, as comments."""
    columns = ["scene", "size", "count", "particles", "links", "solver", "isa", "threads_asked",
               "threads", "iterations", "step_ms_min", "step_ms_q1", "step_ms_median", "step_ms_q3",
               "step_ms_max", "ratio_to_serial_natural", "ratio_to_serial_colored", "strain_mean",
               "strain_max", "state_hash"]
    with open(arguments.csv, "w", newline="") as file:
        for name, text in machine_facts(machine_of(files), arguments, isa_of(files)):
            file.write(f"# {name}: {text}\n")
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(files["throughput"]["results"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the JSON files are")
    parser.add_argument("--date", required=True)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--csv", help="write this file in the place of the page")
    arguments = parser.parse_args()
    names = ["throughput", "quality", "scaling", "scaling-folds", *CONTACT_SCENES, "limits"]
    files = {name: json.loads(path.read_text()) for name in names
             if (path := arguments.folder / f"{name}.json").exists()}
    if "throughput" not in files:
        sys.exit(f"report: {arguments.folder} has no throughput.json: run tools/bench.sh")
    if arguments.csv:
        write_csv(files, arguments)
    else:
        (arguments.folder / "index.html").write_text(page(files, arguments.folder, arguments))


if __name__ == "__main__":
    main()
