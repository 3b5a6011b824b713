"""Predicts times of steps on other machines, from recordings of weft-bench. See --help."""

import argparse
import contextlib
import os
import sys

import cluster
import files
import networks
import ranks
import threads

DESCRIPTION = """\
Predicts times of steps on other machines by discrete-event simulations of recorded steps.

  weft-bench scaling --size 1024 --record --json steps.json
  python3 tools/predict threads steps.json --threads 8,16,64
  python3 tools/predict cluster steps.json --network hdr --particles 100000000

docs/performance.md, Prediction, and docs/scaling.md say what is assumed."""

THREADS = """\
Predicts more threads: replays 20 recorded steps of one thread on simulated workers, by the rules of
the engine's worker pool: handoffs between cores as measured, jobs, shares, waits of patches for
neighbours, serial parts, and what memory can move. Up to the CPUs of the machine of FILE threads
are as slow beside each other as it shows; of more each has a core of its own.

FILE is of weft-bench scaling --record --json. 'at most': speed-up by the longest path, with any
number of threads. Losses, shares of the time of all threads: serial, in a stage or a loop of one
piece; longest path through a job; waiting, for patches and for the end of a job; job opening;
memory; slower cores. Files have the measured rows and those predicted, with "predicted": true."""

CLUSTER = """\
Predicts the time of a step of a square sheet on many ranks: replays all patches of all ranks on
simulated workers and networks (LogGP), with the costs of one worker in FILE, of weft-bench scaling
--record --json, or as given. A replay of 10^8 particles takes some seconds, of 10^9 a minute.

Columns: speed-up and efficiency over one rank with as many workers; imbalance, work of the largest
rank over the mean; megabytes and messages of all ranks in a step; share of the time of the first
workers, the only ones that send and receive, spent on messages."""

RANKS = """\
Compares measured ranks with a replay: FILE is of weft-bench scaling --ranks N,.. --record --json,
with the ping-pong of two ranks. Speed-ups are over the first row, by particles a second."""


class Whole:
    """Parses a whole number of a range, or a list of them."""

    def __init__(self, least, most, is_list=False):
        self.least, self.most, self.is_list = least, most, is_list

    def __str__(self):
        return f"{self.least} to {self.most}"

    def _parse(self, text):
        is_whole = text.isascii() and text.isdigit()
        if not is_whole or not self.least <= int(text) <= self.most:
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from {self}")
        return int(text)

    def __call__(self, text):
        return (
            [self._parse(word) for word in text.split(",")] if self.is_list else self._parse(text)
        )


class Number:
    """Parses a number of a range."""

    def __init__(self, least, most):
        self.least, self.most = least, most

    def __str__(self):
        return f"{self.least:g} to {self.most:g}"

    def __call__(self, text):
        with contextlib.suppress(ValueError):
            if self.least <= float(text) <= self.most:
                return float(text)
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from {self}")


class Names:
    """Parses a list of names."""

    def __init__(self, known):
        self.known = known

    def __str__(self):
        return ", ".join(self.known)

    def __call__(self, text):
        for name in text.split(","):
            if name not in self.known:
                raise argparse.ArgumentTypeError(f"'{name}' is not one of {self}")
        return text.split(",")


def add_option(parser, name, metavar, kind, text, default=None, said=None):
    """An option of a range; `said` is its default in the help."""
    listed = default if isinstance(default, list) else [default]
    text += f"{', ' if text else ''}{kind} (default {said or ','.join(map(str, listed))})"
    parser.add_argument(name, metavar=metavar, type=kind, default=default, help=text)


def add_command(commands, name, text, *file):
    """A command, and its argument FILE."""
    layout = argparse.RawDescriptionHelpFormatter
    short = text.split(":")[0]
    made = commands.add_parser(
        name, help=short, description=text, allow_abbrev=False, formatter_class=layout
    )
    made.add_argument("file", metavar="FILE", nargs=file[0] if file else None)
    json_help = "the rows with their full precision; - is standard output, tables go to stderr"
    made.add_argument("--json", metavar="OUT", help=json_help)
    made.add_argument("--csv", metavar="OUT", help="the rows as CSV")
    return made


