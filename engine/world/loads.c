/* Loads on links and pins in the last substep; impulses on colliders in the last step. */
#include "collision/colliders/loads.h"

#include <math.h>

#include "base/float_mode.h"
#include "world/attributes.h"
#include "world/hinge_visit.h"

static weft_result check_on(const weft_world* world) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(!world->stepper.settings.with_loads, WEFT_ERROR_DISABLED, "weft_world_def.loads");
  return weft__ok();
}

// Tension of a link in newtons.
static double tension_of(const weft_world* world, const weft__lane* lane) {
  const weft__stepper* stepper = &world->stepper;
  const double h = weft__last_substep(world);
  const double multiplier = (double)stepper->schedule.links.multiplier[weft__lane_slot(lane)];
  weft__link_state link = {.particles = &stepper->particles, .lane = lane};
  (void)weft__stages_read_link(&stepper->stages, &link);
  return multiplier * weft__inv_square(h) + link.tension;
}

static void get_tension(const weft__attribute_read* read, uint32_t link, void* value) {
  const weft__schedule* schedule = &read->world->stepper.schedule;
  float* tension = value;
  *tension = 0.0f;
  if (weft__link_is_gone(&schedule->links, link)) return;
  const weft__lane lane = weft__schedule_lane(schedule, schedule->links.slot_of_link[link]);
  *tension = (float)tension_of(read->world, &lane);
}

const weft__attribute weft__link_tension_attribute = {
    .id = WEFT_ATTRIBUTE_LINK_TENSION,
    .size = sizeof(float),
    .item = sizeof(float),
    .of = WEFT__OF_LINKS,
    .check = check_on,
    .get = get_tension,
};

typedef struct reaction_sums {
  const weft_world* world;
  weft__range numbers;
  float* reactions;    // newtons, of each number [3]
  double inv_step_sq;  // 1/seconds^2
} reaction_sums;

// Adds scale * force to a particle in solver order, if it is pinned and in the range.
static void add_reaction(const reaction_sums* sums, uint32_t i, double scale,
                         const double force[3]) {
  if (weft__inverse_mass_of(sums->world, i) > 0.0f) return;
  const uint32_t number = sums->world->stepper.schedule.user_of[i];
  if (!weft__range_has(sums->numbers, number)) return;
  float* reaction = sums->reactions + (size_t)3 * (number - sums->numbers.begin);
  for (int axis = 0; axis < 3; ++axis) {
    reaction[axis] = (float)((double)reaction[axis] + scale * force[axis]);
  }
}

static void add_link(void* context, const weft__lane* lane) {
  const reaction_sums* sums = context;
  const weft__particles* p = &sums->world->stepper.particles;
  // pinned, or asleep: see add_reaction()
  if (p->inv_mass[lane->a] > 0.0f && p->inv_mass[lane->b] > 0.0f) return;
  double along[3] = {(double)p->pos_x[lane->b] - (double)p->pos_x[lane->a],
                     (double)p->pos_y[lane->b] - (double)p->pos_y[lane->a],
                     (double)p->pos_z[lane->b] - (double)p->pos_z[lane->a]};
  const double length = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
  if (!(length > 0.0)) return;
  const double share = tension_of(sums->world, lane) / length;
  add_reaction(sums, lane->a, share, along);
  add_reaction(sums, lane->b, -share, along);
}

static void add_hinge(void* context, const weft__hinge_element* hinge) {
  const reaction_sums* sums = context;
  const double multiplier[3] = {(double)hinge->multiplier[0], (double)hinge->multiplier[1],
                                (double)hinge->multiplier[2]};
  for (int k = 0; k < 4; ++k) {
    const double coefficient = (double)hinge->coefficient[k];
    if (coefficient == 0.0) continue;
    add_reaction(sums, hinge->particle[k], -coefficient * sums->inv_step_sq, multiplier);
  }
}

