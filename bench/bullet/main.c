/* weft-bench-bullet: one cloth in weft and in Bullet, a few steps of each in turn. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bullet_cloth.h"
#include "common/clock.h"
#include "common/command_line.h"
#include "common/interrupt.h"
#include "common/must.h"
#include "runner.h"

enum { TURN = 10, STEPS_A_SECOND = 60, MOST_THREADS = 8, MOST_ROWS = 1 + 2 * MOST_THREADS };
typedef struct request {
  int scene; /* 1 = with the sphere */
  uint32_t size, seconds, substeps, iterations;
  tool_count_list threads;
} request;

/* Bullet, or a world of weft. */
typedef struct competitor {
  bench_runner runner;      /* its label is the name */
  uint32_t threads, sweeps; /* sweeps of a step; 0 = not the same for all */
  bullet_cloth* bullet;     /* NULL in a row of weft */
} competitor;

typedef struct comparison {
  bench_contact_source source; /* with the sphere */
  bench_scene scene;
  competitor rows[MOST_ROWS];
  uint32_t row_count;
} comparison;

static const char* const scenes[] = {"sheet", "drape-sphere"};

#define AT(member) offsetof(request, member)
static const tool_option options[] = {
    TOOL_CHOICE(
        NAME, "scene", "NAME", AT(scene), 2, scenes,
        "sheet, which hangs by its upper edge, or drape-sphere, which falls onto a sphere (default "
        "sheet)"),
    TOOL_RANGE(COUNT, "size", "N", AT(size), 2, 1024,
               "particles along each side, 2 to 1024 (default 128)"),
    TOOL_RANGE(COUNT, "seconds", "N", AT(seconds), 1, 60, "scene time, 1 to 60 (default 2)"),
    TOOL_RANGE(COUNT, "substeps", "N", AT(substeps), 1, 100,
               "of a step of 1/60 s, 1 to 100 (default 1)"),
    TOOL_RANGE(COUNT, "iterations", "N", AT(iterations), 1, 1000,
               "sweeps over all links a substep, 1 to 1000 (default 10)"),
    TOOL_RANGE(COUNTS, "threads", "N[,N...]", AT(threads), 1, WEFT_MAX_WORKERS,
               "of weft, up to 8 numbers (default 1,2)"),
    TOOL_OPTIONS_END,
};

static const char* const notes[] = {
    "Columns: ms, single steps; ns a link, the median over links and sweeps; strain of structural "
    "links at the end; deepest, largest depth of a particle within the sphere at the end. 'weft "
    "defaults' has the settings that weft, or weft-sim for drape-sphere, chooses for the scene, "
    "with multigrid levels.",
    "Exit status: 0 success, 2 error, 130 Ctrl-C.",
    NULL,
};

static bool describe(const request* r, comparison* c, weft_world_def* def, tool_message* why) {
  const bench_contact_scene drape = {BENCH_DRAPE_SPHERE, r->size, 1};
  if (!r->scene) {
    const bench_scene_request sheet = {.sheet_size = r->size, .count = 1};
    return bench_scene_make(&sheet, &c->scene, why) && bench_scene_add_flat(&c->scene, why);
  }
  bench_scene* scene = &c->scene;
  tool_must(weft_scene_create(&scene->description));
  if (!bench_describe_contacts(&drape, true, scene->description, def, &c->source, why))
    return false;
  scene->particle_count = weft_scene_particle_count(scene->description);
  scene->link_count = weft_scene_link_count(scene->description);
  return bench_scene_add_flat(scene, why);
}

static bool add_row(comparison* c, competitor row, uint32_t steps, tool_message* why) {
  competitor* added = &c->rows[c->row_count++];
  *added = row;
  return bench_runner_create(&added->runner, steps, false, why);
}

static void step_bullet(void* runner) {
  bullet_cloth_step(((competitor*)runner)->bullet);
}

static bool add_bullet(const request* r, comparison* c, uint32_t steps, tool_message* why) {
  bullet_settings settings = {.substeps = r->substeps, .iterations = r->iterations};
  if (r->scene) {
    const sim_values* values = &c->source.values;
    settings.radius = (float)sim_number(values, "radius");
    settings.thickness =
        (float)(sim_number(values, "thickness") * sim_number(values, "width") / (r->size - 1));
    settings.friction = (float)sim_number(values, "friction");
  }
  bullet_cloth* cloth = bullet_cloth_create(&c->scene, &settings);
  return add_row(c,
                 (competitor){.runner = {.label = "Bullet", .step = step_bullet},
                              .threads = 1,
                              .sweeps = r->substeps * r->iterations,
                              .bullet = cloth},
                 steps, why);
}

static bool add_weft(const char* name, weft_world_def def, uint32_t sweeps, bool has_sphere,
                     comparison* c, uint32_t steps, tool_message* why) {
  weft_world* world = NULL;
  if (!bench_make_world(&def, c->scene.description, &world, why)) return false;
  competitor row = {.runner = {.world = world}, .threads = def.worker_count, .sweeps = sweeps};
  snprintf(row.runner.label, sizeof row.runner.label, "%s", name);
  if (!add_row(c, row, steps, why)) return false;
  return !has_sphere || bench_start_contacts(&c->source, &def, world, why);
}

