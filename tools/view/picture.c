/* Messages of the topology and of frames: docs/view.md has their bytes. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/must.h"
#include "view/parts.h"

enum {
  MAGIC = 0x54464557, /* WEFT */
  KIND_FRAME = 1,
  KIND_TOPOLOGY = 2,
  FLAG_QUANTISED = 1,
  FLAG_NORMALS = 2,
  FLAG_OVERLAY = 4,
  FLAG_PAUSED = 8,
  FLAG_CLASSES = 16,
  MOST_EXACT = 65536,      /* points sent as float32 */
  MEASURED_ALWAYS = 20000, /* particles of worlds measured in each frame */
  MEASURE_EVERY = 30,      /* steps between measurements of larger ones */
};

static weft_world* world_of(const view_session* session) {
  return sim_run_world(session->run);
}

static bool put_head(view_bytes* out, uint32_t kind, uint32_t version, uint32_t flags) {
  out->size = 0;
  return view_put_u32(out, MAGIC) && view_put_u32(out, kind) && view_put_u32(out, version) &&
         view_put_u32(out, flags);
}

// ---- topology ----

/* Marks links along an edge of a face: faces by particle, as prefix offsets. */
static bool mark_sides(const view_model* model, bool* has_face) {
  uint32_t* first = calloc((size_t)model->particle_count + 2, sizeof *first);
  uint32_t* others = calloc(6 * (size_t)model->face_count + 1, sizeof *others);
  const bool ok = first && others;
  const uint32_t corners = ok ? 3 * model->face_count : 0;
  for (uint32_t i = 0; i < corners; ++i) first[model->faces[i] + 2] += 2;
  for (uint32_t i = 2; ok && i < model->particle_count + 2; ++i) first[i] += first[i - 1];
  for (uint32_t i = 0; i < corners; ++i) {
    const uint32_t* face = model->faces + 3 * (size_t)(i / 3);
    const uint32_t particle = face[i % 3];
    others[first[particle + 1]++] = face[(i + 1) % 3];
    others[first[particle + 1]++] = face[(i + 2) % 3];
  }
  for (uint32_t i = 0; ok && i < model->link_count; ++i) {
    const view_link* link = &model->links[i];
    for (uint32_t k = first[link->a]; k < first[link->a + 1] && !has_face[i]; ++k) {
      has_face[i] = others[k] == link->b;
    }
  }
  free(first);
  free(others);
  return ok;
}

static bool put_faces(const view_model* model, view_bytes* out, uint32_t* count) {
  if (!model->detail.seeds) {
    *count = model->face_count;
    return view_put(out, model->faces, (size_t)model->face_count * sizeof(uint32_t[3]));
  }
  bool ok = true;
  for (uint32_t i = 0; i < model->face_count && ok; ++i) {
    const uint32_t* face = model->faces + 3 * (size_t)i;
    const uint32_t points[3] = {view_point_of(model, face[0]), view_point_of(model, face[1]),
                                view_point_of(model, face[2])};
    if (points[0] == points[1] || points[1] == points[2] || points[2] == points[0]) continue;
    ok = view_put(out, points, sizeof points);
    ++*count;
  }
  return ok;
}

static bool put_lines(const view_model* model, view_bytes* out, uint32_t* count) {
  bool* has_face = calloc((size_t)model->link_count + 1, sizeof *has_face);
  bool ok = has_face && (model->face_count == 0 || mark_sides(model, has_face));
  for (uint32_t world = 0; ok && world <= model->beside_count; ++world) {
    const uint32_t shift = world * model->particle_count;
    for (uint32_t i = 0; i < model->link_count && ok; ++i) {
      const view_link* link = &model->links[i];
      const uint32_t a = view_point_of(model, link->a), b = view_point_of(model, link->b);
      if (has_face[i] || a == b || !model->enabled[link->number]) continue;
      // threads of a cloth are thin
      const double radius = model->line_radius * (model->face_count > 0 ? 0.5 : 1.0);
      ok =
          view_put_u32(out, shift + a) && view_put_u32(out, shift + b) && view_put_f32(out, radius);
      ++*count;
    }
  }
  free(has_face);
  return ok;
}

static bool put_shape(view_bytes* out, uint32_t point, uint32_t kind, const float half_size[3]) {
  return view_put_u32(out, point) && view_put_u32(out, kind) && view_put(out, half_size, 12);
}

