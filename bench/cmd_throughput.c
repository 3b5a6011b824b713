/* weft-bench throughput: the time of a step, on every rung of the ladder. */
#include <inttypes.h>
#include <string.h>

#include "commands.h"
#include "common/integrators.h"
#include "common/interrupt.h"
#include "common/number.h"
#include "common/progress.h"
#include "contact_run.h"
#include "ladder.h"
#include "pace.h"
#include "run.h"
#include "scaling.h"

/* particles along a side of the sheets of contact scenes */
enum { USUAL_SIZE = 257 };

typedef struct throughput_settings {
  bench_plan plan;
  bench_schedule schedule;
  uint32_t iterations; /* as given; 0 = the scene's own */
} throughput_settings;

static const tool_option options[] = {
    BENCH_SCENES_OPTIONS(
        3,
        "sheet, a hanging square cloth (default); drape-sphere, a sheet that falls "
        "onto a sphere; drop-folds, a sheet that falls in folds onto a floor and "
        "itself, with CCD (both of size 257 unless --size says so)"),
    TOOL_HEADING("Runs:"),
    BENCH_THREADS_OPTION("threads of the engine's rungs (default 1 and all cores)"),
    BENCH_BIND_OPTION,
    BENCH_ANY_ISAS_OPTION,
    BENCH_ITERATIONS_OPTION(
        "sweeps over all links a step (default 10; with contacts, the scene's own)"),
    TOOL_CHOICE(
        NAME, "integrator", "NAME", offsetof(throughput_settings, plan.integrator),
        WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 1, tool_integrators,
        "sheets of springs instead of constraints, by this integrator: position_verlet, "
        "velocity_verlet, semi_implicit_euler, explicit_euler, implicit_euler, runge_kutta_4; then "
        "ns/link is of a step and a spring, and serial rungs, which have no springs, sweep rigid "
        "links once"),
    TOOL_RANGE(COUNT, "steps", "S", offsetof(throughput_settings, schedule.steps), 1, 100000,
               "steps of each rung in one repeat (default about half a second of the slowest rung, "
               "but 3 to 100; with contacts 5)"),
    TOOL_RANGE(COUNT, "repeats", "R", offsetof(throughput_settings, schedule.repeats), 1, 1000,
               "turns of each rung (default 5)"),
    TOOL_RANGE(COUNT, "warmup", "W", offsetof(throughput_settings, schedule.warmup), 0, 100000,
               "steps of each rung before that, not timed (default 2; with contacts 60 on the "
               "sphere, 90 in folds)"),
    BENCH_OUTPUT_OPTIONS,
    BENCH_TRACE_OPTIONS,
    TOOL_OPTIONS_END,
};

static const char* const notes[] = {
    "Columns: threads at work, 'of' those asked for where a small scene or the machine has fewer; "
    "ms/step, the median of all timed steps, with the fastest and the slowest; natural, colored: "
    "the speed-up of a whole step over that serial rung; strain, the mean of structural links "
    "after the last step: a ratio counts where the strain beside it is as good; ns/link, a step "
    "over links times iterations; 'round trip ns', the time in which a cache line goes to another "
    "core and back, before and after the row, with a '*' if the two differ by more than 1.6 times. "
    "Serial rungs are compiled for this machine. With contacts, 'x without' is the time of a step "
    "over that without contacts; the second table has the shares of the stages in a step, on the "
    "first thread: self is self-collision, particles are particle contacts.",
    "Exit status: 0 success, 2 error, 130 Ctrl-C; no file is written after Ctrl-C.",
    NULL,
};

static void write_rung(char cell[BENCH_MAX_CELL], const void* item) {
  const bench_result* row = item;
  const bool is_engine = row->of.world.patch_count > 0;
  snprintf(cell, BENCH_MAX_CELL, "%s%s%s", row->solver, is_engine ? " " : "",
           is_engine ? row->of.isa : "");
}

static void write_round_trip(char cell[BENCH_MAX_CELL], const void* item) {
  const bench_result* row = item;
  bench_format_round_trip(cell, BENCH_MAX_CELL, row->of.world.worker_count,
                          row->round_trip_before_ns, row->round_trip_after_ns);
}

#define ROW bench_result
static const bench_row_type time_table = BENCH_ROW_TYPE(
    BENCH_WRITTEN("rung", TEXT, write_rung), BENCH_THREADS_CELL,
    BENCH_MS_CELL("ms/step", median, "%.3f"), BENCH_MS_CELL("min", min, "%.3f"),
    BENCH_MS_CELL("max", max, "%.3f"), BENCH_CELL("natural", ratio_to_serial_natural, "%.2f"),
    BENCH_CELL("colored", ratio_to_serial_colored, "%.2f"),
    BENCH_NAMED("strain", STRAIN, strain.mean), BENCH_HASH_CELL);
