/* weft-bench growth: the time of contacts in scenes that double their particles. */
#include <inttypes.h>
#include <math.h>

#include "commands.h"
#include "common/number.h"
#include "contact_run.h"

// Property common to the scenes of a table.
typedef enum growth_keep { KEEP_SPACING, KEEP_EXTENT, KEEP_COURANT, KEEP_COUNT } growth_keep;

typedef struct growth_settings {
  bench_plan plan;
  int keep;
  uint32_t particles; /* at first */
  uint32_t doublings;
  uint32_t skipped; /* scenes at the beginning */
  uint32_t steps, warmup, threads;
  uint32_t substeps; /* the first scene's */
} growth_settings;

// twice as much, and a seventh for caches too small for the larger scene
static const double growth_limit = 2.3;
// approximate, of a world with contacts, a particle
static const double particle_bytes = 1500.0;

static const char* const keep_names[KEEP_COUNT] = {"spacing", "extent", "courant"};

#define AT(member) offsetof(growth_settings, member)
static const tool_option options[] = {
    TOOL_CHOICE(
        NAME, "scene", "NAME", AT(plan.scene), BENCH_CONTACT_KINDS, bench_scene_names + 1,
        "drape-sphere, a sheet that falls onto a sphere; drop-folds, a sheet that falls in folds "
        "onto "
        "a floor and itself; particles, a heap of spheres; discs, rectangles: heaps in a plane"),
    TOOL_CHOICE(
        NAME, "keep", "WHAT", AT(keep), KEEP_COUNT, keep_names,
        "property that scenes have in common (default spacing):\nspacing, size of bodies and "
        "height: more particles cover more floor, so that each moves and touches as in the first "
        "scene;\nextent, metres of the whole: more particles are smaller, and at the same speed "
        "move further in a substep, in units of their size;\ncourant, extent, and the displacement "
        "in a substep in units of the size: substeps grow as size shrinks; growth is that of a "
        "substep"),
    TOOL_RANGE(COUNT, "particles", "N", AT(particles), 100, 10000000,
               "particles of the first scene, about, 100 to 10000000 (default 10000)"),
    TOOL_RANGE(COUNT, "doublings", "N", AT(doublings), 0, 20,
               "further scenes, 0 to 20 (default 7)"),
    TOOL_RANGE(COUNT, "skip", "N", AT(skipped), 0, 20,
               "scenes at the beginning that are left out, 0 to 20 (default 0)"),
    TOOL_RANGE(COUNT, "threads", "N", AT(threads), 1, WEFT_MAX_WORKERS,
               "threads (default 1, so that a particle's cost is that of one)"),
    BENCH_ISAS_OPTION("NAME", BENCH_ISA_NAMES),
    TOOL_RANGE(COUNT, "steps", "S", AT(steps), 1, 100000, "timed steps, 1 to 100000 (default 10)"),
    TOOL_RANGE(COUNT, "warmup", "W", AT(warmup), 0, 100000,
               "steps before that, not timed (default 60; of drop-folds 90)"),
    BENCH_OUTPUT_OPTIONS,
    TOOL_OPTIONS_END,
};

static const char* const notes[] = {
    "Columns: contact ms, the time of contacts in a step, the median of all timed steps; cpu ms, "
    "processor time of the whole step, all threads; ns each, the whole step over the particles; "
    "growth, contact ms a substep over the line before, with a '!' above 2.3; contacts at "
    "colliders, pairs of cloth, of bodies and of CCD, hits of CCD, and pairs lost for want of "
    "room, in the last step.",
    "Exit status: 0 success, 2 error, 130 Ctrl-C; no file is written after Ctrl-C.",
    NULL,
};

static bench_contact_kind kind_of(const growth_settings* settings) {
  return (bench_contact_kind)settings->plan.scene;
}

static uint64_t particles_at(const growth_settings* settings, uint32_t doubling) {
  return (uint64_t)settings->particles << doubling;
}

static uint32_t size_of(const growth_settings* settings, uint64_t particles) {
  return bench_contact_is_heap(kind_of(settings)) ? (uint32_t)particles
                                                  : (uint32_t)lround(sqrt((double)particles));
}

// Bodies along a side, this scene over the first.
static double refinement_at(const growth_settings* settings, uint32_t doubling) {
  const double dimensions = kind_of(settings) == BENCH_SPHERES ? 3.0 : 2.0;
  return pow(2.0, (double)doubling / dimensions);
}

// Substeps of the first scene; with KEEP_COURANT in proportion to the refinement.
static uint32_t substeps_at(const growth_settings* settings, uint32_t doubling) {
  const double finer = settings->keep == KEEP_COURANT ? refinement_at(settings, doubling) : 1.0;
  return (uint32_t)lround(finer * (double)settings->substeps);
}

static bench_contact_request request_at(const growth_settings* settings, uint32_t doubling) {
  const bool is_larger = settings->keep == KEEP_SPACING;
  const uint64_t particles = is_larger ? settings->particles : particles_at(settings, doubling);
  return (bench_contact_request){
      .scene = {kind_of(settings), size_of(settings, particles), is_larger ? 1u << doubling : 1},
      .with_contacts = true,
      .isa = settings->plan.isas.items[0],
      .threads = settings->threads,
      .substeps = substeps_at(settings, doubling),
  };
}

