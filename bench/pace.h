/* Speed of the engine: of one scene by the best of all steps, which holds no load of other
 * processes, and of one core over a run, by short probes of the link solve in L1. A core that is
 * shared with another machine's thread, or whose clock changes, has two speeds, and flips between
 * them. */
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
  double ns_per_link;          /* the best step of the last take, over links times iterations */
  uint32_t threads;            /* at work, fewer than asked for where the scene is small */
  uint64_t bytes;              /* that the world holds */
  uint64_t state_hash;         /* after the first take */
  uint32_t takes;              /* 1 to BENCH_MAX_TAKES */
  double round_trip_before_ns; /* in the last take; NaN for one thread */
  double round_trip_after_ns;
} bench_pace;

/* Takes of several threads are repeated, up to this many, if the round trip between two cores has
 * changed meanwhile. */
enum { BENCH_MAX_TAKES = 4 };

/* As many steps as the engine takes in about a quarter of a second, but 5 to 1000. The same on
 * every machine, so that their state hashes can be compared. */
uint32_t bench_pace_steps(uint32_t link_count, uint32_t iterations);

/* Steps a described scene. Takes after the first add to the progress' total. Also false, but
 * without a message, when interrupted. */
bool bench_measure_pace(const bench_pace_request* request, const bench_scene* scene,
                        const char* label, tool_progress* progress, bench_pace* pace,
                        tool_message* why);

/* ---- probes ---------------------------------------------------------------------------------- */

enum { BENCH_MAX_PROBES = 8192 };

/* Times fall into two modes if their logarithms, cut in two where the variance between the parts is
 * largest (Otsu 1979, "A threshold selection method from gray-level histograms"), have Ashman's D
 * above 4 (Ashman, Bird, Zepf 1994, "Detecting bimodality in astronomical datasets"; parts of one
 * normal distribution have 2.7, of a uniform one 3.5), medians that differ by a fifth or more, and
 * a twentieth of all probes in each part. */
typedef struct bench_speed_modes {
  uint32_t probes;
  bool is_bimodal;
  double fast_ns, slow_ns; /* medians of the two modes; the same if there is one */
  double slow_share;       /* share of probes in the slow mode, 0 to 1 */
  double low_ns, high_ns;  /* 5th and 95th percentile of all probes */
} bench_speed_modes;

typedef struct bench_speed_probe {
  weft_world* world;
  double links;          /* solved by a step */
  bench_samples samples; /* nanoseconds a link */
} bench_speed_probe;

/* The sheet has `size` particles along each side, and the widest instruction set solves it. */
bool bench_speed_probe_create(uint32_t size, bench_speed_probe* probe, tool_message* why);
void bench_speed_probe_free(bench_speed_probe* probe);

/* Takes a few dozen probes, some 20 milliseconds; none when BENCH_MAX_PROBES have been taken. */
void bench_speed_probe_take(bench_speed_probe* probe);

/* Sorts the samples, of which there may be none. */
bench_speed_modes bench_speed_modes_of(bench_samples* samples);

/* ---- round trips ----------------------------------------------------------------------------- */

/* Latency between two cores: the time in which a cache line goes to another core and back.
 *
 * On virtual machines this can change by four times from one minute to the next, and rows of
 * several threads move with it. It is printed beside them so that such a row can be judged. */

/* Nanoseconds, the median of a few thousand round trips between two threads that run where the
 * system puts them. NaN when it cannot be measured, as on a machine of one core. */
double bench_round_trip_ns(void);

/* Do the round trips before and after a row differ so much, by more than 1.6 times, that the row
 * was measured on two machines, as it were? Also where only one of them could be measured. */
bool bench_round_trip_moved(double before_ns, double after_ns);

/* The table's cell of a row: both, with a star where they moved; nothing where there is one thread.
 */
void bench_format_round_trip(char* cell, size_t room, uint32_t threads, double before_ns,
                             double after_ns);

/* Explanation of the star. */
extern const char bench_round_trip_footnote[];

#endif
