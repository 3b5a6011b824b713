/* The events of a scene file: what happens while it runs. Each kind is a table and a function: see
 * event_types.h. */
#ifndef TOOLS_SIM_FILE_EVENTS_H
#define TOOLS_SIM_FILE_EVENTS_H

#include "sim/file/bodies.h"
#include "sim/file/results.h"
#include "sim/scene.h"

typedef struct sim_event sim_event;

/* Object of an event: none, "body", or "body" and "particles". */
typedef enum sim_takes { SIM_TAKES_NOTHING, SIM_TAKES_BODY, SIM_TAKES_PARTICLES } sim_takes;

enum { SIM_MOST_VECTORS = 3 };

/* Keys of events: the struct of their tables, but for wind and bounds. */
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
  double share; /* of its steps, this one included; above 1 after its last */
} sim_event_call;

typedef struct sim_event_type {
  const char* name;
  const sim_table* table;
  sim_takes takes;
  bool lasts;                                /* it has `for` */
  bool has_start;                            /* it reads positions at its start: x0, y0, z0 */
  bool runs_after;                           /* and once more before the step after its last */
  const char* vectors[SIM_MOST_VECTORS + 1]; /* keys of the def's vectors, ended by NULL */
  /* One of both; the second one for each particle. */
  weft_result (*run)(sim_event* event, const sim_event_call* call);
  weft_result (*run_particle)(sim_event* event, const sim_event_call* call, uint32_t particle);
} sim_event_type;

struct sim_event {
  // read
  double at;
  const char* type_name;
  const char* body_name;
  const tool_tree* particles; /* NULL = all */
  const sim_event_type* type;
  void* def;                 /* the struct of type->table */
  sim_formula (*vectors)[3]; /* [SIM_MOST_VECTORS] */
  sim_formula limit;
  // ready
  const sim_body* body;
  bool* selected;        /* [body->made.particle_count]; NULL where it takes no particles */
  uint64_t first, steps; /* the step before which it happens, and how many take part */
  float* from;           /* positions of the body's particles at its start; to be freed */
  weft_grip grip;        /* grip of a pointer, while is_gripped */
  bool is_gripped;
  float held[3]; /* metres: where the grip began */
  uint32_t held_steps;
};

/* Evaluates a vector of an event. */
void sim_event_vector(const sim_event* event, const sim_event_call* call, int which,
                      float vector[3]);

typedef struct sim_events {
  sim_event* items; /* [count] */
  size_t count;
} sim_events;

/* Reads and checks all; the caller frees them either way. */
bool sim_read_events(const sim_source* source, const tool_tree* list, sim_events* events);

/* Once bodies are built: finds what the events are about, and the steps at which they happen. */
bool sim_prepare_events(const sim_source* source, const sim_bodies* bodies, int64_t step_ns,
                        sim_events* events);

/* Applies the events that are due before a step, in the order of the file; results note each. */
bool sim_run_events(const sim_source* source, const sim_view* view, sim_events* events,
                    sim_result_list* results);

/* True if one of them sets the wind. */
bool sim_events_blow(const sim_events* events);

/* Visits what events under way have stored: see sim_scene.keep. */
void sim_keep_events(sim_events* events, sim_keep* keep);

void sim_free_events(sim_events* events);
void sim_print_events(FILE* out);

#endif
