/* Tests of weft against closed forms: each runs worlds by the public calls and adds a row for each
 * quantity. A test names no solver: worlds take their settings from one table, `validate_settings`,
 * as a user of the scene would choose them. */
#ifndef BENCH_VALIDATE_H
#define BENCH_VALIDATE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/progress.h"
#include "rows.h"
#include "weft/weft.h"

typedef enum validate_setting {
  VALIDATE_DEFAULT,           /* weft_default_world_def(): WEFT_AUTO */
  VALIDATE_FEW_SUBSTEPS,      /* the same with 4 substeps */
  VALIDATE_FINE,              /* 64 substeps of 2 sweeps, for limp cloth */
  VALIDATE_SWEEPS,            /* 32 substeps of 4 sweeps, for measured stiffness */
  VALIDATE_MORE_SWEEPS,       /* 64 substeps of 4 sweeps, for drapes */
  VALIDATE_SWEEPS_AND_LEVELS, /* 32 substeps of 4 sweeps, 2 of each level, for loaded edges */
  VALIDATE_ONE_SUBSTEP,       /* 60 steps a second, 1 substep, 10 sweeps */
} validate_setting;

/* Measured quantity. `error` is measured / expected - 1, or with `is_absolute` the difference. */
typedef struct validate_row {
  char test[24];
  char check[112];
  char unit[16];
  double expected, measured, error, tolerance;
  bool is_absolute, holds;
  double spacing; /* metres between particles */
  uint32_t particles;
  double rate; /* steps a second */
  uint32_t substeps, iterations, coarse_iterations, attachments;
  double seconds; /* simulated, all worlds of the row together */
  double step_ms; /* mean */
} validate_row;

extern const bench_row_type validate_row_type;

typedef struct validate_run {
  const char* test;
  bench_rows* rows;
  uint32_t threads;
  bool is_out_of_memory;
  /* present world: validate_open() */
  weft_scene* scene;
  weft_world* world;
  weft_world_stats stats;
  double spacing, rate;
  uint64_t steps; /* since validate_begin() */
  double run_ns, seconds;
} validate_run;

typedef struct validate_test {
  const char* name;
  const char* summary;   /* a line */
  const char* reference; /* closed form and source, for the document */
  uint32_t count;        /* cases */
  uint32_t quick_count;  /* the first ones, run by --quick */
  uint32_t weight;       /* seconds of all cases, about */
  void (*run)(validate_run* run, uint32_t number);
} validate_test;

extern const validate_test validate_tests[];
extern const uint32_t validate_test_count;

/* ---- worlds ---------------------------------------------------------------------------------- */

/* Def of a setting: without damping, with `threads`. */
weft_world_def validate_def(const validate_run* run, validate_setting setting);

/* Creates an empty scene at run->scene, in place of the former one and its world. */
void validate_scene(validate_run* run);

/* Def of a rope that touches nothing and feels no air. */
weft_rope_def validate_bare_rope(void);

/* Creates the world of run->scene. `spacing` in metres is for the rows. */
void validate_open_def(validate_run* run, const weft_world_def* def, double spacing);

/* By the def of a setting, with damping in 1/s and gravity along y in m/s2. */
void validate_open(validate_run* run, validate_setting setting, double damping, double gravity,
                   double spacing);

/* Adds a sheet whose columns run along `across` and rows along `down`, axes with a sign: 1 is x,
 * -2 is -y. */
weft_sheet_def validate_sheet(uint32_t columns, uint32_t rows, double spacing, int across,
                              int down);
void validate_add_sheet(validate_run* run, uint32_t columns, uint32_t rows, double spacing,
                        int across, int down, const weft_material_def* material);

/* Takes steps, which count for the next row's time. False after Ctrl-C. */
bool validate_step(validate_run* run, uint32_t count);

bool validate_settle(validate_run* run, double seconds);

void validate_close(validate_run* run);

/* Context of a search: the run, and its subject. */
typedef struct validate_search {
  validate_run* run;
  const void* of;
} validate_search;

/* Value between two at which something begins, by halving the interval, of its logarithm if
 * `geometric`. */
double validate_threshold(double lower, double upper, int halvings, bool geometric,
                          bool (*exceeds)(void* context, double value), void* context);

static const double validate_pi = 3.14159265358979323846, validate_gravity = 9.81;

/* ---- rows ------------------------------------------------------------------------------------ */

/* Adds a row with the time of the steps since another world's last row: a quantity whose relative
 * or absolute error is within the tolerance. Nothing after Ctrl-C. */
#define validate_add(run, ...) validate_add_row(run, false, __VA_ARGS__)
#define validate_add_absolute(run, ...) validate_add_row(run, true, __VA_ARGS__)
__attribute__((format(printf, 7, 8))) void validate_add_row(validate_run* run, bool is_absolute,
                                                            const char* unit, double expected,
                                                            double measured, double tolerance,
                                                            const char* check, ...);

/* ---- reading --------------------------------------------------------------------------------- */

/* Position and velocity of a particle; root mean square of free particles' speeds. */
void validate_position(const validate_run* run, uint32_t particle, double position[3]);
void validate_velocity(const validate_run* run, uint32_t particle, double velocity[3]);
double validate_rms_speed(const validate_run* run);

/* All positions, [3] each, to be freed; NULL without memory. */
float* validate_positions(validate_run* run);

/* calloc() of `count` + 1 elements; marks the run without memory. */
void* validate_new(validate_run* run, size_t count, size_t size);

enum { VALIDATE_CANTILEVERS = 105, VALIDATE_QUICK_CANTILEVERS = 20, VALIDATE_STEPS = 4 };
enum { VALIDATE_TWISTS = 8, VALIDATE_BUCKLINGS = 6 };
enum { VALIDATE_MEMBRANES = 10, VALIDATE_SPRINGS = 10, VALIDATE_LOADS = 6 };
enum { VALIDATE_ROD_CHECKS = 8, VALIDATE_ROD_GRIDS = 6 };
enum {
  VALIDATE_RODS = VALIDATE_ROD_CHECKS * VALIDATE_ROD_GRIDS,
  VALIDATE_QUICK_RODS = VALIDATE_ROD_CHECKS
};
enum { VALIDATE_MODES = 3, VALIDATE_MOTIONS = 2 };
enum { VALIDATE_LAYERS = 2 };

typedef void validate_case(validate_run* run, uint32_t number);
validate_case validate_cantilever, validate_steps, validate_twist, validate_buckling,
    validate_membrane, validate_springs, validate_load, validate_rod, validate_catenary,
    validate_chain, validate_string, validate_drum, validate_pendulum, validate_spin,
    validate_momentum, validate_ramp, validate_capstan, validate_layers, validate_drape;

/* Mode of a body: shape of each particle, and the axis that it moves along. */
typedef struct validate_mode {
  const double* shape; /* [count] */
  uint32_t count;
  int axis;
} validate_mode;

/* Moves the particles by a height times the shape, in metres. */
void validate_displace(validate_run* run, const validate_mode* self, double height);

/* Hertz, by the zero crossings of the mode's amplitude in a time; NaN with fewer than two. */
double validate_frequency(validate_run* run, const validate_mode* self, double seconds);

#endif
