/* A scene that runs by name: its parameters, building, work while it runs, and results. Each is one
 * file in scenes/ and one line in scenes/list.h. A scene is the same in every run: it draws only
 * its own random numbers and does not ask for the time. */
#ifndef TOOLS_SIM_SCENE_H
#define TOOLS_SIM_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/message.h"
#include "sim/keep.h"
#include "weft/weft.h"

// ---- parameters ----

typedef enum sim_kind {
  SIM_NUMBER, /* a real number from lower to upper */
  SIM_COUNT,  /* a whole number from lower to upper, at most 2^32 - 1 */
  SIM_CHOICE, /* one of the words of `choices` */
  SIM_FLAG,   /* true or false */
  SIM_TEXT,   /* parsed by the scene: a script, a path */
} sim_kind;

/* Parameter of a scene, set by `--set name=value`. */
typedef struct sim_param {
  const char* name;    /* NULL ends a list */
  const char* summary; /* with the unit */
  sim_kind kind;
  double usual;        /* default: a number, the index of a choice, 0 or 1 */
  double lower, upper; /* range of numbers and counts */
  /* words of a choice, ended by NULL; of a text only the usual one; else NULL */
  const char* const* choices;
} sim_param;

enum { SIM_MOST_PARAMS = 32, SIM_MOST_TEXTS = 2, SIM_TEXT_SIZE = 4096 };

typedef struct sim_values {
  const sim_param* params;
  double items[SIM_MOST_PARAMS]; /* a text is an index into texts */
  bool is_set[SIM_MOST_PARAMS];  /* by sim_set_value() */
  char texts[SIM_MOST_TEXTS][SIM_TEXT_SIZE];
} sim_values;

sim_values sim_usual_values(const sim_param* params);

/* Sets a parameter from "name=value". */
bool sim_set_value(sim_values* values, const char* assignment, tool_message* why);

/* Writes a value as sim_set_value() reads it. */
void sim_format_value(const sim_values* values, size_t param, char text[SIM_TEXT_SIZE]);

/* True if the values are a snapshot's; else `why` names one that differs. */
bool sim_check_values(const sim_values* values, const sim_values* saved, tool_message* why);

/* Values of parameters that go together. */
typedef struct sim_preset {
  const char* name;               /* choice of the parameter "preset"; NULL ends a list */
  const char* const* assignments; /* "name=value", ended by NULL */
} sim_preset;

/* Sets the chosen preset's parameters, except explicit ones. `presets` may be NULL. */
void sim_apply_preset(sim_values* values, const sim_preset* presets);

/* Value of a parameter of that name and kind, which must exist. */
double sim_number(const sim_values* values, const char* name);
uint32_t sim_count(const sim_values* values, const char* name);
uint32_t sim_choice(const sim_values* values, const char* name);
bool sim_flag(const sim_values* values, const char* name);
const char* sim_text(const sim_values* values, const char* name);

// ---- results ----

enum { SIM_MOST_RESULTS = 64, SIM_MOST_RESULT_NAME = 64 };

/* Numbers reported by a scene: bounces, a period. */
typedef struct sim_results {
  struct {
    char name[SIM_MOST_RESULT_NAME];
    double value;
  } items[SIM_MOST_RESULTS];
  size_t count;
} sim_results;

/* Replaces a result of the same name, of less than 64 bytes. */
void sim_add_result(sim_results* results, const char* name, double value);

/* False without a result of that name. */
bool sim_find_result(const sim_results* results, const char* name, double* value);

// ---- scenes ----

/* The moment before a step. */
typedef struct sim_moment {
  uint64_t step; /* taken so far */
  double time;   /* seconds of the steps taken */
  double h;      /* seconds of the next step */
} sim_moment;

/* Input of a person while a scene runs. */
typedef struct sim_input {
  const char* key; /* key pressed or released; NULL = `point` is given */
  bool is_down;
  float point[3]; /* metres, to be followed */
} sim_input;

enum { SIM_MOST_SHOWN = 8 };

/* A curve drawn while a scene runs, and maybe a world beside the scene's. */
typedef struct sim_shown {
  const char* name;
  double value;            /* present value of the curve */
  const weft_world* world; /* with the scene's links; NULL = only the curve */
  float offset[3];         /* metres, of the drawn world */
} sim_shown;

typedef struct sim_scene {
  const char* name;
  const char* summary;       /* a line */
  const sim_param* params;   /* ended by one without a name; NULL = none */
  const sim_preset* presets; /* NULL = none */
  double seconds;            /* default duration */
  double rate;               /* default steps a second */

  /* Describes the scene. The def is the default one with the rate and the command line's requests,
   * which must stay. *state is the scene's own, NULL at first, freed also after a failure: see
   * free. */
  bool (*build)(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                tool_message* why);
  /* Before the first step: bounds, wind, joints. May be NULL. */
  bool (*start)(weft_world* world, const weft_world_def* def, void* state, tool_message* why);
  /* Before every step: motion, tears, keys, counts. May be NULL. */
  bool (*before_step)(weft_world* world, const sim_moment* moment, void* state, tool_message* why);
  /* May be NULL. */
  void (*report)(const weft_world* world, void* state, sim_results* results);
  /* CSV of --table: header line and rows. NULL = no table. */
  const char* columns;
  void (*write_rows)(void* state, FILE* out);
  /* Frees the members of a state that is not NULL, not the state; may be NULL. */
  void (*free)(void* state);
  /* Between steps, and part of the state. May be NULL. */
  bool (*input)(weft_world* world, void* state, const sim_input* input, tool_message* why);
  const char* const* keys; /* names of its keys, ended by NULL; NULL = none */
  bool has_point;          /* it takes points */
  /* Returns the count, which is constant. May be NULL. */
  uint32_t (*show)(const weft_world* world, void* state, sim_shown shown[SIM_MOST_SHOWN]);
  /* Visits the state that before_step() reads and changes, for a snapshot; reported numbers begin
   * anew after it. May be NULL. */
  void (*keep)(void* state, sim_keep* keep);
  /* Explains the library's refusal of the world. May be NULL. */
  void (*explain)(void* state, weft_result result, tool_message* why);
} sim_scene;

/* True if a call into the library succeeded; else `why` has its error. */
bool sim_check(weft_result result, tool_message* why);

/* Gets an attribute of a range, packed; sets it. */
static inline bool sim_get(const weft_world* world, weft_attribute attribute, uint32_t first,
                           uint32_t count, void* values, tool_message* why) {
  return sim_check(weft_world_get(world, attribute, weft_range(first, count), values, 0), why);
}
static inline bool sim_set(weft_world* world, weft_attribute attribute, uint32_t first,
                           uint32_t count, const void* values, size_t stride, tool_message* why) {
  return sim_check(weft_world_set(world, attribute, weft_range(first, count), values, stride), why);
}

// ---- the catalogue ----

extern const size_t sim_scene_count;
const char* sim_scene_name(size_t index);

/* A scene by number. Not thread-safe. */
const sim_scene* sim_scene_at(size_t index);

/* The scene of that name; NULL without it, with a near name in `why`. */
const sim_scene* sim_find_scene(const char* name, tool_message* why);

/* A scene to run; *state is its own, to be freed as by a run, also after a failure. */
bool sim_open_scene(const char* name, sim_scene* scene, void** state, tool_message* why);

#endif
