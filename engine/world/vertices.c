/* Vertex buffers: positions between the last two steps, normals, tangents; and views. */
#include <math.h>

#include "base/check.h"
#include "base/float_mode.h"
#include "world/attributes.h"
#include "world/ranges.h"

// Bounces leave the previous position behind the wall; particles put outside stay there.
static void clamp_to_bounds(const weft_world* world, uint32_t i, float position[3]) {
  const weft__particles* p = &world->stepper.particles;
  for (int axis = 0; axis < 3; ++axis) {
    float lower = 0.0f;
    float upper = 0.0f;
    weft__bounds_around(&world->stepper.bounds, i, axis, &lower, &upper);
    if (p->pos[axis][i] < lower || p->pos[axis][i] > upper) continue;
    if (position[axis] < lower) position[axis] = lower;
    if (position[axis] > upper) position[axis] = upper;
  }
}

void weft__read_interpolated(const weft__attribute_read* read, uint32_t i, float position[3]) {
  const weft__particles* p = &read->world->stepper.particles;
  for (int axis = 0; axis < 3; ++axis) {
    position[axis] = (1.0f - read->amount) * p->prev[axis][i] + read->amount * p->pos[axis][i];
  }
  if (read->world->stepper.bounds.on) clamp_to_bounds(read->world, i, position);
}

static weft__vec3 position_of(const weft__attribute_read* read, uint32_t i) {
  float position[3];
  weft__position_attribute.get(read, i, position);
  return weft__vec3_of(position);
}

// Unit vector; 0 0 0 for one without a length.
static weft__vec3 unit_of(weft__vec3 v) {
  const double length = weft__length(v);
  return weft__scaled(length > 0.0 ? 1.0 / length : 0.0, v);
}

// Texture coordinates of a particle in solver order, relative to another one's.
static void load_uv(const weft__attribute_read* read, uint32_t i, uint32_t origin, double uv[2]) {
  const uint32_t* user_of = read->world->stepper.schedule.user_of;
  const weft__array uvs = weft__array_of(read->uvs, read->uv_stride, 2, "uvs");
  const float* at = weft__array_at(&uvs, user_of[i]);
  const float* from = weft__array_at(&uvs, user_of[origin]);
  uv[0] = (double)at[0] - (double)from[0];
  uv[1] = (double)at[1] - (double)from[1];
}

typedef struct face_sums {
  weft__vec3 normal;   // twice the area of each face, along its normal
  weft__vec3 tangent;  // the same along the direction of u
  double handedness;   // twice the area of faces whose texture is not mirrored, less the others
} face_sums;

// Direction of u on a face: the gradient of u along the edges e and f. (Lengyel 2001, "Computing
// tangent space basis vectors for an arbitrary mesh")
static void add_tangent(const weft__attribute_read* read, const uint32_t corner[3], weft__vec3 e,
                        weft__vec3 f, double area, face_sums* sums) {
  double a[2], b[2];
  load_uv(read, corner[1], corner[0], a);
  load_uv(read, corner[2], corner[0], b);
  const double determinant = a[0] * b[1] - b[0] * a[1];
  if (!(fabs(determinant) > 0.0)) return;
  const double side = determinant > 0.0 ? area : -area;
  const weft__vec3 along = weft__minus(weft__scaled(b[1], e), weft__scaled(a[1], f));
  sums->tangent = weft__plus(sums->tangent, weft__scaled(side, unit_of(along)));
  sums->handedness += side;
}

static face_sums sum_faces(const weft__attribute_read* read, uint32_t i, bool with_tangents) {
  const weft__faces* faces = &read->world->stepper.forces.faces;
  face_sums sums = {0};
  for (uint32_t u = faces->first_use[i]; u < faces->first_use[i + 1]; ++u) {
    const uint32_t face = faces->use[u];
    if (weft__face_is_torn(faces, &read->world->stepper.schedule, face)) continue;
    const uint32_t* corner = faces->corner[face];
    const weft__vec3 origin = position_of(read, corner[0]);
    const weft__vec3 e = weft__minus(position_of(read, corner[1]), origin);
    const weft__vec3 f = weft__minus(position_of(read, corner[2]), origin);
    const weft__vec3 normal = weft__cross(e, f);
    sums.normal = weft__plus(sums.normal, normal);
    if (with_tangents) add_tangent(read, corner, e, f, weft__length(normal), &sums);
  }
  return sums;
}

static weft_result check_faces(const weft_world* world) {
  WEFT__FAIL_IF(!world->stepper.forces.has_faces, WEFT_ERROR_DISABLED, "weft_world_def.plane");
  return weft__ok();
}

static void get_normal(const weft__attribute_read* read, uint32_t i, void* value) {
  weft__vec3_store(unit_of(sum_faces(read, i, false).normal), value);
}

