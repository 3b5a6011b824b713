#include "support/scenes.h"

#include <math.h>
#include <stdlib.h>

#include "support/link_list.h"
#include "support/suite.h"

weft_scene* new_scene(void) {
  weft_scene* scene = NULL;
  expect_ok(weft_scene_create(&scene));
  return scene;
}

weft_body add_sheet(weft_scene* scene, uint32_t columns, uint32_t rows, unsigned families) {
  weft_sheet_def def =
      sheet_def(.columns = columns, .rows = rows,
                .origin = {0.0f, 0.0f, 0.01f * (float)weft_scene_particle_count(scene)},
                .bend = (families & BEND) != 0);
  def.structural = (families & STRUCTURAL) != 0;
  def.shear = (families & SHEAR) != 0;
  weft_body body;
  expect_ok(weft_scene_add_sheet(scene, &def, &body));
  return body;
}

weft_body add_sheet_by(weft_scene* scene, weft_sheet_def def) {
  weft_body body;
  expect_ok(weft_scene_add_sheet(scene, &def, &body));
  return body;
}

weft_body add_mesh_by(weft_scene* scene, weft_mesh_def def) {
  weft_body body;
  expect_ok(weft_scene_add_mesh(scene, &def, &body));
  return body;
}

weft_scene* new_sheet_scene(uint32_t columns, uint32_t rows, unsigned families) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, columns, rows, families);
  return scene;
}

weft_scene* new_scene_by(weft_sheet_def def) {
  weft_scene* scene = new_scene();
  (void)add_sheet_by(scene, def);
  return scene;
}

weft_scene* new_points_scene(const float* positions, const float* inverse_masses, uint32_t count) {
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, count, NULL));
  return scene;
}

weft_body add_cloud(weft_scene* scene, random_source* random, uint32_t count, float size) {
  float* positions = test_alloc(sizeof(float[3]) * count);
  float* inverse_masses = test_alloc(sizeof(float) * count);
  for (uint32_t i = 0; i < 3 * count; ++i) positions[i] = random_float(random, 0.0f, size);
  for (uint32_t i = 0; i < count; ++i) {
    inverse_masses[i] = random_chance(random, 8) ? 0.0f : random_float(random, 1.0f, 1000.0f);
  }
  weft_body body;
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, count, &body));
  return body;
}

static void shuffle(random_source* random, uint32_t* items, uint32_t count) {
  for (uint32_t i = count; i > 1; --i) {
    const uint32_t j = random_below(random, i);
    const uint32_t item = items[i - 1];
    items[i - 1] = items[j];
    items[j] = item;
  }
}

static uint32_t* new_shuffled(random_source* random, uint32_t count) {
  uint32_t* items = test_alloc(sizeof(uint32_t) * count);
  for (uint32_t i = 0; i < count; ++i) items[i] = i;
  shuffle(random, items, count);
  return items;
}

static void place_vertices(random_source* random, uint32_t side, const uint32_t* name,
                           float* positions) {
  for (uint32_t i = 0; i < side * side; ++i) {
    float* position = positions + (size_t)3 * name[i];
    position[0] = 0.1f * (float)(i % side) + random_float(random, -0.03f, 0.03f);
    position[1] = 0.1f * (float)(i / side) + random_float(random, -0.03f, 0.03f);
    position[2] = random_float(random, -0.03f, 0.03f);
  }
}

// two triangles for each cell that is no hole; returns the number of triangles
static uint32_t cut_cells(random_source* random, uint32_t side, const uint32_t* name,
                          uint32_t* triangles) {
  const uint32_t cells = (side - 1) * (side - 1);
  uint32_t* order = new_shuffled(random, cells);
  uint32_t count = 0;
  for (uint32_t c = 0; c < cells; ++c) {
    if (c > 0 && random_chance(random, 20)) continue;
    const uint32_t corner = order[c] / (side - 1) * side + order[c] % (side - 1);
    const uint32_t quad[4] = {name[corner], name[corner + 1], name[corner + side + 1],
                              name[corner + side]};
    const uint32_t turn = random_below(random, 2);
    for (uint32_t half = 0; half < 2; ++half, ++count) {
      const uint32_t first = turn + 2 * half;
      for (uint32_t i = 0; i < 3; ++i) triangles[3 * count + i] = quad[(first + i) % 4];
    }
  }
  return count;
}

weft_body add_random_mesh_of(weft_scene* scene, random_source* random, uint32_t side,
                             const weft_material_def* material, float bend_stiffness) {
  float* positions = test_alloc(sizeof(float[3]) * side * side);
  uint32_t* triangles = test_alloc(sizeof(uint32_t[6]) * side * side);
  uint32_t* name = new_shuffled(random, side * side);
  place_vertices(random, side, name, positions);
  weft_mesh_def def =
      mesh_def(.positions = positions, .vertex_count = side * side, .triangles = triangles);
  weft_material_def springs = weft_default_material_def();
  if (material != NULL) {
    // springs along edges have a shear stiffness of their own
    const float shear_stiffness = springs.shear_stiffness;
    springs = *material;
    springs.shear_stiffness = shear_stiffness;
    def.material = material->membrane ? material : &springs;
  }
  def.bend_relaxation = bend_stiffness;
  def.triangle_count = cut_cells(random, side, name, triangles);
  weft_body body;
  expect_ok(weft_scene_add_mesh(scene, &def, &body));
  return body;
}

weft_body add_random_mesh(weft_scene* scene, random_source* random, uint32_t side) {
  return add_random_mesh_of(scene, random, side, NULL, weft_default_mesh_def().bend_relaxation);
}

