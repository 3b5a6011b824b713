/* Networks between ranks, by the parameters of LogGP (Alexandrov, Ionescu, Schauser and Scheiman
 * 1995, "LogGP: incorporating long messages into the LogP model"):
 *
 *     sender     | overhead |
 *     network               | latency + bytes / bandwidth |
 *     receiver                                            | overhead |
 *
 * A rank sends one message at a time: the next leaves after the gap, or after the bytes of the last
 * if these take longer. */
#ifndef BENCH_NETWORKS_H
#define BENCH_NETWORKS_H

#include <stddef.h>

#include "common/message.h"

typedef struct bench_network {
  const char* name;
  double latency_ns;  /* from the network card of one rank to that of another, switches included */
  double overhead_ns; /* of the CPU, for each message at each end */
  double gap_ns;      /* between messages of one rank */
  double gb_per_s;    /* of a rank in one direction */
  const char* source;
} bench_network;

/* The table of networks; the last entry has no name. */
extern const bench_network bench_networks[];

/* Names of the table, a list for the command line. */
#define BENCH_NETWORK_NAMES "25gbe,100gbe,hdr,ndr,slingshot"

/* Finds a network of the table by its name; NULL if there is none. */
const bench_network* bench_network_by_name(const char* name);

#endif
