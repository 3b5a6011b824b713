#include "support/hung.h"

#include <math.h>

#include "support/one_particle.h"
#include "support/worlds.h"

static float row_spacing(const strip* s) {
  if (s->is_mesh) return s->width / (float)(s->columns - 1) * sqrtf(0.75f);
  return s->length / (float)(s->rows - 1);
}

// a strip of triangles ends in a zigzag, but its area is that of the same number of cells
double strip_weight(const strip* s) {
  const double length = (double)row_spacing(s) * (double)(s->rows - 1);
  return GRAVITY * (double)s->material.density * (double)s->width * length;
}

static void add_mesh_strip(weft_scene* scene, const strip* s) {
  const uint32_t width = s->columns;
  const uint32_t count = width * s->rows;
  const float spacing = s->width / (float)(width - 1);
  float* positions = test_alloc(sizeof(float[3]) * count);
  uint32_t* triangles = test_alloc(sizeof(uint32_t[6]) * count);
  for (uint32_t i = 0; i < count; ++i) {
    positions[3 * i] = spacing * ((float)(i % width) + 0.5f * (float)(i / width % 2));
    positions[3 * i + 1] = -row_spacing(s) * (float)(i / width);
    positions[3 * i + 2] = 0.0f;
  }
  uint32_t corners = 0;
  for (uint32_t i = 0; i + width < count; ++i) {
    if ((i + 1) % width == 0) continue;
    // odd rows are shifted by half a triangle
    const uint32_t shift = i / width % 2;
    const uint32_t faces[6] = {i,         i + 1,        i + width + shift, i + (1 - shift),
                               i + width, i + width + 1};
    for (uint32_t k = 0; k < 6; ++k) triangles[corners++] = faces[k];
  }
  weft_mesh_def def =
      mesh_def(.positions = positions, .vertex_count = count, .triangles = triangles,
               .triangle_count = corners / 3, .material = &s->material);
  def.bend_relaxation = 0.0f;
  expect_ok(weft_scene_add_mesh(scene, &def, NULL));
}

static void add_sheet_strip(weft_scene* scene, const strip* s) {
  (void)add_cloth(scene, .columns = s->columns, .rows = s->rows, .spacing = row_spacing(s),
                  .material = &s->material);
}

// adds a share of the load to the mass of each particle of the bottom row
static void lade(weft_world* world, const weft_scene* scene, const strip* s) {
  for (uint32_t i = 0; i < s->columns && s->load > 0.0f; ++i) {
    const uint32_t particle = (s->rows - 1) * s->columns + i;
    const double halves = i == 0 || i + 1 == s->columns ? 1.0 : 2.0;
    const double share = halves / (2.0 * (double)(s->columns - 1));
    float inverse_mass;
    expect_ok(weft_scene_get_particles(scene, particle, 1, NULL, &inverse_mass));
    const double mass = 1.0 / (double)inverse_mass + share * (double)s->load / GRAVITY;
    set_inverse_mass(world, particle, (float)(1.0 / mass));
  }
}

weft_world* new_strip_world(const weft_world_def* def, const strip* s) {
  weft_scene* scene = new_scene();
  if (s->is_mesh) {
    add_mesh_strip(scene, s);
  } else {
    add_sheet_strip(scene, s);
  }
  expect_ok(weft_scene_pin(scene, 0, s->columns));
  weft_world* world = new_world(def, scene);
  lade(world, scene, s);
  return world;
}

static double row_height(const weft_world* world, const strip* s, uint32_t row) {
  double sum = 0.0;
  for (uint32_t i = 0; i < s->columns; ++i) {
    float place[3];
    expect_ok(weft_world_get_positions(world, row * s->columns + i, 1, place));
    sum += (double)place[1];
  }
  return sum / (double)s->columns;
}

double strain_between(const weft_world* world, const strip* s, uint32_t from, uint32_t to) {
  const double length = row_height(world, s, from) - row_height(world, s, to);
  return length / ((double)row_spacing(s) * (double)(to - from)) - 1.0;
}

double check_finite_and_get_speed(const weft_world* world) {
  const uint32_t count = particle_count_of(world);
  float* values = new_positions(world);
  for (uint32_t i = 0; i < 3 * count; ++i) require(isfinite(values[i]));
  expect_ok(weft_world_get_velocities(world, 0, count, values));
  double fastest = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    const float* v = values + (size_t)3 * i;
    require(isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]));
    fastest = fmax(fastest, hypot(hypot((double)v[0], (double)v[1]), (double)v[2]));
  }
  return fastest;
}
