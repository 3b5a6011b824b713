/* Results of a scene file: numbers that `results` describes, noted before every step and at the
 * end.
 *
 * A result is a formula of the world (`is`), or of each particle (`each`) of which one number is
 * taken; and of its values over time the last one, an extreme, or the like. A gauge is a group of
 * results that a formula does not express: see gauges.c. */
#ifndef TOOLS_SIM_FILE_RESULTS_H
#define TOOLS_SIM_FILE_RESULTS_H

#include "sim/file/bodies.h"
#include "sim/file/contacts.h"
#include "sim/file/formula.h"
#include "sim/scene.h"

typedef struct sim_gauge sim_gauge;

/* A moment that results are noted at. */
typedef struct sim_view {
  weft_world* world; /* gauges take its events, and change nothing else */
  const sim_bodies* bodies;
  const sim_colliders* colliders;
  sim_scope* scope;
  uint64_t step;
  double time, h; /* seconds */
} sim_view;

struct sim_gauge {
  const char* name;
  const sim_table* table; /* its options and state: zeros but for those */
  /* Once, after the scene is built; may be NULL. */
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

/* Names of what formulas read while a scene runs. */
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

/* Adds them. Returns the index of the first one; SIM_MOST_NAMES where there are too many. */
uint32_t sim_scope_add_run_names(sim_scope* scope);

/* Sets the names of a particle of a body: its number in it, its column and row. */
void sim_scope_set_index(sim_scope* scope, uint32_t first, const sim_body* body, uint32_t i);

/* Sets three names from `which` on. */
void sim_scope_set_vector(sim_scope* scope, uint32_t first, uint32_t which, const float vector[3]);

typedef struct sim_result sim_result;

typedef struct sim_result_list {
  sim_result* items; /* [count] */
  size_t count;
  uint32_t run_names; /* index of the first of the names above */
  uint64_t noted;     /* states */
  uint32_t particle_count;
  float (*first)[3];     /* positions at the start [particle_count] */
  float (*positions)[3]; /* [particle_count] */
  float (*velocities)[3];
  bool reads_particles, reads_measures; /* in every step */
  bool has_curves;
} sim_result_list;

extern const sim_table sim_result_table;

/* Reads a list, NULL for none; free also where this fails. */
bool sim_read_results(const sim_source* source, const tool_tree* list, sim_scope* scope,
                      uint32_t run_names, sim_result_list* results);
void sim_free_results(sim_result_list* results);

/* Looks at the scene that was built. */
bool sim_build_results(sim_result_list* results, const weft_scene* scene, tool_message* why);

/* Notes the effect of an event. */
void sim_note_event(sim_result_list* results, const sim_view* view);

/* Finds bodies, and the positions to begin with. */
bool sim_start_results(const sim_source* source, const sim_view* view, sim_result_list* results);

/* Notes a state, once. */
void sim_note_results(sim_result_list* list, const sim_view* view);

/* Notes the state, and tells the results in the order of the file. */
void sim_report_results(sim_result_list* list, const sim_view* view, sim_results* results);

/* Curves that are drawn while it runs; returns the count, the same at all times. */
uint32_t sim_show_results(sim_result_list* list, const sim_view* view,
                          sim_shown shown[SIM_MOST_SHOWN]);

void sim_print_results(FILE* out);

#endif
