/* One run of a scene, from description to last step: `weft-sim run` without its command line. The
 * same scene with the same settings gives the same bits for any threads and instruction set. */
#ifndef TOOLS_SIM_RUN_H
#define TOOLS_SIM_RUN_H

#include "sim/scene.h"
#include "sim/topology.h"
#include "weft/cluster.h"

#ifndef SIM_MOST_PARTICLES
#define SIM_MOST_PARTICLES 16777216u
#endif

/* Settings of a run besides the scene. */
typedef struct sim_settings {
  const char* const* sets; /* "name=value" [set_count] */
  size_t set_count;
  const char* const* saved; /* "name=value" of a snapshot, which sets may not change; NULL = none */
  size_t saved_count;
  double seconds;          /* 0 = the scene's */
  double rate;             /* steps a second; 0 = the scene's */
  int64_t iterations;      /* -1 = the scene's */
  int64_t substeps;        /* -1 = the scene's */
  int64_t later_substeps;  /* steps after a snapshot; -1 = unchanged */
  double sleep;            /* weft_world_def.sleep_speed; -1 = the scene's */
  double time_scale;       /* 0.001 to 1000: world seconds a second */
  uint32_t threads;        /* 0 = the scene's */
  uint32_t usual_threads;  /* for scenes without a number; 0 = 1 */
  weft_isa isa;            /* WEFT_ISA_AUTO = the widest */
  bool keeps_cells;        /* lists the cells, for files of meshes; same bits */
  bool is_recorded;        /* weft_world_def.span_capacity, for a trace */
  bool is_profiled;        /* weft_world_def.profile */
  uint32_t most_particles; /* upper limit of a scene */
  /* Ranks that compute the run together, by the same calls; NULL = a single world */
  const weft_transport* transport;
  uint32_t redistribute_every; /* steps between redistributions over ranks; 0 = none */
  bool (*agree)(bool ok, tool_message* why); /* sim_ranks_agree(), with a transport */
} sim_settings;

sim_settings sim_default_settings(void);

typedef enum sim_outcome {
  SIM_OK = 0,
  SIM_FAILED = 1,  /* the scene cannot be made: a fault in a file, no memory */
  SIM_MISUSED = 2, /* no such scene, parameter or value */
} sim_outcome;

typedef struct sim_run sim_run;

/* `name`: a scene, the path of a mesh (".obj", ".ply", ".gltf" or ".glb"), or of a scene file
 * (".json", or a path with '/'). It is kept, for sim_run_reset(). */
sim_outcome sim_run_create(const char* name, const sim_settings* settings, sim_run** run,
                           tool_message* why);

/* Checks the name and the parameters, and reads a file, without making a world. */
sim_outcome sim_run_check(const char* name, const sim_settings* settings, tool_message* why);

/* Completes the state of a world of several ranks, for facts, files and results. */
bool sim_run_synchronize(sim_run* run, tool_message* why);

/* Redistributes patches over ranks if due before the next step; *moved is true if particles have
 * changed ranks. Collective. */
bool sim_run_redistribute(sim_run* run, bool* moved, tool_message* why);

/* Takes one step. At a time scale other than 1, weft_world_advance() takes it in frames as long as
 * a step: in slow motion several to a step. False, without a step, if the scene's work before it
 * fails. */
bool sim_run_step(sim_run* run, tool_message* why);

/* Begins anew: the same world, by weft_world_reset(), and the scene's own state, in their first
 * state. A file is read again. False where that fails; then only sim_run_destroy() is left. */
bool sim_run_reset(sim_run* run, tool_message* why);

/* Visits step count and scene state for a snapshot: sim/snapshot.h. */
void sim_run_keep(sim_run* run, sim_keep* keep);

/* Ends a restore: takes the world's present settings, and applies the settings that hold from here
 * on. */
bool sim_run_resume(sim_run* run, tool_message* why);

/* Stops the workers, frees all and sets the pointer to NULL. */
void sim_run_destroy(sim_run** run);

weft_world* sim_run_world(const sim_run* run);

/* NULL for a single world. */
const weft_cluster* sim_run_cluster(const sim_run* run);

const weft_world_def* sim_run_def(const sim_run* run);

/* The name of the scene; a file's path. */
const char* sim_run_name(const sim_run* run);

uint64_t sim_run_length(const sim_run* run);

/* The scene as built, before the first step. */
const weft_scene* sim_run_description(const sim_run* run);

/* Requested settings, without the lists. */
const sim_settings* sim_run_asked(const sim_run* run);

const sim_values* sim_run_values(const sim_run* run);

/* Hands input to the scene. False if it is refused. */
bool sim_run_input(sim_run* run, const sim_input* input, tool_message* why);

/* Curves and worlds that the scene shows beside its own; returns the count. */
uint32_t sim_run_show(const sim_run* run, sim_shown shown[SIM_MOST_SHOWN]);

/* Processes of the run, and sim_settings.redistribute_every. */
uint32_t sim_run_ranks(const sim_run* run);
uint32_t sim_run_redistribute_every(const sim_run* run);

/* Milliseconds spent in weft_world_step() so far. */
double sim_run_step_ms(const sim_run* run);

double sim_run_rate(const sim_run* run);

/* NULL unless sim_settings.keeps_cells. */
sim_topology* sim_run_topology(const sim_run* run);

sim_moment sim_run_moment(const sim_run* run);

/* State in figures. */
typedef struct sim_facts {
  weft_world_stats stats;
  weft_measures measures;
  uint64_t hash;
  uint32_t contacts; /* particles that touch the bounds */
  weft_contact_stats met;
  weft_sleep_stats sleep;
  weft_cluster_stats cluster; /* the first of several ranks */
  double elapsed;             /* seconds of frames, by the time scale */
  uint64_t restored_steps;    /* sim_moment's steps taken by the saved run */
  double ms_per_step;         /* wall time of weft_world_step(); 0 before the first step */
} sim_facts;

bool sim_run_facts(const sim_run* run, sim_facts* facts, tool_message* why);

sim_results sim_run_results(const sim_run* run);

/* False for a scene without a table; then nothing is written. */
bool sim_run_has_table(const sim_run* run);
bool sim_run_write_table(const sim_run* run, FILE* out);

/* World seconds a second. */
double sim_run_time_scale(const sim_run* run);

#endif
