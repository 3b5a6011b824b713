/* weft-bench contacts: a whole scene of weft-sim with and without its contacts, step by step:
 * times, crossings of cloth, strain. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common/interrupt.h"
#include "common/json_file.h"
#include "run.h"
#include "runner.h"
#include "sim/crossings.h"
#include "sim/run.h"

// Steps of a world before the next has its turn; parts of a run in the tables.
enum { MOST_SETS = 64, TURN = 10, QUARTERS = 4 };

typedef struct contacts_settings {
  bench_plan plan;
  const char* scene; /* name, or path of a scene file */
  sim_settings sim;
  const char* sets[MOST_SETS];
  uint32_t look_every; /* steps between counts of crossings; 0 = at the end only */
  sim_results found;
} contacts_settings;

static bool add_set(void* target, const char* value, tool_message* why) {
  contacts_settings* settings = target;
  return tool_add_set(value, MOST_SETS, settings->sets, &settings->sim.set_count, why);
}

#define AT(member) offsetof(contacts_settings, member)
static const tool_option options[] = {
    TOOL_OPTION(WORD, "scene", "NAME", AT(scene),
                "'weft-sim list' names them: drop-folds, sheets, twist, ...; or a file"),
    TOOL_REPEATED_OPTION("set", "NAME=VALUE", 0, add_set,
                         "a parameter of the scene; may be repeated"),
    TOOL_RANGE(REAL, "seconds", "S", AT(sim.seconds), 1e-6, 1e6,
               "scene time (default the scene's own)"),
    TOOL_RANGE(WHOLE, "substeps", "N", AT(sim.substeps), 1, 1000,
               "substeps a step, 1 to 1000 (default the scene's own)"),
    TOOL_RANGE(WHOLE, "iterations", "N", AT(sim.iterations), 0, 10000,
               "iterations a substep, 0 to 10000 (default the scene's own)"),
    BENCH_THREADS_OPTION("(default 1 and all cores)"),
    BENCH_ISAS_OPTION("NAME", BENCH_ISA_NAMES),
    TOOL_RANGE(COUNT, "look", "N", AT(look_every), 0, 1000000,
               "steps from one count of crossings to the next; 0 = only at the end (default 10)"),
    BENCH_OUTPUT_OPTIONS,
    TOOL_OPTIONS_END,
};

static const char* const notes[] = {
    "Columns: ms, median, mean, 99 % and worst of single steps; ratio, the median over that "
    "without contacts, and the worst ratio of the medians of a quarter of the run; strain, the "
    "largest of a structural link at any count; crossings of edges and faces, the most at any "
    "count. Below: medians of the quarters of the run, and shares of the stages in all steps. "
    "'scene:' has the results that the scene itself reports.",
    "Exit status: 0 success, 2 error, 130 Ctrl-C; no file is written after Ctrl-C.",
    NULL,
};

typedef struct sim_row {
  bench_facts of;
  char contacts[8]; /* "with" or "without" */
  uint32_t faces;
  double quarter_ms[QUARTERS]; /* median of each quarter of the run */
  double ratio;         /* median step over the median without contacts, by as many threads */
  double quarter_ratio; /* the largest of a quarter */
  double stage_ms[WEFT_STAGE_COUNT]; /* means */
  double crossings;                  /* the most of all counts; NaN without faces */
  double last_crossings;             /* at the end */
  uint32_t looks;                    /* counts of crossings */
  double mean_strain, max_strain;    /* at the end; the largest of all counts */
} sim_row;

typedef struct contacts_world {
  bench_runner runner; /* without a world: the run's own */
  const contacts_settings* settings;
  sim_run* run;
  sim_row* row;
  bench_samples quarter_ms[QUARTERS];
  double spent_ms; /* in steps so far */
} contacts_world;

static bool remove_contacts(weft_world* world, tool_message* why) {
  weft_world_stats stats;
  return sim_check(weft_world_get_stats(world, &stats), why) &&
         sim_check(weft_world_set_particle_shape(world, weft_range(0, stats.particle_count), NULL),
                   why);
}

