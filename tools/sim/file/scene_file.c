#include "sim/file/scene_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/file_bytes.h"
#include "common/must.h"
#include "sim/file/bodies.h"
#include "sim/file/contacts.h"
#include "sim/file/events.h"
#include "sim/file/force_curves.h"
#include "sim/file/material_pairs.h"
#include "sim/file/motion.h"
#include "sim/file/parameters.h"
#include "sim/file/results.h"
#include "sim/file/seams.h"
#include "sim/file/tables.h"
#include "sim/file/template.h"

typedef struct scene_file {
  char* path;
  tool_bytes bytes; /* text of a file; none of a built-in scene */
  char* texts;
  tool_tree written, computed; /* as written, and with its formulas computed */
  sim_source source;
  sim_scope scope;
  sim_parameters parameters;
  sim_root root;
  weft_world_def def;
  sim_state state;
  sim_bodies bodies;
  sim_seams seams;
  sim_events events;
  weft_wind_def wind;
  weft_bounds_def bounds;
  weft_contact_limits_def limits;
  sim_colliders colliders;
  sim_result_list results;
  bool has_wind, has_bounds;
} scene_file;

// ---- reading ----

static bool read_world(scene_file* file) {
  const sim_place place = {NULL, "world", 0};
  const sim_target target = {&sim_world_table, &file->def};
  sim_table_defaults(&sim_world_table, &file->def);
  return !file->root.world || sim_read_object(&file->source, &place, file->root.world, &target, 1);
}

static bool read_air(scene_file* file) {
  const sim_place wind = {NULL, "wind", 0}, bounds = {NULL, "bounds", 0};
  const sim_target wind_target = {&sim_wind_table, &file->wind};
  const sim_target bounds_target = {&sim_bounds_table, &file->bounds};
  file->has_wind = file->root.wind != NULL;
  file->has_bounds = file->root.bounds != NULL;
  return (!file->has_wind ||
          sim_read_object(&file->source, &wind, file->root.wind, &wind_target, 1)) &&
         (!file->has_bounds ||
          sim_read_object(&file->source, &bounds, file->root.bounds, &bounds_target, 1));
}

static bool read_contacts(scene_file* file) {
  const sim_place place = {NULL, "contact_limits", 0};
  const sim_target target = {&sim_limits_table, &file->limits};
  return (!file->root.contact_limits ||
          sim_read_object(&file->source, &place, file->root.contact_limits, &target, 1)) &&
         sim_check_material_pairs(&file->source, file->root.material_pairs) &&
         sim_read_colliders(&file->source, file->root.colliders, &file->colliders);
}

/* Links need built bodies; each link by itself is checked before. */
static bool check_links(const scene_file* file) {
  const sim_place root = {NULL, "links", 0};
  for (size_t i = 0; i < tool_tree_size(file->root.links); ++i) {
    sim_link_ends ends;
    sim_link link;
    const sim_place place = {&root, NULL, i};
    const sim_target targets[] = {{&sim_link_ends_table, &ends}, {&sim_link_table, &link}};
    const tool_tree* object = &file->root.links->items[i];
    if (!sim_read_object(&file->source, &place, object, targets, 2)) return false;
  }
  return true;
}

static bool check_requirements(const scene_file* file) {
  const sim_place root = {NULL, "require", 0};
  for (size_t i = 0; i < tool_tree_size(file->root.require); ++i) {
    sim_requirement read;
    const sim_place place = {&root, NULL, i};
    const sim_target target = {&sim_requirement_table, &read};
    if (!sim_read_object(&file->source, &place, &file->root.require->items[i], &target, 1)) {
      return false;
    }
    if (!read.that) return tool_because(file->source.why, "%s", read.otherwise);
  }
  return true;
}

/* Names of all formulas: constants, parameters, `let`; while it runs, `state` and the world's. */
static void begin_scope(scene_file* file, const sim_values* values, const weft_world_def* def) {
  file->scope.count = 0;
  (void)sim_scope_add(&file->scope, (sim_name){"pi", false, NULL}, 3.141592653589793);
  (void)sim_scope_add(&file->scope, (sim_name){"h", false, NULL}, (double)def->step_ns * 1e-9);
  sim_scope_add_values(&file->scope, values);
}

