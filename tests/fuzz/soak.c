/* Rounds of random programs for a given time: larger scenes than those of the fuzzer, more workers,
 * and a check that the memory of the process does not grow. A round is a seed: it can be replayed.
 */
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fuzz/program.h"
#include "support/random.h"

enum { MOST_BYTES = 2048, SCALE = 3, EXIT_INTERRUPTED = 130 };

// Growth limit of memory. No world exists between rounds: memory is as before the first one, but
// for small blocks that the allocator caches for the thread.
static const long most_growth_kib = 1024;

typedef struct soak {
  uint64_t seed;
  double seconds;
  uint64_t first_round, end_round; /* rounds [first_round, end_round) */
  bool checks_times, quiet;
} soak;

static volatile sig_atomic_t interrupted;

static void interrupt(int number) {
  (void)number;
  interrupted = 1;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// heap memory in use
static long memory_kib(void) {
  const struct mallinfo2 info = mallinfo2();
  return (long)((info.uordblks + info.hblkhd) / 1024);
}

// Random bytes of a round, which depend on seed and round only. Every second round has sane
// numbers.
static size_t draw_bytes(uint64_t seed, uint64_t round, uint8_t bytes[MOST_BYTES]) {
  random_source random = {seed * 1000003u + round};
  const size_t size = random_from(&random, 64, MOST_BYTES);
  for (size_t i = 0; i < size; ++i) bytes[i] = (uint8_t)random_below(&random, 256);
  bytes[0] = (uint8_t)((bytes[0] & 0xfeu) | (round & 1u));
  return size;
}

// a second run with other worker counts; every 16th round is replayed as a whole
static bool run_round(const soak* s, uint64_t round, program_report* report) {
  uint8_t bytes[MOST_BYTES];
  const size_t size = draw_bytes(s->seed, round, bytes);
  program_options options = {.scale = SCALE,
                             .worker_count = 2 + (uint32_t)(round % 7),
                             .checks_times = s->checks_times,
                             .interrupted = &interrupted};
  if (!program_run(bytes, size, &options, report)) return false;
  if (round % 16 != 0) return true;
  const uint64_t hash = report->hash;
  options.worker_count = 1;
  if (!program_run(bytes, size, &options, report)) return false;
  if (report->hash == hash || interrupted) return true;
  snprintf(report->violation, sizeof(report->violation), "another hash when replayed");
  return false;
}

static void print_progress(const soak* s, uint64_t round, uint64_t steps, double begin) {
  const double left = s->seconds - (now() - begin);
  printf("soak: round %llu, %llu steps, %ld KiB, %.0f s left\n", (unsigned long long)round,
         (unsigned long long)steps, memory_kib(), left > 0.0 ? left : 0.0);
  fflush(stdout);
}

static int report_violation(const soak* s, uint64_t round, const char* violation) {
  fprintf(stderr, "soak: %s\nsoak: again with --seed %llu --round %llu\n", violation,
          (unsigned long long)s->seed, (unsigned long long)round);
  return EXIT_FAILURE;
}

static int run_rounds(const soak* s) {
  const double begin = now();
  double told = begin;
  uint64_t steps = 0, round = s->first_round;
  const long begin_kib = memory_kib();
  for (; round < s->end_round && !interrupted && now() - begin < s->seconds; ++round) {
    program_report report;
    if (!run_round(s, round, &report)) return report_violation(s, round, report.violation);
    steps += report.steps;
    if (s->quiet || now() - told < 5.0) continue;
    told = now();
    print_progress(s, round, steps, begin);
  }
  const long grown_kib = memory_kib() - begin_kib;
  printf("soak: %llu rounds, %llu steps, memory grew by %ld KiB\n",
         (unsigned long long)(round - s->first_round), (unsigned long long)steps, grown_kib);
  if (grown_kib > most_growth_kib) return report_violation(s, round, "memory grows");
  return interrupted ? EXIT_INTERRUPTED : EXIT_SUCCESS;
}

static int refuse(const char* word) {
  fprintf(stderr,
          "soak: '%s'?\nusage: weft_soak SECONDS [--seed N] [--round N | --rounds N] "
          "[--step-times] [--quiet]\n",
          word);
  return 2;
}

static bool read_number(const char* word, uint64_t* number) {
  char* end = NULL;
  if (word == NULL || word[0] < '0' || word[0] > '9') return false;
  *number = strtoull(word, &end, 10);
  return *end == '\0';
}

int main(int argc, char** argv) {
  soak s = {.seed = (uint64_t)time(NULL), .end_round = UINT64_MAX};
  uint64_t seconds = 0, round = 0;
  if (!read_number(argv[1], &seconds)) return refuse(argc > 1 ? argv[1] : "");
  s.seconds = (double)seconds;
  for (int i = 2; i < argc; ++i) {
    if (strcmp(argv[i], "--quiet") == 0) {
      s.quiet = true;
    } else if (strcmp(argv[i], "--step-times") == 0) {
      s.checks_times = true;
    } else if (strcmp(argv[i], "--seed") == 0 && read_number(argv[i + 1], &s.seed)) {
      ++i;
    } else if (strcmp(argv[i], "--round") == 0 && read_number(argv[i + 1], &round)) {
      s.first_round = round;
      s.end_round = round + 1;
      ++i;
    } else if (strcmp(argv[i], "--rounds") == 0 && read_number(argv[i + 1], &s.end_round)) {
      ++i;
    } else {
      return refuse(argv[i]);
    }
  }
  signal(SIGINT, interrupt);
  signal(SIGTERM, interrupt);
  printf("soak: seed %llu\n", (unsigned long long)s.seed);
  fflush(stdout);
  return run_rounds(&s);
}
