#include <math.h>

#include "base/float_mode.h"
#include "collision/self/seams.h"
#include "world/world.h"

// tolerance on the sum of weights in single precision
#define WEIGHT_TOLERANCE 1e-4f

static weft_result check_weights(const weft_joint_def* def) {
  const float sum = def->weights[0] + def->weights[1] + def->weights[2];
  WEFT__FAIL_IF(fabsf(sum - 1.0f) > WEIGHT_TOLERANCE, WEFT_ERROR_RANGE, "weft_joint_def.weights");
  return weft__ok();
}

// Checks the i-th particle of the point, whose weight is not 0.
static weft_error check_end(const weft_joint_def* def, uint32_t particle_count, uint64_t i) {
  if (def->to[i] >= particle_count) return WEFT_ERROR_INDEX;
  if (def->to[i] == def->particle) return WEFT_ERROR_SELF_LINK;
  for (uint64_t before = 0; before < i; ++before) {
    if (def->weights[before] > 0.0f && def->to[before] == def->to[i]) return WEFT_ERROR_DUPLICATE;
  }
  return WEFT_OK;
}

static weft_result check_def(const weft_joint_def* def, uint32_t particle_count) {
  WEFT__TRY(weft__check_def(&weft__joint_fields, def));
  WEFT__FAIL_IF(def->particle >= particle_count, WEFT_ERROR_INDEX, "weft_joint_def.particle");
  WEFT__TRY(check_weights(def));
  for (uint64_t i = 0; i < 3; ++i) {
    if (def->weights[i] == 0.0f) continue;
    const weft_error error = check_end(def, particle_count, i);
    if (error != WEFT_OK) return weft__fail_at(error, "weft_joint_def.to", i);
  }
  return weft__ok();
}

static weft_result check_lives(const weft_joint_def* def, const weft__reserve* reserve) {
  WEFT__FAIL_IF(weft__reserve_is_free(reserve, def->particle), WEFT_ERROR_STALE,
                "weft_joint_def.particle");
  for (uint64_t i = 0; i < 3; ++i) {
    if (def->weights[i] == 0.0f || !weft__reserve_is_free(reserve, def->to[i])) continue;
    return weft__fail_at(WEFT_ERROR_STALE, "weft_joint_def.to", i);
  }
  return weft__ok();
}

static weft_result check_environment(const weft_joint_def* def, const weft__schedule* schedule) {
  const uint32_t own = weft__environment_of(schedule, schedule->solver_of[def->particle]);
  for (uint64_t i = 0; i < 3; ++i) {
    if (def->weights[i] == 0.0f) continue;
    if (weft__environment_of(schedule, schedule->solver_of[def->to[i]]) == own) continue;
    return weft__fail_at(WEFT_ERROR_RANGE, "weft_joint_def.to", i);
  }
  return weft__ok();
}

// Joint in solver order, without particles of weight 0.
static weft__joint joint_of(const weft_joint_def* def, const uint32_t* solver_of) {
  weft__joint joint = {.end_count = 1,
                       .particle = {solver_of[def->particle]},
                       .weight = {1.0f},
                       .rest_length = def->rest_length,
                       .compliance = def->compliance,
                       .break_force = def->break_force,
                       .mode = (uint8_t)def->mode};
  // normalized: with a sum other than 1 joints would create momentum
  const double sum = (double)def->weights[0] + (double)def->weights[1] + (double)def->weights[2];
  for (uint32_t i = 0; i < 3; ++i) {
    if (def->weights[i] == 0.0f) continue;
    joint.particle[joint.end_count] = solver_of[def->to[i]];
    joint.weight[joint.end_count++] = (float)((double)def->weights[i] / sum);
  }
  return joint;
}

static void wake_ends(weft_world* world, const weft__joint* joint) {
  for (uint32_t e = 0; e < joint->end_count; ++e) {
    weft__wake(&world->stepper.stages, joint->particle[e]);
  }
}

// Sets the rest length to the present distance, from which it falls in the closing time.
static void start_closing(weft__joint* joint, const weft__particles* p, float closing_time) {
  if (closing_time == 0.0f) return;
  double offset[3];
  weft__joint_offset(joint, p, offset);
  const double length = sqrt(offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]);
  const double excess = length - (double)joint->rest_length;
  if (!(excess > 0.0)) return;
  joint->excess = (float)excess;
  joint->closing_speed = (float)(excess / (double)closing_time);
}

static weft_joint push_joint(weft_world* world, const weft_joint_def* def) {
  weft__stepper* stepper = &world->stepper;
  weft__joint made = joint_of(def, stepper->schedule.solver_of);
  start_closing(&made, &stepper->particles, def->closing_time);
  wake_ends(world, &made);
  const weft_joint joint = weft__joints_add(&stepper->joints, &made);
  stepper->joints.data[joint.index] = (weft__joint_data){joint.generation, def->user_data};
  return joint;
}