static bool read_names(scene_file* file) {
  file->source.run_names = sim_scope_add_run_names(&file->scope);
  return file->source.run_names < SIM_MOST_NAMES ||
         sim_fault(&file->source, NULL, "has too many names");
}

static void forget(scene_file* file) {
  sim_free_results(&file->results);
  sim_free_events(&file->events);
  sim_free_seams(&file->seams);
  sim_free_bodies(&file->bodies);
  sim_free_colliders(&file->colliders);
  sim_free_state(&file->state);
  tool_tree_clear(&file->computed);
}

/* Reads all of the file with these values of its parameters. */
static bool read_scene(scene_file* file, const sim_values* values, const weft_world_def* def) {
  const sim_target target = {&sim_root_table, &file->root};
  sim_source* source = &file->source;
  forget(file);
  source->root = &file->written;
  begin_scope(file, values, def);
  if (!sim_expand(source, &file->scope, &file->computed)) return false;
  source->root = &file->computed;
  return sim_read_object(source, NULL, source->root, &target, 1) && check_requirements(file) &&
         read_names(file) && sim_read_state(source, file->root.state, &file->scope, &file->state) &&
         read_world(file) && read_air(file) && read_contacts(file) &&
         sim_read_bodies(source, file->root.bodies, &file->bodies) && check_links(file) &&
         sim_read_seams(source, file->root.seams, &file->seams) &&
         sim_read_events(source, file->root.events, &file->events) &&
         sim_read_results(source, file->root.results, &file->scope, source->run_names,
                          &file->results);
}

/* The step of the world, which formulas read, is a plain number. */
static int64_t step_of(const scene_file* file) {
  const tool_tree* step = tool_tree_get(tool_tree_get(&file->written, "world"), "step_ns");
  return tool_tree_is(step, TOOL_TREE_WHOLE) ? step->whole : weft_default_world_def().step_ns;
}

static bool read_text(scene_file* file, const char* name, const char* text, size_t length,
                      tool_message* why) {
  tool_tree_error error;
  file->source =
      (sim_source){.name = name, .root = &file->written, .why = why, .scope = &file->scope};
  if (!tool_tree_read(text, length, &file->written, &file->texts, &error)) {
    return tool_because(why, "%s:%zu: %s", name, error.line, error.text);
  }
  if (file->written.kind != TOOL_TREE_OBJECT) {
    return sim_fault(&file->source, NULL, "is not an object");
  }
  if (!sim_read_parameters(&file->source, tool_tree_get(&file->written, "parameters"),
                           &file->parameters)) {
    return false;
  }
  weft_world_def def = weft_default_world_def();
  const sim_values values = sim_usual_values(file->parameters.items);
  def.step_ns = step_of(file);
  return read_scene(file, &values, &def);
}

// ---- building ----

/* Distance of the ends, without a rest length in the file. */
static float length_between(const weft_scene* scene, const weft_link_def* link) {
  float a[3] = {0}, b[3] = {0};
  tool_must(weft_scene_get_particles(scene, link->a, 1, a, NULL));
  tool_must(weft_scene_get_particles(scene, link->b, 1, b, NULL));
  const double x = (double)b[0] - (double)a[0], y = (double)b[1] - (double)a[1];
  const double z = (double)b[2] - (double)a[2];
  return (float)sqrt(x * x + y * y + z * z);
}

static bool make_link(const scene_file* file, const sim_place* place, const tool_tree* object,
                      const weft_scene* scene, weft_link_def* made) {
  sim_link_ends ends;
  sim_link link;
  const sim_place from = {place, "from", 0}, to = {place, "to", 0};
  const sim_target targets[] = {{&sim_link_ends_table, &ends}, {&sim_link_table, &link}};
  if (!sim_read_object(&file->source, place, object, targets, 2)) return false;
  *made = sim_link_def(&link);
  if (!sim_find_particle(&file->source, &from, &file->bodies, ends.from, &made->a) ||
      !sim_find_particle(&file->source, &to, &file->bodies, ends.to, &made->b)) {
    return false;
  }
  if (isnan(made->rest_length)) made->rest_length = length_between(scene, made);
  return true;
}

