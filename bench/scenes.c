#include "scenes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/interrupt.h"
#include "common/must.h"
#include "common/options.h"
#include "mesh_file/mesh_file.h"

static const float cloth_mass = 1.0f;  /* kilograms */
static const float sheet_width = 2.0f; /* metres */
static const float sheet_gap = 0.5f;   /* metres between copies */

bool bench_check_weft(tool_message* why, const char* call, weft_result result) {
  if (result.error == WEFT_OK) return true;
  return tool_because(why, "%s: %s: %s (element %" PRIu64 ")", call, result.field,
                      weft_error_text(result.error), result.index);
}

bool bench_make_world(const weft_world_def* def, const weft_scene* description, weft_world** world,
                      tool_message* why) {
  tool_begin_indivisible();
  const weft_result made = weft_world_create(def, description, world);
  tool_end_indivisible();
  return bench_check_weft(why, "weft_world_create", made);
}

// ---- scenes of contacts ----

const char* const bench_scene_names[BENCH_SCENE_NAMES] = {
    "sheet", "drape-sphere", "drop-folds", "particles", "discs", "rectangles"};

const char* bench_contact_name(bench_contact_kind kind) {
  return bench_scene_names[1 + kind];
}

/* Copies of a heap along z: the largest divisor up to the root; the rest go along x. */
static uint32_t copies_deep(const bench_contact_scene* scene) {
  uint32_t deep = 1;
  for (uint32_t k = 2; scene->kind == BENCH_SPHERES && (uint64_t)k * k <= scene->times; ++k) {
    if (scene->times % k == 0) deep = k;
  }
  return deep;
}

static bool set_count(sim_values* values, const char* name, uint32_t count, tool_message* why) {
  char text[64];
  snprintf(text, sizeof text, "%s=%u", name, count);
  return sim_set_value(values, text, why);
}

static bool set_values(const bench_contact_scene* scene, bool with_contacts, sim_values* values,
                       tool_message* why) {
  static const char* const bodies[] = {"body=sphere", "body=disc", "body=box"};
  const uint32_t deep = copies_deep(scene);
  if (!set_count(values, "size", scene->size, why) ||
      !sim_set_value(values, with_contacts ? "contacts=true" : "contacts=false", why)) {
    return false;
  }
  if (!bench_contact_is_heap(scene->kind)) return set_count(values, "times", scene->times, why);
  return sim_set_value(values, bodies[scene->kind - BENCH_SPHERES], why) &&
         set_count(values, "along", scene->times / deep, why) &&
         set_count(values, "deep", deep, why);
}

bool bench_describe_contacts(const bench_contact_scene* scene, bool with_contacts,
                             weft_scene* description, weft_world_def* def,
                             bench_contact_source* source, tool_message* why) {
  const bool is_heap = bench_contact_is_heap(scene->kind);
  const weft_world_def asked = *def;
  *source = (bench_contact_source){.state = NULL};
  if (!sim_open_scene(is_heap ? "heap" : bench_contact_name(scene->kind), &source->scene,
                      &source->state, why)) {
    return false;
  }
  source->values = sim_usual_values(source->scene.params);
  if (!set_values(scene, with_contacts, &source->values, why) ||
      !source->scene.build(&source->values, description, def, &source->state, why)) {
    return false;
  }
  def->worker_count = asked.worker_count;
  def->worker_cpus = asked.worker_cpus;
  def->isa = asked.isa;
  def->profile = asked.profile;
  def->span_capacity = asked.span_capacity;
  return true;
}

bool bench_start_contacts(const bench_contact_source* source, const weft_world_def* def,
                          weft_world* world, tool_message* why) {
  return source->scene.start(world, def, source->state, why);
}

void bench_close_contacts(bench_contact_source* source) {
  if (source->state) source->scene.free(source->state);
  free(source->state);
  source->state = NULL;
}

