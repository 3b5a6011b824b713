#include "step/substep_count.h"

#include <math.h>

#include "base/min_max.h"
#include "collision/colliders/approach.h"
#include "step/step.h"

// Motion in a substep up to which cloth keeps its length, over its range.
#define MOTION_SHARE 0.4
#define CALM_SECONDS (1.0 / 6.0)
#define AUTOMATIC_RISE 4u

uint32_t weft__most_substeps(uint32_t max_substeps, uint32_t set) {
  if (max_substeps == WEFT_AUTO)
    return set < WEFT__MAX_SUBSTEPS / AUTOMATIC_RISE ? AUTOMATIC_RISE * set : WEFT__MAX_SUBSTEPS;
  return max_substeps > set ? max_substeps : set;
}

// Motion of cloth near colliders in the next step, over its range; none that the set number holds.
static double measure_motion(weft__stepper* stepper, double seconds) {
  weft__contacts* contacts = &stepper->contacts;
  if (!contacts->cloth.on || contacts->colliders.count == 0) return 0.0;
  const weft__step_context step = weft__stepper_context(stepper);
  weft__profile_begin_stage(step.profile, WEFT_STAGE_BROAD_PHASE);
  weft__self_classify(&contacts->cloth, &step);
  double motion = weft__colliders_approach(&contacts->colliders, &step, seconds,
                                           MOTION_SHARE * stepper->substep_count.set);
  if (step.domain != NULL) motion = step.domain->largest(step.domain->context, motion);
  weft__profile_begin_stage(step.profile, WEFT_STAGE_FORCES);
  return motion;
}

void weft__substep_count_take(weft__stepper* stepper, uint32_t number) {
  stepper->settings.substeps = number;
  weft__stages_changed(&stepper->stages, &(weft__change){.kind = WEFT__CHANGE_SUBSTEPS,
                                                         .settings = &stepper->settings});
}

void weft__substep_count_choose(weft__stepper* stepper) {
  weft__substep_count* count = &stepper->substep_count;
  weft__physics* physics = &stepper->physics;
  const uint32_t now = stepper->settings.substeps;
  if (count->most == count->set || stepper->schedule.environment_count > 1) return;
  // part of a longer step, which would have to change with it
  if (physics->error_h > physics->h) return;
  const double seconds = physics->h * (double)now;
  const double motion = measure_motion(stepper, seconds);
  const double needed =
      weft__min(weft__max(ceil(motion / MOTION_SHARE), count->set), (double)count->most);
  count->calm = needed < (double)now ? count->calm + 1 : 0;
  if (needed == (double)now || (count->calm > 0 && count->calm * seconds < CALM_SECONDS)) return;
  count->calm = 0;
  weft__substep_count_take(stepper, (uint32_t)needed);
  // constraints, too, are solved for the new length
  physics->h = physics->error_h = seconds / needed;
}