static bool create(contacts_world* one, uint32_t threads, bool with_contacts, tool_message* why) {
  sim_settings settings = one->settings->sim;
  settings.threads = threads;
  settings.keeps_cells = true;
  settings.is_profiled = true;
  tool_begin_indivisible();
  const sim_outcome outcome = sim_run_create(one->settings->scene, &settings, &one->run, why);
  tool_end_indivisible();
  if (outcome != SIM_OK) return false;
  const size_t steps = (size_t)sim_run_length(one->run);
  if (!bench_runner_create(&one->runner, steps, false, why)) return false;
  for (int q = 0; q < QUARTERS; ++q) {
    if (!bench_samples_create(&one->quarter_ms[q], steps / QUARTERS + 1, why)) return false;
  }
  snprintf(one->row->contacts, sizeof one->row->contacts, "%s", with_contacts ? "with" : "without");
  snprintf(one->runner.label, sizeof one->runner.label, "%s", one->row->contacts);
  return with_contacts || remove_contacts(sim_run_world(one->run), why);
}

static void destroy(contacts_world* one) {
  sim_run_destroy(&one->run);
  bench_runner_free(&one->runner);
  for (int q = 0; q < QUARTERS; ++q) bench_samples_free(&one->quarter_ms[q]);
}

// ---- steps ----

static bool look(contacts_world* one, tool_message* why) {
  const weft_world* world = sim_run_world(one->run);
  sim_row* row = one->row;
  weft_measures measures;
  if (!sim_check(weft_world_measure(world, &measures), why)) return false;
  row->mean_strain = (double)measures.mean_strain;
  row->max_strain = fmax(row->max_strain, (double)measures.max_strain);
  if (strcmp(row->contacts, "with") != 0) return true;
  row->last_crossings = sim_count_crossings(world);
  row->crossings = fmax(row->crossings, row->last_crossings);
  ++row->looks;
  return true;
}

/* Nothing after the end of the scene. */
static bool take_step(void* runner, tool_message* why) {
  contacts_world* one = runner;
  const uint64_t length = sim_run_length(one->run);
  const uint64_t step = sim_run_moment(one->run).step;
  if (step >= length) return true;
  if (!sim_run_step(one->run, why)) return false;
  const double spent_ms = sim_run_step_ms(one->run);
  bench_samples_add(&one->runner.step_ms, spent_ms - one->spent_ms);
  bench_samples_add(&one->quarter_ms[step * QUARTERS / length], spent_ms - one->spent_ms);
  one->spent_ms = spent_ms;
  const uint32_t every = one->settings->look_every;
  const bool is_due = every > 0 && (step + 1) % every == 0;
  return (!is_due && step + 1 < length) || look(one, why);
}

// ---- rows ----

#define ROW sim_row
#define STAGE(name, stage) BENCH_NAMED(name "_ms", REAL, stage_ms[WEFT_STAGE_##stage])
#define QUARTER(n) BENCH_NAMED("quarter_" #n "_ms", REAL, quarter_ms[n - 1])
static const bench_row_type row_type = BENCH_ROW_TYPE(
    BENCH_SCENE, BENCH_TEXT(contacts), BENCH_ISA, BENCH_PARTICLES, BENCH_LINKS, BENCH_COUNT(faces),
    BENCH_THREADS, BENCH_OF("substeps", COUNT, world.substeps),
    BENCH_OF("iterations", COUNT, world.iterations), BENCH_OF("steps", LARGE, world.step_count),
    BENCH_STEP_MS(median), BENCH_STEP_MS(mean), BENCH_STEP_MS(p99), BENCH_STEP_MS(max), QUARTER(1),
    QUARTER(2), QUARTER(3), QUARTER(4), BENCH_REAL(ratio), BENCH_REAL(quarter_ratio),
    STAGE("links", LINKS), STAGE("broad_phase", BROAD_PHASE),
    STAGE("self_collision", SELF_COLLISION), STAGE("particle_contacts", PARTICLE_CONTACTS),
    STAGE("colliders", COLLIDERS), STAGE("ccd", CCD), BENCH_REAL(crossings),
    BENCH_REAL(last_crossings), BENCH_COUNT(looks), BENCH_REAL(mean_strain), BENCH_REAL(max_strain),
    BENCH_OF("lost", LARGE, lost), BENCH_STATE_HASH);