static const bench_row_type solve_table =
    BENCH_ROW_TYPE(BENCH_WRITTEN("rung", TEXT, write_rung), BENCH_THREADS_CELL,
                   BENCH_CELL("ns/link", solve_ns_per_link, "%.3f"),
                   BENCH_SCALED("Mlinks/s", links_per_second, "%.0f", 1e-6),
                   BENCH_CELL("build ms", build_ms, "%.1f"), BENCH_NAMED("MiB", MIB, bytes),
                   BENCH_NAMED("max strain", STRAIN, strain.max),
                   BENCH_WRITTEN("round trip ns", REAL, write_round_trip));
#undef ROW

static void print_facts(FILE* out, const bench_schedule* schedule, const bench_result* row) {
  char title[BENCH_MAX_TITLE];
  bench_scene_title(row->of.scene, row->of.size, row->of.count, title);
  fprintf(out, "\n%s: %u particles, %u links, ", title, row->of.world.particle_count,
          row->of.world.link_count);
  fprintf(out, "%u patch%s in %u colour%s; ", row->of.world.patch_count,
          row->of.world.patch_count == 1 ? "" : "es", row->of.world.patch_color_count,
          tool_plural(row->of.world.patch_color_count));
  fprintf(out, "%u iteration%s, %u repeat%s of %u step%s\n", row->iterations,
          tool_plural(row->iterations), schedule->repeats, tool_plural(schedule->repeats),
          schedule->steps, tool_plural(schedule->steps));
}

static void print_rows(FILE* out, const bench_schedule* schedule, const bench_result* rows,
                       size_t count) {
  print_facts(out, schedule, &rows[count - 1]);
  bench_rows_print(out, &time_table, rows, count);
  fputc('\n', out);
  bench_rows_print(out, &solve_table, rows, count);
  for (size_t i = 0; i < count; ++i) {
    if (!bench_round_trip_moved(rows[i].round_trip_before_ns, rows[i].round_trip_after_ns))
      continue;
    fputs(bench_round_trip_footnote, out);
    return;
  }
}

/* All rungs of a scene are in memory together. */
static double particle_bytes(const bench_plan* plan) {
  const double world_count = (double)plan->isas.count * (double)plan->threads.count;
  return 320.0 + 55.0 * world_count;  // measured at 2048 x 2048
}

/* The other options are for hanging sheets. */
static bool complete_contacts(throughput_settings* settings, bench_contact_kind kind,
                              tool_message* why) {
  bench_plan* plan = &settings->plan;
  const char* name = bench_contact_name(kind);
  if (plan->scene_count == 0) {
    plan->scenes[plan->scene_count++] = (bench_scene_request){.sheet_size = USUAL_SIZE};
  }
  for (uint32_t i = 0; i < plan->scene_count; ++i) {
    if (plan->scenes[i].mesh_path) return tool_because(why, "--mesh: %s is no mesh", name);
  }
  if (plan->count > 1) return tool_because(why, "--count: there is one sheet in %s", name);
  if (plan->pin.kind != BENCH_PIN_DEFAULT) {
    return tool_because(why, "--pin: the sheet of %s is not pinned", name);
  }
  if (settings->schedule.steps == 0) settings->schedule.steps = 5;
  return true;
}

/* Springs only: there is nothing to sweep. */
static bool complete_springs(throughput_settings* settings, tool_message* why) {
  bench_plan* plan = &settings->plan;
  if (plan->scene > 0) {
    return tool_because(why, "--integrator: %s has no springs", bench_scene_names[plan->scene]);
  }
  if (settings->iterations > 0) {
    return tool_because(why, "--iterations: springs of --integrator are not swept");
  }
  for (uint32_t i = 0; i < plan->scene_count; ++i) {
    if (plan->scenes[i].mesh_path) return tool_because(why, "--mesh: --integrator is for sheets");
    plan->scenes[i].integrator = tool_integrators[plan->integrator];
  }
  plan->iterations = 1;
  return true;
}

static bool complete(void* target, bench_session* session, tool_message* why) {
  throughput_settings* settings = target;
  bench_plan* plan = &settings->plan;
  bench_contact_kind kind;
  const tool_count_list threads = bench_default_threads(&session->machine);
  const bool has_contacts = bench_plan_has_contacts(plan, &kind);
  settings->iterations = plan->iterations;
  if (has_contacts && !complete_contacts(settings, kind, why)) return false;
  if (settings->schedule.warmup == BENCH_USUAL_WARMUP) {
    settings->schedule.warmup = has_contacts ? bench_contact_warmup(kind) : 2;
  }
  session->results.type = has_contacts ? &bench_contact_type : &bench_result_type;
  return bench_plan_complete(plan, &threads, NULL, why) &&
         (plan->integrator < 0 || complete_springs(settings, why)) &&
         bench_plan_bind(plan, &session->machine, why) &&
         bench_plan_fits(plan, particle_bytes(plan), &session->machine, why);
}

