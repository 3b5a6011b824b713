/* weft-bench-bullet: one cloth in weft and in Bullet, a few steps of each in turn. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bullet_cloth.h"
#include "common/clock.h"
#include "common/command_line.h"
#include "common/contact_scenes.h"
#include "common/interrupt.h"
#include "common/options.h"
#include "samples.h"
#include "strain.h"
#include "text_table.h"

enum { TURN = 10, STEPS_A_SECOND = 60, MOST_THREADS = 8, MOST_ROWS = 1 + 2 * MOST_THREADS };
enum {
  OPTION_SCENE = TOOL_OPTION_OWN,
  OPTION_SIZE,
  OPTION_SECONDS,
  OPTION_SUBSTEPS,
  OPTION_ITERATIONS,
  OPTION_THREADS
};

typedef struct request {
  bool has_sphere;
  uint32_t size, seconds, substeps, iterations;
  tool_count_list threads;
} request;

/* Bullet, or a world of weft. */
typedef struct competitor {
  const char* name;
  uint32_t threads, sweeps; /* sweeps of a step; 0 = not the same for all */
  bullet_cloth* bullet;     /* NULL in a row of weft */
  weft_world* world;
  bench_samples ms;
} competitor;

typedef struct comparison {
  tool_contact_scene contacts; /* of the sphere */
  bench_scene scene;
  competitor rows[MOST_ROWS];
  uint32_t row_count;
} comparison;

static const struct option options[] = {
    {"scene", required_argument, NULL, OPTION_SCENE},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"seconds", required_argument, NULL, OPTION_SECONDS},
    {"substeps", required_argument, NULL, OPTION_SUBSTEPS},
    {"iterations", required_argument, NULL, OPTION_ITERATIONS},
    {"threads", required_argument, NULL, OPTION_THREADS},
    TOOL_COMMON_OPTIONS,
};

static const char* const help[] = {
    "Usage: weft-bench-bullet [OPTION...]\n"
    "\n"
    "Runs one cloth in weft and as a btSoftBody in Bullet, ten steps of each in turn: the same\n"
    "particles, masses, structural and shear links, sweeps and substeps. Bullet uses one thread.\n"
    "\n"
    "  --scene NAME         sheet, which hangs by its upper edge, or drape-sphere, which falls\n"
    "                       onto a sphere (default sheet)\n"
    "  --size N             particles along each side, 2 to 1024 (default 128)\n"
    "  --seconds N          scene time, 1 to 60 (default 2)\n"
    "  --substeps N         of a step of 1/60 s, 1 to 100 (default 1)\n"
    "  --iterations N       sweeps over all links a substep, 1 to 1000 (default 10)\n"
    "  --threads N[,N...]   of weft, up to 8 numbers (default 1,2)\n"
    "  --help, --version\n"
    "\n"
    "Columns: ms, single steps; ns a link, the median over links and sweeps; strain of structural\n"
    "links at the end; deepest, largest depth of a particle within the sphere at the end.\n"
    "'weft defaults' has the settings that weft, or weft-sim for drape-sphere, chooses for the\n"
    "scene, with multigrid levels.\n"
    "\n"
    "Exit status: 0 success, 2 error, 130 Ctrl-C.\n",
    NULL,
};

static bool take(void* target, int option, const char* value, tool_message* why) {
  request* r = target;
  switch (option) {
    case OPTION_SCENE:
      r->has_sphere = strcmp(value, "drape-sphere") == 0;
      if (r->has_sphere || strcmp(value, "sheet") == 0) return true;
      return tool_because(why, "--scene is sheet or drape-sphere, not '%s'", value);
    case OPTION_SIZE:
      return tool_parse_count("--size", value, (tool_range){2, 1024}, &r->size, why);
    case OPTION_SECONDS:
      return tool_parse_count("--seconds", value, (tool_range){1, 60}, &r->seconds, why);
    case OPTION_SUBSTEPS:
      return tool_parse_count("--substeps", value, (tool_range){1, 100}, &r->substeps, why);
    case OPTION_ITERATIONS:
      return tool_parse_count("--iterations", value, (tool_range){1, 1000}, &r->iterations, why);
    default:
      if (!tool_parse_counts("--threads", value, (tool_range){1, WEFT_MAX_WORKERS}, &r->threads,
                             why))
        return false;
      return r->threads.count <= MOST_THREADS ||
             tool_because(why, "--threads: more than 8 numbers");
  }
}

