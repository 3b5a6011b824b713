/* Step times of one scene by number of threads, and laws of scaling that they follow. */
#ifndef BENCH_SCALING_H
#define BENCH_SCALING_H

#include "common/lanes.h"
#include "contact_run.h"
#include "run.h"

/* Time of a worker over some steps. */
typedef struct bench_worker_time {
  double ns[TOOL_LANE_KINDS];
} bench_worker_time;

/* A loop or a wavefront, by stage and name, over some steps. */
typedef struct bench_job_time {
  const char* name; /* static */
  weft_stage stage;
  double work_ns;    /* pieces and phases, summed over workers */
  double elapsed_ns; /* on the caller, from opening to end */
} bench_job_time;

enum { BENCH_MAX_JOBS = 128 };

typedef struct bench_recorded {
  bench_worker_time* workers; /* [worker_count of the world] */
  uint32_t job_count;         /* further jobs are left out */
  bench_job_time jobs[BENCH_MAX_JOBS];
} bench_recorded;

/* Takes steps of a world with a span capacity. Adds them to the trace, under the world's name, and
 * to the times; each may be NULL. False without a message when interrupted. */
bool bench_record(weft_world* world, const char* name, uint32_t steps, tool_trace* trace,
                  bench_recorded* times, tool_message* why);

const bench_job_time* bench_recorded_job(const bench_recorded* times, weft_stage stage,
                                         const char* name);

enum {
  BENCH_SCALING_TURNS = 10,
  BENCH_SCALING_RECORDED = 50,
};

typedef struct bench_scaling_request {
  bool has_contacts;
  bench_contact_kind kind;   /* if it has contacts */
  bench_scene_request cloth; /* otherwise */
  uint32_t size;             /* scene of one thread: bench_contact_scene */
  uint32_t iterations;       /* cloth without contacts */
  bool is_weak;              /* particles in proportion to threads */
  bool parts;                /* each rank builds its rows only */
  weft_isa isa;
  uint32_t steps;          /* timed, of each row; for scaling a multiple of the turns */
  uint32_t warmup;         /* untimed steps before, or BENCH_USUAL_WARMUP */
  uint32_t beside;         /* busy threads of the bench itself while steps are timed */
  uint32_t recorded_steps; /* after the timed ones, for the workers' times */
  const bench_binding* binding;
} bench_scaling_request;

/* Settings common to the commands that step one scene; they begin with these. */
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

/* After all options: scene, size, warm-up, first instruction set and binding of a complete plan,
 * which has to outlive the request. */
bool bench_scaling_complete_scene(const bench_plan* plan, bench_scaling_request* request,
                                  tool_message* why);

/* "sheet", the mesh file's base name, or the name of the scene with contacts. */
const char* bench_scaling_scene_name(const bench_scaling_request* request);

/* Creates and starts a world by the def, whose instruction set and solver are set here. The caller
 * destroys the world, also after a failure. */
bool bench_scaling_create_world(const bench_scaling_request* request, uint32_t size,
                                weft_world_def def, weft_world** world, tool_message* why);

/* Size in rows: the requested one, or the particles of a mesh. */
uint32_t bench_scaling_shown_size(const bench_scaling_request* request, uint32_t size,
                                  uint32_t particles);

/* A world of some number of threads. Rows take turns. */
typedef struct bench_scaling_row {
  bench_facts of;
  uint32_t beside, steps;
  double speed_up;                    /* median of the turns; weak rows by particles a second */
  double speed_up_low, speed_up_high; /* quartiles of the turns */
  double efficiency;                  /* speed-up over threads at work */
} bench_scaling_row;

extern const bench_row_type bench_scaling_type;

/* Least squares over rows of more than one worker, by the median of the turns, with quartiles. NaN
 * with too few rows.
 *   serial       Amdahl's law: T(n) / T(1) = s + (1 - s) / n (Amdahl 1967)
 *   contention, coherency   universal scalability law: n T(n) / T(1) = 1 + a (n - 1) + b n (n - 1)
 *                           (Gunther 2007, "Guerrilla Capacity Planning", chapter 5) */
