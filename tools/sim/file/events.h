/* Events of a scene file. Each kind is a table and a function: event_types.h. */
#ifndef TOOLS_SIM_FILE_EVENTS_H
#define TOOLS_SIM_FILE_EVENTS_H

#include "sim/file/bodies.h"
#include "sim/file/results.h"
#include "sim/scene.h"

typedef struct sim_event sim_event;

/* Object of an event: none, "body", or "body" and "particles". */
typedef enum sim_takes { SIM_TAKES_NOTHING, SIM_TAKES_BODY, SIM_TAKES_PARTICLES } sim_takes;

enum { SIM_MOST_VECTORS = 3 };

/* Keys of events, except wind and bounds. */
typedef struct sim_event_def {
  const tool_tree* vectors[SIM_MOST_VECTORS]; /* lists of three formulas; NULL = not given */
  const tool_tree* limit;                     /* a formula */
  double seconds;                             /* NaN = not given */
  double mass;
  float radius, number, vector[3];
} sim_event_def;

/* One call of an event, before a step. */
typedef struct sim_event_call {
  weft_world* world;
  sim_scope* scope;
  uint32_t run_names;
  double share; /* share of its steps, this one included; above 1 after its last */
} sim_event_call;

typedef struct sim_event_type {
  const char* name;
  const sim_table* table;
  sim_takes takes;
  bool lasts;                                /* it has `for` */
  bool has_start;                            /* reads positions at its start: x0, y0, z0 */
  bool runs_after;                           /* and once more before the step after its last */
  const char* vectors[SIM_MOST_VECTORS + 1]; /* keys of the def's vectors, ended by NULL */
  /* One of the two; the second is called for each particle. */
  weft_result (*run)(sim_event* event, const sim_event_call* call);
  weft_result (*run_particle)(sim_event* event, const sim_event_call* call, uint32_t particle);
} sim_event_type;

struct sim_event {
  // read
  double at;
  const char* type_name;
  const char* body_name;
  const tool_tree* particles; /* NULL = all particles */
  const sim_event_type* type;
  void* def;                 /* the struct of type->table */
  sim_formula (*vectors)[3]; /* [SIM_MOST_VECTORS] */
  sim_formula limit;
  // ready
  const sim_body* body;
  bool* selected;        /* [body->made.particle_count]; NULL without particles */
  uint64_t first, steps; /* first step that it precedes, and number of steps */
  float* from;           /* initial positions of the body's particles, to be freed */
  weft_grip grip;        /* pointer's grip, while is_gripped */
  bool is_gripped;
  float held[3]; /* metres: initial place of the grip */
  uint32_t held_steps;
};

void sim_event_vector(const sim_event* event, const sim_event_call* call, int which,
                      float vector[3]);

typedef struct sim_events {
  sim_event* items; /* [count] */
  size_t count;
} sim_events;

/* Reads and checks all; the caller frees them either way. */
bool sim_read_events(const sim_source* source, const tool_tree* list, sim_events* events);

/* Finds bodies, particles and steps of events, after the bodies are built. */
bool sim_prepare_events(const sim_source* source, const sim_bodies* bodies, int64_t step_ns,
                        sim_events* events);

/* Applies the events due before a step, in the file's order; results note each. */
bool sim_run_events(const sim_source* source, const sim_view* view, sim_events* events,
                    sim_result_list* results);

/* Visits the stored state of running events: sim_scene.keep. */
void sim_keep_events(sim_events* events, sim_keep* keep);

void sim_free_events(sim_events* events);
void sim_print_events(FILE* out);

#endif