// Multiplier of a joint: a vector if welded, else along the distance to the anchor point.
static void add_joint(const reaction_sums* sums, const weft__joint* joint) {
  const weft__particles* p = &sums->world->stepper.particles;
  double offset[3] = {0.0, 0.0, 0.0};
  for (uint32_t e = 0; e < joint->end_count; ++e) {
    const double weight = (double)joint->weight[e] * (e == 0 ? 1.0 : -1.0);
    for (int axis = 0; axis < 3; ++axis)
      offset[axis] += weight * (double)p->pos[axis][joint->particle[e]];
  }
  const double length = sqrt(offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]);
  double force[3];
  for (int axis = 0; axis < 3; ++axis) {
    force[axis] = joint->rest_length == 0.0f
                      ? joint->multiplier[axis]
                      : joint->multiplier[0] * (length > 0.0 ? offset[axis] / length : 0.0);
    force[axis] *= sums->inv_step_sq;
  }
  for (uint32_t e = 0; e < joint->end_count; ++e) {
    add_reaction(sums, joint->particle[e], e == 0 ? -1.0 : (double)joint->weight[e], force);
  }
}

// Ends of a patch's elements are in it, or in a patch that shares a particle with it.
static bool has_pins_near(const weft__schedule* schedule, const float* inv_mass, uint32_t patch) {
  const uint32_t begin = schedule->patch_first_neighbor[patch];
  const uint32_t end = schedule->patch_first_neighbor[patch + 1];
  for (uint32_t k = begin; k <= end; ++k) {
    const uint32_t near = k < end ? schedule->neighbors[k] : patch;
    for (uint32_t i = schedule->patch_first[near]; i < schedule->patch_first[near + 1]; ++i) {
      if (inv_mass[i] == 0.0f) return true;
    }
  }
  return false;
}

static void get_reactions(const weft_world* world, weft__range numbers, void* values) {
  const weft__stepper* stepper = &world->stepper;
  const double h = weft__last_substep(world);
  reaction_sums sums = {world, numbers, values, weft__inv_square(h)};
  const size_t count = numbers.end - numbers.begin;
  for (size_t k = 0; k < 3 * count; ++k) sums.reactions[k] = 0.0f;
  const weft__schedule* schedule = &stepper->schedule;
  for (uint32_t patch = 0; patch < schedule->patch_count; ++patch) {
    if (!has_pins_near(schedule, stepper->particles.inv_mass, patch)) continue;
    weft__schedule_visit(schedule, patch, schedule->links.lane_mask, add_link, &sums);
    weft__visit_hinges(&schedule->hinges, patch, stepper->relaxation.records, add_hinge, &sums);
  }
  weft__stages_visit_hinges(&stepper->stages, add_hinge, &sums);
  for (uint32_t k = 0; k < stepper->joints.end; ++k) {
    const weft__joint* joint = &stepper->joints.joints[k];
    if (joint->state == WEFT__JOINT_WHOLE) add_joint(&sums, joint);
  }
}

const weft__attribute weft__reaction_attribute = {
    .id = WEFT_ATTRIBUTE_REACTION,
    .size = sizeof(float[3]),
    .item = sizeof(float),
    .check = check_on,
    .get_range = get_reactions,
};

static weft_result get_collider_loads(const weft_world* world, const weft_collider* handles,
                                      uint32_t count, weft_collider_load* loads) {
  WEFT__TRY(check_on(world));
  WEFT__FAIL_IF(handles == NULL && count > 0, WEFT_ERROR_NULL, "colliders");
  WEFT__FAIL_IF(loads == NULL && count > 0, WEFT_ERROR_NULL, "loads");
  const weft__colliders* colliders = &world->stepper.contacts.colliders;
  for (uint32_t n = 0; n < count; ++n) {
    if (weft__colliders_find(colliders, handles[n]) == NULL)
      return weft__fail_at(WEFT_ERROR_STALE, "colliders", n);
  }
  for (uint32_t n = 0; n < count; ++n) {
    loads[n] = weft__collider_loads_total(colliders, handles[n].index);
  }
  return weft__ok();
}

weft_result weft_world_get_collider_loads(const weft_world* world, const weft_collider* colliders,
                                          uint32_t count, weft_collider_load* loads) {
  WEFT__RETURN_COMPUTED(get_collider_loads, world, colliders, count, loads);
}
