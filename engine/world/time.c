#include "base/float_mode.h"
#include "scene/scene.h"
#include "step/step_size.h"
#include "world/world.h"

static void set_substep(weft_world* world, int64_t step_ns) {
  weft__step_size size = weft__stepper_step_size(&world->stepper);
  weft__step_size_vary(&size, weft__substep_length(world, step_ns));
}

// Takes the remainder as one shorter step.
static void take_remainder(weft_world* world, int64_t remainder_ns) {
  if (remainder_ns == 0) return;
  weft__step_size_hold(&world->stepper.physics,
                       weft__substep_length(world, world->fixed_step.step_ns));
  set_substep(world, remainder_ns);
  weft_world_step(world, 1);
  set_substep(world, world->fixed_step.step_ns);
}

static weft_result advance_world(weft_world* world, int64_t elapsed_ns, weft_advance* advance) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(elapsed_ns < 0, WEFT_ERROR_RANGE, "elapsed_ns");
  const weft_advance due = weft__fixed_step_add(&world->fixed_step, elapsed_ns);
  weft_world_step(world, due.steps);
  take_remainder(world, due.remainder_ns);
  if (advance != NULL) *advance = due;
  return weft__ok();
}

weft_result weft_world_advance(weft_world* world, int64_t elapsed_ns, weft_advance* advance) {
  WEFT__RETURN_COMPUTED(advance_world, world, elapsed_ns, advance);
}

static weft_result set_time_scale(weft_world* world, float scale) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__TRY(weft__check_range(scale, 0.0f, 1000.0f, "scale"));
  weft__fixed_step_set_scale(&world->fixed_step, scale);
  return weft__ok();
}

weft_result weft_world_set_time_scale(weft_world* world, float scale) {
  WEFT__RETURN_COMPUTED(set_time_scale, world, scale);
}

static weft_result set_step(weft_world* world, int64_t step_ns) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__TRY(WEFT__CHECK_AS(world, step_ns, &step_ns, "step_ns"));
  const int64_t max_elapsed = world->fixed_step.max_elapsed_ns;
  WEFT__FAIL_IF(max_elapsed != 0 && step_ns > max_elapsed, WEFT_ERROR_RANGE, "step_ns");
  if (step_ns == world->fixed_step.step_ns) return weft__ok();
  weft__stepper* stepper = &world->stepper;
  WEFT__FAIL_IF(!weft__step_size_prepare(&stepper->partial, &stepper->particles),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  world->fixed_step.step_ns = step_ns;
  set_substep(world, step_ns);
  return weft__ok();
}

weft_result weft_world_set_step(weft_world* world, int64_t step_ns) {
  WEFT__RETURN_COMPUTED(set_step, world, step_ns);
}

static weft_result set_substeps(weft_world* world, uint32_t substeps) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(substeps == WEFT_AUTO, WEFT_ERROR_RANGE, "substeps");
  WEFT__TRY(WEFT__CHECK_AS(solver, substeps, &substeps, "substeps"));
  weft__stepper* stepper = &world->stepper;
  weft__substep_count* count = &stepper->substep_count;
  if (substeps == count->set && substeps == stepper->settings.substeps) return weft__ok();
  WEFT__FAIL_IF(!weft__step_size_prepare(&stepper->partial, &stepper->particles),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  *count = (weft__substep_count){
      .set = substeps, .most = weft__most_substeps(world->def.solver.max_substeps, substeps)};
  weft__substep_count_take(stepper, substeps);
  set_substep(world, world->fixed_step.step_ns);
  return weft__ok();
}

weft_result weft_world_set_substeps(weft_world* world, uint32_t substeps) {
  WEFT__RETURN_COMPUTED(set_substeps, world, substeps);
}
