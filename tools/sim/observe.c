#include "sim/observe.h"
#include "common/must.h"

#include <math.h>

sim_position sim_position_of(const weft_world* world, uint32_t particle) {
  float place[3] = {NAN, NAN, NAN};
  tool_get(world, WEFT_ATTRIBUTE_POSITION, particle, 1, place);
  return (sim_position){(double)place[0], (double)place[1], (double)place[2]};
}

double sim_distance(sim_position a, sim_position b) {
  const double x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
  return sqrt(x * x + y * y + z * z);
}

double sim_fastest(const weft_world* world, uint32_t first, uint32_t count) {
  double fastest = 0.0;
  for (uint32_t i = first; i < first + count; ++i) {
    float v[3] = {NAN, NAN, NAN};
    tool_get(world, WEFT_ATTRIBUTE_VELOCITY, i, 1, v);
    const double x = (double)v[0], y = (double)v[1], z = (double)v[2];
    const double speed = sqrt(x * x + y * y + z * z);
    // also for NaN
    if (!(speed <= fastest)) fastest = speed;
  }
  return fastest;
}

sim_position sim_middle(const weft_world* world, uint32_t first, uint32_t count) {
  sim_position sum = {0.0, 0.0, 0.0};
  for (uint32_t i = first; i < first + count; ++i) {
    const sim_position place = sim_position_of(world, i);
    sum.x += place.x;
    sum.y += place.y;
    sum.z += place.z;
  }
  return (sim_position){sum.x / count, sum.y / count, sum.z / count};
}

bool sim_is_due(const sim_moment* moment, double second) {
  return moment->time + 0.5 * moment->h >= second;
}
