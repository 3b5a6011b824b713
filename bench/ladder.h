/* The rungs that a scene is measured on, from the textbook's loop to the engine on all cores:
 *
 *   serial-natural   one scalar loop, links in the order of the scene
 *   serial-colored   the same loop, links sorted by colour
 *   engine           for each instruction set and each number of threads
 *
 * All rungs of a scene exist at once and take turns: a slower machine slows all of them. */
#ifndef BENCH_LADDER_H
#define BENCH_LADDER_H

#include "baseline/serial.h"
#include "plan.h"
#include "rows.h"
#include "runner.h"

typedef enum bench_solver {
  BENCH_SERIAL_NATURAL = 0,
  BENCH_SERIAL_COLORED = 1,
  BENCH_ENGINE = 2,
} bench_solver;

typedef struct bench_rung {
  bench_runner runner; /* its world is NULL for the serial rungs */
  bench_solver solver;
  weft_isa isa;     /* the engine's */
  uint32_t threads; /* at work; 1 for the serial rungs */
  uint32_t threads_asked;
  baseline_cloth cloth;   /* the serial rungs' */
  baseline_blocks blocks; /* zeros unless the rung descends vertex by vertex */
  uint32_t substeps;      /* a step of a serial rung */
  double build_ms;        /* from the flat scene to ready for the first step */
  uint64_t bytes;
  uint64_t step_count;         /* steps taken, timed or not */
  double round_trip_before_ns; /* NaN where there is one thread */
  double round_trip_after_ns;
} bench_rung;

typedef struct bench_ladder {
  bench_rung* rungs; /* [count]; the two serial ones come first */
  uint32_t count;
  const bench_binding* binding; /* binding of the worlds' threads */
} bench_ladder;

/* Makes all rungs of a described scene, which is structural afterwards, with room for
 * `sample_count` samples each. */
bool bench_ladder_make(const bench_plan* plan, size_t sample_count, bench_scene* scene,
                       bench_ladder* ladder, tool_message* why);
void bench_ladder_free(bench_ladder* ladder);

typedef struct bench_serial_setting {
  bool is_colored;   /* links by colour, not in scene order */
  bool is_by_vertex; /* vertex_block.h in place of the loop over links */
  uint32_t iterations;
  uint32_t substeps;    /* 1 = whole steps */
  uint32_t attachments; /* per particle, 0 = none */
} bench_serial_setting;

/* One serial rung of a flat scene, at rest if it has attachments. The rung is all zeros before; the
 * caller frees it either way. */
bool bench_rung_make_serial(const bench_serial_setting* setting, const bench_scene* scene,
                            bench_rung* rung, tool_message* why);

/* The engine's world by the rung's isa and threads, which become the ones in use. The rung as
 * above. */
bool bench_rung_make_world(const bench_plan* plan, const bench_scene* scene, uint32_t span_capacity,
                           bench_rung* rung, tool_message* why);
void bench_rung_free(bench_rung* rung);

void bench_rung_step(void* rung);

/* "serial-natural", "serial-colored" or "engine" */
const char* bench_solver_name(bench_solver solver);

/* The engine's instruction set; "native" for the serial rungs. */
const char* bench_rung_isa_name(const bench_rung* rung);

uint64_t bench_rung_hash(const bench_rung* rung);

/* Copies the positions, [particle_count][3], in the scene's order. */
void bench_rung_positions(const bench_rung* rung, uint32_t particle_count, float* positions);

/* ---- measurement ----------------------------------------------------------------------------- */

/* One rung on one scene. Times are of whole steps; strain, of structural links, and hash are of the
 * last state. */
typedef struct bench_result {
  bench_facts of;          /* no patches for the serial rungs */
  char solver[BENCH_WORD]; /* bench_solver_name() */
  uint32_t iterations;
  uint64_t steps;                 /* warm-up included */
  double solve_ns_per_link;       /* the median step over links * iterations */
  double links_per_second;        /* its inverse */
  double ratio_to_serial_natural; /* its median step over this rung's: > 1 is faster */
  double ratio_to_serial_colored;
  double build_ms;
  uint64_t bytes;
  bench_strain strain;
  // only in tables, not in files
  double round_trip_before_ns; /* NaN where there is one thread */
  double round_trip_after_ns;
} bench_result;

extern const bench_row_type bench_result_type;

/* Steps that the slowest rung takes in about half a second, but 3 to 100: the first step of a turn
 * finds the caches full of another rung, and must not be the only one. */
uint32_t bench_default_steps(uint32_t link_count, uint32_t iterations);

/* Fills the rungs' samples (milliseconds a step) and round trips. False when interrupted. */
bool bench_ladder_measure(const bench_schedule* schedule, const bench_scene* scene, bool quiet,
                          bench_ladder* ladder);

/* Appends a row for each rung of a measured ladder. */
bool bench_ladder_append_rows(const bench_scene* scene, uint32_t iterations, bench_ladder* ladder,
                              bench_rows* results, tool_message* why);

#endif
