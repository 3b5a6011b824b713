#include "forces/wind.h"

weft__wind_step weft__wind_begin(const weft__wind* air) {
  const weft_wind_def* wind = &air->wind;
  return (weft__wind_step){
      .air = air,
      .noise = weft__noise_at(wind->seed, air->time),
      .half_density = (float)(0.5 * (double)wind->density * (double)wind->drag),
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

void weft__wind_velocity(weft__wind_step* step, const float position[3], float velocity[3]) {
  const float gust = gust_factor(step, position);
  for (int axis = 0; axis < 3; ++axis) velocity[axis] = step->air->wind.velocity[axis] * gust;
}

void weft__wind_drift(weft__wind* air, double step_seconds) {
  for (int axis = 0; axis < 3; ++axis) {
    air->drift[axis] += (double)air->wind.velocity[axis] * step_seconds;
  }
  air->time += step_seconds / (double)air->wind.gust_period;
}
