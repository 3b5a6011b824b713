/* weft-bench growth: the time of contacts in scenes of twice as many particles each time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "common/interrupt.h"
#include "common/progress.h"
#include "contact_throughput.h"
#include "run.h"

// Property that the scenes of a table have in common.
typedef enum growth_keep {
  KEEP_SPACING = 0,
  KEEP_EXTENT = 1,
  KEEP_COURANT = 2,
} growth_keep;

enum { KEEP_COUNT = 3 };

typedef struct growth_settings {
  bool has_scene;
  growth_keep keep;
  tool_contact_kind kind;
  uint32_t particles; /* at first */
  uint32_t doublings;
  uint32_t skipped; /* scenes at the beginning */
  uint32_t steps, warmup, threads;
  bool warmup_given;
  tool_isa_list isas;
} growth_settings;

// twice as much, and a seventh for caches that are too small for the larger one
static const double growth_limit = 2.3;
// bytes a particle of a world with contacts, about
static const double particle_bytes = 1500.0;

enum {
  OPTION_SCENE = TOOL_OPTION_OWN,
  OPTION_KEEP,
  OPTION_PARTICLES,
  OPTION_DOUBLINGS,
  OPTION_SKIP,
  OPTION_STEPS,
  OPTION_WARMUP,
  OPTION_THREADS,
  OPTION_ISA,
};

static const struct option options[] = {
    {"scene", required_argument, NULL, OPTION_SCENE},
    {"keep", required_argument, NULL, OPTION_KEEP},
    {"particles", required_argument, NULL, OPTION_PARTICLES},
    {"doublings", required_argument, NULL, OPTION_DOUBLINGS},
    {"skip", required_argument, NULL, OPTION_SKIP},
    {"steps", required_argument, NULL, OPTION_STEPS},
    {"warmup", required_argument, NULL, OPTION_WARMUP},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"isa", required_argument, NULL, OPTION_ISA},
    BENCH_OUTPUT_OPTIONS,
    TOOL_COMMON_OPTIONS,
};

static const char* const help[] = {
    "Usage: weft-bench growth --scene NAME [OPTION...]\n"
    "\n"
    "Times contacts in one scene of twice as many particles each time: shows costs that grow\n"
    "faster than the number of particles.\n"
    "\n"
    "  --scene NAME         drape-sphere, a sheet that falls onto a sphere; drop-folds, a sheet "
    "that\n"
    "                       falls in folds onto a floor and itself; particles, a heap of "
    "spheres;\n"
    "                       discs, rectangles: heaps in a plane\n"
    "  --keep WHAT          what scenes have in common (default spacing):\n"
    "                       spacing, size of bodies and height: more particles cover more floor,\n"
    "                       so that each moves and touches as in the first scene;\n"
    "                       extent, metres of the whole: more particles are smaller, and at the\n"
    "                       same speed move further in a substep, in units of their size;\n"
    "                       courant, extent, and the displacement in a substep in units of the\n"
    "                       size: substeps grow as size shrinks; growth is that of a substep\n"
    "  --particles N        particles of the first scene, about, 100 to 10000000 (default 10000)\n"
    "  --doublings N        further scenes, 0 to 20 (default 7)\n"
    "  --skip N             scenes at the beginning that are left out, 0 to 20 (default 0)\n"
    "  --threads N          threads (default 1, so that a particle's cost is that of one)\n"
    "  --isa NAME           auto, scalar, sse2, avx2, avx512, neon or simd128 (default auto)\n"
    "  --steps S            timed steps, 1 to 100000 (default 10)\n"
    "  --warmup W           steps before that, not timed (default 60; of drop-folds 90)\n"
    "\n",
    bench_output_help,
    "Columns: contact ms, the time of contacts in a step, the median of all timed steps; cpu ms,\n"
    "processor time of the whole step, all threads; ns each, the whole step over the particles;\n"
    "growth, contact ms a substep over the line before, with a '!' above 2.3; contacts at\n"
    "colliders, pairs of cloth, of bodies and of CCD, hits of CCD, and pairs lost for want of "
    "room,\n"
    "in the last step.\n"
    "\n"
    "Exit status: 0 success, 2 error, 130 Ctrl-C; no file is written after Ctrl-C.\n",
    NULL,
};

