/* weft, chapter 20: look into a world: settings by body, times, spans, patches. Include
 * <weft/weft.h>, which includes this.
 *
 * All calls are made between steps, and change no motion. */
#ifndef WEFT_INSPECT_H
#define WEFT_INSPECT_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- settings by body ------------------------------------------------------------------------ */

/* Why a body has its settings. */
typedef enum weft_settings_reason {
  WEFT_SETTINGS_REASON_GIVEN = 0,    /* weft_world_def has numbers */
  WEFT_SETTINGS_REASON_LOOSE = 1,    /* no links */
  WEFT_SETTINGS_REASON_SWEEPS = 2,   /* sweeps bear its weight */
  WEFT_SETTINGS_REASON_DIRECT = 3,   /* a rope, tree or rod, solved directly */
  WEFT_SETTINGS_REASON_HUNG = 4,     /* pinned and rigid: attachments bear it */
  WEFT_SETTINGS_REASON_SAGS = 5,     /* levels bear what sweeps would let sag */
  WEFT_SETTINGS_REASON_ELASTIC = 6,  /* an elastic sheet */
  WEFT_SETTINGS_REASON_MEASURED = 7, /* cloth of measured stiffness */
} weft_settings_reason;

/* A sentence, in lower case and without a full stop. Never NULL. */
WEFT_API const char* weft_settings_reason_text(weft_settings_reason reason);

/* Settings of a body: what one call has added to the scene. Bodies joined by links, bend elements
 * or gas have the same. */
typedef struct weft_body_settings {
  uint32_t first_particle, particle_count;
  /* of its own, the most of cloth that adapts: see WEFT_AUTO. Where contacts, joints and the like
   * need them, it takes weft_world_stats.last_substeps */
  uint32_t substeps;
  uint32_t iterations;        /* sweeps of a substep; of strained sheets up to four times as many */
  uint32_t coarse_iterations; /* on each level; 0 = on none */
  uint32_t attachments;       /* of a particle, at most */
  uint32_t bend_count;        /* bend elements: see Bending at weft_material_def */
  weft_settings_reason reason;
  /* strain by which sweeps let the body sag under its weight: g L / c^2 with c = spacing * sweeps /
   * step; 0 where attachments, levels or the direct solver bear it */
  float sag;
} weft_body_settings;

/* Copies the settings of all bodies, in the order in which they were added. Writes the first
 * `capacity` and sets *count to the number of all; bodies may be NULL if capacity is 0. */
WEFT_RESULT weft_world_explain(const weft_world* world, uint32_t capacity,
                               weft_body_settings* bodies, uint32_t* count);

/* ---- times ----------------------------------------------------------------------------------- */

/* Stages of a step, for profiling. */
typedef enum weft_stage {
  WEFT_STAGE_FORCES = 0,            /* wind, gas, springs, integrators around a substep */
  WEFT_STAGE_LINKS = 1,             /* integration, sweeps, multigrid levels, joints */
  WEFT_STAGE_DIRECT = 2,            /* direct solver of trees */
  WEFT_STAGE_BROAD_PHASE = 3,       /* broad phase of contacts */
  WEFT_STAGE_SELF_COLLISION = 4,    /* self-collision of cloth */
  WEFT_STAGE_PARTICLE_CONTACTS = 5, /* particle contacts of bodies */
  WEFT_STAGE_COLLIDERS = 6,         /* particles against colliders */
  WEFT_STAGE_CCD = 7,               /* continuous collision detection */
  WEFT_STAGE_BOUNDS = 8,            /* bounds of the world */
  WEFT_STAGE_TEARS = 9,             /* tearing of links */
  WEFT_STAGE_EVENTS = 10,           /* contact events */
} weft_stage;
#define WEFT_STAGE_COUNT 11

/* "forces", "links" .. Never NULL. */
WEFT_API const char* weft_stage_name(weft_stage stage);

/* Wall time of each stage since the world was created, in seconds, [WEFT_STAGE_COUNT], on the
 * calling thread. Needs weft_world_def.profile: else WEFT_ERROR_DISABLED. */