/* Measures one scene, prints and appends its rows. False without a message when interrupted. */
static bool run_ladder(const throughput_settings* settings, bench_session* session,
                       bench_scene* scene, tool_message* why) {
  bench_schedule schedule = settings->schedule;
  bench_rows* results = &session->results;
  if (schedule.steps == 0) {
    schedule.steps = bench_default_steps(scene->link_count, settings->plan.iterations);
  }
  const size_t sample_count = (size_t)schedule.steps * schedule.repeats;
  const size_t first_row = results->count;
  bench_ladder ladder;
  const bool made = bench_ladder_make(&settings->plan, sample_count, scene, &ladder, why);
  tool_progress_note("", session->output.quiet);
  if (!made) return false;
  bool ok = bench_ladder_measure(&schedule, scene, session->output.quiet, &ladder);
  ok = ok && bench_ladder_append_rows(scene, settings->plan.iterations, &ladder, results, why);
  if (ok) {
    const bench_result* rows = results->items;
    print_rows(session->tables, &schedule, rows + first_row, ladder.count);
    fflush(session->tables);
  }
  bench_ladder_free(&ladder);
  return ok;
}

/* Records each world of the engine by itself, in steps that are not timed. */
static bool trace_rungs(const throughput_settings* settings, bench_session* session,
                        const bench_scene* scene, tool_message* why) {
  const bench_plan* plan = &settings->plan;
  bool ok = true;
  for (uint32_t i = 0; ok && i < plan->isas.count * plan->threads.count; ++i) {
    bench_rung rung = {.isa = plan->isas.items[i / plan->threads.count],
                       .threads = plan->threads.items[i % plan->threads.count]};
    char title[BENCH_MAX_TITLE], name[BENCH_MAX_TITLE + 64];
    ok = bench_rung_make_world(plan, scene, tool_span_capacity(rung.threads), &rung, why);
    bench_scene_title(scene->name, scene->size, scene->count, title);
    snprintf(name, sizeof name, "%s, %s, %u thread%s", title, bench_rung_isa_name(&rung),
             rung.threads, tool_plural(rung.threads));
    weft_world_step(rung.runner.world, settings->schedule.warmup);
    ok = ok && bench_record(rung.runner.world, name, session->output.trace_steps, session->trace,
                            NULL, why);
    bench_rung_free(&rung);
  }
  return ok;
}

static bool measure_scene(const throughput_settings* settings, const bench_scene_request* request,
                          bench_session* session, tool_message* why) {
  bench_scene scene;
  tool_progress_note("building the scene ..", session->output.quiet);
  if (!bench_scene_make(request, &scene, why)) return false;
  bool ok = run_ladder(settings, session, &scene, why);
  bench_scene_free(&scene);
  if (!ok || !session->trace || tool_interrupted()) return ok;
  // the ladder leaves no description
  if (!bench_scene_make(request, &scene, why)) return false;
  ok = trace_rungs(settings, session, &scene, why);
  bench_scene_free(&scene);
  return ok;
}

static bool measure(void* target, bench_session* session, tool_message* why) {
  const throughput_settings* settings = target;
  const bench_plan* plan = &settings->plan;
  bench_contact_kind kind;
  if (bench_plan_has_contacts(plan, &kind)) {
    return bench_contact_throughput(plan, kind, settings->iterations, &settings->schedule, session,
                                    why);
  }
  for (uint32_t i = 0; i < plan->scene_count; ++i) {
    if (!measure_scene(settings, &plan->scenes[i], session, why) || tool_interrupted())
      return false;
  }
  return true;
}

int command_throughput(int argc, char** argv) {
  static const bench_command command = {
      {"throughput",
       "Usage: weft-bench throughput [--size N[,N...]] [OPTION...]\n"
       "       weft-bench throughput --mesh FILE [OPTION...]\n"
       "       weft-bench throughput --scene drape-sphere|drop-folds [--size N]\n"
       "                             [OPTION...]\n",
       "Times whole steps of a scene by a textbook serial loop, by the same loop in colour order, "
       "and by the engine, interleaved. Scenes with contacts are timed by the engine with and "
       "without contacts, interleaved, with the share of each stage of a step. The default scene "
       "is a sheet of 512 x 512.",
       options, notes, NULL},
      false,
      complete,
      measure,
      NULL};
  throughput_settings settings = {.plan = bench_default_plan("512"),
                                  .schedule = {.warmup = BENCH_USUAL_WARMUP, .repeats = 5}};
  return bench_run(&command, &settings, argc, argv);
}