const weft__attribute weft__normal_attribute = {
    .id = WEFT_ATTRIBUTE_NORMAL,
    .size = sizeof(float[3]),
    .item = sizeof(float),
    .check = check_faces,
    .get = get_normal,
};

static void get_tangent(const weft__attribute_read* read, uint32_t i, void* value) {
  const face_sums sums = sum_faces(read, i, true);
  const weft__vec3 normal = unit_of(sums.normal);
  const weft__vec3 across = weft__scaled(weft__dot(sums.tangent, normal), normal);
  float* tangent = value;
  weft__vec3_store(unit_of(weft__minus(sums.tangent, across)), tangent);
  tangent[3] = sums.handedness < 0.0 ? -1.0f : 1.0f;
}

const weft__attribute weft__tangent_attribute = {
    .id = WEFT_ATTRIBUTE_TANGENT,
    .size = sizeof(float[4]),
    .item = sizeof(float),
    .needs_texture = true,
    .check = check_faces,
    .get = get_tangent,
};

// Sets the share of the present position. Previous positions are one substep old: the start of the
// step is extrapolated.
static void set_interpolation(weft__attribute_read* read, float interpolation) {
  const weft__stepper* stepper = &read->world->stepper;
  read->is_between = interpolation != 1.0f;
  const float part = (float)(stepper->physics.taken_h / stepper->physics.last_h);
  read->amount = 1.0f - (1.0f - interpolation) * part * (float)stepper->settings.substeps;
}

static weft_result check_array(const weft_world* world, const weft_vertices_def* def, uint32_t k) {
  const weft_attribute_array* array = &def->arrays[k];
  const weft__attribute* row = NULL;
  weft_result found =
      weft__find_attribute(array->attribute, "weft_attribute_array.attribute", &row);
  if (found.error == WEFT_OK && row->of != WEFT__OF_PARTICLES)
    found = weft__fail(WEFT_ERROR_RANGE, "weft_attribute_array.attribute");
  if (found.error != WEFT_OK) return weft__fail_at(found.error, found.field, k);
  if (array->values == NULL && def->selection.count > 0)
    return weft__fail_at(WEFT_ERROR_NULL, "weft_attribute_array.values", k);
  if (!weft__is_attribute_stride(row, array->stride))
    return weft__fail_at(WEFT_ERROR_RANGE, "weft_attribute_array.stride", k);
  WEFT__FAIL_IF(row->needs_texture && def->uvs == NULL, WEFT_ERROR_NULL, "weft_vertices_def.uvs");
  WEFT__FAIL_IF(
      row->needs_texture && def->uv_stride != WEFT_SAME && !weft__is_stride(def->uv_stride, 2),
      WEFT_ERROR_RANGE, "weft_vertices_def.uv_stride");
  return row->check != NULL ? row->check(world) : weft__ok();
}

static weft_result read_vertices(const weft_world* world, const weft_vertices_def* def) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__TRY(weft__check_def(&weft__vertices_fields, def));
  weft__selection at;
  WEFT__TRY(weft__check_selected(world, WEFT__OF_PARTICLES, &def->selection, &at));
  WEFT__FAIL_IF(def->arrays == NULL && def->array_count > 0, WEFT_ERROR_NULL,
                "weft_vertices_def.arrays");
  for (uint32_t k = 0; k < def->array_count; ++k) WEFT__TRY(check_array(world, def, k));
  WEFT__TRY(WEFT__CHECK_FIELD(vertices, def, interpolation));
  weft__attribute_read read = weft__attribute_read_of(world);
  read.uvs = def->uvs;
  read.uv_stride = def->uv_stride;
  set_interpolation(&read, def->interpolation);
  return weft__read_arrays(&read, &at, def->arrays, def->array_count);
}

weft_result weft_world_read_vertices(const weft_world* world, const weft_vertices_def* def) {
  WEFT__RETURN_COMPUTED(read_vertices, world, def);
}

static weft_result get_view(const weft_world* world, weft_view* view) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(view == NULL, WEFT_ERROR_NULL, "view");
  const weft__particles* p = &world->stepper.particles;
  *view = (weft_view){
      .particle_count = p->count,
      .index_of = world->stepper.schedule.solver_of,
      .number_of = world->stepper.schedule.user_of,
      .position = {p->pos_x, p->pos_y, p->pos_z},
      .previous = {p->prev_x, p->prev_y, p->prev_z},
      .carried = {p->carried_x, p->carried_y, p->carried_z},
      .velocity = {p->vel_x, p->vel_y, p->vel_z},
      .velocity_lag = {p->vel_lag_x, p->vel_lag_y, p->vel_lag_z},
      .inverse_mass = p->inv_mass,
      .previous_rate = (float)(1.0 / weft__last_substep(world)),
  };
  return weft__ok();
}

weft_result weft_world_get_view(const weft_world* world, weft_view* view) {
  WEFT__RETURN_COMPUTED(get_view, world, view);
}
