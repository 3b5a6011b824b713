/* Runs of weft-sim's scenes, as by `weft-sim run`. */
#ifndef TESTS_SUPPORT_SIM_RUNS_H
#define TESTS_SUPPORT_SIM_RUNS_H

#include "sim/run.h"
#include "support/worlds.h"

static inline void destroy_run(void* object) {
  sim_run* run = object;
  sim_run_destroy(&run);
}

/* The run is destroyed at the end of the test. */
static inline sim_run* new_run(const char* name, const sim_settings* settings) {
  sim_run* run = NULL;
  tool_message why;
  if (sim_run_create(name, settings, &run, &why) != SIM_OK) ck_abort_msg("%s: %s", name, why.text);
  destroy_at_end(destroy_run, run);
  return run;
}

static inline void take_steps(sim_run* run, uint64_t count) {
  tool_message why;
  for (uint64_t i = 0; i < count; ++i) {
    if (!sim_run_step(run, &why)) ck_abort_msg("%s", why.text);
  }
}

/* Appends a "name=value" to the settings; the list must have room for it. */
static inline void set_param(sim_settings* settings, const char** sets, const char* assignment) {
  sets[settings->set_count++] = assignment;
  settings->sets = sets;
}

enum { MOST_SETS = 24 };

/* Shrinks large scenes to a test's size. */
static inline void make_small(const char* name, sim_settings* settings, const char** sets) {
  static const struct {
    const char *name, *assignment;
  } small[] = {
      {"bodies", "count=200"},   {"bullet", "bullets=50"}, {"bullet", "size=9"},
      {"crowd", "ragdolls=100"}, {"crowd", "ropes=30"},    {"drape-sphere", "size=25"},
      {"drop-folds", "size=17"}, {"sheets", "size=9"},     {"slope", "size=17"},
      {"squeeze", "size=25"},    {"twist", "size=9"},      {"funnel", "size=17"},
      {"garment", "rows=12"},    {"skirt", "rows=12"},     {"towels", "count=4"},
      {"grip", "size=13"},       {"knot", "size=100"},     {"tangle", "size=17"},
      {"rod", "size=40"},        {"towels", "size=15"},
  };
  for (size_t i = 0; i < sizeof small / sizeof small[0]; ++i) {
    if (strcmp(name, small[i].name) == 0) set_param(settings, sets, small[i].assignment);
  }
}

/* A scene, seconds, rate, substeps and threads (0 = the scene's), and parameters, ended by NULL. */
typedef struct sim_case {
  const char* name;
  double seconds, rate;
  uint32_t substeps, threads;
  weft_isa isa;
  const char* sets[MOST_SETS];
} sim_case;

static inline sim_run* new_sim_run(const sim_case* c) {
  sim_settings settings = sim_default_settings();
  settings.sets = c->sets;
  while (c->sets[settings.set_count]) ++settings.set_count;
  settings.seconds = c->seconds;
  settings.rate = c->rate;
  if (c->substeps > 0) settings.substeps = c->substeps;
  settings.threads = c->threads;
  settings.isa = c->isa;
  return new_run(c->name, &settings);
}

/* A list of "name=value", for new_run_of(). */
#define SETS(...) ((const char* const[]){__VA_ARGS__, NULL})

/* Run with a time scale: below 1 is slow motion. */
static inline sim_run* new_run_at(const char* name, double rate, double seconds, double time_scale,
                                  const char* const* sets) {
  sim_settings settings = sim_default_settings();
  while (sets[settings.set_count]) ++settings.set_count;
  settings.sets = sets;
  settings.rate = rate;
  settings.seconds = seconds;
  settings.time_scale = time_scale;
  return new_run(name, &settings);
}

static inline sim_run* new_run_of(const char* name, double rate, double seconds,
                                  const char* const* sets) {
  return new_run_at(name, rate, seconds, 1.0, sets);
}

/* Steps the run up to this second of its time. */
static inline void run_until(sim_run* run, double seconds) {
  tool_message why;
  while (sim_run_moment(run).time + 0.5 * sim_run_moment(run).h < seconds) {
    if (!sim_run_step(run, &why)) ck_abort_msg("%s", why.text);
  }
}

static inline void run_to_the_end(sim_run* run) {
  run_until(run, (double)sim_run_length(run) * sim_run_moment(run).h);
}

static inline double result_of(const sim_run* run, const char* name) {
  const sim_results results = sim_run_results(run);
  double value = 0.0;
  if (!sim_find_result(&results, name, &value)) ck_abort_msg("there is no result %s", name);
  return value;
}

static inline sim_facts facts_of(const sim_run* run) {
  sim_facts facts;
  tool_message why;
  if (!sim_run_facts(run, &facts, &why)) ck_abort_msg("%s", why.text);
  return facts;
}

#endif
