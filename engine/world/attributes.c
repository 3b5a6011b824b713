/* Reading of attributes: ranges on the calling thread, bulk reads by all workers. */
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/float_mode.h"
#include "world/ranges.h"
#include "world/world.h"

typedef struct read_job {
  const weft_world* world;
  const weft__selection* at;
  const weft_attribute_array* arrays;
  uint32_t array_count;
  bool is_between;  // positions are interpolated
  float amount;     // share of the present position; the rest is the previous one's
  float rate;       // 1/seconds
  const float* uvs;
  size_t uv_stride;
} read_job;

static float* element(const weft_attribute_array* array, uint32_t n) {
  void* at = (char*)array->values + (size_t)n * array->stride;
  return at;
}

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

static void load_position(const read_job* job, uint32_t i, float position[3]) {
  const weft__particles* p = &job->world->stepper.particles;
  weft__load3(p->pos, i, position);
  if (!job->is_between) return;
  for (int axis = 0; axis < 3; ++axis) {
    position[axis] = (1.0f - job->amount) * p->prev[axis][i] + job->amount * position[axis];
  }
  if (job->world->stepper.bounds.on) clamp_to_bounds(job->world, i, position);
}

static weft__vec3 position_of(const read_job* job, uint32_t i) {
  float position[3];
  load_position(job, i, position);
  return weft__vec3_of(position);
}

// Unit vector; 0 0 0 for one without a length.
static weft__vec3 unit_of(weft__vec3 v) {
  const double length = weft__length(v);
  return weft__scaled(length > 0.0 ? 1.0 / length : 0.0, v);
}