bool bench_contact_substeps(const bench_contact_scene* scene, uint32_t* substeps,
                            tool_message* why) {
  weft_scene* description = NULL;
  bench_contact_source source;
  weft_world_def def = weft_plain_world_def();
  tool_must(weft_scene_create(&description));
  const bool ok = bench_describe_contacts(scene, false, description, &def, &source, why);
  *substeps = def.solver.substeps;
  weft_scene_destroy(&description);
  bench_close_contacts(&source);
  return ok;
}

bool bench_make_contact_world(const bench_contact_scene* scene, bool with_contacts,
                              uint32_t iterations, uint32_t substeps, weft_world_def* def,
                              weft_world** world, tool_message* why) {
  weft_scene* description = NULL;
  bench_contact_source source;
  tool_must(weft_scene_create(&description));
  bool ok = bench_describe_contacts(scene, with_contacts, description, def, &source, why);
  if (iterations > 0) def->solver.iterations = iterations;
  if (substeps > 0) def->solver.substeps = substeps;
  ok = ok && bench_make_world(def, description, world, why) &&
       bench_start_contacts(&source, def, *world, why);
  weft_scene_destroy(&description);
  bench_close_contacts(&source);
  return ok;
}

weft_world_stats bench_stats_of(const weft_world* world) {
  weft_world_stats stats;
  tool_must(weft_world_get_stats(world, &stats));
  return stats;
}

// ---- sheets and meshes ----

/* A square of copies: a single row would be hundreds of kilometres long, where single precision is
 * coarse. */
static bool add_copies(weft_sheet_def def, uint32_t count, bench_scene* scene, tool_message* why) {
  const uint32_t row_length = (uint32_t)ceil(sqrt((double)count));
  const float stride = sheet_width + sheet_gap;
  for (uint32_t i = 0; i < count; ++i) {
    def.origin[0] = stride * (float)(i % row_length);
    def.origin[2] = stride * (float)(i / row_length);
    const weft_result result = weft_scene_add_sheet(scene->description, &def, NULL);
    if (!bench_check_weft(why, "weft_scene_add_sheet", result)) return false;
  }
  return true;
}

weft_sheet_def bench_sheet_def(uint32_t columns, uint32_t rows) {
  weft_sheet_def def = weft_default_sheet_def();
  def.columns = columns;
  def.rows = rows;
  def.spacing = sheet_width / (float)(columns - 1);
  def.particle_mass = cloth_mass / ((float)columns * (float)rows);
  return def;
}

static bool describe_sheets(const bench_scene_request* request, bench_scene* scene,
                            tool_message* why) {
  const uint32_t size = request->sheet_size;
  weft_material_def material = weft_default_material_def();
  material.stretch_stiffness = 20.0f;
  material.shear_stiffness = 2.0f;
  weft_sheet_def def = bench_sheet_def(size, request->sheet_rows > 0 ? request->sheet_rows : size);
  if (request->integrator) def.material = &material;
  const char* by = request->integrator;
  snprintf(scene->name, sizeof scene->name, "sheet%s%s", by ? " " : "", by ? by : "");
  scene->size = size;
  scene->count = request->count;
  return add_copies(def, request->count, scene, why);
}

const char* bench_mesh_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

static bool describe_mesh(const char* path, bench_scene* scene, tool_message* why) {
  tool_mesh mesh;
  if (!tool_mesh_load(path, &mesh, why)) return false;
  snprintf(scene->name, sizeof scene->name, "%s", bench_mesh_name(path));
  scene->size = mesh.vertex_count;
  scene->count = 1;
  tool_mesh_warn(scene->name, &mesh);
  weft_mesh_def def = weft_default_mesh_def();
  def.positions = mesh.positions;
  def.vertex_count = mesh.vertex_count;
  def.triangles = mesh.triangles;
  def.triangle_count = mesh.triangle_count;
  def.particle_mass = cloth_mass / (float)mesh.vertex_count;
  const weft_result result = weft_scene_add_mesh(scene->description, &def, NULL);
  tool_mesh_free(&mesh);
  return bench_check_weft(why, path, result);
}

