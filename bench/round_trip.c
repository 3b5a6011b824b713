/* One thread writes an odd number, the other answers with the next even one. The clock is read once
 * for several trips, since reading it takes about as long as a short trip. */
#include "round_trip.h"

#include <math.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdio.h>

#include "common/clock.h"
#include "samples.h"

enum {
  SAMPLE_COUNT = 256,
  TRIPS_PER_SAMPLE = 16,
  LAST_BALL = 2 * SAMPLE_COUNT * TRIPS_PER_SAMPLE,
  MAX_WORD = 24
};

/* Two threads on one core take a time slice for each trip: then there is nothing to measure. */
static const double longest_ns = 2e7;

static const double steady_ratio = 1.6;

const char bench_round_trip_footnote[] =
    "* the time between two cores changed during this row: do not build on it\n";

typedef struct table_tennis {
  alignas(64) atomic_uint_fast32_t ball;
  alignas(64) atomic_bool over;
} table_tennis;

static void* answer_balls(void* argument) {
  table_tennis* game = argument;
  // relaxed: the ball itself is all that the two threads share
  while (!atomic_load_explicit(&game->over, memory_order_relaxed)) {
    const uint_fast32_t ball = atomic_load_explicit(&game->ball, memory_order_relaxed);
    if (ball % 2 == 1) atomic_store_explicit(&game->ball, ball + 1, memory_order_relaxed);
  }
  return NULL;
}

static void serve_ball(table_tennis* game, uint_fast32_t ball) {
  atomic_store_explicit(&game->ball, ball, memory_order_relaxed);
  while (atomic_load_explicit(&game->ball, memory_order_relaxed) != ball + 1) continue;
}

/* Plays until the samples are full or time is up. */
static void play(table_tennis* game, bench_samples* samples) {
  const double start_ns = tool_clock_ns();
  double before_ns = start_ns;
  for (uint_fast32_t ball = 1; ball < LAST_BALL && before_ns - start_ns < longest_ns;) {
    for (int trip = 0; trip < TRIPS_PER_SAMPLE; ++trip, ball += 2) serve_ball(game, ball);
    const double after_ns = tool_clock_ns();
    bench_samples_add(samples, (after_ns - before_ns) / TRIPS_PER_SAMPLE);
    before_ns = after_ns;
  }
}

double bench_round_trip_ns(void) {
  table_tennis game = {0};
  bench_samples samples;
  pthread_t partner;
  tool_message unused;
  if (!bench_samples_create(&samples, SAMPLE_COUNT, &unused)) return (double)NAN;
  if (pthread_create(&partner, NULL, answer_balls, &game) == 0) {
    play(&game, &samples);
    atomic_store_explicit(&game.over, true, memory_order_relaxed);
    pthread_join(partner, NULL);
  }
  const bool complete = samples.count == SAMPLE_COUNT;
  const double median = complete ? bench_samples_median(&samples) : (double)NAN;
  bench_samples_free(&samples);
  return median;
}

bool bench_round_trip_moved(double before_ns, double after_ns) {
  if (isnan(before_ns) || isnan(after_ns)) return isnan(before_ns) != isnan(after_ns);
  return before_ns > steady_ratio * after_ns || after_ns > steady_ratio * before_ns;
}

static void format_ns(char word[MAX_WORD], double ns) {
  if (isnan(ns)) {
    snprintf(word, MAX_WORD, "unknown");
  } else {
    snprintf(word, MAX_WORD, "%.0f", ns);
  }
}

void bench_format_round_trip(char* cell, size_t room, uint32_t threads, double before_ns,
                             double after_ns) {
  char before[MAX_WORD], after[MAX_WORD];
  const bool moved = bench_round_trip_moved(before_ns, after_ns);
  format_ns(before, before_ns);
  format_ns(after, after_ns);
  cell[0] = '\0';
  if (threads < 2) return;
  if (isnan(before_ns) && isnan(after_ns)) {
    snprintf(cell, room, "unknown");
  } else {
    snprintf(cell, room, "%s, %s%s", before, after, moved ? " *" : "");
  }
}
