/* The rows of what was measured of contacts. */
#ifndef BENCH_CONTACT_ROWS_H
#define BENCH_CONTACT_ROWS_H

#include <stdio.h>

#include "contact_run.h"
#include "rows.h"

enum { BENCH_CONTACT_WORD = 20 };

/* One world. Times of stages are the mean of the steps that were timed; the hash is of the state
 * after the last. */
typedef struct bench_contact_row {
  char scene[BENCH_CONTACT_WORD];
  uint32_t size; /* particles along a side; of a heap, how many */
  uint32_t particles;
  uint32_t links;
  char contacts[BENCH_CONTACT_WORD]; /* "with" or "without" */
  char isa[BENCH_CONTACT_WORD];
  uint32_t threads; /* at work */
  uint32_t substeps;
  uint32_t iterations;
  uint64_t first_step; /* that was timed, 1 being the first that was taken */
  uint64_t last_step;
  double step_ms_min;
  double step_ms_median;
  double contact_ms_min; /* time of contacts in a step: all stages from broad phase to CCD, and
                            events */
  double contact_ms_median;
  double ratio_to_without; /* the median step over that without contacts; NaN where there is none */
  double
      growth; /* contact_ms_median a substep over that of the row before; NaN where there is none */
  double stage_ms[WEFT_STAGE_COUNT];
  uint32_t collider_contacts; /* these of the last step */
  uint32_t self_pairs;
  uint32_t particle_pairs;
  uint32_t particle_colors;
  uint32_t ccd_pairs;
  uint32_t ccd_hits;
  uint64_t lost; /* pairs, of all kinds, for which there was no room in all steps */
  double build_ms;
  uint64_t bytes;
  uint64_t state_hash;
  double step_ms_max;
  uint32_t threads_asked;
  double step_ms_q1, step_ms_q3; /* quartiles */
  double ns_per_particle;        /* of a whole step */
  uint32_t times;                /* as much as a scene of `size`: see tool_contact_scene */
  double cpu_ms_median;          /* processor time of a step, all threads */
} bench_contact_row;

extern const bench_row_type bench_contact_type;

/* Fills a row from a run whose steps have been taken; ratios are NaN. Sorts its samples. */
bool bench_contact_fill(bench_contact_run* run, bench_contact_row* row, tool_message* why);

/* For people: the rows of one scene and one size, facts above them. */
void bench_contact_print(FILE* out, const bench_contact_row* rows, size_t count);

/* For people: what stands above the rows of a scene that grows, of which this is one, and what its
 * scenes have in common. */
void bench_contact_print_growth_heads(FILE* out, const bench_contact_row* row, const char* common);

/* One of them, `limit` being what no growth should be above. */
void bench_contact_print_growth(FILE* out, const bench_contact_row* row, double limit);

#endif