static bool fill(contacts_world* one, tool_message* why) {
  bench_runner runner = one->runner;
  sim_row* row = one->row;
  runner.world = sim_run_world(one->run);
  bench_fill_facts(&runner, &row->of);
  if (!sim_check(weft_world_get_profile(runner.world, row->stage_ms), why) ||
      !sim_get_faces(runner.world, 0, NULL, &row->faces, why)) {
    return false;
  }
  snprintf(row->of.scene, sizeof row->of.scene, "%s", sim_run_name(one->run));
  row->of.lost += row->of.contacts.lost_touches;
  for (int i = 0; i < WEFT_STAGE_COUNT; ++i) {
    row->stage_ms[i] *= 1e3 / (double)row->of.world.step_count;
  }
  for (int q = 0; q < QUARTERS; ++q) {
    row->quarter_ms[q] = bench_samples_median(&one->quarter_ms[q]);
  }
  if (row->faces == 0) row->crossings = row->last_crossings = (double)NAN;
  return true;
}

// Rows with contacts stand before those without.
static void fill_ratios(sim_row* rows, size_t threads) {
  for (size_t i = 0; i < threads; ++i) {
    const sim_row* bare = &rows[threads + i];
    rows[i].ratio = rows[i].of.step_ms.median / bare->of.step_ms.median;
    for (int q = 0; q < QUARTERS; ++q) {
      rows[i].quarter_ratio =
          fmax(rows[i].quarter_ratio, rows[i].quarter_ms[q] / bare->quarter_ms[q]);
    }
    rows[threads + i].ratio = rows[threads + i].quarter_ratio = 1.0;
  }
}

// ---- tables ----

static void write_crossings(char cell[BENCH_MAX_CELL], const void* item) {
  const sim_row* row = item;
  if (isfinite(row->crossings) && row->looks > 0) {
    snprintf(cell, BENCH_MAX_CELL, "%.0f", row->crossings);
  }
}

static const bench_row_type table = BENCH_ROW_TYPE(
    BENCH_TEXT(contacts), BENCH_THREADS, BENCH_MS_CELL("ms", median, "%.2f"),
    BENCH_MS_CELL("mean", mean, "%.2f"), BENCH_MS_CELL("p99", p99, "%.2f"),
    BENCH_MS_CELL("worst", max, "%.2f"), BENCH_CELL("ratio", ratio, "%.2f"),
    BENCH_CELL("worst", quarter_ratio, "%.2f"), BENCH_SCALED("strain %", max_strain, "%.2f", 100.0),
    BENCH_WRITTEN("crossings", REAL, write_crossings), BENCH_HASH_CELL);
#undef ROW

static void print_stages(FILE* out, const sim_row* rows, size_t count) {
  static const char* const heads[] = {"contacts",  "threads",   "quarters: ms", "links", "self",
                                      "particles", "colliders", "ccd",          "rest"};
  static const int shown[] = {WEFT_STAGE_LINKS, WEFT_STAGE_SELF_COLLISION,
                              WEFT_STAGE_PARTICLE_CONTACTS, WEFT_STAGE_COLLIDERS, WEFT_STAGE_CCD};
  bench_text_row* text = calloc(count, sizeof *text);
  for (size_t i = 0; text && i < count; ++i) {
    const double* q = rows[i].quarter_ms;
    snprintf(text[i].cells[0], BENCH_MAX_CELL, "%s", rows[i].contacts);
    snprintf(text[i].cells[1], BENCH_MAX_CELL, "%u", rows[i].of.world.worker_count);
    snprintf(text[i].cells[2], BENCH_MAX_CELL, "%.2f  %.2f  %.2f  %.2f", q[0], q[1], q[2], q[3]);
    bench_format_stages(&text[i].cells[3], rows[i].stage_ms, shown, sizeof shown / sizeof shown[0]);
  }
  if (text) bench_text_rows_print(out, heads, "lrlrrrrrr", text, count);
  free(text);
}

static void print_results(FILE* out, const sim_results* results) {
  char text[8192] = "scene:";
  for (size_t i = 0; i < results->count; ++i) {
    const size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, " %s %.6g%s", results->items[i].name,
             results->items[i].value, i + 1 < results->count ? "," : "");
  }
  tool_write_wrapped(out, text, 0, 7);
}