def add_cluster(commands):
    to = add_command(commands, "cluster", CLUSTER, "?")
    sheets, ranked = Whole(10000, 2000000000, True), Whole(1, 65536, True)
    names = Names([network.name for network in networks.NETWORKS] + ["measured"])
    add_option(to, "--particles", "N[,N..]", sheets, "of the sheets", [100000000])
    add_option(to, "--ranks", "N[,N..]", ranked, "", [16, 64, 256, 1024])
    add_option(to, "--workers", "N", Whole(1, 256), "of each rank", 16)
    add_option(to, "--iterations", "K", Whole(1, 1000), "sweeps over all links a step", 10)
    add_option(to, "--coarse", "K", Whole(0, 1000), "sweeps over each coarse level", 0)
    cost, from_file = "of one worker, nanoseconds a particle", "from FILE"
    add_option(to, "--integration", "NS", Number(0.001, 1e6), cost, said=from_file)
    add_option(to, "--sweep", "NS", Number(0.001, 1e6), cost, said=from_file)
    add_option(to, "--memory", "GB/S", Number(0.1, 1e6), "of a rank", said=from_file)
    add_option(to, "--network", "NAME[,..]", names, "", said="all but measured, which is in FILE")
    own = "of a network of its own, microseconds"
    add_option(to, "--latency", "US", Number(0, 1000), own, said="0")
    add_option(to, "--overhead", "US", Number(0, 1000), "of it, a message and end", said="0.3")
    add_option(to, "--bandwidth", "GB/S", Number(0.01, 1000), "of it, a direction", said="12")
    to.add_argument(
        "--partition",
        choices=[cluster.RANGES, cluster.BLOCKS],
        default=cluster.RANGES,
        help="contiguous ranges of patches (default), or blocks of tiles",
    )
    to.add_argument(
        "--order",
        choices=[ranks.SHARES, ranks.BORDERS],
        default=ranks.SHARES,
        help="ready patches by shares of the workers, as in the engine (default), or borders first",
    )


def command_line():
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="predict", description=DESCRIPTION, allow_abbrev=False, formatter_class=layout
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    to = add_command(commands, "threads", THREADS)
    add_option(to, "--threads", "N[,N..]", Whole(2, 256, True), "", [2, 4, 8, 16, 32, 64, 128, 256])
    said = "in proportion to threads, at most 460"
    add_option(to, "--bandwidth", "GB/S", Number(0.1, 1e6), "memory of larger machines", said=said)
    add_command(commands, "ranks", RANKS)
    add_cluster(commands)
    return parser


def _networks(options, file):
    """Networks by name, and the options' own."""
    given = (options.latency, options.overhead, options.bandwidth)
    has_given = any(value is not None for value in given)
    names = options.network or ([] if has_given else [n.name for n in networks.NETWORKS])
    made = [n for n in networks.NETWORKS if n.name in names]
    if has_given:
        latency, overhead, bandwidth = given
        made.append(
            networks.Network(
                "given",
                1000.0 * (latency or 0.0),
                300.0 if overhead is None else 1000.0 * overhead,
                100.0,
                12.0 if bandwidth is None else bandwidth,
                "given",
            )
        )
    if "measured" in names:
        if file is None:
            raise files.Fault(
                "--network measured needs a FILE of weft-bench scaling --ranks --record"
            )
        made.append(networks.read(file))
    return made


def _recorded(path):
    file = files.read(path)
    if not file.has("recording"):
        raise files.Fault(f"{path}: there is no recording: weft-bench scaling --record writes one")
    return file


def run_threads(options, file, out):
    rows, predictions = threads.predict(file, options.threads, options.bandwidth)
    threads.print_predictions(out, file, rows, predictions, options.bandwidth)
    return rows


def run_ranks(_options, file, out):
    return cluster.compare(file, networks.read(file), out)


def run_cluster(options, file, out):
    options.networks = _networks(options, file)
    options.costs = cluster.costs_of(file, options)
    cluster.print_costs(out, options)
    return cluster.predict(options, out)


def write(options, file, rows):
    """Files of the rows, with the file's facts of the machine."""
    kept = (
        {}
        if file is None
        else {
            key: value for key, value in file.value.items() if key not in ("recording", "results")
        }
    )
    if options.json is not None:
        files.write_json(options.json, {"schema": "weft-bench/1", **kept, "results": rows})
    if options.csv is not None:
        files.write_csv(options.csv, rows)


def main():
    options = command_line().parse_args()
    commands = {"threads": run_threads, "ranks": run_ranks, "cluster": run_cluster}
    out = sys.stderr if "-" in (options.json, options.csv) else sys.stdout
    try:
        if options.json is not None and options.json == options.csv:
            raise files.Fault(f"--csv: '{options.csv}' is the --json file too")
        file = None if options.file is None else _recorded(options.file)
        write(options, file, commands[options.command](options, file, out))
    except files.Fault as fault:
        print(f"predict: {fault}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("predict: interrupted, no file was written", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    return 0


sys.exit(main())