/* Particles with a size, particles that nothing else shows, and the masses of a pendulum. */
static bool put_shapes(const view_session* session, view_bytes* out, uint32_t* count) {
  const view_model* model = &session->model;
  const float radius = (float)(4.5 * model->line_radius), dot[3] = {radius, radius, radius};
  const bool has_masses = model->face_count == 0 && model->particle_count <= 8;
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    weft_particle_shape_def shape;
    tool_must(weft_world_get_particle_shapes(world_of(session), weft_range(i, 1), &shape));
    const bool is_large = shape.shape != WEFT_PARTICLE_SHAPE_CLOTH && shape.half_size[0] > 0.0f &&
                          (model->face_count == 0 || !model->is_linked[i]);
    const bool is_mass = has_masses && !model->is_pinned[i];
    if (!is_large && !is_mass && model->is_linked[i]) continue;
    for (uint32_t world = 0; world <= model->beside_count; ++world) {
      const uint32_t point = world * model->particle_count + view_point_of(model, i);
      if (!put_shape(out, point, (uint32_t)shape.shape, is_large ? shape.half_size : dot)) {
        return false;
      }
      ++*count;
    }
  }
  return true;
}

static bool put_pins(const view_session* session, view_bytes* out, uint32_t* count) {
  const view_model* model = &session->model;
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    float inverse_mass = 0.0f;
    const uint32_t point = view_point_of(model, i);
    if (!model->is_pinned[i] || view_particle_of(model, point) != i) continue;
    tool_get(world_of(session), WEFT_ATTRIBUTE_INVERSE_MASS, i, 1, &inverse_mass);
    for (uint32_t world = 0; inverse_mass == 0.0f && world <= model->beside_count; ++world) {
      if (!view_put_u32(out, world * model->particle_count + point)) return false;
      ++*count;
    }
  }
  return true;
}

static bool put_colliders(const view_session* session, view_bytes* out) {
  const view_model* model = &session->model;
  for (uint32_t i = 0; i < model->collider_count; ++i) {
    weft_collider_def def = weft_default_collider_def();
    const weft_result result =
        weft_world_get_collider(world_of(session), model->colliders[i], &def);
    // one just removed is gone with the next topology
    if (result.error != WEFT_OK) def.radius = 0.0f;
    if (!view_put_u32(out, (uint32_t)def.shape) || !view_put_f32(out, (double)def.radius) ||
        !view_put(out, def.half_size, sizeof def.half_size)) {
      return false;
    }
  }
  return true;
}

static bool put_colors(const view_model* model, view_bytes* out) {
  bool ok = true;
  for (uint32_t point = 0; point < view_point_count(model) && ok; ++point) {
    const uint32_t i = view_particle_of(model, point), world = i / model->particle_count;
    // one colour for each world where there are several
    const uint32_t curve = world > 0 ? model->beside[world - 1].curve : model->main_curve;
    ok = view_put_u32(out, model->beside_count > 0 ? 0x01000000 + curve : model->colors[i]);
  }
  return ok;
}

bool view_write_topology(view_session* session, view_bytes* out) {
  const view_model* model = &session->model;
  weft_bounds_def bounds;
  bool is_set = false;
  if (session->is_dead || !view_model_refresh(session)) return false;
  uint32_t counts[8] = {view_point_count(model), 0, 0, 0, 0, model->collider_count};
  tool_must(weft_world_get_bounds(world_of(session), &bounds, &is_set));
  const bool ok = put_head(out, KIND_TOPOLOGY, session->topology, 0) &&
                  view_put(out, counts, sizeof counts) &&
                  view_put(out, bounds.lower, sizeof bounds.lower) &&
                  view_put(out, bounds.upper, sizeof bounds.upper) && view_put_f64(out, 0.0) &&
                  put_faces(model, out, &counts[1]) && put_colors(model, out) &&
                  put_lines(model, out, &counts[2]) && put_shapes(session, out, &counts[3]) &&
                  put_pins(session, out, &counts[4]) && put_colliders(session, out);
  if (ok) memcpy(out->data + 16, counts, sizeof counts);
  return ok;
}

// ---- points of a frame ----

