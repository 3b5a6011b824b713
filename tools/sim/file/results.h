/* Results of a scene file: numbers noted before every step and at the end. A result is a formula of
 * the world (`is`), or of each particle (`each`) reduced to one number; then the last value, an
 * extreme, or the like. A gauge is a group of results beyond formulas: gauges.c. */
#ifndef TOOLS_SIM_FILE_RESULTS_H
#define TOOLS_SIM_FILE_RESULTS_H

#include "sim/file/bodies.h"
#include "sim/file/contacts.h"
#include "sim/file/formula.h"
#include "sim/scene.h"

typedef struct sim_gauge sim_gauge;

/* State in which results are noted. */
typedef struct sim_view {
  weft_world* world; /* const, but gauges take its events */
  const sim_bodies* bodies;
  const sim_colliders* colliders;
  sim_scope* scope;
  uint64_t step;
  double time, h; /* seconds */
} sim_view;

struct sim_gauge {
  const char* name;
  const sim_table* table; /* options and state: zeros but for the options */
  /* After the scene is built; may be NULL. */
  bool (*build)(void* state, const weft_scene* scene, tool_message* why);
  /* After every event of the file; may be NULL. */
  void (*note_event)(void* state, const sim_view* view);
  /* Before every step and at the end, once each; may be NULL. */
  void (*note)(void* state, const sim_view* view);
  void (*report)(void* state, const sim_view* view, sim_results* results);
  void (*release)(void* state); /* may be NULL */
};

/* Ended by NULL. */
extern const sim_gauge* const sim_gauges[];

/* Names set while a scene runs. */
enum {
  SIM_NAME_T,
  SIM_NAME_I,
  SIM_NAME_COLUMN,
  SIM_NAME_ROW,
  SIM_NAME_X,
  SIM_NAME_Y,
  SIM_NAME_Z,
  SIM_NAME_VX,
  SIM_NAME_VY,
  SIM_NAME_VZ,
  SIM_NAME_X0,
  SIM_NAME_Y0,
  SIM_NAME_Z0,
  SIM_NAME_KINETIC,
  SIM_NAME_GRAVITATIONAL,
  SIM_NAME_ELASTIC,
  SIM_NAME_CENTER_X,
  SIM_NAME_CENTER_Y,
  SIM_NAME_CENTER_Z,
  SIM_NAME_LOWER_X,
  SIM_NAME_LOWER_Y,
  SIM_NAME_LOWER_Z,
  SIM_NAME_UPPER_X,
  SIM_NAME_UPPER_Y,
  SIM_NAME_UPPER_Z,
  SIM_NAME_STRAIN,
  SIM_RUN_NAMES
};

/* Adds them. Returns the first index; SIM_MOST_NAMES if too many. */
uint32_t sim_scope_add_run_names(sim_scope* scope);

/* Sets the names of a particle of a body: its number in it, its column and row. */
void sim_scope_set_index(sim_scope* scope, uint32_t first, const sim_body* body, uint32_t i);

/* Sets three names from `which` on. */
void sim_scope_set_vector(sim_scope* scope, uint32_t first, uint32_t which, const float vector[3]);

typedef struct sim_result sim_result;

typedef struct sim_result_list {
  sim_result* items; /* [count] */
  size_t count;
  uint32_t run_names; /* index of the first run name */
  uint64_t noted;     /* states */
  uint32_t particle_count;
  float (*first)[3];     /* initial positions [particle_count] */
  float (*positions)[3]; /* [particle_count] */
  float (*velocities)[3];
  bool reads_particles, reads_measures; /* read in every step */
  bool has_curves;
} sim_result_list;

extern const sim_table sim_result_table;

/* Reads a list, NULL = none; free also after a failure. */
bool sim_read_results(const sim_source* source, const tool_tree* list, sim_scope* scope,
                      uint32_t run_names, sim_result_list* results);
void sim_free_results(sim_result_list* results);

bool sim_build_results(sim_result_list* results, const weft_scene* scene, tool_message* why);

/* Notes the effect of an event. */
void sim_note_event(sim_result_list* results, const sim_view* view);

/* Finds bodies and initial positions. */
bool sim_start_results(const sim_source* source, const sim_view* view, sim_result_list* results);

void sim_note_results(sim_result_list* list, const sim_view* view);

/* Notes the state, and tells the results in the order of the file. */
void sim_report_results(sim_result_list* list, const sim_view* view, sim_results* results);

/* Curves drawn while it runs; returns the count, which is constant. */
uint32_t sim_show_results(sim_result_list* list, const sim_view* view,
                          sim_shown shown[SIM_MOST_SHOWN]);

void sim_print_results(FILE* out);

#endif
