/* Drawn parts of a run: faces, links without a face, shapes of particles, colliders, and a colour
 * for each body, a component of particles and links of the first state. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/must.h"
#include "sim/pieces.h"
#include "view/parts.h"

/* Links read at a time; links of worlds that are examined after every step. */
enum { CHUNK = 1024, FEW_LINKS = 20000, LOOK_EVERY = 16 };

static const uint32_t palette[] = {0xb5473c, 0x3d6fa8, 0xd9a441, 0x4f8f5b, 0x8a5a9e,
                                   0xc9764a, 0x3f9aa3, 0xb8577f, 0x7d8a3a, 0x6a6fb8};

void view_model_free(view_model* model) {
  free(model->links);
  free(model->colors);
  free(model->is_pinned);
  free(model->is_linked);
  free(model->enabled);
  free(model->faces);
  free(model->colliders);
  free(model->positions);
  free(model->vectors);
  free(model->touches);
  free(model->drawn);
  free(model->patch_of);
  free(model->level_of);
  free(model->patch_values);
  free(model->patch_ends);
  view_detail_free(&model->detail);
  free(model->read);
  free(model->normal_faces);
  *model = (view_model){.links = NULL};
}

static bool allocate(view_model* model) {
  const size_t particles = (size_t)model->particle_count + 1,
               points = (size_t)model->point_count + 1;
  model->links = calloc((size_t)model->all_links + 1, sizeof *model->links);
  model->enabled = calloc((size_t)model->all_links + 1, sizeof *model->enabled);
  model->colors = calloc(particles, sizeof *model->colors);
  model->is_pinned = calloc(particles, sizeof *model->is_pinned);
  model->is_linked = calloc(particles, sizeof *model->is_linked);
  model->positions = calloc(points, sizeof(float[3]));
  model->vectors = calloc(points, sizeof(float[3]));
  model->touches = calloc(particles, sizeof(int8_t[3]));
  model->drawn = calloc(particles, sizeof(float[3]));
  model->patch_of = calloc(particles, sizeof *model->patch_of);
  model->level_of = calloc(particles, sizeof *model->level_of);
  model->patch_values = calloc((size_t)model->patch_count + 1, sizeof *model->patch_values);
  model->patch_ends = calloc((size_t)model->patch_count + 1, sizeof *model->patch_ends);
  return model->links && model->enabled && model->colors && model->is_pinned && model->is_linked &&
         model->positions && model->vectors && model->touches && model->drawn && model->patch_of &&
         model->level_of && model->patch_values && model->patch_ends;
}

/* Structural links, or all where there are none. */
static bool keep_links(view_model* model, const weft_scene* scene, bool structural,
                       tool_message* why) {
  weft_link_def links[CHUNK];
  for (uint32_t first = 0; first < model->all_links; first += CHUNK) {
    const uint32_t left = model->all_links - first, count = left < CHUNK ? left : CHUNK;
    if (!sim_check(weft_scene_get_links(scene, first, count, links), why)) return false;
    for (uint32_t i = 0; i < count; ++i) {
      const weft_link_def* link = &links[i];
      model->is_linked[link->a] = model->is_linked[link->b] = true;
      if (structural && link->kind != WEFT_LINK_STRUCTURAL) continue;
      model->links[model->link_count++] =
          (view_link){first + i, link->a, link->b, link->rest_length, link->tear_ratio};
    }
  }
  return model->link_count > 0 || !structural || keep_links(model, scene, false, why);
}

static bool read_particles(view_model* model, const weft_scene* scene, tool_message* why) {
  float inverse_masses[CHUNK];
  for (uint32_t first = 0; first < model->particle_count; first += CHUNK) {
    const uint32_t left = model->particle_count - first, count = left < CHUNK ? left : CHUNK;
    float* drawn = model->drawn + 3 * (size_t)first;
    if (!sim_check(weft_scene_get_particles(scene, first, count, drawn, inverse_masses), why)) {
      return false;
    }
    for (uint32_t i = 0; i < count; ++i) model->is_pinned[first + i] = inverse_masses[i] == 0.0f;
  }
  return true;
}

