/* Speed of the engine: of a scene by its best step, free of other processes' load, and of one core
 * over a run, by short probes of the link solve in L1. A core with a busy SMT sibling, or a
 * changing clock, flips between two speeds. */
#ifndef BENCH_PACE_H
#define BENCH_PACE_H

#include "common/progress.h"
#include "samples.h"
#include "scenes.h"

typedef struct bench_pace_request {
  weft_isa isa;
  uint32_t threads;
  uint32_t iterations;
  uint32_t steps; /* in one take; bench_pace_steps() */
} bench_pace_request;

typedef struct bench_pace {
  weft_isa isa;                /* never auto */
  double ns_per_link;          /* best step of the last take, over links times iterations */
  uint32_t threads;            /* at work: fewer than asked for in a small scene */
  uint64_t bytes;              /* that the world holds */
  uint64_t state_hash;         /* after the first take */
  uint32_t takes;              /* 1 to BENCH_MAX_TAKES */
  double round_trip_before_ns; /* in the last take; NaN for one thread */
  double round_trip_after_ns;
} bench_pace;

/* Takes of several threads are repeated, up to this many, while the round trip changes. */
enum { BENCH_MAX_TAKES = 4 };

/* About a quarter of a second of steps, 5 to 1000: the same on every machine, so that hashes
 * compare. */
uint32_t bench_pace_steps(uint32_t link_count, uint32_t iterations);

/* Steps a described scene. Takes after the first add to the progress' total. Also false, but
 * without a message, when interrupted. */
bool bench_measure_pace(const bench_pace_request* request, const bench_scene* scene,
                        const char* label, tool_progress* progress, bench_pace* pace,
                        tool_message* why);

/* ---- probes ---------------------------------------------------------------------------------- */

enum { BENCH_MAX_PROBES = 8192 };

/* Times fall into two modes if their logarithms, cut where the variance between the parts is
 * largest (Otsu 1979, "A threshold selection method from gray-level histograms"), have Ashman's D
 * above 4 (Ashman, Bird, Zepf 1994, "Detecting bimodality in astronomical datasets"; halves of a
 * normal distribution have 2.7, of a uniform one 3.5), medians a fifth or more apart, and a
 * twentieth of the probes each. */
typedef struct bench_speed_modes {
  uint32_t probes;
  bool is_bimodal;
  double fast_ns, slow_ns; /* medians of the modes; equal if there is one */
  double slow_share;       /* share of probes in the slow mode */
  double low_ns, high_ns;  /* 5th and 95th percentile of all probes */
} bench_speed_modes;

typedef struct bench_speed_probe {
  weft_world* world;
  double links;          /* solved by a step */
  bench_samples samples; /* nanoseconds a link */
} bench_speed_probe;

/* The sheet has `size` particles along a side; the widest instruction set solves it. */
bool bench_speed_probe_create(uint32_t size, bench_speed_probe* probe, tool_message* why);
void bench_speed_probe_free(bench_speed_probe* probe);

/* Takes a few dozen probes, some 20 ms; none beyond BENCH_MAX_PROBES. */
void bench_speed_probe_take(bench_speed_probe* probe);

/* Sorts the samples, of which there may be none. */
bench_speed_modes bench_speed_modes_of(bench_samples* samples);

/* ---- round trips ----------------------------------------------------------------------------- */

/* Time in which a cache line goes to another core and back. On virtual machines it can change
 * fourfold from minute to minute, and rows of several threads with it. */

/* Nanoseconds, the median of a few thousand round trips of two unbound threads. NaN if not
 * measurable, as on one core. */
double bench_round_trip_ns(void);

/* True if the round trips before and after a row differ by more than 1.6 times, or one was not
 * measurable. */
bool bench_round_trip_moved(double before_ns, double after_ns);

/* The table's cell: both trips, with a star where they moved; empty for one thread. */
void bench_format_round_trip(char* cell, size_t room, uint32_t threads, double before_ns,
                             double after_ns);

/* Explanation of the star. */
extern const char bench_round_trip_footnote[];

#endif