static bool set_up(const request* r, comparison* c, uint32_t steps, tool_message* why) {
  weft_world_def plain = weft_plain_world_def(), own = weft_default_world_def();
  if (!describe(r, c, &own, why) || !add_bullet(r, c, steps, why)) return false;
  plain.damping = own.damping = 0.0f;
  plain.solver.substeps = r->substeps;
  plain.solver.iterations = r->iterations;
  for (uint32_t i = 0; i < r->threads.count; ++i) {
    plain.worker_count = own.worker_count = r->threads.items[i];
    if (!add_weft("weft", plain, r->substeps * r->iterations, r->scene, c, steps, why) ||
        !add_weft("weft defaults", own, 0, r->scene, c, steps, why))
      return false;
  }
  return true;
}

static void read_positions(const competitor* row, uint32_t count, float* positions) {
  if (row->bullet == NULL) {
    tool_get(row->runner.world, WEFT_ATTRIBUTE_POSITION, 0, count, positions);
  } else {
    bullet_cloth_get_positions(row->bullet, positions);
  }
}

static double deepest_of(const comparison* c, const float* positions) {
  double deepest = 0.0;
  const double radius = sim_number(&c->source.values, "radius");
  for (uint32_t i = 0; i < c->scene.particle_count; ++i) {
    const float* p = positions + 3 * (size_t)i;
    deepest = fmax(deepest, radius - sqrt((double)(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])));
  }
  return deepest;
}

typedef struct result {
  const char* name;
  uint32_t threads;
  bench_times ms;
  double ns_a_link; /* NaN where sweeps differ */
  bench_strain strain;
  double deepest_mm; /* NaN without the sphere */
} result;

#define ROW result
static const bench_row_type table = BENCH_ROW_TYPE(
    BENCH_NAMED("", WORD, name), BENCH_COUNT(threads), BENCH_CELL("ms median", ms.median, "%.3f"),
    BENCH_CELL("mean", ms.mean, "%.3f"), BENCH_CELL("worst", ms.max, "%.3f"),
    BENCH_CELL("ns a link", ns_a_link, "%.2f"), BENCH_NAMED("mean strain", STRAIN, strain.mean),
    BENCH_NAMED("largest", STRAIN, strain.max), BENCH_CELL("deepest", deepest_mm, "%.3f mm"));

static bool print_all(const request* r, comparison* c, tool_message* why) {
  const uint32_t count = c->scene.particle_count, links = c->scene.link_count;
  float* positions = malloc(count * 3 * sizeof *positions);
  bench_samples strains = {NULL, 0, 0};
  result rows[MOST_ROWS];
  printf("%s, %u particles, %u links, %u substeps of %u iterations, %u s\n\n", scenes[r->scene],
         count, links, r->substeps, r->iterations, r->seconds);
  bench_scene_keep_structural(&c->scene);
  const bool ok = positions && bench_samples_create(&strains, c->scene.structural_count, why);
  for (uint32_t i = 0; ok && i < c->row_count; ++i) {
    competitor* row = &c->rows[i];
    const bench_times ms = bench_samples_times(&row->runner.step_ms);
    read_positions(row, count, positions);
    rows[i] = (result){
        row->runner.label,
        row->threads,
        ms,
        row->sweeps > 0 ? 1e6 * ms.median / links / row->sweeps : (double)NAN,
        bench_measure_strain(positions, c->scene.links, c->scene.structural_count, &strains),
        r->scene ? 1e3 * deepest_of(c, positions) : (double)NAN};
  }
  if (ok) bench_rows_print(stdout, &table, rows, c->row_count);
  free(positions);
  bench_samples_free(&strains);
  return ok || tool_because(why, "no memory for the table");
}

static void free_all(comparison* c) {
  for (uint32_t i = 0; i < c->row_count; ++i) {
    bullet_cloth_destroy(c->rows[i].bullet);
    bench_runner_free(&c->rows[i].runner);
  }
  bench_close_contacts(&c->source);
  bench_scene_free(&c->scene);
}

int main(int argc, char** argv) {
  static const tool_syntax syntax = {
      "",
      "Usage: weft-bench-bullet [OPTION...]\n",
      "Runs one cloth in weft and as a btSoftBody in Bullet, ten steps of each in turn: the same "
      "particles, masses, structural and shear links, sweeps and substeps. Bullet uses one thread.",
      options,
      notes,
      NULL};
  request r = {.size = 128, .seconds = 2, .substeps = 1, .iterations = 10};
  comparison c = {.row_count = 0};
  tool_message why;
  int status = tool_read_command_line(&syntax, argc, argv, &r);
  if (status != TOOL_GO_ON) return status;
  if (r.threads.count == 0) r.threads = (tool_count_list){{1, 2}, 2};
  if (r.threads.count > MOST_THREADS) {
    tool_because(&why, "--threads: more than 8 numbers");
    return tool_fail(&why);
  }
  tool_catch_interrupt();
  const uint32_t steps = r.seconds * STEPS_A_SECOND;
  if (!set_up(&r, &c, steps, &why)) {
    status = tool_fail(&why);
  } else {
    const bench_turns turns = {.runners = c.rows,
                               .count = c.row_count,
                               .stride = sizeof *c.rows,
                               .schedule = {0, TURN, steps / TURN},
                               .quiet = true};
    status = !bench_take_turns(&turns, &why) ? TOOL_EXIT_INTERRUPTED
             : print_all(&r, &c, &why)       ? TOOL_EXIT_OK
                                             : tool_fail(&why);
  }
  free_all(&c);
  return tool_finish_output(status, TOOL_EXIT_ERROR);
}