/* Patches and levels are constant while a world runs. */
static void read_schedule(view_model* model, const weft_world* world) {
  uint32_t levels[CHUNK];
  tool_get(world, WEFT_ATTRIBUTE_PATCH, 0, model->particle_count, model->patch_of);
  for (uint32_t first = 0; first < model->particle_count; first += CHUNK) {
    const uint32_t left = model->particle_count - first, count = left < CHUNK ? left : CHUNK;
    tool_get(world, WEFT_ATTRIBUTE_LEVEL, first, count, levels);
    for (uint32_t i = 0; i < count; ++i) model->level_of[first + i] = (uint8_t)levels[i];
  }
}

static bool color_bodies(view_model* model, const sim_run* run, tool_message* why) {
  sim_pieces pieces;
  uint32_t next = 0;
  const bool ok = sim_pieces_create(&pieces, sim_run_description(run), why);
  if (ok) sim_pieces_find(&pieces, sim_run_world(run));
  for (uint32_t i = 0; ok && i < model->particle_count; ++i) {
    // the first particle of a component precedes the others
    const uint32_t first = pieces.piece_of[i];
    model->colors[i] = first < i ? model->colors[first] : palette[next++ % 10];
  }
  sim_pieces_destroy(&pieces);
  return ok;
}

static void measure_links(view_model* model) {
  double sum = 0.0, tear = 0.0;
  for (uint32_t i = 0; i < model->link_count; ++i) {
    sum += (double)model->links[i].rest_length;
    tear = fmax(tear, (double)model->links[i].tear_ratio - 1.0);
  }
  const double mean = sum / fmax((double)model->link_count, 1.0);
  if (!(model->line_radius > 0.0)) model->line_radius = model->link_count > 0 ? 0.06 * mean : 0.02;
  model->tear_strain = tear > 0.0 ? tear : 0.05;
}

static void list_worlds(view_model* model, const sim_run* run) {
  sim_shown shown[SIM_MOST_SHOWN];
  model->curve_count = sim_run_show(run, shown);
  for (uint32_t i = 0; i < model->curve_count; ++i) {
    if (!shown[i].world) {
      model->main_curve = i;
      continue;
    }
    view_beside* one = &model->beside[model->beside_count++];
    *one = (view_beside){.world = shown[i].world, .curve = i};
    memcpy(one->offset, shown[i].offset, sizeof one->offset);
  }
  model->point_count = model->particle_count * (1 + model->beside_count);
}

static void measure_box(view_model* model, const weft_world* world) {
  weft_measures measures;
  weft_bounds_def bounds;
  bool is_set = false;
  tool_must(weft_world_measure(world, &measures));
  tool_must(weft_world_get_bounds(world, &bounds, &is_set));
  for (int k = 0; k < 3; ++k) {
    model->lower[k] = measures.lower[k];
    model->upper[k] = measures.upper[k];
    for (uint32_t i = 0; i < model->beside_count; ++i) {
      model->lower[k] = fminf(model->lower[k], measures.lower[k] + model->beside[i].offset[k]);
      model->upper[k] = fmaxf(model->upper[k], measures.upper[k] + model->beside[i].offset[k]);
    }
  }
  if (is_set && isfinite(bounds.lower[1]))
    model->lower[1] = fminf(model->lower[1], bounds.lower[1]);
}

bool view_model_make(view_model* model, const sim_run* run, double line_radius, tool_message* why) {
  const weft_scene* scene = sim_run_description(run);
  *model = (view_model){.particle_count = weft_scene_particle_count(scene),
                        .all_links = weft_scene_link_count(scene),
                        .line_radius = line_radius};
  weft_world_stats stats;
  tool_must(weft_world_get_stats(sim_run_world(run), &stats));
  model->patch_count = stats.patch_count;
  list_worlds(model, run);
  if (!allocate(model)) return tool_because(why, "no memory for pictures");
  if (!keep_links(model, scene, true, why) || !read_particles(model, scene, why)) return false;
  read_schedule(model, sim_run_world(run));
  measure_links(model);
  measure_box(model, sim_run_world(run));
  return color_bodies(model, run, why);
}