/* Positions of particles at a share of the last step. */
static void read_range(const weft_world* world, float share, view_range range, float* to) {
  const weft_attribute_array array = {WEFT_ATTRIBUTE_POSITION, to, 0};
  weft_vertices_def def = weft_default_vertices_def();
  def.selection = weft_range(range.first, range.count);
  def.arrays = &array;
  def.array_count = 1;
  def.interpolation = share;
  tool_must(weft_world_read_vertices(world, &def));
}

/* Positions of the main world, as far as read, and of the worlds beside it. */
static void read_positions(view_session* session, float share) {
  view_model* model = &session->model;
  const weft_world* world = world_of(session);
  const uint32_t count = model->particle_count;
  const view_range all = {0, count};
  // strain is measured over all links
  const bool is_whole = session->overlay == VIEW_OVERLAY_STRAIN;
  const view_range* ranges = is_whole ? &all : model->read;
  for (uint32_t i = 0; i < (is_whole ? 1 : model->read_count); ++i) {
    float* to = model->positions + 3 * (size_t)ranges[i].first;
    read_range(world, share, ranges[i], to);
  }
  for (uint32_t i = 0; i < model->beside_count; ++i) {
    const view_beside* one = &model->beside[i];
    float* to = model->positions + 3 * (size_t)count * (i + 1);
    read_range(one->world, share, all, to);
    for (uint32_t k = 0; k < 3 * count; ++k) to[k] += one->offset[k % 3];
  }
}

static void copy_points(const view_model* model, float* to) {
  for (uint32_t i = 0; i < view_point_count(model); ++i, to += 3) {
    memcpy(to, model->positions + 3 * (size_t)view_particle_of(model, i), sizeof(float[3]));
  }
}

/* Normals of the faces at a particle, weighted by area. */
static bool put_normals(view_model* model, view_bytes* out) {
  const bool is_coarse = model->normal_faces != NULL;
  const uint32_t* face = is_coarse ? model->normal_faces : model->faces;
  const uint32_t count = is_coarse ? model->normal_face_count : model->face_count;
  for (uint32_t i = 0; i < model->read_count; ++i) {
    memset(model->vectors + 3 * (size_t)model->read[i].first, 0,
           (size_t)model->read[i].count * sizeof(float[3]));
  }
  for (uint32_t i = 0; i < count; ++i, face += 3) {
    const float *a = model->positions + 3 * (size_t)face[0],
                *b = model->positions + 3 * (size_t)face[1],
                *c = model->positions + 3 * (size_t)face[2];
    const float u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const float v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    const float n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                        u[0] * v[1] - u[1] * v[0]};
    for (int corner = 0; corner < 3; ++corner) {
      for (int k = 0; k < 3; ++k) model->vectors[3 * (size_t)face[corner] + (size_t)k] += n[k];
    }
  }
  const uint32_t points = view_point_count(model);
  int8_t* to = view_put_room(out, (size_t)points * 4);
  for (uint32_t i = 0; to && i < points; ++i, to += 4) {
    const float* n = model->vectors + 3 * (size_t)view_particle_of(model, i);
    const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const float scale = length > 0.0f ? 127.0f / length : 0.0f;
    for (int k = 0; k < 3; ++k) {
      // may round to more than 127 on flat cloth, and may be NaN
      to[k] = (int8_t)fminf(fmaxf(n[k] * scale, -127.0f), 127.0f);
    }
    to[3] = 0;
  }
  return to != NULL;
}

// ---- the rest of a frame ----

static void measure(view_session* session) {
  view_meter* meter = &session->meter;
  const uint64_t step = view_session_step_count(session) + 1;
  const bool is_due = session->model.particle_count <= MEASURED_ALWAYS || session->is_paused ||
                      step >= meter->measured_step + MEASURE_EVERY || meter->measured_step == 0;
  weft_measures measures;
  if (!is_due || meter->measured_step == step) return;
  tool_must(weft_world_measure(world_of(session), &measures));
  meter->mean_strain = measures.mean_strain;
  meter->max_strain = measures.max_strain;
  meter->hash = view_session_hash(session);
  meter->measured_step = step;
}