static void print_rows(FILE* out, const sim_row* rows, size_t count, const sim_results* results) {
  const sim_row* row = &rows[0];
  fprintf(out,
          "\n%s: %u particles, %u links, %u faces; %s, %u steps of %u substeps, %u iterations\n",
          row->of.scene, row->of.world.particle_count, row->of.world.link_count, row->faces,
          row->of.isa, (uint32_t)row->of.world.step_count, row->of.world.substeps,
          row->of.world.iterations);
  bench_rows_print(out, &table, rows, count);
  fputc('\n', out);
  print_stages(out, rows, count);
  fputc('\n', out);
  if (row->faces > 0) {
    fprintf(out, "%u counts of crossings, %.0f in the last; ", row->looks, row->last_crossings);
  }
  fprintf(out, "strain at the end %.2f %% on average\n", 100.0 * row->mean_strain);
  print_results(out, results);
}

// ---- the command ----

static bool complete(void* target, bench_session* session, tool_message* why) {
  contacts_settings* settings = target;
  bench_plan* plan = &settings->plan;
  sim_settings* sim = &settings->sim;
  session->results.type = &row_type;
  if (settings->scene == NULL) return tool_because(why, "no scene: give --scene NAME");
  if (!bench_plan_has_one_isa(plan, "contacts", why)) return false;
  if (plan->threads.count == 0) plan->threads = bench_default_threads(&session->machine);
  sim->isa = plan->isas.items[0];
  sim->sets = settings->sets;
  return sim_run_check(settings->scene, sim, why) == SIM_OK;
}

static bool measure_worlds(contacts_settings* settings, contacts_world* worlds, sim_row* rows,
                           size_t count, bool quiet, tool_message* why) {
  const size_t threads = count / 2;
  bool ok = true;
  tool_progress_note("building the scene ..", quiet);
  for (size_t i = 0; ok && i < count; ++i) {
    worlds[i].settings = settings;
    worlds[i].row = &rows[i];
    ok = create(&worlds[i], settings->plan.threads.items[i % threads], i < threads, why);
  }
  tool_progress_note("", quiet);
  if (!ok) return false;
  const uint32_t turns_each = (uint32_t)((sim_run_length(worlds[0].run) + TURN - 1) / TURN);
  const bench_turns turns = {.runners = worlds,
                             .count = count,
                             .stride = sizeof *worlds,
                             .schedule = {0, TURN, turns_each},
                             .quiet = quiet,
                             .step = take_step};
  ok = bench_take_turns(&turns, why);
  for (size_t i = 0; ok && i < count; ++i) ok = fill(&worlds[i], why);
  if (!ok) return false;
  fill_ratios(rows, threads);
  settings->found = sim_run_results(worlds[0].run);
  return true;
}

static bool measure(void* target, bench_session* session, tool_message* why) {
  contacts_settings* settings = target;
  const size_t count = 2 * settings->plan.threads.count;
  sim_row* rows = bench_rows_append(&session->results, count, why);
  contacts_world* worlds = rows ? calloc(count, sizeof *worlds) : NULL;
  if (worlds == NULL) return tool_because(why, "no memory for %zu worlds", count);
  const bool ok = measure_worlds(settings, worlds, rows, count, session->output.quiet, why);
  for (size_t i = 0; i < count; ++i) destroy(&worlds[i]);
  free(worlds);
  if (ok) print_rows(session->tables, rows, count, &settings->found);
  return ok;
}

static bool write_files(const void* target, const bench_session* session, tool_message* why) {
  const sim_results* found = &((const contacts_settings*)target)->found;
  json_t* scene = json_object();
  for (size_t i = 0; i < found->count; ++i) {
    json_object_set_new(scene, found->items[i].name, tool_json_number(found->items[i].value));
  }
  return bench_write_results(session, json_pack("{so}", "scene", scene), why);
}

int command_contacts(int argc, char** argv) {
  static const bench_command command = {
      {"contacts", "Usage: weft-bench contacts --scene NAME|FILE.json [OPTION...]\n",
       "Runs a scene of weft-sim from its first step to its last, with contacts and without, ten "
       "steps of each in turn, and counts crossings of cloth by a test that shares no code with "
       "the engine. Without contacts cloth falls through everything.",
       options, notes, NULL},
      false,
      complete,
      measure,
      write_files};
  contacts_settings settings = {
      .plan = bench_default_plan(NULL), .sim = sim_default_settings(), .look_every = 10};
  return bench_run(&command, &settings, argc, argv);
}
