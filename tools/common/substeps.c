#include "common/substeps.h"

#include <math.h>

static const double shortest = 1.0 / 1920.0; /* seconds */
static const double gravity = 9.81;
static const double tick = 1e-3; /* seconds of a fall */

double tool_parts(double step, double seconds) {
  // nanoseconds are whole: a step of 60 Hz is a little more than a sixtieth
  return fmin(fmax(ceil(step / seconds - 1e-6), 1.0), 1000.0);
}

uint32_t tool_substeps(const weft_world_def* def, double seconds) {
  return (uint32_t)tool_parts((double)def->step_ns * 1e-9, seconds);
}

double tool_fall_speed(double height, double damping) {
  double speed = 0.0;
  for (double fallen = 0.0; fallen < height; fallen += speed * tick) {
    speed += (gravity - damping * speed) * tick;
  }
  return speed;
}

uint32_t tool_fall_substeps(const weft_world_def* def, double height, double thickness,
                            double longest) {
  const double seconds = thickness / tool_fall_speed(height, (double)def->damping);
  return tool_substeps(def, fmin(fmax(seconds, shortest), longest));
}