/* Work in particles: the first scene tells the time that is left. */
static uint64_t all_work(const growth_settings* settings) {
  uint64_t sizes = 0;
  for (uint32_t i = settings->skipped; i <= settings->doublings; ++i)
    sizes += particles_at(settings, i);
  return sizes * (settings->warmup + settings->steps);
}

static void write_growth(char cell[BENCH_MAX_CELL], const void* item) {
  const double growth = ((const bench_contact_row*)item)->growth;
  if (isfinite(growth)) {
    snprintf(cell, BENCH_MAX_CELL, growth > growth_limit ? "%.2f !" : "%.2f  ", growth);
  }
}

#define ROW bench_contact_row
static const bench_row_type table = BENCH_ROW_TYPE(
    BENCH_PARTICLES, BENCH_OF("substeps", COUNT, world.substeps),
    BENCH_CELL("contact ms", contact_ms.median, "%.3f"),
    BENCH_CELL("cpu ms", cpu_ms.median, "%.3f"), BENCH_CELL("ns each", ns_per_particle, "%.0f"),
    BENCH_WRITTEN("growth", REAL, write_growth),
    BENCH_NAMED("colliders", COUNT, of.contacts.collider_contacts),
    BENCH_NAMED("cloth", COUNT, of.contacts.self_pairs),
    BENCH_NAMED("bodies", COUNT, of.contacts.particle_pairs),
    BENCH_NAMED("ccd", COUNT, of.contacts.ccd_pairs),
    BENCH_NAMED("hits", COUNT, of.contacts.ccd_hits), BENCH_OF("lost", LARGE, lost),
    BENCH_HASH_CELL);
#undef ROW
// usual widths: a row is printed as soon as it is measured
static const int widths[] = {9, 8, 10, 9, 7, 6, 9, 7, 7, 7, 7, 4, 16};

static void print_heads(FILE* out, const growth_settings* settings, const bench_contact_row* row) {
  static const char* const commons[KEEP_COUNT] = {
      "same spacing and height", "same extent", "same extent and displacement in sizes a substep"};
  fprintf(out, "\n%s, %s: %s, %u thread%s, steps %" PRIu64 " to %" PRIu64 "\n", row->of.scene,
          commons[settings->keep], row->of.isa, row->of.world.worker_count,
          tool_plural(row->of.world.worker_count), row->first_step, row->of.world.step_count);
  bench_row_print(out, &table, widths, NULL);
}

static bool complete(void* target, bench_session* session, tool_message* why) {
  growth_settings* settings = target;
  session->results.type = &bench_contact_type;
  if (settings->plan.scene < 0) return tool_because(why, "no scene: give --scene NAME");
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
  const bench_contact_scene first = {kind_of(settings), size_of(settings, settings->particles), 1};
  if (!bench_contact_substeps(&first, &settings->substeps, why)) return false;
  if (settings->warmup == BENCH_USUAL_WARMUP)
    settings->warmup = bench_contact_warmup(kind_of(settings));
  return bench_plan_has_one_isa(&settings->plan, "growth", why);
}

static bool measure_one(const growth_settings* settings, uint32_t doubling, tool_progress* progress,
                        bench_contact_row* row, tool_message* why) {
  const bench_contact_request request = request_at(settings, doubling);
  bench_contact_run run = {.build_ms = 0.0};
  const bench_turns turns = {.runners = &run,
                             .count = 1,
                             .schedule = {settings->warmup, settings->steps, 1},
                             .progress = progress,
                             .units = particles_at(settings, doubling)};
  const bool ok =
      bench_contact_create(&request, settings->steps, &run, why) && bench_take_turns(&turns, why);
  if (ok) bench_contact_fill(&run, row);
  bench_runner_free(&run.runner);
  return ok;
}

static double contact_ms_of_substep(const bench_contact_row* row) {
  return row->contact_ms.median / (double)row->of.world.substeps;
}

static bool measure(void* target, bench_session* session, tool_message* why) {
  const growth_settings* settings = target;
  const uint32_t count = settings->doublings + 1 - settings->skipped;
  bench_contact_row* rows = bench_rows_append(&session->results, count, why);
  if (!rows) return false;
  tool_progress progress = tool_progress_start(all_work(settings), session->output.quiet);
  bool ok = true;
  for (uint32_t i = 0; ok && i < count; ++i) {
    ok = measure_one(settings, settings->skipped + i, &progress, &rows[i], why);
    if (!ok) break;
    if (i > 0) {
      rows[i].growth = contact_ms_of_substep(&rows[i]) / contact_ms_of_substep(&rows[i - 1]);
    }
    tool_progress_end(&progress);
    if (i == 0) print_heads(session->tables, settings, &rows[0]);
    bench_row_print(session->tables, &table, widths, &rows[i]);
    fflush(session->tables);
  }
  tool_progress_end(&progress);
  return ok;
}

int command_growth(int argc, char** argv) {
  static const bench_command command = {
      {"growth", "Usage: weft-bench growth --scene NAME [OPTION...]\n",
       "Times contacts in one scene of twice as many particles each time: shows costs that grow "
       "faster than the number of particles.",
       options, notes, NULL},
      false,
      complete,
      measure,
      NULL};
  growth_settings settings = {.plan = bench_default_plan(NULL),
                              .particles = 10000,
                              .doublings = 7,
                              .steps = 10,
                              .warmup = BENCH_USUAL_WARMUP,
                              .threads = 1};
  settings.plan.scene = -1;
  return bench_run(&command, &settings, argc, argv);
}
