/* weft-bench throughput: how long a step takes, on every rung of the ladder. */
#include <string.h>

#include "commands.h"
#include "common/contact_scenes.h"
#include "common/integrators.h"
#include "common/interrupt.h"
#include "common/number.h"
#include "common/progress.h"
#include "contact_throughput.h"
#include "measure.h"
#include "plan.h"
#include "recorded.h"
#include "report.h"
#include "run.h"

/* particles along a side of the sheets of contact scenes */
enum { USUAL_SIZE = 257 };

typedef struct throughput_settings {
  bench_plan plan;
  bench_schedule schedule;
  bool has_contacts; /* the scene is one of contacts */
  tool_contact_kind kind;
  bool iterations_given, warmup_given;
} throughput_settings;

enum {
  OPTION_STEPS = TOOL_OPTION_OWN,
  OPTION_REPEATS,
  OPTION_WARMUP,
  OPTION_INTEGRATOR,
};

static const struct option options[] = {
    BENCH_PLAN_OPTIONS,
    BENCH_BIND_OPTION,
    BENCH_OUTPUT_OPTIONS,
    BENCH_TRACE_OPTIONS,
    {"steps", required_argument, NULL, OPTION_STEPS},
    {"repeats", required_argument, NULL, OPTION_REPEATS},
    {"warmup", required_argument, NULL, OPTION_WARMUP},
    {"integrator", required_argument, NULL, OPTION_INTEGRATOR},
    TOOL_COMMON_OPTIONS,
};

static const char* const help[] = {
    "Usage: weft-bench throughput [--size N[,N...]] [OPTION...]\n"
    "       weft-bench throughput --mesh FILE [OPTION...]\n"
    "       weft-bench throughput --scene drape-sphere|drop-folds [--size N] [OPTION...]\n"
    "\n"
    "Times whole steps of a scene by a textbook serial loop, by the same loop in colour order, "
    "and\n"
    "by the engine, interleaved. Scenes with contacts are timed by the engine with and without\n"
    "contacts, interleaved, with the share of each stage of a step.\n"
    "\n",
    "The default scene is a sheet of 512 x 512.\n"
    "\n",
    bench_plan_help,
    "  --scene drape-sphere a sheet that falls onto a sphere (size 257 unless --size says so)\n"
    "  --scene drop-folds   a sheet that falls in folds onto a floor and itself, with CCD "
    "(likewise)\n"
    "\n"
    "Runs:\n"
    "  --threads N[,N...]   threads of the engine's rungs (default 1 and all cores)\n",
    bench_bind_help,
    "  --isa NAME[,NAME...] auto (default), scalar, sse2, avx2, avx512, neon, simd128, or all of\n"
    "                       these; those that cannot run here are skipped\n"
    "  --iterations K       sweeps over all links a step (default 10; with contacts, the scene's "
    "own)\n"
    "  --integrator NAME    sheets of springs instead of constraints, by this integrator:\n"
    "                       position_verlet, velocity_verlet, semi_implicit_euler, "
    "explicit_euler,\n"
    "                       implicit_euler, runge_kutta_4; then ns/link is of a step and a "
    "spring,\n"
    "                       and serial rungs, which have no springs, sweep rigid links once\n"
    "  --steps S            steps of each rung in one repeat (default about half a second of the\n"
    "                       slowest rung, but 3 to 100; with contacts 5)\n"
    "  --repeats R          turns of each rung (default 5)\n"
    "  --warmup W           steps of each rung before that, not timed (default 2; with contacts "
    "60\n"
    "                       on the sphere, 90 in folds)\n"
    "\n",
    bench_output_help,
    bench_trace_help,
    "\n"
    "Columns: threads at work, 'of' those asked for where a small scene or the machine has fewer;\n"
    "ms/step, the median of all timed steps, with the fastest and the slowest; natural, colored:\n"
    "the speed-up of a whole step over that serial rung; strain, the mean of structural links\n"
    "after the last step: a ratio counts where the strain beside it is as good; ns/link, a step\n"
    "over links times iterations; 'round trip ns', the time in which a cache line goes to another\n"
    "core and back, before and after the row, with a '*' if the two differ by more than 1.6\n"
    "times. Serial rungs are compiled for this machine. With contacts, 'x without' is the time of\n"
    "a step over that without contacts; the second table has the shares of the stages in a step,\n"
    "on the first thread: self is self-collision, particles are particle contacts.\n"
    "\n"
    "Exit status: 0 success, 2 error, 130 Ctrl-C; no file is written after Ctrl-C.\n",
    NULL,
};

/* Scenes by name: the sheet is the plan's. */
static bool take_scene(throughput_settings* settings, const char* name, tool_message* why) {
  settings->has_contacts = false;
  if (strcmp(name, "sheet") == 0) return true;
  for (int kind = TOOL_DRAPE_SPHERE; kind <= TOOL_DROP_FOLDS; ++kind) {
    if (strcmp(name, tool_contact_name((tool_contact_kind)kind)) != 0) continue;
    settings->has_contacts = true;
    settings->kind = (tool_contact_kind)kind;
    return true;
  }
  return tool_because(why, "--scene: '%s' is not one of sheet, drape-sphere, drop-folds", name);
}

