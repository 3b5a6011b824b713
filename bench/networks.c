#include "networks.h"

#include <string.h>

/* Bandwidth is the line rate less the headers of its packets, some 5 %; latency and overhead are
 * round figures of ping-pongs of MPI between two nodes, a small message being latency + 2 x
 * overhead: to be replaced by those of the machine at hand (--network measured). */
const bench_network bench_networks[] = {
    {"25gbe", 12000.0, 1500.0, 1000.0, 2.9,
     "IEEE 802.3by, 25 Gb/s; TCP of the kernel, 15 us for a small message"},
    {"100gbe", 1200.0, 400.0, 200.0, 11.8,
     "IEEE 802.3bj, 100 Gb/s; RDMA over converged Ethernet (RoCE v2), 2 us"},
    {"hdr", 700.0, 250.0, 100.0, 23.5, "InfiniBand HDR 4x, 200 Gb/s (IBTA); 1.2 us"},
    {"ndr", 600.0, 250.0, 100.0, 47.0, "InfiniBand NDR 4x, 400 Gb/s (IBTA); 1.1 us"},
    {"slingshot", 1400.0, 300.0, 100.0, 23.0,
     "De Sensi et al. 2020, arXiv:2008.08886: 200 Gb/s, three switches of 350 ns at most; 2 us"},
    {NULL, 0.0, 0.0, 0.0, 0.0, NULL},
};

const bench_network* bench_network_by_name(const char* name) {
  for (const bench_network* network = bench_networks; network->name != NULL; ++network) {
    if (strcmp(network->name, name) == 0) return network;
  }
  return NULL;
}