typedef struct bench_scaling_fit {
  double serial, serial_low, serial_high;
  double contention, coherency;
} bench_scaling_fit;

typedef struct bench_scaling_findings {
  bench_scaling_fit fit;
  bench_recorded* recorded; /* [row_count] */
  size_t row_count;
} bench_scaling_findings;

void bench_scaling_free_findings(bench_scaling_findings* findings);

/* Measures all rows, whose scene and requested threads are set. Recorded steps are added to the
 * trace, which may be NULL. False without a message when interrupted. */
bool bench_scaling_measure(const bench_scaling_request* request, bench_scaling_row* rows,
                           size_t count, bool quiet, tool_trace* trace,
                           bench_scaling_findings* findings, tool_message* why);

/* Fit of speed-ups [count] at workers [count]. */
bench_scaling_fit bench_scaling_fit_of(const uint32_t* workers, const double* speed_ups,
                                       size_t count);

void bench_scaling_print(FILE* out, const bench_scaling_request* request,
                         const bench_scaling_row* rows, size_t count,
                         const bench_scaling_findings* findings);

/* The rows, each with its workers, by shares of their time, and its jobs, in milliseconds a step.
 */
json_t* bench_scaling_json(const bench_scaling_row* rows, size_t count,
                           const bench_scaling_request* request,
                           const bench_scaling_findings* findings);

/* Time that a job loses in the row of the most workers, in milliseconds a step. */
typedef struct bench_job_loss {
  const char* stage;
  const char* job;
  double first_work_ms; /* first row's, in proportion to particles */
  double work_ms;       /* all workers */
  double elapsed_ms;
  double lost; /* elapsed time of all workers less first_work_ms, over their time of a step */
} bench_job_loss;

/* Losses of all jobs, the largest first; returns their number. */
size_t bench_scaling_losses(const bench_scaling_request* request, const bench_scaling_row* rows,
                            const bench_scaling_findings* findings,
                            bench_job_loss losses[BENCH_MAX_JOBS]);

enum { BENCH_RANK_ROUNDS = 3 };

/* A number of ranks: the run with the shortest median of some rounds, in which rows take turns. */
typedef struct bench_ranks_row {
  char scene[BENCH_WORD];
  char isa[BENCH_WORD];
  uint32_t size, particles;
  uint32_t ranks, threads; /* threads of each rank */
  uint32_t steps;
  double step_ms_min, step_ms_median, step_ms_mean;
  double waited_ms; /* a step, of the rank that waits longest for messages */
  double peak_mib;  /* most resident memory of a rank */
  double imbalance; /* largest cost of a rank over the mean; NaN of a sheet by its rows */
  double speed_up, efficiency; /* over the first row, by particles a second */
  double messages, bytes;      /* a step's, all ranks */
  double model_bytes;          /* for as many messages: weft__partition_messages() */
  uint64_t state_hash;
} bench_ranks_row;

extern const bench_row_type bench_ranks_type;

/* Appends and prints a row for each number of ranks; appends their patch graphs unless `graphs` is
 * NULL. Fails if hashes of one scene differ. False without a message when interrupted. */
bool bench_scaling_measure_ranks(const bench_scaling_request* request, const tool_count_list* ranks,
                                 uint32_t threads, const char* launcher, FILE* out,
                                 bench_rows* rows, json_t* graphs, tool_message* why);

/* Runs `launcher -n ranks weft-bench-mpi arguments`, the program beside this one, and reads its
 * line of JSON. The launcher is a command with options, NULL = "mpirun". The caller frees the
 * answer. */
bool bench_mpirun(const char* launcher, uint32_t ranks, const char* arguments, json_t** answer,
                  tool_message* why);

#endif