// ---- pins ----

typedef struct side {
  const char* prefix;
  int axis;
  bool highest;
} side;

static const side sides[] = {
    {"top:", 1, true},   {"bottom:", 1, false}, {"right:", 0, true},
    {"left:", 0, false}, {"front:", 2, true},   {"back:", 2, false},
};

static bool parse_side(const char* text, bench_pin_rule* rule, tool_message* why) {
  if (strcmp(text, "compact") == 0 || strcmp(text, "scatter") == 0) {
    return tool_because(why, "--pin: '%s' is of threads, which --bind places; this pins particles",
                        text);
  }
  for (size_t i = 0; i < sizeof sides / sizeof sides[0]; ++i) {
    const size_t length = strlen(sides[i].prefix);
    if (strncmp(text, sides[i].prefix, length) != 0) continue;
    *rule = (bench_pin_rule){BENCH_PIN_SIDE, sides[i].axis, sides[i].highest, 0.0};
    return tool_parse_share("--pin", text + length, &rule->share, why);
  }
  return tool_because(why,
                      "--pin: '%s' is not none, top-row, or SIDE:SHARE with a side of top, bottom, "
                      "left, right, front, back",
                      text);
}

bool bench_parse_pin(void* target, const char* text, tool_message* why) {
  bench_pin_rule* rule = target;
  *rule = (bench_pin_rule){BENCH_PIN_NONE, 0, false, 0.0};
  if (strcmp(text, "none") == 0) return true;
  rule->kind = BENCH_PIN_TOP_ROW;
  if (strcmp(text, "top-row") == 0) return true;
  return parse_side(text, rule, why);
}

/* Writes the particles of a side rule to `pinned` [count] and returns their number. `positions` is
 * [count][3]. */
static uint32_t pin_side(const bench_pin_rule* rule, const float* positions, uint32_t count,
                         uint32_t* pinned) {
  const float* coordinate = positions + rule->axis;
  float lowest = coordinate[0], highest = coordinate[0];
  for (uint32_t i = 1; i < count; ++i) {
    const float value = coordinate[3 * (size_t)i];
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  // in double: a share of 0 is exactly the outermost particles, 1 all of them
  const double band = rule->share * ((double)highest - (double)lowest);
  uint32_t pinned_count = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const double value = (double)coordinate[3 * (size_t)i];
    const double depth = rule->highest ? (double)highest - value : value - (double)lowest;
    if (depth <= band) pinned[pinned_count++] = i;
  }
  return pinned_count;
}

static uint32_t particles_each(const bench_scene* scene) {
  return scene->particle_count / scene->count;
}

/* Pins the particles of the first copy, and the same of the others. */
static void pin_all(bench_scene* scene, const uint32_t* pinned, uint32_t count) {
  for (uint32_t copy = 0; copy < scene->count; ++copy) {
    const uint32_t first = copy * particles_each(scene);
    for (uint32_t i = 0; i < count; ++i) {
      tool_must(weft_scene_pin(scene->description, weft_range(first + pinned[i], 1)));
    }
  }
}

static bool choose_pinned(const bench_pin_rule* rule, const bench_scene* scene, uint32_t* pinned,
                          uint32_t* count, tool_message* why) {
  if (rule->kind == BENCH_PIN_TOP_ROW) {
    *count = scene->size;
    for (uint32_t i = 0; i < scene->size; ++i) pinned[i] = i;
    return true;
  }
  if (rule->kind == BENCH_PIN_CORNERS) {
    *count = 2;
    pinned[0] = 0, pinned[1] = scene->size - 1;
    return true;
  }
  const uint32_t particle_count = particles_each(scene);
  float* positions = malloc(particle_count * 3 * sizeof *positions);
  if (!positions) return tool_because(why, "%s: no memory to pin it", scene->name);
  tool_must(weft_scene_get_particles(scene->description, 0, particle_count, positions, NULL));
  *count = pin_side(rule, positions, particle_count, pinned);
  free(positions);
  return true;
}