static bool put_figures(const view_session* session, view_bytes* out) {
  const view_meter* meter = &session->meter;
  weft_world_stats stats;
  tool_must(weft_world_get_stats(world_of(session), &stats));
  const sim_moment moment = sim_run_moment(session->run);
  bool ok = view_put_f64(out, (double)moment.step) && view_put_f64(out, moment.time) &&
            view_put_u32(out, stats.particle_count) && view_put_u32(out, stats.link_count) &&
            view_put_u32(out, stats.torn_count) &&
            view_put_u32(out, view_point_count(&session->model)) &&
            view_put_f32(out, meter->mean_strain) && view_put_f32(out, meter->max_strain) &&
            view_put(out, &meter->hash, sizeof meter->hash) && view_put_f32(out, meter->step_ms);
  for (int i = 0; i < VIEW_STAGES && ok; ++i) ok = view_put_f32(out, meter->stage_ms[i]);
  return ok && view_put_f32(out, session->speed) && view_put_f32(out, meter->rate);
}

static bool put_curves(const view_session* session, view_bytes* out) {
  sim_shown shown[SIM_MOST_SHOWN];
  const uint32_t count = sim_run_show(session->run, shown);
  bool ok = true;
  for (uint32_t i = 0; i < count && ok; ++i) ok = view_put_f32(out, shown[i].value);
  return ok;
}

static bool put_poses(const view_session* session, view_bytes* out) {
  bool ok = true;
  for (uint32_t i = 0; i < session->model.collider_count && ok; ++i) {
    weft_collider_def def = weft_default_collider_def();
    (void)weft_world_get_collider(world_of(session), session->model.colliders[i], &def).error;
    ok = view_put(out, def.position, sizeof def.position) &&
         view_put(out, def.rotation, sizeof def.rotation);
  }
  return ok;
}

/* A frame before its positions: the box follows when these are known. */
static bool put_start(view_session* session, uint32_t flags, view_bytes* out) {
  const view_model* model = &session->model;
  const float box[6] = {0};
  weft_world_stats stats;
  tool_must(weft_world_get_stats(world_of(session), &stats));
  return put_head(out, KIND_FRAME, session->topology, flags) && put_figures(session, out) &&
         view_put(out, box, sizeof box) && view_put_u32(out, model->curve_count) &&
         view_put_u32(out, model->collider_count) &&
         view_put_f64(out, (double)session->meter.measured_step - 1.0) &&
         view_put_u32(out, stats.last_substeps) && view_put_u32(out, stats.sweeps) &&
         put_curves(session, out) && put_poses(session, out);
}

static uint32_t flags_of(const view_session* session) {
  const view_model* model = &session->model;
  return (view_point_count(model) > MOST_EXACT ? FLAG_QUANTISED : 0) |
         (model->face_count > 0 ? FLAG_NORMALS : 0) |
         (session->overlay != VIEW_OVERLAY_NONE ? FLAG_OVERLAY : 0) |
         (session->overlay >= VIEW_OVERLAY_CONTACTS ? FLAG_CLASSES : 0) |
         (session->is_paused ? FLAG_PAUSED : 0) | (uint32_t)session->replay.state << 8;
}

// ---- captures ----

void view_capture_free(view_capture* capture) {
  view_bytes_free(&capture->head);
  view_bytes_free(&capture->tail);
  free(capture->from);
  free(capture->to);
  free(capture->between);
  *capture = (view_capture){.from = NULL};
}

static bool make_room(view_capture* capture, uint32_t count) {
  if (count != capture->count) capture->generation = 0;
  capture->count = count;
  if (count <= capture->capacity && capture->from && capture->to && capture->between) return true;
  free(capture->from);
  free(capture->to);
  free(capture->between);
  capture->from = calloc((size_t)count + 1, sizeof(float[3]));
  capture->to = calloc((size_t)count + 1, sizeof(float[3]));
  capture->between = calloc((size_t)count + 1, sizeof(float[3]));
  capture->capacity = count;
  return capture->from && capture->to && capture->between;
}

/* Positions move on for the whole duration of a step, however late it is. */
static void set_pace(const view_session* session, double step_seconds, view_capture* capture) {
  const double h = (double)sim_run_def(session->run)->step_ns * 1e-9;
  const bool is_still = session->is_paused || view_session_step_count(session) == 0;
  const bool is_late = step_seconds > 0.0 && session->debt >= h;
  capture->share = is_still ? 1.0 : is_late ? 0.0 : fmin(session->debt / h, 1.0);
  capture->rate = is_still || step_seconds <= 0.0 ? 0.0
                  : is_late                       ? 1.0 / step_seconds
                                                  : session->speed / h;
}