static bool add_links(const scene_file* file, weft_scene* scene) {
  const sim_place root = {NULL, "links", 0};
  const size_t count = tool_tree_size(file->root.links);
  if (count == 0) return true;
  weft_link_def* links = malloc(count * sizeof *links);
  bool ok = links || sim_fault(&file->source, &root, "no memory for %zu links", count);
  for (size_t i = 0; ok && i < count; ++i) {
    const sim_place place = {&root, NULL, i};
    ok = make_link(file, &place, &file->root.links->items[i], scene, &links[i]);
  }
  if (ok) {
    const weft_result result = weft_scene_add_links(scene, links, (uint32_t)count, NULL);
    const sim_place place = {&root, NULL, (size_t)result.index};
    ok = result.error == WEFT_OK ||
         sim_fault(&file->source, &place, "%s", weft_error_text(result.error));
  }
  free(links);
  return ok;
}

/* Joints for all seams, unless the file has a number. */
static bool pair_seams(scene_file* file, weft_world_def* def) {
  uint32_t joints = 0;
  if (!sim_pair_seams(&file->source, &file->bodies, &file->seams, &joints)) return false;
  const bool is_given = tool_tree_get(file->root.world, "max_joints") != NULL;
  if (!is_given && joints > def->max_joints) def->max_joints = joints;
  return true;
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  scene_file* file = *state;
  file->source.why = why;
  // with the requested values, rate and iterations
  if (!read_scene(file, values, def)) return false;
  const uint32_t workers = def->worker_count;
  *def = file->def;
  if (!tool_tree_get(file->root.world, "worker_count")) def->worker_count = workers;
  return sim_add_force_curves(&file->source, file->root.force_curves, scene) &&
         sim_add_bodies(&file->source, &file->bodies, scene) && add_links(file, scene) &&
         pair_seams(file, def) && sim_build_results(&file->results, scene, why);
}

// ---- running ----

static bool check(const scene_file* file, const sim_place* place, const sim_table* table,
                  weft_result result) {
  return result.error == WEFT_OK || sim_weft_fault(&file->source, place, table, result);
}

static bool start_air(const scene_file* file, weft_world* world) {
  const sim_place wind = {NULL, "wind", 0}, bounds = {NULL, "bounds", 0};
  if (file->has_wind) {
    const weft_result result = weft_world_set_wind(world, &file->wind);
    if (!check(file, &wind, &sim_wind_table, result)) return false;
  }
  if (file->has_bounds) {
    const weft_result result = weft_world_set_bounds(world, &file->bounds);
    if (!check(file, &bounds, &sim_bounds_table, result)) return false;
  }
  return true;
}

static bool start_contacts(const scene_file* file, weft_world* world) {
  const sim_place place = {NULL, "contact_limits", 0};
  return (!file->root.contact_limits ||
          check(file, &place, &sim_limits_table,
                weft_world_set_contact_limits(world, &file->limits))) &&
         sim_start_material_pairs(&file->source, file->root.material_pairs, world) &&
         sim_start_colliders(&file->source, &file->colliders, world);
}

/* Gauges take torn links. */
static sim_view view_of(scene_file* file, const weft_world* world, const sim_moment* moment) {
  return (sim_view){(weft_world*)world, &file->bodies, &file->colliders, &file->scope,
                    moment->step,       moment->time,  moment->h};
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  scene_file* file = state;
  const sim_source* source = &file->source;
  const sim_view view = view_of(file, world, &(sim_moment){0, 0.0, (double)def->step_ns * 1e-9});
  file->source.why = why;
  file->scope.values[source->run_names + SIM_NAME_T] = 0.0;
  sim_start_state(&file->state, &file->scope);
  return start_air(file, world) && start_contacts(file, world) &&
         sim_start_bodies(source, &file->bodies, world) &&
         sim_start_seams(source, &file->seams, world) &&
         sim_start_motion(source, &file->bodies, world) &&
         sim_prepare_events(source, &file->bodies, def->step_ns, &file->events) &&
         sim_start_results(source, &view, &file->results);
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  scene_file* file = state;
  const sim_source* source = &file->source;
  const sim_view view = view_of(file, world, moment);
  double* time = &file->scope.values[source->run_names + SIM_NAME_T];
  file->source.why = why;
  sim_note_results(&file->results, &view);
  *time = moment->time;
  sim_advance_state(&file->state, &file->scope);
  *time = moment->time + moment->h;
  return sim_move_colliders(source, moment->time, &file->colliders, world) &&
         sim_run_events(source, &view, &file->events, &file->results);
}

