/* A scene that the tool runs by name: what can be set about it, how it is built, what happens while
 * it runs and what is told of it afterwards. Each is one file in scenes/ and one line in
 * scenes/list.h. A scene must be the same in every run: it draws no random numbers but its own, and
 * does not ask for the time. */
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
  SIM_NUMBER, /* a real number from least to most */
  SIM_COUNT,  /* a whole number from least to most, at most 2^32 - 1 */
  SIM_CHOICE, /* one of the words of `choices` */
  SIM_FLAG,   /* true or false */
  SIM_TEXT,   /* parsed by the scene: a script, a path */
} sim_kind;

/* Parameter of a scene, set by `--set name=value`. */
typedef struct sim_param {
  const char* name;    /* NULL ends a list of parameters */
  const char* summary; /* with the unit */
  sim_kind kind;
  double usual;        /* default: a number, the index of a choice, 0 or 1 */
  double lower, upper; /* range of numbers and counts */
  /* The words of a choice, ended by NULL; of a text the usual one alone; else NULL */
  const char* const* choices;
} sim_param;

enum { SIM_MOST_PARAMS = 32, SIM_MOST_TEXTS = 2, SIM_TEXT_SIZE = 4096 };

/* The values of all parameters of a scene. */
typedef struct sim_values {
  const sim_param* params;
  double items[SIM_MOST_PARAMS]; /* a text is an index into texts */
  bool is_set[SIM_MOST_PARAMS];  /* by sim_set_value() */
  char texts[SIM_MOST_TEXTS][SIM_TEXT_SIZE];
} sim_values;

sim_values sim_usual_values(const sim_param* params);

/* Sets one from "name=value". */
bool sim_set_value(sim_values* values, const char* assignment, tool_message* why);

/* Writes a value as sim_set_value() reads it. */
void sim_format_value(const sim_values* values, size_t param, char text[SIM_TEXT_SIZE]);

/* True if the values are those of a snapshot; else `why` names one that differs. */
bool sim_check_values(const sim_values* values, const sim_values* saved, tool_message* why);

/* Values of parameters that go together. */
typedef struct sim_preset {
  const char* name;               /* a choice of the parameter "preset"; NULL ends a list */
  const char* const* assignments; /* "name=value", ended by NULL */
} sim_preset;

/* Sets the parameters of the preset chosen, but for those that have been set. `presets` may be
 * NULL. */
void sim_apply_preset(sim_values* values, const sim_preset* presets);

/* Value of a parameter of the scene, which must have that name and kind. */
double sim_number(const sim_values* values, const char* name);
uint32_t sim_count(const sim_values* values, const char* name);
uint32_t sim_choice(const sim_values* values, const char* name);
bool sim_flag(const sim_values* values, const char* name);
const char* sim_text(const sim_values* values, const char* name);

// ---- results ----

enum { SIM_MOST_RESULTS = 64, SIM_MOST_RESULT_NAME = 64 };

/* Numbers that a scene tells of itself: bounces, a period. */
typedef struct sim_results {
  struct {
    char name[SIM_MOST_RESULT_NAME];
    double value;
  } items[SIM_MOST_RESULTS];
  size_t count;
} sim_results;

/* Sets a result anew where its name, of less than 64 bytes, is there already. */
void sim_add_result(sim_results* results, const char* name, double value);

/* False where there is no result of that name. */
bool sim_find_result(const sim_results* results, const char* name, double* value);

// ---- scenes ----

/* The moment before a step. */
typedef struct sim_moment {
  uint64_t step; /* steps taken so far */
  double time;   /* seconds of them */
  double h;      /* seconds of the next one */
} sim_moment;

/* Input of a person while a scene runs. */
typedef struct sim_input {
  const char* key; /* key that is pressed or let go; NULL = `point` is given */
  bool is_down;
  float point[3]; /* metres: that something follows */
} sim_input;

enum { SIM_MOST_SHOWN = 8 };

/* A curve that is drawn while a scene runs, and maybe a world beside that of the scene. */
typedef struct sim_shown {
  const char* name;
  double value;            /* of the curve, now */
  const weft_world* world; /* with the links of the scene; NULL = the curve alone */
  float offset[3];         /* metres: where it is drawn */
} sim_shown;

typedef struct sim_scene {
  const char* name;
  const char* summary;       /* a line */
  const sim_param* params;   /* ended by one without a name; NULL = there are none */
  const sim_preset* presets; /* NULL = there are none */
  double seconds;            /* that it runs, unless something else is asked for */
  double rate;               /* steps a second, likewise */

  /* Describes the scene. The def is the default one with the rate and with what the command line
   * asks for; it may be changed, but for what the command line asks for. *state is the scene's own,
   * NULL at first, and is freed also where this fails; see free. */
  bool (*build)(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                tool_message* why);
  /* Once, before the first step: bounds, wind, joints. May be NULL. */
  bool (*start)(weft_world* world, const weft_world_def* def, void* state, tool_message* why);
  /* Before every step: what moves, tears, is pressed; what is counted. May be NULL. */
  bool (*before_step)(weft_world* world, const sim_moment* moment, void* state, tool_message* why);
  /* May be NULL. */
  void (*report)(const weft_world* world, void* state, sim_results* results);
  /* The CSV of --table: header line and rows. NULL = no table. */
  const char* columns;
  void (*write_rows)(void* state, FILE* out);
  /* Frees what a state that is not NULL holds, and not the state itself; may be NULL. */
  void (*free)(void* state);
  /* Between steps, and part of the state. May be NULL. */
  bool (*input)(weft_world* world, void* state, const sim_input* input, tool_message* why);
  const char* const* keys; /* names of keys that it takes, ended by NULL; NULL = none */
  bool has_point;          /* it takes points */
  /* Returns the count, the same at all times. May be NULL. */
  uint32_t (*show)(const weft_world* world, void* state, sim_shown shown[SIM_MOST_SHOWN]);
  /* Visits what later calls of before_step() read of the state and earlier ones have changed, for
   * a snapshot. What is only reported begins anew after it. May be NULL. */
  void (*keep)(void* state, sim_keep* keep);
  /* Says why the library refused the world. May be NULL. */
  void (*explain)(void* state, weft_result result, tool_message* why);
} sim_scene;

/* True when a call into the library went well; or else `why` says what the library said of it. */
bool sim_check(weft_result result, tool_message* why);

// ---- the catalogue ----

extern const size_t sim_scene_count;
const char* sim_scene_name(size_t index);

/* What a scene has, by its number. Not for several threads. */
const sim_scene* sim_scene_at(size_t index);

/* The scene of that name; NULL where there is none, and then `why` names one that is near. */
const sim_scene* sim_find_scene(const char* name, tool_message* why);

/* A scene to run, likewise; *state is its own, to be freed as by a run also where this fails. */
bool sim_open_scene(const char* name, sim_scene* scene, void** state, tool_message* why);

#endif