WEFT_RESULT weft_world_get_profile(const weft_world* world, double* seconds);

/* ---- spans ----------------------------------------------------------------------------------- */

/* Spans of the last step, by worker, for traces and for profilers of the host.
 *
 *     worker 0   stage           |--- links ------------------------|--- colliders ---|
 *                job               |--- wavefront -----------------|   |-- loop ----|
 *                phases, pieces    [0][0][1]..wait..[1][2]             [0-63][64-127]
 *     worker 1   phases, pieces      [5][5][6][6][7]                     [128-191]
 *
 * Stages and jobs are worker 0's, the caller's: stages follow each other without gaps, and each job
 * lies within a stage. A worker without spans in a job has come too late for it, or has no core;
 * only the caller works outside of jobs. */
typedef enum weft_span_kind {
  WEFT_SPAN_STAGE = 0,     /* a stage, once a substep */
  WEFT_SPAN_LOOP = 1,      /* job: item_count items, in pieces of at most `grain` */
  WEFT_SPAN_WAVEFRONT = 2, /* job: item_count patches of `level`, each through `phase` phases */
  WEFT_SPAN_PIECE = 3, /* item_count items of a loop from `item` on: a piece, or some short ones */
  WEFT_SPAN_PHASE = 4, /* phase `phase` of patch `patch` of `level`, which has colour `color` */
  /* in a wavefront: until `patch`, held by `worker`, has completed a phase, or another one may
   * advance; on the caller, at the end of a job: until `worker` has left it */
  WEFT_SPAN_WAIT = 5,
} weft_span_kind;

/* Value of weft_span.patch and weft_span.worker where there is none. */
#define WEFT_SPAN_NONE UINT32_MAX

/* Fields that a kind does not name are 0; `patch` and `worker` are WEFT_SPAN_NONE. */
typedef struct weft_span {
  int64_t begin_ns, end_ns; /* CLOCK_MONOTONIC */
  const char* name;         /* static: the function of a job, or the stage; never NULL */
  weft_span_kind kind;
  weft_stage stage;
  uint32_t job; /* index in the step; of a stage the number of jobs before it */
  uint32_t item, item_count, grain;
  uint32_t patch, phase, color;
  uint32_t level;  /* 0 = the world's particles, above: coarse multigrid levels, 1 the finest */
  uint32_t worker; /* that is waited for */
} weft_span;

typedef struct weft_spans {
  const weft_span* items; /* in the order of their begin, [count] */
  uint32_t count;
  uint32_t lost; /* dropped, being more than weft_world_def.span_capacity */
} weft_spans;

/* Spans of a worker, below weft_world_stats.worker_count, in the last step; none before the first.
 * Valid until the world steps again or is destroyed. Needs weft_world_def.span_capacity: else
 * WEFT_ERROR_DISABLED. */
WEFT_RESULT weft_world_get_spans(const weft_world* world, uint32_t worker, weft_spans* spans);

/* Sets weft_world_def.span_capacity from the next step on, and drops the spans of the last step.
 * Fails with WEFT_ERROR_RANGE and WEFT_ERROR_OUT_OF_MEMORY. */
WEFT_RESULT weft_world_set_span_capacity(weft_world* world, uint32_t capacity);

/* Patches that share a particle with a patch, at a level as in weft_span: writes the first
 * `capacity` and sets *count to the number of all; `neighbors` may be NULL if capacity is 0. Phase
 * k of a patch follows phase k of neighbours of lower colour (but in phase 0), and phase k - 1 of
 * all. */
WEFT_RESULT weft_world_get_patch_neighbors(const weft_world* world, uint32_t level, uint32_t patch,
                                           uint32_t capacity, uint32_t* neighbors, uint32_t* count);

/* Colours of patches [first, first + count) of a level as in weft_span, [count]: from 0, at level 0
 * below weft_world_stats.patch_color_count. Patches of one colour share no particle. */
WEFT_RESULT weft_world_get_patch_colors(const weft_world* world, uint32_t level, uint32_t first,
                                        uint32_t count, uint32_t* colors);

#ifdef __cplusplus
}
#endif

#endif