static bool pin_scene(const bench_pin_rule* rule, bench_scene* scene, tool_message* why) {
  if (rule->kind == BENCH_PIN_NONE) return true;
  const uint32_t particle_count = particles_each(scene);
  uint32_t* pinned = malloc(particle_count * sizeof *pinned);
  if (!pinned) return tool_because(why, "%s: no memory to pin it", scene->name);
  uint32_t count = 0;
  bool ok = choose_pinned(rule, scene, pinned, &count, why);
  if (ok && count == particle_count) {
    ok = tool_because(why, "%s: the rule of --pin holds every particle; it needs another side",
                      scene->name);
  }
  if (ok) pin_all(scene, pinned, count);
  free(pinned);
  return ok;
}

static bench_pin_rule rule_for(const bench_scene_request* request) {
  if (request->pin.kind != BENCH_PIN_DEFAULT) return request->pin;
  if (!request->mesh_path) return (bench_pin_rule){.kind = BENCH_PIN_TOP_ROW};
  return (bench_pin_rule){BENCH_PIN_SIDE, 1, true, 0.02};
}

static bool describe(const bench_scene_request* request, bench_scene* scene, tool_message* why) {
  tool_must(weft_scene_create(&scene->description));
  const bench_pin_rule rule = rule_for(request);
  const bool ok = request->mesh_path ? describe_mesh(request->mesh_path, scene, why)
                                     : describe_sheets(request, scene, why);
  if (!ok) return false;
  scene->particle_count = weft_scene_particle_count(scene->description);
  scene->link_count = weft_scene_link_count(scene->description);
  return pin_scene(&rule, scene, why);
}

bool bench_scene_make(const bench_scene_request* request, bench_scene* scene, tool_message* why) {
  *scene = (bench_scene){0};
  tool_begin_indivisible();
  const bool ok = describe(request, scene, why);
  tool_end_indivisible();
  if (!ok) bench_scene_free(scene);
  return ok;
}

bool bench_scene_add_flat(bench_scene* scene, tool_message* why) {
  scene->positions = malloc(scene->particle_count * 3 * sizeof *scene->positions);
  scene->inverse_masses = malloc(scene->particle_count * sizeof *scene->inverse_masses);
  scene->links = malloc(scene->link_count * sizeof *scene->links);
  if (!scene->positions || !scene->inverse_masses || !scene->links) {
    return tool_because(why, "%s: no memory for its %u particles and %u links", scene->name,
                        scene->particle_count, scene->link_count);
  }
  tool_must(weft_scene_get_particles(scene->description, 0, scene->particle_count, scene->positions,
                                     scene->inverse_masses));
  tool_must(weft_scene_get_links(scene->description, 0, scene->link_count, scene->links));
  return true;
}

void bench_scene_keep_structural(bench_scene* scene) {
  scene->structural_count = 0;
  for (uint32_t i = 0; i < scene->link_count; ++i) {
    if (scene->links[i].kind != WEFT_LINK_STRUCTURAL) continue;
    scene->links[scene->structural_count++] = scene->links[i];
  }
  weft_link_def* shrunk = realloc(scene->links, (scene->structural_count + 1) * sizeof *shrunk);
  if (shrunk) scene->links = shrunk;
  free(scene->positions);
  free(scene->inverse_masses);
  scene->positions = scene->inverse_masses = NULL;
}

void bench_scene_free(bench_scene* scene) {
  weft_scene_destroy(&scene->description);
  free(scene->positions);
  free(scene->inverse_masses);
  free(scene->links);
  *scene = (bench_scene){0};
}

void bench_scene_title(const char* name, uint32_t size, uint32_t count,
                       char title[BENCH_MAX_TITLE]) {
  if (count > 1) {
    snprintf(title, BENCH_MAX_TITLE, "%u sheets %u x %u", count, size, size);
  } else {
    snprintf(title, BENCH_MAX_TITLE, "%.*s %u", BENCH_MAX_NAME, name, size);
  }
}