static uint32_t count_enabled(const view_model* model, const weft_world* world) {
  bool enabled[CHUNK];
  uint32_t sum = 0;
  for (uint32_t first = 0; first < model->all_links; first += CHUNK) {
    const uint32_t left = model->all_links - first, count = left < CHUNK ? left : CHUNK;
    tool_get(world, WEFT_ATTRIBUTE_LINK_ENABLED, first, count, enabled);
    for (uint32_t i = 0; i < count; ++i) sum += enabled[i];
  }
  return sum;
}

bool view_model_has_changed(const view_session* session) {
  const view_model* model = &session->model;
  const weft_world* world = sim_run_world(session->run);
  weft_contact_stats stats;
  if (model->version != session->topology) return false;  // known to be newer
  tool_must(weft_world_get_contact_stats(world, &stats));
  if (stats.collider_count != model->collider_count) return true;
  const uint64_t step = view_session_step_count(session);
  if (model->all_links > FEW_LINKS && step % LOOK_EVERY != 0) return false;
  return count_enabled(model, world) != model->enabled_count;
}

static bool read_faces(view_model* model, const weft_world* world) {
  uint32_t count = 0;
  if (weft_world_get_faces(world, 0, NULL, &count).error != WEFT_OK) count = 0;
  if (count > model->face_capacity || !model->faces) {
    free(model->faces);
    model->face_capacity = count;
    model->faces = calloc((size_t)count + 1, sizeof(uint32_t[3]));
    if (!model->faces) return false;
  }
  model->face_count = count;
  if (count > 0) tool_must(weft_world_get_faces(world, count, model->faces, &count));
  return true;
}

static bool read_colliders(view_model* model, const weft_world* world) {
  weft_contact_stats stats;
  weft_query_def query = weft_default_query_def();
  query.kind = WEFT_QUERY_BOX;
  query.particles = query.links = query.faces = false;
  for (int axis = 0; axis < 3; ++axis) query.to[axis] = -(query.point[axis] = -WEFT_MAX_MAGNITUDE);
  tool_must(weft_world_get_contact_stats(world, &stats));
  uint32_t count = stats.collider_count;
  weft_query_hit* hits = calloc((size_t)count + 1, sizeof *hits);
  weft_collider* colliders = calloc((size_t)count + 1, sizeof *colliders);
  free(model->colliders);
  model->colliders = colliders;
  model->collider_count = 0;
  const bool ok = hits && colliders;
  if (ok) {
    tool_must(weft_world_query(world, &query, count, hits, &count));
    for (uint32_t i = 0; i < count && i < stats.collider_count; ++i) {
      colliders[i] = hits[i].collider;
    }
    model->collider_count = stats.collider_count;
  }
  free(hits);
  return ok;
}

bool view_model_refresh(view_session* session) {
  view_model* model = &session->model;
  const weft_world* world = sim_run_world(session->run);
  if (model->version == session->topology) return true;
  if (model->all_links > 0) {
    tool_get(world, WEFT_ATTRIBUTE_LINK_ENABLED, 0, model->all_links, model->enabled);
  }
  model->enabled_count = 0;
  for (uint32_t i = 0; i < model->all_links; ++i) model->enabled_count += model->enabled[i];
  if (!read_faces(model, world) || !read_colliders(model, world)) return false;
  if (model->detailed_for != session->most_points &&
      !view_detail_make(&model->detail, model, session->most_points)) {
    return false;
  }
  model->detailed_for = session->most_points;
  if (!view_detail_list(model)) return false;
  model->version = session->topology;
  return true;
}