static bool take_integrator(bench_plan* plan, const char* name, tool_message* why) {
  uint32_t bits = 0;
  if (!tool_parse_names("--integrator", name, tool_integrators, WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 1,
                        &bits, why)) {
    return false;
  }
  if ((bits & (bits - 1)) != 0)
    return tool_because(why, "--integrator: '%s' is not one name", name);
  plan->springs = true;
  for (plan->integrator = 0; bits >> plan->integrator != 1;) ++plan->integrator;
  return true;
}

static bool take(void* target, int option, const char* value, tool_message* why) {
  throughput_settings* settings = target;
  bench_schedule* schedule = &settings->schedule;
  switch (option) {
    case OPTION_STEPS:
      return tool_parse_count("--steps", value, (tool_range){1, 100000}, &schedule->steps, why);
    case OPTION_REPEATS:
      return tool_parse_count("--repeats", value, (tool_range){1, 1000}, &schedule->repeats, why);
    case OPTION_WARMUP:
      settings->warmup_given = true;
      return tool_parse_count("--warmup", value, (tool_range){0, 100000}, &schedule->warmup, why);
    case OPTION_INTEGRATOR:
      return take_integrator(&settings->plan, value, why);
    case BENCH_PLAN_SCENE:
      return take_scene(settings, value, why);
    default:
      if (option == BENCH_PLAN_ITERATIONS) settings->iterations_given = true;
      return bench_plan_take(&settings->plan, option, value, why);
  }
}

/* All rungs of a scene are in memory together. */
static double particle_bytes(const bench_plan* plan) {
  const double world_count = (double)plan->isas.count * (double)plan->threads.count;
  return 320.0 + 55.0 * world_count;  // measured at 2048 x 2048
}

/* The other options of a scene are for hanging sheets. */
static bool complete_contacts(throughput_settings* settings, tool_message* why) {
  bench_plan* plan = &settings->plan;
  const char* name = tool_contact_name(settings->kind);
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
  if (!settings->warmup_given) settings->schedule.warmup = bench_contact_warmup(settings->kind);
  return true;
}

/* All links are springs: there is nothing to sweep. */
static bool complete_springs(throughput_settings* settings, tool_message* why) {
  bench_plan* plan = &settings->plan;
  if (settings->has_contacts) {
    return tool_because(why, "--integrator: %s has no springs", tool_contact_name(settings->kind));
  }
  if (settings->iterations_given) {
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
  const tool_count_list threads = bench_default_threads(&session->machine);
  const tool_isa_list isas = {.items = {WEFT_ISA_AUTO}, .count = 1};
  if (settings->has_contacts && !complete_contacts(settings, why)) return false;
  session->results.type = settings->has_contacts ? &bench_contact_type : &bench_result_type;
  return bench_plan_complete(plan, &threads, &isas, why) &&
         (!plan->springs || complete_springs(settings, why)) &&
         bench_plan_bind(plan, &session->machine, why) &&
         bench_plan_fits(plan, particle_bytes(plan), &session->machine, why);
}

/* Measures one scene, prints its rows and appends them. Also false, but without a message, when
 * interrupted. */
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
  tool_progress_note("", session->quiet);
  if (!made) return false;
  bool ok = bench_measure(&schedule, scene, session->quiet, &ladder);
  ok = ok && bench_results_append(results, scene, settings->plan.iterations, &ladder, why);
  if (ok) {
    const bench_result* rows = results->items;
    bench_print_table(session->tables, &schedule, rows + first_row, ladder.count);
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
    weft_world_step(rung.world, settings->schedule.warmup);
    ok = ok && bench_record(rung.world, name, session->trace_steps, session->trace, NULL, why);
    bench_rung_free(&rung);
  }
  return ok;
}

static bool measure_scene(const throughput_settings* settings, const bench_scene_request* request,
                          bench_session* session, tool_message* why) {
  bench_scene scene;
  tool_progress_note("building the scene ..", session->quiet);
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
  if (settings->has_contacts) {
    const uint32_t iterations = settings->iterations_given ? plan->iterations : 0;
    return bench_contact_throughput(plan, settings->kind, iterations, &settings->schedule, session,
                                    why);
  }
  for (uint32_t i = 0; i < plan->scene_count; ++i) {
    if (!measure_scene(settings, &plan->scenes[i], session, why) || tool_interrupted())
      return false;
  }
  return true;
}

int command_throughput(int argc, char** argv) {
  static const bench_command command = {.name = "throughput",
                                        .help = help,
                                        .options = options,
                                        .take = take,
                                        .complete = complete,
                                        .measure = measure};
  throughput_settings settings = {.plan = bench_default_plan("512"),
                                  .schedule = {.warmup = 2, .steps = 0, .repeats = 5}};
  return bench_run(&command, &settings, argc, argv);
}
