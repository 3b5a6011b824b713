/* Particles and colliders that are moved to another place and orientation at once. */
#include "base/check.h"
#include "base/float_mode.h"
#include "base/pose.h"
#include "world/ranges.h"
#include "world/world.h"

// ---- particles ----

static weft__vec3 turn_of(const weft__frame* frame, float x, float y, float z) {
  return weft__frame_rotate_out(frame, (weft__vec3){(double)x, (double)y, (double)z});
}

static weft__vec3 place_of(const weft__particles* p, uint32_t i, const weft__frame* frame) {
  return weft__plus(turn_of(frame, p->pos_x[i], p->pos_y[i], p->pos_z[i]), frame->position);
}

static weft_result check_teleport(const weft_world* world, uint32_t first, uint32_t count,
                                  const float* offset, const float* rotation) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__TRY(weft__check_elements(first, count, world->stepper.particles.count));
  if (offset != NULL) {
    WEFT__TRY(weft__check_magnitude(offset, 3, 1, "offset"));
    WEFT__TRY(weft__check_plane(world, offset, "offset"));
  }
  if (rotation == NULL) return weft__ok();
  WEFT__TRY(weft__check_rotation(rotation, "rotation"));
  const bool leaves_plane = rotation[0] != 0.0f || rotation[1] != 0.0f;
  WEFT__FAIL_IF(world->def.plane && leaves_plane, WEFT_ERROR_RANGE, "rotation");
  return weft__ok();
}

static void turn_vector(float* x, float* y, float* z, uint32_t i, const weft__frame* frame) {
  const weft__vec3 turned = turn_of(frame, x[i], y[i], z[i]);
  x[i] = (float)turned.x;
  y[i] = (float)turned.y;
  z[i] = (float)turned.z;
}

static void turn_particle(const weft__particles* p, uint32_t i, const weft__frame* frame,
                          const weft__pose* pose) {
  if (p->force_block != NULL) turn_vector(p->force_x, p->force_y, p->force_z, i, frame);
  if (p->pull_block != NULL) turn_vector(p->pull_x, p->pull_y, p->pull_z, i, frame);
  if (p->velocity_block != NULL) {
    turn_vector(p->vel_x, p->vel_y, p->vel_z, i, frame);
    turn_vector(p->vel_lag_x, p->vel_lag_y, p->vel_lag_z, i, frame);
  }
  if (p->rotation_block == NULL) return;
  turn_vector(p->spin_x, p->spin_y, p->spin_z, i, frame);
  if (p->roll_factor[i] == 0.0f) return;
  double turn[4] = {(double)p->turn_x[i], (double)p->turn_y[i], (double)p->turn_z[i],
                    (double)p->turn_w[i]};
  weft__rotation_multiply(turn, pose->rotation, turn);
  weft__rotation_normalise(turn);
  p->turn_x[i] = (float)turn[0];
  p->turn_y[i] = (float)turn[1];
  p->turn_z[i] = (float)turn[2];
  p->turn_w[i] = (float)turn[3];
}

static void move_particle(weft_world* world, uint32_t i, const weft__frame* frame,
                          const weft__pose* pose) {
  const weft__particles* p = &world->stepper.particles;
  const weft__vec3 at = place_of(p, i, frame);
  const weft__vec3 moved =
      turn_of(frame, weft__displacement(p->pos_x[i], p->prev_x[i], p->carried_x[i]),
              weft__displacement(p->pos_y[i], p->prev_y[i], p->carried_y[i]),
              weft__displacement(p->pos_z[i], p->prev_z[i], p->carried_z[i]));
  p->pos_x[i] = (float)at.x;
  p->pos_y[i] = (float)at.y;
  p->pos_z[i] = (float)at.z;
  p->prev_x[i] = p->pos_x[i] - (float)moved.x;
  p->prev_y[i] = p->pos_y[i] - (float)moved.y;
  p->prev_z[i] = p->pos_z[i] - (float)moved.z;
  p->carried_x[i] = (float)moved.x - (p->pos_x[i] - p->prev_x[i]);
  p->carried_y[i] = (float)moved.y - (p->pos_y[i] - p->prev_y[i]);
  p->carried_z[i] = (float)moved.z - (p->pos_z[i] - p->prev_z[i]);
  if (frame->turns) turn_particle(p, i, frame, pose);
  weft__move* move = weft__moves_find(&world->stepper.moves, i);
  weft__held* held = weft__grips_find(&world->stepper.grips, i);
  if (held != NULL) {
    const float* pointer = world->stepper.grips.grips[held->grip].position;
    held->offset[0] = (double)p->pos_x[i] - (double)pointer[0];
    held->offset[1] = (double)p->pos_y[i] - (double)pointer[1];
    held->offset[2] = (double)p->pos_z[i] - (double)pointer[2];
    weft__moves_cancel(&world->stepper.moves, i);
  } else if (move != NULL) {
    const weft__vec3 target = weft__plus(
        turn_of(frame, move->target[0], move->target[1], move->target[2]), frame->position);
    move->target[0] = (float)target.x;
    move->target[1] = (float)target.y;
    move->target[2] = (float)target.z;
  }
}

// Turns the frames of rods within a range.
static void turn_rods(weft__rods* rods, uint32_t first, uint32_t count, const weft__pose* pose) {
  for (uint32_t r = 0; r < rods->rod_count; ++r) {
    const uint32_t segments = weft__rod_segments(rods, r);
    const uint32_t from = rods->first_particle[r] - first;
    if (from >= count || from + segments >= count) continue;
    for (uint32_t s = rods->first_segment[r]; s < rods->first_segment[r + 1]; ++s) {
      weft__rotation_multiply(rods->frame[s], pose->rotation, rods->frame[s]);
    }
    for (uint32_t side = 0; side < 2; ++side) {
      double* frame = rods->end[2 * (size_t)r + side].frame;
      weft__rotation_multiply(frame, pose->rotation, frame);
    }
  }
}

static weft_result teleport(weft_world* world, uint32_t first, uint32_t count, const float* offset,
                            const float* rotation) {
  WEFT__TRY(check_teleport(world, first, count, offset, rotation));
  const weft__pose pose = weft__pose_of(offset, rotation);
  const weft__frame frame = weft__frame_of(&pose);
  const uint32_t* solver_of = world->stepper.schedule.solver_of + first;
  for (uint32_t n = 0; n < count; ++n) {
    const weft__vec3 at = place_of(&world->stepper.particles, solver_of[n], &frame);
    const bool is_within = weft__largest_component(at) <= (double)WEFT_MAX_MAGNITUDE;
    if (!is_within) return weft__fail_at(WEFT_ERROR_RANGE, "offset", n);
  }
  weft__wake_range(world, first, count);
  for (uint32_t n = 0; n < count; ++n) move_particle(world, solver_of[n], &frame, &pose);
  if (frame.turns) turn_rods(&world->stepper.rods, first, count, &pose);
  weft__wake_range(world, first, count);
  if (count > 0) world->changes += 1;
  return weft__ok();
}

weft_result weft_world_teleport(weft_world* world, uint32_t first, uint32_t count,
                                const float* offset, const float* rotation) {
  WEFT__RETURN_COMPUTED(teleport, world, first, count, offset, rotation);
}