static bool take_scene(growth_settings* settings, const char* name, tool_message* why) {
  for (int kind = 0; kind < TOOL_CONTACT_KINDS; ++kind) {
    if (strcmp(name, tool_contact_name((tool_contact_kind)kind)) != 0) continue;
    settings->kind = (tool_contact_kind)kind;
    settings->has_scene = true;
    return true;
  }
  return tool_because(why, "--scene: '%s' is not one of " TOOL_CONTACT_NAMES, name);
}

static bool take_keep(growth_settings* settings, const char* name, tool_message* why) {
  static const char* const names[KEEP_COUNT] = {"spacing", "extent", "courant"};
  for (int keep = 0; keep < KEEP_COUNT; ++keep) {
    if (strcmp(name, names[keep]) != 0) continue;
    settings->keep = (growth_keep)keep;
    return true;
  }
  return tool_because(why, "--keep: '%s' is not one of spacing, extent, courant", name);
}

static bool take_isa(growth_settings* settings, const char* value, tool_message* why) {
  settings->isas.count = 0;
  if (!tool_parse_isas("--isa", value, &settings->isas, why)) return false;
  if (settings->isas.count > 1) return tool_because(why, "--isa: growth takes one");
  if (weft_isa_supported(settings->isas.items[0])) return true;
  return tool_because(why, "--isa: %s cannot run here", value);
}

static bool take(void* target, int option, const char* value, tool_message* why) {
  growth_settings* settings = target;
  switch (option) {
    case OPTION_SCENE:
      return take_scene(settings, value, why);
    case OPTION_KEEP:
      return take_keep(settings, value, why);
    case OPTION_PARTICLES:
      return tool_parse_count("--particles", value, (tool_range){100, 10000000},
                              &settings->particles, why);
    case OPTION_DOUBLINGS:
      return tool_parse_count("--doublings", value, (tool_range){0, 20}, &settings->doublings, why);
    case OPTION_SKIP:
      return tool_parse_count("--skip", value, (tool_range){0, 20}, &settings->skipped, why);
    case OPTION_STEPS:
      return tool_parse_count("--steps", value, (tool_range){1, 100000}, &settings->steps, why);
    case OPTION_WARMUP:
      settings->warmup_given = true;
      return tool_parse_count("--warmup", value, (tool_range){0, 100000}, &settings->warmup, why);
    case OPTION_THREADS:
      return tool_parse_count("--threads", value, (tool_range){1, WEFT_MAX_WORKERS},
                              &settings->threads, why);
    default:
      return take_isa(settings, value, why);
  }
}

static uint64_t particles_at(const growth_settings* settings, uint32_t doubling) {
  return (uint64_t)settings->particles << doubling;
}

static bool complete(void* target, bench_session* session, tool_message* why) {
  growth_settings* settings = target;
  session->results.type = &bench_contact_type;
  if (!settings->has_scene) return tool_because(why, "no scene: give --scene NAME");
  if (settings->skipped > settings->doublings) {
    return tool_because(why, "--skip: %u of %u scenes leaves none", settings->skipped,
                        settings->doublings + 1);
  }
  const uint64_t most = particles_at(settings, settings->doublings);
  const uint64_t memory_bytes = session->machine.memory_bytes;
  const double needed = particle_bytes * (double)most;
  if (most > WEFT_MAX_PARTICLES || (memory_bytes > 0 && needed > (double)memory_bytes)) {
    return tool_because(why, "--doublings: the last scene, of %.0f particles, is too large",
                        (double)most);
  }
  if (!settings->warmup_given) settings->warmup = bench_contact_warmup(settings->kind);
  return true;
}

static uint32_t size_of(const growth_settings* settings, uint64_t particles) {
  return tool_contact_is_heap(settings->kind) ? (uint32_t)particles
                                              : (uint32_t)lround(sqrt((double)particles));
}

// Bodies of a first scene over those of this one, along a side.
static double refinement_at(const growth_settings* settings, uint32_t doubling) {
  const double dimensions = settings->kind == TOOL_PARTICLES ? 3.0 : 2.0;
  return pow(2.0, (double)doubling / dimensions);
}

