#include "sim/file/scene_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/file_bytes.h"
#include "common/must.h"
#include "sim/file/bodies.h"
#include "sim/file/contacts.h"
#include "sim/file/event_types.h"
#include "sim/file/force_curves.h"
#include "sim/file/tables.h"

typedef struct scene_file {
  char* path;
  tool_bytes bytes;
  sim_source source;
  sim_root root;
  weft_world_def def;
  sim_bodies bodies;
  sim_events events;
  weft_wind_def wind;
  weft_bounds_def bounds;
  weft_contact_limits_def limits;
  sim_colliders colliders;
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
         sim_read_colliders(&file->source, file->root.colliders, &file->colliders);
}

/* Links need bodies that are built; that they are good links by themselves is seen before. */
static bool check_links(const scene_file* file) {
  const sim_place root = {NULL, "links", 0};
  for (size_t i = 0; i < json_array_size(file->root.links); ++i) {
    sim_link_ends ends;
    weft_link_def link;
    const sim_place place = {&root, NULL, i};
    const sim_target targets[] = {{&sim_link_ends_table, &ends}, {&sim_link_table, &link}};
    json_t* object = json_array_get(file->root.links, i);
    if (!sim_read_object(&file->source, &place, object, targets, 2)) return false;
  }
  return true;
}

static bool read_file(scene_file* file, tool_message* why) {
  const char* path = file->path;
  tool_message reason;
  if (!tool_read_file(path, SIM_MOST_FILE_BYTES, &file->bytes, &reason)) {
    return tool_because(why, "%s: %s", path, reason.text);
  }
  file->source = (sim_source){path, file->bytes.text, file->bytes.length, NULL, why};
  const sim_target target = {&sim_root_table, &file->root};
  return sim_source_parse(&file->source) &&
         sim_read_object(&file->source, NULL, file->source.root, &target, 1) && read_world(file) &&
         read_air(file) && read_contacts(file) &&
         sim_read_bodies(&file->source, file->root.bodies, &file->bodies) && check_links(file) &&
         sim_read_events(&file->source, file->root.events, &file->events);
}

// ---- building ----

/* Distance of the ends, if the file has no rest length. */
static float length_between(const weft_scene* scene, const weft_link_def* link) {
  float a[3] = {0}, b[3] = {0};
  tool_must(weft_scene_get_particles(scene, link->a, 1, a, NULL));
  tool_must(weft_scene_get_particles(scene, link->b, 1, b, NULL));
  const double x = (double)b[0] - (double)a[0], y = (double)b[1] - (double)a[1];
  const double z = (double)b[2] - (double)a[2];
  return (float)sqrt(x * x + y * y + z * z);
}

static bool make_link(const scene_file* file, const sim_place* place, json_t* object,
                      const weft_scene* scene, weft_link_def* made) {
  sim_link_ends ends;
  const sim_place from = {place, "from", 0}, to = {place, "to", 0};
  const sim_target targets[] = {{&sim_link_ends_table, &ends}, {&sim_link_table, made}};
  if (!sim_read_object(&file->source, place, object, targets, 2)) return false;
  if (!sim_find_particle(&file->source, &from, &file->bodies, ends.from, &made->a) ||
      !sim_find_particle(&file->source, &to, &file->bodies, ends.to, &made->b)) {
    return false;
  }
  if (isnan(made->rest_length)) made->rest_length = length_between(scene, made);
  return true;
}

static bool add_links(const scene_file* file, weft_scene* scene) {
  const sim_place root = {NULL, "links", 0};
  const size_t count = json_array_size(file->root.links);
  if (count == 0) return true;
  weft_link_def* links = malloc(count * sizeof *links);
  bool ok = links || sim_fault(&file->source, &root, "no memory for %zu links", count);
  for (size_t i = 0; ok && i < count; ++i) {
    const sim_place place = {&root, NULL, i};
    ok = make_link(file, &place, json_array_get(file->root.links, i), scene, &links[i]);
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

/* Wind needs faces from the beginning. */
static bool blows_later(const sim_events* events) {
  for (size_t i = 0; i < events->count; ++i) {
    if (events->items[i].type == &sim_event_wind) return true;
  }
  return false;
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  scene_file* file = *state;
  (void)values;
  file->source.why = why;
  *def = file->def;
  def->faces =
      def->faces || file->has_wind || blows_later(&file->events) || sim_need_faces(&file->bodies);
  return sim_add_force_curves(&file->source, file->root.force_curves, scene) &&
         sim_add_bodies(&file->source, &file->bodies, scene) && add_links(file, scene);
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
         sim_start_colliders(&file->source, &file->colliders, world);
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  scene_file* file = state;
  file->source.why = why;
  return start_air(file, world) && start_contacts(file, world) &&
         sim_start_bodies(&file->source, &file->bodies, world) &&
         sim_prepare_events(&file->source, &file->bodies, def->step_ns, &file->events);
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  scene_file* file = state;
  file->source.why = why;
  return sim_run_events(&file->source, moment->step, world, &file->events);
}

static void explain(void* state, weft_result result, tool_message* why) {
  scene_file* file = state;
  const sim_place place = {NULL, "world", 0};
  file->source.why = why;
  (void)sim_weft_fault(&file->source, &place, &sim_world_table, result);
}

static void free_file(void* state) {
  scene_file* file = state;
  sim_free_events(&file->events);
  sim_free_bodies(&file->bodies);
  sim_free_colliders(&file->colliders);
  json_decref(file->source.root);
  free(file->bytes.text);
  free(file->path);
}

static void keep(void* state, sim_keep* kept) {
  scene_file* self = state;
  sim_keep_events(&self->events, kept);
}

bool sim_file_open(const char* path, sim_scene* scene, void** state, tool_message* why) {
  scene_file* file = calloc(1, sizeof *file);
  *scene = (sim_scene){.name = path,
                       .summary = "a scene file",
                       .seconds = 5.0,
                       .rate = 60.0,
                       .build = build,
                       .start = start,
                       .before_step = before_step,
                       .keep = keep,
                       .free = free_file,
                       .explain = explain};
  *state = file;
  if (file) file->path = strdup(path);
  if (!file || !file->path) return tool_because(why, "%s: no memory to read it", path);
  if (!read_file(file, why)) return false;
  scene->name = file->path;
  scene->seconds = file->root.seconds;
  scene->rate = 1e9 / (double)file->def.step_ns;
  return true;
}
