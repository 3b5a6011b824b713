#include "forces/wind.h"

#include <math.h>

#include "base/vec3.h"

weft__wind_step weft__wind_begin(const weft__wind* air, double step_seconds) {
  const weft_wind_def* wind = &air->wind;
  return (weft__wind_step){
      .air = air,
      .noise = weft__noise_at(wind->seed, air->time),
      .half_density = (float)(0.5 * (double)wind->density * (double)wind->drag),
      .limit = (float)(9.0 / step_seconds),
  };
}

// Relative to the wind without gusts.
static float gust_factor(weft__wind_step* step, const float position[3]) {
  const weft__wind* air = step->air;
  if (air->wind.gust == 0.0f) return 1.0f;
  double point[3];
  for (int axis = 0; axis < 3; ++axis) {
    point[axis] = ((double)position[axis] - air->drift[axis]) / (double)air->wind.gust_size;
  }
  return 1.0f + air->wind.gust * (float)weft__noise_value(&step->noise, point);
}

void weft__wind_add_drag(weft__wind_step* step, const weft__wind_face* sail, float push[3]) {
  const float area = sqrtf(weft__dot3(sail->area, sail->area));
  // no area, or no corner that can move
  if (!(area > 0.0f) || !(sail->give > 0.0f)) return;
  const float gust = gust_factor(step, sail->center);
  const float* wind = step->air->wind.velocity;
  float relative[3];
  for (int axis = 0; axis < 3; ++axis) relative[axis] = wind[axis] * gust - sail->velocity[axis];
  const float speed = weft__dot3(relative, sail->area) / area;
  const float drag = step->half_density * area * fabsf(speed);
  const float max_drag = step->limit / sail->give;
  const float force = (drag < max_drag ? drag : max_drag) * speed / (3.0f * area);
  for (int axis = 0; axis < 3; ++axis) push[axis] += force * sail->area[axis];
}

void weft__wind_drift(weft__wind* air, double step_seconds) {
  for (int axis = 0; axis < 3; ++axis) {
    air->drift[axis] += (double)air->wind.velocity[axis] * step_seconds;
  }
  air->time += step_seconds / (double)air->wind.gust_period;
}