static bool describe(const request* r, comparison* c, weft_world_def* def, tool_message* why) {
  c->contacts = tool_usual_contact_scene(TOOL_DRAPE_SPHERE, r->size);
  if (!r->has_sphere) {
    const bench_scene_request sheet = {.sheet_size = r->size, .count = 1};
    return bench_scene_make(&sheet, &c->scene, why) && bench_scene_add_flat(&c->scene, why);
  }
  bench_scene* scene = &c->scene;
  if (!bench_check_weft(why, "weft_scene_create", weft_scene_create(&scene->description)))
    return false;
  if (!tool_describe_contacts(&c->contacts, scene->description, def, why)) return false;
  scene->particle_count = weft_scene_particle_count(scene->description);
  scene->link_count = weft_scene_link_count(scene->description);
  return bench_scene_add_flat(scene, why);
}

static bool add_row(comparison* c, competitor row, uint32_t steps, tool_message* why) {
  competitor* added = &c->rows[c->row_count++];
  *added = row;
  return bench_samples_create(&added->ms, steps) || tool_because(why, "no memory for the times");
}

static bool add_bullet(const request* r, comparison* c, uint32_t steps, tool_message* why) {
  bullet_settings settings = {.substeps = r->substeps, .iterations = r->iterations};
  if (r->has_sphere) {
    const tool_contact_scene* s = &c->contacts;
    settings.radius = (float)s->radius;
    settings.thickness = (float)(s->thickness * s->width / (s->size - 1));
    settings.friction = (float)s->friction;
  }
  bullet_cloth* cloth = bullet_cloth_create(&c->scene, &settings);
  return add_row(c, (competitor){"Bullet", 1, r->substeps * r->iterations, cloth, NULL, {0}}, steps,
                 why);
}

static bool add_weft(const char* name, weft_world_def def, uint32_t sweeps, bool has_sphere,
                     comparison* c, uint32_t steps, tool_message* why) {
  weft_world* world = NULL;
  if (!bench_make_world(&def, c->scene.description, &world, why)) return false;
  if (!add_row(c, (competitor){name, def.worker_count, sweeps, NULL, world, {0}}, steps, why))
    return false;
  return !has_sphere || tool_start_contacts(&c->contacts, world, true, why);
}

static bool set_up(const request* r, comparison* c, uint32_t steps, tool_message* why) {
  weft_world_def plain = weft_plain_world_def(), own = weft_default_world_def();
  if (!describe(r, c, &own, why) || !add_bullet(r, c, steps, why)) return false;
  plain.damping = own.damping = 0.0f;
  plain.substeps = r->substeps;
  plain.iterations = r->iterations;
  for (uint32_t i = 0; i < r->threads.count; ++i) {
    plain.worker_count = own.worker_count = r->threads.items[i];
    if (!add_weft("weft", plain, r->substeps * r->iterations, r->has_sphere, c, steps, why) ||
        !add_weft("weft defaults", own, 0, r->has_sphere, c, steps, why))
      return false;
  }
  return true;
}

static void step_once(competitor* row) {
  const double start = tool_clock_ns();
  if (row->bullet != NULL)
    bullet_cloth_step(row->bullet);
  else
    weft_world_step(row->world, 1);
  bench_samples_add(&row->ms, 1e-6 * (tool_clock_ns() - start));
}

// Ten steps of each in turn; false if interrupted.
static bool run_all(comparison* c, uint32_t steps) {
  for (uint32_t first = 0; first < steps; first += TURN) {
    for (uint32_t i = 0; i < c->row_count; ++i) {
      for (uint32_t k = first; k < first + TURN && k < steps; ++k) {
        if (tool_interrupted()) return false;
        step_once(&c->rows[i]);
      }
    }
  }
  return true;
}

static bool read_positions(const competitor* row, uint32_t count, float* positions,
                           tool_message* why) {
  if (row->bullet == NULL)
    return bench_check_weft(why, "weft_world_get_positions",
                            weft_world_get_positions(row->world, 0, count, positions));
  bullet_cloth_get_positions(row->bullet, positions);
  return true;
}