static sim_view view_now(scene_file* file, const weft_world* world) {
  weft_world_stats stats = {.step_count = 0};
  weft_world_def def;
  tool_must(weft_world_get_stats(world, &stats));
  tool_must(weft_world_get_def(world, &def));
  const double h = (double)def.step_ns * 1e-9;
  return view_of(file, world, &(sim_moment){stats.step_count, (double)stats.step_count * h, h});
}

static void report(const weft_world* world, void* state, sim_results* results) {
  const sim_view view = view_now(state, world);
  sim_report_results(&((scene_file*)state)->results, &view, results);
}

static uint32_t show(const weft_world* world, void* state, sim_shown shown[SIM_MOST_SHOWN]) {
  const sim_view view = view_now(state, world);
  return sim_show_results(&((scene_file*)state)->results, &view, shown);
}

static void explain(void* state, weft_result result, tool_message* why) {
  scene_file* file = state;
  const sim_place place = {NULL, "world", 0};
  file->source.why = why;
  (void)sim_weft_fault(&file->source, &place, &sim_world_table, result);
}

static void free_file(void* state) {
  scene_file* file = state;
  forget(file);
  sim_free_parameters(&file->parameters);
  tool_tree_clear(&file->written);
  free(file->texts);
  free(file->bytes.text);
  free(file->path);
}

static void keep(void* state, sim_keep* kept) {
  scene_file* self = state;
  sim_keep_state(&self->state, &self->scope, kept);
  sim_keep_events(&self->events, kept);
}

static scene_file* new_file(const char* name, sim_scene* scene, void** state) {
  scene_file* file = calloc(1, sizeof *file);
  *scene = (sim_scene){.name = name,
                       .summary = "a scene file",
                       .seconds = 5.0,
                       .rate = 60.0,
                       .build = build,
                       .start = start,
                       .before_step = before_step,
                       .report = report,
                       .show = show,
                       .keep = keep,
                       .free = free_file,
                       .explain = explain};
  *state = file;
  return file;
}

static void describe(const scene_file* file, sim_scene* scene) {
  if (file->parameters.items[0].name) scene->params = file->parameters.items;
  if (file->root.about) scene->summary = file->root.about;
  scene->seconds = file->root.seconds;
  scene->rate = 1e9 / (double)file->def.step_ns;
}

bool sim_is_file_name(const char* name) {
  const size_t length = strlen(name);
  return strchr(name, '/') || (length >= 5 && strcasecmp(name + length - 5, ".json") == 0);
}

bool sim_file_open(const char* path, sim_scene* scene, void** state, tool_message* why) {
  scene_file* file = new_file(path, scene, state);
  tool_message reason;
  if (file) file->path = strdup(path);
  if (!file || !file->path) return tool_because(why, "%s: no memory to read it", path);
  scene->name = file->path;
  if (!tool_read_file(path, SIM_MOST_FILE_BYTES, &file->bytes, &reason)) {
    return tool_because(why, "%s: %s", path, reason.text);
  }
  if (!read_text(file, file->path, file->bytes.text, file->bytes.length, why)) return false;
  describe(file, scene);
  return true;
}

bool sim_text_open(const char* name, const char* text, sim_scene* scene, void** state,
                   tool_message* why) {
  scene_file* file = new_file(name, scene, state);
  if (!file) return tool_because(why, "%s: no memory to read it", name);
  if (!read_text(file, name, text, strlen(text), why)) return false;
  describe(file, scene);
  return true;
}
