#include "base/check.h"
#include "base/float_mode.h"
#include "base/pose.h"
#include "world/attributes.h"
#include "world/world.h"

static weft_result check_teleport(const weft_world* world, const float* offset,
                                  const float* rotation) {
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

// Turns all columns of directions, and the orientation.
static void turn_particle(weft__particles* p, uint32_t i, const weft__frame* frame,
                          const weft__pose* pose) {
  for (uint32_t c = 0; c < weft__particle_table.count; ++c) {
    const weft__column* column = &weft__particle_table.columns[c];
    float* direction[3];
    if ((column->kind & WEFT__TURNED) == 0 || weft__column_array(p, column, 0) == NULL) continue;
    for (uint32_t axis = 0; axis < 3; ++axis) direction[axis] = weft__column_array(p, column, axis);
    weft__vec3_set(direction, i, weft__frame_rotate_out(frame, weft__vec3_at(direction, i)));
  }
  if (p->rotation_block == NULL || p->roll_factor[i] == 0.0f) return;
  double turn[4];
  weft__particles_orientation(p, i, turn);
  weft__rotation_multiply(turn, pose->rotation, turn);
  weft__rotation_normalise(turn);
  weft__particles_set_orientation(p, i, turn);
}

static void move_particle(weft_world* world, uint32_t i, const weft__frame* frame,
                          const weft__pose* pose) {
  weft__particles* p = &world->stepper.particles;
  float at[3], moved[3];
  weft__vec3_store(weft__frame_out(frame, weft__vec3_at(p->pos, i)), at);
  for (int axis = 0; axis < 3; ++axis)
    moved[axis] = weft__displacement(p->pos[axis][i], p->prev[axis][i], p->carried[axis][i]);
  weft__vec3_store(weft__frame_rotate_out(frame, weft__vec3_of(moved)), moved);
  for (int axis = 0; axis < 3; ++axis) {
    p->pos[axis][i] = at[axis];
    p->prev[axis][i] = at[axis] - moved[axis];
    p->carried[axis][i] = moved[axis] - (at[axis] - p->prev[axis][i]);
  }
  if (frame->turns) turn_particle(p, i, frame, pose);
  if (world->stepper.contacts.cloth.on) weft__self_restart(&world->stepper.contacts.cloth, i);
  weft__move* move = weft__moves_find(&world->stepper.moves, i);
  weft__held* held = weft__grips_find(&world->stepper.grips, i);
  if (held != NULL) {
    const float* pointer = world->stepper.grips.grips[held->grip].position;
    for (int k = 0; k < 3; ++k) held->offset[k] = (double)at[k] - (double)pointer[k];
    weft__moves_cancel(&world->stepper.moves, i);
  } else if (move != NULL) {
    const weft__vec3 turned = weft__frame_rotate_out(frame, weft__vec3_of(move->target));
    weft__vec3_store(weft__plus(turned, frame->position), move->target);
  }
}

static void tell_stages(weft_world* world, const weft__selection* at, weft__change change) {
  for (uint32_t n = 0; n < at->count;) {
    change.users = weft__selected_run(at, &n);
    weft__stages_changed(&world->stepper.stages, &change);
  }
}

static weft_result teleport(weft_world* world, const weft_selection* particles, const float* offset,
                            const float* rotation) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  weft__selection at;
  WEFT__TRY(weft__check_selected(world, WEFT__OF_PARTICLES, particles, &at));
  WEFT__TRY(check_teleport(world, offset, rotation));
  if (at.list != NULL) WEFT__TRY(weft__check_unique(&at));
  const weft__pose pose = weft__pose_of(offset, rotation);
  const weft__frame frame = weft__frame_of(&pose);
  for (uint32_t n = 0; n < at.count; ++n) {
    if (!weft__selects(&at, n)) continue;
    const uint32_t i = weft__selected(&at, n);
    const weft__vec3 to = weft__frame_out(&frame, weft__vec3_at(world->stepper.particles.pos, i));
    const bool is_within = weft__largest_component(to) <= (double)WEFT_MAX_MAGNITUDE;
    if (!is_within) return weft__fail_at(WEFT_ERROR_RANGE, "offset", n);
  }
  weft__rouse_selected(world, &at, weft__wake_range);
  for (uint32_t n = 0; n < at.count; ++n) {
    if (weft__selects(&at, n)) move_particle(world, weft__selected(&at, n), &frame, &pose);
  }
  if (frame.turns)
    tell_stages(world, &at, (weft__change){.kind = WEFT__CHANGE_TURNED, .pose = &pose});
  weft__rouse_selected(world, &at, weft__wake_range);
  tell_stages(world, &at, (weft__change){.kind = WEFT__CHANGE_EDITED});
  if (at.hull.begin < at.hull.end) world->changes += 1;
  return weft__ok();
}

weft_result weft_world_teleport(weft_world* world, weft_selection particles, const float* offset,
                                const float* rotation) {
  WEFT__RETURN_COMPUTED(teleport, world, &particles, offset, rotation);
}
