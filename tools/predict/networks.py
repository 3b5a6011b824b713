"""Networks between ranks, by the parameters of LogGP (Alexandrov, Ionescu, Schauser and Scheiman
1995, "LogGP: incorporating long messages into the LogP model"):

    sender     | overhead |
    network               | latency + bytes / bandwidth |
    receiver                                            | overhead |

A rank sends one message at a time: the next leaves after the gap, or after the bytes of the last if
these take longer.
"""

from dataclasses import dataclass


@dataclass
class Network:
    name: str
    latency_ns: float  # from network card to network card, switches included
    overhead_ns: float  # CPU time, for each message at each end
    gap_ns: float  # between messages of one rank
    gb_per_s: float  # one rank, one direction
    source: str = ""


# Bandwidth is the line rate less some 5 % of headers; latency and overhead are round figures of MPI
# ping-pongs between two nodes, a small message being latency + 2 x overhead: to be replaced by the
# machine's own (--network measured).
_ROCE = "IEEE 802.3bj, 100 Gb/s; RDMA over converged Ethernet (RoCE v2), 2 us"
_TCP = "IEEE 802.3by, 25 Gb/s; TCP of the kernel, 15 us for a small message"
_SLINGSHOT = "De Sensi et al. 2020, arXiv:2008.08886: 200 Gb/s, three switches of 350 ns; 2 us"
NETWORKS = [
    Network("25gbe", 12000.0, 1500.0, 1000.0, 2.9, _TCP),
    Network("100gbe", 1200.0, 400.0, 200.0, 11.8, _ROCE),
    Network("hdr", 700.0, 250.0, 100.0, 23.5, "InfiniBand HDR 4x, 200 Gb/s (IBTA); 1.2 us"),
    Network("ndr", 600.0, 250.0, 100.0, 47.0, "InfiniBand NDR 4x, 400 Gb/s (IBTA); 1.1 us"),
    Network("slingshot", 1400.0, 300.0, 100.0, 23.0, _SLINGSHOT),
]


def read(file):
    """The network that weft-bench scaling --ranks --record has measured."""
    network = file["network"]
    latency, overhead, gap = (
        network[name].number() for name in ("latency_ns", "overhead_ns", "gap_ns")
    )
    bandwidth = network["gb_per_s"].positive()
    return Network("measured", latency, overhead, gap, bandwidth, "ping-pong of two ranks")