static weft_result add_joint(weft_world* world, const weft_joint_def* def, weft_joint* joint) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__FAIL_IF(joint == NULL, WEFT_ERROR_NULL, "joint");
  weft__joints* joints = &world->stepper.joints;
  WEFT__TRY(check_def(def, world->stepper.particles.count));
  WEFT__TRY(check_lives(def, &world->stepper.particles.reserve));
  WEFT__TRY(check_environment(def, &world->stepper.schedule));
  WEFT__FAIL_IF(joints->count == joints->capacity, WEFT_ERROR_TOO_MANY,
                "weft_world_def.max_joints");
  *joint = push_joint(world, def);
  return weft__ok();
}

weft_result weft_world_add_joint(weft_world* world, const weft_joint_def* def, weft_joint* joint) {
  WEFT__RETURN_COMPUTED(add_joint, world, def, joint);
}

static weft_joint_def joint_of_pair(const weft_seam_def* def, uint32_t pair) {
  weft_joint_def joint = weft_default_joint_def();
  joint.particle = def->pairs[(size_t)2 * pair];
  joint.to[0] = def->pairs[(size_t)2 * pair + 1];
  joint.compliance = def->compliance;
  joint.break_force = def->break_force;
  joint.mode = WEFT_LINK_MODE_STRETCH;
  joint.closing_time = def->closing_time;
  return joint;
}

static weft_result check_seam(const weft_world* world, const weft_seam_def* def) {
  WEFT__TRY(weft__check_def(&weft__seam_fields, def));
  const weft__joints* joints = &world->stepper.joints;
  WEFT__FAIL_IF(def->count > joints->capacity - joints->count, WEFT_ERROR_TOO_MANY,
                "weft_world_def.max_joints");
  for (uint32_t i = 0; i < def->count; ++i) {
    const weft_joint_def joint = joint_of_pair(def, i);
    weft_result result = check_def(&joint, world->stepper.particles.count);
    if (result.error == WEFT_OK) result = check_lives(&joint, &world->stepper.particles.reserve);
    if (result.error != WEFT_OK) return weft__fail_at(result.error, "weft_seam_def.pairs", i);
  }
  return weft__ok();
}

static weft_result add_seam(weft_world* world, const weft_seam_def* def, weft_joint* joints) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__TRY(check_seam(world, def));
  for (uint32_t i = 0; i < def->count; ++i) {
    const weft_joint_def joint = joint_of_pair(def, i);
    const weft_joint handle = push_joint(world, &joint);
    if (joints != NULL) joints[i] = handle;
  }
  return weft__ok();
}

weft_result weft_world_add_seam(weft_world* world, const weft_seam_def* def, weft_joint* joints) {
  WEFT__RETURN_COMPUTED(add_seam, world, def, joints);
}

static weft_result find(const weft_world* world, weft_joint handle, const weft__joint** joint) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  *joint = weft__joints_find(&world->stepper.joints, handle);
  WEFT__FAIL_IF(*joint == NULL, WEFT_ERROR_STALE, "joint");
  return weft__ok();
}

weft_result weft_world_remove_joint(weft_world* world, weft_joint joint) {
  const weft__joint* found = NULL;
  WEFT__TRY(find(world, joint, &found));
  wake_ends(world, found);
  if (!found->is_parted) weft__self_part_seam(&world->stepper.contacts.cloth, found);
  weft__joints_remove(&world->stepper.joints, joint.index);
  return weft__ok();
}

static void read_def(const weft_world* world, weft_joint joint, const weft__joint* found,
                     weft_joint_def* def) {
  *def = weft_default_joint_def();
  const uint32_t* user_of = world->stepper.schedule.user_of;
  def->particle = user_of[found->particle[0]];
  def->weights[0] = 0.0f;
  for (uint32_t end = 1; end < found->end_count; ++end) {
    def->to[end - 1] = user_of[found->particle[end]];
    def->weights[end - 1] = found->weight[end];
  }
  def->rest_length = found->rest_length;
  def->compliance = found->compliance;
  def->break_force = found->break_force;
  def->mode = (weft_link_mode)found->mode;
  const weft__joint_data* data = &world->stepper.joints.data[joint.index];
  if (data->generation == joint.generation) def->user_data = data->user_data;
  if (found->excess > 0.0f) def->closing_time = found->excess / found->closing_speed;
}

weft_result weft_world_get_joint(const weft_world* world, weft_joint joint, weft_joint_def* def,
                                 float* force, bool* broken) {
  const weft__joint* found = NULL;
  WEFT__TRY(find(world, joint, &found));
  if (def != NULL) read_def(world, joint, found, def);
  if (force != NULL) *force = found->force;
  if (broken != NULL) *broken = found->state == WEFT__JOINT_BROKEN;
  return weft__ok();
}
