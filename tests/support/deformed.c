#include "support/deformed.h"

#include <math.h>

mesh_shape random_flat(random_source* random, int kind) {
  mesh_shape made;
  if (kind == 0) made = new_lattice(random, 13, 10, SPACING);
  if (kind == 1) made = new_lattice(random, 9, 9, SPACING);
  if (kind == 2) {
    made = new_lattice(random, random_from(random, 5, 16), random_from(random, 5, 12), SPACING);
  }
  if (kind == 3) made = new_holed_cloth(random, random_from(random, 11, 14), SPACING);
  return made;
}

void deform_smoothly(random_source* random, place* at, uint32_t count, float amount) {
  for (int wave = 0; wave < 3; ++wave) {
    float row[3];
    float way[3];
    for (int axis = 0; axis < 3; ++axis) {
      row[axis] = random_float(random, -1.0f, 1.0f) / (4.0f * SPACING);
      way[axis] = random_float(random, -1.0f, 1.0f) * 2.0f * SPACING * amount;
    }
    const float phase = random_float(random, 0.0f, 6.0f);
    for (uint32_t i = 0; i < count; ++i) {
      const float along = row[0] * at[i][0] + row[1] * at[i][1] + row[2] * at[i][2];
      for (int axis = 0; axis < 3; ++axis) at[i][axis] += way[axis] * sinf(along + phase);
    }
  }
}

void deform_jaggedly(random_source* random, place* at, uint32_t count, float amount) {
  for (uint32_t i = 0; i < count; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      at[i][axis] += random_float(random, -0.5f, 0.5f) * SPACING * amount;
    }
  }
}

void fold(random_source* random, place* at, uint32_t count, float upper) {
  const uint32_t first = random_below(random, count);
  const float middle[2] = {at[first][0], at[first][1]};
  const float angle = random_float(random, -upper, upper);
  for (uint32_t i = 0; i < count; ++i) {
    const float beyond = at[i][0] - middle[0];
    if (beyond < 0.0f) continue;
    const float height = at[i][1] - middle[1];
    at[i][0] = middle[0] + cosf(angle) * beyond - sinf(angle) * height;
    at[i][1] = middle[1] + sinf(angle) * beyond + cosf(angle) * height;
  }
}

void turn_places(random_source* random, place* at, uint32_t count) {
  mesh_shape shape = {.vertex_count = count, .place = at};
  turn_shape(&shape, random);
}

void deform(random_source* random, place* at, uint32_t count) {
  turn_places(random, at, count);
  const float amount = random_float(random, 0.0f, 1.2f);
  if (random_chance(random, 2)) deform_smoothly(random, at, count, amount);
  if (random_chance(random, 2)) deform_jaggedly(random, at, count, amount);
  if (random_chance(random, 2)) fold(random, at, count, 3.2f);
  turn_places(random, at, count);
}

void bend_a_little(random_source* random, place* at, uint32_t count) {
  turn_places(random, at, count);
  const float radius = 30.0f * SPACING;
  const float stretch = random_float(random, 0.8f, 1.3f);
  for (uint32_t i = 0; i < count; ++i) {
    const float out = radius + at[i][1];
    const float angle = stretch * at[i][0] / radius;
    at[i][0] = out * sinf(angle);
    at[i][1] = out * cosf(angle);
  }
  turn_places(random, at, count);
}