// Substeps of the first scene; with KEEP_COURANT in proportion to the refinement.
static uint32_t substeps_at(const growth_settings* settings, uint32_t doubling) {
  const weft_world_def def = weft_plain_world_def();
  const tool_contact_scene first =
      tool_usual_contact_scene(settings->kind, size_of(settings, settings->particles));
  const double finer = settings->keep == KEEP_COURANT ? refinement_at(settings, doubling) : 1.0;
  return (uint32_t)lround(finer * (double)tool_contact_substeps(&first, &def));
}

static bench_contact_request request_at(const growth_settings* settings, uint32_t doubling) {
  const bool is_larger = settings->keep == KEEP_SPACING;
  const uint64_t particles = is_larger ? settings->particles : particles_at(settings, doubling);
  bench_contact_request request = {
      .scene = tool_usual_contact_scene(settings->kind, size_of(settings, particles)),
      .with_contacts = true,
      .isa = settings->isas.items[0],
      .threads = settings->threads,
      .substeps = substeps_at(settings, doubling),
  };
  if (is_larger) request.scene.times = 1u << doubling;
  return request;
}

/* A step is worth the particles of its scene: the time that is left follows from the first scene.
 */
static uint64_t all_work(const growth_settings* settings) {
  uint64_t sizes = 0;
  for (uint32_t i = settings->skipped; i <= settings->doublings; ++i)
    sizes += particles_at(settings, i);
  return sizes * (settings->warmup + settings->steps);
}

static bool take_steps(const growth_settings* settings, uint64_t particles, bench_contact_run* run,
                       tool_progress* progress, tool_message* why) {
  char label[64];
  snprintf(label, sizeof label, "%s %.0f", tool_contact_name(settings->kind), (double)particles);
  for (uint32_t i = 0; i < settings->warmup + settings->steps; ++i) {
    if (tool_interrupted()) return false;
    if (i < settings->warmup) {
      bench_contact_warm_up(run);
    } else if (!bench_contact_step(run, why)) {
      return false;
    }
    tool_progress_add(progress, particles, label);
  }
  return true;
}

static bool measure_one(const growth_settings* settings, uint32_t doubling, tool_progress* progress,
                        bench_contact_row* row, tool_message* why) {
  const bench_contact_request request = request_at(settings, doubling);
  bench_contact_run run = {0};
  const bool ok = bench_contact_create(&request, settings->steps, &run, why) &&
                  take_steps(settings, particles_at(settings, doubling), &run, progress, why) &&
                  bench_contact_fill(&run, row, why);
  bench_contact_free(&run);
  return ok;
}

static double contact_ms_of_substep(const bench_contact_row* row) {
  return row->contact_ms_median / (double)row->substeps;
}

static bool measure(void* target, bench_session* session, tool_message* why) {
  static const char* const commons[KEEP_COUNT] = {
      "same spacing and height", "same extent", "same extent and displacement in sizes a substep"};
  const growth_settings* settings = target;
  const uint32_t count = settings->doublings + 1 - settings->skipped;
  bench_contact_row* rows = bench_rows_append(&session->results, count, why);
  if (!rows) return false;
  tool_progress progress = tool_progress_start(all_work(settings), session->quiet);
  bool ok = true;
  for (uint32_t i = 0; ok && i < count; ++i) {
    ok = measure_one(settings, settings->skipped + i, &progress, &rows[i], why);
    if (!ok) break;
    if (i > 0)
      rows[i].growth = contact_ms_of_substep(&rows[i]) / contact_ms_of_substep(&rows[i - 1]);
    // larger scenes take minutes: each row as soon as it is there, in the place of the bar
    tool_progress_end(&progress);
    if (i == 0)
      bench_contact_print_growth_heads(session->tables, &rows[0], commons[settings->keep]);
    bench_contact_print_growth(session->tables, &rows[i], growth_limit);
    fflush(session->tables);
  }
  tool_progress_end(&progress);
  return ok;
}

int command_growth(int argc, char** argv) {
  static const bench_command command = {.name = "growth",
                                        .help = help,
                                        .options = options,
                                        .take = take,
                                        .complete = complete,
                                        .measure = measure};
  growth_settings settings = {.particles = 10000,
                              .doublings = 7,
                              .steps = 10,
                              .threads = 1,
                              .isas = {.items = {WEFT_ISA_AUTO}, .count = 1}};
  return bench_run(&command, &settings, argc, argv);
}