/* Positions one step ago: the last capture's if possible, or extrapolated. */
static void read_last_step(view_session* session, view_capture* capture) {
  const bool is_known = capture->step + 1 == view_session_step_count(session) &&
                        capture->generation == session->generation &&
                        capture->points == session->most_points;
  if (is_known) {
    float* from = capture->from;
    capture->from = capture->to;
    capture->to = from;
  } else {
    read_positions(session, 0.0f);
    copy_points(&session->model, capture->from);
  }
}

bool view_capture_take(view_session* session, double step_seconds, view_capture* capture) {
  view_model* model = &session->model;
  if (session->is_dead || !view_model_refresh(session)) return false;
  if (!make_room(capture, view_point_count(model))) return false;
  measure(session);
  set_pace(session, step_seconds, capture);
  const bool is_moving = capture->rate > 0.0;
  if (is_moving) read_last_step(session, capture);
  read_positions(session, is_moving || step_seconds > 0.0 ? 1.0f : (float)capture->share);
  copy_points(model, capture->to);
  // positions in between are no state
  capture->step = step_seconds > 0.0 ? view_session_step_count(session) : UINT64_MAX - 1;
  capture->generation = session->generation;
  capture->points = session->most_points;
  const uint32_t flags = flags_of(session);
  capture->tail.size = 0;
  return put_start(session, flags, &capture->head) &&
         (!(flags & FLAG_NORMALS) || put_normals(model, &capture->tail)) &&
         (!(flags & FLAG_OVERLAY) || view_put_overlay(session, &capture->tail));
}

double view_capture_share(const view_capture* capture, double elapsed) {
  if (!(capture->rate > 0.0)) return 1.0;
  return fmin(fmax(capture->share + elapsed * capture->rate, 0.0), 1.0);
}

static void find_box(const float* points, uint32_t count, float box[6]) {
  for (int k = 0; k < 3; ++k) {
    box[k] = INFINITY;
    box[3 + k] = -INFINITY;
  }
  for (uint32_t i = 0; i < count; ++i, points += 3) {
    for (int k = 0; k < 3; ++k) {
      box[k] = fminf(box[k], points[k]);
      box[3 + k] = fmaxf(box[3 + k], points[k]);
    }
  }
}

/* 0 to 65535 from corner to corner of the box. */
static bool put_quantised(const float* from, uint32_t count, const float box[6], view_bytes* out) {
  uint16_t* to = view_put_room(out, (size_t)count * sizeof(uint16_t[4]));
  float scale[3];
  for (int k = 0; k < 3; ++k) {
    scale[k] = box[3 + k] > box[k] ? 65535.0f / (box[3 + k] - box[k]) : 0.0f;
  }
  for (uint32_t i = 0; to && i < count; ++i, from += 3, to += 4) {
    for (int k = 0; k < 3; ++k) {
      const float share = (from[k] - box[k]) * scale[k];
      // also for NaN
      to[k] = share > 0.0f ? (uint16_t)fminf(share + 0.5f, 65535.0f) : 0;
    }
    to[3] = 0;
  }
  return to != NULL;
}

static const float* interpolate(const view_capture* capture, float share) {
  const float *from = capture->from, *to = capture->to;
  if (!(share < 1.0f)) return to;
  for (size_t i = 0; i < 3 * (size_t)capture->count; ++i) {
    capture->between[i] = from[i] + share * (to[i] - from[i]);
  }
  return capture->between;
}

bool view_capture_write(view_capture* capture, double elapsed, view_bytes* out) {
  enum { AT_FLAGS = 12, AT_BOX = 120 };
  const uint32_t count = capture->count;
  const float* points = interpolate(capture, (float)view_capture_share(capture, elapsed));
  float box[6];
  uint32_t flags = 0;
  out->size = 0;
  if (!view_put(out, capture->head.data, capture->head.size)) return false;
  find_box(points, count, box);
  memcpy(out->data + AT_BOX, box, sizeof box);
  memcpy(&flags, out->data + AT_FLAGS, sizeof flags);
  return ((flags & FLAG_QUANTISED) ? put_quantised(points, count, box, out)
                                   : view_put(out, points, (size_t)count * sizeof(float[3]))) &&
         view_put(out, capture->tail.data, capture->tail.size);
}

// ---- frames ----

bool view_write_frame(view_session* session, view_bytes* out) {
  return view_capture_take(session, 0.0, &session->capture) &&
         view_capture_write(&session->capture, 0.0, out);
}