weft_material_def random_material(random_source* random) {
  weft_material_def material = weft_default_material_def();
  material.density = expf(random_float(random, -5.0f, 2.0f));
  material.stretch_stiffness = expf(random_float(random, -2.0f, 12.0f));
  material.shear_stiffness = expf(random_float(random, -2.0f, 12.0f));
  return material;
}

typedef struct graph_pattern {
  link_list* list;
  random_source* random;
  uint32_t first, count; /* range of particles to link */
} graph_pattern;

static void link_pairs(graph_pattern p) {
  const uint32_t count = random_below(p.random, 2 * p.count);
  for (uint32_t i = 0; i < count; ++i) {
    link_list_push(p.list, p.first + random_below(p.random, p.count),
                   p.first + random_below(p.random, p.count));
  }
}

// a particle that may have more links than a round of colouring has colours
static void link_hub(graph_pattern p) {
  const uint32_t hub = p.first + random_below(p.random, p.count);
  const uint32_t degree = random_from(p.random, 1, p.count < 300 ? p.count : 300);
  for (uint32_t i = 0; i < degree; ++i) {
    link_list_push(p.list, hub, p.first + random_below(p.random, p.count));
  }
}

// links i to i + distance over stretches of particles: runs, and chains of runs
static void link_stretch(graph_pattern p) {
  const uint32_t distance = random_from(p.random, 1, p.count < 100 ? p.count : 100);
  const uint32_t gap = random_from(p.random, 2, 40);
  for (uint32_t i = 0; i + distance < p.count; ++i) {
    if (!random_chance(p.random, gap)) link_list_push(p.list, p.first + i, p.first + i + distance);
  }
}

// interleaved chains of one length: particles of neighbouring chains have consecutive numbers
static void link_parallel_chains(graph_pattern p) {
  const uint32_t chains = random_from(p.random, 1, 64);
  for (uint32_t i = 0; i + chains < p.count; ++i) {
    link_list_push(p.list, p.first + i, p.first + i + chains);
  }
}

void add_random_graph(weft_scene* scene, random_source* random, uint32_t particle_count) {
  static void (*const patterns[])(graph_pattern) = {link_pairs, link_hub, link_stretch,
                                                    link_parallel_chains};
  link_list list = {0};
  for (uint32_t left = particle_count; left > 0;) {
    const uint32_t count = random_from(random, 1, left);
    const weft_body body = add_cloud(scene, random, count, 2.0f);
    const uint32_t pattern_count = random_below(random, 4);
    for (uint32_t i = 0; i < pattern_count; ++i) {
      patterns[random_below(random, 4)](
          (graph_pattern){&list, random, body.first_particle, body.particle_count});
    }
    left -= count;
  }
  link_list_add_to(&list, scene, random);
  link_list_free(&list);
}

void add_random_links(weft_scene* scene, random_source* random, uint32_t count) {
  link_list list = {0};
  const uint32_t particles = weft_scene_particle_count(scene);
  for (uint32_t i = 0; i < count; ++i) {
    link_list_push(&list, random_below(random, particles), random_below(random, particles));
  }
  link_list_add_to(&list, scene, random);
  link_list_free(&list);
}

static void add_sheet_case(weft_scene* scene, uint32_t index) {
  static const uint32_t sizes[][2] = {
      {1, 1},   {1, 16},  {3000, 1}, {2, 40},   {3, 3},    {5, 7},    {16, 16},  {17, 31},
      {32, 33}, {33, 33}, {64, 64},  {100, 37}, {3, 1025}, {2049, 5}, {257, 65}, {150, 150}};
  const uint32_t size_count = sizeof(sizes) / sizeof(*sizes);
  const uint32_t* size = sizes[index % size_count];
  const unsigned families = (index + index / size_count) % ALL_FAMILIES + 1;
  (void)add_sheet(scene, size[0], size[1], families);
}

static void add_mixed_case(weft_scene* scene, random_source* random) {
  const uint32_t body_count = random_from(random, 2, 12);
  for (uint32_t i = 0; i < body_count; ++i) {
    const uint32_t kind = random_below(random, 3);
    if (kind == 0) {
      const uint32_t columns = random_from(random, 1, 60);
      (void)add_sheet(scene, columns, random_from(random, 1, 60),
                      random_from(random, 1, ALL_FAMILIES));
    } else if (kind == 1) {
      (void)add_random_mesh(scene, random, random_from(random, 2, 30));
    } else {
      add_random_graph(scene, random, random_from(random, 1, 500));
    }
  }
  add_random_links(scene, random, random_below(random, 200));
}

void pin_some(weft_scene* scene, random_source* random, uint32_t one_in) {
  for (uint32_t i = 0; i < weft_scene_particle_count(scene); ++i) {
    if (random_chance(random, one_in)) expect_ok(weft_scene_pin(scene, weft_range(i, 1)));
  }
}

int scene_case_count(void) {
  // every size of sheet once
  return ROUNDS(64, 32);
}

weft_scene* new_scene_case(int number) {
  random_source random = {(uint64_t)number};
  weft_scene* scene = new_scene();
  switch (number % 4) {
    case 0:
      add_sheet_case(scene, (uint32_t)number / 4);
      break;
    case 1:
      add_random_graph(scene, &random, random_from(&random, 1, 4000));
      break;
    case 2:
      (void)add_random_mesh(scene, &random, random_from(&random, 2, 80));
      break;
    default:
      add_mixed_case(scene, &random);
  }
  return scene;
}
