/* Step times of one scene by number of threads, and laws of scaling that they follow. */
#ifndef BENCH_SCALING_H
#define BENCH_SCALING_H

#include "contact_run.h"
#include "recorded.h"
#include "run.h"

enum {
  BENCH_SCALING_TURNS = 10,
  BENCH_SCALING_RECORDED = 50,
};

typedef struct bench_scaling_request {
  bool has_contacts;
  bench_contact_kind kind;   /* if it has contacts */
  bench_scene_request cloth; /* otherwise */
  uint32_t size;             /* scene for one thread: see bench_contact_scene */
  uint32_t iterations;       /* cloth without contacts */
  bool is_weak;              /* particles in proportion to threads */
  bool parts;                /* ranks build only their rows of the sheet */
  weft_isa isa;
  uint32_t steps;          /* timed, of each row; of scaling a multiple of the turns */
  uint32_t warmup;         /* steps before those, or BENCH_USUAL_WARMUP */
  uint32_t beside;         /* busy threads of the bench itself, while steps are timed */
  uint32_t recorded_steps; /* each row's, after the timed ones, for the workers' times */
  const bench_binding* binding;
} bench_scaling_request;

/* Beginning of the settings of the commands that step one scene. */
typedef struct bench_scaling_settings {
  bench_plan plan;
  bench_scaling_request request;
} bench_scaling_settings;

#define BENCH_SCALING_SCENE_OPTIONS                                                              \
  TOOL_HEADING("Scene:"),                                                                        \
      BENCH_SCENE_OPTION(BENCH_SCENE_NAMES,                                                      \
                         "sheet, a hanging square cloth (default); drape-sphere, "               \
                         "drop-folds: sheets with contacts (size 257 unless --size says so); "   \
                         "particles, discs, rectangles: a heap of --size bodies (8000)"),        \
      TOOL_RANGE(COUNT, "size", "N", offsetof(bench_scaling_settings, request.size), 2, 1000000, \
                 "particles along each side of the sheet, 2 to 8192, or bodies of the heap"),    \
      BENCH_MESH_OPTION, BENCH_COPY_OPTIONS
#define BENCH_SCALING_STEPS_OPTIONS(help)                                                         \
  BENCH_ITERATIONS_OPTION("sweeps over all links a step, without contacts (default 10)"),         \
      TOOL_RANGE(COUNT, "steps", "S", offsetof(bench_scaling_settings, request.steps), 1, 100000, \
                 help),                                                                           \
      TOOL_RANGE(COUNT, "warmup", "W", offsetof(bench_scaling_settings, request.warmup), 0,       \
                 100000,                                                                          \
                 "steps before that, not timed (default 10; with contacts 60 on the sphere, 90 "  \
                 "in folds and in "                                                               \
                 "the heap)")

/* Once all options are taken: the scene, its size, the warm-up, the first instruction set and the
 * binding of a complete plan, which has to outlive the request. */
bool bench_scaling_complete_scene(const bench_plan* plan, bench_scaling_request* request,
                                  tool_message* why);

/* "sheet", the mesh file's base name, or the name of the scene with contacts. */
const char* bench_scaling_scene_name(const bench_scaling_request* request);

/* Creates and starts a world of the scene in this size, by the def, whose instruction set and
 * solver are set here. The caller destroys the world, also of a failure. */
bool bench_scaling_create_world(const bench_scaling_request* request, uint32_t size,
                                weft_world_def def, weft_world** world, tool_message* why);

/* Size in the rows of a world's scene: that asked for, or the particles of a mesh. */
uint32_t bench_scaling_shown_size(const bench_scaling_request* request, uint32_t size,
                                  uint32_t particles);

/* A world of some number of threads. Rows take turns, so that the machine is the same for all. */
typedef struct bench_scaling_row {
  bench_facts of;
  uint32_t beside, steps;
  double speed_up;                    /* median of the turns; of a weak row by particles a second */
  double speed_up_low, speed_up_high; /* quartiles of the turns */
  double efficiency;                  /* speed-up over threads at work */
} bench_scaling_row;

extern const bench_row_type bench_scaling_type;

/* Least squares over rows of more than one worker, by the median of the turns, with quartiles. NaN
 * where rows are too few.
 *   serial       Amdahl's law: T(n) / T(1) = s + (1 - s) / n (Amdahl 1967)
 *   contention, coherency   universal scalability law: n T(n) / T(1) = 1 + a (n - 1) + b n (n - 1)
 *                           (Gunther 2007, "Guerrilla Capacity Planning", chapter 5) */
typedef struct bench_scaling_fit {
  double serial, serial_low, serial_high;
  double contention, coherency;
} bench_scaling_fit;

/* Results of all rows together. */
typedef struct bench_scaling_findings {
  bench_scaling_fit fit;
  bench_recorded* recorded; /* [row_count] */
  size_t row_count;
} bench_scaling_findings;

void bench_scaling_free_findings(bench_scaling_findings* findings);

/* Measures all rows, whose scene and threads asked for are set. Recorded steps are added to the
 * trace, which may be NULL. Also false, but without a message, when interrupted. */
bool bench_scaling_measure(const bench_scaling_request* request, bench_scaling_row* rows,
                           size_t count, bool quiet, tool_trace* trace,
                           bench_scaling_findings* findings, tool_message* why);

/* Fit of speed-ups [count] at workers [count]. */
bench_scaling_fit bench_scaling_fit_of(const uint32_t* workers, const double* speed_ups,
                                       size_t count);

void bench_scaling_print(FILE* out, const bench_scaling_request* request,
                         const bench_scaling_row* rows, size_t count,
                         const bench_scaling_findings* findings);

/* The rows, each with lists of its workers, by shares of their time, and of its jobs, in
 * milliseconds a step. */
json_t* bench_scaling_json(const bench_scaling_row* rows, size_t count,
                           const bench_scaling_request* request,
                           const bench_scaling_findings* findings);

/* Time of a job that the row of the most workers loses, in milliseconds a step. */
typedef struct bench_job_loss {
  const char* stage;
  const char* job;
  double first_work_ms; /* first row's, in proportion to particles */
  double work_ms;       /* all workers together */
  double elapsed_ms;
  double lost; /* elapsed time of all workers less first_work_ms, over their time of a step */
} bench_job_loss;

/* Losses of all jobs, the largest first; returns their number. */
size_t bench_scaling_losses(const bench_scaling_request* request, const bench_scaling_row* rows,
                            const bench_scaling_findings* findings,
                            bench_job_loss losses[BENCH_MAX_JOBS]);

#endif