// Texture coordinates of a particle in solver order, relative to another one's.
static void load_uv(const read_job* job, uint32_t i, uint32_t origin, double uv[2]) {
  const uint32_t* user_of = job->world->stepper.schedule.user_of;
  const weft__array uvs = {job->uvs, job->uv_stride, 2, NULL};
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
static void add_tangent(const read_job* job, const uint32_t corner[3], weft__vec3 e, weft__vec3 f,
                        double area, face_sums* sums) {
  double a[2], b[2];
  load_uv(job, corner[1], corner[0], a);
  load_uv(job, corner[2], corner[0], b);
  const double determinant = a[0] * b[1] - b[0] * a[1];
  if (!(fabs(determinant) > 0.0)) return;
  const double side = determinant > 0.0 ? area : -area;
  const weft__vec3 along = weft__minus(weft__scaled(b[1], e), weft__scaled(a[1], f));
  sums->tangent = weft__plus(sums->tangent, weft__scaled(side, unit_of(along)));
  sums->handedness += side;
}

static face_sums sum_faces(const read_job* job, uint32_t i, bool with_tangents) {
  const weft__faces* faces = &job->world->stepper.forces.faces;
  face_sums sums = {0};
  for (uint32_t u = faces->first_use[i]; u < faces->first_use[i + 1]; ++u) {
    const uint32_t face = faces->use[u];
    if (weft__face_is_torn(faces, &job->world->stepper.schedule, face)) continue;
    const uint32_t* corner = faces->corner[face];
    const weft__vec3 origin = position_of(job, corner[0]);
    const weft__vec3 e = weft__minus(position_of(job, corner[1]), origin);
    const weft__vec3 f = weft__minus(position_of(job, corner[2]), origin);
    const weft__vec3 normal = weft__cross(e, f);
    sums.normal = weft__plus(sums.normal, normal);
    if (with_tangents) add_tangent(job, corner, e, f, weft__length(normal), &sums);
  }
  return sums;
}

static void read_position(const read_job* job, uint32_t i, float* out) {
  load_position(job, i, out);
}

static void read_velocity(const read_job* job, uint32_t i, float* out) {
  weft__particles_velocity(&job->world->stepper.particles, i, job->rate, out);
}

static void read_target(const read_job* job, uint32_t i, float* out) {
  const weft__move* move = weft__moves_find(&job->world->stepper.moves, i);
  weft__load3(job->world->stepper.particles.pos, i, out);
  if (move != NULL) memcpy(out, move->target, sizeof(move->target));
}

static void read_inverse_mass(const read_job* job, uint32_t i, float* out) {
  out[0] = weft__inverse_mass_of(job->world, i);
}

static void read_force(const read_job* job, uint32_t i, float* out) {
  const weft__particles* p = &job->world->stepper.particles;
  for (int axis = 0; axis < 3; ++axis)
    out[axis] = p->force_block != NULL ? p->force[axis][i] : 0.0f;
}

static void read_normal(const read_job* job, uint32_t i, float* out) {
  weft__vec3_store(unit_of(sum_faces(job, i, false).normal), out);
}

static void read_tangent(const read_job* job, uint32_t i, float* out) {
  const face_sums sums = sum_faces(job, i, true);
  const weft__vec3 normal = unit_of(sums.normal);
  const weft__vec3 across = weft__scaled(weft__dot(sums.tangent, normal), normal);
  weft__vec3_store(unit_of(weft__minus(sums.tangent, across)), out);
  out[3] = sums.handedness < 0.0 ? -1.0f : 1.0f;
}

typedef void read_element(const read_job* job, uint32_t i, float* out);

static read_element* const readers[WEFT_ATTRIBUTE_COUNT] = {
    [WEFT_ATTRIBUTE_POSITION] = read_position, [WEFT_ATTRIBUTE_VELOCITY] = read_velocity,
    [WEFT_ATTRIBUTE_TARGET] = read_target,     [WEFT_ATTRIBUTE_INVERSE_MASS] = read_inverse_mass,
    [WEFT_ATTRIBUTE_FORCE] = read_force,       [WEFT_ATTRIBUTE_NORMAL] = read_normal,
    [WEFT_ATTRIBUTE_TANGENT] = read_tangent,
};

static void read_items(void* context, weft__range items, uint32_t worker) {
  (void)worker;
  const read_job* job = context;
  for (uint32_t k = 0; k < job->array_count; ++k) {
    const weft_attribute_array* array = &job->arrays[k];
    read_element* const read = readers[array->attribute];
    for (uint32_t n = items.begin; n < items.end; ++n) {
      read(job, weft__selected(job->at, n), element(array, n));
    }
  }
}

// Sets the share of the present position. Previous positions are one substep old: the start of the
// step is extrapolated.
static void set_interpolation(read_job* job, float interpolation) {
  job->is_between = interpolation != 1.0f;
  const weft__physics* physics = &job->world->stepper.physics;
  const float part = (float)(physics->taken_h / physics->last_h);
  job->amount = 1.0f - (1.0f - interpolation) * part * (float)job->world->stepper.settings.substeps;
}

static weft_result read_range(const weft_world* world, weft_attribute attribute,
                              float interpolation, uint32_t first, uint32_t count, float* values,
                              const char* field) {
  const size_t stride = weft__attribute_floats[attribute] * sizeof(float);
  WEFT__TRY(weft__check_array(world, first, count, &(weft__array){values, stride, 0, field}));
  const weft__selection at = {world->stepper.schedule.solver_of, NULL, first, count};
  const weft_attribute_array array = {attribute, values, stride};
  read_job job = {.world = world,
                  .at = &at,
                  .arrays = &array,
                  .array_count = 1,
                  .rate = (float)(1.0 / weft__last_substep(world))};
  set_interpolation(&job, interpolation);
  read_items(&job, (weft__range){0, count}, 0);
  return weft__ok();
}

weft_result weft_world_get_positions(const weft_world* world, uint32_t first, uint32_t count,
                                     float* positions) {
  WEFT__RETURN_COMPUTED(read_range, world, WEFT_ATTRIBUTE_POSITION, 1.0f, first, count, positions,
                        "positions");
}

static weft_result interpolate(const weft_world* world, float interpolation, uint32_t first,
                               uint32_t count, float* positions) {
  WEFT__TRY(WEFT__CHECK_AS(bulk, interpolation, &interpolation, "interpolation"));
  return read_range(world, WEFT_ATTRIBUTE_POSITION, interpolation, first, count, positions,
                    "positions");
}

weft_result weft_world_get_interpolated(const weft_world* world, float interpolation,
                                        uint32_t first, uint32_t count, float* positions) {
  WEFT__RETURN_COMPUTED(interpolate, world, interpolation, first, count, positions);
}

weft_result weft_world_get_velocities(const weft_world* world, uint32_t first, uint32_t count,
                                      float* velocities) {
  WEFT__RETURN_COMPUTED(read_range, world, WEFT_ATTRIBUTE_VELOCITY, 1.0f, first, count, velocities,
                        "velocities");
}

weft_result weft_world_get_targets(const weft_world* world, uint32_t first, uint32_t count,
                                   float* targets) {
  WEFT__RETURN_COMPUTED(read_range, world, WEFT_ATTRIBUTE_TARGET, 1.0f, first, count, targets,
                        "targets");
}

weft_result weft_world_get_inverse_masses(const weft_world* world, uint32_t first, uint32_t count,
                                          float* inverse_masses) {
  WEFT__RETURN_COMPUTED(read_range, world, WEFT_ATTRIBUTE_INVERSE_MASS, 1.0f, first, count,
                        inverse_masses, "inverse_masses");
}

weft_result weft_world_get_forces(const weft_world* world, uint32_t first, uint32_t count,
                                  float* forces) {
  WEFT__RETURN_COMPUTED(read_range, world, WEFT_ATTRIBUTE_FORCE, 1.0f, first, count, forces,
                        "forces");
}

// Checks the strides, and the requirements of normals and tangents.
static weft_result check_readable(const weft_world* world, const weft_bulk_def* def) {
  for (uint32_t k = 0; k < def->array_count; ++k) {
    const weft_attribute_array* array = &def->arrays[k];
    if (array->stride == 0)
      return weft__fail_at(WEFT_ERROR_RANGE, "weft_attribute_array.stride", k);
    const bool is_tangent = array->attribute == WEFT_ATTRIBUTE_TANGENT;
    WEFT__FAIL_IF(is_tangent && def->uvs == NULL, WEFT_ERROR_NULL, "weft_bulk_def.uvs");
    WEFT__FAIL_IF(is_tangent && !weft__is_stride(def->uv_stride, 2), WEFT_ERROR_RANGE,
                  "weft_bulk_def.uv_stride");
    WEFT__FAIL_IF((is_tangent || array->attribute == WEFT_ATTRIBUTE_NORMAL) &&
                      !world->stepper.forces.has_faces,
                  WEFT_ERROR_DISABLED, "weft_world_def.plane");
  }
  return weft__ok();
}

static weft_result read_bulk(const weft_world* world, const weft_bulk_def* def) {
  weft__selection at;
  WEFT__TRY(weft__check_bulk(world, def, &at));
  WEFT__TRY(check_readable(world, def));
  WEFT__TRY(WEFT__CHECK_FIELD(bulk, def, interpolation));
  read_job job = {.world = world,
                  .at = &at,
                  .arrays = def->arrays,
                  .array_count = def->array_count,
                  .rate = (float)(1.0 / weft__last_substep(world)),
                  .uvs = def->uvs,
                  .uv_stride = def->uv_stride};
  set_interpolation(&job, def->interpolation);
  weft__for_selection(world->stepper.pool, &at, read_items, &job);
  return weft__ok();
}

weft_result weft_world_read(const weft_world* world, const weft_bulk_def* def) {
  WEFT__RETURN_COMPUTED(read_bulk, world, def);
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