static double deepest_of(const comparison* c, const float* positions) {
  double deepest = 0.0;
  for (uint32_t i = 0; i < c->scene.particle_count; ++i) {
    const float* p = positions + 3 * (size_t)i;
    deepest =
        fmax(deepest, c->contacts.radius - sqrt((double)(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])));
  }
  return deepest;
}

static void write_row(const comparison* c, const competitor* row, bool has_sphere,
                      const float* positions, bench_text_row* text) {
  bench_samples ms = row->ms;
  const double median = bench_samples_median(&ms);
  const bench_strain strain =
      bench_measure_strain(positions, c->scene.links, c->scene.structural_count);
  char(*cells)[BENCH_MAX_CELL] = text->cells;
  snprintf(cells[0], BENCH_MAX_CELL, "%s", row->name);
  snprintf(cells[1], BENCH_MAX_CELL, "%u", row->threads);
  snprintf(cells[2], BENCH_MAX_CELL, "%.3f", median);
  snprintf(cells[3], BENCH_MAX_CELL, "%.3f", bench_samples_mean(&ms));
  snprintf(cells[4], BENCH_MAX_CELL, "%.3f", bench_samples_quantile(&ms, 1.0));
  if (row->sweeps > 0)
    snprintf(cells[5], BENCH_MAX_CELL, "%.2f", 1e6 * median / c->scene.link_count / row->sweeps);
  bench_format_strain(cells[6], strain.mean);
  bench_format_strain(cells[7], strain.max);
  if (has_sphere) snprintf(cells[8], BENCH_MAX_CELL, "%.3f mm", 1e3 * deepest_of(c, positions));
}

static bool print_all(const request* r, comparison* c, tool_message* why) {
  static const char* const heads[] = {"",          "threads",     "ms median", "mean",   "worst",
                                      "ns a link", "mean strain", "largest",   "deepest"};
  const uint32_t count = c->scene.particle_count;
  float* positions = malloc(count * 3 * sizeof *positions);
  bench_text_table table;
  if (!positions || !bench_text_table_create(heads, "lrrrrrrrr", c->row_count, &table)) {
    free(positions);
    return tool_because(why, "no memory for the table");
  }
  printf("%s, %u particles, %u links, %u substeps of %u iterations, %u s\n\n",
         r->has_sphere ? "drape-sphere" : "sheet", count, c->scene.link_count, r->substeps,
         r->iterations, r->seconds);
  bench_scene_keep_structural(&c->scene);
  bool ok = true;
  for (uint32_t i = 0; ok && i < c->row_count; ++i) {
    ok = read_positions(&c->rows[i], count, positions, why);
    if (ok) write_row(c, &c->rows[i], r->has_sphere, positions, &table.rows[i]);
  }
  bench_text_table_print(stdout, &table);
  free(positions);
  return ok;
}

static void free_all(comparison* c) {
  for (uint32_t i = 0; i < c->row_count; ++i) {
    bullet_cloth_destroy(c->rows[i].bullet);
    weft_world_destroy(&c->rows[i].world);
    bench_samples_free(&c->rows[i].ms);
  }
  bench_scene_free(&c->scene);
}

int main(int argc, char** argv) {
  const tool_syntax syntax = {"", help, options, take, NULL};
  request r = {.size = 128, .seconds = 2, .substeps = 1, .iterations = 10};
  comparison c = {.row_count = 0};
  tool_message why;
  int status = tool_read_command_line(&syntax, argc, argv, &r);
  if (status != TOOL_GO_ON) return status;
  if (r.threads.count == 0) r.threads = (tool_count_list){{1, 2}, 2};
  tool_catch_interrupt();
  const uint32_t steps = r.seconds * STEPS_A_SECOND;
  if (!set_up(&r, &c, steps, &why))
    status = tool_fail(&why);
  else if (!run_all(&c, steps))
    status = TOOL_EXIT_INTERRUPTED;
  else
    status = print_all(&r, &c, &why) ? TOOL_EXIT_OK : tool_fail(&why);
  free_all(&c);
  return tool_finish_output(status, TOOL_EXIT_ERROR);
}
